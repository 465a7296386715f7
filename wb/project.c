#include "project.h"

#include <stdlib.h>
#include <string.h>

/*
 * Of Go the build compiles a program of each package with tests, and leaves a
 * script that runs them where their files are: go test would compile inside of
 * every run.
 */
#define GO_BUILD \
	"go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}' " \
	"./... >\"$WB_BUILD/packages\" && while read -r d; do " \
	"p=${d#\"$PWD\"}; mkdir -p \"$WB_BUILD$p\" && " \
	"(cd \"$d\" && go test -c -o \"$WB_BUILD$p/bench.test\") >&2 && " \
	"printf 'cd \"$WB_TREE%s\" && \"$WB_BUILD%s/bench.test\" " \
	"-test.run \"^$\" -test.bench . -test.benchmem || exit\\n' \"$p\" " \
	"\"$p\" || exit; done <\"$WB_BUILD/packages\" >\"$WB_BUILD/go.sh\""

/* The first row whose file is in HEAD tells the system. */
static const struct {
	const char *file, *also, *system, *build, *bench;
} systems[] = {
	{ "CMakeLists.txt", NULL, "cmake",
	  "cmake -S . -B \"$WB_BUILD\" -DCMAKE_BUILD_TYPE=Release && "
	  "cmake --build \"$WB_BUILD\" -j$WB_JOBS", NULL },
	{ "meson.build", NULL, "meson",
	  "meson setup --buildtype=release \"$WB_BUILD\" && "
	  "meson compile -C \"$WB_BUILD\" -j $WB_JOBS", NULL },
	{ "Cargo.toml", NULL, "cargo",
	  "cargo build --release --target-dir \"$WB_BUILD\"", NULL },
	{ "go.mod", NULL, "go", GO_BUILD, "sh \"$WB_BUILD/go.sh\"" },
	{ "Kconfig", "Kbuild", "kbuild",
	  "make O=\"$WB_BUILD\" -j$WB_JOBS", NULL },
	{ "configure", NULL, "configure",
	  "cd \"$WB_BUILD\" && \"$WB_TREE/configure\" && make -j$WB_JOBS",
	  NULL },
	{ "Makefile", NULL, "make", "make -j$WB_JOBS", NULL },
	{ "GNUmakefile", NULL, "make", "make -j$WB_JOBS", NULL },
};

static const struct {
	const char *folder, *profile;
} folders[] = {
	{ "debian/patches", "dpkg" }, { "patches", NULL }, { "series", NULL },
};

/* Where the commits of a branch probably begin. */
static const char *const upstreams[] = {
	"@{upstream}", "origin/HEAD", "origin/main", "origin/master",
};

static int has(struct wb_git *git, const struct wb_oid *head, const char *path,
	       struct wb_error *err)
{
	struct wb_oid id;
	uint32_t mode;

	return wb_git_entry(git, head, path, &mode, &id, err);
}

static int look_at_system(struct wb_project *p, struct wb_git *git,
			  const struct wb_oid *head, struct wb_error *err)
{
	size_t i;
	int rc;

	for (i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
		rc = has(git, head, systems[i].file, err);
		if (rc > 0 && systems[i].also)
			rc = has(git, head, systems[i].also, err);
		if (rc < 0)
			return -1;
		if (!rc)
			continue;
		p->system = systems[i].system;
		p->build = systems[i].build;
		p->bench = systems[i].bench;
		return 0;
	}
	return 0;
}

static int look_for_folder(struct wb_project *p, struct wb_git *git,
			   const struct wb_oid *head, struct wb_error *err)
{
	char *file;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		file = wb_xasprintf("%s/series", folders[i].folder);
		rc = has(git, head, file, err);
		free(file);
		if (rc < 0)
			return -1;
		if (!rc)
			continue;
		p->series = wb_xstrdup(folders[i].folder);
		p->profile = folders[i].profile;
		return 0;
	}
	return 0;
}

static void look_for_range(struct wb_project *p, struct wb_git *git,
			   const struct wb_oid *head)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_oid commit;
	size_t i;

	for (i = 0; i < sizeof(upstreams) / sizeof(upstreams[0]); i++) {
		/* a name that is not there is no upstream */
		if (wb_git_commit_of(git, upstreams[i], &commit, &ignored) < 0)
			continue;
		if (strcmp(commit.hex, head->hex))
			p->series = wb_xasprintf("%s..HEAD", upstreams[i]);
		return;
	}
}

int wb_project_look(struct wb_project *p, struct wb_git *git,
		    struct wb_error *err)
{
	struct wb_oid tree, head;

	memset(p, 0, sizeof(*p));
	if (wb_git_commit_of(git, "HEAD", &head, err) < 0 ||
	    wb_git_tree_of(git, "HEAD", &tree, err) < 0 ||
	    look_at_system(p, git, &tree, err) < 0 ||
	    look_for_folder(p, git, &tree, err) < 0)
		return -1;
	if (!p->series)
		look_for_range(p, git, &head);
	return 0;
}

void wb_project_clear(struct wb_project *p)
{
	free(p->series);
	memset(p, 0, sizeof(*p));
}

/* The path in a word of a command, without quotes and "$WB_TREE/". */
static char *path_of(const char *word, size_t len)
{
	static const char *const fronts[] = {
		"$WB_TREE/", "${WB_TREE}/", "./",
	};
	struct wb_buf b = WB_BUF_INIT;
	size_t i, n;

	for (i = 0; i < len; i++)
		if (!strchr("\"'();&|<>", word[i]))
			wb_buf_addch(&b, word[i]);
	for (i = 0; i < sizeof(fronts) / sizeof(fronts[0]); i++) {
		n = strlen(fronts[i]);
		if (wb_str_starts(b.ptr, fronts[i])) {
			memmove(b.ptr, b.ptr + n, b.len - n + 1);
			b.len -= n;
		}
	}
	return wb_buf_detach(&b);
}

int wb_project_own_files(struct wb_git *git, const char *command, char **paths,
			 struct wb_error *err)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_oid head;
	char *path;
	size_t n;
	int rc = wb_git_tree_of(git, "HEAD", &head, err);

	*paths = NULL;
	for (; rc >= 0 && *command; command += n) {
		command += strspn(command, " \t\n");
		n = strcspn(command, " \t\n");
		path = path_of(command, n);
		if (*path && *path != '/' && *path != '-' &&
		    !strstr(path, "..") && !strchr(path, '$')) {
			rc = has(git, &head, path, err);
			if (rc > 0)
				wb_buf_addf(&out, "%s%s", out.len ? " " : "",
					    path);
		}
		free(path);
	}
	if (rc >= 0 && out.len)
		*paths = wb_buf_detach(&out);
	wb_buf_clear(&out);
	return rc < 0 ? -1 : 0;
}
