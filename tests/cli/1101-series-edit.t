# wb series new, edit, refresh, fold, drop, rename, reorder, and --undo.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../edit.sh"

make_edit_stack
untouched >"$work/before"
files >"$work/files"
trees() { wb series trees | cut -f2 | tail -n "${1:-1}"; }
end=$(trees)

# exact as it applies now: nothing to write where all is exact
run wb series refresh --all
status 0 "refresh --all"
ok "git's own patches are a fixed point" [ -z "$(git status --porcelain)" ]
ok "and no version was kept" [ -z "$(git for-each-ref refs/wb)" ]

# edit, and the patches above follow
run wb series edit two
status 0 "edit"
tree=$(cat "$out")
ok "the tree of the prefix" grep -qx twenty "$tree/src/a"
not_ok "without the patch above" grep -qx x35 "$tree/src/a"
ok "the message is beside it" grep -q '^Subject: .PATCH. two: do a thing' \
	"$tree/../message"
sed -i '1i first' "$tree/src/a"
echo "*.o" >"$tree/.gitignore"
echo junk >"$tree/x.o"
is "git in it shows the edit" \
	"$(git -C "$tree" status --short | tr '\n' ' ')" " M src/a ?? .gitignore "
(cd "$tree" && wb series refresh >"$out" 2>"$err")
is "refresh from inside the folder" $? 0
ok "says what became of the patch above" grep -q 'three  rewritten for what' "$out"
ok "the patch has the edit" grep -qx '+first' series/two.patch
not_ok "ignored files stay out" grep -q x.o series/two.patch
is "its message is as it was" "$(sed '/^---$/,$d' series/two.patch)" \
	"$(git show HEAD:series/two.patch | sed '/^---$/,$d')"
is "and its signature" "$(tail -n 2 series/two.patch)" \
	"$(git show HEAD:series/two.patch | tail -n 2)"
is "the patch below is untouched" "$(git status --short series/one.patch)" ""
run wb series trees --profile=strict
status 0 "all is exact"
run wb series refresh
ok "again: nothing to change" grep -q 'nothing to change' "$err"
untouched | cmp -s - "$work/before"
is "nothing but the series was touched" $? 0
if command -v quilt >/dev/null; then
	git clone -q . "$work/quilt"
	cp -r series "$work/quilt/"
	(cd "$work/quilt" && QUILT_PATCHES=series quilt push -a --fuzz=0 \
		>"$work/quilt.out" 2>&1)
	is "quilt pushes it" $? 0
	not_ok "without fuzz or offset" grep -qE 'fuzz|offset' "$work/quilt.out"
	rm -rf "$work/quilt/.pc" "$work/quilt/series"
	git -C "$work/quilt" checkout -q HEAD -- series
	git -C "$work/quilt" add -A
	is "to the tree that wb names" \
		"$(git -C "$work/quilt" write-tree)" "$(trees)"
else
	echo "# SKIPPED: quilt is not installed" >&2
fi

run wb series refresh --undo
status 0 "undo"
files | cmp -s - "$work/files"
is "every byte is back" $? 0
run wb series refresh --undo
status 128
one_error "no more to undo" "nothing to undo"

# a refresh that would lose work
wb series edit two >"$out" 2>"$err"
sed -i 's/^36$/sechs/' "$tree/src/a"
run wb series refresh
status 128
one_error "a patch above that does not apply" \
	"three would no longer apply: series/three.patch:[0-9]*: hunk 1 of src/a"
files | cmp -s - "$work/files"
is "nothing was written" $? 0
for cmd in "edit three" "drop three" "fold two" "rename one uno" \
	"reorder three two" "new x" "edit --close" "refresh one"; do
	run wb series $cmd
	status 128 "$cmd with an edit in hand"
	one_error "$cmd" "two is open and edited in"
done
ok "the edit is still there" grep -qx sechs "$tree/src/a"
run wb series edit two
ok "opening again keeps it" grep -qx sechs "$tree/src/a"
sed -i 's/^20$/zwanzig/' series/two.patch
sed -i 's/^+twenty/+twentyone/' series/two.patch
run wb series refresh
status 128
one_error "the patch changed meanwhile" "two: the patch itself has changed"
git checkout -q series
run wb series edit --discard
status 0 "discard"
ok "the folder is gone" [ ! -e "$tree" ]
run wb series refresh
status 129
one_error "nothing is open" "no patch is open"

