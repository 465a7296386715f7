# wb export, wb import: the same report elsewhere, all of it or nothing.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
make_stack
wb trust >/dev/null 2>&1
run wb export
status 125 "nothing measured"
one_error "nothing measured" "nothing measured yet"
wb run --rounds 4 >/dev/null 2>&1
# where a log lies is this machine's own
report() {
	run wb report --json
	sed -i 's/, log: [^)]*)/)/' "$out"
}
report
cp "$out" "$work/report.json"
run wb export -o "$work/a.jsonl"
status 0
is "the line that names it" "$(cat "$out")" \
	"wb-data: sha256:$(sha256sum <"$work/a.jsonl" | cut -c 1-64)"
run wb export
ok "the same bytes on stdout" cmp "$out" "$work/a.jsonl"
run wb export -o /proc/self/fd/1
status 0 "stdout by its name"
ok "the same bytes by that name" cmp -n "$(stat -c %s "$work/a.jsonl")" "$out" \
	"$work/a.jsonl"
is "and the line" "$(tail -n 1 "$out" | cut -c 1-16)" "wb-data: sha256:"
run wb export --id
is "--id is that line" "$(cat "$out")" \
	"wb-data: sha256:$(sha256sum <"$work/a.jsonl" | cut -c 1-64)"
run wb report --email --output "$work/mail-out"
status 0 "a mail"
ok "names the same data" grep -rqxF "wb-data: sha256:$(sha256sum \
	<"$work/a.jsonl" | cut -c 1-64)" "$work/mail-out"
not_ok "no path of this machine" grep -qF "$work" "$work/a.jsonl"
not_ok "no host name" grep -qF "$(uname -n)" "$work/a.jsonl"
keys='["prefix","tree","build","machine","boot","round","order","run","time","env"]'
ok "all keys in each line" jq -es "[.[1:][] | . as \$o | $keys |
	all(. as \$k | \$o | has(\$k))] | all" "$work/a.jsonl"
is "the prefixes" "$(jq -c .prefixes "$work/a.jsonl" | head -n 1)" \
	"$(jq -c '[.rows[].prefix] | unique_by(.)' "$work/report.json" |
	jq -c --slurpfile h "$work/a.jsonl" '$h[0].prefixes')"
is "every sample" "$(jq -s '[.[1:][] | select(has("value") and
	(.control | not))] | length' "$work/a.jsonl")" \
	"$(jq '[.rows[].n] | add' "$work/report.json")"
ok "the A/A control" grep -q '"control":true' "$work/a.jsonl"
run wb report --samples "$work/a.jsonl" --json
status 0 "read as a file"
numbers() {
	jq -c '[.rows[] | select(.n > 0) | del(.subject, .reason)], .quality' "$1"
}
is "the same numbers and verdicts" "$(numbers "$out")" \
	"$(numbers "$work/report.json")"

# elsewhere
for c in b c d; do git clone -q . "$work/$c" 2>/dev/null; done
cd "$work/b" || exit 1
wb trust >/dev/null 2>&1
run wb import "$work/a.jsonl"
status 0 "import"
runs=$(jq -s '[.[1:][].run] | unique | length' "$work/a.jsonl")
is "says how many" "$(cat "$out")" "$work/a.jsonl: $runs runs, $runs new here"
report
status 0
ok "the same report" cmp "$out" "$work/report.json"
run wb export
ok "the same export" cmp "$out" "$work/a.jsonl"
run wb import "$work/a.jsonl"
is "a second time adds nothing" "$(cat "$out")" \
	"$work/a.jsonl: $runs runs, 0 new here"
report
ok "and changes nothing" cmp "$out" "$work/report.json"

# out of a page
cd "$work/repo" && wb report --format html >"$work/report.html"
git clone -q . "$work/e" 2>/dev/null && cd "$work/e" || exit 1
wb trust >/dev/null 2>&1
run wb import "$work/report.html"
status 0 "a page"
run wb export
ok "has the same lines" cmp "$out" "$work/a.jsonl"
run wb report --samples "$work/report.html" --json
sed -i 's/, log: [^)]*)/)/' "$out"
ok "a page gives the report that it was" cmp "$out" "$work/report.json"
rm -rf .git/wb
sed 's/\(id="wb-lines">.\{40\}\)./\1?/' "$work/report.html" >"$work/bad.html"
run wb import "$work/bad.html"
status 128 "a damaged page"
one_error "a damaged page" "bad.html: its samples are damaged"
sed 's/\(id="wb-lines">.\{40\}\)..../\1AAAA/' "$work/report.html" >"$work/bad.html"
run wb import "$work/bad.html"
status 128 "other bytes in a page"
wb report --samples "$work/a.jsonl" --format html >"$work/plain.html"
run wb import "$work/plain.html"
status 128 "a page of a file"
one_error "a page of a file" "it is not a file of wb export"

