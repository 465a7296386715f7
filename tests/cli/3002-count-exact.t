# Instruction counts are exact: the same in repeats and in other environments,
# and work that was planted shows to the instruction.
. "$(dirname "$0")/../lib.sh"

command -v valgrind >/dev/null || skip_all "no valgrind (package valgrind)"
command -v cc >/dev/null || skip_all "no cc (package gcc)"
make_repo
# 33333 rounds of 3 instructions; planted work is 60 rounds of them: 0.18 %
cat >work.c <<'E2'
#include <stdio.h>
#include <stdlib.h>
#ifndef ROUNDS
#define ROUNDS 33333
#endif
__attribute__((noinline)) void work(long n)
{
	while (n--)
		__asm__ volatile("" ::: "memory");
}
int main(void)
{
	long i, sum = 0;
	/* work of another size every time, outside of what is counted */
	for (i = 0; i < atol(getenv("WB_SEED")) % 1000; i++)
		__asm__ volatile("" : "+r"(sum));
	work(ROUNDS);
	puts("done");
	return 0;
}
E2
cat >.wbconfig <<'E2'
[wb]
	series = base..main
	fifo = off
[wb-build]
	command = cc -O1 -o "$WB_BUILD/work" work.c
	inputs = work.c
[wb-bench "work"]
	command = "$WB_BUILD/work"
	level = I
	toggle = work
E2
commit base && git tag base
sed -i 's/ROUNDS 33333/ROUNDS 33393/' work.c && commit "planted: 0.18 % more"
sed -i 's/another size/a different size/' work.c && commit "a comment"
wb trust >/dev/null
run wb run
status 0
run wb report --json
value() { jq -r --argjson k "$1" '.rows[] | select(.index == $k) | .value' "$out"; }
base=$(value 0)
echo "# instructions: $base, $(value 1), $(value 2)"
# a loop of k instructions: what is planted is 60 k, exactly
per=$((($(value 1) - base) / 60))
is "60 rounds more" "$(($(value 1) - base))" $((60 * per))
ok "a round is some instructions" [ "$per" -ge 2 ]
ok "no more than the function is counted" [ "$base" -lt $((33333 * per + 20)) ]
is "verdicts" "$(jq -r '[.rows[] | select(.index > 0) | .verdict] | join(" ")' \
	"$out")" "slower same"
is "the change of the planted patch" "$(jq -r '.rows[] | select(.index == 1) |
	(.change * 100000 | round)' "$out")" 180
run wb report
ok "the table says what decides" \
	grep -q 'primary: instructions (level I)' "$out"
is "two runs each" "$(sqlite3 .git/wb/results.db \
	'SELECT count(DISTINCT value) || " " || count(*) FROM sample')" "2 6"

# another environment, another size of it
rm .git/wb/results.db
run env LONGER="$(printf '%500s' x)" AND_MORE=1 wb run
run wb report --json
is "another environment: the base" "$(value 0)" "$base"
is "another environment: the planted" "$(value 1)" $((base + 60 * per))

# a function that is not there
run wb -c wb-bench.work.toggle=no_such_function run
ok "is named" grep -q "'no_such_function' was never called" "$err"
status 125

# the whole command, its shell and start included, when no function is named
git config wb-bench.work.command 'exec "$WB_BUILD/work"'
sed 's/toggle = work//' .wbconfig >c && mv c .wbconfig && wb trust >/dev/null
sed -i '/WB_SEED/,+1d' work.c && commit "steady"
run wb -c wb.series=HEAD..HEAD run
run wb -c wb.series=HEAD..HEAD report --json
ok "the whole is more than the function" [ "$(value 0)" -gt $((base + 50000)) ]
is "and two runs agree" "$(jq -r '.rows[0].n' "$out")" 2
is "exactly" "$(sqlite3 .git/wb/results.db 'SELECT count(DISTINCT value) FROM
	sample JOIN run ON run.row = sample.run WHERE round > (SELECT max(row) - 2
	FROM round)')" 1

# sections that the bench marks: those of one name are added up, and divided by
# the operations that its line names
if ! echo '#include <valgrind/callgrind.h>' | cc -E - >/dev/null 2>&1; then
	ok "marked sections # SKIP no valgrind/callgrind.h" true
	done_testing
	exit
fi
cat >work.c <<'E2'
#include <stdio.h>
#include <valgrind/callgrind.h>
static void section(const char *name)
{
	long n = 1000;

	CALLGRIND_TOGGLE_COLLECT;
	while (n--)
		__asm__ volatile("" ::: "memory");
	CALLGRIND_TOGGLE_COLLECT;
	CALLGRIND_DUMP_STATS_AT(name);
}
int main(void)
{
	CALLGRIND_START_INSTRUMENTATION;
	CALLGRIND_ZERO_STATS;
	section("once");
	section("twice");
	section("twice");
	section("tenth");
	CALLGRIND_STOP_INSTRUMENTATION;
	puts("{\"metric\":\"once\",\"per\":1}\n"
	     "{\"metric\":\"twice\",\"per\":1}\n"
	     "{\"metric\":\"tenth\",\"per\":10}");
	return 0;
}
E2
commit "marked"
run wb -c wb.series=HEAD..HEAD run
run wb -c wb.series=HEAD..HEAD report --json
m() { jq -r --arg m "$1" '.rows[] | select(.metric == $m) | .value' "$out"; }
ok "a section is counted" [ "$(m once)" -ge 2000 ]
is "two of a name" "$(m twice)" $((2 * $(m once)))
is "ten operations" "$(jq -r '.rows[] | select(.metric == "tenth") |
	.value * 10' "$out")" "$(m once)"
done_testing
