# wb doctor --apply and --undo on a made-up machine: what was changed is
# changed back, also after kill -9 at any time.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../machine.sh"

cd "$work" || exit 1
record=$XDG_CONFIG_HOME/wb/doctor.undo
cpu=sys/devices/system/cpu
# THP without brackets: a file keeps what is written to it
make_machine 4
put sys/kernel/mm/transparent_hugepage/enabled always
machine >before

run wb doctor --root="$root" --apply
status 0
is "the governor" "$(get $cpu/cpu3/cpufreq/scaling_governor)" performance
is "turbo" "$(get $cpu/intel_pstate/no_turbo)" 1
is "THP" "$(get sys/kernel/mm/transparent_hugepage/enabled)" madvise
is "the clock" \
	"$(get sys/devices/system/clocksource/clocksource0/current_clocksource)" tsc
is "SMT is left alone: it was not asked for" "$(get $cpu/smt/control)" on
is "so are interrupts" "$(get proc/irq/7/smp_affinity_list)" 0-4095
ok "there is a record" test -s "$record"
run wb doctor --root="$root" --apply
ok "a second time: nothing to change" grep -q '^0 settings changed' "$out"
run wb doctor --root="$root" --apply smt interrupts
is "by name: SMT" "$(get $cpu/smt/control)" off
not_ok "by name: interrupts" grep -qx 0-4095 "$root/proc/irq/7/smp_affinity_list"
mkdir -p "$work/other"
run wb doctor --root="$work/other" --undo
status 128 "another tree"
one_error "another tree" "undo them first"
run wb doctor --root="$root" --undo
status 0
is "how many" "$(cat "$out")" "11 settings changed back"
ok "all is as it was" sh -c "cd '$root' && sha256sum --quiet -c" <before
not_ok "the record is gone" test -e "$record"
run wb doctor --root="$root" --undo --json
is "once more: nothing" "$(jq .restored "$out")" 0

# somebody else changes a setting in between; one cannot be written any more
run wb doctor --root="$root" --apply governor thp --json
is "as JSON" "$(jq '.changed | length' "$out")" 5
put sys/kernel/mm/transparent_hugepage/enabled never
run wb doctor --root="$root" --undo
is "a foreign change stays" "$(get sys/kernel/mm/transparent_hugepage/enabled)" \
	never
ok "and is named" grep -q "hugepage/enabled: is 'never'" "$err"
is "the others are back" "$(get $cpu/cpu0/cpufreq/scaling_governor)" powersave
put sys/kernel/mm/transparent_hugepage/enabled always

# a setting that cannot be changed: the others are, and it is said
mkdir "$root/$cpu/cpu9" "$root/$cpu/cpu9/cpufreq"
echo powersave >ro && ln -s "$work/ro" "$root/$cpu/cpu9/cpufreq/scaling_governor"
if command -v chattr >/dev/null && chattr +i ro 2>/dev/null; then
	run wb doctor --root="$root" --apply governor
	chattr -i ro
	status 128 "one cannot be changed"
	one_error "it" "1 settings could not be changed"
	is "the others are" "$(get $cpu/cpu3/cpufreq/scaling_governor)" performance
	run wb doctor --root="$root" --undo
else
	echo "# SKIPPED: no file here that root cannot write"
fi
rm -r "$root/$cpu/cpu9"
ok "all is as it was" sh -c "cd '$root' && sha256sum --quiet -c" <before

# one that cannot be changed back: the others are, and the record stays
put $cpu/cpu9/cpufreq/scaling_governor powersave
run wb doctor --root="$root" --apply governor turbo
ln -sf /proc/version "$root/$cpu/cpu9/cpufreq/scaling_governor"
jq -c --rawfile v /proc/version 'if .path and (.path | contains("cpu9")) then
	.is = ($v | rtrimstr("\n")) else . end' "$record" >edited
cp edited "$record"
run wb doctor --root="$root" --undo
status 128 "one cannot be changed back"
one_error "it" "1 settings could not be changed back, the first: .*cpu9"
is "the others are changed back, behind and before it" "$(get \
	$cpu/cpu3/cpufreq/scaling_governor) $(get $cpu/intel_pstate/no_turbo)" \
	"powersave 0"
ok "the record stays" cmp edited "$record"
rm -r "$record" "$root/$cpu/cpu9"
ok "all is as it was" sh -c "cd '$root' && sha256sum --quiet -c" <before

