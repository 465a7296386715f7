# What a bench may print: without end, in depth, cut off, no numbers. The run
# ends with one line that names it, in bounded memory, and stores no sample.
. "$(dirname "$0")/../lib.sh"

make_repo
git commit -q --allow-empty -m base
# try READER NAME COMMAND WHY; no more memory than 300 MiB, but for a sanitizer's
try() {
	rm -rf .git/wb
	run sh -c "${SAN_TEST-ulimit -v 307200;} exec \"\$@\"" - \
		wb -c wb.series=HEAD..HEAD -c wb.fifo=off \
		-c wb-bench.b.level=S -c wb-bench.b.command="$3" \
		-c wb-bench.b.reader="$1" run --rounds 1
	is "$1, $2: exit code" "$rc" 125
	is "$1, $2: one line of each try" \
		"$(grep -c "^wb: b: prefix 0 'base': .*$4" "$err")" 2
	is "$1, $2: no sample" "$(sqlite3 .git/wb/results.db \
		'SELECT count(*) FROM sample')" 0
	is "$1, $2: seven bits of plain text" \
		"$(LC_ALL=C tr -d '\n\t -~' <"$err" | wc -c)" 0
}
grep -q __asan_init "$B/wb" && SAN_TEST=
awk 'BEGIN { for (i = 0; i < 300000; i++) printf "{\"a\":["; }' >"$work/deep"
for r in samples lines last-number google-benchmark hyperfine go perf-stat ktap \
		mmtests; do
	try $r endless "yes 'm 5 ns'" 'printed more than 64 MiB'
	try $r deep "cat '$work/deep'" .
	try $r NUL "printf 'm 5 ns\\n\\000'" 'line 2: a NUL byte'
	try $r nothing : .
done
try time endless "yes" 'printed more than 64 MiB'
try lines 'a line of a terminal' "printf 'm\\033[2J 5 ns five\\n'" 'line 1: '
try lines 'many names' "seq 1 200000 | sed 's/.*/m& 5/'" 'more than 10000 metrics'
try samples 'complaints without end' 'yes x >&2' 'printed more than 64 MiB'
done_testing
