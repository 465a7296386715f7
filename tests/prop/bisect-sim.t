# The bisect engine against simulated histories: every row within its limits,
# 200 seeded trials each (LONG: 1000).
. "$(dirname "$0")/../lib.sh"

run "$B/bisect-sim" --trials "$([ -n "${LONG:-}" ] && echo 1000 || echo 200)"
is 'every row ran' "$(grep -c ' false ' "$out")" 29
while IFS= read -r row; do
	case $row in
	*' false '*) ok "$row" [ "${row#*MISSED}" = "$row" ] ;;
	esac
done <"$out"
status 0
done_testing
