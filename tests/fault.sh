# Faults at a chosen call that changes a file (data/fault-at.c has its words).
# Source it behind lib.sh; where nothing can be preloaded faulty_here says why.
#
#	KILL_AT=3 faulty COMMAND...
faulty_here() {
	case $B in
	*/asan | */ubsan | */tsan)
		echo "nothing can be preloaded under a sanitizer"
		return 1 ;;
	esac
	${CC:-cc} -D_GNU_SOURCE -O1 -shared -fPIC -w -o "$work/fault-at.so" \
		"$data/fault-at.c" -ldl 2>"$err" && return
	echo "no compiler for the preload"
	return 1
}
faulty() { LD_PRELOAD="$work/fault-at.so" "$@" >"$out" 2>"$err" </dev/null; }
