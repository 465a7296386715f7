# wb init: from a repository that knows nothing of wb to one that wb run takes.
. "$(dirname "$0")/../lib.sh"

# A project with a Makefile, a bench that prints what $1 says, and one patch.
project() {
	rm -rf "$work/repo"
	make_repo
	mkdir -p debian/patches bench
	printf 'all:\n\tcp cost "$(WB_BUILD)/cost"\n' >Makefile
	echo 1000 >cost
	printf '%s\n' "$1" >bench/run.sh
	commit base
	echo 900 >cost
	git commit -qam 'faster: a patch'
	git format-patch -q -1 --stdout >"$work/faster.patch"
	git reset -q --hard HEAD~1
	mkdir -p debian/patches
	cp "$work/faster.patch" debian/patches/
	echo faster.patch >debian/patches/series
	commit stack
}
get() { git config -f .wbconfig "$1"; }

project 'echo parse $(cat "$WB_BUILD/cost") ns; echo print 7 ns'
run wb init --no-interactive
status 129 "no bench is known"
one_error "no bench" "say --bench CMD"
run wb init --bench='sh bench/run.sh'
status 129 "no direction is known"
one_error "no direction" "say --better"
ok "nothing was written" test ! -e .wbconfig
run wb init --bench='sh bench/run.sh' --better=up
status 129
one_error "a bad direction" "'up' is none of lower, higher"
fingerprint() { git status --porcelain=v2; git for-each-ref; }
fingerprint >"$work/before"
run wb init --bench='sh bench/run.sh' --better=lower
status 0
ok "says what it found" grep -q 'found make, a stack in debian/patches' "$err"
ok "lines reads it" grep -q '^lines  *yes  2 metrics, such as parse = 1000 ns' "$out"
ok "google-benchmark does not, and why" \
	grep -q "^google-benchmark  *no .*no line begins with '{'" "$out"
ok "last-number would take it" grep -q '^last-number  *yes  1 metric: value = 7' "$out"
ok "time takes anything" grep -q '^time  *yes  5 metrics' "$out"
is "the build command" "$(get wb-build.command)" 'make -j$WB_JOBS'
is "the bench command" "$(get wb-bench.run.command)" 'sh bench/run.sh'
is "the reader" "$(get wb-bench.run.reader)" lines
is "the direction" "$(get wb-bench.run.better)" lower
is "the stack" "$(get wb.series)" debian/patches
is "and how it applies" "$(get wb.profile)" dpkg
is "the bench is taken from HEAD" "$(get wb-build.overlay)" bench/run.sh
{ fingerprint | grep -v '? .wbconfig'; } >"$work/after"
ok "nothing else was touched" cmp "$work/before" "$work/after"
run wb run --rounds 4
status 0 "wb run takes it, trusted"
run wb report --json
is "and gives the verdict" "$(jq -r '.rows[] | select(.metric == "parse" and
	.prefix == "faster") | .verdict' "$out")" faster

run wb init --bench='sh bench/run.sh' --better=lower
status 128 "a second time"
one_error "a second time" "'wb init --force' replaces it"
cp .wbconfig "$work/first"
run wb init --bench='exit 3' --better=lower --force
status 125 "a bench that fails"
one_error "a bench that fails" "bench: .*exit code 3.*nothing was written"
ok "the file is as it was" cmp .wbconfig "$work/first"
run wb init --build='echo "x.c:1: error: no"; exit 1' --bench=true --force
status 125 "a build that fails"
one_error "a build that fails" "x.c:1: error: no"
ok "the file is as it was" cmp .wbconfig "$work/first"
run wb init --bench='echo it took 12.5' --no-interactive --force
status 129 "no reader is sure"
one_error "no reader is sure" "choose with --reader.*last-number"
ok "shows what it printed" grep -q '  | it took 12.5' "$out"
run wb init --bench='echo it took 12.5' --reader=last-number --better=lower --force
one_error "no unit" "say --unit"
run wb init --bench='echo it took 12.5' --reader=go --force
status 125 "a reader that cannot"
one_error "a reader that cannot" "reader go cannot read"
run wb init --bench='echo it took 12.5' --reader=tea --force
status 129
one_error "no such reader" "'tea'"

