#!/bin/sh
# Time of wb series trees --keep on a stack of PATCHES patches over 5,000 files,
# against git am, GNU patch in a loop and quilt push of the first QUILT patches,
# interleaved in one run; over 50,000 files; when nothing changed since; and of
# one patch of 20,000 hunks on 200,000 lines. Prints medians and ratios.
#
# Targets: 20 times faster than git am, 15 times than patch, 200 times than
# quilt (a patch of its first 100); at most 1.5 times longer on the larger tree;
# at most 50 ms when nothing changed; at most 1 s for the 20,000 hunks.
. "$(dirname "$0")/../lib.sh"
patches=${PATCHES:-1000}
repeats=${REPEATS:-5}
quilt=${QUILT:-100}
[ "$quilt" -le "$patches" ] || quilt=$patches

# files N: a repository of N files; stack: patches of one to three files each
cat >"$work/make.pl" <<'P'
use strict;
my ($n, $patches) = @ARGV;
srand 5;
my @lines;
for my $i (0 .. $n - 1) {
	my $dir = sprintf 's%d/t%d', $i / 500, $i / 50;
	system 'mkdir', '-p', $dir unless $i % 50;
	# those that no patch touches count for their number alone
	my $n = $i < 5000 ? 50 + int rand 200 : 3;
	my @l = map { "line $_ of $i " . rand } 1 .. $n;
	$lines[$i] = \@l if $i < 5000;
	open my $f, '>', "$dir/f$i.c" or die;
	print $f map { "$_\n" } @l;
}
mkdir '../stack';
open my $series, '>', '../stack/series' or die;
for my $k (1 .. $patches) {
	print $series "p$k.patch\n";
	open my $f, '>', "../stack/p$k.patch" or die;
	print $f "From: Ada Marsh <ada.marsh\@example.org>\n",
		"Date: Mon, 1 Jan 2024 00:00:00 +0000\n",
		"Subject: [PATCH] step $k\n\nWords.\n---\n";
	my %files = map { int rand(5000) => 1 } 1 .. 1 + int rand 3;
	for my $i (sort keys %files) {
		my $l = $lines[$i];
		my $at = 3 + int rand(@$l - 10);
		my $p = sprintf 's%d/t%d/f%d.c', $i / 500, $i / 50, $i;
		printf $f "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n" .
			"@@ -%d,7 +%d,8 @@\n", ($p) x 4, $at + 1, $at + 1;
		print $f map { " $_\n" } @$l[$at .. $at + 2];
		print $f "-$l->[$at + 3]\n+changed $k\n+twice\n";
		print $f map { " $_\n" } @$l[$at + 4 .. $at + 6];
		splice @$l, $at + 3, 1, "changed $k", 'twice';
	}
	print $f "-- \n2.39.5\n\n";
}
P
for n in 5000 50000; do
	mkdir -p "$work/$n"
	make_repo "$work/$n/repo"
	perl "$work/make.pl" $n "$patches"
	git config gc.auto 0
	commit base
	git repack -adq
done

# what quilt pushes: files as they are, and links to the patches
mkdir "$work/quilt"
(cd "$work/5000/repo" && tar cf - --exclude=.git .) | tar xf - -C "$work/quilt"
ln -s "$work/5000/stack" "$work/quilt/patches"

mkdir "$work/big"
make_repo "$work/big/repo"
seq -f 'line %.0f of a file with some words' 200000 >f
commit base
mkdir ../stack
echo p.patch >../stack/series
awk 'BEGIN { print "--- a/f\n+++ b/f" }
	{ at = (NR - 1) % 10 }
	at == 2 { printf "@@ -%d,7 +%d,7 @@\n", NR, NR }
	at >= 2 && at <= 8 { print (at == 5 ? "-" : " ") $0 }
	at == 5 { print "+changed " NR }' f >../stack/p.patch

# clock NAME CMD...: seconds on the wall and of CPU
clock() {
	name=$1
	shift
	times >"$work/before"
	from=$(date +%s.%N)
	"$@" >"$out" 2>"$err" || cat "$err"
	to=$(date +%s.%N)
	times >"$work/after"
	echo "$name $from $to $(tail -qn 1 "$work/before" "$work/after" |
		tr 'ms\n' '   ')" >>"$work/times"
}
am() {
	git checkout -q -B am main
	git am -q $(sed 's,^,../stack/,' ../stack/series)
}
loop() {
	while read -r p; do
		patch -s -f -p1 -d "$work/plain" <"../stack/$p" || return 1
	done <../stack/series
}
push() {
	(cd "$work/quilt" && quilt push -q "$quilt")
}
trees() { wb series trees --profile=quilt "$@" ../stack; }
# Nothing is known of the stack, and a commit is kept for each prefix.
cold() {
	ls .git/objects/pack >"$work/packs"
	rm -rf "$XDG_CACHE_HOME"
	clock "$1" trees --keep
	is "$1: commits kept" "$(git rev-list --count --all ^main)" \
		$((patches + 1))
	git for-each-ref --format='delete %(refname)' refs/wb |
		git update-ref --stdin
	for f in .git/objects/pack/*; do
		grep -qx "${f##*/}" "$work/packs" || rm -f "$f"
	done
}
for round in $(seq "$repeats"); do
	cd "$work/5000/repo" || exit 1
	git branch -q -D am 2>"$err"
	cold wb-5000
	trees >"$out"
	clock wb-again trees
	clock quilt push
	(cd "$work/quilt" && quilt pop -q -a >"$out" 2>&1)
	clock git-am am
	git checkout -q main
	is 'the same tree' "$(git rev-parse 'am^{tree}')" \
		"$(trees | tail -n 1 | cut -f2)"
	rm -rf "$work/plain"
	cp -a . "$work/plain"
	clock patch loop
	cd "$work/50000/repo" || exit 1
	cold wb-50000
	cd "$work/big/repo" || exit 1
	clock wb-hunks trees
done
awk -v patches="$patches" -v quilt="$quilt" '
	function median(t, k,    i, j, x) {
		for (i = 2; i <= n[k]; i++)
			for (j = i; j > 1 && t[k, j-1] > t[k, j]; j--) {
				x = t[k, j-1]; t[k, j-1] = t[k, j]; t[k, j] = x }
		return t[k, int((n[k] + 1) / 2)] }
	function ratio(what, a, b, f) {
		printf "ratio %-28s wall %7.2f  CPU %7.2f\n", what,
			f * m[a] / m[b], f * u[a] / u[b] }
	{ n[$1]++
	  t[$1, n[$1]] = $3 - $2
	  c[$1, n[$1]] = 60 * ($8 + $10 - $4 - $6) + $9 + $11 - $5 - $7 }
	END { for (k in n) {
		m[k] = median(t, k)
		u[k] = median(c, k)
		printf "%-10s wall %7.3f s (%.3f to %.3f)  CPU %7.3f s " \
			"(%.3f to %.3f)  n = %d\n", k, m[k], t[k, 1],
			t[k, n[k]], u[k], c[k, 1], c[k, n[k]], n[k] }
	ratio("git am", "git-am", "wb-5000", 1)
	ratio("GNU patch", "patch", "wb-5000", 1)
	ratio("quilt, a patch", "quilt", "wb-5000", patches / quilt)
	ratio("50,000 to 5,000 files", "wb-50000", "wb-5000", 1)
	}' "$work/times" | sort
done_testing
