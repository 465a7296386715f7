# The test language of tests/cli and tests/prop: sh, TAP on stdout.
#
#	. "$(dirname "$0")/../lib.sh"
#	. "$(dirname "$0")/../stack.sh"		# if it needs a stack
#	make_repo				# a git repository, entered
#	run wb series trees; status 128		# stdout in $out, stderr in $err
#	ok "says why" grep -q 'p1.patch:3' "$err"
#	done_testing
#
# Every test works in a folder of its own, with its own HOME, and leaves
# nothing behind. B is the build folder (make sets it).

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
B=${B:-$top/build}
data=$top/tests/data
work=$(mktemp -d "${TMPDIR:-/tmp}/wb-test.XXXXXX")
trap 'cd /; chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
export HOME="$work/home" TMPDIR="$work/tmp" XDG_CACHE_HOME="$work/cache" \
	XDG_CONFIG_HOME="$work/config" GIT_CONFIG_NOSYSTEM=1 \
	LC_ALL=C.UTF-8 PATH="$B:$PATH" \
	LSAN_OPTIONS="suppressions=$top/tests/lsan.supp:print_suppressions=0"
unset WB_CONFIG_COUNT GIT_DIR GIT_WORK_TREE NO_COLOR COLUMNS MAKEFLAGS SAN WERROR
mkdir -p "$HOME" "$TMPDIR"
printf '[user]\nname = Ada Marsh\nemail = ada.marsh@example.org\n[init]\n%s\n' \
	'defaultBranch = main' >"$HOME/.gitconfig"
out=$work/out err=$work/err tests=0 failed=0

# run CMD...: stdout to $out, stderr to $err, exit code to $rc
run() {
	"$@" >"$out" 2>"$err" </dev/null
	rc=$?
}
result() {	# result CODE NAME
	tests=$((tests + 1))
	[ "$1" != 0 ] || { echo "ok $tests - $2" && return; }
	failed=$((failed + 1))
	echo "not ok $tests - $2"
	sed 's/^/# out: /' "$out" 2>/dev/null | head -n 20
	sed 's/^/# err: /' "$err" 2>/dev/null | head -n 20
}
# ok NAME CMD...: the command succeeds; not_ok: it fails
ok() {
	ok_name=$1 && shift
	"$@" >/dev/null 2>&1
	result $? "$ok_name"
}
not_ok() {
	ok_name=$1 && shift
	! "$@" >/dev/null 2>&1
	result $? "$ok_name"
}
# is NAME GOT WANTED
is() {
	ok "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || printf '# got:    %s\n# wanted: %s\n' "$2" "$3"
}
# status CODE [NAME]: exit code of the last run
status() { is "${2:-exit code $1}" "$rc" "$1"; }
# one_error NAME PATTERN: stderr is one "wb: error:" line that has PATTERN
one_error() {
	is "$1: one line" "$(grep -c '^wb: error: ' "$err")" 1
	ok "$1: says $2" grep -q -- "$2" "$err"
}
# A test that cannot run here says so loudly and counts as skipped.
skip_all() {
	echo "1..0 # SKIP $1"
	echo "# SKIPPED: $1" >&2
	exit 0
}
# skip NAME REASON: one check that cannot run here
skip() {
	tests=$((tests + 1))
	echo "ok $tests # SKIP $1: $2"
	echo "# SKIPPED: $1: $2" >&2
}
make_repo() {
	git init -q "${1:-$work/repo}" && cd "${1:-$work/repo}" || exit 1
}
# commit MESSAGE: everything there is
commit() { git add -A && git commit -qm "$1"; }

done_testing() {
	echo "1..$tests"
	[ $failed = 0 ]
}
