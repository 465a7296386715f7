#!/bin/sh
# wb bisect-perf on generated histories: one change of +5 % among N commits with
# merges, renames, commits that change no behaviour, commits that are not built,
# and stretches that do not build (long compiler output) or hang; once in the
# first-parent line, once on a merged side, and once with no change at all.
#
#	tests/perf/bisect-history.sh [N...]		(64 1024)
#
# A line each: what was planted and named, builds (at most log2 N + 4 a range
# searched, with two for the ends of a merged side, and one a hole that was
# met), runs, seconds. Exit status 1: a wrong answer.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../history.sh"

noise() {	# what a compiler says of a header that is gone
	for i in $(seq 1 400); do
		echo "src/f$1.c:$i:10: error: unknown type name 'struct thing_$i'"
		echo "  $i | struct thing_$i *make_thing_$i(struct thing_$i *old, int how);"
	done
}
# one K: commit K of the history
one() {
	case $1 in
	"$slow") echo 10500 >src/cost ;;
	esac
	[ "$1" = "$break_at" ] && noise "$1" >src/broken
	[ "$1" = "$mend_at" ] && rm src/broken
	[ "$1" = "$hang_at" ] && touch src/hangs
	[ "$1" = $((hang_at + 1)) ] && rm src/hangs
	case $(($1 % 5)) in
	0) echo "$1" >>README ;;
	1) echo "int f$1;" >"src/f$1.c" ;;
	2) git mv "src/f$(($1 - 1)).c" "src/g$1.c" ;;
	3) echo "int  g ;  /* $1 */" >src/style.c ;;
	4) echo "int f$1 = $1;" >src/last.c ;;
	esac
	commit "change $1"
	[ "$1" != "$slow" ] || git tag slow
}
# history NAME N SLOW: every tenth stretch of six is a merged branch
history() {
	n=$2 slow=$3 break_at=$(($2 / 2 - $2 / 16)) mend_at=$(($2 / 2 + $2 / 16))
	hang_at=$(($2 / 4))
	start_history "$1"
	k=1
	while [ "$k" -le "$n" ]; do
		if [ $((k % 10)) = 2 ] && [ $((k + 6)) -le "$n" ]; then
			git checkout -qb "side$k"
			for i in 0 1 2 3 4 5; do one $((k + i)); done
			git checkout -q main
			echo "$k" >src/main.c && commit "main $k"
			git merge -q --no-ff -m "merge side$k" "side$k" || exit 1
			k=$((k + 6))
		else
			one "$k" && k=$((k + 1))
		fi
	done
}
bad=0
try() {	# try NAME N SLOW [OPTION]
	[ -d "$work/$1" ] || history "$1" "$2" "$3"
	cd "$work/$1" || exit 1
	wb bisect-perf --reset
	rm -rf "$XDG_CACHE_HOME/wb/build" .git/wb/results.db*
	wb -q bisect-perf --json ${4:-} good HEAD >"$out" 2>"$err"
	want=$(git rev-parse -q --verify slow || echo none)
	got=$(json '[.changes[].commit] | join(" ")')
	holes=$(wb bisect-perf --log | jq -s '[.[].build.why // empty] | length')
	inner=$(json '[.changes[].merge // empty] | length')
	most=$(awk "BEGIN { print int(log($2) / log(2)) + 4 + $holes + 2 * $inner }")
	[ "${got:-none}" = "$want" ] && word=right || { word=WRONG; bad=1; }
	[ "$(json .builds)" -le "$most" ] || { word="$word, too many builds"; bad=1; }
	echo "$1 N=$2 ${4:-first parents}: $word; builds $(json .builds)" \
		"(at most $most, holes $holes), runs $(json .runs)," \
		"$(json '.seconds * 10 | round / 10') s"
}
[ $# -gt 0 ] || set -- 64 1024
for n; do
	try "line$n" "$n" $((n / 3 / 10 * 10 + 1))
	try "side$n" "$n" $((n * 2 / 3 / 10 * 10 + 4))
	try "side$n" "$n" $((n * 2 / 3 / 10 * 10 + 4)) --full-history
	try "null$n" "$n" -1
done
exit $bad
