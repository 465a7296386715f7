# A quilt stack to be changed. Source it behind lib.sh.

# A repository with three patches in series/: one and two change src/a far
# apart, three changes src/a and src/b. Comments stand in the series file.
make_edit_stack() {
	make_repo "${1:-$work/repo}"
	mkdir src
	seq 1 40 >src/a
	seq 1 20 >src/b
	commit base
	edit_patch one 'sed -i "s/^5$/five/" src/a'
	edit_patch two 'sed -i "s/^20$/twenty/" src/a'
	edit_patch three 'sed -i "s/^35$/x35/" src/a; sed -i "s/^3$/three/" src/b'
	git reset -q --hard HEAD~3
	mkdir series
	mv "$work"/*.patch series/
	printf '# a stack\none.patch\n# next\ntwo.patch # why\nthree.patch\n' \
		>series/series
	commit stack
}

edit_patch() {	# edit_patch NAME COMMANDS
	eval "$2"
	commit "$1: do a thing

Why it does it.

Signed-off-by: Ada Marsh <ada.marsh@example.org>" || exit 1
	git format-patch -q -1 --stdout >"$work/$1.patch"
}

# All that no command of wb series may change: all but series/ and refs/wb.
untouched() {
	GIT_OPTIONAL_LOCKS=0 git status --porcelain=v2 -uall -- . ':!series'
	git for-each-ref | grep -v refs/wb/
	sha256sum .git/index .git/HEAD
	find .git/logs -type f -exec sha256sum {} + | sort
	find . \( -path ./.git -o -path ./series \) -prune -o -type f \
		-exec sha256sum {} + | sort
}
files() { find series -type f -exec sha256sum {} + | sort -k2; }
