# Defects put into the core, one at a time: each must be caught by its tests.
#
#	sh tests/mutants.sh [NAME ...]		(make mutants)
#
# They are put into the whole stack, in a copy. A line of the table says which
# file, a sed command that makes the defect, and the tests to ask; a command
# that changes nothing, or a mutant that does not build, is a failure too.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/mutants.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
B=$work/build
PA_APPLIED=$(cat "$top/series/series")
# without rseq nothing is in front of the lists of the CPUs
GLIBC_TUNABLES=glibc.pthread.rseq=0
export GLIBC_TUNABLES PA_APPLIED CMOCKA_MESSAGE_OUTPUT=TAP
n=0 failed=0

cp -r "$top/core" "$top/tests" "$top/Makefile" "$work"
while read -r patch; do
	patch -s -p1 -F0 -d "$work" <"$top/series/$patch" || exit 1
done <"$top/series/series"
cp -r "$work/core" "$work/sound"
cd "$work" || exit 1

# build and ask: 0 when every test passes
asked() {
	programs=
	for t in "$@"; do
		programs="$programs $B/tests/$t"
	done
	# shellcheck disable=SC2086 # words
	make -s -j"$(nproc)" WB_BUILD="$B" $programs >"$work/log" 2>&1 ||
		{ echo "# does not build" && sed 's/^/# /' "$work/log" &&
			return 2; }
	for t in $programs; do
		timeout 60 "$t" >"$work/log" 2>&1 || return 1
	done
}
result() {	# result CODE NAME
	n=$((n + 1))
	[ "$1" = 0 ] || { failed=$((failed + 1)) && printf 'not '; }
	echo "ok $n - $2"
}
# mutant NAME FILE SED TEST...
mutant() {
	name=$1 file=$2 change=$3
	shift 3
	[ -z "$wanted" ] || case " $wanted " in *" $name "*) ;; *) return ;; esac
	sed "$change" "sound/$file" >"core/$file"
	cmp -s "sound/$file" "core/$file" &&
		echo "# the command for $name changes nothing"
	asked "$@"
	[ $? = 1 ] && ! cmp -s "sound/$file" "core/$file"
	result $? "$name is caught by $*"
	cp "sound/$file" "core/$file"
}

wanted=$*
all="test-pa-buddy test-pa-pcp test-pa-fixes test-pa-zonelist test-pa-vmstat
	test-pa-watermark test-pa-cpuset pa-model pa-small pa-debug-interleave
	pa-debug-stress"
# shellcheck disable=SC2086 # words
asked $all
result $? "without a defect all tests pass"

mutant skip-merge buddy.c \
	's/^\twhile (order < PA_MAX_ORDER) {/\twhile (order < 1) {/' pa-small
mutant wrong-buddy buddy.c \
	's/unsigned long buddy_pfn = pfn ^ (1ul << order);/unsigned long buddy_pfn = pfn + (1ul << order);/' \
	pa-small
mutant wrong-list buddy.c \
	's/^\tadd_to_free_list(pa, page, zone, order, migratetype,/\tadd_to_free_list(pa, page, zone, order, 0,/' \
	pa-small
mutant missed-count buddy.h \
	'/^static inline void unlink_free_page/,/^}/ s/area->nr_free - 1/area->nr_free/' \
	pa-small
mutant missed-stat pcp.c \
	's/^\tpcp->count += good << order;/\tpcp->count += good;/' pa-model
mutant no-lock spinlock.h \
	's/while (unlikely(!spin_trylock(lock)))/if (unlikely(!spin_trylock(lock)))/' \
	pa-debug-interleave
mutant trylock-ignored pcp.c \
	's/!spin_trylock(&pset->pcp.lock)))/(spin_trylock(\&pset->pcp.lock), 0)))/' \
	pa-debug-interleave
mutant threshold-off-by-one pcp.c \
	's/pcp->count >= pcp->high/pcp->count > pcp->high/' test-pa-pcp
