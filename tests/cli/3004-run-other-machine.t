# Only like is compared with like: samples of another machine, or of this one
# in another state, are left out, and the report says what differs.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
db=.git/wb/results.db
wb trust >/dev/null
run wb run --rounds 3
run wb report
not_ok "nothing is left out" grep -q 'left out' "$out"
run wb report --json
n=$(jq -r '.rows[] | select(.index == 0) | .n' "$out")
is "n" "$n" 3

# as if all that was measured under another governor
facts=$(sqlite3 $db 'SELECT facts FROM machine')
governor=${facts##*, governor }
sqlite3 $db "UPDATE machine SET id = 'other',
	facts = replace(facts, 'governor $governor', 'governor other')"
run wb report
status 0 "nothing like it was measured: the only other machine's are shown"
ok "as what they are" grep -q 'governor other' "$out"
run wb run --rounds 2
run wb report
ok "says how many and what differs" sh -c \
	"tr '\n' ' ' <'$out' | tr -s ' ' | grep -qE 'left out: [0-9]+ runs of another machine, or of this one in another state: governor other, here governor $governor'"
run wb report --json
is "only what is like it counts" \
	"$(jq -r '.rows[] | select(.index == 0) | .n' "$out")" 2
is "JSON says it too" "$(jq -r '.left_out[0].machine_facts' "$out" |
	sed 's/.*, //')" "governor other"
ok "and how many" jq -e '.left_out[0].runs >= 12' "$out"
is "each run has its boot" "$(sqlite3 $db "SELECT count(*) FROM run JOIN round
	ON round.row = run.round WHERE boot NOT LIKE '%-%-%'")" 0

# a file that mixes two machines is refused, with the place
cat >"$work/s.jsonl" <<'E2'
{"bench":"b","prefix":"base","metric":"m","value":1,"machine":"aaaa"}
{"bench":"b","prefix":"one","metric":"m","value":2,"machine":"bbbb"}
E2
run wb report --samples "$work/s.jsonl"
status 128
one_error "two machines" "s.jsonl:2: .*machine"
done_testing
