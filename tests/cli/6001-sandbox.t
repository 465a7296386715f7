# A hostile stack does no harm, and what it tried is said.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

command -v bwrap >/dev/null || skip_all "no bwrap (package bubblewrap)"
bwrap --ro-bind / / --unshare-net true 2>/dev/null ||
	skip_all "bwrap may not make namespaces here"
perl -MIO::Socket::INET -e 1 2>/dev/null ||
	skip_all "no perl to open sockets with (package perl)"

make_stack
wb trust >/dev/null
echo "machine example.org login ada password secret-of-ada" >"$HOME/.netrc"
chmod 600 "$HOME/.netrc"
echo "outside" >"$work/outside"
fingerprint >"$work/before"
builds=$XDG_CACHE_HOME/wb/build

# hostile NAME: what stdin says is the build command of the base
hostile() {
	cat >"$work/evil"
	rm -rf "$builds"
	run wb -c wb-build.command="$(cat "$work/evil")" "$@" build 0
}
log() { cat "$builds"/*/log; }
# nothing CMD: processes with these arguments
nothing() { ! ps -eo args | grep -v grep | grep -q -- "$1"; }

hostile <<-EOS
	echo x >"$HOME/planted"; echo x >"$work/outside"; echo x >>"$work/repo/README"
	echo x >/usr/planted; echo x >/etc/planted; rm -rf "$work/repo/src" "$HOME"/.??*
	echo done >"\$WB_BUILD/cost"; : ok
EOS
status 0 "a build that writes everywhere goes on in its own folder"
not_ok "the home folder is as it was" test -e "$HOME/planted"
ok "its files are there" grep -q secret "$HOME/.netrc"
is "another file is as it was" "$(cat "$work/outside")" outside
not_ok "the system is as it was" test -e /usr/planted -o -e /etc/planted
ok "what was refused is in the log" sh -c "cat $builds/*/log | grep -q 'Read-only\|nonexistent\|No such'"

hostile <<-EOS
	cat "$HOME/.netrc" "$HOME/.gitconfig" "$work/outside" /etc/shadow
EOS
status 125 "reading secrets"
not_ok "no secret is in the log" grep -rq "secret-of-ada\|Ada Marsh\|outside\$\|root:" "$builds"
for v in MY_TOKEN GITHUB_TOKEN CI_JOB_TOKEN CI_JOB_JWT_V2 npm_config__auth SSH_PRIVATE_KEY \
	AWS_SECRET_ACCESS_KEY my_passphrase DEPLOY_KEY GH_PAT DB_PASSWORD; do
	export "$v=letmein"
done
export CI_REPOSITORY_URL=https://gitlab-ci-token:letmein@example.org/x.git \
	https_proxy=http://ada:letmein@proxy.example.org:3128 HARMLESS=https://example.org/@ada
hostile <<-'EOS'
	env; false
EOS
unset CI_REPOSITORY_URL https_proxy
is "variables that hold secrets are not there" "$(log | grep -c letmein)" 0
ok "others are" sh -c 'cat "$1"/*/log | grep -q ^HARMLESS=' - "$builds"

git remote add ci https://gitlab-ci-token:secret-of-ci@example.org/x.git
git config http.https://example.org/.extraheader "AUTHORIZATION: basic secret-of-ci"
hostile <<-EOS
	cat "$work/repo/.git/config"; cd "$work/repo" && git config --get-all remote.ci.url
	git config --list | grep -c secret-of-ci; git rev-parse HEAD; false
EOS
status 125 "the token of a CI service in .git/config"
not_ok "is not there" sh -c 'cat "$1"/*/log | grep secret-of-ci' - "$builds"
ok "the rest of it is" sh -c 'cat "$1"/*/log | grep -qx https://example.org/x.git' - "$builds"
ok "and git works" sh -c 'cat "$1"/*/log | grep -qx "$2"' - "$builds" "$(git rev-parse HEAD)"
git remote remove ci
git config --remove-section http.https://example.org/

hostile <<-EOS
	echo x >"$work/repo/.git/HEAD"; echo x >"$work/repo/.git/hooks/post-checkout"
	cd "$work/repo" && git tag planted; git config user.name Mallory; git gc; false
EOS
status 125 "touching .git"
hostile <<-EOS
	set -e
	printf '[wb]\n\tmargin = 50%%\n[wb-bench "b"]\n\tcommand = true\n' >"\$WB_TREE/.wbconfig"
	cp "\$WB_TREE/.wbconfig" "$work/repo/.wbconfig"; cp src/cost "\$WB_BUILD/cost"
EOS
status 125 "a build that rewrites the measuring rules fails at it"
run wb config
ok "the rules are as they were" grep -q 'wb.margin.*0.5%' "$out"

# the network: a listener outside of it hears nothing
perl -MIO::Socket::INET -e '$| = 1; alarm 60;
my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die;
print $s->sockport, "\n"; $s->accept and print "heard\n"' >"$work/port" &
listener=$!
while [ ! -s "$work/port" ]; do sleep 0.05; done
hostile <<-EOS
	perl -MIO::Socket::INET -e 'IO::Socket::INET->new("127.0.0.1:$(cat "$work/port")") or die "error: \$!"'
EOS
status 125 "the network"
ok "the network: said why" grep -q "refused\|unreachable" "$out"
kill $listener 2>/dev/null
wait $listener 2>/dev/null
is "nobody was heard" "$(grep -c heard "$work/port")" 0

# daemons
nap=$((86400 + $$))
hostile <<-EOS
	setsid sh -c 'setsid sleep $nap & setsid sleep $nap &' </dev/null >/dev/null 2>&1
	(trap '' TERM HUP INT; sleep $nap) & cp src/cost "\$WB_BUILD/cost"
EOS
status 0 "a build that leaves daemons"
ok "none of them is left" nothing "sleep $nap"

# it prints for ever, sleeps for ever
hostile <<-'EOS'
	yes 'all work and no play makes a long log and a full disk, and that is it'
EOS
status 125 "printing gigabytes"
ok "printing: said so" grep -q "printed more than 64 MiB" "$out"
hostile -c wb-build.timeout=1s <<-'EOS'
	trap '' TERM; while :; do sleep 1; done
EOS
status 125 "a build without end"
ok "without end: said so" grep -q "timeout of 1 s" "$out"

# the disk
hostile -c wb.sandbox-disk=20M <<-'EOS'
	head -c 100000000 /dev/zero >"$WB_BUILD/big"
EOS
status 125 "one file that fills the disk"
ok "one file: its size was bounded" test "$(stat -c %s "$builds"/*/out/big)" -le 20971520
hostile -c wb.sandbox-disk=20M <<-'EOS'
	i=0; while :; do head -c 4000000 /dev/zero >"$WB_BUILD/$i"; i=$((i+1)); sleep 0.05; done
EOS
status 125 "many files that fill the disk"
ok "many files: said so" grep -q "wrote more than 20 MiB" "$out"
hostile -c wb.sandbox-disk=20M <<-'EOS'
	head -c 100000000 /dev/zero >/tmp/big
EOS
status 125 "a full /tmp"
ok "a full /tmp: said so" grep -q "No space\|File too large\|File size" "$out"

# memory and processes need a control group, or the limit of a user
if ls -d /sys/fs/cgroup/pids /sys/fs/cgroup/memory >/dev/null 2>&1 &&
	mkdir "/sys/fs/cgroup/pids/wb-test-$$" 2>/dev/null; then
	rmdir "/sys/fs/cgroup/pids/wb-test-$$"
	hostile -c wb.sandbox-processes=50 -c wb-build.timeout=5s <<-'EOS'
		bomb() { bomb & bomb & wait; }; bomb; false
	EOS
	status 125 "a fork bomb"
	ok "a fork bomb: said so" sh -c "cat $builds/*/log $out | grep -qi 'fork\|timeout'"
	hostile -c wb.sandbox-memory=64M <<-'EOS'
		perl -e '$x = "x" x (500 << 20); print length $x'
	EOS
	status 125 "eating memory"
	ok "eating memory: it was ended" grep -q "signal 9\|exit code 137\|Killed" "$out"
else
	echo "# SKIPPED: no control groups to bound memory and processes with"
fi

# the same holds for a bench and for a test of a prefix
run wb -c wb-bench.b.command="sh bench.sh; cat $HOME/.netrc; setsid sleep $nap & echo x >$HOME/planted" \
	run --rounds 1
ok "a bench: no daemon is left" nothing "sleep $nap"
not_ok "a bench: the home folder is as it was" test -e "$HOME/planted"
not_ok "a bench: no secret in the report" grep -rq secret-of-ada .git/wb "$out" "$err"
run wb -c wb-build.test="echo not ok 1; cat $HOME/.netrc; false" series check --test
not_ok "a test: no secret in the log" grep -rq secret-of-ada "$XDG_CACHE_HOME" "$out"

fingerprint >"$work/after"
ok "work tree, index, refs, objects as before" cmp "$work/before" "$work/after"

# what the user decides
run wb run --rounds 1
not_ok "a sandboxed report does not speak of it" grep -q 'sandbox:' "$out"
rm -rf .git/wb
run wb --no-sandbox run --rounds 1
ok "--no-sandbox is said in the report" grep -q 'sandbox: none around' "$out"
run wb report
ok "and in a later one" grep -q 'sandbox: none around' "$out"
mkdir "$work/shared"
hostile -c wb.sandbox-write="$work/shared" -c wb.sandbox-read="~/.netrc" <<-EOS
	grep -q ada ~/.netrc && echo yes >"$work/shared/written"
EOS
status 0 "paths that the user lets in"
is "are written" "$(cat "$work/shared/written")" yes
cp .wbconfig "$work/keep"
printf '[wb]\n\tsandbox = off\n' >>.wbconfig
run wb status
ok ".wbconfig cannot open the box" grep -q "wb.sandbox: ignored" "$err"
cp "$work/keep" .wbconfig
run wb -c wb.sandbox=maybe build 0
status 129 "a bad value"

# without bwrap: one line, and it goes on; "on" stops
mkdir "$work/bin"
for p in sh cat cp git sed ps cc ld as uname; do
	ln -s "$(command -v $p)" "$work/bin/$p" 2>/dev/null
done
rm -rf "$builds"
run env PATH="$B:$work/bin" wb build 0 1
status 0 "without bwrap"
is "one line says so" "$(grep -c 'no sandbox, .*package bubblewrap' "$err")" 1
run env PATH="$B:$work/bin" wb -c wb.sandbox=on build 0
status 0 "what is built needs none"
rm -rf "$builds"
run env PATH="$B:$work/bin" wb -c wb.sandbox=on build 0
status 128 "on, and no bwrap"
one_error "on, and no bwrap" "package bubblewrap"
done_testing
