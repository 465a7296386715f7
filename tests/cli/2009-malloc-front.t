# libpagemalloc.so: programs that know nothing of it do under LD_PRELOAD what
# they do without. A program that is not here is named, and its part skipped.
. "$(dirname "$0")/../lib.sh"

(cd "$top" && make -s WB_BUILD="$work/b" front) >/dev/null 2>"$err" ||
	{ cat "$err" && exit 1; }
so=$work/b/libpagemalloc.so
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
	run env LD_PRELOAD="$so" "$work/promises"
	is "what malloc promises" "$(cat "$out" "$err")" fine
	for how in twice foreign; do
		run env LD_PRELOAD="$so" "$work/promises" $how
		is "a wrong free ($how) ends the program" "$rc" 134
		is "and is said in one line" \
			"$(grep -c '^libpagemalloc: freed' "$err")" 1
	done
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
