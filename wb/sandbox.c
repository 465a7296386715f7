#include "sandbox.h"
#include "limits.h"
#include "path.h"
#include "veil.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define START_TIMEOUT 10.0	/* seconds, for a box to stand */
#define OUTPUT_MAX ((size_t)1 << 20)
#define CONFIG_MAX ((size_t)1 << 20)
#define END_OF_TEXT "# WB END OF TEXT"
#define FD_FREE 4		/* 3 is bwrap's to tell with */

/* ---- what is seen ------------------------------------------------------- */

/* The system, as far as a build reads it. */
static const char *const system_dirs[] = {
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/etc", "/opt", "/nix", "/gnu", "/snap", "/sys", NULL,
};

/* What root could read in there and nobody needs for a build. */
static const char *const secrets[] = {
	"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-",
	"/etc/ssh", "/etc/ssl/private", "/etc/krb5.keytab",
	"/etc/NetworkManager", "/etc/wireguard", "/etc/ppp", NULL,
};

static const char *const devices[] = {
	"null", "zero", "full", "random", "urandom", "tty", NULL,
};

static void add(struct wb_buf *b, const char *option, const char *path)
{
	wb_buf_addf(b, " --%s ", option);
	wb_buf_addquoted(b, path);
}

static void add_same(struct wb_buf *b, const char *option, const char *path)
{
	add(b, option, path);
	wb_buf_addch(b, ' ');
	wb_buf_addquoted(b, path);
}

static void add_own(struct wb_buf *b, const char *path, uint64_t size)
{
	wb_buf_addf(b, " --perms 1777");
	if (size)
		wb_buf_addf(b, " --size %llu", (unsigned long long)size);
	add(b, "tmpfs", path);
}

/* Whether a path is dir or lies below it. */
static bool within(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	while (n > 1 && dir[n - 1] == '/')
		n--;
	return !strncmp(path, dir, n) &&
	       (!path[n] || path[n] == '/' || n == 1);
}

static void add_system(struct wb_buf *b)
{
	struct stat st;
	size_t i;

	for (i = 0; system_dirs[i]; i++)
		add_same(b, "ro-bind-try", system_dirs[i]);
	for (i = 0; secrets[i]; i++) {
		if (lstat(secrets[i], &st) < 0 || S_ISLNK(st.st_mode))
			continue;
		if (S_ISDIR(st.st_mode))
			add(b, "tmpfs", secrets[i]);
		else
			wb_buf_addf(b, " --ro-bind /dev/null %s", secrets[i]);
	}
	wb_buf_addstr(b, " --proc /proc --tmpfs /dev");
	for (i = 0; devices[i]; i++)
		wb_buf_addf(b, " --dev-bind-try /dev/%s /dev/%s", devices[i],
			    devices[i]);
	wb_buf_addstr(b, " --symlink /proc/self/fd /dev/fd"
		      " --symlink /proc/self/fd/0 /dev/stdin"
		      " --symlink /proc/self/fd/1 /dev/stdout"
		      " --symlink /proc/self/fd/2 /dev/stderr");
}

/* Programs that the user runs are no secret; a home folder is. */
static void add_path_dirs(struct wb_buf *b, const char *home)
{
	const char *path = getenv("PATH"), *end;
	char *dir;
	size_t i;

	for (; path && *path; path = *end ? end + 1 : end) {
		end = path + strcspn(path, ":");
		dir = wb_xstrndup(path, (size_t)(end - path));
		for (i = 0; system_dirs[i] && !within(dir, system_dirs[i]); i++)
			;
		if (!system_dirs[i] && *dir == '/' && !access(dir, X_OK) &&
		    !(home && within(home, dir)))
			add_same(b, "ro-bind-try", dir);
		free(dir);
	}
}

/* What wb itself brings for counting lies beside it, or below ../lib. */
static void add_wb(struct wb_buf *b)
{
	char exe[4096], *dir;
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	while (len > 1 && exe[len - 1] != '/')
		len--;
	if (len <= 1)
		return;
	exe[len - 1] = '\0';
	add_same(b, "ro-bind-try", exe);
	dir = wb_xasprintf("%s/../lib/wb", exe);
	if (!access(dir, R_OK))
		add_same(b, "ro-bind-try", dir);
	free(dir);
}

/* Paths of a key, with blanks between; "~/" is the home folder. */
static void add_list(struct wb_buf *b, const char *option, const char *list,
		     const char *home)
{
	const char *end;
	char *path;

	for (; list && *list; list = end) {
		list += strspn(list, " \t");
		end = list + strcspn(list, " \t");
		if (end == list)
			break;
		path = list[0] == '~' && list[1] == '/' && home ?
			wb_xasprintf("%s%.*s", home, (int)(end - list - 1),
				     list + 1) :
			wb_xstrndup(list, (size_t)(end - list));
		add_same(b, option, path);
		free(path);
	}
}

