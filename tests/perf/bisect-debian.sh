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
. "$(dirname "$0")/../debian.sh"
[ $# -gt 0 ] || set -- $(grep -v '^#' "$data/debian-packages")

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
	get_source "$p" || continue
	import "$p"
	run wb -q bisect-perf --json good HEAD
	[ $rc = 0 ] || sed "s/^/# /" "$err"
	got=$(json '[.changes[].commit] | join(" ")')
	[ "$got" = "$(git rev-parse slow)" ] && word=right || { word=WRONG; bad=1; }
	echo "$p, $k patches, number $slow planted: $word; builds $(json .builds)," \
		"runs $(json .runs), $(json '.seconds * 10 | round / 10') s"
done
[ $failed = 0 ] || bad=1
exit $bad
