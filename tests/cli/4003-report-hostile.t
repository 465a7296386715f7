# Files that are not what they should be: one line that names the place.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
good='{"prefix":"p","metric":"m","value":1}'

second() {	# the rest of the file behind a good first line
	{ echo "$good"; cat; } >bad.jsonl
}

bad() {	# bad NAME LINE PATTERN
	run wb report --samples bad.jsonl
	status 128 "$1: exit code"
	one_error "$1" "bad.jsonl:$2: .*$3"
	ok "$1: nothing on stdout" test ! -s "$out"
}

echo '{"prefix":"p","metric":"m","value":NaN}' | second
bad NaN 2 JSON
echo '{"prefix":"p","metric":"m","value":1e400}' | second
bad 1e400 2 overflow
echo '{"prefix":"p","metric":"m","value":"1"}' | second
bad string 2 "not a number"
echo '{"prefix":"p","metric":"m","value":9007199254740993}' | second
bad "too many digits" 2 digits
printf '{"prefix":"p","metric":"m","val' | second
bad unfinished 2 JSON
printf '{"prefix":"p","metric":"m","value":1}\000\n' | second
bad NUL 2 JSON
echo '{"prefix":"p","metric":"m","value":1,"value":2}' | second
bad "a key twice" 2 duplicate
printf '\n\n{"metric":"m","value":1}\n' | second
bad "no prefix" 4 prefix
printf '{"prefix":"p","metric":"m","value":1,"unit":"a"}\n%s\n' \
	'{"prefix":"p","metric":"m","value":1,"unit":"b"}' | second
bad "two units" 3 unit
head -c 3000000 /dev/zero | tr '\0' x | second
bad "a line of megabytes" 2 JSON

run wb report --samples /dev/null
status 125
one_error "empty" "nothing measured"
run wb report --samples nowhere.jsonl
status 128
one_error "no file" nowhere.jsonl
run wb report --samples .
status 128
one_error "a folder" "Is a directory"
run wb report
status 128
one_error "no repository" "--samples"

# names that would do harm if they were printed as they are
cat >names.jsonl <<'EOS'
{"prefix":"base","metric":"a|b\u001b[31m","bench":"<b>","value":1,"round":0}
{"prefix":"base","metric":"a|b\u001b[31m","bench":"<b>","value":2,"round":1}
{"prefix":"--- a/x\n+++","metric":"a|b\u001b[31m","bench":"<b>","value":1,"round":0}
{"prefix":"--- a/x\n+++","metric":"a|b\u001b[31m","bench":"<b>","value":2,"round":1}
EOS
for f in terminal plain markdown mmtests csv json; do
	run wb report --samples names.jsonl --format $f
	status 0 "$f: exit code"
	not_ok "$f: no escape sequence" grep -q "$(printf '\033')" "$out"
	not_ok "$f: no diff" grep -q '^--- a' "$out"
done
run wb report --samples names.jsonl --format markdown
not_ok "markdown: no tag" grep -q '<b>' "$out"
ok "markdown: the bar is escaped" grep -qF 'a\|b' "$out"

# git am must find the whole text above its own ---
{
	printf 'From: Ada Marsh <ada.marsh@example.org>\nSubject: [PATCH] x\n'
	printf 'Date: Mon, 5 Jan 2026 10:00:00 +0000\n\n'
	wb report --samples names.jsonl --format plain
	printf '\nlast line of the message\n---\ndiff --git a/x b/x\n'
} >mail
run sh -c 'git mailinfo msg patch <mail'
status 0 "git mailinfo"
ok "the table is in the changelog" grep -q '^last line' msg

run sh -c "wb report --samples '$data/formats/six-columns.jsonl' >/dev/full"
status 128 "a full disk"
one_error "a full disk" "No space left"
run sh -c "wb report --samples '$data/formats/six-columns.jsonl' | head -n 1"
status 0 "a reader that goes away"
ok "is no error" test ! -s "$err"
done_testing