# in any order, in parts
head -n 1 "$work/a.jsonl" >"$work/head"
tail -n +2 "$work/a.jsonl" | sort -r | cat "$work/head" - >"$work/shuffled.jsonl"
cd "$work/c" || exit 1
wb trust >/dev/null 2>&1
run wb import "$work/shuffled.jsonl"
status 0 "lines in another order"
report
ok "give the same report" cmp "$out" "$work/report.json"
rm -rf .git/wb
sort -r "$work/a.jsonl" >"$work/shuffled.jsonl"
run wb import "$work/shuffled.jsonl"
status 0 "the header below its lines"
report
ok "gives the same report" cmp "$out" "$work/report.json"
round=$(sed -n 2p "$work/a.jsonl" | jq -r .env.round)
grep -F "$round" "$work/a.jsonl" | cat "$work/head" - >"$work/one.jsonl"
grep -vF "$round" "$work/a.jsonl" >"$work/rest.jsonl"
cd "$work/d" || exit 1
wb trust >/dev/null 2>&1
run wb import "$work/rest.jsonl" "$work/one.jsonl"
status 0 "parts"
run wb export
ok "parts in another order give the same export" cmp "$out" "$work/a.jsonl"

# another machine's
cd "$work/c" || exit 1
other=$(printf %064d 7)
jq -c --arg m "$other" 'if .wb then .machine_facts = "Another CPU" else . end |
	.machine = $m | if .env then .env.round |= .[:31] + "x" else . end' \
	"$work/a.jsonl" >"$work/bad.jsonl"
run wb import "$work/bad.jsonl"
status 128 "an id that is none"
one_error "an id that is none" "bad.jsonl:2: \"env.round\" is '"
jq -c --arg m "$other" 'if .wb then .machine_facts = "Another CPU" else . end |
	.machine = $m | if .env then .env.round |=
	(if startswith("f") then "e" else "f" end) + .[1:] else . end' \
	"$work/a.jsonl" >"$work/other.jsonl"
run wb import "$work/other.jsonl"
status 0 "another machine"
run wb report --json
is "this machine's report has none of it" \
	"$(jq -c '[.rows[].value]' "$out")" \
	"$(jq -c '[.rows[].value]' "$work/report.json")"
is "but says so" "$(jq -r '.left_out[0].machine_facts' "$out")" "Another CPU"
run wb report --json --machine "$(echo "$other" | cut -c 1-12)"
status 0 "--machine"
is "the other machine's" "$(jq -r .machine "$out" | head -c 12)" \
	"$(jq -rn --arg m "$other" '$m' | head -c 12)"
run wb report --email --tested-by --output "$work/mails" --machine "$other"
status 129 "no Tested-by for another machine"
run wb report --machine 123456
status 125 "an unknown machine"
cd "$work/d" && rm -rf .git/wb
wb import "$work/other.jsonl" >/dev/null
run wb report
status 0 "the only machine there is"
ok "is named" grep -q 'Another CPU' "$out"

# all or nothing
cd "$work/d" && rm -rf .git/wb
bad() {	# bad NAME SED-SCRIPT MESSAGE: of the last line
	sed "\$$2" "$work/a.jsonl" >"$work/bad.jsonl"
	run wb import "$work/bad.jsonl"
	status 128 "$1"
	one_error "$1" "bad.jsonl:$(wc -l <"$work/a.jsonl"): .*$3"
}
bad "cut" 's/.....$//' "one JSON object"
bad "no build" 's/"build":"[^"]*",//' 'no "build"'
bad "a path for a build" 's/"build":"[^"]*"/"build":"..\/x"/' 'no id'
bad "NaN" 's/"value":[^,]*/"value":NaN/' 'JSON'
bad "text for a value" 's/"value":[^,]*/"value":"1"/' 'not a number'
bad "a negative place" 's/"order":[0-9]*/"order":-1/' 'whole number'
bad "a time that is none" 's/"time":"[^"]*"/"time":"now"/' '"time"'
bad "an unknown machine" 's/"machine":"./"machine":"0/;$s/"machine":"0./"machine":"01/' 'machine'
bad "no env" 's/"env":.*/"x":1}/' 'no "env"'
zeros=$(printf '%064d' 0)
bad "an unknown bench" 's/"env":{"bench":"[^"]*"/"env":{"bench":"'"$zeros"'"/' \
	'no header tells of bench'
# of one run that failed, one that did not, and two that were counted
twice() {	# twice NAME JQ-OF-ANOTHER-LINE MESSAGE: in either order
	for by in . reverse; do
		sed '1d' "$work/a.jsonl" | jq -cs "[.[0] | $first, ($2)] |
			$by | .[]" | cat "$work/head" - >"$work/bad.jsonl"
		run wb import "$work/bad.jsonl"
		status 128 "$1, $by"
		one_error "$1, $by" "bad.jsonl:3: .*$3"
	done
}
first=.
twice "a run that failed and has samples" \
	'del(.metric, .value, .iter, .unit) | .failed = "exit 1"' \
	'a run that failed has samples'
first='del(.metric, .value, .iter, .unit) | .failed = "exit 1"'
twice "two reasons" "$first"' | .failed = "exit 2"' 'a second reason'
first='del(.value) | .count = [1, 2, 3]'
twice "two counts" "$first | .count = [1, 2, 2]" 'a second count of'
is "nothing of them is stored" \
	"$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM run')" 0
wb import "$work/a.jsonl" >/dev/null
sed '/"prefix":"base"/s/"value":[^,]*/"value":1/' "$work/a.jsonl" >"$work/bad.jsonl"
run wb import "$work/bad.jsonl"
status 128 "other numbers"
one_error "other numbers" "bad.jsonl:[0-9]*: .*other numbers"
run wb import /nonexistent
status 128 "no such file"
run wb import
status 129 "no file"
done_testing
