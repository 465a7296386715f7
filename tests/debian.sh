# Debian source packages for tests: a private apt, which reads the machine's own
# package sources as source archives and changes nothing of the machine. Source
# it behind lib.sh; without network it skips the whole test, loudly.
#
#	get_source PACKAGE	unpacked without patches, in $work/src/tree;
#				fails, and says so, when it cannot be fetched

for p in apt-get dpkg-source quilt; do
	command -v $p >/dev/null || skip_all "$p is not installed"
done
apt=$work/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts"
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
	sed -n 's/^deb /deb-src /p' >"$apt/sources.list"
for f in /etc/apt/sources.list.d/*.sources; do
	[ -e "$f" ] && sed 's/^Types:.*/Types: deb-src/' "$f" \
		>"$apt/parts/$(basename "$f")"
done
private_apt() {
	timeout 300 apt-get -qq -o Acquire::http::Timeout=20 \
		-o Dir::Etc::sourcelist="$apt/sources.list" \
		-o Dir::Etc::sourceparts="$apt/parts" \
		-o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" \
		-o APT::Sandbox::User= -o Acquire::Retries=2 "$@"
}
run private_apt update
[ $rc = 0 ] && [ -n "$(ls "$apt"/lists/*Sources* 2>/dev/null)" ] ||
	skip_all "no Debian source archive can be reached"

get_source() {
	rm -rf "$work/src"
	mkdir "$work/src" && cd "$work/src" || exit 1
	if run private_apt source --download-only "$1"; [ $rc != 0 ]; then
		echo "# SKIPPED: $1 cannot be fetched" >&2
		return 1
	fi
	run dpkg-source --skip-patches --no-check -x ./*.dsc tree
	[ $rc = 0 ] && return
	result 1 "$1 can be unpacked"
	return 1
}
