# A project at the gate of wb ci. Source it behind lib.sh.

# make_project: a repository with a build that may warn (src/log, src/warns) or
# fail (src/broken), a test that may fail (src/wrong), and a bench that is
# counted by itself, so its numbers repeat: an exact metric. What was built and
# tested is counted in $TRACE.
make_project() {
	make_repo
	mkdir src
	echo 1000 >src/cost
	echo "a project" >README
	cat >build.sh <<-'EOS'
	[ ! -e src/broken ] || { echo "src/broken:1: error: no luck"; exit 2; }
	echo "src/a.c:3:7: warning: an old one"
	[ ! -e src/warns ] || echo "$PWD/src/b.c:12: warning: unused '%0A' | <x>"
	cat src/log 2>/dev/null
	cp src/cost "$WB_BUILD/cost"
	echo x >>"$TRACE/builds"
	EOS
	cat >test.sh <<-'EOS'
	echo x >>"$TRACE/tests"
	[ ! -e src/wrong ] || { echo "not ok 1 - adds up"; exit 1; }
	EOS
	cat >bench.sh <<-'EOS'
	echo '{"metric":"n","unit":"instructions","better":"lower","exact":true,"value":'$(cat "$WB_BUILD/cost")'}'
	EOS
	cat >.wbconfig <<-'EOS'
	[wb]
		rounds = 2
		fifo = off
	[wb-build]
		command = sh build.sh
		test = sh test.sh
		inputs = src build.sh
		overlay = bench.sh test.sh
	[wb-bench "b"]
		command = sh "$WB_TREE/bench.sh"
		level = S
	EOS
	[ -z "${1:-}" ] || git config --file .wbconfig wb.series "$1"
	commit "base: of it all"
	git tag base
	export TRACE="$work/trace"
	mkdir "$TRACE"
	git config --global wb.sandbox-write "$TRACE"
}

patch_() {	# patch_ SUBJECT COMMANDS
	sh -c "$2"
	git add -A
	git commit -q -m "$1" -m "Because it is so." -s
}

# row K, state K STEP: of the JSON in $out
row() {
	jq -r ".prefixes[$1] | [.applies, .header, .build, .test, .measured] |
		map(.state // \"-\") | join(\" \")" "$out"
}
state() {
	jq -r ".prefixes[$1].$2.state" "$out"
}
