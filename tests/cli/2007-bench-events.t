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

# no page of it comes from the kernel again and again, and none can leave
mkfifo "$work/ask"
field() { sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f"$2"; }	# from state on
slices() {	# slices FROM TO
	n=$1
	while [ $n -le "$2" ]; do
		echo "run $metric $n" >&7
		until [ "$(wc -l <"$out")" -gt $n ] || ! kill -0 $pid; do :; done
		n=$((n + 1))
	done
}
alive() {	# alive COMMAND...: 80 slices; sets lck (KiB) and new (faults)
	WB_SLICE_US=500 "$@" <"$work/ask" >"$out" 2>"$err" &
	pid=$!
	exec 7>"$work/ask"
	echo list >&7
	until [ "$(wc -l <"$out")" -gt 0 ] || ! kill -0 $pid; do :; done
	metric=$(jq -r '.metrics[0]' "$out")
	slices 1 40
	before=$(($(field $pid 8) + $(field $pid 10)))
	slices 41 80
	new=$(($(field $pid 8) + $(field $pid 10) - before))
	lck=$(awk '/^VmLck/ { print $2 }' "/proc/$pid/status")
	echo quit >&7
	exec 7>&-
	wait $pid
}
bound="prlimit --memlock=8388608:8388608"
[ "$(id -u)" != 0 ] || bound="$bound setpriv --bounding-set=-ipc_lock"
for bench in pagealloc pcplist slab hackbench-sim page_fault; do
	alive $bound "$work/b/$bench"
	is "$bench: nothing is locked under a limit" "$lck" 0
	ok "$bench: 40 slices, hardly a page fault" [ "$new" -le 2 ]
	if setpriv --bounding-set=+ipc_lock true 2>/dev/null; then
		alive "$work/b/$bench"
		ok "$bench: locked where it may be" [ "$lck" -gt 1000 ]
		ok "$bench: hardly a page fault" [ "$new" -le 2 ]
	else
		ok "$bench # SKIP who may lock memory" true
	fi
done

# wb lifts the limit as far as it may, for a bench and not for a build
make_repo
git config wb-build.command 'ulimit -l >"$WB_BUILD/l"'
git config wb-bench.b.command 'echo b $(ulimit -l | sed s/unlimited/-1/)
	echo build $(cat "$WB_BUILD/l")'
git config wb-bench.b.reader lines
git config wb-bench.b.better lower
git config wb-bench.b.level S
git commit -q --allow-empty -m base
git commit -q --allow-empty -m one
run timeout 60 prlimit --memlock=65536:1048576 wb run --rounds 1 HEAD~1..HEAD
run wb report --json HEAD~1..HEAD
limit=1024
! prlimit --memlock=unlimited:unlimited true 2>/dev/null || limit=-1
is "what a bench may lock" "$(jq -r '[.rows[] | select(.metric == "b") | .value][0]' \
	"$out")" "$limit"
is "and a build" "$(jq -r '[.rows[] | select(.metric == "build") | .value][0]' \
	"$out")" 64

# what a bench had locked is kept with its samples, and told
lock() {	# lock NAME READER COMMAND
	git config wb-bench.$1.command "$3"
	git config wb-bench.$1.reader $2
	git config wb-bench.$1.better lower
	git config wb-bench.$1.level S
}
git config --remove-section wb-bench.b
git config wb-build.command true
git config wb.sandbox off
lock asked slices "'$work/b/pagealloc' -o 0 -b 1"
git config wb-bench.asked.judge total-odr0-1
lock alone samples "'$work/b/pagealloc' -o 0 -b 1 -s 40"
lock none lines 'sleep 0.3; echo m 5 ns'
run wb run --rounds 1 HEAD~1..HEAD
status 0
run wb export HEAD~1..HEAD
mv "$out" lines
locked() {
	jq -rs "map(select(.bench == \"$1\") | .env.locked | if . == null then
		\"unknown\" elif . > 100000 then \"much\" else . end) | unique |
		join(\" \")" lines
}
is "nothing locked" "$(locked none)" 0
run wb report HEAD~1..HEAD
if setpriv --bounding-set=+ipc_lock true 2>/dev/null; then
	is "seen before it is told to quit" "$(locked asked)" much
	is "seen while it runs" "$(locked alone)" much
	ok "the table says it" grep -q '^mlock: 4 of 6 runs of these' "$out"
	run wb import lines
	status 0 "it is taken in again"
else
	skip "what a bench locked" "who may lock memory"
	not_ok "the table says nothing" grep -q '^mlock' "$out"
fi
done_testing
