# wb help and --help: pages where there are any, and the truth where not.
. "$(dirname "$0")/../lib.sh"

# opens WORDS... -- TITLE: the page comes, also outside a repository
opens() {
	want=$1
	shift
	run wb "$@"
	status 0 "wb $*"
	ok "wb $*: $want" grep -q "^$want" "$out"
	is "wb $*: no talk" "$(cat "$err")" ""
}

cd "$work" || exit 1
if command -v man >/dev/null && [ -d "$B/man" ]; then
	for page in "$top"/wb/man/*.md; do
		page=$(basename "$page" .md)
		opens "${page%.*}(${page##*.})" help "${page%.*}"
	done
	opens 'wb(1)' --help
	opens 'wb-run(1)' help run
	opens 'wb-run(1)' run --help
	opens 'wb-run(1)' --help run
	opens 'wb-config(1)' config --help
	opens 'wb-file(5)' help file
	opens 'wb-series(1)' help series
	opens 'wb-series(1)' help series trees
	opens 'wb-series(1)' series trees --help
else
	echo "# SKIPPED: pages, for want of man or cmark" >&2
fi

run wb help config
status 0
is "keys end with where to read on" "$(tail -n 1 "$out")" \
	"See wbconfig(5), wb-config(1)."
run wb help config --json
status 0
ok "keys as JSON" grep -q '"key": "wb.series"' "$out"
is "a JSON document and nothing else" "$(head -c 1 "$out")" "{"
run wb help series --json
is "the verbs of a noun as JSON" "$(grep -c '"name"' "$out")" \
	"$(wb --list-cmds | grep -c '^series ')"
run wb help wbconfig --json
status 129
run wb help frobnicate
status 129
one_error "no page" "'frobnicate' is no command and no page"
run wb help ../run
status 129
run wb help run walk
status 129
one_error "a word too many" "unexpected 'walk'"

# no man program
mkdir bin none
run env PATH="$work/none" "$B/wb" help run
status 0 "without man"
ok "the built-in text" grep -q -- '--budget' "$out"
ok "says that man is missing" grep -q man-db "$err"
run env PATH="$work/none" "$B/wb" help wb-file
status 128 "without man and built-in text"
one_error "no man" man-db

# a wb without pages beside it, and none installed
cp "$B/wb" bin/wb
if command -v man >/dev/null; then
	run env MANPATH="$work/none" "$work/bin/wb" help run
	status 0 "without pages"
	ok "the built-in text" grep -q -- '--budget' "$out"
	ok "says that the page is missing" grep -q 'not installed' "$err"
	not_ok "does not blame man" grep -q man-db "$err"
	run env MANPATH="$work/none" "$work/bin/wb" --help
	ok "wb --help without its page" grep -q 'wb series trees' "$out"
	mkdir -p share/man/man1
	printf '.TH "wb-run" "1"\n.SH NAME\nwb-run - beside\n' \
		>share/man/man1/wb-run.1
	run env MANPATH="$work/none" "$work/bin/wb" help run
	ok "pages of the prefix it is installed in" grep -q beside "$out"
fi
done_testing
