/*
 * A plugin of qemu-user that counts the instructions of one program.
 *
 *	qemu-x86_64 -plugin wb-qemu.so,out=PATH PROGRAM
 *
 * Each process of the program writes PATH.PID when it ends, a line for each
 * thing it found:
 *
 *	total N		all instructions
 *	region N	those between a call of wb_region_begin() and the next of
 *			wb_region_end(), in the order they ended
 *	exec		it became another program, which nobody counts
 *	threads		it started threads: their counts get lost now and then
 *
 * Counting is an addition in front of each translated block, which costs about
 * a tenth of the program's time. Regions need their functions in the symbol
 * table of the program itself.
 *
 * QEMU is under the GPL, version 2, and this file, loaded into it, under a
 * licence that goes with that one: see LICENSE. Distributions bring no header
 * of the interface, so what is used of it stands here.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the interface, version 1 -------------------------------------------- */

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { QEMU_PLUGIN_CB_NO_REGS };
enum { QEMU_PLUGIN_INLINE_ADD_U64 };

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(
	const struct qemu_plugin_tb *tb, size_t index);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id,
	void (*cb)(qemu_plugin_id_t, unsigned int));
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
	void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
	void (*cb)(unsigned int, void *), int flags, void *arg);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb,
	int op, void *counter, uint64_t number);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id,
	void (*cb)(qemu_plugin_id_t, unsigned int, int64_t, uint64_t, uint64_t,
		   uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id,
	void (*cb)(qemu_plugin_id_t, unsigned int, int64_t, int64_t));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id,
	void (*cb)(qemu_plugin_id_t, void *), void *arg);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc,
			       char **argv);

/* ---- counting ------------------------------------------------------------ */

#define REGIONS_MAX 65536

static const char *out;
static uint64_t total, begun;
static bool in_region, threads;
static uint64_t region[REGIONS_MAX];
static size_t nregions;

static void begin(unsigned int cpu, void *arg)
{
	(void)cpu;
	(void)arg;
	begun = total;
	in_region = true;
}

/* A function of several blocks is here more than once: the first counts. */
static void end(unsigned int cpu, void *arg)
{
	(void)cpu;
	(void)arg;
	if (in_region && nregions < REGIONS_MAX)
		region[nregions++] = total - begun;
	in_region = false;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	const char *symbol =
		qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(tb, 0));
	bool begins = symbol && !strcmp(symbol, "wb_region_begin");
	bool ends = symbol && !strcmp(symbol, "wb_region_end");

	(void)id;
	if (begins || ends)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, begins ? begin : end,
			QEMU_PLUGIN_CB_NO_REGS, NULL);
	else
		qemu_plugin_register_vcpu_tb_exec_inline(tb,
			QEMU_PLUGIN_INLINE_ADD_U64, &total,
			qemu_plugin_tb_n_insns(tb));
}

/* ---- telling ------------------------------------------------------------- */

static void name_file(char *path, size_t size)
{
	snprintf(path, size, "%s.%d", out, (int)getpid());
}

/* The program may have closed every file it had: this opens its own. */
static void tell(bool exec)
{
	char path[4096];
	FILE *f;
	size_t i;

	name_file(path, sizeof(path));
	f = fopen(path, "w");
	if (!f)
		return;
	fprintf(f, "total %llu\n", (unsigned long long)total);
	for (i = 0; i < nregions; i++)
		fprintf(f, "region %llu\n", (unsigned long long)region[i]);
	fprintf(f, "%s%s", exec ? "exec\n" : "", threads ? "threads\n" : "");
	fclose(f);
}

static bool executes(int64_t number)
{
	return number == SYS_execve || number == SYS_execveat;
}

static void syscall_begins(qemu_plugin_id_t id, unsigned int cpu,
			   int64_t number, uint64_t a1, uint64_t a2,
			   uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
			   uint64_t a7, uint64_t a8)
{
	(void)id, (void)cpu, (void)a1, (void)a2, (void)a3, (void)a4;
	(void)a5, (void)a6, (void)a7, (void)a8;
	if (executes(number))
		tell(true);
}

/* An exec that returns was none, as when a program is looked for in PATH. */
static void syscall_returns(qemu_plugin_id_t id, unsigned int cpu,
			    int64_t number, int64_t ret)
{
	char path[4096];

	(void)id, (void)cpu, (void)ret;
	if (!executes(number))
		return;
	name_file(path, sizeof(path));
	unlink(path);
}

static void starts_cpu(qemu_plugin_id_t id, unsigned int cpu)
{
	(void)id;
	threads |= cpu > 0;
}

/* What a child's parent did before is the parent's. */
static void is_child(void)
{
	total = begun = 0;
	nregions = 0;
}

static void ends(qemu_plugin_id_t id, void *arg)
{
	(void)id;
	(void)arg;
	tell(false);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc,
			char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++)
		if (!strncmp(argv[i], "out=", 4))
			out = strdup(argv[i] + 4);
	if (!out) {
		fputs("wb-qemu.so: out=PATH is missing\n", stderr);
		return -1;
	}
	pthread_atfork(NULL, NULL, is_child);
	qemu_plugin_register_vcpu_init_cb(id, starts_cpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_vcpu_syscall_cb(id, syscall_begins);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, syscall_returns);
	qemu_plugin_register_atexit_cb(id, ends, NULL);
	return 0;
}
