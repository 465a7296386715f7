# A search on a bad day: Ctrl-C at any point, a reboot in the middle, a store that
# is read-only. Each time one line says what is the matter, and the same command
# goes on to the planted commit without repeating a build or a finished block.
# LONG=1: many points.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../history.sh"
command -v sqlite3 >/dev/null || skip_all "sqlite3 is not installed"

journal=.git/wb/bisect/b.time
sql() { sqlite3 .git/wb/results.db "$1" 2>/dev/null; }
lines() { cat $journal 2>/dev/null | wc -l; }
built() { find "$XDG_CACHE_HOME/wb/build" -name ok -printf '%p %i %T@\n' | sort; }
fresh() { rm -rf .git/wb "$XDG_CACHE_HOME"; }
# what is wrong with the end of a search, a word each; nothing: it is right
faults() {
	run wb -q bisect-perf --json good HEAD
	[ "$rc" = 0 ] || echo "exit-$rc"
	[ "$(json '[.changes[].index] | join(" ")')" = 13 ] || echo commit
	[ "$(sql 'SELECT count(*) - count(DISTINCT seed) FROM round
		WHERE ended NOT NULL')" = 0 ] || echo block-twice
	[ "$(sql 'PRAGMA integrity_check')" = ok ] || echo unsound
	[ "$(sql 'SELECT count(*) FROM round WHERE ended NOT NULL')" = \
		"$(jq -s '[.[].block // empty | if .why then 2 else 1 end] | add' \
		$journal)" ] || echo block-lost
	built >"$work/built.end"
	[ -z "$(comm -23 "$work/built" "$work/built.end")" ] || echo build-twice
}
make_history f 20 '5:touch src/broken' '6:rm src/broken' \
	'13:echo 10500 >src/cost' '17:touch src/fails' '18:rm src/fails'
before=$(fingerprint)

# reboot: another boot id, from the middle of the search on
half() {	# half SIGNAL LINES: begins a search and ends it there
	wb bisect-perf good HEAD >"$out" 2>"$err" &
	pid=$!
	while kill -0 $pid 2>/dev/null && [ "$(lines)" -lt "$2" ]; do :; done
	kill -"$1" $pid 2>/dev/null
	wait $pid
	rc=$?
	built >"$work/built"
}
half KILL 14
echo 11111111-2222-3333-4444-555555555555 >"$work/boot"
if unshare -m true 2>/dev/null; then
	run unshare -m sh -c "mount --bind '$work/boot' \
		/proc/sys/kernel/random/boot_id && wb bisect-perf --json good HEAD"
	status 0 'after a reboot it goes on'
	is 'in two boots' "$(sql 'SELECT count(DISTINCT boot) FROM round')" 2
	is 'all is right' "$(faults)" ''
else
	skip 'a reboot' 'no mount namespace (needs root)'
fi

# Ctrl-C
for at in $([ -n "${LONG:-}" ] && seq 1 40 || echo 2 12); do
	fresh
	half INT "$at"
	is "Ctrl-C at line $at" $rc 130
	one_error "Ctrl-C at line $at" saved
	is "and on from there" "$(faults)" ''
done

# a store that is read-only: what is there can be seen
fresh
half KILL 20
cp -r .git/wb "$work/store"
if mount -t tmpfs tmpfs .git/wb 2>/dev/null; then
	trap 'cd /; umount -l "$work/f/.git/wb"; rm -rf "$work"' EXIT
	cp -r "$work"/store/* .git/wb/
	mount -o remount,ro .git/wb
	run wb bisect-perf good HEAD
	status 128 'a store that is read-only'
	one_error 'a store that is read-only' 'read-only\|readonly\|Read-only'
	for word in --status --visualize --log; do
		run wb bisect-perf $word
		status 0 "$word of it"
	done
	mount -o remount,rw .git/wb
	is 'writable again: it goes on' "$(faults)" ''
	umount -l .git/wb
	trap 'cd /; chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
else
	skip 'a store that is read-only' 'cannot mount (needs root)'
fi

is 'nothing of the user is touched' "$(fingerprint)" "$before"
done_testing
