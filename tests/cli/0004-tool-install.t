# make, make install: what lands where, with cmark and without.
. "$(dirname "$0")/../lib.sh"

# The rules alone: nothing is compiled, so this runs in a copy whose program
# is there already.
mkdir "$work/src" && cd "$work/src" || exit 1
cp -R "$top/Makefile" "$top/wb" "$top/.ci" "$top/templates" .
mkdir -p build
cp "$B/wb" build/wb
make_now() {	# make, taking build/wb as up to date
	run make -o build/wb MAKEFLAGS= WB_BUILD= SAN= "$@"
}

if command -v cmark >/dev/null; then
	make_now all
	status 0 "make"
	ok "makes the man pages" test -s build/man/wb-run.1
	make_now install DESTDIR="$work/dest" prefix=/usr
	status 0 "make install"
	ok "templates" test -s "$work/dest/usr/share/wb/templates/report.md"
	run "$work/dest/usr/bin/wb" report --template report \
		--samples "$data/formats/six-columns.jsonl"
	status 0 "and it finds them"
	ok "man pages" test -s "$work/dest/usr/share/man/man5/wb-file.5"
	man1=$work/dest/usr/share/man/man1
	ok "a page for git help wb" test -e "$man1/git-wb.1"
	if command -v man >/dev/null; then
		PATH=$work/dest/usr/bin:$PATH
		export MANPATH="$work/dest/usr/share/man"
		for how in "wb --help" "help wb"; do
			run git $how
			status 0 "git $how"
			ok "git $how is wb(1)" grep -q '^wb(1)' "$out"
		done
	fi
fi

# a machine without cmark
mkdir "$work/no-cmark"
for p in sh make mkdir install ln rm printf git sed basename touch; do
	ln -s "$(command -v $p)" "$work/no-cmark/$p"
done
rm -rf build/man
PATH=$work/no-cmark
run make -o build/wb MAKEFLAGS= WB_BUILD= SAN= all
is "make without cmark" "$rc" 0
run make -o build/wb MAKEFLAGS= WB_BUILD= SAN= install DESTDIR="$work/bare" \
	prefix=/usr
is "make install without cmark" "$rc" 0
run make -o build/wb MAKEFLAGS= WB_BUILD= SAN= man
[ "$rc" != 0 ]
result $? "make man without cmark fails"
PATH=/usr/bin:/bin
ok "and names what it lacks" grep -q 'cmark' "$out" "$err"
ok "the program is installed" test -x "$work/bare/usr/bin/wb"
done_testing
