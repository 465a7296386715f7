# wb report --changelog and --cover: the table in a patch's message and in a
# letter, again and again, with nothing else changed.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
git config wb-bench.b.better lower
sed -i '0,/^---$/s//Acked-by: Bo Reed <bo.reed@example.org>\
Signed-off-by: Ada Marsh <ada.marsh@example.org>\
---\
A note of mine.\
/' patches/faster.patch
commit acked
wb trust >/dev/null
run wb report --changelog faster
status 125 "nothing measured"
wb -q run --rounds 8 >/dev/null 2>&1
cp -r patches "$work/before"
git ls-files -s >"$work/index"
trees() { wb series trees 2>/dev/null; }
trees >"$work/trees"

run wb report --changelog faster
status 0
is "says what it did" "$(tail -n 1 "$out" | tr -s ' ')" " 1 1 faster rewritten"
for p in comment breaks mends; do
	ok "$p is as it was" cmp "patches/$p.patch" "$work/before/$p.patch"
done
ok "the index is as it was" sh -c "git ls-files -s | cmp - '$work/index'"
trees >"$work/trees.2"
ok "and so is every tree" cmp "$work/trees" "$work/trees.2"
ok "the verdict is in it" grep -q '^1 *faster .* faster$' patches/faster.patch
ok "only lines were added" sh -c "! diff '$work/before/faster.patch' \
	patches/faster.patch | grep '^<'"
git mailinfo "$work/msg" "$work/diff" <patches/faster.patch >"$work/info"
ok "git keeps the table" grep -q 'from the patch before' "$work/msg"
is "the trailers are the last paragraph" \
	"$(git interpret-trailers --parse <"$work/msg" | wc -l)" 2
ok "and their text stands" grep -q '^Acked-by: Bo Reed' "$work/msg"
not_ok "a note is none of the message" grep -q 'note of mine' "$work/msg"
cp patches/faster.patch "$work/one"
wb series check >"$work/check" 2>/dev/null
ok "the stack is a fixed point" grep -q '^fixed-point .* 0 found' "$work/check"

run wb report --changelog faster
status 0
ok "again: the same bytes" cmp patches/faster.patch "$work/one"
run wb report --changelog 1 --below
status 0
is "one region" "$(grep -c '^\[ wb: measured \]$' patches/faster.patch)" 1
git mailinfo "$work/msg" "$work/diff" <patches/faster.patch >"$work/info"
not_ok "below the line it is none of the message" grep -q 'wb:' "$work/msg"
ok "a note stays" grep -q '^A note of mine' patches/faster.patch
run wb report --changelog faster
ok "and above again: the same bytes" cmp patches/faster.patch "$work/one"

wb series refresh --undo >/dev/null && wb series refresh --undo >/dev/null &&
	wb series refresh --undo >/dev/null
ok "undone three times: as before" cmp patches/faster.patch \
	"$work/before/faster.patch"

# somebody took the end away: what they wrote is not cut
wb report --changelog faster >/dev/null
sed -i '/^\[ wb: end \]$/d' patches/faster.patch
sed -i '/^\[ wb: measured \]$/a My own words.' patches/faster.patch
run wb report --changelog faster
status 0
ok "own words stay" grep -q '^My own words' patches/faster.patch
wb series refresh --undo >/dev/null
cp "$work/before/faster.patch" patches/faster.patch

run wb report --changelog nobody
status 128
one_error "no such patch" nobody
run wb report --changelog breaks
status 125
one_error "not measured" "breaks"
run wb report --changelog faster --changelog breaks
status 125
ok "nothing half-written" cmp patches/faster.patch "$work/before/faster.patch"
run wb report --changelog faster --format plain
status 129
run wb report --below
status 129
one_error "below alone" "--below needs --changelog"
run wb report --changelog faster --cover
status 129

# a patch without any trailer
sed -i '/^Acked-by\|^Signed-off-by/d' patches/faster.patch
run wb report --changelog faster
git mailinfo "$work/msg" "$work/diff" <patches/faster.patch >/dev/null
ok "no trailer: still a message" grep -q 'from the patch before' "$work/msg"
is "no trailer is made" "$(git interpret-trailers --parse <"$work/msg")" ""

# ---- what the messages say stands in the report
cp "$work/before/faster.patch" patches/faster.patch
run wb report
ok "who said what" grep -q '^said of 1 faster: Acked-by: Bo Reed' "$out"
ok "how blind this machine is" grep -q '^not measurable here below: t ' "$out"
run wb report --json
is "all trailers" "$(jq -r '.patches[0].trailers | join(";")' "$out")" \
	"Acked-by: Bo Reed <bo.reed@example.org>;Signed-off-by: Ada Marsh <ada.marsh@example.org>"

# ---- the cover letter
run wb report --cover
status 0
ok "a sentence" grep -q '^Of 4 patches: ' "$out"
not_ok "72 columns" grep -qE '.{73}' "$out"
mkdir "$work/mails"
wb series export --cover-letter -o "$work/mails" >/dev/null 2>&1 || {
	rm patches/breaks.patch patches/mends.patch
	printf 'faster.patch\ncomment.patch\n' >patches/series
	wb series export --cover-letter -o "$work/mails" >/dev/null
}
letter=$(ls "$work"/mails/0000-*)
cp "$letter" "$work/letter"
run wb report --cover -o "$letter"
status 0
ok "the table is in the letter" grep -q '^\[ wb: measured \]$' "$letter"
ok "above the shortlog" sh -c "! sed '/wb: end/q' '$letter' |
	grep -q '^Ada Marsh ('"
ok "only lines were added" sh -c "! diff '$work/letter' '$letter' |
	grep '^<'"
cp "$letter" "$work/letter.2"
run wb report --cover -o "$letter"
ok "again: one table" sh -c "grep -c 'wb: end' '$letter' | grep -qx 1"
ok "again: the same bytes" cmp "$letter" "$work/letter.2"
run wb report --cover -o "$work/no-such-letter"
status 128
one_error "no such letter" "no such letter"
done_testing
