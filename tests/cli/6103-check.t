# wb check: one revision against references, and what git bisect makes of it.
. "$(dirname "$0")/../lib.sh"

# 32 commits, one of which costs 2 %; a stretch around it does not build, old
# revisions have neither bench nor .wbconfig, and noise is about 0.1 %
make_repo
mkdir src
echo 10000 >src/cost
cat >build.sh <<'EOS'
[ ! -e src/broken ] || { echo "src/broken:1: error: no luck"; exit 2; }
cp src/cost "$WB_BUILD/cost"
EOS
commit "base: of it all"
git tag v0
k=0
while [ $((k += 1)) -le 32 ]; do
	case $k in
	9) touch src/broken ;;
	12) git rm -q src/broken ;;
	14)
		echo 'echo n $(($(cat "$WB_BUILD/cost") + ${WB_SEED#?????????})) ns' \
			>bench.sh
		printf '[wb]\n\tfifo = off\n[wb-build]\n\tcommand = sh build.sh\n' >.wbconfig
		printf '\toverlay = bench.sh build.sh\n[wb-bench "b"]\n' >>.wbconfig
		printf '\tcommand = sh bench.sh\n\treader = lines\n' >>.wbconfig
		printf '\tbetter = lower\n\tunit = ns\n\tlevel = S\n' >>.wbconfig
		;;
	19) echo 10200 >src/cost ;;
	esac
	echo $k >src/step
	git add -A
	git commit -q -m "src: step $k"
	git tag "s$k"
done
git tag v1
wb trust >/dev/null

run git bisect start v1 v0
run git bisect run wb check --good v0 --bad v1
status 0 "git bisect run"
ok "finds the commit" grep -q "^$(git rev-parse s19) is the first bad commit" "$out"
ok "the work tree is git's alone" [ -z "$(git status --porcelain)" ]
git bisect reset -q 2>/dev/null || git bisect reset >/dev/null 2>&1

run wb check --good v0 --bad v1 s18
status 0
ok "good" grep -q '^good: b: n: .* from base (n ' "$out"
run wb check --good v0 --bad v1 s19
status 1
ok "bad" grep -q '^bad: b: n: +[12]\.' "$out"
run wb check --good v0 --bad v1 s10
status 125 "what does not build"
ok "the reason" grep -q 'error: no luck' "$err"
run wb check --good v0 --bad v1 --json s30
status 1
ok "JSON" jq -e '.schema == 1 and .answer == "bad" and .gate == 0.005' "$out"
run wb check --good s3 --bad s5 s4
status 128 "v5 has no .wbconfig"
one_error "so nothing is known of a bench" "no bench"
run wb check --good s20 --bad v1 s25
status 125 "ends that do not differ"
ok "said so" grep -q 'the ends do not differ for certain' "$err"
run wb check --bad v1
status 129
one_error "one reference too few" "--bad needs --good"
run wb check v1 s3
status 129
run wb check --good v0 --bad v1 nosuch
status 128

# half way is neither, and git is told to skip it
git checkout -q s18
echo 10100 >src/cost
git commit -qam "src: half of it"
git tag half
run wb check --good v0 --bad v1 half
status 125 "half way"
ok "and why" grep -q 'cannot be judged: b: n: +.*: nearer to neither for certain' "$err"
git checkout -q v1

# an exact metric: no interval, and no round more than it takes
rm -rf .git/wb
git config wb-bench.b.reader samples
git config wb-bench.b.command 'printf "{\"metric\":\"n\",\"unit\":\"instructions\",\"better\":\"lower\",\"exact\":true,\"value\":%d}\n" $(cat "$WB_BUILD/cost")'
run git bisect start v1 v0
run git bisect run wb check --rounds 2 --good v0 --bad v1
status 0 "git bisect run on exact counts"
ok "finds the commit too" grep -q "^$(git rev-parse s19) is the first bad commit" "$out"
git bisect reset >/dev/null 2>&1
git checkout -q v1
run wb check --rounds 2 --good v0 --bad v1 s18
status 0
ok "good, exactly" grep -q '^good: b: n: +0.00% exact from base (n 2, same); the bad one is +2.00% exact' "$out"
run wb check --rounds 2 --good v0 --bad v1 s19
status 1
run wb check --rounds 2 --good v0 --bad v1 half
status 1 "exactly in the middle, as logs a little nearer to the bad one"
git config --remove-section wb-bench.b

# which one it is near is known before "the same" is, and that is enough
git checkout -q v1
rm -rf .git/wb
run wb -c wb.rounds=12 -c wb-bench.b.command='echo n $(($(cat "$WB_BUILD/cost") + 16 *
	${WB_SEED#?????????})) ns' check --good v0 --bad v1 s30
status 1
is "and measured no more than that took" "$(sqlite3 .git/wb/results.db \
	'SELECT count(DISTINCT round) FROM run')" 12

# against a good one alone, or the parent
run wb check --good s18 s19
status 1 "a loss beyond the gate"
run wb -c wb.gate=5% check --good s18 s19
status 0 "within another"
run wb check s19
status 1 "against its parent"
run wb check --good s20 s25
status 0 "the same"
run wb check --rounds 1 --good s20 s24
status 125 "one round tells nothing"
run wb check --metric nosuch s19
status 125 "nothing is judged"

# b4 review
# b4_reads: an array of objects of five strings, as b4's protocol has it
b4_reads() {
	ok "$1: as b4 reads it" jq -e 'def line: keys == ["details", "status", "summary",
		"tool", "url"] and ([.[] | type == "string"] | all) and
		(.status | IN("pass", "warn", "fail"));
		type == "array" and length > 0 and all(.[]; line)' "$out"
}
run wb check --b4 s19
status 0
b4_reads "fail"
ok "the loss" jq -e 'length == 1 and (.[0] | .tool == "wb" and
	.status == "fail" and (.summary | test("^b: n: \\+[12].*slower")) and
	has("url") and has("details"))' "$out"
run wb check --b4 s20
b4_reads "pass"
is "pass" "$(jq -r '.[0].status' "$out")" pass
run wb check --b4 --rounds 1 --good s20 s24
b4_reads "warn"
is "warn" "$(jq -r '.[0].status' "$out")" warn
run wb check --b4 s10
status 0
b4_reads "broken"
is "what does not build fails" "$(jq -r '.[0].status' "$out")" fail

# a patch of a stack
git format-patch -q -o patches s17..s21
(cd patches && ls *.patch >series)
git checkout -q s17
git config wb.series patches
run wb check 2
status 1 "the second patch"
run wb check 0003-src-step-20
status 0 "the third"
run wb check base
status 129
run wb check 9
status 128
done_testing
