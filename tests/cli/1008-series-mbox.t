# Patches from mailboxes: the trees and names that git's own tools give.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../limits.sh"

make_repo
seq 1 30 >f
printf 'caf\303\251\n' >utf
printf 'caf\351\n' >latin
commit base
git tag base
sed -i 's/^5$/five/' f && commit 'f: say five  (and "quote": a/b..c...)'
sed -i 's/^15$/fifteen/' f && printf 'th\303\251\n' >>utf && commit 'utf: grow'
printf 'th\351\n' >>latin && commit "latin: a subject that is so long that git format-patch has to cut it off"
printf '\0\1\2' >bin && commit 'bin: a binary'
git mv f g && chmod +x g && commit 'f: to g'
git tag tip
git format-patch -q -o "$work/fp" base
(cd "$work/fp" && ls | sed 's/\.patch$//') >"$work/names"
cp "$work/names" "$work/names1"
for k in 5 4 3 2 1 0; do git rev-parse "tip~$k^{tree}"; done >"$work/trees"
git checkout -q -b onbase base
before=$(git status --porcelain=v2; git for-each-ref; find .git/objects -type f)

right() {	# right NAME FILE [INPUT]: every tree, every name
	wb series trees --mbox="$2" <"${3:-/dev/null}" >"$out" 2>"$err"
	rc=$?
	status 0 "$1"
	cut -f2 "$out" >"$work/got"
	ok "$1: git's trees" cmp "$work/got" "$work/trees"
	sed 1d "$out" | cut -f3 >"$work/got"
	ok "$1: format-patch's names" cmp "$work/got" "$work/names"
}
fp() { git format-patch -q --stdout "$@" base..tip; }

fp -n >"$work/box"
right 'an mbox' "$work/box"
right 'standard input' - "$work/box"
fp -N >"$work/box"
right 'without numbers' "$work/box"
fp --cover-letter --thread >"$work/box"
right 'with a cover letter' "$work/box"
fp -n | sed 's/$/\r/' >"$work/box"
right 'CR LF throughout' "$work/box"
fp -n --attach >"$work/box"
right 'attached' "$work/box"
fp -n --inline >"$work/box"
right 'inline parts' "$work/box"
gzip -c "$work/box" >"$work/box.gz"
right 'packed' "$work/box.gz"

# one message a file, in base64 and quoted-printable, as mailers send them
mkdir -p "$work/dir/cur" "$work/dir/new" "$work/dir/tmp"
recode() {	# recode FILE ENCODING: the body in another transfer encoding
	perl -MMIME::Base64 -MMIME::QuotedPrint -e '
		local $/; $_ = <STDIN>; s/^From .*\n//;
		my ($h, $b) = split /\n\n/, $_, 2;
		$h =~ s/^(MIME-Version|Content-[^:]*):.*\n?(?:[ \t].*\n?)*//gm;
		$h =~ s/\n+$//;
		print "$h\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n",
			"Content-Transfer-Encoding: $ARGV[0]\n\n",
			$ARGV[0] eq "base64" ? encode_base64($b) : encode_qp($b)' \
		"$2" <"$1"
}
for enc in base64 quoted-printable; do
	rm -f "$work"/dir/*/*
	k=9
	git format-patch -q -n -o "$work/fpn" base..tip
	for f in "$work"/fpn/*.patch; do
		# the names of the files go against the order of the numbers
		k=$((k - 1))
		recode "$f" $enc >"$work/dir/cur/$k.host:2,S"
	done
	mv "$work/dir/cur/8.host:2,S" "$work/dir/new/8.host"
	right "a Maildir, $enc" "$work/dir"
done

# order
fp -n --thread >"$work/box"
rm -rf "$work/dir" && mkdir "$work/dir"
git mailsplit -o"$work/dir" "$work/box" >/dev/null
cat "$work/dir/0004" "$work/dir/0002" "$work/dir/0005" "$work/dir/0001" \
	"$work/dir/0003" >"$work/box"
right 'out of order' "$work/box"
fp -N --thread=deep >"$work/box"
rm -rf "$work/dir" && mkdir "$work/dir"
git mailsplit -o"$work/dir" "$work/box" >/dev/null
cat "$work/dir/0005" "$work/dir/0004" "$work/dir/0003" "$work/dir/0002" \
	"$work/dir/0001" >"$work/box"
right 'a chain of answers backwards' "$work/box"
{ cat "$work/box"; cat "$work/box"; } >"$work/box2"
right 'every message twice' "$work/box2"
{
	fp -n
	printf 'From x@example.org Mon Jan  1 10:00:00 2024\nFrom: Cy <cy@example.org>\nSubject: Re: [PATCH 1/5] f\n\n> diff --git a/f b/f\nFrom here it says 10:00, in 2024\n\nFrom x 12:30 in 2024\nno header\ndiff --git a/f b/f\n'
} >"$work/box"
right 'an answer and From lines' "$work/box"

# versions
git format-patch -q -v2 -o "$work/fp2" base..tip
(cd "$work/fp2" && ls | sed 's/\.patch$//') >"$work/names"
{ fp -n | sed 's/fifteen/sixteen/'; fp -n -v2; } >"$work/box"
right 'the newest version' "$work/box"
fp -n --thread=shallow >"$work/box"
id=$(grep -m5 -i '^Message-Id:' "$work/box" | sed -n '5s/.*<\(.*\)>.*/\1/p')
git format-patch -q -v2 -n --stdout --in-reply-to="$id" base..tip >"$work/v2"
rm -rf "$work/dir" && mkdir "$work/dir"
git mailsplit -o"$work/dir" "$work/v2" >/dev/null
{ sed 's/^+x$/+y/' "$work/box"; cat "$work/dir/0005"; } >"$work/box2"
{ sed -n 1,4p "$work/names1"; sed -n 5p "$work/names"; } >"$work/mixed"
mv "$work/mixed" "$work/names"
right 'one patch anew' "$work/box2"

