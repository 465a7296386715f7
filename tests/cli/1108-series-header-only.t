# A patch file of words alone: an error, as for quilt, unless it is allowed.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../edit.sh"

make_edit_stack
printf 'one.patch\nwords.patch\ntwo.patch\nthree.patch\n' >series/series
printf 'Description: words that say why\n More of them.\nAuthor: Ada Marsh <a@example.org>\n' \
	>series/words.patch
commit words
run wb series trees
status 128 'an error'
one_error 'an error' 'words.patch:1: no unified diff in it (3 lines read); --allow-header-only'
is 'the rows before it' "$(cut -f3 "$out" | tr '\n' ' ')" 'base one '
run wb series trees --allow-header-only
status 0 'allowed'
is 'it changes nothing' "$(sed -n 2,3p "$out" | cut -f2 | uniq | wc -l)" 1
is 'all rows' "$(cut -f3 "$out" | tr '\n' ' ')" 'base one words two three '
run wb series list --allow-header-only
ok 'in the list' grep -q 'words.*applies' "$out"

# for all commands
run wb -c wb.allow-header-only=maybe status
status 129
one_error 'a word that is none' "'maybe' is none of true, false"
git config wb.allow-header-only true
git rev-parse 'HEAD^{tree}' >"$work/base"
run wb series trees --keep
status 0 'keep'
is 'a commit of it' "$(git log --format=%s "$(git for-each-ref --format='%(refname)' refs/wb/stack)" -4 |
	wc -l)" 4
run wb series refresh --all
status 0 'refresh --all'
is 'it is a fixed point' "$(git status --short)" ''
run wb series reorder --before=one words
status 0 'reorder'
run wb series drop one
status 0 'drop of another'
is 'the words stay' "$(cat series/words.patch)" "$(git show HEAD:series/words.patch)"
wb series drop --undo >"$out" && wb series drop --undo >"$out"
run wb series check
ok 'check applies it' grep -q '^applies *4 looked at, 0 found' "$out"

# what is more than words is not taken for them
no_words() {	# no_words NAME TEXT
	printf "$2" >series/words.patch
	run wb series trees
	status 128 "$1"
}
no_words 'a diff without hunks' 'Subject: x\n\n--- a/src/a\n+++ b/src/a\n'
no_words 'a hunk alone' 'Subject: x\n\n@@ -1 +1 @@\n-1\n+2\n'
no_words 'a context diff' 'Subject: x\n\n*** a/src/a\n--- b/src/a\n***************\n'
no_words 'an ed script' 'Subject: x\n\n3d\n.\n'
no_words 'no field at the start' 'some words\nSubject: x\n'
no_words 'an index line' 'Subject: x\n\nIndex: src/a\n'
printf 'From 1234 Mon Sep 17 00:00:00 2001\nFrom: Ada <a@example.org>\nSubject: x\n\nwords\n' \
	>series/words.patch
run wb series trees
status 0 "a mail's"
printf '\n' >series/words.patch
run wb series trees
status 128 'a blank line'
: >series/words.patch
run wb -c wb.allow-header-only=false series trees
status 0 'an empty file needs no leave'
done_testing
