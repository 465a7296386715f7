#include "count-qemu.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define PLUGIN "wb-qemu.so"

/* ---- what is there ------------------------------------------------------- */

char *wb_qemu_program(void)
{
	struct utsname u;

	return wb_xasprintf("qemu-%s", uname(&u) ? "none" : u.machine);
}

/* Beside the program, as it was built, or where it was installed; or NULL. */
static char *find_plugin(void)
{
	static const char *const place[] = { "", "../lib/wb/" };
	char exe[4096], *file;
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe));
	size_t i;

	while (len > 0 && exe[len - 1] != '/')
		len--;
	for (i = 0; len > 0 && i < sizeof(place) / sizeof(*place); i++) {
		file = wb_xasprintf("%.*s%s" PLUGIN, (int)len, exe, place[i]);
		if (!access(file, R_OK))
			return file;
		free(file);
	}
	return NULL;
}

/*
 * A word of the shell outside of quotes ends at these; what is in $( ) runs
 * before the program does, and is not counted.
 */
bool wb_qemu_simple(const char *s)
{
	size_t len = strlen(s);
	char quote = '\0';
	int depth = 0;

	while (len && strchr(" \t\n", s[len - 1]))
		len--;
	for (; len; s++, len--) {
		if (*s == '\\' && quote != '\'' && len > 1) {
			s++, len--;
		} else if (quote) {
			if (*s == quote)
				quote = '\0';
		} else if (*s == '\'' || *s == '"' || *s == '`') {
			quote = *s;
		} else if (*s == '$' && len > 1 && s[1] == '(') {
			depth++, s++, len--;
		} else if (depth) {
			depth += (*s == '(') - (*s == ')');
		} else if (strchr(";|()\n", *s)) {
			return false;
		} else if (strchr("<>", *s) && len > 1 && s[1] == '&') {
			s++, len--;
		} else if (*s == '&' || *s == '#') {
			return false;
		}
	}
	return !quote && !depth;
}

char *wb_qemu_refuses(const struct wb_bench_config *bench)
{
	char *program = wb_qemu_program(), *plugin = find_plugin(), *why = NULL;

	if (bench->toggle)
		why = wb_xasprintf("%s: qemu counts no function by name "
				   "(wb-bench.%s.toggle), callgrind does",
				   bench->name, bench->name);
	else if (!wb_qemu_simple(bench->command))
		why = wb_xasprintf("%s: its command is more than one program, "
				   "and qemu counts one", bench->name);
	else if (!wb_path_program(program))
		why = wb_xasprintf("no %s: instruction counts are left out "
				   "(package qemu-user)", program);
	else if (!wb_path_program("setarch"))
		why = wb_xasprintf("no setarch: instruction counts by qemu "
				   "are left out (package util-linux)");
	else if (!plugin)
		why = wb_xasprintf("no " PLUGIN " beside wb or in ../lib/wb: "
				   "instruction counts by qemu are left out "
				   "(make install brings it)");
	free(plugin);
	free(program);
	return why;
}

/* ---- running ------------------------------------------------------------- */

/* A comma ends an option of qemu's, two are one. */
static void add_comma_safe(struct wb_buf *b, const char *s)
{
	for (; *s; s++) {
		wb_buf_addch(b, *s);
		if (*s == ',')
			wb_buf_addch(b, ',');
	}
}

char *wb_qemu_wrap(const char *command, const char *dir)
{
	/* assignments in front are the program's environment; qemu looks for
	   no program and runs no script */
	static const char function[] =
		"wb_count() {\n"
		"\tp=$1; shift\n"
		"\t[ \"$1\" != exec ] || shift\n"
		"\twhile :; do case ${1-} in\n"
		"\t[A-Za-z_]*=*) export \"$1\"; shift;;\n"
		"\t*) break;; esac; done\n"
		"\tf=$(command -v -- \"${1-}\") && [ -f \"$f\" ] ||\n"
		"\t\t{ echo \"'${1-}' is no program\" >&2; exit 127; }\n"
		"\tshift\n"
		"\t[ \"$(head -c 2 <\"$f\" | tr -d '\\0')\" != '#!' ] ||\n"
		"\t\t{ echo \"'$f' is a script, and qemu counts programs\" "
		">&2; exit 126; }\n";
	struct wb_buf b = WB_BUF_INIT, plugin = WB_BUF_INIT;
	char *program = wb_qemu_program(), *file = find_plugin();

	wb_buf_addstr(&b, function);
	/* all instructions it knows, and fixed addresses: the loader's work
	   depends on both */
	wb_buf_addf(&b, "\texec setarch -R %s %s-plugin \"$p\" \"$f\" \"$@\"\n"
		    "}\nwb_count ", program,
		    strcmp(program, "qemu-x86_64") ? "" : "-cpu max ");
	add_comma_safe(&plugin, file ? file : PLUGIN);
	wb_buf_addstr(&plugin, ",out=");
	add_comma_safe(&plugin, dir);
	wb_buf_addstr(&plugin, "/cg");
	wb_buf_addquoted(&b, plugin.ptr);
	wb_buf_addf(&b, " %s", command);
	wb_buf_clear(&plugin);
	free(program);
	free(file);
	return wb_buf_detach(&b);
}