# what is wrong is said
cat "$work/dir/0001" "$work/dir/0003" >"$work/box"
run wb series trees --mbox="$work/box"
status 128
one_error 'missing numbers' 'of 5 patches 2, 4, 5 are missing'
printf 'Subject: [PATCH 1/999999999] x\n\ndiff --git a/f b/f\n' >"$work/box"
run wb series trees --mbox="$work/box"
one_error 'too many' 'a series of 999999999 patches'
printf 'Subject: [PATCH 4/3] x\n\ndiff --git a/f b/f\n' >"$work/box"
run wb series trees --mbox="$work/box"
one_error 'beyond the end' 'box:1: number 4 of 3'
echo 'no patch' >"$work/box"
run wb series trees --mbox="$work/box"
one_error 'no mail' 'box:1: not a mail'
printf 'Subject: hello\n\nwords\n' >"$work/box"
run wb series trees --mbox="$work/box"
one_error 'no patch' 'no patch in 1 message'
run wb series trees --mbox="$work/nothere"
one_error 'no mailbox' 'no such mailbox'
run wb series trees --mbox="$work"
one_error 'no Maildir' 'neither cur nor new'
run wb series trees --mbox="$work/box" base..tip
status 129
fp -n | sed '0,/^Content-Type/s//X-Type/; s/^MIME-Version.*/&\nContent-Type: text\/plain; format=flowed/; s/^ \(.*\)$/  \1/' |
	sed '0,/^Subject/s/^Subject/MIME-Version: 1.0\nContent-Type: text\/plain; charset=us-ascii; format=flowed\nSubject/' >"$work/box"
run wb series trees --mbox="$work/box"
status 128
one_error 'flowed' 'format=flowed, which breaks patches'
fp -n | sed 's/^-15$/-16/' >"$work/box"
line=$(grep -n '^@@ .*' "$work/box" | sed -n '2s/:.*//p')
run wb series trees --mbox="$work/box"
status 128
one_error 'line of the mailbox' "box:$line: hunk 1 of f does not match"
is 'rows before it' "$(wc -l <"$out")" 2

# hostile ones end soon, and within 512 MB
hostile() {	# hostile NAME WHAT: as in $work/box
	run within wb series trees --mbox="$work/box"
	status 128 "$1: 128"
	one_error "$1" "$2"
}
{
	echo 'Subject: x'
	seq -f 'X-%.0f: y' 1000000
	printf '\ndiff --git a/f b/f\n'
} >"$work/box"
hostile 'a million headers' 'box:1: refused: a header of more than'
head -c 300000000 /dev/zero | gzip -1 >"$work/box.gz"
run within wb series trees --mbox="$work/box.gz"
status 128
one_error 'a bomb' 'refused: inflates to more than 128 MB'
seq 3000 | awk '{ printf "From x Mon Jan  1 10:00:00 2024\nSubject: p%d\n" \
	"Message-ID: <%d@x>\nIn-Reply-To: <%d@x>\n\ndiff --git a/f b/f\n" \
	"@@ -1 +1 @@\n\n", $1, $1, $1 % 3000 + 1 }' >"$work/box"
hostile 'answers in a ring' 'changes nothing'
awk 'BEGIN { print "Subject: x"; for (i = 0; i < 5000; i++)
	printf "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i
	print "\ndiff --git a/f b/f" }' >"$work/box"
hostile 'parts in parts' 'refused: a mail of too many parts'

awk 'BEGIN { print "Subject: x\nContent-Type: multipart/mixed; BOUNDARY=b\n"
	for (i = 0; i < 3000000; i++) print "--b\n"
	print "\ndiff --git a/f b/f" }' >"$work/box"
hostile 'parts beside parts' 'refused: a mail of too many parts'
awk 'BEGIN { print "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b"
	for (i = 0; i < 3000000; i++) print "X: y"
	print "\ndiff --git a/f b/f" }' >"$work/box"
hostile 'a header of a part' 'refused: a header of more than 1 MB'
awk 'BEGIN { print "Subject: x"
	for (i = 0; i < 300000; i++) print "Content-Type: message/rfc822\n"
	print "\ndiff --git a/f b/f" }' >"$work/box"
hostile 'mails in mails' 'refused: a mail of too many parts'

run wb series list --mbox "$work/v2" --json
status 0
ok 'subject without brackets' grep -q '"subject": "utf: grow"' "$out"
ok 'author' grep -q '"author": "Ada Marsh <ada.marsh@example.org>"' "$out"

after=$(git status --porcelain=v2; git for-each-ref; find .git/objects -type f)
is 'the repository is as it was' "$after" "$before"
done_testing
