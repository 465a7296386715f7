# Instruction counts by qemu-user: exact, one program's, apart from callgrind's.
. "$(dirname "$0")/../lib.sh"

command -v "qemu-$(uname -m)" >/dev/null ||
	skip_all "no qemu-$(uname -m) (package qemu-user)"
command -v cc >/dev/null || skip_all "no cc (package gcc)"
make_repo
git config --global wb.sandbox-read "$work"
mkdir "$work/bin" && ln -s /usr/bin/* /bin/* "$work/bin" 2>/dev/null
rm -f "$work/bin/valgrind"
# a folder with a comma, which qemu's options end at
mkdir "$work/a,b" && cp "$B/wb" "$B/wb-qemu.so" "$work/a,b"
cat >work.c <<'E2'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifndef ROUNDS
#define ROUNDS 33333
#endif
#ifdef MARKED
#define begin wb_region_begin
#define end wb_region_end
#endif
__attribute__((noinline)) void begin(void) { __asm__ volatile(""); }
__attribute__((noinline)) void end(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void work(long n)
{
	while (n--)
		__asm__ volatile("" ::: "memory");
}
int main(int argc, char **argv)
{
	/* work of another size every time, outside of what is marked */
	if (argc == 1)
		work(atol(getenv("WB_SEED")) % 1000);
	begin();
	work(ROUNDS);
	end();
	begin();
	work(100);
	end();
	if (argc > 1 && *argv[1] == 'e')
		execlp("true", "true", (char *)NULL);
	puts("{\"metric\":\"long\",\"per\":1}\n{\"metric\":\"short\",\"per\":2}");
	return 0;
}
E2
cat >.wbconfig <<'E2'
[wb]
	series = base..main
	fifo = off
[wb-build]
	command = cc -O1 -DMARKED -o "$WB_BUILD/work" work.c
	inputs = work.c
[wb-bench "work"]
	command = exec "$WB_BUILD/work" </dev/null 2>&1
	level = I
E2
commit base && git tag base
sed -i 's/ROUNDS 33333/ROUNDS 33393/' work.c && commit "planted: 0.18 % more"
sed -i 's/another size/a different size/' work.c && commit "a comment"
wb trust >/dev/null
qemu() {	# without valgrind
	run env PATH="$work/bin" "$work/a,b/wb" "$@"
}
value() { jq -r --arg m "$1" --argjson k "$2" '.rows[] | select(.index == $k and
	.metric == $m) | .value' "$out"; }
qemu run
status 0 "without valgrind, qemu is taken"
qemu report --json
long=$(value long-qemu 0)
echo "# instructions: $long, $(value long-qemu 1), $(value short-qemu 0)"
per=$((($(value long-qemu 1) - long) / 60))
is "60 rounds more, exactly" "$(value long-qemu 1)" $((long + 60 * per))
ok "a round is some instructions" [ "$per" -ge 2 ]
ok "the marked section alone is counted" [ "$long" -lt $((33333 * per + 20)) ]
ok "divided by its operations" [ "$(jq -n "$(value short-qemu 0) * 2 |
	. >= 100 * $per and . < 100 * $per + 20")" = true ]
is "verdicts" "$(jq -r '[.rows[] | select(.index > 0 and .metric == "long-qemu") |
	.verdict] | join(" ")' "$out")" "slower same"
is "the change" "$(jq -r '.rows[] | select(.index == 1 and .metric == "long-qemu") |
	(.change * 100000 | round)' "$out")" 180
qemu report
ok "the table says which counter" grep -q 'level I (qemu)' "$out"
is "two runs of each, which agree" "$(sqlite3 .git/wb/results.db 'SELECT
	count(DISTINCT value), count(*) FROM sample WHERE metric = 1')" "2|6"
qemu run
is "nothing is left to count" "$(sqlite3 .git/wb/results.db \
	'SELECT count(*) FROM run')" 6
rm .git/wb/results.db
run env LONGER="$(printf '%500s' x)" AND_MORE=1 \
	"$B/wb" -c wb-bench.work.counter=qemu run
run "$B/wb" -c wb-bench.work.counter=qemu report --json
is "the same in another environment" "$(value long-qemu 0)" "$long"

# the whole program when it marks nothing
qemu -c wb-build.command='cc -O1 -o "$WB_BUILD/work" work.c' \
	-c wb-bench.work.command='"$WB_BUILD/work" x' run
qemu -c wb-build.command='cc -O1 -o "$WB_BUILD/work" work.c' \
	-c wb-bench.work.command='"$WB_BUILD/work" x' report --json
is "the whole program: the planted work" "$(value instructions-qemu 1)" \
	$(($(value instructions-qemu 0) + 60 * per))

# what would be counted in part
printf '#!/bin/sh\n"$WB_BUILD/work"\n' >"$work/script" && chmod +x "$work/script"
refuses() {	# refuses COMMAND WHY
	qemu -c wb-bench.work.command="$1" run
	status 125 "$1"
	ok "says $2" grep -q "$2" "$err"
}
refuses '"$WB_BUILD/work" e' 'starts other programs, which qemu does not count'
refuses 'sh -c "cd /; true; exec true"' 'starts other programs'
refuses "$work/script" "is a script, and qemu counts programs"
refuses 'no-such-program' "'no-such-program' is no program"
run wb -c wb-bench.work.counter=qemu -c wb-bench.work.command='true | true' run
ok "a pipe" grep -q "its command is more than one program" "$err"
run wb -c wb-bench.work.counter=qemu -c wb-bench.work.toggle=work run
ok "a function by name" grep -q "qemu counts no function by name" "$err"
cp "$B/wb" "$work/bin/alone"
run wb -c wb-bench.work.counter=abacus run
status 129
one_error "a counter that nobody knows" "'abacus' is none of auto, callgrind, qemu"
run "$work/bin/alone" -c wb-bench.work.counter=qemu run
ok "without the plugin" grep -q 'no wb-qemu.so beside wb' "$err"
rm "$work/bin/qemu-$(uname -m)"
qemu -c wb-bench.work.counter=qemu run
ok "without qemu" grep -q "no qemu-$(uname -m): .*(package qemu-user)" "$err"
qemu run
ok "without both" grep -q 'no valgrind: .*(package valgrind)' "$err"

# counts of the two never meet: callgrind's begin anew, and both are shown
command -v valgrind >/dev/null || { done_testing; exit; }
run wb -c wb-build.command='cc -O1 -o "$WB_BUILD/work" work.c' \
	-c wb-bench.work.command='"$WB_BUILD/work" x' run
status 0
run wb -c wb-build.command='cc -O1 -o "$WB_BUILD/work" work.c' \
	-c wb-bench.work.command='"$WB_BUILD/work" x' report --json
is "callgrind's counts, by themselves" "$(jq -r '[.rows[].metric] | unique |
	join(" ")' "$out")" instructions
is "of all prefixes" "$(jq -r '[.rows[].n] | unique | tostring' "$out")" '[2]'
done_testing
