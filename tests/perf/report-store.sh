#!/bin/sh
# wb report from 1,000,000 stored samples, against a bare SELECT of the same
# rows, interleaved. Target: at most twice the time, and 200 MiB.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

cc -O2 -o "$work/bare" "$top/tests/perf/bare.c" -lsqlite3 || exit 1
make_stack
rm patches/breaks.patch patches/mends.patch
printf 'faster.patch\ncomment.patch\n' >patches/series
wb trust >/dev/null
wb -q run --rounds 1 >/dev/null
# 2 builds x 12,500 rounds x 40 metrics = 1,000,000 samples
sqlite3 .git/wb/results.db <<'EOS'
BEGIN;
WITH RECURSIVE m(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM m WHERE i < 39)
INSERT INTO metric(bench, name, unit, better, level, exact)
	SELECT 1, 'm' || i, 'ns', 1, 2, 0 FROM m;
WITH RECURSIVE r(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM r WHERE i < 12500)
INSERT INTO round(row, bench, machine, boot, seed, began, id)
	SELECT i, 1, 1, 'x', i, 0, printf('%032x', i) FROM r;
INSERT INTO run(round, build, place, level, time, wall, cpu, nivcsw)
	SELECT round.row, b.row, 0, 2, 0, 0.01, 0.01, 0 FROM round,
	(SELECT DISTINCT build AS row FROM run) AS b WHERE round.row > 1;
INSERT INTO sample(run, metric, value, iter)
	SELECT run.row, metric.row, 1000 + abs(random() % 100), 1
	FROM run, metric WHERE run.round > 1 OR metric.row > 1;
COMMIT;
EOS
echo "samples: $(sqlite3 .git/wb/results.db 'SELECT count(*) FROM sample')"
for format in terminal csv json markdown plain mmtests delta lkp-list lkp \
	benchstat; do
	for i in 1 2 3 4 5; do
		a=$("$work/bare" select .git/wb/results.db 2>/dev/null)
		b=$("$work/bare" time "wb --no-pager report --format $format")
		echo "$a $b"
	done | sort -n | awk -v f="$format" '{ r[NR] = $2 / $1; a[NR] = $1;
		b[NR] = $2; m = $3 > m ? $3 : m }
		END { n = asort_(r); printf "%-9s select %.2f s, report %.2f s, ratio %.2f (target 2), peak %.0f MiB (target 200)\n",
			f, a[3], b[3], r[3], m }
		function asort_(v,   i, j, t) { for (i = 2; i <= NR; i++)
			for (j = i; j > 1 && v[j-1] > v[j]; j--) {
				t = v[j]; v[j] = v[j-1]; v[j-1] = t } return NR }'
done
