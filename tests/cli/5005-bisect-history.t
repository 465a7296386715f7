# One slow commit in a history with merges, renames, formatting and commits that
# do not build, found by the command. LONG=1: among 1024 as well.
. "$(dirname "$0")/../lib.sh"
command -v jq >/dev/null || skip_all "jq is not installed"

run sh "$top/tests/perf/bisect-history.sh" 64 ${LONG:+1024}
while IFS= read -r row; do
	case $row in
	*': right; '*) ok "$row" true ;;
	*) ok "$row" false ;;
	esac
done <"$out"
cp "$out" "$work/rows"
is 'all were searched' "$(wc -l <"$work/rows")" "$([ -n "${LONG:-}" ] && echo 8 || echo 4)"
status 0
done_testing
