# The benches count what they do: B allocations in a batch of B.
. "$(dirname "$0")/../lib.sh"

(cd "$top" && make -s WB_BUILD="$work/b" bench) >/dev/null 2>"$err"
run "$work/b/pagealloc-stats"
status 0
for b in 1 2 64; do
	is "one allocation a block in batches of $b" \
		"$(jq -r "select(.metric == \"done-odr0-$b\") | .value" "$out")" 1
done
run "$work/b/pagealloc" -o 0 -b 4 -p 1 -s 1
is "the metrics of the sweep" "$(jq -r .metric "$out" | sort | tr '\n' ' ')" \
	"alloc-odr0-1 alloc-odr0-2 alloc-odr0-4 free-odr0-1 free-odr0-2 free-odr0-4 total-odr0-1 total-odr0-2 total-odr0-4 "
is "all lower is better, in ns" \
	"$(jq -r '.better + .unit' "$out" | sort -u)" lowerns
run "$work/b/pcplist-stats"
is "lookups per page of the base" "$(jq -r .value "$out")" 1
run "$work/b/pagealloc" -o 11
status 2 "an order that there is not"
done_testing
