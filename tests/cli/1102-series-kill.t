# kill -9 at any point of a change leaves the old stack or the new one.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../edit.sh"

case $B in
*/asan | */ubsan | */tsan) skip_all "nothing can be preloaded under a sanitizer" ;;
esac
${CC:-cc} -D_GNU_SOURCE -shared -fPIC -o "$work/kill-at.so" \
	"$data/kill-at.c" -ldl 2>"$err" || skip_all "no compiler for the preload"

make_edit_stack
cp -r "$work/repo" "$work/clean"

# old and new as sums of the files
enter() { cd "$work" && rm -rf repo && cp -r clean repo && cd repo || exit 1; }
enter
files >"$work/old"
untouched >"$work/before"
wb series reorder three two >"$out" && wb series fold two >"$out"
files >"$work/folded"
enter
wb series reorder three two >"$out"
files >"$work/new"
not_ok "the change is one" cmp -s "$work/old" "$work/new"

at=0 old=0 new=0 mixed=0 touched=0 broken=0 half=0
while at=$((at + 1)); do
	enter
	KILL_AT=$at LD_PRELOAD="$work/kill-at.so" \
		wb series reorder three two >"$out" 2>"$err"
	rc=$?
	files >"$work/after-kill"
	cmp -s "$work/after-kill" "$work/old" ||
		cmp -s "$work/after-kill" "$work/new" || half=$((half + 1))
	untouched | cmp -s - "$work/before" || touched=$((touched + 1))
	# the next command, even one that only reads, makes it whole
	wb series trees >"$out" 2>"$err" || broken=$((broken + 1))
	files >"$work/now"
	if cmp -s "$work/now" "$work/old"; then old=$((old + 1))
	elif cmp -s "$work/now" "$work/new"; then new=$((new + 1))
	else mixed=$((mixed + 1)); fi
	# and the stack can be worked on
	[ $((at % 5)) != 0 ] || wb series drop one >"$out" 2>"$err" ||
		{ broken=$((broken + 1)); cat "$err" >>"$work/why"; }
	[ $rc = 137 ] || break
done
is "the last run was not killed" $rc 0
ok "there were many points ($at)" [ $at -gt 15 ]
ok "some left the old stack ($old)" [ $old -gt 3 ]
ok "some left the new one ($new)" [ $new -gt 3 ]
ok "some were half way when they were killed ($half)" [ $half -gt 0 ]
is "none left a mixture" $mixed 0
is "none touched anything else" $touched 0
is "none left a stack that is of no use" $broken 0
[ ! -e "$work/why" ] || sed 's/^/# /' "$work/why"
done_testing
