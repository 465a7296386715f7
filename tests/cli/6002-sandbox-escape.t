# Ways out of the sandbox, each tried by a build.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

command -v bwrap >/dev/null || skip_all "no bwrap (package bubblewrap)"
bwrap --ro-bind / / --unshare-net true 2>/dev/null ||
	skip_all "bwrap may not make namespaces here"
command -v perl >/dev/null || skip_all "no perl (package perl)"

make_stack
wb trust >/dev/null
printf 'machine example.org login ada password secret-of-ada\n' >"$HOME/.netrc"
builds=$XDG_CACHE_HOME/wb/build
fingerprint >"$work/before"

# tries [OPTIONS]: the build command on stdin; what it prints is in $log
log=$work/log
tries() {
	cat >"$work/evil"
	rm -rf "$builds"
	run wb -c wb-build.command="$(cat "$work/evil")" "$@" build 0
	cat "$builds"/*/log >"$log" 2>&1
}
says() { ok "$1" grep -q -- "$2" "$log"; }
says_not() { not_ok "$1" grep -q -- "$2" "$log"; }

# the kernel's settings: for root the user id alone would open them
tries <<-'EOS'
	for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname \
		/proc/sys/vm/drop_caches /proc/sysrq-trigger /proc/irq/default_smp_affinity \
		/sys/kernel/mm/transparent_hugepage/enabled /sys/power/state \
		/sys/fs/cgroup/pids/cgroup.procs /dev/kmsg /dev/mem /dev/tty; do
		(: >>$f) 2>/dev/null && echo "OPENED $f"
	done
	echo looked; false
EOS
says "settings of the kernel: looked" looked
says_not "none could be opened to be written" OPENED

# what wb was started with
exec 9>"$work/leak"
tries <<-'EOS'
	echo leaked >&9; for i in 3 4 5 6 7 8 9; do (echo x >&$i) 2>/dev/null && echo "OPEN $i"; done
	echo looked; false
EOS
exec 9>&-
says "descriptors: looked" looked
says_not "no descriptor of the caller is open" OPEN
is "nothing came through" "$(cat "$work/leak")" ""

# other processes, and wb itself
tries <<-'EOS'
	ls /proc | grep -c '^[0-9]' | sed 's/^/processes /'
	kill -9 1; kill -9 -1; echo "still here"
	ls -l /proc/1/root /proc/1/cwd /proc/1/fd/3 2>&1 | grep -q -- '->' && echo FOLLOWED
	perl -e 'require "sys/syscall.ph"' 2>/dev/null
	perl -e 'print syscall(101, 16, 1, 0, 0) < 0 ? "" : "TRACED\n"'
	false
EOS
says "signals: it and its init are all there is" "still here"
ok "few processes are seen" sh -c "[ \$(sed -n 's/^processes //p' '$log') -lt 8 ]"
says_not "the init's descriptors and folders stay its own" FOLLOWED
says_not "it cannot be traced" TRACED

# privileges
tries <<-'EOS'
	mknod "$WB_BUILD/sda" b 8 0 && echo MKNOD
	mkdir -p /tmp/m; mount -t tmpfs x /tmp/m && echo MOUNT
	unshare -r -m mount -o remount,rw,bind / && echo REMOUNT
	unshare -r -n true && echo NAMESPACE
	date -s @0 && echo CLOCK
	chroot / true && echo CHROOT
	nice -n -5 true; chrt -f 50 true && echo REALTIME
	cp /bin/sh "$WB_BUILD/sh" && chmod 6755 "$WB_BUILD/sh"
	grep -E '^(Cap|NoNew)' /proc/self/status; false
EOS
says_not "no device, mount, namespace, clock, root or priority" '^[A-Z]*$'
is "no capability is left" "$(grep -c '^Cap.*0000000000000000$' "$log")" 5
says "exec gives none back" 'NoNewPrivs:.*1'
is "a setuid program in there is out of other users' reach" \
	"$(stat -c %a "$builds"/*/ | sort -u)" 700

# sockets that are no files, keyrings of the session
perl -MSocket -e '$| = 1; socket(S, AF_UNIX, SOCK_STREAM, 0); alarm 60;
	bind(S, pack_sockaddr_un("\0wb-test-'$$'")) or die; listen(S, 1); print "bound\n";
	accept(C, S) and print "heard\n"' >"$work/abstract" &
listener=$!
while [ ! -s "$work/abstract" ]; do sleep 0.05; done
tries <<-EOS
	perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0);
		connect(S, pack_sockaddr_un("\\0wb-test-$$")) or print "refused\n"'
	ls /run/dbus /run/user /var/run 2>&1 | sed 's/^/run: /'; false
EOS
kill $listener 2>/dev/null
wait $listener 2>/dev/null
says "an abstract socket" refused
is "nobody was heard there" "$(grep -c heard "$work/abstract")" 0
is "nothing of /run is there" "$(grep -c '^run: .*No such' "$log")" "$(grep -c '^run: ' "$log")"

