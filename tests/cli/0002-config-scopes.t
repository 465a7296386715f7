# Configuration: scopes, values, .wbconfig and its trust.
. "$(dirname "$0")/../lib.sh"

make_repo
git config --global wb.margin 1%
run wb config wb.margin
is "global" "$(cat "$out")" "wb.margin=1%"
printf '[wb]\n\tmargin = 2%%\n' >.wbconfig
run wb config wb.margin
is "project over global" "$(cat "$out")" "wb.margin=2%"
git config wb.margin 3%
run wb config wb.margin
is "local over project" "$(cat "$out")" "wb.margin=3%"
WB_CONFIG_COUNT=1 WB_CONFIG_KEY_0=wb.margin WB_CONFIG_VALUE_0=4%
export WB_CONFIG_COUNT WB_CONFIG_KEY_0 WB_CONFIG_VALUE_0
run wb config wb.margin
is "environment over local" "$(cat "$out")" "wb.margin=4%"
run wb -c wb.margin=5% config wb.margin
is "-c over environment" "$(cat "$out")" "wb.margin=5%"
run wb config wb.margin -c WB.Margin=6%
is "-c behind the command, any case" "$(cat "$out")" "wb.margin=6%"
run wb config --show-origin wb.margin
ok "origin" grep -q '^environment' "$out"
run wb config --all wb.margin
is "all scopes" "$(wc -l <"$out")" 5
run wb --json config wb.margin
is "json" "$(jq -r '.schema, .entries[0].value' "$out" | tr '\n' ' ')" "1 4% "
WB_CONFIG_COUNT=2
run wb config
status 129
one_error "missing pair" WB_CONFIG_KEY_1
WB_CONFIG_COUNT=x
run wb config
status 129
one_error "bad count" WB_CONFIG_COUNT
unset WB_CONFIG_COUNT

for bad in wb.margin=frog wb.margin=-1% wb.margin=200% wb.rounds=0 \
	wb.rounds=1.5 wb.fifo=maybe wb.profile=fuzzy wb-build.timeout=10q \
	wb-build.timeout=1e400 wb-bench.x.reader=tea wb-bench.x.cpus=0 \
	wb-bench.x.better=up wb-bench.x.level=Q wb-bench.command=x nokey \
	=x; do
	run wb -c "$bad" config
	status 129 "$bad is refused"
	is "one line for $bad" "$(wc -l <"$err")" 1
done

printf '[wb]\n\tmargin = 1%%\n[include]\n\tpath = evil\n' >.wbconfig
printf '[wb-build]\n\tcommand = touch /tmp/never\n' >evil
run wb config
status 129 "an include is refused"
one_error "include" '.wbconfig:3'
printf '[wb] margin = 1%%\n[ IncludeIf "gitdir:**"] path = evil\n' >.wbconfig
run wb config
status 129 "a conditional include is refused"
printf '[wb\nmargin' >.wbconfig
run wb config
status 129 "a syntax error is refused"
one_error "syntax" '.wbconfig'
printf '[wb]\n\tmargin = 1%%\0\n' >.wbconfig
run wb config
status 129 "NUL is refused"
rm .wbconfig; mkdir .wbconfig
run wb config
status 128 "a folder is refused"
one_error "folder" 'not a regular file'
rmdir .wbconfig

# includes that a comment character seems to hide
for h in '[x " ; "][include]' '[a "x # "][include]' '[wb];
[INCLUDE]' '[includeIf "gitdir:**"]'; do
	rm -f .wbconfig
	printf '%s\n\tpath = evil\n' "$h" >.wbconfig
	run wb config
	status 129 "refused: $h"
	one_error "refused" "may not include"
done
rm .wbconfig

# trust
printf '[wb-build]\n\tcommand = make all\n[wb-bench "b"]\n\tcommand = ./b\n' \
	>.wbconfig
run wb trust --show
status 0
ok "and makes no folder" test ! -e "$XDG_CONFIG_HOME"
ok "shows the build command" grep -q "^wb-build.command	make all$" "$out"
ok "not trusted yet" grep -q "^trusted	no$" "$out"
ok "changes nothing" test ! -e "$XDG_CONFIG_HOME/wb/trust"
run wb trust
status 0
run wb trust --show
ok "trusted" grep -q "^trusted	yes$" "$out"
cp .wbconfig keep
echo '# one byte more' >>.wbconfig
run wb trust --show
ok "another content is another consent" grep -q "^trusted	no$" "$out"
cp keep .wbconfig
run wb trust --revoke
run wb trust --show
ok "revoked" grep -q "^trusted	no$" "$out"
rm .wbconfig
run wb trust
status 128
one_error "nothing to trust" 'no .wbconfig'

# nothing of a command is hidden, and none is left out
printf '[wb-bench "c"]\n\tcommand = "x\\nwb-build.command\\tharmless"\n' >.wbconfig
printf '[wb-build]\n\tcommand = "\033[2K; touch EVIL"\n' >>.wbconfig
git config wb-build.command true
run wb trust --show
is "two commands are two lines" "$(grep -c command "$out")" 2
not_ok "no escape sequence" grep -q "$(printf '\033')" "$out"
ok "also one that another scope replaces" grep -q EVIL "$out"
git config --unset wb-build.command
rm .wbconfig

# a bare repository reads HEAD's file
printf '[wb]\n\tmargin = 7%%\n' >.wbconfig
commit one
git clone -q --bare . "$work/bare.git"
run wb -C "$work/bare.git" config wb.margin
is "of HEAD in a bare repository" "$(cat "$out")" "wb.margin=7%"
done_testing