# a reboot has reset the settings: the record goes, nothing is written
run wb doctor --root="$root" --apply turbo
put proc/sys/kernel/random/boot_id 2222
run wb doctor --root="$root" --undo
is "after a reboot nothing is changed back" \
	"$(get $cpu/intel_pstate/no_turbo) $(cat "$out")" "1 0 settings changed back"
put $cpu/intel_pstate/no_turbo 0
put proc/sys/kernel/random/boot_id 1111

# the end of a record that was cut short: that change was never made
run wb doctor --root="$root" --apply turbo
printf '{"path":"sys/dev' >>"$record"
run wb doctor --root="$root" --apply thp
status 0 "a record that was cut short goes on"
printf '{"path":"proc/sy' >>"$record"
run wb doctor --root="$root" --undo
status 0
ok "and is named" grep -q 'doctor.undo: its last line is cut off' "$err"
ok "all is as it was" sh -c "cd '$root' && sha256sum --quiet -c" <before

# a record that was cut at each byte: what is whole in it is changed back, the
# rest is left, nothing else is written
run wb doctor --root="$root" --apply turbo thp
cp "$record" whole
head=$(head -n 1 whole | wc -c) size=$(wc -c <whole) at=0 wrong=0
while [ $at -lt "$size" ]; do
	put $cpu/intel_pstate/no_turbo 1
	put sys/kernel/mm/transparent_hugepage/enabled madvise
	head -c $at whole >"$record"
	run wb doctor --root="$root" --undo --json
	lines=$(head -c $at whole | wc -l)
	[ "$lines" -gt 0 ] || lines=1
	[ "$rc $(jq .restored "$out")" = "0 $((lines - 1))" ] &&
		[ ! -e "$record" ] || wrong=$((wrong + 1))
	at=$((at + 1 + (at > head ? 0 : 30)))
done
is "a record that was cut anywhere" $wrong 0
put $cpu/intel_pstate/no_turbo 1
put sys/kernel/mm/transparent_hugepage/enabled madvise

# a line in the middle is damaged: the others are changed back, and it is said
sed '2s/path/pa\nth/' whole | sed 2d >"$record"
run wb doctor --root="$root" --apply governor
status 128 "nothing is added to a damaged record"
one_error "a damaged record" "doctor.undo:2: damaged: 'wb doctor --undo' first"
run wb doctor --root="$root" --undo
status 128 "a damaged line"
one_error "a damaged line" "doctor.undo:2: damaged: what it noted is not changed"
is "the other line is changed back" "$(get $cpu/intel_pstate/no_turbo) $(get \
	sys/kernel/mm/transparent_hugepage/enabled)" "1 always"
ok "the record stays" test -s "$record"
sed 1d whole >"$record"
run wb doctor --root="$root" --undo
status 128 "no head"
one_error "no head" "doctor.undo:1: damaged, so nobody knows"
{ echo; cat whole; } >"$record"
run wb doctor --root="$root" --undo
status 128 "a damaged head"
one_error "a damaged head" "doctor.undo:1: damaged, so nobody knows"
rm "$record"
put $cpu/intel_pstate/no_turbo 0
ok "all is as it was" sh -c "cd '$root' && sha256sum --quiet -c" <before

# kill -9 in the middle, at many places
make_machine 400
put sys/kernel/mm/transparent_hugepage/enabled always
machine >before
middle=0 wrong=0 n=0
while [ $n -lt 12 ]; do
	n=$((n + 1))
	wb doctor --root="$root" --apply >/dev/null 2>&1 &
	pid=$!
	# until so many are changed, or it is over
	while [ "$(grep -lx performance "$root"/$cpu/cpu*/cpufreq/scaling_governor |
		wc -l)" -lt $((n * 12)) ] && kill -0 $pid 2>/dev/null; do :; done
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	changed=$(grep -lx performance "$root"/$cpu/cpu*/cpufreq/scaling_governor | wc -l)
	[ "$changed" -gt 0 ] && [ "$changed" -lt 400 ] && middle=$((middle + 1))
	wb doctor --root="$root" --undo >/dev/null 2>"$err" || wrong=$((wrong + 1))
	(cd "$root" && sha256sum --quiet -c) <before >/dev/null 2>&1 ||
		wrong=$((wrong + 1))
done
echo "# killed in the middle: $middle of $n"
ok "some were killed in the middle" [ $middle -ge 3 ]
is "after each, all is as it was" $wrong 0
done_testing
