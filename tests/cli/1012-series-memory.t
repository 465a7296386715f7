# A long stack that did not change is not applied again, and what is remembered
# of it can never give another tree than applying it would.
. "$(dirname "$0")/../lib.sh"

make_repo
seq 400 >f
commit base
mkdir s
k=0
while [ $k -lt 120 ]; do
	k=$((k + 1))
	n=$((k * 3))
	printf -- '--- a/f\n+++ b/f\n@@ -%d,3 +%d,3 @@\n %d\n-%d\n+x%d\n %d\n' \
		$n $n $n $((n + 1)) $k $((n + 2)) >s/p$k.patch
	echo p$k.patch >>s/series
done
# one with an offset, one with fuzz
sed -i 's/^@@ -30,3 +30,3/@@ -33,3 +33,3/' s/p10.patch
sed -i '4s/.*/ other/' s/p20.patch

fresh() { XDG_CACHE_HOME=$work/none wb series "$@" >"$work/want" 2>"$work/want.err"; rm -rf "$work/none"; }
same() {	# same NAME WORDS...
	name=$1
	shift
	fresh "$@"
	run wb series "$@"
	ok "$name: as if applied" cmp "$out" "$work/want"
	ok "$name: with the same warnings" cmp "$err" "$work/want.err"
}
same 'for the first time' trees s
is 'it is remembered' "$(ls "$XDG_CACHE_HOME/wb/series" | wc -l)" 1
memory=$(echo "$XDG_CACHE_HOME"/wb/series/*)
cp "$memory" "$work/memory"
inode=$(stat -c %i "$memory")
same 'again' trees s
same 'as a list' list -v s
same 'as JSON' list --json s
ok 'with its risks' grep -q '"fuzz": 1' "$out"
is 'it was used, not made anew' "$(stat -c %i "$memory")" "$inode"

# it is not believed blindly
one=$(sed -n 2p "$memory" | cut -c1-40)
sed -i "2s/^$one/$(printf %040d 7)/" "$memory"
same 'a damaged memory' trees s
head -c 1000 "$work/memory" >"$memory"
same 'half a memory' trees s
: >"$memory"
same 'an empty memory' trees s
printf 'x\0y' >"$memory"
same 'another file' trees s
cp "$work/memory" "$memory"

# everything that decides the outcome is in the key
same 'another profile' trees --profile=git s
same 'other fuzz' trees --fuzz=0 s
same 'fuzz again' trees s
echo 401 >>f && commit more
same 'another base' trees s
sed -i 's/^+x7$/+y7/' s/p7.patch
same 'another patch' trees s
sed -i 's/^p120.patch/& -R/' s/series
same 'another option' trees s
sed -i '$d' s/series
same 'a patch less' trees s
echo '# c' >>s/series
same 'a comment more' trees s
mkdir e && echo e >e/e && commit e
same 'less a path' trees --exclude=e s

# a stack that stops is applied each time, and a folder that cannot be written
# to is no error
sed -i 's/^-16$/-17/' s/p5.patch
same 'a stack that stops' trees s
sed -i 's/^-17$/-16/' s/p5.patch
rm -rf "$XDG_CACHE_HOME" && : >"$XDG_CACHE_HOME"
run wb -q series trees s
status 0 'no cache folder'
fresh trees s
ok 'no cache folder: as if applied' cmp "$out" "$work/want"
rm "$XDG_CACHE_HOME"
head -n 50 s/series >s/short && mv s/short s/series
run wb series trees s
not_ok 'a short stack is not remembered' test -e "$XDG_CACHE_HOME/wb/series"
done_testing
