# kill -9 and a full disk at calls of wb report --changelog, --cover and --email
# that write (some of them, and the last four; all with LONG=1): a file is the
# old one or the new one, and the next call ends the work.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../fault.sh"

why=$(faulty_here) || skip_all "$why"

make_stack
rm patches/breaks.patch patches/mends.patch
printf 'faster.patch\ncomment.patch\n' >patches/series
commit two
wb trust >/dev/null
wb -q run --rounds 8 >/dev/null 2>&1
mkdir "$work/mails"
wb series export --cover-letter -o "$work/mails" >/dev/null
letter=$(echo "$work"/mails/0000-*)
cp "$letter" "$work/letter"
cp -r . "$work/clean"
cd "$work" || exit 1

# fresh: everything as it was before the command
fresh() {
	cd "$work" && rm -rf repo mails/* answers && cp -r clean repo &&
		cp letter "$letter" && cd repo || exit 1
}
# every file that the command may write, as sums, but what lies beside one
# before it takes its place
state() {
	find patches "$work/mails" "$work/answers" -type f \
		! -name '*.tmp-*' ! -name '.*.wb-new' -exec sha256sum {} + 2>/dev/null | sort
}
# faults NAME CMD...: at each call
faults() {
	name=$1
	shift
	fresh
	state >"$work/old"
	COUNT_IN=$work/calls faulty "$@"
	is "$name: goes through" $? 0
	state >"$work/new"
	calls=$(cat "$work/calls")
	ok "$name: writes ($calls calls)" [ "$calls" -gt 2 ]
	for kind in KILL FULL; do
		at=0 bad=0 undone=0
		while [ $at -lt "$calls" ]; do
			at=$((at + 1))
			[ -n "${LONG-}" ] || [ $((at % (calls / 5 + 1))) = 0 ] ||
				[ $at -gt $((calls - 4)) ] || continue
			fresh
			run env LD_PRELOAD="$work/fault-at.so" ${kind}_AT=$at "$@"
			# a file is whole: it is in the old set or the new one
			state >"$work/now"
			sort -u "$work/old" "$work/new" >"$work/both"
			[ -z "$(comm -23 "$work/now" "$work/both")" ] ||
				bad=$((bad + 1))
			"$@" >"$out" 2>"$err" </dev/null
			state | cmp -s - "$work/new" || undone=$((undone + 1))
		done
		is "$name: $kind: nothing half-written" $bad 0
		is "$name: $kind: and then it goes through" $undone 0
	done
}

faults changelog wb report --changelog faster
faults cover wb report --cover -o "$letter"
faults email wb report --email --each --tested-by -o "$work/answers"
done_testing
