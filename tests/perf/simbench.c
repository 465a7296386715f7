/*
 * A bench whose truth is known: prints one sample of the prefix whose number
 * stands in FILE, from the effects and the noise in DIR. wb starts it like any
 * other and never sees DIR.
 *
 *	simbench DIR init KIND SD LENGTH SEED EFFECT...	effects in percent
 *	simbench DIR FILE
 *
 * DIR/truth keeps the effects, DIR/noise the state of the noise, which goes
 * on from one process to the next, as a machine does.
 */
#include "noise.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_PATCHES 64

struct truth {
	double level[MAX_PATCHES + 1];	/* log, of each prefix */
};

static int keep(const char *dir, const char *name, void *data, size_t size,
		int save)
{
	char path[4096];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, save ? "w" : "r");
	if (!f) {
		perror(path);
		return -1;
	}
	n = save ? fwrite(data, size, 1, f) : fread(data, size, 1, f);
	return fclose(f) || n != 1 ? -1 : 0;
}

static int init(const char *dir, char **v, int n)
{
	struct noise noise = {
		.sd = atof(v[1]) / 100, .length = atof(v[2]),
		.state = strtoull(v[3], NULL, 10),
		.place = strtoull(v[3], NULL, 10) * 31 + 7,
	};
	struct truth t = { { 0 } };
	int kind = noise_parse(v[0]), i;

	if (kind < 0 || n - 4 > MAX_PATCHES)
		return -1;
	noise.kind = (enum noise_kind)kind;
	for (i = 4; i < n; i++)
		t.level[i - 3] = t.level[i - 4] + log1p(atof(v[i]) / 100);
	return keep(dir, "truth", &t, sizeof(t), 1) ||
	       keep(dir, "noise", &noise, sizeof(noise), 1) ? -1 : 0;
}

static int run(const char *dir, const char *file)
{
	struct noise noise;
	struct truth t;
	FILE *f = fopen(file, "r");
	int k, ok = f && fscanf(f, "%d", &k) == 1 && k >= 0 &&
		    k <= MAX_PATCHES;

	if (f)
		fclose(f);
	if (!ok || keep(dir, "truth", &t, sizeof(t), 0) ||
	    keep(dir, "noise", &noise, sizeof(noise), 0))
		return -1;
	printf("{\"metric\":\"t\",\"unit\":\"ns\",\"better\":\"lower\","
	       "\"value\":%.17g}\n",
	       1000 * exp(t.level[k] + noise_next(&noise)));
	return keep(dir, "noise", &noise, sizeof(noise), 1);
}

int main(int argc, char **argv)
{
	if (argc >= 7 && !strcmp(argv[2], "init"))
		return -init(argv[1], argv + 3, argc - 3);
	if (argc == 3)
		return -run(argv[1], argv[2]);
	fprintf(stderr, "usage: simbench DIR FILE\n");
	return 2;
}
