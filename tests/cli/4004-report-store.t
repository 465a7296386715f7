# wb report from the store: what was not measured is said.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
make_stack
cat >>.wbconfig <<'EOS'
[wb-bench "other"]
	command = echo x 1 us
	reader = lines
EOS
commit "another bench"
wb trust >/dev/null 2>&1

yet="nothing measured yet for the present builds and benches; measure with"
run wb report
status 125 "nothing measured"
one_error "nothing measured" "$yet 'wb run'"

wb run --bench b --rounds 4 >/dev/null 2>&1
run wb report
status 0
ok "the bench that has samples" grep -q '^b: changes' "$out"
ok "the bench that has none" grep -q '^other: not measured' "$out"
run wb report --bench other
status 125 "a bench without samples"
one_error "a bench without samples" "$yet 'wb run --bench=other'"
run wb report --bench nobody
status 129 "a bench that is not configured"
one_error "a bench that is not configured" "no bench matches --bench nobody"
run wb report --metric nobody
status 129 "a metric that is not there"
one_error "a metric that is not there" "no metric matches --metric nobody"

# the store has samples, but of another base: no hole is to blame
echo 2000 >src/cost && commit "another base"
echo 2100 >src/cost && commit "another patch"
run wb report HEAD~1..HEAD
status 125 "builds that were never measured"
one_error "builds that were never measured" "$yet 'wb run HEAD~1..HEAD'"

# commits by their digits, with their subjects
wb run --bench b --rounds 4 HEAD~1..HEAD >/dev/null 2>&1
head=$(git rev-parse HEAD)
for p in 1 "$head" "$(echo "$head" | cut -c 1-7)"; do
	run wb report --against "$p" HEAD~1..HEAD
	status 0 "--against $p"
	ok "--against $p is the commit" \
		grep -q " from $(echo "$head" | cut -c 1-12)" "$out"
done
ok "the subject" grep -q "^1  $(echo "$head" | cut -c 1-12)  another patch\$" \
	"$out"
run wb report --json HEAD~1..HEAD
is "the subject in json" "$(jq -r '.rows[1].subject' "$out")" "another patch"
run wb report --format csv HEAD~1..HEAD
ok "the subject in csv" grep -q ',"another patch",rounds,' "$out"
done_testing
