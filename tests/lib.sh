# The test language of tests/cli and tests/prop: sh, TAP on stdout.
#
#	. "$(dirname "$0")/../lib.sh"
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

HOME=$work/home
XDG_CACHE_HOME=$work/cache
XDG_CONFIG_HOME=$work/config
TMPDIR=$work/tmp
GIT_CONFIG_NOSYSTEM=1
LC_ALL=C.UTF-8
PATH=$B:$PATH
export HOME XDG_CACHE_HOME XDG_CONFIG_HOME TMPDIR GIT_CONFIG_NOSYSTEM LC_ALL PATH
unset WB_CONFIG_COUNT GIT_DIR GIT_WORK_TREE NO_COLOR COLUMNS MAKEFLAGS SAN WERROR
mkdir -p "$HOME" "$TMPDIR"
git config --global user.name 'Ada Marsh'
git config --global user.email ada.marsh@example.org
git config --global init.defaultBranch main

out=$work/out
err=$work/err
tests=0
failed=0

# run CMD...: stdout to $out, stderr to $err, exit code to $rc
run() {
	rc=0
	"$@" >"$out" 2>"$err" </dev/null || rc=$?
}

result() {	# result CODE NAME
	tests=$((tests + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tests - $2"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $tests - $2"
	sed 's/^/# out: /' "$out" 2>/dev/null | head -n 20
	sed 's/^/# err: /' "$err" 2>/dev/null | head -n 20
}

# ok NAME CMD...: the command succeeds
ok() {
	ok_name=$1
	shift
	ok_rc=0
	"$@" >/dev/null 2>&1 || ok_rc=$?
	result $ok_rc "$ok_name"
}

not_ok() {
	ok_name=$1
	shift
	ok_rc=1
	"$@" >/dev/null 2>&1 || ok_rc=0
	result $ok_rc "$ok_name"
}

# is NAME GOT WANTED
is() {
	is_rc=0
	[ "$2" = "$3" ] || is_rc=1
	result $is_rc "$1"
	[ $is_rc = 0 ] || printf '# got:    %s\n# wanted: %s\n' "$2" "$3"
}

# status CODE [NAME]: exit code of the last run
status() {
	is "${2:-exit code $1}" "$rc" "$1"
}

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

make_repo() {
	git init -q "${1:-$work/repo}" && cd "${1:-$work/repo}" || exit 1
}

commit() {	# commit MESSAGE: everything there is
	git add -A && git commit -qm "$1"
}

done_testing() {
	echo "1..$tests"
	[ $failed = 0 ]
}

# A repository with a quilt stack in patches/ whose truth is known. The bench
# prints what the file "cost" says plus seeded noise of +-1; the build copies
# it and fails where a file "broken" exists.
#
#	1 faster	cost 1000 -> 950
#	2 comment	a README line: other tree, same inputs
#	3 breaks	does not build
#	4 mends		builds again, cost 950 -> 1050
make_stack() {
	make_repo "${1:-$work/repo}"
	mkdir src patches
	echo 1000 >src/cost
	echo "a project" >README
	cat >build.sh <<-'EOS'
	[ ! -e src/broken ] || { echo "src/broken:1: error: no luck"; exit 2; }
	cp src/cost "$WB_BUILD/cost"
	EOS
	cat >bench.sh <<-'EOS'
	n=$(($(cat "$WB_BUILD/cost") * 10 + ${WB_SEED##*[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]} - 4))
	echo '{"bench":"b","metric":"t","unit":"ns","better":"lower","value":'$n'}'
	EOS
	cat >.wbconfig <<-'EOS'
	[wb]
		series = patches
		rounds = 10
		fifo = off
	[wb-build]
		command = sh build.sh
		inputs = src build.sh
	[wb-bench "b"]
		command = sh "$WB_TREE/bench.sh"
		level = S
	EOS
	commit base
	stack_patch faster 'echo 950 >src/cost'
	stack_patch comment 'echo "more" >>README'
	stack_patch breaks 'echo x >src/broken'
	stack_patch mends 'rm src/broken; echo 1050 >src/cost'
	git reset -q --hard HEAD~4
	mkdir -p patches
	mv "$work"/new-patches/* patches/
	commit stack
}

stack_patch() {	# stack_patch NAME COMMANDS
	sh -c "$2" && commit "$1: a patch of the test stack" || exit 1
	mkdir -p "$work/new-patches"
	git format-patch -q -1 --stdout >"$work/new-patches/$1.patch"
	echo "$1.patch" >>"$work/new-patches/series"
}

# Everything of the repository that wb must leave as it is.
fingerprint() {
	git status --porcelain=v2 -uall
	git for-each-ref
	sha256sum "$(git rev-parse --git-dir)/index" 2>/dev/null
	find "$(git rev-parse --git-common-dir)/logs" -type f -exec sha256sum {} + |
		sort
	find . -path ./.git -prune -o -type f -exec sha256sum {} + | sort
	find "$(git rev-parse --git-common-dir)/objects" -type f | sort
}
