# wb doctor on a made-up machine: each finding, its effect, the way there and
# back; and on this one.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../machine.sh"

cd "$work" || exit 1
make_machine 4
machine >before
run wb doctor --root="$root" --json
status 0
ok "changes nothing" sh -c "cd '$root' && sha256sum --quiet -c" <before
f() {	# f TOPIC FIELD
	jq -r --arg t "$1" ".findings[] | select(.topic == \$t) | .$2" "$out"
}
# is_found TOPIC STATE NOW
is_found() { is "$1" "$(f "$1" state): $(f "$1" now)" "$2: $3"; }

is_found governor bad "powersave on 4 of 4 CPUs"
is_found turbo bad "on"
is_found smt note "on"
is_found thp bad "always"
is_found aslr bad 0
is_found numa-balancing bad 1
is_found nmi-watchdog note 1
is_found perf-events note 4
is_found rt-throttle note -1
is_found clock bad hpet
is_found load bad "3.25 in the last minute"
is_found pressure bad \
	"of the last 10 s tasks waited 42.5 % for a CPU, 0.0 % for memory"
is_found host bad "a virtual machine; its host took 10.0 % of the time"
is_found power bad battery
is_found container bad \
	"CPU time 150000 100000 us, memory 1073741824 bytes"
is_found isolation note "no CPU is kept free"
is "interrupts: one of two can come to the bench's CPU" \
	"$(f interrupts now | sed 's/ CPU [0-9]*,/ CPU N,/')" \
	"1 of 2 may come to CPU N, where benches run"
is "each that is not good has an effect" "$(jq -r '.findings[] |
	select(.state != "good" and .effect == null) | .topic' "$out")" ""
is "each that can be changed can be changed back" "$(jq -r '.findings[] |
	select((.change == null) != (.undo == null)) | .topic' "$out")" ""
is "the way there" "$(f turbo change)" \
	"echo 1 >/sys/devices/system/cpu/intel_pstate/no_turbo"
is "the way back" "$(f turbo undo)" \
	"echo 0 >/sys/devices/system/cpu/intel_pstate/no_turbo"
is "back to what it was" "$(f thp undo)" \
	"echo always >/sys/kernel/mm/transparent_hugepage/enabled"

# the other way round
cpu=sys/devices/system/cpu
for i in 0 1 2 3; do put $cpu/cpu$i/cpufreq/scaling_governor performance; done
rm -r "$root/$cpu/intel_pstate"
put $cpu/cpufreq/boost 0
put $cpu/smt/control off
put $cpu/isolated 2-3
put sys/kernel/mm/transparent_hugepage/enabled 'always [madvise] never'
put sys/devices/system/clocksource/clocksource0/current_clocksource tsc
put proc/sys/kernel/randomize_va_space 2
put proc/sys/kernel/numa_balancing 0
put proc/sys/kernel/nmi_watchdog 0
put proc/sys/kernel/perf_event_paranoid 1
put proc/sys/kernel/sched_rt_runtime_us 950000
put proc/irq/7/smp_affinity_list 0
put proc/loadavg '0.02 0.01 0.00 1/100 999'
put proc/pressure/cpu 'some avg10=0.00 avg60=1 avg300=1 total=1'
put proc/stat 'cpu  100 0 100 700 0 0 0 0 0 0'
put proc/cpuinfo 'flags : fpu lahf_lm'
put sys/fs/cgroup/a/cpu.max 'max 100000'
put sys/fs/cgroup/a/b/memory.max max
put sys/class/power_supply/AC/online 1
run wb doctor --root="$root" --json
is "all that a machine can have right is right" "$(jq -r '.findings[] |
	select(.state != "good") | .topic' "$out" |
	grep -vE 'fifo|mlock|counters|valgrind|bwrap|gnuplot|ccache|ld.lld|perf$|qemu-user$')" ""
is_found governor good "performance on 4 CPUs"

# version 1 control groups; governors of two kinds; a clock without a better
put proc/self/cgroup '4:cpu,cpuacct:/x
9:memory:/x
0::/'
put sys/fs/cgroup/cpu/x/cpu.cfs_quota_us 50000
put sys/fs/cgroup/memory/x/memory.limit_in_bytes 9223372036854771712
put $cpu/cpu3/cpufreq/scaling_governor ondemand
put sys/devices/system/clocksource/clocksource0/current_clocksource acpi_pm
put sys/devices/system/clocksource/clocksource0/available_clocksource acpi_pm
put $cpu/cpufreq/boost 1
put proc/sys/kernel/sched_rt_runtime_us 95000
run wb doctor --root="$root" --json
is_found container bad "CPU time 50000 us a period"
is_found rt-throttle note 95000
is_found governor bad "ondemand on 1 of 4 CPUs"
is "only the CPU that had it gets it back" "$(f governor undo)" \
	"echo ondemand | tee /$cpu/cpu3/cpufreq/scaling_governor"
