#!/bin/sh
# Overhead of wb run per sample: the wall time of N runs of a command by wb,
# half of them of the A/A control, against a bare fork+exec+wait loop of the
# same command, interleaved.
# Target: at most 2 ms a sample. Once without a sandbox, and once in it: the box
# costs before and after the command, not in the command's own time.
. "$(dirname "$0")/../lib.sh"
n=${N:-400}

cc -O2 -o "$work/bare" "$top/tests/perf/bare.c" -lsqlite3 || exit 1
make_repo
mkdir patches
touch patches/series
line='{"metric":"t","unit":"ns","better":"lower","value":5}'
cat >.git/wbconfig.tmp <<EOS
[wb]
	series = patches
[wb-bench "b"]
	command = "echo '$(echo "$line" | sed 's/"/\\"/g')'"
	level = S
EOS
cat .git/wbconfig.tmp >>.git/config
commit base
for round in 1 2 3 4 5; do
	a=$("$work/bare" loop "$n" "echo '$line'")
	rm -rf .git/wb
	b=$("$work/bare" time "$B/wb -q --no-sandbox run --rounds $((n / 2)) >/dev/null")
	rm -rf .git/wb
	c=$("$work/bare" time "$B/wb -q run --rounds $((n / 2)) >/dev/null")
	echo "${a%% *} ${b%% *} ${c%% *}"
done >"$work/times"
awk -v n="$n" '{ a[NR] = $1; d[NR] = ($2 - $1) / n * 1000; b[NR] = $2
	e[NR] = ($3 - $1) / n * 1000; f[NR] = ($3 - $2) / n * 1000 }
	function med(v,   i, j, t) { for (i = 2; i <= NR; i++)
		for (j = i; j > 1 && v[j-1] > v[j]; j--) {
			t = v[j]; v[j] = v[j-1]; v[j-1] = t }
		return v[int((NR + 1) / 2)] }
	END { printf "n = %d, 5 repeats, medians\n", n
	printf "bare loop    %.3f ms a run\n", med(a) / n * 1000
	printf "wb run       %.3f ms a run (start and report included)\n",
		med(b) / n * 1000
	printf "overhead     %.3f ms a run (target: at most 2)\n", med(d)
	printf "in a sandbox %.3f ms a run, of which the box %.3f\n",
		med(e), med(f) }' \
	"$work/times"
