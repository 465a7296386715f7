#include "count.h"
#include "count-qemu.h"
#include "inclusive.h"
#include "path.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX ((size_t)256 << 20)
#define SLOWDOWN 50		/* callgrind's, at most, against a bare run */

enum wb_counter wb_count_pick(const struct wb_bench_config *bench, char **why)
{
	*why = NULL;
	if (bench->counter != WB_WISH_QEMU && wb_path_program("valgrind"))
		return WB_COUNTER_CALLGRIND;
	if (bench->counter != WB_WISH_CALLGRIND) {
		*why = wb_qemu_refuses(bench);
		if (!*why)
			return WB_COUNTER_QEMU;
	}
	if (bench->counter != WB_WISH_QEMU) {
		free(*why);
		*why = wb_xasprintf("no valgrind: instruction counts are left "
				    "out (package valgrind)");
	}
	return WB_COUNTER_NONE;
}

bool wb_count_parse(const char *text, const char **trigger, size_t *len,
		    double *total)
{
	static const char mark[] = "desc: Trigger: Client Request: ";
	bool known = false;
	const char *line;

	*trigger = "";
	*len = 0;
	for (line = text; *line;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		if (wb_str_starts(line, mark)) {
			*trigger = line + strlen(mark);
			*len = strcspn(*trigger, "\n");
		} else if (wb_str_starts(line, "totals: ")) {
			*total = strtod(line + strlen("totals: "), NULL);
			known = true;
		}
	}
	return known;
}

struct section {
	char *name;
	double total;
	struct wb_inclusive profile;
};

struct counts {
	struct section *v;
	size_t n, cap;
	double whole;
	struct wb_inclusive profile;	/* of the whole */
	const char *symbols;
};

static void counts_clear(struct counts *c)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		free(c->v[i].name);
		wb_inclusive_clear(&c->v[i].profile);
	}
	free(c->v);
	wb_inclusive_clear(&c->profile);
}

static struct section *section_of(struct counts *c, const char *name,
				  size_t len)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (strlen(c->v[i].name) == len &&
		    !memcmp(c->v[i].name, name, len))
			return &c->v[i];
	c->v = wb_grow(c->v, c->n, &c->cap, sizeof(*c->v));
	c->v[c->n] = (struct section){ .name = wb_xstrndup(name, len) };
	wb_inclusive_init(&c->v[c->n].profile, c->symbols);
	return &c->v[c->n++];
}

static int add_callgrind(void *arg, const char *text, struct wb_error *err)
{
	struct counts *c = arg;
	struct section *section;
	const char *trigger;
	double total;
	size_t len;

	(void)err;
	if (!wb_count_parse(text, &trigger, &len, &total))
		return 0;
	wb_inclusive_add_callgrind(&c->profile, text);
	if (!len) {
		c->whole += total;
		return 0;
	}
	section = section_of(c, trigger, len);
	section->total += total;
	wb_inclusive_add_callgrind(&section->profile, text);
	return 0;
}

static int add_qemu(void *arg, const char *text, struct wb_error *err)
{
	return wb_qemu_parse(text, arg, err);
}

/* Everything the counted processes left, a file at a time. */
static int read_files(const char *dir,
		      int (*add)(void *arg, const char *text,
				 struct wb_error *err),
		      void *arg, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	/* what was counted could put a link in its place */
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	char *path;
	bool there;
	int ret = 0;

	if (!d)
		return wb_fail_errno(err, "%s", dir);
	while (!ret && (e = readdir(d))) {
		if (!wb_str_starts(e->d_name, "cg."))
			continue;
		path = wb_xasprintf("%s/%s", dir, e->d_name);
		wb_buf_reset(&text);
		ret = wb_path_read_theirs(path, FILE_MAX, &text, &there, err);
		free(path);
		if (!ret)
			ret = add(arg, text.ptr, err);
	}
	closedir(d);
	wb_buf_clear(&text);
	return ret;
}

/* The command that counts p's command and leaves its files in dir. */
static char *wrap(const char *command, const char *dir,
		  const struct wb_count_how *how)
{
	struct wb_buf b = WB_BUF_INIT, file = WB_BUF_INIT;

	/* % is callgrind's own sign in a file name */
	for (; *dir; dir++)
		wb_buf_addstr(&file, *dir == '%' ? "%%" :
			      (char[]){ *dir, '\0' });
	wb_buf_addstr(&b, "exec valgrind -q --vgdb=no --tool=callgrind "
		      "--trace-children=yes ");
	if (how->mode == WB_COUNT_MARKED) {
		wb_buf_addstr(&b, "--instr-atstart=no --collect-atstart=no ");
	} else if (how->mode == WB_COUNT_FUNCTION) {
		wb_buf_addstr(&b, "--toggle-collect=");
		wb_buf_addquoted(&b, how->function);
		wb_buf_addch(&b, ' ');
	}
	wb_buf_addstr(&b, "--callgrind-out-file=");
	wb_buf_addquoted(&b, file.ptr);
	wb_buf_clear(&file);
	wb_buf_addstr(&b, "/cg.%p /bin/sh -c ");
	wb_buf_addquoted(&b, command);
	return wb_buf_detach(&b);
}

/* Sections and the "per" lines that belong to them become values. */
static int join(const struct counts *c, const struct wb_reading *lines,
		struct wb_reading *out, bool *unmarked, struct wb_error *err)
{
	const struct wb_reading_number *l;
	size_t i, j;

