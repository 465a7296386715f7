# The inclusive share of a named function, by instructions and by samples.
. "$(dirname "$0")/../lib.sh"

command -v "${CC:-cc}" >/dev/null || skip_all "no C compiler"

# hot() is called by warm(); a patch makes hot do twice the work.
make_repo
mkdir patches
cat >prog.c <<'EOS'
#include <stdio.h>
#include <stdlib.h>
#define HOT 100
static volatile unsigned sink;
__attribute__((noinline)) void hot(unsigned n)
{
	for (unsigned i = 0; i < n * HOT; i++)
		sink += i;
}
__attribute__((noinline)) void warm(unsigned n)
{
	for (unsigned i = 0; i < n * 100; i++)
		sink += i;
	hot(n);
	sink++;
}
static inline __attribute__((always_inline)) void inlined(void) { sink++; }
int main(int argc, char **argv)
{
	unsigned n = (unsigned)atoi(argv[1]);

	for (unsigned i = 0; i < n * 200; i++)
		sink += i;
	warm(n);
	inlined();
	printf("work %u ops\n", n);
	return argc - 2;
}
EOS
cat >.wbconfig <<'EOS'
[wb]
	series = patches
	fifo = off
[wb-build]
	command = ${CC:-cc} -O2 -o "$WB_BUILD/prog" prog.c
[wb-bench "b"]
	command = exec "$WB_BUILD/prog" ${N:-2000}
	reader = lines
	better = lower
	profile = hot warm inlined
	timeout = 20s
EOS
commit base
sed -i 's/#define HOT 100/#define HOT 200/' prog.c
git commit -qam 'hotter: a patch'
git format-patch -q -1 --stdout >"$work/hotter.patch"
git reset -q --hard HEAD~1
mkdir -p patches
cp "$work/hotter.patch" patches/
echo hotter.patch >patches/series
commit stack
wb trust >/dev/null

# value METRIC PREFIX; near VALUE WANTED WITHIN
value() {
	jq -r --arg m "$1" --arg p "$2" \
		'.rows[] | select(.metric == $m and .prefix == $p) | .value' "$out"
}
near() { echo "$1 $2 $3" | awk '{ d = $1 - $2; exit !($1 > 0 && d < $3 && -d < $3) }'; }

if command -v valgrind >/dev/null; then
	run wb -c wb-bench.b.level=I run
	status 0
	ok "says what is not known" grep -q 'none of the .* instructions is of inlined' "$err"
	run wb -c wb-bench.b.level=I report --json
	m=:instructions
	ok "hot is a quarter of 100 + 100 + 200" near "$(value profile.hot$m base)" 25 1
	ok "warm has hot's part too" near "$(value profile.warm$m base)" 50 2
	ok "twice the work in hot: 200 of 500" near "$(value profile.hot$m hotter)" 40 1
	ok "and warm 300 of 500" near "$(value profile.warm$m hotter)" 60 2
	is "what is not known is no number" "$(value profile.inlined$m base)" ""
	is "exact, so a verdict" "$(jq -r --arg m "profile.hot$m" '.rows[] |
		select(.metric == $m and .prefix == "hotter") |
		.verdict + " " + .unit + " " + .level' "$out")" "slower % I"
else
	echo "# SKIPPED: shares of instructions, for want of valgrind" >&2
fi

if command -v perf >/dev/null && perf record -q -e cpu-clock:u -o "$work/p" true \
	>/dev/null 2>&1; then
	rm -rf .git/wb
	N=250000 run wb -c wb-bench.b.level=S run --rounds 2
	status 0 "sampled"
	run wb -c wb-bench.b.level=S report --json
	ok "sampled: hot" near "$(value profile.hot base)" 25 10
	ok "sampled: warm has the part of hot" near "$(value profile.warm base)" 50 12
	ok "sampled: hot with the patch" near "$(value profile.hot hotter)" 40 10
	is "of software level" "$(jq -r '.rows[] | select(.metric == "profile.hot" and
		.prefix == "base") | .level' "$out")" S
	ok "the time of the bench is not that of perf" jq -e '[.rows[] |
		select(.metric == "work") | .value] | unique == [250000]' "$out"
else
	echo "# SKIPPED: sampled shares, for want of a perf that may" >&2
fi

# a perf that may not: one line, and the rest goes on
rm -rf .git/wb
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/perf"
chmod +x "$work/bin/perf"
PATH="$work/bin:$PATH" run wb -c wb-bench.b.level=S run --rounds 2
status 0 "no perf: measures"
is "no perf: one line" "$(grep -c 'perf may not sample here' "$err")" 1
run wb -c wb-bench.b.level=S report --json
is "no perf: no share" "$(value profile.hot base)" ""

# this repository's own: the pageblock lookup in a list free
if command -v valgrind >/dev/null && [ -f "$top/bench/pcplist.c" ]; then
	git clone -q "$top" "$work/own" 2>/dev/null && cd "$work/own" || exit 1
	export WB_CONFIG_COUNT=3 WB_CONFIG_KEY_0=wb-bench.pcplist.profile \
		WB_CONFIG_VALUE_0=pa_get_pfnblock_flags_mask \
		WB_CONFIG_KEY_1=wb-bench.pcplist.level WB_CONFIG_VALUE_1=I \
		WB_CONFIG_KEY_2=wb-build.command \
		WB_CONFIG_VALUE_2='make -f Makefile "$WB_BUILD/pcplist"'
	wb trust >/dev/null
	run wb run --bench pcplist HEAD..HEAD
	status 0 "own stack"
	run wb report --bench pcplist --json HEAD..HEAD
	ok "the share of the pageblock lookup in a list free" jq -e '[.rows[] | select(
		.metric == "profile.pa_get_pfnblock_flags_mask:instructions-list-64")] |
		length == 1 and .[0].value > 5 and .[0].value < 50' "$out"
fi
done_testing
