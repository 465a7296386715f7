# Repositories with a stack whose truth is known. Source it behind lib.sh.

# A repository with a quilt stack in patches/ whose truth is known. The bench
# prints what the file "cost" says plus seeded noise of +-1; the build copies
# it and fails where a file "broken" exists.
#
#	1 faster	cost 1000 -> 950
#	2 comment	a README line: other tree, same inputs
#	3 breaks	does not build
#	4 mends		builds again, cost 950 -> 1050
make_stack() {
	make_repo "${1:-$work/repo}"
	mkdir src patches
	echo 1000 >src/cost
	echo "a project" >README
	cat >build.sh <<-'EOS'
	[ ! -e src/broken ] || { echo "src/broken:1: error: no luck"; exit 2; }
	cp src/cost "$WB_BUILD/cost"
	EOS
	cat >bench.sh <<-'EOS'
	n=$(($(cat "$WB_BUILD/cost") * 10 + ${WB_SEED#?????????} - 4))
	echo '{"bench":"b","metric":"t","unit":"ns","better":"lower","value":'$n'}'
	EOS
	cat >.wbconfig <<-'EOS'
	[wb]
		series = patches
		rounds = 10
		fifo = off
	[wb-build]
		command = sh build.sh
		inputs = src build.sh
	[wb-bench "b"]
		command = sh "$WB_TREE/bench.sh"
		level = S
	EOS
	commit base
	stack_patch faster 'echo 950 >src/cost'
	stack_patch comment 'echo "more" >>README'
	stack_patch breaks 'echo x >src/broken'
	stack_patch mends 'rm src/broken; echo 1050 >src/cost'
	git reset -q --hard HEAD~4
	mkdir -p patches
	mv "$work"/new-patches/* patches/
	commit stack
}

stack_patch() {	# stack_patch NAME COMMANDS
	sh -c "$2" && commit "$1: a patch of the test stack" || exit 1
	mkdir -p "$work/new-patches"
	git format-patch -q -1 --stdout >"$work/new-patches/$1.patch"
	echo "$1.patch" >>"$work/new-patches/series"
}

# Everything of the repository that wb must leave as it is.
fingerprint() {
	git status --porcelain=v2 -uall
	git for-each-ref
	sha256sum "$(git rev-parse --git-dir)/index" 2>/dev/null
	find "$(git rev-parse --git-common-dir)/logs" -type f -exec sha256sum {} + |
		sort
	find . -path ./.git -prune -o -type f -exec sha256sum {} + | sort
	find "$(git rev-parse --git-common-dir)/objects" -type f | sort
}