mutant watermark-off-by-one watermark.c \
	's/free_pages <= mark + zone->lowmem/free_pages < mark + zone->lowmem/' \
	test-pa-watermark
mutant type-before-lock buddy.c \
	'/^void pa_free_one_page/,/^}/ { s/^\tspin_lock(&zone->lock);/\tunsigned int mt = get_pfnblock_migratetype(zone, pfn);\n\n&/
	s/get_pfnblock_migratetype(zone, pfn));/mt);/ }' pa-debug-interleave
mutant lone-turns mmzone.c \
	's/thisnode.zonerefs > 1);/thisnode.zonerefs > 0);/' test-pa-vmstat
mutant no-turns mmzone.c \
	's/thisnode.zonerefs > 1);/thisnode.zonerefs > 2);/' test-pa-zonelist
mutant holder-overwritten spinlock.h \
	's/^\treturn atomic_compare_exchange_strong_explicit(&lock->holder, &nobody,/\treturn nobody == atomic_exchange_explicit(\&lock->holder,/
	/^\t*this_process(),$/ { n
	d }
	s/^\t*memory_order_relaxed);/memory_order_acquire);/' test-pa-process
mutant parents-number process.c \
	's/pthread_atfork(NULL, NULL, take_own_number)/0/' test-pa-process
mutant zombies-live process.c 's/poll(&end, 1, 0) == 1/false/' test-pa-process
mutant last-is-blamed spinlock.c \
	's/^\tatomic_compare_exchange_strong(&lock->shared->abandoned_by, &nobody,/\tatomic_store(\&lock->shared->abandoned_by,/' \
	test-pa-process
# what once was wrong with the first walk, and with the mask of all flags
mutant mask-in-the-slow-path page_alloc.c \
	'/^\tac.gfp = gfp;$/ { n
	s/^\tac.nodemask = nodemask;$// }' test-pa-cpuset
mutant late-gfp-mask page_alloc.c \
	's/^\tgfp &= pa->gfp_allowed_mask;//' test-pa-cpuset
mutant second-zone-first page_alloc.c \
	's/for_each_zoneref_from(z, ac->first_zoneref,/for_each_zoneref_from(z, ac->first_zoneref + 1,/' \
	test-pa-zonelist

# Magazines, for which there has to be rseq.
unset GLIBC_TUNABLES
if asked pa-storm test-pa-magazine && "$B/tests/pa-storm" 1 1 |
		grep -q ', with rseq'; then
	mutant no-fence rseq.c 's/return fence() ||/return 1 || fence() ||/' \
		pa-storm
	mutant closed-once magazine.c \
		's/^\t\tif (!pa_rseq_fence()) {/\t\tif (pa_rseq_fence())\n\t\t\treturn true;\n\t\telse {/' \
		pa-storm
	mutant commit-before-page rseq.h \
		'/^pa_rseq_push/,/^failed/ { /movq %\[give\]/d
		s/"movl %k\[n\], (%\[at\])"/"movl %k[n], (%[at])\\n\\t" "movq %[give], %c[page]-8(%[at], %[n], 8)"/ }' \
		pa-storm
	mutant sequence-ends-early rseq.h 's/2f - 1f, 4f/8, 4f/' pa-storm
	mutant fill-not-empty rseq.h \
		'/^static inline bool pa_rseq_fill/,/^failed/ { /cmpl \$0/,/jne/d }' \
		test-pa-magazine
	mutant fill-elsewhere rseq.h \
		'/^static inline bool pa_rseq_fill/,/^failed/ { /cmpl %\[cpu\]/,/jne/d }' \
		test-pa-magazine
	mutant fork-unclosed magazine.c \
		'/^void pa_lock_magazines/,/^}/ s/^\tclose_stacks(pa);//' \
		test-pa-magazine
	mutant stale-types pageblock.c \
		's/^\tpa_assign_block(zone/\tif (!zone)\n&/' test-pa-magazine
else
	echo "# SKIPPED: no rseq here, so no mutants of magazines" >&2
fi
echo "1..$n"
[ $failed = 0 ]
