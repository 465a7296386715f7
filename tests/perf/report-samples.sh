#!/bin/sh
# wb report --samples of 1,000,000 lines as they are exported. Target: 15 s, and
# memory for the points, not for the file. Prints figures, judges nothing.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# 10 prefixes x 40 metrics x 2,500 rounds
awk 'BEGIN {
	for (i = 0; i < 64; i++) id = id sprintf("%x", (i * 7) % 16)
	for (r = 0; r < 2500; r++) for (p = 0; p < 10; p++)
		for (m = 0; m < 40; m++)
			printf "{\"bench\":\"b\",\"metric\":\"m%d\",\"unit\":\"ns\"," \
			"\"better\":\"lower\",\"value\":%.1f,\"level\":\"S\"," \
			"\"prefix\":\"p%d\",\"tree\":\"%.40s\",\"build\":\"%s\"," \
			"\"machine\":\"%s\",\"boot\":\"x\",\"round\":%d," \
			"\"order\":%d,\"run\":%d}\n", m, \
			100 + m + p / 10 + rand(), p, id, id, id, r, p, \
			r * 10 + p
}' >samples.jsonl
echo "file: $(wc -l <samples.jsonl) lines, $(($(wc -c <samples.jsonl) >> 20)) MiB"
for format in terminal csv json mmtests; do
	wb report --samples samples.jsonl --format $format >"$out" &
	pid=$!
	start=$(date +%s.%N)
	peak=0
	while kill -0 $pid 2>/dev/null; do
		now=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null)
		[ "${now:-0}" -gt "$peak" ] && peak=$now
		sleep 0.05
	done
	wait $pid || exit 1
	echo "$(date +%s.%N) $start" | awk -v f=$format -v p="$peak" '{
		printf "%-9s %5.1f s (target 15), peak %d MiB\n", f, $1 - $2,
			p / 1024 }'
done
