# Linked work trees with the same stack: what is open in one is not open in
# the other, and versions are those of both.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../edit.sh"

make_edit_stack
git worktree add -q -b other "$work/linked"
here() { tree=$(cd "$1" && wb series edit two 2>/dev/null); }
files >"$work/files"

here . && main=$tree
here "$work/linked" && linked=$tree
ok 'a folder each' [ -n "$main" ] && [ "$main" != "$linked" ]
sed -i 's/^12$/main/' "$main/src/a"
sed -i 's/^14$/linked/' "$linked/src/a"
(cd "$work/linked" && wb series refresh) >"$out" 2>"$err"
is 'a refresh in the linked one' $? 0
files | cmp -s - "$work/files"
is 'the main one has its files' $? 0
ok 'the edit is in its own patch' grep -qx '+linked' \
	"$work/linked/series/two.patch"
(cd "$main" && wb series refresh) >"$out" 2>"$err"
is 'a refresh from inside the folder' $? 0
ok 'goes into the main one' grep -qx '+main' series/two.patch
not_ok 'and nothing of the other' grep -qx '+linked' series/two.patch

# what is open and edited keeps its own work tree alone from going on
sed -i 's/^12$/more/; s/^main$/more/' "$main/src/a"
run wb series drop three
status 128
one_error 'edited here' "two is open and edited in $main"
run wb -C "$work/linked" series drop three
status 0 'another work tree is free'
run wb series edit --discard
status 0 'thrown away here'

run wb -C "$work/linked" series drop --undo
status 0 'undo there'
ok 'the patch is back' [ -e "$work/linked/series/three.patch" ]
ok 'with its edit' grep -qx '+linked' "$work/linked/series/two.patch"
ok 'and here all is as it was' grep -qx '+main' series/two.patch

# a wb that is at work in one keeps the other out: they share the versions
exec 9>"$(git rev-parse --git-common-dir)/wb/edit/series/lock"
if command -v flock >/dev/null && flock -n 9; then
	run wb -C "$work/linked" series drop three
	status 128
	one_error 'at the same time' 'another wb is changing this stack'
else
	skip 'at the same time' 'flock is missing'
fi
done_testing