# every byte of a command comes back
hard='printf "t 5 ns\n" # ; "a" \ b'
run wb init --build='' --bench="$hard" --better=higher --force --json
status 0
is "quoting" "$(get wb-bench.printf.command)" "$hard"
is "no build command" "$(get wb-build.command)" ""
is "JSON" "$(jq -r '"\(.schema) \(.reader) \(.better) \(.bench)"' "$out")" \
	"1 lines higher printf"
is "JSON has every reader" "$(jq '.readers | length' "$out")" 11
ok "says that it replaced" grep -q 'replaced .wbconfig' "$err"
run wb trust --show
ok "trusted" grep -q '^trusted.yes' "$out"

# "-" says that there is none, as on a terminal
run wb init --build=- --bench='echo t 5 ns' --better=lower --series=- --force
status 0 "no build, no stack"
is "no build is not a command" "$(get wb-build.command)" ""
is "no stack is not a folder" "$(get wb.series)" ""
ok "it was not run" grep -q 'one try on HEAD: the bench' "$err"
run wb init --bench=- --force
status 129 "no bench"
one_error "no bench" "say --bench CMD"
for o in better unit; do
	run wb init --reader=last-number --bench='echo 5' --better=lower --unit=s \
		--$o=- --build= --force
	status 129 "no $o"
	one_error "no $o" "say --$o"
done
run wb init --reader=last-number --bench='echo 5' --better=lower --unit= \
	--build= --force
one_error "an empty unit" "say --unit"

# what it printed is shown as bytes, each escaped once
run wb init --build= --reader=lines --better=lower --force \
	--bench='printf "a\\\\b\033[2J\n\033c\n"; cat >/dev/null'
ok "in a reason" grep -q "^lines  *no  *line 1: .*'a.x5cb.x1b\[2J'" "$out"
ok "of slices, too" grep -q "^slices  *no  *answered out of turn: .*'.*.x1bc.x0a'" "$out"
not_ok "and not twice" grep -q 'x5cx' "$out"
run wb init --build= --reader=lines --better=lower --force --json \
	--bench='printf "a\\\\b 5 n\033\n"'
is "in JSON as they are" "$(jq -r '.readers[0].says' "$out" | od -An -c | tr -d ' \n')" \
	'1metric:a\b=5n033\n'

# nine metrics need a judge
run wb init --build= --bench='for i in 1 2 3 4 5 6 7 8 9; do echo m$i $i ns; done' \
	--better=lower --force
is "judge" "$(get wb-bench.bench.judge || get wb-bench.for.judge)" '*'

# a range of commits instead of a folder
git rm -rq debian
git commit -qm 'no stack'
git branch up
git branch -q --set-upstream-to=up
echo more >more
commit more
run wb init --build= --bench='echo t 5 ns' --better=lower --force
is "the commits above the upstream" "$(get wb.series)" '@{upstream}..HEAD'
run wb series list
status 0 "which is a stack"
ok "of one" grep -q more "$out"
run wb init --build= --bench='echo t 5 ns' --better=lower --series=HEAD~2..HEAD --force
is "a stack that was named" "$(get wb.series)" HEAD~2..HEAD

# other systems
for s in 'CMakeLists.txt cmake' 'meson.build meson' 'Cargo.toml cargo' 'go.mod go'; do
	: >"${s% *}"
	git add "${s% *}"
	git commit -qm "${s#* }"
	run wb init --bench='echo t 5 ns' --better=lower --build=true --force
	ok "found ${s#* }" grep -q "found ${s#* }" "$err"
	git reset -q --hard HEAD~1
done

# Go: the build compiles, the bench only runs, each package in its folder
mkdir "$work/bin" "sub dir"
cat >"$work/bin/go" <<'EOS'
#!/bin/sh
case $1 in
list) printf '%s\n' "$PWD" "$PWD/sub dir" ;;
test)
	[ "$2 $3" = "-c -o" ] || exit 1
	! grep -q broken data || { echo "./x_test.go:1: broken" >&2; exit 1; }
	printf '#!/bin/sh\n[ "$*" = %s ] && cat data\n' \
		"'-test.run ^\$ -test.bench . -test.benchmem'" >"$4"
	chmod +x "$4"
	echo "? no test files" ;;
