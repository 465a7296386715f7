# Histories of commits whose truth is known. Source it behind lib.sh.

# start_history NAME: a repository in $work/NAME, entered, its base tagged
# "good". The build copies the file src/cost, the bench prints it with a noise
# of 1 %; a file src/broken breaks the build, src/hangs makes it hang, src/fails
# makes the bench fail.
start_history() {
	make_repo "$work/$1"
	mkdir src
	echo 10000 >src/cost
	cat >build.sh <<-'EOS'
	[ ! -e src/hangs ] || sleep 1000
	[ ! -e src/broken ] || { cat src/broken; exit 2; }
	cp src/cost "$WB_BUILD/cost"
	EOS
	cat >bench.sh <<-'EOS'
	[ ! -e src/stalls ] || sleep 1000
	[ ! -e src/fails ] || { echo "assertion failed" >&2; exit 3; }
	n=$(cat "$WB_BUILD/cost") s=$((10#${WB_SEED#??} % 201))
	echo "{\"metric\":\"t\",\"unit\":\"ns\",\"better\":\"lower\",\"value\":$((n + s - 100))}"
	EOS
	cat >.wbconfig <<-'EOS'
	[wb]
		fifo = off
	[wb-build]
		command = sh build.sh
		inputs = src build.sh
		overlay = bench.sh
		timeout = 2s
	[wb-bench "b"]
		command = bash "$WB_TREE/bench.sh"
		level = S
		timeout = 2s
	EOS
	commit base
	git tag good
	wb trust >/dev/null 2>&1
}

# make_history NAME N SPEC...: N commits; "k:COMMANDS" is done in commit k. Every
# fourth commit changes nothing of what is built.
make_history() {
	start_history "$1"
	n=$2
	shift 2
	for i in $(seq 1 "$n"); do
		for spec in "$@"; do
			[ "${spec%%:*}" != "$i" ] || sh -c "${spec#*:}"
		done
		if [ $((i % 4)) = 0 ]; then echo "$i" >>README
		else echo "$i" >"src/f$i"; fi
		commit "change $i"
	done
}
json() { jq -r "$1" <"$out"; }
command -v jq >/dev/null || skip_all "jq is not installed"