# links, in the one folder that wb and the build both write
tries <<-EOS
	cp src/cost "\$WB_BUILD/cost"
	cd "\$WB_BUILD/.."; ln -s $HOME/planted log; mkdir ok; touch ok/x
	ln $top/README.md hard 2>/dev/null && echo HARD; :
EOS
status 0 "a build that puts links and folders where wb writes"
not_ok "no link was followed" test -e "$HOME/planted"
says_not "no hard link to what lies outside" HARD
ok "the build counts as done" test -f "$(echo "$builds"/*/ok)"
tries <<-EOS
	cd "\$WB_BUILD/.."; ln -s $HOME/.netrc log; exit 3
EOS
status 125
says_not "wb does not read through one either" secret-of-ada
not_ok "nor shows what is there" grep -q secret-of-ada "$out" "$err"
is "the file is as it was" "$(grep -c secret-of-ada "$HOME/.netrc")" 1
# a bench comes after the build, and may exchange what wb reads again
rm -rf "$builds"
printf 'x.c:1: warning: secret-of-ada\n' >"$HOME/warnings"
run wb -c wb-build.command='cp src/cost "$WB_BUILD/cost"' -c wb-bench.b.command='
	rm -f "$WB_BUILD/../log"; ln -s '"$HOME/warnings"' "$WB_BUILD/../log"; sh "$WB_TREE/bench.sh"' \
	ci --trust --rounds 2
run wb -c wb-build.command='cp src/cost "$WB_BUILD/cost"' -c wb-bench.b.command='sh bench.sh' \
	ci --trust --rounds 2
not_ok "a log that became a link is not read" grep -q secret-of-ada "$out" "$err"
if command -v valgrind >/dev/null; then
	mkdir "$HOME/counts"
	printf 'secret-of-ada\n' >"$HOME/counts/cg.1"
	run wb -c wb-build.command='cp src/cost "$WB_BUILD/cost"' -c wb-bench.b.level=I \
		-c wb-bench.b.command='for d in "$WB_BUILD"/../count-*; do
			mv "$d" "$d.aside" && ln -s '"$HOME/counts"' "$d"; done; sh "$WB_TREE/bench.sh"' \
		run --rounds 1
	not_ok "nor a folder of counts" grep -q secret-of-ada "$out" "$err"
	ok "it is still there" test -f "$HOME/counts/cg.1"
else
	skip "a folder of counts" "no valgrind (package valgrind)"
fi
rm -rf .git/wb

# pipes and devices where wb reads, names that are no names
tries -c wb-build.timeout=20s <<-'EOS'
	cp src/cost "$WB_BUILD/cost"; cd "$WB_BUILD/.."
	rm -f log ok; mkfifo log ok; mkfifo out/p; : >"out/a
	b"; : >"out/-rf"; ln -s . out/loop; ln out/cost out/hard; ln -s /proc/self/mem out/mem
EOS
status 0 "pipes in the place of files, and odd names"
ok "the build counts" test -f "$(echo "$builds"/*/ok)"
run wb -c wb-build.command="$(cat "$work/evil")" run --rounds 1
ok "and is measured" grep -q 'faster' "$out"
rm -rf .git/wb
tries -c wb.sandbox-disk=20M <<-'EOS'
	perl -e 'truncate($ARGV[0], 1 << 40) or print "refused: $!\n"' "$WB_BUILD/sparse" 2>&1 || :
	: >"$WB_BUILD/sparse"; truncate -s 1T "$WB_BUILD/sparse" || echo refused
	cp src/cost "$WB_BUILD/cost"
EOS
ok "a file of a terabyte of holes" test "$(stat -c %s "$builds"/*/out/sparse)" -le 20971520
tries -c wb.sandbox-disk=20M -c wb-build.timeout=60s <<-'EOS'
	perl -e 'for ($i = 0; ; $i++) { open(my $f, ">", "$ENV{WB_BUILD}/$i") or die; close $f }'
EOS
status 125 "files without end and without a byte"
ok "said so" grep -q "wrote more than 20 MiB" "$out"

# what others could be asked to do: no helper is more than it is
tries <<-'EOS'
	for p in su sudo passwd mount umount newgrp chsh pkexec fusermount fusermount3 at crontab; do
		command -v $p >/dev/null && find "$(command -v $p)" -perm -4000 2>/dev/null
	done | sed 's/^/setuid /'
	echo root | su -c 'id; touch /usr/planted' 2>&1; mount -t tmpfs none /tmp 2>&1 && echo MOUNTED
	crontab - </dev/null 2>&1 && echo CRON
	perl -e 'printf "keys %d\n", syscall(250, 11, -3, 0, 0) < 0 ? 0 : 1' 2>/dev/null
	perl -e 'my $b = "\0" x 4096; print "KEY $b\n" if syscall(250, 11, -5, $b, 4096) > 4' 2>/dev/null
	ls -d /run/systemd /run/screen /run/tmux /tmp/.X11-unix /tmp/ssh-* 2>/dev/null | sed 's/^/SEEN /'
	for v in SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS XDG_RUNTIME_DIR; do
		eval "[ -z \"\${$v:-}\" ]" || echo "SET $v"
	done
	cat /proc/1/environ 2>/dev/null | tr '\0' '\n' | grep -a letmein
	echo looked; false
