# Tables of mmtests, byte for byte, as the original printed them.
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

# Honest: the numbers are the same, the holes are not.
run wb report --samples "$formats/lower-2col.jsonl" --format mmtests
ok "an interval" grep -q '^CI95 .*\[8.48,12.25\]%' "$out"
ok "n is given" grep -q '^n = 10 10 processes' "$out"
ok "what the star is" grep -q '\*: it excludes 0' "$out"

run wb report --samples "$formats/lower-2col.jsonl" --compat
status 129
one_error "compat alone" "--format mmtests"
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
