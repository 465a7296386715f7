# wb bisect-perf --profile: the functions that a change moved, and its hunks.
# LONG=1: of counts as well, whose search takes callgrind for each prefix.
. "$(dirname "$0")/../lib.sh"
command -v jq >/dev/null || skip_all "jq is not installed"
command -v valgrind >/dev/null || skip_all "valgrind is not installed"
command -v "${CC:-cc}" >/dev/null || skip_all "no C compiler"

# main calls warm() and cold(), warm() calls hot(); "ops" counts what they do,
# with a noise of 1 %. Commit 5 plants a loop in hot() and touches a macro.
make_repo
cat >prog.c <<'EOS'
#include <stdio.h>
#include <stdlib.h>
#define NAME "prog"

static volatile unsigned ops;

static void spin(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		ops++;
}

__attribute__((noinline)) void hot(unsigned n)
{
	spin(n * 100);
}

__attribute__((noinline)) void warm(unsigned n)
{
	spin(n * 200);
	hot(n);
	ops++;
}

__attribute__((noinline)) int
cold(unsigned n)
{
	spin(n * 100);
	return 0;
}

int main(void)
{
	const char *seed = getenv("WB_SEED");

	warm(100);
	cold(100);
	printf("ops %u ns\n", ops * 10 + (unsigned)atoi(seed + 4) % 8001);
	return 0;
}
EOS
cat >.wbconfig <<'EOS'
[wb]
	fifo = off
[wb-build]
	command = ${CC:-cc} -O1 -o "$WB_BUILD/prog" prog.c
[wb-bench "b"]
	command = exec "$WB_BUILD/prog"
	reader = lines
	better = lower
	level = S
EOS
commit base
git tag good
wb trust >/dev/null 2>&1
n=0
for edit in 's/200/201/' 's/NAME "prog"/NAME "program"/' '$a /* end */' 's/201/200/' \
	's/spin(n \* 100);/&\n\tfor (unsigned i = 0; i < n * 20; i++)\n\t\tops++;/;s/"program"/"again"/' \
	'$a /* the end */' 's/ops++;/ops += 1;/'; do
	n=$((n + 1))
	case $n in
	5) sed -i -e '/void hot/,/^}/{s/spin(n \* 100);/&\n\tfor (unsigned i = 0; i < n * 20; i++)\n\t\tops++;/}' \
		-e 's/"program"/"again"/' prog.c ;;
	*) sed -i "$edit" prog.c ;;
	esac
	commit "change $n"
done
slow=$(git rev-parse HEAD~2)

run wb bisect-perf --json good HEAD
status 0 'a slow commit is found'
is 'the planted one' "$(jq -r '.changes[0].commit' "$out")" "$slow"
is 'without a profile that nobody asked for' \
	"$(jq -r '.changes[0] | has("profile")' "$out")" false
runs=$(jq .runs "$out")

# what callgrind cannot run loses nothing
mkdir "$work/bin"
printf '#!/bin/sh\nexit 9\n' >"$work/bin/valgrind"
chmod +x "$work/bin/valgrind"
PATH="$work/bin:$PATH" run wb bisect-perf --profile --json good HEAD
status 0 'a valgrind that fails: the answer stands'
is 'the same' "$(jq -r '.changes[0].commit' "$out")" "$slow"
ok 'and says why there is no profile' jq -e \
	'.changes[0].profile.why | test("exit code 9")' "$out"

run wb bisect-perf --profile --json good HEAD
status 0 'asked for it later'
is 'nothing is measured again' "$(jq .runs "$out")" "$runs"
p='.changes[0].profile'
is 'the function with the loop is first' "$(jq -r "$p.functions[0].name" "$out")" hot
is 'with the hunk that touches it' "$(jq -r "$p.functions[0].hunks | join(\" \")" "$out")" \
	"prog.c:16"
is 'and nothing else is touched' "$(jq -r "[$p.functions[1:][].hunks[]] | length" "$out")" 0
is 'other hunks apart' "$(jq -r "$p.elsewhere | join(\" \")" "$out")" prog.c:3
ok 'shares of a whole, with callees' jq -e "$p.functions | (.[0] | .before > 0 and
	.after > .before + 0.01 and .after < 1) and (map(select(.name == \"warm\")) |
	.[0].before > 0.1)" "$out"
ok 'more instructions' jq -e "$p | .after > .before * 1.005" "$out"

# as text, in a mail, played back elsewhere
run wb bisect-perf --profile --mail "$work/m" good HEAD
ok 'as text' grep -qE '^ +[0-9.]+ % +[0-9.]+ %  hot  prog.c:16$' "$out"
m=$(ls "$work"/m/*)
ok 'in a mail' grep -qE '^ *[0-9.]+ % +[0-9.]+ %  hot  prog.c:16$' "$m"
not_ok 'mail of 72 columns, but for commands' sh -c \
	"sed '1,/^\$/d' '$m' | grep -v '^wb ' | grep -E '.{73}'"
wb bisect-perf --log >"$work/journal"
run wb bisect-perf --json --replay="$work/journal"
is 'played back' "$(jq -r "$p.functions[0].name" "$out")" hot
run wb bisect-perf --status --profile
status 129 'not with --status'

# counts have it, too
if [ -n "${LONG:-}" ]; then
	run wb bisect-perf --level=I --min-effect=2% --profile --json good HEAD
	is 'of counts' "$(jq -r '[.changes[] | select(.index == 5) |
		.profile.functions[0].name] | join(" ")' "$out")" hot
fi
done_testing
