# The main job on a stack whose truth is known.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
fingerprint >"$work/before"
run wb run
status 128 "untrusted commands do not run"
one_error "untrusted" "wb trust"
ok "nothing was built" test ! -e "$XDG_CACHE_HOME/wb/build"
wb trust >/dev/null
run wb status
status 0
ok "everything is to do" grep -q '4 builds, ' "$out"

run wb run
status 125 "a broken prefix: 125"
one_error "broken" "could not be measured.*breaks"
ok "talks about the broken build" grep -q "'breaks.*no luck" "$err"
ok "names the report" grep -q '^wb: report: .*reports/patches.md$' "$err"
cp "$out" "$work/first"
run wb report --json
status 0
verdict() {
	jq -r --arg p "$1" '.rows[] | select(.prefix == $p and .metric == "t")
		| .verdict' "$out"
}
is "faster" "$(verdict faster)" faster
is "comment: same build" "$(verdict comment)" same
is "breaks" "$(verdict breaks)" broken
is "mends is judged against the last good prefix" "$(verdict mends)" slower
ok "and says so" jq -e '.rows[] | select(.prefix == "mends") |
	.against == "comment" and .change > 0.09 and .change < 0.12' "$out"
ok "the broken row has the error and the log" jq -e '.rows[] |
	select(.prefix == "breaks") | (.reason | test("no luck.*log: /")) and
	.value == null and .change == null' "$out"
log=$(jq -r '.rows[] | select(.prefix == "breaks") | .reason' "$out" |
	sed 's/.*log: \(.*\))$/\1/')
ok "the log is there" grep -q 'no luck' "$log"
is "n" "$(jq '[.rows[] | select(.prefix == "base") | .n] | unique[]' "$out")" 10
ok "the terminal table has the words" grep -q faster "$work/first"
ok "and broken" grep -q broken "$work/first"
fingerprint >"$work/after"
ok "work tree, index, refs, logs, objects as before" \
	cmp "$work/before" "$work/after"

# nothing is measured twice
runs() {
	sqlite3 .git/wb/results.db 'SELECT count(*) FROM run'
}
was=$(runs)
run wb run
is "a second call measures nothing" "$(runs)" "$was"
run wb status --json
is "nothing is left" "$(jq .todo.runs "$out")" 0

# what keeps every result
sed -i 's/^Subject: .*/Subject: [PATCH] faster: reworded/' patches/faster.patch
echo "documented" >>README2
commit "reworded a patch, added a file"
run wb run
is "rewording and a README cost nothing" "$(runs)" "$was"
# what does not
sed -i 's/950/951/' patches/*.patch
run wb run
ok "another content is measured" test "$(runs)" -gt "$was"
was=$(runs)
echo '# other' >>build.sh
commit "build rules"
run wb status --json
ok "build rules are part of the identity" test "$(jq .todo.builds "$out")" -ge 3

# --only measures what that verdict needs
rm -rf .git/wb
run wb run --only 1 --rounds 3
status 0
is "base, its control and 1, three rounds each" "$(runs)" 9
run wb run --only mends.patch --rounds 3
is "4 needs rounds with base, its neighbour and itself" "$(runs)" 21
run wb run --only 9
status 128 "an unknown prefix"
one_error "unknown prefix" 9

# a patch that does not apply ends the stack, not the run
sed -i 's/^-95[01]/-949/' patches/mends.patch
run wb run --rounds 3
status 125
ok "said on stderr, with the place" \
	grep -q "'mends' does not apply: patches/mends.patch:[0-9]*: hunk 1 of src/cost" "$err"
ok "and in the table" grep -q '^4 .* broken' "$out"
done_testing
