# The order-0 cache at the top of the shipped stack: no page is lost or given
# twice, whatever happens to the threads; the same under valgrind, which has no
# rseq; and programs with it as their malloc may fork.
. "$(dirname "$0")/../lib.sh"

rseq=$(sed -n 's/\.patch$//p' "$top/series/series" | grep rseq)
[ -n "$rseq" ] || skip_all "no rseq cache in the stack"
mkdir "$work/all"
cp -r "$top/core" "$top/bench" "$top/tests" "$top/series" "$top/Makefile" \
	"$work/all"
cd "$work/all" || exit 1
for p in $(grep -v '^[[:space:]]*\(#\|$\)' series/series); do
	git apply "series/$p" 2>"$err" || { cat "$err" && exit 1; }
done
PA_APPLIED=$(cat series/series)
export PA_APPLIED
t=$work/b/tests
make -s WB_BUILD="$work/b" WERROR=1 front "$t/pa-storm" "$t/test-pa-magazine" \
	"$t/test-pa-pcp" >/dev/null 2>"$err" || { cat "$err" && exit 1; }

run "$t/pa-storm" 11 ${LONG:+2000}
status 0 "a storm, with rseq and without"
[ "$rc" = 0 ] || sed 's/^/# /' "$out"
run "$t/test-pa-magazine"
status 0 "magazines and depots"
run env GLIBC_TUNABLES=glibc.pthread.rseq=0 "$t/test-pa-magazine"
status 0 "the same calls without rseq"

if command -v valgrind >/dev/null; then
	for what in "test-pa-magazine" "test-pa-pcp" "pa-storm 12 1"; do
		# shellcheck disable=SC2086
		run valgrind -q --error-exitcode=9 "$t/"$what
		status 0 "under valgrind: $what"
	done
else
	echo "# SKIPPED: nothing under valgrind (package valgrind)" >&2
fi

so=$work/b/libpagemalloc.so
"${CC:-cc}" -O1 -pthread -w -o "$work/promises" \
	"$top/tests/cli/2009-malloc-front.c"
run env LD_PRELOAD="$so" "$work/promises"
is "what malloc promises" "$(cat "$out" "$err")" fine
# children of a process whose threads allocate all the time
cat >"$work/forks.c" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int stop;
static void *churn(void *arg)
{
	char *held[64] = { 0 };
	(void)arg;
	for (unsigned int i = 0; !stop; i++) {
		unsigned int at = i * 2654435761u >> 26;
		free(held[at]);
		held[at] = malloc(i % 7 ? 8 << i % 9 : 5000 + i % 9000);
		held[at][0] = 1;
	}
	for (int i = 0; i < 64; i++)
		free(held[i]);
	return NULL;
}
int main(void)
{
	pthread_t threads[3];
	int status, bad = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, churn, NULL);
	for (int i = 0; i < 100 && !bad; i++) {
		pid_t pid = fork();
		if (!pid) {
			static char *p[600];
			alarm(20);
			for (int n = 0; n < 600; n++) {
				p[n] = malloc(9000);
				memset(p[n], n, 9000);
			}
			for (int n = 0; n < 600; n++) {
				for (int at = 0; at < 9000; at++)
					if (p[n][at] != (char)n)
						_exit(1);
				free(p[n]);
			}
			_exit(0);
		}
		bad = pid < 0 || waitpid(pid, &status, 0) < 0 || status;
	}
	stop = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	puts(bad ? "bad" : "fine");
	return bad;
}
END
"${CC:-cc}" -O1 -pthread -w -o "$work/forks" "$work/forks.c"
run env LD_PRELOAD="$so" "$work/forks"
is "children of busy threads have a sound copy" "$(cat "$out" "$err")" fine
done_testing
