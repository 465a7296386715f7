# wb report --email: answers that git send-email takes, threaded, with nobody's
# word but the user's own; and tables that survive the way of a mail.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
rm patches/breaks.patch patches/mends.patch
printf 'faster.patch\ncomment.patch\n' >patches/series
commit two
# the series as it was mailed: a cover letter, threaded, with an Ack
git config user.name "$(printf 'Zo\303\251 Marsh')"
sed -i '0,/^---$/s//Acked-by: Bo Reed <bo.reed@example.org>\
Signed-off-by: Ada Marsh <ada.marsh@example.org>\
---/' patches/faster.patch
wb series export --cover-letter -o "$work/sent" --to list@example.org >/dev/null
n=0
for f in "$work"/sent/*.patch; do
	sed -i "1a Message-ID: <m$n@example.org>" "$f"
	[ $n = 0 ] || sed -i "2a In-Reply-To: <m0@example.org>" "$f"
	n=$((n + 1))
done
cat "$work"/sent/*.patch >"$work/thread.mbox"
wb trust >/dev/null
wb -q run --rounds 8 --mbox "$work/thread.mbox" >/dev/null 2>&1
fingerprint >"$work/before"

run wb report --email --mbox "$work/thread.mbox" -o "$work/a"
status 0
is "one answer" "$(ls "$work/a")" 0000-re-series.eml
a=$work/a/0000-re-series.eml
ok "to the cover letter" grep -qx 'In-Reply-To: <m0@example.org>' "$a"
ok "to the author" grep -q '^To: .*ada.marsh@example.org' "$a"
ok "from the user, encoded" grep -q '^From: =?.*?= Marsh <ada.marsh' "$a"
ok "others' words are told" grep -q '^- 1: Acked-by: Bo Reed' "$a"
not_ok "and not said again" grep -qE '^[A-Za-z-]+-by:' "$a"
ok "7 bit" grep -qx 'Content-Transfer-Encoding: 7bit' "$a"

run wb report --email --each --tested-by --mbox "$work/thread.mbox" -o "$work/b"
status 0
is "an answer to each patch" "$(ls "$work/b" | wc -l)" 2
b=$(ls "$work"/b/0001-*)
ok "to the patch" grep -qx 'In-Reply-To: <m1@example.org>' "$b"
ok "in the thread" grep -qx 'References: <m0@example.org> <m1@example.org>' "$b"
ok "its subject" grep -q '^Subject: Re: \[PATCH 1/2\] faster: ' "$b"
is "the user's Tested-by alone" "$(grep -cE '^[A-Za-z-]+-by:' "$b")" 1
ok "who" grep -q 'Tested-by: Zo.* Marsh <ada.marsh@example.org>' "$b"
git mailinfo -u "$work/msg" "$work/diff" <"$b" >"$work/info"
ok "git mailinfo reads it" grep -q '^Subject: faster' "$work/info"
ok "and finds the table" grep -q 'from the patch before' "$work/msg"
is "and the trailer" "$(git interpret-trailers --parse <"$work/msg")" \
	"Tested-by: $(git config user.name) <ada.marsh@example.org>"

if git send-email --dump-aliases >/dev/null 2>&1; then
	run git send-email --dry-run --confirm=never --no-validate --quiet \
		--suppress-cc=all "$b"
	status 0 "git send-email takes it"
	run git send-email --dry-run --confirm=never --suppress-cc=all "$a" "$b"
	ok "threaded as it is" grep -q '^In-Reply-To: <m1@example.org>' "$out"
else
	tests=$((tests + 1))
	echo "ok $tests - git send-email # SKIP needs git-email, libmailtools-perl"
	echo "# SKIPPED: git send-email (packages git-email, libmailtools-perl)" >&2
fi

# ---- what happens to a mail on its way; the words of the table stay
body() { sed '1,/^$/d' "$1"; }
words() { tr -s ' \t' ' ' | sed 's/^ //;s/ $//' | grep -E '^[0-9] ([a-z0-9-]+ )?[0-9]+ 8 '; }
body "$b" | words >"$work/words"
is "two rows" "$(wc -l <"$work/words")" 2
ok "a row is parsed from its words" sh -c "tail -n 1 '$work/words' |
	grep -qE '^1 ([0-9a-z-]+ )?[0-9]+ 8 -[0-9.]+% \[-[0-9.]+,-[0-9.]+\] faster$'"
# format=flowed: stuff, unstuff, join what ends in a blank
body "$b" | sed 's/^ /  /;s/^>/ >/;s/^From / From /' |
	awk '{ if (sub(/ $/, " ")) printf "%s", $0; else print }' |
	sed 's/^ //' >"$work/flowed"
words <"$work/flowed" >"$work/words.2"
ok "format=flowed keeps the table" cmp "$work/words" "$work/words.2"
# an archive that folds blanks
body "$b" | tr -s ' ' | words >"$work/words.3"
ok "folded blanks keep the table" cmp "$work/words" "$work/words.3"
# quoted twice it still has no more than 78 columns, but for a hash
ok "quoted twice: 76 columns" sh -c "! sed '1,/^\$/d' '$b' |
	sed 's/^/> > /' | grep -v 'wb-data: sha256:' | grep -E '.{77}'"
not_ok "no hazard at the start of a line" sh -c \
	"sed '1,/^\$/d' '$b' | grep -E '^(---|#|From |diff -|Index: )'"
not_ok "no blank at the end of a line" grep -q ' $' "$b"

# ---- without ids, and without a right to speak
wb -q run --rounds 8 >/dev/null 2>&1
run wb report --email -o "$work/c"
status 0
not_ok "no id: no thread" grep -q '^In-Reply-To' "$work/c/0000-re-series.eml"
run wb report --samples "$data/formats/six-columns.jsonl" --email
status 129
one_error "a file has no series" "not a file of samples"
run wb report --samples "$data/formats/six-columns.jsonl" --email --tested-by
status 129
printf 'faster.patch\ncomment.patch\nbroken.patch\n' >patches/series
cat >patches/broken.patch <<'EOS'
From: Ada Marsh <ada.marsh@example.org>
Date: Mon, 2 Oct 2023 10:58:32 +0000
Subject: [PATCH] breaks: a thing

---
diff --git a/src/broken b/src/broken
new file mode 100644
--- /dev/null
+++ b/src/broken
@@ -0,0 +1 @@
+x
EOS
run wb report --email --tested-by -o "$work/d"
status 125
one_error "a series that was not measured whole" "broken"
ok "nothing is written" test ! -e "$work/d/0000-re-series.eml"
run wb report --email --each --tested-by -o "$work/d"
status 0
is "the others get theirs" "$(ls "$work/d" | wc -l)" 2
git config --unset user.name
run env -u GIT_AUTHOR_NAME HOME="$work" wb report --email -o "$work/e"
status 128
one_error "nobody is nobody" "who are you"
done_testing
