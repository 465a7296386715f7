# Every kind of line there and back, of two machines; damage at each line of a
# file, and kill -9 at any call: all of a file or nothing.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../fault.sh"
make_stack
wb trust >/dev/null 2>&1
# two layouts, three metrics, and a patch whose bench fails at times
cat >bench.sh <<'EOF'
n=$(($(cat "$WB_BUILD/cost") * 10 + ${WB_SEED#?????????} - 4))
[ $n -lt 10000 ] || [ $((n % 3)) != 0 ] || { echo "no luck today" >&2; exit 1; }
for m in t u a; do
	echo '{"bench":"b","metric":"'$m'","unit":"ns","better":"lower","value":'$n.25'}'
done
EOF
commit "three metrics"
git config wb-build.layouts 2
wb run --rounds 6 >/dev/null 2>&1
run wb export -o "$work/plain.jsonl"
status 0
ok "a build that is broken" grep -q '"broken":\[{"prefix":"breaks"' "$work/plain.jsonl"
ok "a second layout" grep -q '"layout":1' "$work/plain.jsonl"
ok "a run that failed" grep -q '"failed":"' "$work/plain.jsonl"

# slices, events as they were read, exact counts; and all of it once more from
# another machine
jq -c 'if .wb then . elif .metric == "t" then
	.mean = .value + 0.125 | .passes = [0.25, -0.5, 0.0625], (del(.iter, .exact, .mean) |
	.metric = "cycles:u" | .unit = "events" | .level = "H" | .value = 4000 |
	.count = [1000, 40, 10])
	elif .metric == "u" then ., (.metric = "instructions" | .unit = "" |
	.exact = true | .value = 12345)
	else . end' "$work/plain.jsonl" >"$work/rich.jsonl"
other=$(printf %064d 7)
jq -c --arg m "$other" 'if .wb then .machine_facts = "Another CPU" else . end |
	.machine = $m | if .env then .env.round |=
	(if startswith("f") then "e" else "f" end) + .[1:] else . end' \
	"$work/rich.jsonl" >"$work/other.jsonl"
ok "kinds of lines" [ "$(grep -c '"passes"' "$work/rich.jsonl")" -gt 5 ]

clone() {	# clone NAME: a store of its own for the same stack
	git clone -q "$work/repo" "$work/$1" 2>/dev/null && cd "$work/$1" || exit 1
	git config wb-build.layouts 2
	wb trust >/dev/null 2>&1
}
report() { wb report --json "$@" | sed 's/, log: [^)]*)/)/'; }
clone b
run wb import "$work/rich.jsonl" "$work/other.jsonl"
status 0
wb export >"$work/b.jsonl"
wb export --machine "$other" >"$work/b-other.jsonl"
same() { jq -cS . "$1" | sort; }
is "all that was in the file" "$(same "$work/b.jsonl" | sha256sum)" \
	"$(same "$work/rich.jsonl" | sha256sum)"
is "and of the other machine" "$(same "$work/b-other.jsonl" | sha256sum)" \
	"$(same "$work/other.jsonl" | sha256sum)"
report >"$work/b.report"
report --machine "$other" >"$work/b-other.report"
clone c
run wb import "$work/b-other.jsonl" "$work/b.jsonl"
status 0
run wb export
ok "byte for byte" cmp "$out" "$work/b.jsonl"
run wb export --machine "$other"
ok "of the other machine too" cmp "$out" "$work/b-other.jsonl"
report >"$out"
ok "the same report" cmp "$out" "$work/b.report"
report --machine "$other" >"$out"
ok "and the other machine's" cmp "$out" "$work/b-other.report"

# rounds in parts, the last ones first: the order they ran in is theirs
head -n 1 "$work/b.jsonl" >"$work/head"
jq -r 'select(.env) | .env.round' "$work/b.jsonl" | uniq | sort -ru >"$work/rounds"
ok "several rounds" [ "$(wc -l <"$work/rounds")" -ge 6 ]
clone d
while read -r round; do
	grep -F "\"round\":\"$round\"" "$work/b.jsonl" | cat "$work/head" - >"$work/part"
	wb import -q "$work/part"
done <"$work/rounds"
run wb export
ok "parts from the last to the first give the same export" cmp "$out" "$work/b.jsonl"
report | jq 'del(.left_out)' >"$out"
jq 'del(.left_out)' "$work/b.report" >"$work/want"
ok "and the same report" cmp "$out" "$work/want"
run wb plot --kind time --format svg --metric t
cp "$out" "$work/time"
cd "$work/b" && run wb plot --kind time --format svg --metric t
ok "and the same picture in the order of running" cmp "$out" "$work/time"

# damage at each line
rm -rf "$work/c/.git/wb"
cd "$work/c" || exit 1
sql() { sqlite3 .git/wb/results.db "$1"; }
lines=$(wc -l <"$work/b.jsonl")
wrong= half= i=0
while [ $i -lt "$lines" ]; do
	i=$((i + 1))
	case $((i % 4)) in
	0) how='s/......$//' ;;
	1) how='s/:/;/' ;;
	2) how='s/"/\x01/3' ;;
	3) how='s/^./[/' ;;
	esac
	sed "$i$how" "$work/b.jsonl" >"$work/bad.jsonl"
	run wb import "$work/bad.jsonl"
	[ "$rc" = 128 ] && grep -q "bad.jsonl:$i: " "$err" &&
		[ "$(wc -l <"$err")" = 1 ] || wrong="$wrong $i"
	[ "$(sql 'SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM sample)
		+ (SELECT count(*) FROM build) + (SELECT count(*) FROM round)')" = 0 ] ||
		half="$half $i"
done
is "each of $lines damaged lines is named" "$wrong" ""
is "and nothing of its file is taken" "$half" ""
# contradictions between lines, which each are fine
other_of() {	# other_of NAME JQ: of the second line of a run of two layouts
	jq -cs '.[0], .[1], (.[2] | '"$2"')' "$work/b.jsonl" >"$work/bad.jsonl"
	run wb import "$work/bad.jsonl"
	status 128 "$1"
	one_error "$1" 'bad.jsonl:3: '"$3"
}
other_of "another time of one run" '.time = "2026-01-31T12:00:00Z"' \
	'lines before say other things of this run'
other_of "another wall time" '.env.wall += 1' \
	'lines before say other things of this run'
# a key that stands in both halves of a line
sed '3s/^{/{"machine":"x",/' "$work/b.jsonl" >"$work/bad.jsonl"
run wb import "$work/bad.jsonl"
status 128 "a key twice"
one_error "a key twice" 'bad.jsonl:3: not JSON: duplicate'

# kill -9 at any call that changes a file
why=$(faulty_here) || {
	skip "kill -9" "$why"
	done_testing
	exit
}
rm -rf .git/wb
COUNT_IN="$work/count" faulty wb import "$work/b.jsonl"
all=$(cat "$work/count")
runs=$(sql 'SELECT count(*) FROM run')
ok "import changes files now and then ($all calls)" [ "$all" -gt 10 ]
seed=${SEED:-$(date +%s)}
echo "# SEED=$seed"
kills=0 half=0 late=0
for at in $(awk -v seed="$seed" -v all="$all" -v n="${LONG:+100}" 'BEGIN {
	srand(seed); for (i = 0; i < (n ? n : 12); i++) print 1 + int(rand() * all) }'); do
	rm -rf .git/wb
	KILL_AT=$at faulty wb import "$work/b.jsonl" && rc=0 || rc=$?
	[ "$rc" = 137 ] && kills=$((kills + 1))
	now=$(sql 'SELECT count(*) FROM run' 2>/dev/null)
	case ${now:-0} in
	0 | "$runs") ;;
	*) half=$((half + 1)) ;;
	esac
	wb import -q "$work/b.jsonl" && wb export >"$out" && cmp -s "$out" "$work/b.jsonl" ||
		late=$((late + 1))
done
ok "killed ($kills times)" [ "$kills" -gt 5 ]
is "never a part of a file" "$half" 0
is "the next import takes all of it" "$late" 0
done_testing
