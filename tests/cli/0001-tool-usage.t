# -h, the man page and the command table say the same thing.
. "$(dirname "$0")/../lib.sh"

run wb help
status 0
for cmd in $(sed -n 's/^  wb \([a-z-]*\).*/\1/p' "$out" | sort -u); do
	page=$top/wb/man/wb-$cmd.1.md
	ok "wb help $cmd has a page" test -f "$page"
	wb "$cmd" -h | sed -n '/^$/q; s/^usage: //; s/^   or: //; p' \
		>"$work/short"
	sed -n '/^# SYNOPSIS/,/^# /{ s/^    //p; }' "$page" >"$work/synopsis"
	ok "wb $cmd -h equals SYNOPSIS" cmp "$work/short" "$work/synopsis"
	diff "$work/short" "$work/synopsis" | sed 's/^/# /'
	# every option of -h is described in the page
	verbs=$(wb --list-cmds | sed -n "s/^$cmd //p")
	for o in $({ wb "$cmd" -h; for v in $verbs; do wb "$cmd" "$v" -h; done; } |
		sed -n 's/^  .*\(--[a-z0-9-]*\).*/\1/p' |
		sort -u); do
		case $o in
		--directory | --config | --json | --no-pager | --color | \
			--no-sandbox | --quiet | --verbose) continue ;;	# in wb(1)
		esac
		ok "wb-$cmd(1) describes $o" \
			grep -qE -- "^\*\*.*$o(=[^*]*)?\*\*" "$page"
	done
	# and the page describes no other
	{ wb "$cmd" --list-opts
		for v in $verbs; do wb "$cmd" "$v" --list-opts; done; } |
		sed 's/=$//' >"$work/opts"
	for o in $(sed -n 's/^\*\*.*\(--[a-z][a-z0-9-]*\).*/\1/p' "$page" |
		sort -u); do
		ok "wb $cmd has $o" grep -qx -- "$o" "$work/opts"
	done
done

for o in --directory --config --json --no-pager --no-sandbox --color --quiet --verbose; do
	ok "wb(1) describes $o" grep -q -- "$o" "$top/wb/man/wb.1.md"
done
wb help config | sed -n 's/^  \(wb[.-][^ ]*\) .*/\1/p' >"$work/keys"
ok "there are keys" test -s "$work/keys"
while read -r key; do
	ok "wbconfig(5) describes $key" \
		grep -qF -- "$key" "$top/wb/man/wbconfig.5.md"
done <"$work/keys"

run wb
status 0 "wb alone is help"
ok "on stdout" grep -q 'wb run' "$out"
run wb --version
status 0
run wb frobnicate
status 129
one_error "unknown command" frobnicate
run wb config --frobnicate
status 129
one_error "unknown option" frobnicate
run wb config --c x
status 129
one_error "ambiguous option" "'--c' is ambiguous: --config, --color"
run wb config --json=3
status 129
one_error "value of a flag" "'--json' takes no value"
run wb config -c
status 129
one_error "missing value" 'needs a value'
run wb --color=pink config
status 129
one_error "bad colour" pink
run wb -C "$work/nowhere" config
status 128
one_error "-C" nowhere
make_repo "$work/r"
run wb -C "$work/r" series list -h
ok "a verb's own usage" grep -q '^usage: wb series' "$out"
cp "$out" "$work/list"
run wb series -h
ok "a noun's usage has the options of its first verb" grep -q profile= "$out"
ok "and says where the others are" grep -q 'wb series trees -h' "$out"
cd "$work"
run wb status
status 128 "outside a repository"
one_error "outside a repository" 'not a git repository'
done_testing
