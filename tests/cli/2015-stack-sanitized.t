# The core with the whole stack on it under the sanitizers. Short: free pages and
# objects, which AddressSanitizer is told of. LONG=1: all tests of the core under
# each of the three.
. "$(dirname "$0")/../lib.sh"

mkdir "$work/all"
cp -r "$top/core" "$top/tests" "$top/series" "$top/Makefile" "$work/all"
cd "$work/all" || exit 1
n=0
for p in $(grep -v '^[[:space:]]*\(#\|$\)' series/series); do
	git apply "series/$p" 2>"$err" || { cat "$err" && exit 1; }
	n=$((n + 1))
done

# sanitized SANITIZER [VARIABLE...]
sanitized() {
	san=$1 && shift
	run env WB_PREFIX=$n WB_TOP="$top" WB_JOBS=2 make -s -j2 SAN="$san" \
		WB_BUILD="$work/$san" "$@" check-core
	status 0 "$n patches, $san ${*:+($*)}"
	grep -E '^(Files=|Result|not ok|# )' "$out" | sed 's/^/# /'
}
if [ -n "${LONG:-}" ]; then
	for san in asan ubsan tsan; do
		sanitized $san
	done
else
	sanitized asan WB_TEST=test-pa-debug
	sanitized asan WB_TEST=test-pa-magazine
fi
done_testing
