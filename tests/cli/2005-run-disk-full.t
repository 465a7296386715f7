# A disk that fills up: one line, exit 128, what finished is kept.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

mkdir "$work/small"
mount -t tmpfs -o size=600k tmpfs "$work/small" 2>/dev/null ||
	skip_all "cannot mount a small tmpfs here (needs root)"
trap 'cd /; umount -l "$work/small" 2>/dev/null; rm -rf "$work"' EXIT

make_stack
wb trust >/dev/null
mkdir .git/wb
mount --move "$work/small" .git/wb 2>/dev/null ||
	mount -t tmpfs -o size=600k tmpfs .git/wb
trap 'cd /; umount -l "$work/repo/.git/wb" "$work/small" 2>/dev/null; rm -rf "$work"' EXIT

run wb run --rounds 100000
status 128 "the store's disk fills"
one_error "full store" "disk full\|No space"
n=$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM run')
ok "finished runs are kept" test "$n" -gt 10
is "the store is sound" "$(sqlite3 .git/wb/results.db 'PRAGMA integrity_check')" ok
run wb report --json
status 0 "they can be read"
mount -o remount,size=20m .git/wb
run wb run --rounds 3
status 125 "with space again it goes on"

# the cache's disk
mkdir "$work/cache-small"
mount -t tmpfs -o size=16k tmpfs "$work/cache-small"
trap 'cd /; umount -l "$work/repo/.git/wb" "$work/small" "$work/cache-small" 2>/dev/null; rm -rf "$work"' EXIT
XDG_CACHE_HOME=$work/cache-small
rm -f .git/wb/results.db*
head -c 40000 /dev/urandom | od >src/large
commit large
run wb run --rounds 2
status 128 "the cache's disk fills"
one_error "full cache" "No space"
not_ok "no build counts as done" sh -c "ls $work/cache-small/wb/build/*/ok"

# /dev/full as stdout
rc=0
wb report >/dev/full 2>"$err" || rc=$?
rc=0
XDG_CACHE_HOME=$work/roomy wb build 0 >/dev/full 2>"$err" || rc=$?
status 128 "a full stdout of a command that flushes"
one_error "a full stdout of build" "standard output"
rc=0
wb config >/dev/full 2>"$err" || rc=$?
status 128 "a full stdout"
one_error "a full stdout" "standard output"
done_testing