/* ---- reading ------------------------------------------------------------- */

void wb_qemu_clear(struct wb_qemu_counts *c)
{
	free(c->section);
	memset(c, 0, sizeof(*c));
}

int wb_qemu_parse(const char *text, struct wb_qemu_counts *c,
		  struct wb_error *err)
{
	static const char total[] = "total ", section[] = "region ";
	bool whole = false, others = c->n > 0;
	const char *line;

	for (line = text; *line;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		if (wb_str_starts(line, total)) {
			c->total += strtod(line + strlen(total), NULL);
			whole = true;
		} else if (wb_str_starts(line, section)) {
			if (others)
				return wb_fail(err, WB_E_JUDGE, "marks "
					       "sections in two processes");
			c->section = wb_grow(c->section, c->n, &c->cap,
					     sizeof(*c->section));
			c->section[c->n++] =
				strtod(line + strlen(section), NULL);
		} else if (wb_str_starts(line, "exec")) {
			c->exec = true;
		} else if (wb_str_starts(line, "threads")) {
			c->threads = true;
		}
	}
	return whole ? 0 : wb_fail(err, WB_E_JUDGE, "qemu's counts are cut "
				   "short");
}

static void add(struct wb_reading *out, const char *metric, const char *unit,
		enum wb_better better, double value)
{
	char *name = wb_xasprintf("%s" WB_QEMU_SUFFIX, metric);

	wb_reading_add(out, name, *unit ? unit : "instructions",
		       better ? better : WB_BETTER_LOWER, value);
	free(name);
}

static int add_sections(const struct wb_qemu_counts *c,
			const struct wb_reading *lines,
			struct wb_reading *out, struct wb_error *err)
{
	const struct wb_reading_number *l;
	size_t i, n = 0;

	for (i = 0; i < lines->n; i++) {
		l = &lines->v[i];
		if (!l->counted)
			continue;
		if (!(l->number > 0))
			return wb_fail(err, WB_E_JUDGE,
				       "'%s': per must be positive",
				       l->metric);
		if (n < c->n)
			add(out, l->metric, l->unit, l->better,
			    c->section[n] / l->number);
		n++;
	}
	if (n != c->n)
		return wb_fail(err, WB_E_JUDGE, "marked %zu section%s by "
			       "wb_region_begin() and wb_region_end(), but "
			       "printed %zu line%s with \"per\"", c->n,
			       c->n == 1 ? "" : "s", n, n == 1 ? "" : "s");
	return 0;
}

int wb_qemu_read(const struct wb_qemu_counts *c,
		 const struct wb_count_how *how,
		 const struct wb_reading *lines, struct wb_reading *out,
		 bool *unmarked, struct wb_error *err)
{
	*unmarked = !c->n;
	if (c->exec)
		return wb_fail(err, WB_E_JUDGE, "starts other programs, which "
			       "qemu does not count: use callgrind "
			       "(wb-bench.NAME.counter)");
	if (c->threads)
		return wb_fail(err, WB_E_JUDGE, "starts threads, which qemu "
			       "counts with losses: use callgrind "
			       "(wb-bench.NAME.counter)");
	if (how->profile)
		wb_reading_remark(out, "profile: qemu knows no calls: shares "
				  "of instructions are callgrind's");
	if (how->mode == WB_COUNT_MARKED)
		return c->n ? add_sections(c, lines, out, err) :
			wb_fail(err, WB_E_JUDGE, "marks no section for qemu");
	if (!(c->total > 0))
		return wb_fail(err, WB_E_JUDGE, "qemu counted nothing");
	add(out, "instructions", "", WB_BETTER_LOWER, c->total);
	return 0;
}
