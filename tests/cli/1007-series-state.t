# wb series list: how far each patch has come, and what fits a terminal.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

state() {	# state NAME: the state that the list gives
	sed -n "s/^[0-9]* *$1 *[0-9]* files* +[0-9]* -[0-9]*  *\(.*[^ ]\)  *$1:.*/\1/p" "$out"
}

make_stack
wb trust >/dev/null
run wb series
status 0
is 'nothing is built' "$(state faster)" applies
wb build faster >/dev/null 2>&1
run wb series
is 'built' "$(state faster)" built
is 'of one content, so built as well' "$(state comment)" built
is 'not built' "$(state mends)" applies
wb run -q >/dev/null 2>&1
run wb series
is 'measured' "$(state faster)" measured
is 'cannot be built' "$(state breaks)" 'does not build'
is 'measured, behind it' "$(state mends)" measured
run wb series --json
is 'as JSON: measured' "$(grep -c '"measured": true' "$out")" 4
is 'as JSON: not' "$(grep -c '"measured": false' "$out")" 1
is 'as JSON: built' "$(grep -c '"built": true' "$out")" 4
# another base gives other trees, of which nothing is known
run wb series --exclude README
is 'other trees' "$(state faster)" applies
run wb series --json HEAD~1..HEAD
status 0
# a store of another time, a plan that cannot be made
run wb -c wb-bench.other.unit=ns series
status 0 'a bench without a command'
is 'is no matter of the list' "$(state faster)" applies
is 'of which it does not talk' "$(cat "$err")" ''
run wb -c wb-bench.other.unit=ns -v series
ok 'unless it is asked' grep -q 'not known: wb-bench.other.command' "$err"
git config -f .wbconfig --remove-section wb-bench.b
run wb series
status 0 'no bench'
is 'applies, no more' "$(state faster)" applies
run wb series --json
is 'not known' "$(grep -c '"measured": null' "$out")" 5

# a terminal
if command -v script >/dev/null; then
	for width in 20 40 80; do
		COLUMNS=$width script -qec 'wb series' "$work/typed" >/dev/null
		sed '/^Script/d' "$work/typed" | tr -d '\r' >"$out"
		ok "a terminal of $width" grep -q '^4  mends' "$out"
		is "of $width is wide enough" \
			"$(awk -v w=$width 'length > w' "$out" | wc -l)" 0
	done
fi
run env COLUMNS=20 wb series
ok 'whole lines in a pipe' grep -q 'a patch of the test stack$' "$out"
done_testing
