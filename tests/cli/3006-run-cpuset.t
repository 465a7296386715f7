# wb.cpuset: benches run in a control group, on its CPUs; builds do not.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
cat >bench.sh <<'E2'
echo "cpu $(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)"
echo "in $(grep -c 'cpuset:/wb-test\|::/wb-test' /proc/self/cgroup)"
E2
git config wb-bench.b.reader lines && git config wb-bench.b.better lower
git commit -qam bench && wb trust >/dev/null

# without a group: pinned to the highest CPU that wb may use
if [ "$(nproc)" -gt 1 ]; then
	run wb run --rounds 1
	run wb report --json --metric cpu
	is "on one CPU, the highest" "$(jq -r '[.rows[] | select(.index == 0) |
		.value] | join(" ")' "$out")" "$(sed -n \
		's/^Cpus_allowed_list:.*[^0-9]\([0-9]*\)$/\1/p' /proc/self/status)"
else
	ok "pinned # SKIP there is one CPU only" true
fi

# a folder that is none, or that has no CPU
run wb -c wb.cpuset="$work/none" run --rounds 1
status 128
one_error "no group" "wb.cpuset: .*cgroup.procs: No such file"
mkdir "$work/empty" && : >"$work/empty/cgroup.procs"
run wb -c wb.cpuset="$work/empty" run --rounds 1
status 128
one_error "no CPU" "has no CPU: make it as 'wb doctor isolation' says"

# a real one, where one can be made
top_group=/sys/fs/cgroup
[ -e $top_group/cpuset/cpuset.cpus ] && top_group=$top_group/cpuset
group=$top_group/wb-test-$$
if [ -e $top_group/cpuset.cpus ] || [ -e $top_group/cpuset.cpus.effective ] &&
	mkdir "$group" 2>/dev/null; then
	trap 'rmdir "$group"; cd /; rm -rf "$work"' EXIT
	if echo 0 2>/dev/null >"$group/cpuset.cpus" &&
		echo 0 2>/dev/null >"$group/cpuset.mems"; then
		# rounds from outside are none of those in it
		git config wb.cpuset "$group"
		run wb run --rounds 1
		run wb report --json --metric 'cpu'
		value() { jq -r --arg m "$1" '[.rows[] | select(.metric == $m
			and .index == 0) | .value] | join(" ")' "$out"; }
		is "on a CPU of the group, not the highest of the machine" \
			"$(value cpu)" 0
		run wb report --json --metric 'in'
		is "in the group" "$(value in)" 1
		is "and nothing stays there" "$(cat "$group/cgroup.procs")" ""
	else
		echo "# SKIPPED: no cpuset controller for a new group here"
	fi
else
	echo "# SKIPPED: no control group can be made here"
fi
done_testing
