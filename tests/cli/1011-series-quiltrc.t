# What a user has set for quilt: read, never executed.
. "$(dirname "$0")/../lib.sh"
unset QUILT_PATCHES QUILT_SERIES QUILT_PATCH_OPTS QUILTRC

make_repo
seq 20 >f
commit base
mkdir -p deb/patches
printf -- '--- a/f\n+++ b/f\n@@ -8,5 +8,5 @@\n zz\n 9\n-10\n+X\n 11\n yy\n' \
	>deb/patches/fuzzy.patch
echo fuzzy.patch >deb/patches/series
: >deb/patches/other
trees() { run wb series trees "$@"; }
trees
status 128 'no stack where wb.series says'
echo 'QUILT_PATCHES=deb/patches' >"$HOME/.quiltrc"
trees
status 0 'QUILT_PATCHES of ~/.quiltrc'
ok 'the fuzz is a risk' grep -q 'fuzz 1' "$err"
run wb series list
ok 'the list says so' grep -q 'applies, risk' "$out"
run wb series list --json
ok 'in JSON' grep -q '"risk": true' "$out"
ok 'per hunk, with its line' grep -q '"where": 3' "$out"
trees --profile=dpkg
status 128 'not under another profile'
echo 'export QUILT_PATCH_OPTS="-F 0 --reject-format=unified" # no fuzz' \
	>>"$HOME/.quiltrc"
trees
status 128 'QUILT_PATCH_OPTS'
one_error 'no fuzz' 'fuzzy.patch:3: hunk 1'
trees --fuzz=2
status 0 'a flag wins'
echo "QUILT_SERIES='other'" >>"$HOME/.quiltrc"
printf 'QUILT_PATCHES=%s\n' deb/patches >"$HOME/rc2"
run wb series trees deb/patches
is 'QUILT_SERIES' "$(wc -l <"$out")" 1
run env QUILTRC="$HOME/rc2" wb series trees
is 'QUILTRC names another' "$(wc -l <"$out")" 2
rm "$HOME/.quiltrc"
run env QUILT_PATCHES=deb/patches wb series trees
is 'the environment' "$(wc -l <"$out")" 2

# what changes and keeps a stack goes by the same words
cp -r deb/patches "$work/patches"
printf 'fuzzy.patch\n# the other list\n' >deb/patches/list
commit 'a stack'
export QUILT_PATCHES=deb/patches QUILT_SERIES=list
for c in 'series trees --keep' 'series list' 'series check' 'series diff'; do
	run wb $c
	not_ok "$c finds it" [ "$rc" = 128 -a "$c" != 'series diff' ]
done
run wb series refresh --all
status 0 'refresh under QUILT_SERIES'
run wb series check
status 1
ok 'made exact' grep -q '^applies *1 looked at, 0 found' "$out"
run wb series rename fuzzy exact
status 0 'rename under QUILT_SERIES'
is 'its list names it' "$(head -n 1 deb/patches/list)" exact.patch
is 'and the other does not' "$(cat deb/patches/series)" fuzzy.patch
not_ok 'no other list is made' test -s deb/patches/other
run wb series rename --undo
status 0 'undone'
is 'the list is back' "$(head -n 1 deb/patches/list)" fuzzy.patch
wb series refresh --undo >"$out"
is 'all as it was' "$(git status --short)" ''
run env QUILT_PATCH_OPTS=-F0 wb series edit fuzzy
status 128 'edit under QUILT_PATCH_OPTS'
one_error 'edit' 'fuzzy.patch:3: hunk 1'
if command -v quilt >/dev/null; then
	wb series refresh --all >"$out"
	ok 'quilt pushes it' quilt push -a
	quilt pop -a >"$out" 2>&1
	rm -rf .pc
	git checkout -q deb
else
	echo '# SKIPPED: push under QUILT_SERIES, for want of quilt' >&2
fi
rm deb/patches/list
unset QUILT_PATCHES QUILT_SERIES
mv deb/patches patches
trees
is "quilt's own default" "$(wc -l <"$out")" 2
mv patches deb/patches

# nothing of it runs, and what is no plain assignment does not count
cat >"$HOME/.quiltrc" <<EOS
QUILT_PATCHES=\$(touch $work/ran; echo deb/patches)
QUILT_PATCHES=\`touch $work/ran\`
QUILT_PATCHES="\$HOME/x"
QUILT_PATCHES=deb/patches touch $work/ran
touch $work/ran
QUILT_PATCHES=deb/patches; touch $work/ran
if true; then
	QUILT_PATCHES=deb/patches
fi
f() {
	QUILT_PATCHES=deb/patches
}
QUILT_PATCHES=deb/patches \\
  && touch $work/ran
EOS
trees
status 128 'no plain assignment in it'
not_ok 'nothing ran' test -e "$work/ran"
echo 'QUILT_PATCHES=deb/patches' >>"$HOME/.quiltrc"
echo 'QUILT_SERIES=../../../etc/passwd' >>"$HOME/.quiltrc"
echo 'QUILT_PATCH_OPTS="-o /tmp/x -d / -F2"' >>"$HOME/.quiltrc"
trees
status 0 'a plain one behind them'
ok 'a path is not taken' grep -q "QUILT_SERIES: '../../../etc/passwd'" "$err"
ok 'an option is not taken' grep -q "QUILT_PATCH_OPTS: '-o' is not" "$err"

# patches that quilt has applied are taken back, with --root alone
if command -v quilt >/dev/null; then
	rm "$HOME/.quiltrc"
	mkdir -p "$work/tree/patches/sub" && cd "$work/tree" || exit 1
	seq 20 >f
	echo gone >gone
	: >empty
	mkdir a && echo b >a/b
	quilt new sub/one.patch >/dev/null && quilt add f new gone empty >/dev/null && sed -i 's/^5$/V/' f &&
		echo n >new && rm gone && echo e >empty && quilt refresh >/dev/null
	quilt new two.patch >/dev/null && quilt add f a/b n/m >/dev/null && sed -i 's/^15$/XV/' f &&
		mkdir -p n && echo m >n/m && rm a/b && quilt refresh >/dev/null
	k=2
	while [ $k -ge 0 ]; do
		rm -rf "$work/g"
		git init -q --bare "$work/g"
		tree=$(git --git-dir="$work/g" --work-tree=. add -A -f . 2>/dev/null
			git --git-dir="$work/g" rm -rq --cached --ignore-unmatch .pc patches
			git --git-dir="$work/g" write-tree)
		[ $k = 0 ] && name=base || name=$(sed -n "${k}p" patches/series)
		echo "$k	$tree	${name%.patch}"
		[ $k = 2 ] && wb series trees --root=. --exclude=patches patches >"$work/two"
		[ $k = 1 ] && wb series trees --root=. --exclude=.pc --exclude=patches patches >"$work/one"
		k=$((k - 1))
		[ $k = -1 ] || quilt pop >/dev/null
	done | sort -n >"$work/want"
	wb series trees --root=. --exclude=patches patches >"$work/none"
	ok 'none applied: the trees of quilt' cmp "$work/none" "$work/want"
	ok 'one applied' cmp "$work/one" "$work/want"
	ok 'two applied' cmp "$work/two" "$work/want"
	quilt push -a >/dev/null
	sed -i 1d patches/series
	run wb series trees --root=. patches
	status 128 'another stack is applied'
	one_error 'another' '.pc/applied-patches:1: sub/one.patch is applied'
else
	echo "# SKIPPED: applied patches, for want of quilt" >&2
fi
done_testing
