# The shipped stack: every prefix builds with -Werror and passes the tests of
# the core, and each patch does to the counts what its header says.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

command -v valgrind >/dev/null || skip_all "no valgrind (package valgrind)"
git clone -q "$top" "$work/own" 2>/dev/null || skip_all "no git checkout here"
cd "$work/own" || exit 1
wb trust >/dev/null
git config wb-build.command 'make -f Makefile WERROR=1 lib bench check-core'
git config wb-build.inputs 'core bench Makefile tests'
# counts only: they are exact, and no clock decides a test
git config wb-bench.pagealloc.level I
git config wb-bench.pcplist.level I
git config wb-bench.slab.level I
fingerprint >"$work/before"
run wb build
status 0 "every prefix builds with -Werror and passes check-core"
sed 's/^/# /' "$out"

run wb run --rounds 1
status 0
run wb report --json
cp "$out" "$work/report"
of() {	# of METRIC FIELD NAME: what the report has for the prefix
	jq -r --arg m "$1" --arg f "$2" --arg n "$3" \
		'.rows[] | select(.metric == $m and .prefix == $n) | .[$f]' \
		"$work/report"
}
cut=mm-page_alloc-remove-pcppage-migratetype-caching
won=mm-page_alloc-optimize-free_unref_page_list
for name in base $(sed -n 's/\.patch$//p' series/series); do
	want=1
	[ "$name" != $cut ] || want=2
	is "lookups per page of a list free: $name" \
		"$(of lookups value "$name")" $want
	# a header that claims fewer instructions is held to it
	if [ "$name" != base ] &&
	   grep -q '^Expect: instructions falls' "series/$name.patch"; then
		is "instructions fall: $name" \
			"$(of instructions verdict "$name")" faster
	fi
	echo "# $name: $(of instructions value "$name")" \
		"$(of instructions-list-64 value "$name")"
done
is "a list free pays for the second lookup" \
	"$(of instructions-list-64 verdict $cut)" slower
is "and gets it back" "$(of instructions-list-64 verdict $won)" faster
is "the slab's fast path is shorter in the end" \
	"$(of instructions-pair-64 verdict mm-slub-cmpxchg-freelist-fastpath)" \
	faster
is "a pair of the base takes at most 400 instructions" \
	"$(of instructions value base | awk '{ print ($1 <= 400) }')" 1
fingerprint >"$work/after"
ok "the checkout is as before" cmp "$work/before" "$work/after"
done_testing
