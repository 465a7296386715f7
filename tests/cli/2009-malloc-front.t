# libpagemalloc.so: programs that know nothing of it do under LD_PRELOAD what
# they do without. A program that is not here is named, and its part skipped.
. "$(dirname "$0")/../lib.sh"

(cd "$top" && make -s WB_BUILD="$work/b" front) >/dev/null 2>"$err" ||
	{ cat "$err" && exit 1; }
so=$work/b/libpagemalloc.so
debug=$work/b/libpagemalloc-debug.so
skips=0

# same NAME CMD...: the output and the code with the library are those without
same() {
	name=$1 && shift
	"$@" >"$work/want" 2>&1 </dev/null
	want=$?
	run env LD_PRELOAD="$so" "$@"
	cat "$err" >>"$out"
	is "$name: exit code" "$rc" "$want"
	ok "$name: output" cmp "$work/want" "$out"
}
have() {
	command -v "$1" >/dev/null && return
	skips=$((skips + 1))
	echo "# SKIPPED: $1 is not here (package $2)" >&2
	tests=$((tests + 1))
	echo "ok $tests # SKIP no $1 (package $2)"
	return 1
}

if ${CC:-cc} -O1 -pthread -w -o "$work/promises" \
	"$top/tests/cli/2009-malloc-front.c" 2>"$err"; then
	run "$work/promises"
	is "the test itself holds with the system's malloc" "$(cat "$out")" fine
	for lib in "$so" "$debug"; do
		run env LD_PRELOAD="$lib" "$work/promises"
		is "what malloc promises: ${lib##*/}" "$(cat "$out" "$err")" fine
	done
	run env LD_PRELOAD="$so" GLIBC_TUNABLES=glibc.pthread.rseq=0 \
		"$work/promises"
	is "what malloc promises, without rseq" "$(cat "$out" "$err")" fine
	# mistake LIBRARY HOW TEXT: ends the program, and says so in one line
	mistake() {
		run env LD_PRELOAD="$1" "$work/promises" "$2"
		is "$2: ends the program" "$rc" 134
		# a shell may add that it was aborted
		is "and says why" "$(sed -n '/^libpagemalloc: /s/0x[0-9a-f]*/P/p' \
			"$err")" "libpagemalloc: $3"
	}
	no="freed what is no object in use: P"
	none="freed or resized what is no object in use: P"
	for lib in "$so" "$debug"; do
		mistake "$lib" twice "freed an object twice: P, cache kmalloc"
		mistake "$lib" twice-block "$no, cache kmalloc"
		mistake "$lib" foreign "$none"
	done
	mistake "$debug" twice-mapping "$none"
	mistake "$debug" later "freed an object twice: P, cache kmalloc"
	mistake "$debug" resized "freed an object twice: P, cache kmalloc"
	mistake "$debug" inside "$no, cache kmalloc"
	wrote="somebody wrote beside an object: P, cache kmalloc, byte"
	mistake "$debug" before "$wrote -1 is 0x78, not 0xcc"
	mistake "$debug" behind "$wrote 128 is 0x78, not 0xcc"
	mistake "$debug" used "somebody wrote to a free object: P, cache kmalloc, byte 17 is 0x78, not 0x6b"
else
	skips=$((skips + 1))
	echo "# SKIPPED: no C compiler for the test program" >&2
fi

if have perl perl; then
	# shellcheck disable=SC2016
	same "perl: hashes, strings, sort, fork" perl -e '
		my %h; $h{$_} = "x" x ($_ % 3000) for 1 .. 20000;
		delete $h{$_} for grep { $_ % 3 } keys %h;
		my $s = join ",", map { "$_:" . length $h{$_} } sort keys %h;
		print length($s), "\n", substr($s, 0, 100), "\n";
		for (1 .. 5) {
			my $p = fork;
			if (!$p) { my @a = map { $_ x 9 } 1 .. 9999; exit @a % 7 }
			waitpid $p, 0; print $? >> 8, "\n";
		}
		my $t = "a"; $t .= $t for 1 .. 24; print length $t, "\n";'
fi
if have sqlite3 sqlite3; then
	same "sqlite3: a table, an index, a sort" sqlite3 :memory: "
		create table t(a integer primary key, b text);
		with recursive n(i) as (select 1 union all
			select i + 1 from n where i < 20000)
		insert into t select i, hex(i * 7919 % 10007) || i from n;
		create index u on t(b);
		select count(*), min(b), max(b), sum(length(b)) from t;
		select group_concat(b) from (select b from t order by b limit 20);
		delete from t where a % 3; vacuum; pragma integrity_check;"
fi
if have python3 python3; then
	same "python3: threads, big numbers, json" python3 -c '
import json, threading
def part(k, to):
    d = {str(i * k): [i] * (i % 50) for i in range(20000)}
    to[k] = len(json.dumps(d)), hash(json.dumps(d)[:0])
to = {}
ts = [threading.Thread(target=part, args=(k, to)) for k in (1, 2, 3)]
[t.start() for t in ts], [t.join() for t in ts]
print(sorted(to.items()), sum(map(int, str(3 ** 50000))))'
fi
if have "${CC:-cc}" gcc; then
	compile() {	# compile OBJECT LIBRARY
		run env ${2:+LD_PRELOAD="$2"} "${CC:-cc}" -std=gnu11 \
			-D_GNU_SOURCE -O2 -c -o "$1" "$top/core/fault.c"
	}
	compile "$work/want.o" ""
	status 0 "a compiler"
	compile "$work/got.o" "$so"
	status 0 "a compiler with the library"
	ok "makes the same object" cmp "$work/want.o" "$work/got.o"
fi
# shellcheck disable=SC2016
same "sort: threads, and files that are merged" sh -c 'seq 200000 |
	awk "{ print \$1 * 7919 % 200003, \$1 }" >"$TMPDIR/in" &&
	sort -S 1M --parallel=3 -T "$TMPDIR" "$TMPDIR/in" | sha256sum'
# shellcheck disable=SC2016
same "sh: two hundred processes" sh -c 'i=0
	while [ $i -lt 50 ]; do
		n=$(echo $i | { read -r x; echo $((x * x)); } | cat)
		echo "$n $(printf %s "$n" | wc -c)"
		i=$((i + 1))
	done | sort -n
	seq 100 | xargs -P 4 -n 3 echo | sort | sha256sum'
mkdir "$work/one" && cd "$work/one" || exit 1
git init -q . && cp "$top"/core/*.c . && commit "core" &&
	for f in *.c; do sed -i 's/page/Page/' "$f"; done && commit "pages"
same "git: log with patches" git log -p --stat
same "git: diff by words, blame" git diff --word-diff HEAD~1
same "git: a whole history packed and checked" sh -c '
	git repack -adfq --threads=2 && git verify-pack -s .git/objects/pack/*.idx &&
	git fsck --full --strict && git rev-list --objects --all | sort'
if have hackbench rt-tests; then
	run env LD_PRELOAD="$so" hackbench -g 2 -l 50
	status 0 "hackbench: processes"
	ok "and it reports a time" grep -q '^Time: [0-9]' "$out"
	run env LD_PRELOAD="$so" hackbench -T -g 2 -l 50
	status 0 "hackbench: threads"
	ok "and it reports a time" grep -q '^Time: [0-9]' "$out"
fi
[ $skips = 0 ] || echo "# $skips parts were skipped"
done_testing
