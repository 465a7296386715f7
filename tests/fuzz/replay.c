/*
 * Runs a fuzz target on files: the main() of those that are built without
 * libFuzzer. Words are files or folders of files.
 */
#include "buf.h"
#include "error.h"
#include "path.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf b = WB_BUF_INIT;
	uint8_t *exact;
	bool there;

	if (wb_path_read(path, (size_t)64 << 20, &b, &there, &err) < 0 ||
	    !there) {
		fprintf(stderr, "%s: cannot be read %s\n", path, err.msg);
		return -1;
	}
	/* no byte more than the input, so that a sanitizer sees its end */
	exact = wb_xmalloc(b.len + !b.len);
	for (size_t i = 0; i < b.len; i++)
		exact[i] = (uint8_t)b.ptr[i];
	LLVMFuzzerTestOneInput(exact, b.len);
	free(exact);
	wb_buf_clear(&b);
	return 0;
}

static int run(const char *path, size_t *n)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	int ret = 0;

	if (!dir) {
		++*n;
		return run_file(path);
	}
	while ((e = readdir(dir)) && ret == 0) {
		char *file;

		if (*e->d_name == '.')
			continue;
		file = wb_xasprintf("%s/%s", path, e->d_name);
		++*n;
		ret = run_file(file);
		free(file);
	}
	closedir(dir);
	return ret;
}

int main(int argc, char **argv)
{
	size_t n = 0;
	int i;

	for (i = 1; i < argc; i++)
		if (run(argv[i], &n) < 0)
			return 1;
	if (!n) {
		fprintf(stderr, "%s: no input\n", argv[0]);
		return 1;
	}
	printf("%s: %zu inputs\n", argv[0], n);
	return 0;
}
