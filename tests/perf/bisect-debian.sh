#!/bin/sh
# wb bisect-perf on a Debian package's quilt stack, imported as commits with
# "quilt push", one for each patch, and one commit planted among them that makes
# the bench 5 % slower and one that does not build. The real patches change
# real files; the bench is of the test language (history.sh).
#
#	tests/perf/bisect-debian.sh [PACKAGE...]	(bzip2 and its like: all
#							of tests/data/debian-packages)
#
# A line each; exit status 1: a wrong answer. Skips loudly what cannot be
# fetched.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../history.sh"
for p in apt-get dpkg-source quilt; do
	command -v $p >/dev/null || skip_all "$p is not installed"
done
[ $# -gt 0 ] || set -- $(grep -v '^#' "$data/debian-packages")
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

# import PACKAGE: the unpacked tree as the base of a history, a commit a patch
import() {
	start_history "$1"
	cp -r "$work/src/tree/." . && rm -rf debian/patches/.pc
	git add -A -f && git commit -qm 'the package, no patch' && git tag -f good >/dev/null
	sed -i /inputs/d .wbconfig
	git commit -qam 'all of it is built' && git tag -f good >/dev/null
	wb trust >/dev/null 2>&1
	total=$(QUILT_PATCHES=debian/patches quilt series | wc -l)
	slow=$((total * 2 / 3 + 1)) k=0
	while QUILT_PATCHES=debian/patches quilt push >"$out" 2>&1; do
		k=$((k + 1))
		[ $k != $slow ] || echo 10500 >src/cost
		[ $k != $((total / 3)) ] || echo "no header" >src/broken
		[ $k != $((total / 3 + 1)) ] || rm -f src/broken
		git add -A -f . && git rm -rq --cached --ignore-unmatch .pc
		git commit -qm "$(QUILT_PATCHES=debian/patches quilt top)"
		[ $k != $slow ] || git tag slow
	done
}
bad=0
for p; do
	rm -rf "$work/src" && mkdir "$work/src" && cd "$work/src" || exit 1
	if run get source --download-only "$p"; [ $rc != 0 ]; then
		echo "# SKIPPED: $p cannot be fetched" >&2
		continue
	fi
	run dpkg-source --skip-patches --no-check -x ./*.dsc tree
	import "$p"
	run wb -q bisect-perf --json good HEAD
	[ $rc = 0 ] || sed "s/^/# /" "$err"
	got=$(json '[.changes[].commit] | join(" ")')
	[ "$got" = "$(git rev-parse slow)" ] && word=right || { word=WRONG; bad=1; }
	echo "$p, $k patches, number $slow planted: $word; builds $(json .builds)," \
		"runs $(json .runs), $(json '.seconds * 10 | round / 10') s"
done
exit $bad
