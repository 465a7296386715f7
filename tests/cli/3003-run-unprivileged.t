# As another user than root, who may not count the kernel and has no valgrind:
# each thing that is missing is said in one line, the rest goes on.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

[ "$(id -u)" = 0 ] || skip_all "needs root, to become another user"
command -v setpriv >/dev/null || skip_all "no setpriv (package util-linux)"
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ] ||
	skip_all "kernel.perf_event_paranoid is below 2 here"
# all programs but valgrind, and wb where another user may read it
mkdir "$work/bin" && ln -s /usr/bin/* /bin/* "$work/bin" 2>/dev/null
rm -f "$work/bin/valgrind"
cp "$B/wb" "$work/bin/wb-copy" && mv -f "$work/bin/wb-copy" "$work/bin/wb"
make_stack
git config wb-bench.b.events 'page-faults instructions'
git config wb-bench.b.level auto
git config wb.fifo auto
mkdir -p "$work/cache" "$work/config"
chmod 755 "$work" && chown -R 65534:65534 "$work"
db=.git/wb/results.db
nobody() {
	run setpriv --reuid=65534 --regid=65534 --clear-groups \
		env PATH="$work/bin" "$@"
}
nobody wb trust
status 0
nobody wb run --rounds 2
status 125 "patch 3 is broken, the others are measured"
line() { is "$1: one line" "$(grep -c -- "$2" "$err")" 1; }
line "no valgrind" 'no valgrind: instruction counts are left out (package valgrind)'
line "a software event" "b: 'page-faults' is not allowed to this user.*left out"
line "those of every run" 'software events are not allowed to this user'
line "a hardware event: none here, or of user space only" \
	"b: 'instructions' is \(a known event\|counted as 'instructions:u'\)"
is "no error but the one of patch 3" "$(grep -c '^wb: error' "$err")" 1
nobody wb report --json
is "verdicts are there" "$(jq -r '[.rows[] | select(.metric == "t") | .verdict] |
	join(" ")' "$out")" " faster same broken slower"
is "faults and switches come from rusage, migrations are not known" \
	"$(setpriv --reuid=65534 --regid=65534 --clear-groups sqlite3 $db 'SELECT
	count(*) FROM run WHERE reason IS NULL AND (faults IS NULL OR nvcsw IS
	NULL OR migrations NOT NULL OR task_clock NOT NULL)')" 0
nobody wb doctor --json
f() { jq -r --arg t "$1" '.findings[] | select(.topic == $t) | .state' "$out"; }
is "the doctor sees it" "$(f valgrind) $(f perf-events)" "note note"
nobody wb doctor --apply perf-events
status 128 "and may change nothing"
one_error "changing" "perf_event_paranoid: .*; try as root"
nobody wb doctor --undo
status 0
is "nothing was changed" "$(cat "$out")" "0 settings changed back"
done_testing
