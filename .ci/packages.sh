#!/bin/sh
# What a machine lacks, by the name of the package that brings it.
#
#	packages.sh missing PACKAGE:PROBE ...	names them and fails
#	packages.sh install PACKAGE:PROBE ...	installs them by apt
#
# A PROBE is a program, a header (NAME.h), a Perl module (NAME.pm) or a
# pkg-config module; the package names are Debian's.
set -u
verb=$1
shift

there() {
	case $1 in
	*.h)
		if command -v cc >/dev/null 2>&1; then
			echo "#include <$1>" | cc -E -xc - >/dev/null 2>&1
		else
			test -e "/usr/include/$1"
		fi ;;
	*.pm) perl -e "require '$1'" 2>/dev/null ;;
	*) command -v "$1" >/dev/null 2>&1 ||
		pkg-config --exists "$1" 2>/dev/null ;;
	esac
}

missing=
for pair; do
	there "${pair#*:}" || missing="$missing ${pair%%:*}"
done
[ -n "$missing" ] || exit 0

if [ "$verb" = missing ]; then
	for p in $missing; do
		echo "make: missing package: $p" >&2
	done
	echo "make: 'make demo' and 'make check' install them;" \
		"by hand: apt-get install$missing" >&2
	exit 1
fi

if ! command -v apt-get >/dev/null 2>&1; then
	echo "make: this system has no apt-get; install what brings:" >&2
	for pair; do
		there "${pair#*:}" || echo "  ${pair#*:} (Debian: ${pair%%:*})" >&2
	done
	exit 1
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	sudo=sudo
	if ! command -v sudo >/dev/null 2>&1; then
		echo "make: neither root nor sudo; as root:" \
			"apt-get install$missing" >&2
		exit 1
	fi
fi
echo "make: installing by apt:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
{ $sudo apt-get update &&
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get \
	-o DPkg::Lock::Timeout=400 install -y --no-install-recommends \
	$missing; } >"$log" 2>&1 && exit 0
tail -n 20 "$log" >&2
echo "make: apt-get failed; see above" >&2
exit 1