# HEAD moves below an open patch
wb series edit one >"$out" 2>"$err"
echo edit >>"$tree/src/b"
echo other >README
git add README && git commit -qm other
run wb series refresh
status 128
one_error "the base changed" "one: what is below it"
git reset -q --hard HEAD~
run wb series refresh
status 0 "the base is back"
untouched >"$work/before"	# reflogs and index of the commit just made
wb series refresh --undo >"$out"
wb series edit --close

# a new patch
run wb series new 4
status 129
one_error "a number is no name" "cannot name a patch"
run wb series new two
status 128
one_error "a name that is taken" "the stack has such a patch"
run wb series new --after=one four.patch
status 0 "new"
is "the series is as it was" "$(git status --short)" ""
echo new >"$tree/src/new"
run wb series refresh
status 128
one_error "no message yet" "has no message yet"
sed -i 's/\*\*\* SUBJECT HERE \*\*\*/four: add a file/; s/\*\*\* WHAT.*/Because./' \
	"$tree/../message"
run wb series refresh
status 0 "the first refresh"
is "its place" "$(sed -n 3p series/series)" four.patch
is "its subject" "$(wb series list --json | jq -r '.prefixes[2].subject')" \
	"four: add a file"
ok "git am takes it" sh -c 'git clone -q . "$1" && cd "$1" &&
	git am -q ../repo/series/one.patch ../repo/series/four.patch' - "$work/am"

# fold
run wb series fold four
status 0 "fold"
not_ok "the upper one is gone" [ -e series/four.patch ]
ok "its message is in the lower one" grep -qx 'four: add a file' series/one.patch
is "trailers come last, once" "$(grep -n -A1 Signed-off series/one.patch |
	sed 's/^[0-9]*.//')" "$(printf 'Signed-off-by: Ada Marsh <ada.marsh@example.org>\n---')"
is "the same end but for the file" "$(git diff-tree -r --name-only \
	"$(cd "$work/am" && git rev-parse 'HEAD^{tree}')" \
	"$(wb series trees | sed -n 2p | cut -f2)" 2>/dev/null)" ""
run wb series fold one
status 128
one_error "none below" "lowest"
wb series fold --undo >"$out" && wb series fold --undo >"$out"
files | cmp -s - "$work/files"
is "two undos" $? 0

# rename: a dependant follows
sed -i 's/^Signed-off/Depends-on: one\nSigned-off/' series/three.patch
run wb series rename one uno
status 0 "rename"
is "the name in the series" "$(sed -n 2p series/series)" uno.patch
ok "the file moved" [ -e series/uno.patch -a ! -e series/one.patch ]
ok "who depends on it says so" grep -qx 'Depends-on: uno' series/three.patch
run wb series rename uno ../uno
status 129
wb series rename --undo >"$out"
ok "undone" grep -qx 'Depends-on: one' series/three.patch
git checkout -q series
untouched >"$work/before"

# reorder
run wb series reorder three two
status 0 "reorder"
is "moved, others stay, comments too" "$(tr '\n' ' ' <series/series)" \
	"# a stack one.patch # next three.patch two.patch # why "
is "the end is the same" "$(trees)" "$end"
ok "old and new place" grep -q '^ *2 *3 *three *moved, rewritten' "$out"
run wb series trees --profile=strict
status 0 "exact again"
run wb series reorder --after=two one
status 0 "to the top"
is "order" "$(wb series trees | cut -f3 | tr '\n' ' ')" "base three two one "
wb series reorder --undo >"$out" && wb series reorder --undo >"$out"
edit_tree() { tree=$(wb series edit "$1" 2>/dev/null); }
edit_tree three
sed -i 's/^twenty$/zwanzig/' "$tree/src/a"
wb series refresh >"$out" 2>"$err"
files >"$work/now"
run wb series reorder three two
status 128
one_error "patches that do not change places" "would no longer apply"
files | cmp -s - "$work/now"
is "nothing was written by it" $? 0
wb series refresh --undo >"$out"

