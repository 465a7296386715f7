# One tree in several layouts: a patch that only moves code is "same".
. "$(dirname "$0")/../lib.sh"

# luck CONTENT LAYOUT: what the bench of that build is off by, in per mille
luck() {
	echo $(($(printf '%s %s' "$1" "$2" | cksum | cut -d' ' -f1) % 13 - 6))
}
# two orders of the same code that layout 0 tells apart by more than 1 %
base=1
while [ "$(luck $base 0)" != -6 ]; do base=$((base + 1)); done
moved=$((base + 1))
while [ "$(luck $moved 0)" -lt 5 ]; do moved=$((moved + 1)); done

make_repo
mkdir patches src
echo $base >src/order
echo 100000 >src/cost
cat >build.sh <<'EOS'
[ ! -e src/broken ] || [ "$WB_LAYOUT" != 3 ] || { echo "error: no layout 3"; exit 1; }
# where the code lies: its order and the layout decide, as if by chance
o=$(printf '%s %s' "$(cat src/order)" "$WB_LAYOUT" | cksum | cut -d' ' -f1)
echo $(($(cat src/cost) * (1000 + o % 13 - 6) / 1000)) >"$WB_BUILD/cost"
echo "$WB_LAYOUT" >"$WB_BUILD/layout"
EOS
cat >bench.sh <<'EOS'
[ "$WB_LAYOUT" = "$(cat "$WB_BUILD/layout")" ] || exit 1
echo t $(($(cat "$WB_BUILD/cost") + ${WB_SEED#?????????} * 5)) ns
EOS
cat >.wbconfig <<'EOS'
[wb]
	series = patches
	fifo = off
[wb-build]
	command = sh build.sh
	inputs = src build.sh
	overlay = bench.sh
[wb-bench "b"]
	command = sh "$WB_TREE/bench.sh"
	reader = lines
	better = lower
	level = S
EOS
commit base
for p in moves costs; do
	case $p in
	moves) echo $moved >src/order ;;
	costs) echo 102000 >src/cost ;;
	esac
	git commit -qam "$p: a patch"
	git format-patch -q -1 --stdout >"$work/$p.patch"
	echo "$p.patch" >>"$work/series"
done
git reset -q --hard HEAD~2
mkdir -p patches
cp "$work"/*.patch "$work/series" patches/
commit stack
wb trust >/dev/null

verdict() {	# verdict PREFIX
	jq -r --arg p "$1" '.rows[] | select(.prefix == $p) | .verdict' "$out"
}
run wb run --rounds 6
status 0
run wb report --json
is "one layout alone says that moved code is slower" "$(verdict moves)" slower
is "builds" "$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM build')" 3

layouts='-c wb-build.layouts=12'
run wb $layouts status --json
is "every layout of every prefix is to build but the plain ones" \
	"$(jq .todo.builds "$out")" 33
run wb $layouts run --rounds 12
status 0
run wb $layouts report --json
is "over 12 layouts it is the same" "$(verdict moves)" same
is "what costs 2 % is slower in any layout" "$(verdict costs)" slower
ok "the interval holds 2 %" jq -e '.rows[] | select(.prefix == "costs") |
	.low < 0.02 and .high > 0.02 and .low > 0.01 and .high < 0.03' "$out"
ok "the interval holds the spread: it is wider than the noise" jq -e '.rows[] |
	select(.prefix == "moves") | .high - .low > 0.002' "$out"
is "each round has one layout" "$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM
	(SELECT round, count(*) AS n FROM run WHERE NOT control GROUP BY round) WHERE n <> 3')" 0
is "all layouts ran equally often" "$(sqlite3 .git/wb/results.db "SELECT count(DISTINCT n) FROM
	(SELECT count(*) AS n FROM run JOIN round ON round.row = run.round
	JOIN bench ON bench.row = round.bench WHERE NOT control GROUP BY run.build, bench.row)")" 2
# in a round the base and its control are one binary: what their layouts differ
# by (some per cent) is no part of the floor
is "the control runs in the layout of its round" "$(sqlite3 .git/wb/results.db "SELECT
	count(*) FROM run c JOIN round ON round.row = c.round JOIN bench ON
	bench.row = round.bench WHERE c.control AND NOT EXISTS (SELECT 1 FROM run b
	WHERE b.round = c.round AND b.build = c.build AND NOT b.control)")" 0
ok "a floor from 12 rounds, as low as the noise" jq -e '.rows[0].aa_floor < 0.002 and
	.rows[0].aa_floor > 0 and .quality[0].aa_rounds == 12' "$out"
was=$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM run')
run wb $layouts run --rounds 12
is "nothing is measured twice" "$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM run')" "$was"
run wb $layouts build
ok "wb build knows all layouts" grep -q "moves.cached" "$out"

# one layout is not enough for a verdict when several were asked for
rm -rf .git/wb
run wb $layouts run --rounds 1
run wb $layouts report --json
is "one layout of 12: no verdict" "$(verdict costs)" unclear

# what the layouts differ by stays, however many rounds they get
rm -rf .git/wb
run wb -c wb-build.layouts=4 -c wb.rounds=4 -c wb.max-rounds=400 run
ok "a verdict is out of reach" grep -q 'verdict.* known, 1 cannot be' "$err"
ok "and that is seen long before the last round" [ "$(sqlite3 .git/wb/results.db \
	'SELECT count(*) FROM round')" -lt 60 ]
run wb -c wb-build.layouts=4 report --json
is "it is unclear" "$(verdict moves)" unclear
ok "and what would help is said" grep -q 'more layouts may tell' "$out"

# addresses are random also where wb was started without
if setarch -R true 2>/dev/null; then
	rm -rf .git/wb
	p='wb-bench.b.command=echo p $(grep -c ^00000000 /proc/self/personality)'
	run setarch -R wb -c "$p" run --rounds 1
	run wb -c "$p" report --json
	is "random addresses" "$(jq -c '[.rows[].value] | unique' "$out")" '[1]'
fi

# a layout that does not build is a broken prefix
echo x >src/broken
commit broken
run wb -c wb-build.layouts=4 run --rounds 4
status 125
ok "says so" grep -q 'no layout 3' "$err"
run wb -c wb-build.layouts=4 report --json
one_error "a layout that does not build is a broken prefix" \
	"prefix 0 'base': build: error: no layout 3"
run wb -c wb-build.layouts=0 run
status 129
one_error "no layout" "wb-build.layouts"

# this repository's own rules: other layouts, the same answers
if [ -f "$top/core/pagealloc.h" ]; then
	cd "$top" || exit 1
	for l in 0 1 2; do
		WB_BUILD=$work/l$l WB_LAYOUT=$l make -s -f Makefile \
			"$work/l$l/pcplist" >"$work/log" 2>&1
		result $? "layout $l builds"
		nm -n "$work/l$l/pcplist" | awk '$2 ~ /[tT]/ && $3 ~ /^pa_/ {
			print $3 }' >"$work/order$l"
	done
	not_ok "1 lays functions out differently than 0" \
		cmp -s "$work/order0" "$work/order1"
	not_ok "2 than 1" cmp -s "$work/order1" "$work/order2"
	for l in 0 1 2; do sort -o "$work/order$l" "$work/order$l"; done
	is "no function is lost" \
		"$(comm -23 "$work/order0" "$work/order1" | grep -v '\.')" ""
	WB_BUILD=$work/again WB_LAYOUT=1 make -s -f Makefile \
		"$work/again/pcplist" >/dev/null 2>&1
	nm -n "$work/again/pcplist" | awk '{ $1 = ""; print }' >"$work/a"
	nm -n "$work/l1/pcplist" | awk '{ $1 = ""; print }' >"$work/b"
	ok "a layout is the same each time" cmp "$work/a" "$work/b"
fi
done_testing
