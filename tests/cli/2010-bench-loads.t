# The benches that play a load: what they print, and that counts repeat.
. "$(dirname "$0")/../lib.sh"

(cd "$top" && make -s WB_BUILD="$work/b" bench front) >/dev/null 2>"$err" ||
	{ cat "$err" && exit 1; }

run "$work/b/frag-stats" -n 60000
status 0
cp "$out" "$work/first"
run "$work/b/frag-stats" -n 60000
ok "frag counts the same again" cmp "$work/first" "$out"
is "what frag counts" "$(jq -r .metric "$out" | sort | tr '\n' ' ')" \
	"fallbacks free-drift mixed-blocks order9-success steals type-mismatch "
run "$work/b/frag" -n 60000 -r 2
not_ok "another seed is another mix" cmp "$work/first" "$out"
is "success is better when higher" "$(jq -r \
	'select(.metric == "order9-success") | .better' "$out")" higher

run "$work/b/hackbench-sim" -s 2 -g 2
is "a time a message" "$(jq -r '.metric + " " + .unit + " " + .better' \
	"$out")" "time ns lower"

for how in T:threads P:processes; do
	run "$work/b/hackbench-sim" -${how%%:*} -g 1 -w 20
	status 0 "senders and receivers are ${how#*:}"
	is "a rate, or a reason" "$(cat "$out" "$err" |
		grep -cE "messages-${how#*:}.*(\"higher\"|no result)")" 1
done

# A rate may find no undisturbed window here; then it says so.
run "$work/b/netperf-sim" -t 2 -w 10
status 0
is "a rate or a reason for each" \
	"$(cat "$out" "$err" | grep -cE '"better":"higher"|no result')" 4
run "$work/b/netperf-sim" -P -t 2 -w 10
status 0
is "the same by processes" "$(cat "$out" "$err" |
	grep -cE '(tcp-rr|udp-stream)-processes.*("higher"|no result)')" 4
run "$work/b/malloc" -t 1 -w 10
is "the same for malloc" \
	"$(cat "$out" "$err" | grep -cE '"better":"higher"|no result')" 3
run env LD_PRELOAD="$work/b/libpagemalloc.so" "$work/b/malloc" -t 2 -w 10
status 0 "malloc runs on the core"
ok "and says what it took" jq -e 'select(.metric == "peak-rss")' "$out"
done_testing
