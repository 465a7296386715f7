#!/bin/sh
# Proves the README's two commands on a fresh Debian 12: debootstraps one with
# git and make into a folder, clones this repository into it and runs there
#
#	make demo
#	make check
#
# as on a machine that has nothing else. Needs root and debootstrap; takes
# 10 to 20 minutes. MIRROR is an archive to take instead of debootstrap's own,
# COMMANDS the targets, KEEP=1 leaves the folder.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
commands=${COMMANDS:-demo check}

if [ "$(id -u)" != 0 ]; then
	echo "fresh-machine: SKIPPED: needs root" >&2
	exit 77
fi
if ! command -v debootstrap >/dev/null; then
	echo "fresh-machine: SKIPPED: no debootstrap (package debootstrap)" >&2
	exit 77
fi

root=$(mktemp -d "${TMPDIR:-/var/tmp}/wb-fresh.XXXXXX")
mounts=
cleanup() {
	for m in $mounts; do
		umount -l "$m" || :
	done
	[ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

echo "fresh-machine: debootstrap into $root"
# shellcheck disable=SC2086
debootstrap --variant=minbase --include=git,make bookworm "$root" \
	${MIRROR:-} >"$root.log" 2>&1 || { tail -n 20 "$root.log"; exit 1; }
rm -f "$root.log"
cp /etc/resolv.conf "$root/etc/resolv.conf"
for fs in proc sys dev; do
	mount --rbind "/$fs" "$root/$fs"
	mount --make-rslave "$root/$fs"
	mounts="$root/$fs $mounts"
done
git clone -q --no-hardlinks "$top" "$root/root/project"

in_root() {
	chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		TERM=dumb sh -c "cd /root/project && $1"
}
in_root 'git config --global safe.directory "*"'
for c in $commands; do
	echo "fresh-machine: make $c"
	begin=$(date +%s)
	in_root "make $c"
	echo "fresh-machine: make $c: passed in $(($(date +%s) - begin)) s"
done
