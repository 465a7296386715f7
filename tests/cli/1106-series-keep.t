# wb series trees --keep: a commit a prefix, and nothing else.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../edit.sh"

make_edit_stack
untouched >"$work/before"
files >"$work/files"
base=$(git rev-parse HEAD)
ref=refs/wb/stack/series
same() {	# same NAME: work tree, index, branches and the stack
	untouched | cmp -s - "$work/before"
	is "$1: nothing else is touched" $? 0
	files | cmp -s - "$work/files"
	is "$1: nor the stack" $? 0
}

wb series trees >"$work/rows"
run wb series trees --keep
status 0 'kept'
ok 'the same rows' cmp -s "$out" "$work/rows"
ok 'says where' grep -qx "wb: kept as $ref/v1" "$err"
is 'a commit a prefix, with its tree' \
	"$(git rev-list --reverse --format=%T $base..$ref/v1 | grep -v ^commit)" \
	"$(sed 1d "$work/rows" | cut -f2)"
is 'on HEAD' "$(git rev-parse $ref/v1~3)" "$base"
git checkout -q --detach
git am -q series/one.patch series/two.patch series/three.patch
is 'authors, dates and messages as git am reads them' \
	"$(git log --format='%an %ae %ad %B' $base..$ref/v1)" \
	"$(git log --format='%an %ae %ad %B' $base..HEAD)"
git checkout -q main
git reflog expire --expire=now --all
git gc -q --prune=now
is 'kept by git gc' "$(git rev-list --count $base..$ref/v1)" 3
ok 'sound' git fsck --strict
untouched >"$work/before"

run wb series trees --keep
ok 'again: the same version' grep -qx "wb: kept as $ref/v1" "$err"
is 'and no other' "$(git for-each-ref $ref | wc -l)" 1
git commit -q --allow-empty -m 'another base'
untouched >"$work/before"
run wb series trees --keep
ok 'another HEAD: another version' grep -qx "wb: kept as $ref/v2" "$err"
is 'on it' "$(git rev-parse $ref/v2~3)" "$(git rev-parse HEAD)"
same 'on another HEAD'

# the same files on another commit are no older version of them
run wb series refresh --undo
status 128
one_error 'undo' 'nothing to undo'
wb series drop three >"$out" 2>"$err"
run wb series drop --undo
status 0 'undo of a change that came after'
same 'undone'

# what applies of a stack that stops
sed -i 's/^ 19$/ ninety/' series/two.patch
files >"$work/files"
run wb series trees --keep --profile=strict
status 128 'a stack that stops'
is 'its rows' "$(cut -f3 "$out" | tr '\n' ' ')" 'base one '
last=$(sed -n 's/^wb: kept as //p' "$err")
is 'its commits' "$(git log --format=%s HEAD..$last)" 'one: do a thing'
same 'a stack that stops'

for o in --wip '--exclude=src' '--root=.' '--mbox=series/one.patch' --stgit; do
	run wb series trees --keep $o
	status 129 "not with $o"
	one_error "not with $o" 'keep is for a quilt folder'
done
run wb series trees --keep HEAD~1..HEAD
status 129
one_error 'a range' 'HEAD~1..HEAD is a range'

# a folder of objects that cannot be written to
if [ "$(id -u)" = 0 ] && ! command -v setpriv >/dev/null; then
	skip 'read-only objects' 'root may write anywhere, and setpriv is missing'
else
	wb series refresh --undo >"$out" 2>"$err"
	git for-each-ref --format='delete %(refname)' refs/wb | git update-ref --stdin
	as=
	[ "$(id -u)" != 0 ] || as='setpriv --bounding-set=-dac_override --inh-caps=-dac_override'
	chmod a-w .git/objects/pack
	run $as wb series trees --keep
	chmod u+w .git/objects/pack
	status 128 'read-only objects'
	one_error 'read-only objects' 'objects/pack: Permission denied'
	is 'no ref is left' "$(git for-each-ref refs/wb)" ''
fi

# folders whose names no ref may have
for d in 'a b' x..y .hidden end. 'at@{' yarn.lock a.lock/b -x; do
	mkdir -p "./$d" && cp -r series/. "./$d"
	key=$(echo "$d" | sed 's/[^a-z/.-]/_/g; s/^\./_/; s/\.\./._/; s/\.$/_/; s/\.lock/_lock/')
	run wb series trees --keep "./$d"
	status 0 "folder $d"
	ok "is kept as $key" git rev-parse -q --verify "refs/wb/stack/$key/v1"
done
done_testing
