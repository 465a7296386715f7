# wb series check: what it finds, each in a stack that has just that.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../edit.sh"

make_edit_stack
sed -i 's/^Signed-off-by/Depends-on: two\n&/' series/three.patch
commit stack
# found CHECK: what is found, as "NAME ..." lines
found() { grep ": $1: " "$out"; }
one() {	# one NAME PATCH CHECK PATTERN: that is all that is found
	run wb series check
	status 1 "$1"
	is "$1: nothing else" "$(grep -c '^[a-z]*: [a-z-]*: ' "$out")" 1
	ok "$1: $4" grep -q "^$2: $3: .*$4" "$out"
	git checkout -q .
}

GIT_OPTIONAL_LOCKS=0 git status >"$work/status"
run wb series check
status 0 "a good stack"
ok "all four looked at" [ "$(grep -c '3 looked at, 0 found' "$out")" = 4 ]
ok "the rest was not" [ "$(grep -c 'not checked: without --' "$out")" = 3 ]
ok "nothing was made" [ ! -e .git/wb ]
run wb series check --json
is "as JSON" "$(jq -r '.checks[3].looked, (.findings | length)' <"$out" |
	tr '\n' ' ')" "3 0 "

sed -i 's/^@@ -17,7 +17,7 @@/@@ -16,7 +16,7 @@/' series/two.patch
run wb -c wb.profile=strict series check
status 1 "a patch that does not apply"
ok "says which hunk" grep -q '^two: applies: series/two.patch:.*hunk 1' "$out"
run wb series check
ok "an offset is no better" grep -q '^two: applies: .*offset 1' "$out"
git checkout -q .

sed -i 's/^index \([0-9a-f]*\)\.\.[0-9a-f]* /index \1..0000000 /' \
	series/three.patch
one "stale ids" three fixed-point 'line [0-9]*: refresh would change it'
sed -i 's/ 1 file changed/ 2 files changed/' series/one.patch
one "a wrong diffstat" one fixed-point 'line 11'
sed -i 's/^Subject:.*/Subject: [PATCH] one: do a thing./' series/one.patch
one "a full stop" one header 'full stop'
sed -i 's/^Subject:.*/Subject: [PATCH] do a thing/' series/one.patch
one "no area" one header 'area'
sed -i "s/^Subject:.*/Subject: [PATCH] one: $(printf '%071d' 0)/" series/one.patch
one "a long subject" one header '76 characters; 75 at most'
sed -i "s/^Why.*/Why $(printf '%073d' 0)/" series/one.patch
one "a long line" one header 'line 6 has 77 columns'
sed -i '/^Why/d' series/two.patch
one "no text" two header 'no text that says why'
sed -i '/^Signed-off/d' series/two.patch
one "no Signed-off-by" two header 'no Signed-off-by of its author'
sed -i 's/^\(Signed-off-by: \).*/\1Bo Field <bo@example.org>/' series/two.patch
one "somebody else's" two header 'no Signed-off-by of its author'
sed -i 's/^Signed-off.*/&\nCc: bo@example.org/' series/two.patch
one "trailers in another order" two header 'Cc stands behind'
sed -i '/^From: /d' series/two.patch
run wb series check
ok "no author" grep -q '^two: header: no author' "$out"
git checkout -q .
git mv series/two.patch series/0002-two.patch
sed -i 's/^two/0002-two/' series/series
run wb series check
ok "a number" grep -q '^0002-two: header: a number in its name' "$out"
ok "a name that is not there" \
	grep -q '^three: depends: depends on two, which is not in' "$out"
git reset -q --hard

printf 'one.patch\nthree.patch\ntwo.patch\n' >series/series
run wb series check
ok "not below" grep -q '^three: depends: depends on two, which is not below' "$out"
git checkout -q .
tree=$(wb series edit two 2>/dev/null)
sed -i 's/^five$/fuenf/' "$tree/src/a"
wb series refresh >/dev/null 2>&1
one "more needed than said" two depends 'needs more than its Depends-on'

# builds, tests, and what is expected of tests
git checkout -q . && wb series edit --discard
cat >test.sh <<'X'
check() {	# check TEST WORD
	if grep -qx "$2" src/a; then echo "ok - $1"; else
		echo "not ok - $1"
		return 1
	fi
}
bad=0
for t in fives:five twenties:twenty; do
	[ -z "$WB_TEST" ] || [ "$WB_TEST" = "${t%:*}" ] || continue
	case " $WB_SKIP " in *" ${t%:*} "*) continue ;; esac
	check "${t%:*}" "${t#*:}" || bad=1
done
exit $bad
X
commit test
wbt() { wb -c wb-build.test='sh test.sh' \
	-c wb-build.command='[ ! -e broken ] && cp src/a $WB_BUILD/' "$@"; }
run wb series check --test
status 129
one_error "no test" "wb-build.test is not set"
run wbt series check --build
status 0 "every prefix builds"
ok "four prefixes" grep -q '^build *4 looked at, 0 found' "$out"
run wbt series check --test
status 1 "tests fail below what mends them"
is "base and one" "$(sed -n 's/^\([a-z]*\): test: \(.*\), log.*/\1 \2/p' "$out" |
	tr '\n' ';')" "base not ok - fives (exit code 1;one not ok - twenties (exit code 1;"
cat >series/expect <<'X'
[expect "base"]
	breaks = fives
	breaks = twenties
[expect "one.patch"]
	fixes = fives
[expect "two"]
	fixes = twenties
X
run wbt series check --test
status 0 "as expected"
ok "each looked at" grep -q '^expect *[1-9][0-9]* looked at, 0 found' "$out"
sed -i 's/"two"/"three"/' series/expect
run wbt series check --test
status 1 "fixed by another than said"
ok "not fixed where it is said" \
	grep -q '^two: expect: twenties passes, but three fixes it' "$out"
printf '[expect "base"]\nbreaks = fives\nbreaks = twenties\n[expect "one"]\nfixes = fives\n[expect "two"]\nfixes = twenties\nfixes = nobody\n' \
	>series/expect
run wbt series check --test
ok "a test that did not run" grep -q '^two: expect: nobody did not run' "$out"
printf '[expect "nobody"]\nfixes = fives\n' >series/expect
run wbt series check
ok "an unknown patch" grep -q 'expect: series/expect names nobody' "$out"
printf '[expect "one"]\nfix = fives\n' >series/expect
run wbt series check
status 128
one_error "an unknown key" 'series/expect: expect.one.fix: only'
rm series/expect
# a test command of the project needs trust
printf '[wb-build]\ntest = "touch %s/ran"\n' "$work" >.wbconfig
run wb series check --test
status 128
one_error "trust" "wb trust"
ok "it did not run" [ ! -e "$work/ran" ]
done_testing