EOS
says "helpers: looked" looked
says_not "no mount, job, socket or bus" '^MOUNTED\|^CRON\|^SEEN\|^SET'
not_ok "nothing was planted" test -e /usr/planted

# the common folder of a work tree's repository: hooks, config, objects
git worktree add -q --detach "$work/tree2" 2>/dev/null
tries <<-EOS
	cd "$work/tree2" 2>/dev/null && git rev-parse HEAD | sed 's/^/head /'
	for f in "$work/repo/.git/hooks/post-commit" "$work/repo/.git/config" \
		"$work/repo/.git/worktrees/tree2/HEAD" "$work/repo/.git/objects/x" "$work/tree2/x"; do
		(echo x >>"\$f") 2>/dev/null && echo "WROTE \$f"
	done
	git -C "$work/repo" config core.fsmonitor /bin/false && echo WROTE config; false
EOS
says_not "hooks, config and objects" WROTE
git worktree remove --force "$work/tree2"
git worktree prune

tries <<-'EOS'
	ls -d "$WB_BUILD"/../../*/ | grep -c . | sed 's/^/builds /'
	mkdir -p ~/.cache/ccache && echo poisoned >~/.cache/ccache/x; false
EOS
says "no other build is seen" '^builds 1$'
not_ok "no compiler cache is written" test -e "$HOME/.cache/ccache"

# what no folder shows: files without a name
tries -c wb.sandbox-disk=20M -c wb-build.timeout=20s <<-'EOS'
	perl -e 'for (1..16) { open(my $f, "+>", "$ENV{WB_BUILD}/f") or die; unlink "$ENV{WB_BUILD}/f";
		print $f "x" x (16 << 20); $f->flush; push @f, $f } sleep 30' -MIO::Handle
EOS
status 125 "files without a name that fill the disk"
ok "said so" grep -q "wrote more than 20 MiB" "$out"

# a bench that stays alive and answers well, and writes all the while
cat >"$work/slices" <<'EOS'
$| = 1;
while (<STDIN>) {
	last if /^quit/;
	open(my $f, ">", "$ENV{WB_BUILD}/" . $n++) or die;
	print $f "x" x (8 << 20);
	close($f);
	print "{\"metric\":\"m\",\"better\":\"lower\",\"value\":1,\"parts\":[1,1,1,1,1,1,1,1]}\n";
}
EOS
rm -rf "$builds"
run wb -c wb.sandbox-read="$work/slices" -c wb.sandbox-disk=20M -c wb-bench.b.reader=slices \
	-c wb-bench.b.judge=m -c wb-bench.b.command="perl $work/slices" run --rounds 1
status 125 "slices that fill the disk"
ok "slices: said so" grep -q "^wb: b: prefix 1 .*wrote more than 20 MiB" "$err"
rm -rf .git/wb

# a bound that cannot be kept is no bound
no_groups() { unshare -m sh -c 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"' sh "$@"; }
if no_groups true 2>/dev/null; then
	run no_groups wb -c wb.sandbox-memory=64M build 0
	ok "no control group: a warning" grep -q \
		'^wb: warning: wb.sandbox-memory: .*bounds each process, and not all' "$err"
	rm -rf "$builds"
	run no_groups wb -c wb.sandbox-memory=64M -c wb-build.command='
		perl -e '"'"'$x = "x" x (500 << 20); print length $x'"'" build 0
	status 125 "a process that eats memory all the same"
	ok "it was refused" grep -qi 'out of memory' "$out" "$err" "$builds"/*/log
	run no_groups wb build 0
	not_ok "not for the default" grep -q 'sandbox-memory' "$err"
else
	skip "no control group" "cannot hide them here (needs root)"
fi

# what holds for root holds for others
chmod 755 "$work"
if setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$B/wb" 2>/dev/null; then
	git clone -q . "$work/theirs"
	mkdir "$work/nobody"
	chown -R 65534:65534 "$work/theirs" "$work/nobody"
	nobody() {
		run setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$work/nobody" \
			TMPDIR="$work/nobody" XDG_CACHE_HOME="$work/nobody" \
			XDG_CONFIG_HOME="$work/nobody" "$B/wb" -C "$work/theirs" "$@"
	}
	nobody trust
	nobody -c wb-build.command="touch /usr/x; grep ' /proc proc' /proc/self/mounts
		grep CapEff /proc/self/status; false" build 0
	cat "$work"/nobody/wb/build/*/log >"$log"
	not_ok "nobody: in a box" grep -q 'no sandbox' "$err"
	says "nobody: /proc is read-only" '^proc /proc proc ro,'
	says "nobody: no capability" 'CapEff:.*0000000000000000$'
else
	skip "nobody" "cannot become another user that reaches wb (setpriv, util-linux)"
fi

fingerprint >"$work/after"
ok "work tree, index, refs, objects as before" cmp "$work/before" "$work/after"
done_testing
