# The readers on what the programs themselves print, where they are installed.
. "$(dirname "$0")/../lib.sh"

make_repo
# what these programs print is the matter here, not what a box lets them do:
# perf without privilege counts task-clock:u
git config wb.sandbox off
mkdir patches
: >patches/series
printf 'first\n' >file
commit base
echo second >file
commit second
git format-patch -q -1 --stdout >"$work/second.patch"
git reset -q --hard HEAD~1
mkdir -p patches
cp "$work/second.patch" patches/
echo second.patch >patches/series
commit stack
cat >"$work/hyperfine" <<'EOS'
hyperfine -N -r 3 -w 1 --export-json h.json true >&2 && cat h.json
EOS
cat >"$work/perf-stat" <<'EOS'
perf stat -j --log-fd 1 -e task-clock,page-faults true
EOS
cat >"$work/go" <<'EOS'
mkdir -p g && cd g
printf 'module example.org/x\ngo 1.19\n' >go.mod
printf 'package x\nimport "testing"\nfunc BenchmarkOne(b *testing.B) {\nfor i := 0; i < b.N; i++ {}\n}\n' >x_test.go
GOFLAGS=-mod=mod GOCACHE="$HOME/gocache" GOPATH="$HOME/gopath" \
	go test -run none -bench . -benchtime 10x -benchmem
EOS
cat >"$work/google-benchmark" <<'EOS'
[ -x "$HOME/gb" ] || g++ -O1 -o "$HOME/gb" "$HOME/gb.cc" -lbenchmark -lpthread
"$HOME/gb" --benchmark_format=json --benchmark_min_time=0.001 --benchmark_repetitions=2
EOS
cat >"$HOME/gb.cc" <<'EOS'
#include <benchmark/benchmark.h>
static void BM_one(benchmark::State &s)
{
	for (auto _ : s)
		benchmark::DoNotOptimize(s.iterations());
	s.SetItemsProcessed(s.iterations());
}
BENCHMARK(BM_one);
BENCHMARK_MAIN();
EOS

# try READER METRIC UNIT BETTER
try() {
	rm -rf .git/wb
	run wb -c "wb-bench.b.command=sh '$work/$1'" \
		-c "wb-bench.b.reader=$1" -c wb-bench.b.level=S \
		-c wb.series=patches run --rounds 2
	status 0 "$1: measures"
	run wb -c "wb-bench.b.command=sh '$work/$1'" \
		-c "wb-bench.b.reader=$1" -c wb-bench.b.level=S \
		-c wb.series=patches report --json
	is "$1: $2" "$(jq -r --arg m "$2" '[.rows[] | select(.metric == $m)] |
		"\(length) \(.[0].unit) \(.[0].better) \(.[0].value >= 0)"' "$out")" \
		"2 $3 $4 true"
}
skip() { echo "# SKIPPED: $1 is not installed (package $2)" >&2; }
if command -v hyperfine >/dev/null; then try hyperfine true s lower
else skip hyperfine hyperfine; fi
if command -v perf >/dev/null && perf stat -j -e task-clock true >/dev/null 2>&1
then try perf-stat task-clock msec lower
else skip 'a perf that may count' linux-perf; fi
if command -v go >/dev/null; then try go One ns/op lower
else skip go golang-go; fi
if command -v g++ >/dev/null && [ -e /usr/include/benchmark/benchmark.h ]
then try google-benchmark BM_one ns lower
else skip google-benchmark libbenchmark-dev; fi
[ $tests -gt 0 ] || skip_all "none of the programs is installed"
done_testing