static bool is_repository(const char *folder)
{
	char *head = wb_xasprintf("%s/HEAD", folder);
	char *objects = wb_xasprintf("%s/objects", folder);
	bool is = !access(head, F_OK) && !access(objects, F_OK);

	free(head);
	free(objects);
	return is;
}

/*
 * A repository's configuration without the logins in it takes the place of the
 * one there is, as a here-document on a descriptor of its own. What stands
 * behind the options of the command goes to redirections and texts.
 */
static void add_veil(struct wb_buf *b, const char *folder, int fd,
		     struct wb_buf *redirections, struct wb_buf *texts)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	char *path = wb_xasprintf("%s/config", folder), *veiled = NULL;
	bool there;

	/* what cannot be read by us cannot be read in there */
	if (is_repository(folder) &&
	    wb_path_read(path, CONFIG_MAX, &text, &there, &ignored) == 0)
		veiled = wb_veil(text.ptr);
	if (veiled) {
		wb_buf_addf(b, " --ro-bind-data %d ", fd);
		wb_buf_addquoted(b, path);
		wb_buf_addf(redirections, " %d<<'" END_OF_TEXT "'", fd);
		wb_buf_addf(texts, "%s\n" END_OF_TEXT "\n", veiled);
	}
	free(veiled);
	free(path);
	wb_buf_clear(&text);
}

/*
 * The command that stands in for the box while it is not used: it holds the
 * namespaces until wb closes its input, or is gone.
 */
static char *holder(const struct wb_config *c, const char *room,
		    const char *const *seen)
{
	const char *home = getenv("HOME");
	struct wb_buf b = WB_BUF_INIT, more = WB_BUF_INIT, texts = WB_BUF_INIT;
	uint64_t disk = c->sandbox_disk;
	size_t i;

	wb_buf_addstr(&b, "exec bwrap --unshare-pid --as-pid-1 --unshare-net "
		      "--unshare-ipc --unshare-uts --die-with-parent "
		      "--hostname wb --cap-drop ALL --info-fd 3");
	/* without it SCHED_FIFO and perf events are root's as before */
	if (geteuid())
		wb_buf_addstr(&b, " --unshare-user");
	add_system(&b);
	add_own(&b, "/dev/shm", disk);
	add_own(&b, "/tmp", disk);
	add_own(&b, "/var/tmp", disk);
	if (home && *home == '/' && home[1])
		add_own(&b, home, disk);
	add_path_dirs(&b, home);
	add_wb(&b);
	for (i = 0; seen[i]; i++)
		add_same(&b, "ro-bind-try", seen[i]);
	for (i = 0; seen[i]; i++)
		add_veil(&b, seen[i], FD_FREE + (int)i, &more, &texts);
	add_list(&b, "ro-bind-try", c->sandbox_read, home);
	add_list(&b, "bind-try", c->sandbox_write, home);
	add_same(&b, "bind", room);
	wb_buf_addstr(&b, " --remount-ro / --remount-ro /dev"
		      " /bin/sh -c 'echo ready; exec cat' 3>&1");
	wb_buf_addf(&b, "%s\n%s", more.ptr, texts.ptr);
	wb_buf_clear(&more);
	wb_buf_clear(&texts);
	return wb_buf_detach(&b);
}

/* ---- the box ------------------------------------------------------------ */

const struct wb_box *wb_sandbox_box(const struct wb_sandbox *s)
{
	return s ? &s->box : NULL;
}

/* Reads until the holder says that all stands; its pid, or -1. */
static int wait_ready(const struct wb_proc_live *l, struct wb_buf *text)
{
	struct pollfd fd = { .fd = l->out, .events = POLLIN };
	double end = wb_proc_now() + START_TIMEOUT, left;
	const char *mark = "\"child-pid\":", *at;
	char chunk[512];
	ssize_t n;

	while ((left = end - wb_proc_now()) > 0) {
		if (poll(&fd, 1, (int)(left * 1000)) <= 0)
			continue;
		n = read(l->out, chunk, sizeof(chunk));
		if (n <= 0)
			return -1;
		wb_buf_add(text, chunk, (size_t)n);
		at = strstr(text->ptr, mark);
		if (at && strstr(at, "ready\n"))
			return atoi(at + strlen(mark));
	}
	return -1;
}

static int open_spaces(struct wb_box *b, int pid, struct wb_error *err)
{
	static const char *const name[WB_BOX_SPACES] = {
		"user", "mnt", "net", "ipc", "uts",
	};
	char *path;
	size_t i;

	for (i = geteuid() ? 0 : 1; i < WB_BOX_SPACES; i++) {
		path = wb_xasprintf("/proc/%d/ns/%s", pid, name[i]);
		b->space[i] = open(path, O_RDONLY | O_CLOEXEC);
		free(path);
		if (b->space[i] < 0)
			return wb_fail_errno(err, "/proc/%d/ns/%s", pid,
					     name[i]);
	}
	return 0;
}