put $cpu/cpu1/cpufreq/scaling_governor schedutil
put $cpu/cpu2/cpufreq/scaling_governor schedutil
run wb doctor --root="$root" --json
is_found governor bad "schedutil and others on 3 of 4 CPUs"
is "each gets its own back" "$(f governor undo)" \
	"echo schedutil | tee /$cpu/cpu1/cpufreq/scaling_governor /$cpu/cpu2/cpufreq/scaling_governor; echo ondemand | tee /$cpu/cpu3/cpufreq/scaling_governor"
is_found clock bad acpi_pm
is "a clock that has no better: nothing to change" "$(f clock change)" null
is "AMD's turbo" "$(f turbo change)" \
	"echo 0 >/sys/devices/system/cpu/cpufreq/boost"

# cpusets, where there are some to be had
rm "$root/$cpu/isolated"
run wb doctor --root="$root" --json
is "no cpuset: no command" "$(f isolation change)" null
put sys/fs/cgroup/cpuset/cpuset.cpus 0-3
run wb doctor --root="$root" --json
ok "version 1: keeps the bench in" sh -c \
	'jq -r ".findings[].change" "$1" | grep -q "cgroup/cpuset && mkdir wb.*version 1"' \
	- "$out"
is "and its end" "$(f isolation undo)" \
	"rmdir /sys/fs/cgroup/cpuset/wb; git config --global --unset wb.cpuset"
put sys/fs/cgroup/cgroup.controllers 'cpuset cpu memory'
run wb doctor --root="$root" --json
ok "version 2: a partition" sh -c \
	'jq -r ".findings[].change" "$1" | grep -q "isolated >wb/cpuset.cpus.partition"' \
	- "$out"
is "and its end" "$(f isolation undo)" \
	"rmdir /sys/fs/cgroup/wb; echo -cpuset >/sys/fs/cgroup/cgroup.subtree_control; git config --global --unset wb.cpuset"
put sys/fs/cgroup/cgroup.subtree_control 'cpuset memory'
run wb doctor --root="$root" --json
is "what was on before stays on" "$(f isolation undo)" \
	"rmdir /sys/fs/cgroup/wb; git config --global --unset wb.cpuset"
not_ok "and is not switched on" grep -q 'echo +cpuset' "$out"

# no machine at all, a slip in its name, is no good machine
run wb doctor --root="$work/nowhere"
status 128
one_error "no such folder" "--root: .*nowhere: No such file"

# a machine that tells nothing
mkdir empty
run wb doctor --root="$work/empty" --json
status 0 "an empty tree"
is "no number is invented" "$(jq -r '.findings[] | select(.topic == "load" or
	.topic == "pressure") | .state' "$out" | sort -u)" note
# hostile text in the tree
put proc/loadavg "$(printf '\033[31mnan')"
put sys/kernel/mm/transparent_hugepage/enabled "$(printf '[\033[31mbad')"
run wb doctor --root="$root"
not_ok "no escape reaches the terminal" grep -q "$(printf '\033')" "$out"

run wb doctor
status 0 "this machine"
ok "says how many" grep -q 'things make numbers worse' "$out"
run wb doctor smt thp
is "only the topics asked for" "$(grep -cE '^(smt|thp) ' "$out")" 2
not_ok "and no other" grep -qE '^(aslr|load)' "$out"
run wb doctor nonsense
status 129
one_error "no topic" "'nonsense' is no topic"
# locks: no limit for who may lift it, else as far as it goes
if ! capsh --has-p=cap_ipc_lock 2>/dev/null || [ "$(id -u)" != 0 ]; then
	ok "mlock of root # SKIP not root, or a root without the right" true
else
	run prlimit --memlock=65536:65536 wb doctor --json
	is_found mlock good "benches may lock their memory"
	as="setpriv --reuid=65534 --clear-groups"
fi
mkdir -m 777 home
HOME=$work/home run prlimit --memlock=65536:1048576 ${as:-} \
	"$(command -v wb)" doctor --json
is_found mlock note "at most 1024 KiB may be locked"
is "the way back" "$(f mlock undo)" \
	"sudo prlimit --memlock=65536:1048576 --pid \$\$"
# programs: without them in PATH each is named with its package
mkdir bin && ln -s "$(command -v wb)" bin/wb
PATH=$work/bin run wb doctor --json
is "valgrind is missed" "$(f valgrind state) $(f valgrind change)" \
	"note sudo apt-get install valgrind"
done_testing
