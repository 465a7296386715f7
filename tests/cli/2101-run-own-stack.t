# The shipped stack at its own gate, wb ci: every prefix that changed applies,
# builds with -Werror, without a new warning, and passes the tests of the buddy;
# each patch does to the counts what its header says: "Expect: METRIC falls" or
# "rises". Changed is what is not in the stack of an earlier revision: where HEAD
# left $BASE or its upstream, else the commit before HEAD. LONG=1, or no such
# revision: every prefix. (All tests of the core on each: "make series-check".)
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

command -v valgrind >/dev/null || skip_all "no valgrind (package valgrind)"
git clone -q "$top" "$work/own" 2>/dev/null || skip_all "no git checkout here"
cd "$work/own" || exit 1
git config wb-build.command 'make -f Makefile -j$WB_JOBS WERROR=1 measured'
git config wb-build.test 'make -f Makefile -j$WB_JOBS WB_TEST=test-pa-buddy check-core'
# a patch that has to cost something is held to its header below
git config wb.gate 90%
# the prefixes share most of their objects
export CCACHE_DIR="$work/ccache"
mkdir "$CCACHE_DIR"
git config wb.sandbox-write "$CCACHE_DIR"
# counts only: they are exact, and no clock decides a test
for bench in pagealloc pcplist slab; do
	git config wb-bench.$bench.level I
done
last=$(sed -n 's/\.patch$//p' series/series | grep slub | tail -n 1)
fingerprint >"$work/before"
upstream="@{upstream}"
head=$(git rev-parse HEAD)
base=$(git -C "$top" merge-base HEAD "${BASE:-$upstream}" 2>/dev/null)
[ -n "$base" ] && [ "$base" != "$head" ] ||
	base=$(git rev-parse -q --verify HEAD~1)
[ -z "${LONG:-}" ] || base=
run wb ci --trust ${base:+--base "$base"} series --rounds 1 --bench '*[cst]' --json
status 0 "no patch fails"
sed 's/^/# /' "$err"
is "each is built and tested, or the same as before" "$(jq -r '.prefixes[] |
	[.applies, .header, .build, .test] | map(.state) |
	select(any(. != "ok" and . != "same" and . != null)) | @csv' "$out")" ""
is "all of them" "$(jq '.prefixes | length' "$out")" \
	"$(($(grep -c . series/series) + 1))"
jq -r '.prefixes[1:][] | select(.unchanged | not) | .prefix' "$out" >"$work/changed"

wb trust >/dev/null
if grep -qx "$last" "$work/changed"; then
	run wb run --rounds 1 --bench slab --only "$last"
	status 0 "measured: slab"
fi
# what the stack as a whole is known for, whatever changed
caching=mm-page_alloc-remove-pcppage-migratetype-caching
list=mm-page_alloc-optimize-free_unref_page_list
quarter=$(sed -n 's/\.patch$//p' series/series | grep page_alloc | tail -n 1)
run wb run --rounds 1 --bench lookups --only $caching,$list
status 0 "measured: lookups"
run wb run --rounds 1 --bench pagealloc --only $quarter
status 0 "measured: pagealloc"
run wb report --json
cp "$out" "$work/report"

# of METRIC FIELD NAME: what the report has for the prefix
of() {
	jq -r --arg m "$1" --arg f "$2" --arg n "$3" \
		'.rows[] | select(.metric == $m and .prefix == $n) | .[$f]' \
		"$work/report"
}
# claims NAME: "METRIC falls|rises" lines of its header
claims() {
	sed '/^---$/q' "series/$1.patch" | awk '/^Expect:/ { on = 1 }
		on && /^$/ { exit }
		on { for (i = 1; i <= NF; i++) {
			if ($i ~ /^(falls|rises)/)
				print was, substr($i, 1, 5)
			was = $i
		} }' | grep -E '^(instructions|lookups)'
}
# strictly METRIC falls|rises NAME: counted, and on the side it says
strictly() {
	[ "$(of "$1" verdict "$3")" = "$([ "$2" = falls ] && echo faster ||
		echo slower)" ]
}
n=0
for name in $(cat "$work/changed"); do
	echo "# $name: $(of instructions value "$name")" \
		"$(of instructions-odr0-1024 value "$name")" \
		"$(of instructions-list-64 value "$name")"
	claims "$name" >"$work/claims"
	while read -r metric way; do
		ok "$name: $metric $way" strictly "$metric" "$way" "$name"
		n=$((n + 1))
	done <"$work/claims"
done
[ -n "$base" ] || ok "the headers claim something ($n)" [ $n -ge 20 ]
is "the lookup comes twice" "$(of lookups value $caching)" 2
is "and once again" "$(of lookups value $list)" 1
is "once at the base" "$(of lookups value base)" 1
is "a pair of the base takes at most 400 instructions" \
	"$(of instructions value base | awk '{ print ($1 <= 400) }')" 1
is "and a quarter less with the patches of the page allocator" "$(
	of instructions value $quarter |
	awk -v base="$(of instructions value base)" \
		'{ print ($1 <= 0.75 * base) }')" 1
fingerprint >"$work/after"
ok "the checkout is as before" cmp "$work/before" "$work/after"
done_testing
