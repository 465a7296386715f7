# Debian source packages: every prefix tree id is what quilt push gives. LONG=1
# takes all packages of the list, else two.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../debian.sh"

list=$top/tests/data/debian-packages
[ -n "${LONG:-}" ] && some=$(grep -v '^#' "$list") ||
	some=$(grep -v '^#' "$list" | head -n 2)

# What git would make of the folder, less quilt's and the patches' own.
tree_of() {
	git --git-dir="$work/g" --work-tree=. -c core.autocrlf=false \
		-c core.attributesFile=/dev/null add -A -f . 2>/dev/null
	git --git-dir="$work/g" rm -rq --cached --ignore-unmatch \
		.pc debian/patches
	git --git-dir="$work/g" write-tree
}
check() {	# check PACKAGE: in its unpacked folder
	rm -rf "$work/g"
	git init -q --bare "$work/g"
	# git would convert by these, which the tree ids of wb leave out
	echo '* -text -ident -filter -working-tree-encoding' \
		>"$work/g/info/attributes"
	wb series trees --profile=quilt --root=. --exclude=.pc \
		--exclude=debian/patches debian/patches >"$work/got" 2>"$err"
	echo "0	$(tree_of)	base" >"$work/want"
	k=0
	while QUILT_PATCHES=debian/patches quilt push >"$out" 2>&1; do
		k=$((k + 1))
		name=$(QUILT_PATCHES=debian/patches quilt top)
		name=${name#debian/patches/}
		echo "$k	$(tree_of)	${name%.patch}" >>"$work/want"
	done
	ok "$1: $k patches, every tree" cmp "$work/got" "$work/want"
	cmp -s "$work/got" "$work/want" || diff "$work/got" "$work/want" |
		head -n 6 | sed 's/^/# /'
	patches=$((patches + k))
	# and from the tree that quilt left
	wb series trees --profile=quilt --root=. \
		--exclude=debian/patches debian/patches >"$work/got" 2>"$err"
	ok "$1: with all patches applied" cmp "$work/got" "$work/want"
}
patches=0 got=0
for p in $some; do
	get_source "$p" || continue
	got=$((got + 1))
	cd tree && check "$p"
	cd "$work" && rm -rf "$work/src"
done
[ $got -gt 0 ] || skip_all "no source package can be fetched"
echo "# $patches patches of $got packages"
ok 'there were patches' [ $patches -gt 0 ]
done_testing
