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
value() {	# value METRIC: of all prefixes, in order
	jq -r --arg m "$1" '[.rows[] | select(.metric == $m) | .value] |
		join(" ")' "$out"
}
verdicts() {
	jq -r --arg m "$1" '[.rows[] | select(.metric == $m and .index > 0) |
		.verdict] | join(" ")' "$out"
}
is "lookups per page of a list free" "$(value lookups)" "1 1 1 1 2 1 1 1"
is "and their verdicts" "$(verdicts lookups)" \
	"same same same slower faster same same"
is "instructions fall with the first three" \
	"$(verdicts instructions | cut -d' ' -f1-3)" "faster faster faster"
is "list free pays for the second lookup and gets it back" \
	"$(verdicts instructions-list-64)" \
	"same same same slower faster same same"
is "the slab path is touched by its own patches alone" \
	"$(verdicts instructions-pair-64 | cut -d' ' -f1-6)" \
	"same same same same same same"
is "and its fast path is shorter in the end" \
	"$(verdicts instructions-pair-64 | cut -d' ' -f7)" faster
echo "# instructions: $(value instructions)"
echo "# instructions-list-64: $(value instructions-list-64)"
echo "# instructions-pair-64: $(value instructions-pair-64)"
fingerprint >"$work/after"
ok "the checkout is as before" cmp "$work/before" "$work/after"
done_testing
