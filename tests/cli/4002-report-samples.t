# wb report --samples: from a file or stdin, without a repository.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
six=$data/formats/six-columns.jsonl

run wb report --samples "$six"
status 0
ok "a verdict" grep -q 'faster' "$out"
ok "stderr is empty" test ! -s "$err"
not_ok "nothing that git commit takes for a comment" grep -q '^#' "$out"
cp "$out" "$work/first"
run sh -c "cat '$six' | wb report --samples -"
status 0
ok "stdin gives the same" cmp "$out" "$work/first"
run wb report --samples "$six"
ok "the same bytes each time" cmp "$out" "$work/first"
run env COLUMNS=200 wb report --samples "$six"
ok "wide terminal: names in the tables" grep -qE '^k  patch +value' "$out"
run wb --color=always report --samples "$six"
ok "colour when asked for" grep -q "$(printf '\033')\[32mfaster" "$out"

run wb report --samples "$six" --json
status 0
is "schema" "$(jq .schema "$out")" 1
is "a row for each prefix and metric" "$(jq '.rows | length' "$out")" 18
is "the base row" "$(jq -c '.rows[0] | [.index, .prefix, .n, .value, .against,
	.change, .low, .high, .verdict]' "$out")" \
	'[0,"6.6.0-rc1-vanilla",13,470,null,null,null,null,null]'
is "keys in order" "$(jq -r '.rows[1] | keys_unsorted | .[0:16] | join(" ")' \
	"$out")" "bench metric unit better level index prefix tree against\
 value n change low high verdict reason"
ok "an interval around each change" jq -e '[.rows[] | select(.index > 0) |
	.low <= .change and .change <= .high] | all' "$out"
ok "against the one before" jq -e '.rows[2].against == .rows[1].prefix' "$out"
run wb report --samples "$six" --json --against base
ok "against the base" jq -e '[.rows[] | select(.index > 0) |
	.against == "6.6.0-rc1-vanilla" and .change == .base_change] | all' \
	"$out"
run wb report --samples "$six" --against 6.6.0-rc1-step-2
ok "against a name" grep -q 'value .* from 6.6.0-rc1-step-2' "$out"
for p in 2 6.6.0-rc1-step-2.patch; do
	run wb report --samples "$six" --against $p
	ok "against $p" grep -q 'value .* from 6.6.0-rc1-step-2' "$out"
done
run wb report --samples "$six" --against 6
status 129
one_error "against a number" "0 to 5"
run wb report --samples "$six" --against nobody
status 129
one_error "against" nobody
run wb report --samples "$six" --format json
ok "--format json is --json" jq -e '.schema == 1' "$out"
run wb report --samples "$six" --json --format csv
status 129

run wb report --samples "$six" --format csv
is "csv has a line a row" "$(wc -l <"$out")" 19
run wb report --samples "$six" --metric 'alloc-odr0-?' --format csv
is "--metric" "$(wc -l <"$out")" 13
run wb report --samples "$six" --bench nothing
status 129
one_error "a glob without a match" "--bench nothing"
run wb report --samples "$six" --only changed --metric alloc-odr0-8
not_ok "--only changed leaves out step 4" grep -q '^4 ' "$out"
ok "and keeps step 3" grep -q '^3 ' "$out"
run wb report --samples "$six" --only everything
status 129
run wb report --samples "$six" extra
status 129
run wb report --samples "$six" --format lkp-html
status 129
one_error "an unknown format" "terminal, plain, markdown, mmtests, delta, lkp-list, lkp"

# many metrics: none is judged, all are shown, and it is said
run wb report --samples "$data/formats/pagealloc-2016.jsonl"
status 0
ok "says that nothing is judged" grep -q '^no verdicts' "$out"
not_ok "no verdict" grep -qE 'faster|slower|same|unclear:' "$out"
run wb -c 'wb-bench.b.command=true' -c 'wb-bench.b.judge=alloc-odr0-1' \
	report --samples "$data/formats/pagealloc-2016.jsonl"
ok "judge from the configuration" grep -q 'faster' "$out"
ok "the rest is named" grep -q '^not judged: 14 metrics' "$out"

# a file's bench that has the name of another one here
run wb -c 'wb-bench.b.command=true' -c 'wb-bench.b.judge=nothing-like-it' \
	report --samples "$six"
not_ok "globs that match nothing judge nothing" grep -q '^no verdicts' "$out"
ok "the default judges" grep -q faster "$out"

# one tick of one reading each is no evidence, and is said
run wb report --samples "$data/formats/mail-decstat.jsonl" --json
is "one tick" "$(jq -r '.rows[1] | "\(.verdict) \(.reason) \(.tick)"' "$out")" \
	"null one tick (1) 1"
run wb report --samples "$data/formats/mail-decstat.jsonl" --metric '*-1'
not_ok "no percentage without an interval" grep -q '[0-9]%' "$out"
done_testing
