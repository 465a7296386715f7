# wb places hunks where GNU patch and git apply place them.
# SEED and ROUNDS may be set; a failure prints them. LONG=1 plays more rounds.
. "$(dirname "$0")/../lib.sh"

for p in patch perl; do
	command -v $p >/dev/null || skip_all "$p is not installed"
done
export work
rounds=12
[ -z "${LONG:-}" ] || rounds=120
perl "$top/tests/prop/series-patch.pl" "${SEED:-1}" "${ROUNDS:-$rounds}"
