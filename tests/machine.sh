# A made-up machine: /proc and /sys as files below $root. Source it behind
# lib.sh.

root=$work/machine
# put PATH TEXT
put() {
	mkdir -p "$root/${1%/*}" && printf '%s\n' "$2" >"$root/$1"
}
# get PATH
get() { cat "$root/$1"; }
# make_machine N: N CPUs, and nothing is as it should be
make_machine() {
	rm -rf "$root"
	cpu=sys/devices/system/cpu
	i=0
	while [ $i -lt "$1" ]; do
		put $cpu/cpu$i/cpufreq/scaling_governor powersave
		i=$((i + 1))
	done
	put $cpu/intel_pstate/no_turbo 0
	put $cpu/smt/control on
	put $cpu/isolated ''
	put sys/kernel/mm/transparent_hugepage/enabled '[always] madvise never'
	put sys/devices/system/clocksource/clocksource0/current_clocksource hpet
	put sys/devices/system/clocksource/clocksource0/available_clocksource \
		'tsc hpet acpi_pm '
	put proc/sys/kernel/randomize_va_space 0
	put proc/sys/kernel/numa_balancing 1
	put proc/sys/kernel/nmi_watchdog 1
	put proc/sys/kernel/perf_event_paranoid 4
	put proc/sys/kernel/sched_rt_runtime_us -1
	put proc/sys/kernel/random/boot_id 1111
	put proc/irq/7/smp_affinity_list 0-4095
	put proc/irq/8/smp_affinity_list 0
	put proc/loadavg '3.25 2.00 1.00 4/100 999'
	put proc/pressure/cpu 'some avg10=42.50 avg60=1 avg300=1 total=1'
	put proc/pressure/memory 'some avg10=0.00 avg60=0 avg300=0 total=0'
	put proc/stat 'cpu  100 0 100 700 0 0 0 100 0 0'
	put proc/cpuinfo 'flags : fpu hypervisor lahf_lm'
	put proc/self/cgroup '0::/a/b'
	put sys/fs/cgroup/a/b/cpu.max 'max 100000'
	put sys/fs/cgroup/a/cpu.max '150000 100000'
	put sys/fs/cgroup/a/b/memory.max 1073741824
	put sys/class/power_supply/AC/type Mains
	put sys/class/power_supply/AC/online 0
	put sys/class/power_supply/BAT0/type Battery
}
# everything of the machine, to be compared
machine() { (cd "$root" && find . -type f | sort | xargs sha256sum); }