	*unmarked = !c->n;
	if (!c->n)
		return wb_fail(err, WB_E_JUDGE,
			       "marks no section for callgrind");
	for (i = 0; i < lines->n; i++) {
		l = &lines->v[i];
		if (!l->counted)
			continue;
		for (j = 0; j < c->n && strcmp(c->v[j].name, l->metric); j++)
			;
		if (j == c->n)
			return wb_fail(err, WB_E_JUDGE, "counts '%s' but "
				       "dumped no section of that name",
				       l->metric);
		if (!(l->number > 0))
			return wb_fail(err, WB_E_JUDGE,
				       "'%s': per must be positive",
				       l->metric);
		wb_reading_add(out, l->metric,
			       *l->unit ? l->unit : "instructions",
			       l->better ? l->better : WB_BETTER_LOWER,
			       c->v[j].total / l->number);
		wb_inclusive_read(&c->v[j].profile, c->v[j].name, WB_LEVEL_I,
				out);
	}
	if (!out->n)
		return wb_fail(err, WB_E_JUDGE, "dumped %zu section%s but "
			       "printed no line with \"per\"", c->n,
			       c->n == 1 ? "" : "s");
	if (c->profile.all)
		wb_inclusive_read(&c->profile, wb_inclusive_all, WB_LEVEL_I,
				  out);
	return 0;
}

/* Everything counted, also what a bench dumped in sections. */
static double total_of(const struct counts *c)
{
	double total = c->whole;
	size_t i;

	for (i = 0; i < c->n; i++)
		total += c->v[i].total;
	return total;
}

static int add_total(const struct counts *c, const struct wb_count_how *how,
		     struct wb_reading *out, struct wb_error *err)
{
	double total = total_of(c);

	if (!(total > 0) && how->mode == WB_COUNT_FUNCTION)
		return wb_fail(err, WB_E_JUDGE, "'%s' was never called: its "
			       "name must be in the symbol table (not static "
			       "and inlined, not stripped); see "
			       "wb-bench.NAME.toggle", how->function);
	if (!(total > 0))
		return wb_fail(err, WB_E_JUDGE, "callgrind counted nothing");
	wb_reading_add(out, "instructions", "instructions", WB_BETTER_LOWER,
		       total);
	wb_inclusive_read(&c->profile, "instructions", WB_LEVEL_I, out);
	return 0;
}

/*
 * The lines that say what a section's operations are. Unit and direction of
 * clocks, which is what is configured, are none of instructions.
 */
static int read_lines(const struct wb_proc_result *r, struct wb_reading *lines,
		      struct wb_error *err)
{
	static const struct wb_bench_config nothing_said = { .name = NULL };

	if (wb_sample_read(WB_READER_SAMPLES, r->out.ptr, r->out.len,
			   &nothing_said, lines, err) < 0) {
		err->kind = WB_E_JUDGE;
		return -1;
	}
	return 0;
}

static int collect_qemu(const struct wb_proc_result *r, const char *dir,
			const struct wb_count_how *how, struct wb_reading *out,
			bool *unmarked, struct wb_error *err)
{
	struct wb_reading lines = { .n = 0 };
	struct wb_qemu_counts c = { .n = 0 };
	int ret = -1;

	if (!read_files(dir, add_qemu, &c, err) &&
	    (how->mode != WB_COUNT_MARKED || !c.n || c.exec || c.threads ||
	     !read_lines(r, &lines, err)))
		ret = wb_qemu_read(&c, how, &lines, out, unmarked, err);
	wb_reading_clear(&lines);
	wb_qemu_clear(&c);
	return ret;
}

static int collect(const struct wb_proc_result *r, const char *dir,
		   const struct wb_count_how *how, struct wb_reading *out,
		   bool *unmarked, struct wb_error *err)
{
	struct wb_reading lines = { .n = 0 };
	struct counts c = { .symbols = how->profile };
	int ret = -1;

	wb_inclusive_init(&c.profile, c.symbols);
	if (read_files(dir, add_callgrind, &c, err) < 0)
		goto out;
	if (how->mode != WB_COUNT_MARKED) {
		ret = add_total(&c, how, out, err);
		goto out;
	}
	/* a bench that knows nothing of counting prints what it likes */
	if (c.n && read_lines(r, &lines, err) < 0)
		goto out;
	ret = join(&c, &lines, out, unmarked, err);
out:
	wb_reading_clear(&lines);
	counts_clear(&c);
	return ret;
}

int wb_count_run(const struct wb_proc *p, const struct wb_count_how *how,
		 const char *room, struct wb_reading *out, bool *unmarked,
		 struct wb_error *err)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_proc_result r;
	struct wb_proc counted = *p;
	bool qemu = how->counter == WB_COUNTER_QEMU;
	char *command = NULL, *dir;
	int ret = -1;

	*unmarked = false;
	wb_proc_result_init(&r);
	dir = wb_xasprintf("%s/count-XXXXXX", room);
	if (!mkdtemp(dir)) {
		wb_fail_errno(err, "%s", dir);
		free(dir);
		return -1;
	}
	command = qemu ? wb_qemu_wrap(p->command, dir) :
			 wrap(p->command, dir, how);
	counted.command = command;
	counted.timeout *= SLOWDOWN;
	if (wb_proc_run(&counted, &r, err) < 0)
		goto out;
	if (r.end == WB_PROC_INTERRUPT)
		wb_proc_fail_interrupted(r.code, err);
	else if (wb_proc_failed(&counted, &r, "counting run", err) < 0)
		;
	else
		ret = (qemu ? collect_qemu : collect)(&r, dir, how, out,
						      unmarked, err);
out:
	/* a folder that stays behind goes with the build it lies in */
	wb_path_remove(dir, &ignored);
	wb_proc_result_clear(&r);
	free(command);
	free(dir);
	return ret;
}
