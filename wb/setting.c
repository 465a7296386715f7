#include "setting.h"
#include "json.h"
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORD_MAX 4096
#define RECORD_MAX ((size_t)16 << 20)
#define BOOT_ID "proc/sys/kernel/random/boot_id"

static char *full_path(const char *root, const char *path)
{
	return wb_xasprintf("%s%s%s", root, wb_str_ends(root, "/") ? "" : "/",
			    path);
}

bool wb_setting_read(const char *root, const char *path, struct wb_buf *out)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	char *file = full_path(root, path);
	const char *word;
	bool there;

	/* one that cannot be read is one that is not there for us */
	there = !wb_path_read(file, WORD_MAX, &text, &there, &ignored) &&
		text.len;
	word = strchr(text.ptr, '[');
	wb_buf_reset(out);
	if (there && word && strchr(word, ']'))
		wb_buf_add(out, word + 1, strcspn(word + 1, "]"));
	else
		wb_buf_add(out, text.ptr, strcspn(text.ptr, "\n"));
	wb_buf_clear(&text);
	free(file);
	return there;
}

char *wb_setting_record(struct wb_error *err)
{
	char *dir = wb_path_config_dir(err), *file;

	if (!dir)
		return NULL;
	file = wb_xasprintf("%s/doctor.undo", dir);
	free(dir);
	return file;
}

static int write_word(const char *root, const char *path, const char *word,
		      struct wb_error *err)
{
	char *file = full_path(root, path), *line = wb_xasprintf("%s\n", word);
	int fd = open(file, O_WRONLY | O_CLOEXEC), ret = 0;
	struct stat st;

	if (fd < 0 || write(fd, line, strlen(line)) < 0)
		ret = wb_fail_errno(err, "%s", file);
	/* the kernel's files have no end to cut off, those of a made-up tree
	   do; until then the first line says what counts */
	else if (!fstat(fd, &st) && st.st_size > (off_t)strlen(line) &&
		 strcmp(root, "/") && ftruncate(fd, (off_t)strlen(line)) < 0)
		ret = wb_fail_errno(err, "%s", file);
	if (fd >= 0)
		close(fd);
	free(line);
	free(file);
	return ret;
}

static int sync_dir_of(const char *file, struct wb_error *err)
{
	char *dir = wb_xstrndup(file, (size_t)(strrchr(file, '/') - file));
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;

	if (fd < 0 || fsync(fd) < 0)
		ret = wb_fail_errno(err, "%s", dir);
	if (fd >= 0)
		close(fd);
	free(dir);
	return ret;
}

/* A line at the end of the record, on the disk when this returns. */
static int append(const char *record, struct wb_json *line,
		  struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	int fd, ret = 0;

	wb_json_print(line, &text, 0);
	wb_json_free(line);
	wb_buf_addch(&text, '\n');
	fd = open(record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, text.ptr, text.len) != (ssize_t)text.len ||
	    fsync(fd) < 0)
		ret = wb_fail_errno(err, "%s", record);
	if (fd >= 0)
		close(fd);
	wb_buf_clear(&text);
	return ret;
}

/* The first line says which boot, and which tree, the others are of. */
static int begin_record(const char *root, const char *record,
			struct wb_error *err)
{
	char *dir = wb_xstrndup(record,
				(size_t)(strrchr(record, '/') - record));
	struct wb_buf boot = WB_BUF_INIT;
	struct wb_json *head = wb_json_object();
	int ret;

	wb_setting_read(root, BOOT_ID, &boot);
	wb_json_set(head, "wb", wb_json_int(1));
	wb_json_set(head, "root", wb_json_str(root));
	wb_json_set(head, "boot", wb_json_str(boot.ptr));
	ret = wb_path_make(dir, err);
	if (ret < 0)
		wb_json_free(head);
	else if ((ret = append(record, head, err)) == 0)
		ret = sync_dir_of(record, err);
	wb_buf_clear(&boot);
	free(dir);
	return ret;
}

struct record {
	struct wb_json **line;	/* whole lines, the first is the head */
	size_t n, cap;
	size_t whole;		/* bytes of them */
	size_t damaged;		/* the first that cannot be read, from 1; 0 */
	bool cut;		/* the last line has no end */
};

static void record_clear(struct record *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		wb_json_free(r->line[i]);
	free(r->line);
}

static int record_read(const char *file, struct record *r,
		       struct wb_error *err)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	const char *p, *end, *stop;
	struct wb_json *line;
	size_t number = 0;
	bool there;
	int ret = wb_path_read(file, RECORD_MAX, &text, &there, err);

	stop = text.ptr + text.len;
	for (p = text.ptr; !ret && (end = memchr(p, '\n', (size_t)(stop - p)));
	     p = end + 1) {
		number++;
		line = NULL;
		/* the number of the line says enough */
		if (wb_json_parse(p, (size_t)(end - p), &line, &ignored) < 0 ||
		    !wb_json_is_object(line) ||
		    (number == 1 && !wb_json_get(line, "wb"))) {
			wb_json_free(line);
			r->damaged = r->damaged ? r->damaged : number;
			continue;
		}
		r->line = wb_grow(r->line, r->n, &r->cap, sizeof(*r->line));
		r->line[r->n++] = line;
		r->whole = (size_t)(end + 1 - text.ptr);
	}
	r->cut = !ret && p < stop;
	if (r->damaged == 1)
		ret = wb_fail(err, WB_E_FATAL, "%s:1: damaged, so nobody knows "
			      "what it is a record of; look at its other "
			      "lines, then remove it", file);
	wb_buf_clear(&text);
	return ret;
}

