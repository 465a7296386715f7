# What hostile input may take. Source it behind lib.sh.

# within CMD...: at most 10 s of CPU for each of its processes and 512 MB of
# memory that is no file's; a sanitizer takes what it wants.
within() {
	case $B in
	*/asan | */ubsan | */tsan) timeout 600 "$@" ;;
	*) (ulimit -t 10 && ulimit -d 524288 && exec timeout 120 "$@") ;;
	esac
}
