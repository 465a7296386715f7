# Layouts of other programs, byte for byte, as the originals printed them.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
formats=$data/formats

for flags in "$formats"/*.flags; do
	name=$(basename "$flags" .flags)
	# shellcheck disable=SC2046	# flags are words
	run wb report --samples "$formats/$name.jsonl" $(cat "$flags")
	status 0 "$name: exit code"
	ok "$name: same bytes" cmp "$out" "$formats/$name.txt"
done

# The two tables of the page allocator mails, number for number.
for mail in decstat micro; do
	run wb report --samples "$formats/mail-$mail.jsonl" --format mmtests \
		--compat --widths=2016
	grep -E '^( |Min)' "$out" >"$work/min"
	ok "$mail: the mail's table" cmp "$work/min" "$formats/mail-$mail.txt"
done

# The reply of 2011, word for word, and the list of 2023, byte for byte.
run wb report --samples "$formats/mail-netperf.jsonl" --format delta
tr -s ' ' <"$out" | head -n 8 >"$work/words"
ok "netperf: the mail's table" cmp "$work/words" "$formats/mail-netperf.txt"
ok "netperf: n is given" grep -q '^n = 1 1 processes' "$out"
run wb report --samples "$formats/mail-pcppage.jsonl" --format lkp-list --compat
ok "pcppage: the mail's list" cmp "$out" "$formats/mail-pcppage.txt"
run wb report --samples "$formats/mail-pcppage.jsonl" --format lkp-list
head -n "$(wc -l <"$formats/mail-pcppage.txt")" "$out" >"$work/list"
ok "pcppage: and by default" cmp "$work/list" "$formats/mail-pcppage.txt"
run wb report --samples "$formats/mail-pcppage.jsonl" --json
is "pcppage: no neighbours differ" "$(jq -r '[.rows[] | select(.metric ==
	"will-it-scale.1.processes") | .verdict // empty] | unique | join(" ")' \
	"$out")" unclear

# Each layout compares as it does, and says so.
for format in lkp benchstat mmtests; do
	run wb report --samples "$formats/six-columns.jsonl" --format $format \
		--against 2
	status 129
	one_error "$format against 2" "compares with the first column"
done
run wb report --samples "$formats/six-columns.jsonl" --format lkp-list \
	--against 2
one_error "lkp-list against 2" "prints no change"
run wb report --samples "$formats/six-columns.jsonl" --format delta --against 2
ok "delta against 2" grep -q '^6.6.0-rc1-step-2$' "$out"
run wb report --samples "$formats/six-columns.jsonl" --format benchstat --compat
status 129
one_error "benchstat has no compat" "mmtests, lkp, lkp-list or delta"
for format in delta benchstat; do
	run wb report --samples "$formats/six-columns.jsonl" --format $format
	not_ok "$format: 72 columns" grep -qE '.{73}' "$out"
	not_ok "$format: no blank at an end" grep -qE '^ | $' "$out"
	run wb report --samples "$formats/six-columns.jsonl" --format $format \
		--metric alloc-odr0-8 --only changed
	not_ok "$format: --only changed" grep -q 'step-4' "$out"
	not_ok "$format: --metric" grep -q 'odr0-64' "$out"
done

# Honest: the numbers are the same, the holes are not.
run wb report --samples "$formats/lower-2col.jsonl" --format mmtests
ok "an interval" grep -q '^CI95 .*\[8.48,12.25\]%' "$out"
ok "n is given" grep -q '^n = 10 10 processes' "$out"
ok "what the star is" grep -q '\*: it excludes 0' "$out"

run wb report --samples "$formats/lower-2col.jsonl" --compat
status 129
one_error "compat alone" "--format mmtests, lkp"
run wb report --samples "$formats/lower-2col.jsonl" --format mmtests --rows all
status 129
one_error "rows" "multiops, singleops"
run wb report --samples "$formats/lower-2col.jsonl" --format mmtests \
	--widths=2017
status 129
run wb report --samples "$formats/lower-2col.jsonl" --format mmtests \
	--decimals 99
status 129
done_testing
