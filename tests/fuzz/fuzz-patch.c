/*
 * A patch, read under both readings and applied in memory to a small tree
 * under the rules of every profile. What applies must give a tree that can be
 * read; what does not must say why and leave the tree as it was.
 */
#include "apply.h"
#include "git.h"
#include "patch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	int strip;
	bool reverse;
	struct wb_apply_rules apply;
} ways[] = {
	{ 1, false, { .git = true } },
	{ 1, false, { .place = { .offset = true, .fuzz = 2 }, .stubs = true } },
	{ 0, true, { .place = { .offset = true }, .remove_empty = true,
		     .stubs = true } },
	{ 1, true, { .place = { .offset = true, .git = true }, .git = true } },
};

static void must(int ret)
{
	if (ret < 0)
		abort();
}

static void add(struct wb_git *g, struct wb_git_change *c, const char *path,
		uint32_t mode, const char *text)
{
	struct wb_error err = WB_ERROR_INIT;

	c->path = path;
	c->mode = mode;
	must(wb_git_write_blob(g, text, strlen(text), NULL, &c->id, &err));
}

static struct wb_oid base(struct wb_git *g)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_git_change c[5];
	struct wb_oid tree;

	add(g, &c[0], "f", 0100644,
	    "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n");
	add(g, &c[1], "d/g", 0100755, "1\n2\n3\n1\n2\n3");
	add(g, &c[2], "empty", 0100644, "");
	add(g, &c[3], "link", 0120000, "d/g");
	add(g, &c[4], "a b", 0100644, "x\r\ny\r\nz\r\n");
	must(wb_git_update(g, NULL, c, 5, &tree, &err));
	return tree;
}

static void play(struct wb_git *g, const struct wb_oid *tree, const char *text,
		 size_t size, size_t way)
{
	struct wb_patch_rules rules = {
		ways[way].strip, ways[way].reverse, ways[way].apply.git, 0,
	};
	struct wb_applied applied = { .n = 0 };
	struct wb_error err = WB_ERROR_INIT;
	struct wb_overlay *ov = wb_overlay_new(g, tree);
	struct wb_patch p;
	struct wb_oid id;
	uint32_t mode;
	int ret;

	ret = wb_patch_parse(&p, text, size, &rules, "p", &err);
	if (ret == 0) {
		ret = wb_apply(ov, &p, &ways[way].apply, "p", &applied, &err);
		if (ret < 0 && strcmp(wb_overlay_tree(ov)->hex, tree->hex))
			abort();
	}
	if (ret < 0 && (err.kind == WB_E_NONE || !*err.msg))
		abort();
	wb_error_clear(&err);
	must(wb_git_entry(g, wb_overlay_tree(ov), "d/g", &mode, &id, &err));
	wb_applied_clear(&applied);
	wb_patch_clear(&p);
	wb_overlay_free(ov);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wb_git *hold;	/* keeps the library started */
	struct wb_error err = WB_ERROR_INIT;
	struct wb_git *g;
	struct wb_oid tree;
	size_t i;

	if (!hold)
		must(wb_git_open_memory(&hold, &err));
	must(wb_git_open_memory(&g, &err));
	tree = base(g);
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		play(g, &tree, (const char *)data, size, i);
	wb_git_free(g);
	return 0;
}