static int start(struct wb_sandbox *s, const struct wb_config *c,
		 const char *room, const char *const *seen,
		 struct wb_error *err)
{
	char *command = holder(c, room, seen);
	struct wb_buf text = WB_BUF_INIT;
	struct wb_proc_result r;
	struct wb_proc p = {
		.command = command, .cwd = "/", .talk = true,
		.max_output = OUTPUT_MAX, .interrupt_fd = -1,
	};
	struct wb_env env;
	int pid, ret = -1;

	wb_proc_result_init(&r);
	wb_env_init(&env);
	p.env = env.v;
	if (wb_proc_start(&p, &s->holder, err) < 0)
		goto out;
	pid = wait_ready(&s->holder, &text);
	if (pid > 0) {
		ret = open_spaces(&s->box, pid, err);
		goto out;
	}
	wb_proc_stop(&p, &s->holder, 0.1, &r);
	s->holder.supervisor = 0;
	/* one line is enough of what may be many */
	wb_fail(err, WB_E_FATAL, "%.*s", (int)strcspn(r.err.ptr, "\n"),
		r.err.len ? r.err.ptr : "bwrap: does not start");
out:
	wb_proc_result_clear(&r);
	wb_env_clear(&env);
	wb_buf_clear(&text);
	free(command);
	return ret;
}

int wb_sandbox_open(struct wb_sandbox **out, const struct wb_config *c,
		    const char *room, const char *const *seen,
		    struct wb_error *err)
{
	struct wb_sandbox *s;
	size_t i;

	*out = NULL;
	if (c->sandbox == WB_SANDBOX_OFF)
		return 0;
	/* a setuid program made in there is nothing for other users */
	if (chmod(room, 0700) < 0)
		return wb_fail_errno(err, "%s", room);
	s = wb_xcalloc(1, sizeof(*s));
	for (i = 0; i < WB_BOX_SPACES; i++)
		s->box.space[i] = -1;
	s->box.room = wb_xstrdup(room);
	s->box.disk = c->sandbox_disk;
	/* it counts all tasks of a user, so those that run now come on top */
	s->box.processes = wb_limits_tasks() + (uint64_t)c->sandbox_processes;
	/* no number of ours: some programs map more than they ever use */
	s->box.memory = wb_limits_hold_memory() ? 0 : c->sandbox_memory;
	if (!wb_path_program("bwrap"))
		wb_fail(err, WB_E_FATAL, "no bwrap (package bubblewrap)");
	else if (start(s, c, room, seen, err) == 0) {
		*out = s;
		return 0;
	}
	wb_sandbox_close(s);
	if (c->sandbox == WB_SANDBOX_ON)
		return wb_fail_at(err, "wb.sandbox is on");
	if (!*c->unboxed_said)
		wb_talk("no sandbox, commands run with all your rights: %.300s",
			err->msg);
	*c->unboxed_said = true;
	/* as configured: auto takes what there is */
	wb_error_clear(err);
	return 0;
}

void wb_sandbox_close(struct wb_sandbox *s)
{
	struct wb_proc p = { .max_output = OUTPUT_MAX };
	struct wb_proc_result r;
	size_t i;

	if (!s)
		return;
	if (s->holder.supervisor > 0) {
		wb_proc_result_init(&r);
		wb_proc_stop(&p, &s->holder, 0, &r);
		wb_proc_result_clear(&r);
	}
	for (i = 0; i < WB_BOX_SPACES; i++)
		if (s->box.space[i] >= 0)
			close(s->box.space[i]);
	free(s->box.room);
	free(s);
}

/* ---- the environment ---------------------------------------------------- */

/* Variables that hold a secret or lead out, by a part of their name. */
static const char *const private[] = {
	"TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "API_KEY",
	"ACCESS_KEY", "PRIVATE_KEY", "JWT", "COOKIE", "_AUTH",
	"SSH_AUTH_SOCK", "SSH_AGENT", "DBUS_", "XDG_RUNTIME_DIR",
	"DOCKER_HOST", "GPG_AGENT", NULL,
};

static const char *const private_end[] = { "_KEY", "_PAT", "_PWD", NULL };

/* "https://user:secret@host/": CI_REPOSITORY_URL, a proxy, a database. */
static bool has_login(const char *value)
{
	const char *at = strstr(value, "://"), *end;

	for (; at; at = strstr(at, "://")) {
		at += strlen("://");
		end = at + strcspn(at, "/?# \t\n");
		if (memchr(at, '@', (size_t)(end - at)))
			return true;
	}
	return false;
}

static bool is_private(const char *pair)
{
	size_t n = strcspn(pair, "="), i, len;
	char *name = wb_xstrndup(pair, n);
	bool found = pair[n] && has_login(pair + n + 1);

	for (i = 0; private[i] && !found; i++)
		found = strcasestr(name, private[i]) != NULL;
	for (i = 0; private_end[i] && !found; i++) {
		len = strlen(private_end[i]);
		found = n > len && !strcasecmp(name + n - len, private_end[i]);
	}
	free(name);
	return found;
}

void wb_sandbox_env(struct wb_env *env)
{
	wb_env_drop(env, is_private);
	wb_env_set(env, "TMPDIR", "/tmp");
}