esac
EOS
chmod +x "$work/bin/go"
: >go.mod
printf 'pkg: example.org/a\nBenchmarkX-2 9 5 ns/op\nPASS\n' >data
printf 'pkg: example.org/b\nBenchmarkX-2 9 7 ns/op\nPASS\n' >"sub dir/data"
commit go
run env PATH="$work/bin:$PATH" wb init --no-interactive --force
status 0 "a module of Go"
ok "two packages" grep -q '^go  *yes  2 metrics, such as example.org/a.X = 5 ns/op' "$out"
is "the name of the bench" "$(get wb-bench.go.reader)" go
echo broken >"sub dir/data"
commit broken
run env PATH="$work/bin:$PATH" wb init --no-interactive --force
status 125 "one that does not compile"
one_error "it" "x_test.go:1: broken"
git reset -q --hard HEAD~2

run wb init --build= --bench='cd bench && env X=1 printf "t 5 ns\n"' --better=lower --force
is "the name is the program's, not the folder's" "$(get wb-bench.printf.better)" lower

# hostile output is named, and no reader finds a number in it
run wb init --build= --bench='printf "t nan ns\\n"' --no-interactive --force
ok "nan" grep -q '^lines  *no ' "$out"
ok "last-number neither" grep -q '^last-number  *no ' "$out"
run wb init --build= --bench='yes' --no-interactive --force
status 125 "an endless output"
one_error "an endless output" "printed more than"

# on a terminal it asks
if command -v script >/dev/null; then
	project 'echo $(cat "$WB_BUILD/cost")'
	printf '\nfalse\n\n-\nsh bench/run.sh\n-\nlast-number\nup\nlower\n-\nms\n' \
		>"$work/in"
	script -qec 'wb init' /dev/null <"$work/in" >"$out" 2>&1
	rc=$?
	status 0 "on a terminal"
	ok "offers the build command" grep -q 'build command.*\[make -j' "$out"
	ok "asks again when the bench fails" grep -q 'bench: ' "$out"
	is "reader" "$(get wb-bench.run.reader)" last-number
	is "better, asked until it is a word" "$(get wb-bench.run.better)" lower
	is "unit" "$(get wb-bench.run.unit)" ms
	printf -- '-\necho 7\nlast-number\nlower\nms\n' >"$work/in"
	script -qec 'wb init --force' /dev/null <"$work/in" >"$out" 2>&1
	rc=$?
	status 0 "- on a terminal"
	is "no build" "$(get wb-build.command)" ""
else
	echo "# SKIPPED: questions, for want of script (package bsdutils)" >&2
fi

git clone -q --bare . "$work/bare.git"
cd "$work/bare.git" || exit 1
run wb init --bench=true
status 128 "a bare repository"
one_error "a bare repository" "work tree"
# a bench in slices is found by asking it; another one is not taken for it
cat >"$work/slices.sh" <<'EOS'
while read -r question metric seed; do case $question in
list) echo '{"metrics":["step","other"]}' ;;
run) echo '{"metric":"'$metric'","unit":"ns","better":"lower","value":41,' \
	'"parts":[41,41,41,41,41,41,41,41]}' ;;
quit) exit ;;
esac; done
EOS
project "$(cat "$work/slices.sh")"
run wb init --no-interactive --bench='sh bench/run.sh'
status 0 "a bench in slices"
ok "what it served" grep -q '^slices  *yes  2 metrics, such as .* = 41 ns, lower' "$out"
is "and that is chosen" "$(get wb-bench.run.reader)" slices
project 'cat >/dev/null; echo m 5 ns'
run wb init --no-interactive --reader=slices --bench='sh bench/run.sh' --better=lower
status 125 "no bench in slices"
one_error "no slices" 'reader slices cannot read .*: no answer within'
ok "nothing was written" test ! -e .wbconfig
done_testing
