# Debian source packages: every prefix tree id is what quilt push gives. LONG=1
# takes all packages of the list, else two.
. "$(dirname "$0")/../lib.sh"

for p in apt-get dpkg-source quilt; do
	command -v $p >/dev/null || skip_all "$p is not installed"
done
list=$top/tests/data/debian-packages
[ -n "${LONG:-}" ] && some=$(grep -v '^#' "$list") ||
	some=$(grep -v '^#' "$list" | head -n 2)

# A private apt: the machine's package sources as source archives.
apt=$work/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts"
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
	sed -n 's/^deb /deb-src /p' >"$apt/sources.list"
for f in /etc/apt/sources.list.d/*.sources; do
	[ -e "$f" ] && sed 's/^Types:.*/Types: deb-src/' "$f" \
		>"$apt/parts/$(basename "$f")"
done
get() {
	timeout 300 apt-get -qq -o Acquire::http::Timeout=20 \
		-o Dir::Etc::sourcelist="$apt/sources.list" \
		-o Dir::Etc::sourceparts="$apt/parts" \
		-o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" \
		-o APT::Sandbox::User= -o Acquire::Retries=2 "$@"
}
run get update
[ $rc = 0 ] && [ -n "$(ls "$apt"/lists/*Sources* 2>/dev/null)" ] ||
	skip_all "no Debian source archive can be reached"

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
	mkdir "$work/src" && cd "$work/src" || exit 1
	if run get source --download-only "$p"; [ $rc != 0 ]; then
		echo "# SKIPPED: $p cannot be fetched" >&2
	elif run dpkg-source --skip-patches --no-check -x ./*.dsc tree; [ $rc != 0 ]; then
		result 1 "$p can be unpacked"
	else
		got=$((got + 1))
		cd tree && check "$p"
	fi
	cd "$work" && rm -rf "$work/src"
done
[ $got -gt 0 ] || skip_all "no source package can be fetched"
echo "# $patches patches of $got packages"
ok 'there were patches' [ $patches -gt 0 ]
done_testing