static const char *text_of(const struct wb_json *line, const char *key)
{
	const char *s = "";

	wb_json_get_str(wb_json_get(line, key), &s);
	return s;
}

/* 1 of this boot and this tree, 0 of another boot, -1 of another tree. */
static int check_head(const struct record *r, const char *root,
		      const char *file, struct wb_error *err)
{
	struct wb_buf boot = WB_BUF_INIT;
	const char *its = text_of(r->line[0], "root");
	int ret = 1;

	wb_setting_read(root, BOOT_ID, &boot);
	if (strcmp(its, root))
		ret = wb_fail(err, WB_E_FATAL, "%s: has changes of --root=%s: "
			      "undo them first", file, its);
	else if (strcmp(text_of(r->line[0], "boot"), boot.ptr))
		ret = 0;
	wb_buf_clear(&boot);
	return ret;
}

/* Makes sure that a record is there to which changes may be added. */
static int prepare(const char *root, const char *file, struct wb_error *err)
{
	struct record r = { .n = 0 };
	int ret = record_read(file, &r, err);

	if (!ret && r.damaged)
		ret = wb_fail(err, WB_E_FATAL, "%s:%zu: damaged: 'wb doctor "
			      "--undo' first", file, r.damaged);
	if (!ret && r.n)
		ret = check_head(&r, root, file, err);
	if (ret > 0 && truncate(file, (off_t)r.whole) < 0)
		ret = wb_fail_errno(err, "%s", file);
	/* a start that was cut short, or settings that a reboot has reset */
	if (!ret && unlink(file) < 0 && errno != ENOENT)
		ret = wb_fail_errno(err, "%s", file);
	if (!ret)
		ret = begin_record(root, file, err);
	record_clear(&r);
	return ret < 0 ? -1 : 0;
}

int wb_setting_change(const char *root, const char *record,
		      const struct wb_setting *s, struct wb_error *err)
{
	struct wb_json *line;

	if (prepare(root, record, err) < 0)
		return -1;
	line = wb_json_object();
	wb_json_set(line, "path", wb_json_str(s->path));
	wb_json_set(line, "was", wb_json_str(s->was));
	wb_json_set(line, "is", wb_json_str(s->want));
	if (append(record, line, err) < 0)
		return -1;
	return write_word(root, s->path, s->want, err);
}

/* 1 changed back, 0 nothing to do or not ours any more. */
static int restore_one(const char *root, const struct wb_json *line,
		       struct wb_error *err)
{
	const char *path = text_of(line, "path"), *was = text_of(line, "was");
	struct wb_buf now = WB_BUF_INIT;
	int ret = 0;

	if (!wb_setting_read(root, path, &now))
		wb_talk("%s: is not there any more", path);
	else if (!strcmp(now.ptr, was))
		;	/* the change was noted and not made, or undone */
	else if (strcmp(now.ptr, text_of(line, "is")))
		wb_talk("%s: is '%s', which is not from here: left as it is",
			path, now.ptr);
	else
		ret = write_word(root, path, was, err) < 0 ? -1 : 1;
	wb_buf_clear(&now);
	return ret;
}

/* From the end; of those that cannot be changed back the first is told. */
static int restore_all(const char *root, const struct record *r, size_t *done,
		       struct wb_error *err)
{
	struct wb_error why = WB_ERROR_INIT, first = WB_ERROR_INIT;
	size_t i, failed = 0;
	int rc;

	for (i = r->n; --i > 0; ) {
		rc = restore_one(root, r->line[i], &why);
		if (rc > 0)
			*done += 1;
		else if (rc < 0 && !failed++)
			first = why;
	}
	return failed ? wb_fail(err, WB_E_FATAL, "%zu settings could not be "
				"changed back, the first: %s%s", failed,
				first.msg, geteuid() ? "; try as root" : "") :
			0;
}

int wb_setting_restore(const char *root, const char *record, size_t *done,
		       struct wb_error *err)
{
	struct record r = { .n = 0 };
	int rc = 0, ret = -1;

	*done = 0;
	if (record_read(record, &r, err) < 0)
		goto out;
	rc = r.n ? check_head(&r, root, record, err) : 0;
	if (rc < 0)
		goto out;
	if (!rc && r.n > 1)
		wb_talk("the changes were made before the last boot, which "
			"has reset them");
	if (rc > 0 && restore_all(root, &r, done, err) < 0)
		goto out;
	if (r.cut)
		wb_talk("%s: its last line is cut off: of a change that was "
			"not made, for that comes after the line", record);
	if (rc > 0 && r.damaged)
		wb_fail(err, WB_E_FATAL, "%s:%zu: damaged: what it noted is "
			"not changed back, the rest is; look at it, then "
			"remove it", record, r.damaged);
	else if (unlink(record) < 0 && errno != ENOENT)
		wb_fail_errno(err, "%s", record);
	else
		ret = 0;
out:
	record_clear(&r);
	return ret;
}
