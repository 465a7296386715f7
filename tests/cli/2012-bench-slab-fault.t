# The benches of objects and page faults: what they count and how they say it.
. "$(dirname "$0")/../lib.sh"

(cd "$top" && make -s WB_BUILD="$work/b" bench) >/dev/null 2>"$err"
value() {	# value METRIC
	jq -r "select(.metric == \"$1\") | .value" "$out"
}

run "$work/b/slab-stats"
status 0
is "one object out and back stays on its CPU" "$(value list-ops)" 0
ok "many objects move a slab now and then" \
	test "$(jq -r 'select(.metric == "list-ops-cross") |
		.value > 0 and .value < 0.1' "$out")" = true
run "$work/b/slab" -s 1 -m 'pair-*'
is "a metric for each size" "$(jq -r .metric "$out" | tr '\n' ' ')" \
	"pair-8 pair-16 pair-32 pair-64 pair-128 pair-256 pair-512 pair-1024 pair-2048 pair-4096 pair-8192 "
is "lower is better, in ns" \
	"$(jq -r '.better + .unit' "$out" | sort -u)" lowerns

run "$work/b/page_fault-stats" -r 8
status 0
ok "an anonymous page costs one lookup, at its free" \
	test "$(jq -r 'select(.metric == "page_fault1-lookups") |
		.value >= 1 and .value < 1.1' "$out")" = true
is "a shared page is not freed at an unmap" "$(value page_fault3-lookups)" 0
# Windows may all be disturbed here; then it says so.
run "$work/b/page_fault" -r 4 -t 1 -w 20
status 0
is "three results or three reasons" \
	"$(cat "$out" "$err" | grep -cE '"better":"higher"|no result')" 3
# processes have all of the arena before the first window, each for itself
run "$work/b/page_fault" -P -z -r 4 -t 2 -w 20
status 0 "no page fault of the kernel where time is taken"
is "six results or six reasons" \
	"$(cat "$out" "$err" | grep -cE '"better":"higher"|no result')" 6
sed '/pa_attach/d' "$top/bench/page_fault.c" >"$work/unattached.c"
run "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O2 -pthread -I"$top/core" \
	-I"$top/bench" -o "$work/unattached" "$work/unattached.c" \
	"$top/bench/harness.c" "$top/bench/slices.c" "$top/bench/throughput.c" \
	"$work/b/libpa.a" -lm
status 0
run "$work/unattached" -P -z -r 4 -t 2 -w 400
status 1 "without that there are some, and it says so"
ok "by name" grep -q '^a page fault of the kernel' "$err"
run "$work/b/page_fault" -t 17
status 2 "more workers than there can be"
done_testing