# drop
run wb series drop two
status 0 "drop"
is "gone from the series" "$(tr '\n' ' ' <series/series)" \
	"# a stack one.patch # next three.patch "
ok "and from the folder" [ ! -e series/two.patch ]
run wb series trees --profile=strict
status 0 "what is above is exact"
run wb series drop --json three
is "as JSON" "$(jq -r '.gone[]' <"$out")" three
wb series drop --undo --json >"$out"
is "undo as JSON" "$(jq -r .schema <"$out")" 1

# the file "expect" follows, is kept, and comes back
git checkout -q series
untouched >"$work/before"
expect() {
	printf '%s\n' '; of tests' '[expect "one.patch"]' 'fixes = x' \
		'[expect "one-more"]' 'fixes = x' '[expect "two"] breaks = y' \
		'; of three' '[expect "three"]' 'costs = z' 'breaks = x' \
		>series/expect
}
expect
sha256sum series/expect >"$work/expect"
follows() {	# follows NAME WANTED COMMAND: the sections left, and undo
	what=$1 wanted=$2
	shift 2
	run wb series "$@"
	status 0 "$what"
	ok "$what: says so" grep -qx 'wb: series/expect followed' "$err"
	is "$what: expect" "$(tr '\n' ' ' <series/expect)" "$wanted"
	run wb series drop --undo
	status 0 "$what: undone"
	ok "$what: expect is back" sha256sum -c --status "$work/expect"
}
rest='[expect "one-more"] fixes = x [expect "two"] breaks = y ; of three'
follows rename "; of tests [expect \"uno\"] fixes = x $rest [expect \"three\"] costs = z breaks = x " rename one uno
follows drop "; of tests [expect \"one.patch\"] fixes = x $rest " drop three
follows 'drop of two' "; of tests [expect \"one-more\"] fixes = x ; of three " drop one three two
follows fold "; of tests [expect \"one.patch\"] fixes = x $rest [expect \"two\"] costs = z breaks = x " fold three
expect
sed -i 's/^\[expect "two.*/[expect "two"]/' series/expect
wb series rename two one-half >"$out" 2>"$err"
run wb series drop --json one-half
ok 'in JSON' [ "$(jq .expect <"$out")" = true ]
wb series drop --undo >"$out" 2>"$err"
wb series drop --undo >"$out" 2>"$err"
printf '[expect "two"]\nbreaks = y\n[expect "three"]\nfixes = y\n' >series/expect
run wb series fold three
status 0 'a fold of what breaks and what fixes'
not_ok 'leaves nothing of them' test -e series/expect
wb series fold --undo >"$out"
is 'undo makes it anew' "$(wc -l <series/expect)" 4
printf '[expect "one-more"]\nfixes = x\n' >series/expect
run wb series rename one uno
is "not of another patch" "$(cat "$err")" ''
run wb series rename uno eins
echo '; more' >>series/expect
wb series drop eins >"$out" 2>"$err"
wb series drop --undo >"$out" 2>"$err"
ok 'what a hand wrote is kept' grep -qx '; more' series/expect
wb series drop --undo >"$out" 2>"$err"
not_ok 'as a version of its own' grep -qx '; more' series/expect
wb series drop --undo >"$out" 2>"$err"
wb series drop --undo >"$out" 2>"$err"
is 'the names are back, too' "$(sed -n 2p series/series)" one.patch
rm -f series/expect
# a patch of that name is a patch
wb series rename one expect >"$out" 2>"$err"
mv series/expect.patch series/expect
sed -i 's/^expect.patch/expect/' series/series
run wb series rename expect one
status 0 'a patch named expect'
is 'is read as one' "$(wb series trees | tail -n 1 | cut -f2)" "$end"
untouched | cmp -s - "$work/before"
is "nothing else was touched meanwhile" $? 0
git checkout -q series
untouched >"$work/before"

run wb series drop nobody
status 128
one_error "no such patch" "'nobody' is no patch of series"

untouched | cmp -s - "$work/before"
is "nothing else was touched in all this" $? 0
run git fsck --no-dangling
is "git fsck" "$(cat "$out" "$err")" ""
done_testing
