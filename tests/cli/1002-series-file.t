# What a series file may hold, and what is refused, with its line.
. "$(dirname "$0")/../lib.sh"

make_repo
seq 1 9 >f
commit base
head=$(git rev-parse 'HEAD^{tree}')
mkdir s
patch_file() {	# patch_file NAME OLD NEW
	mkdir -p "s/$(dirname "$1")"
	printf -- '--- a/f\n+++ b/f\n@@ -%s +%s @@\n-%s\n+%s\n' \
		"$2" "$2" "$2" "$3" >"s/$1"
}
patch_file one.patch 1 A
patch_file two 2 B
patch_file sub/three.patch 3 C

series() {
	printf '%b' "$1" >s/series
	run wb series trees s
}
names() {
	cut -f3 "$out" | tr '\n' ' '
}

series '# words\n\none.patch\n\ttwo # more\nsub/three.patch -p1\n'
status 0
is 'names' "$(names)" 'base one two sub/three '
is 'the base is HEAD' "$(head -n 1 "$out" | cut -f2)" "$head"
is 'nothing is said' "$(cat "$err")" ''
series 'one.patch'
is 'no final newline' "$(names)" 'base one '
series 'one.patch\r\ntwo\r\n'
is 'CR LF' "$(names)" 'base one two '
ok 'is warned of' grep -q 'warning: s/series:1: .*CR LF' "$err"
series '  # x\none.patch\n'
is 'an indented comment' "$(names)" 'base one '
ok 'is warned of' grep -q 'warning: s/series:1: indented comment' "$err"
series '# nothing\n'
status 0
is 'comments only: the base alone' "$(names)" 'base '
series ''
is 'empty: the base alone' "$(names)" 'base '
series 'one.patch -pab\n'
is '-pab is -p1' "$(names)" 'base one '
: >s/empty.patch
series 'one.patch\nempty.patch\n'
is 'an empty patch changes nothing' \
	"$(sed -n 2p "$out" | cut -f2)" "$(sed -n 3p "$out" | cut -f2)"

refused() {	# refused NAME SERIES PATTERN
	series "$2"
	status 128 "$1"
	one_error "$1" "$3"
	is '  before any row' "$(cat "$out")" ''
}
refused '-o' 'one.patch -o /tmp/x\n' "s/series:1: refused: option '-o'"
refused '-d' 'one.patch\ntwo -d /\n' "s/series:2: refused: option '-d'"
refused '-p12' 'one.patch -p12\n' 's/series:1: refused: option'
refused '-p' 'one.patch -p 1\n' 's/series:1: refused: option'
refused 'a name twice' 'one.patch\ntwo\none.patch\n' \
	"s/series:3: 'one' is in the series twice (line 1)"
refused 'a name twice, once without .patch' 'two\ntwo.patch\n' 's/series:2: .*twice'
refused 'a name that leads out' '../x.patch\n' 's/series:1: refused'
refused 'one that leads out later' 'a/../../x.patch\n' 's/series:1: refused'
refused 'an absolute name' '/etc/passwd\n' 's/series:1: refused'
refused 'a NUL' 'one.patch\nt\000wo\n' 's/series:2: refused: a NUL'
refused 'a control character' 'o\033[2Jne\n' 's/series:1: refused'

# what is wrong with one patch leaves those before it
stops() {	# stops NAME SERIES PATTERN
	series "$2"
	status 128 "$1"
	one_error "$1" "$3"
	is '  behind the rows before' "$(names)" 'base one '
}
stops 'a patch that is missing' 'one.patch\nnone.patch\n' \
	's/series:2: no such patch: none.patch'
mkfifo s/pipe
stops 'a patch that is a pipe' 'one.patch\npipe\n' 's/series:2: .*not a regular file'
mkdir s/folder
stops 'a patch that is a folder' 'one.patch\nfolder\n' 's/series:2: .*not a regular file'
echo 'Only words.' >s/words.patch
stops 'words alone' 'one.patch\nwords.patch\n' 's/words.patch:1: no unified diff'
cp s/one.patch s/again.patch
stops 'a patch that is in already' 'one.patch\nagain.patch\n' \
	's/again.patch:3: hunk 1 of f does not match at line 1'

series 'one.patch\n'
one=$(sed -n 2p "$out" | cut -f2)
# What lzip writes: a head, LZMA with an end mark, and sums of the content.
make_lz() {
	set -- "${2:-/dev/stdin}"
	cat "$1" >"$work/plain"
	xz --format=raw --lzma1=dict=1MiB,lc=3,lp=0,pb=2 -c "$work/plain" \
		>"$work/raw"
	gzip -c "$work/plain" | tail -c 8 >"$work/sums"
	printf 'LZIP\1\24'
	cat "$work/raw" "$work/sums"
	perl -e 'print "\0" x 4, pack "Q<", 26 + -s shift' "$work/raw"
}
for z in gzip:gz xz:xz bzip2:bz2 'xz --format=lzma:lzma' make_lz:lz; do
	prog=${z%:*}
	command -v ${prog%% *} >/dev/null || continue
	$prog -c s/one.patch >s/z.${z#*:}
	series "z.${z#*:}\n"
	status 0 "${z#*:}"
	is '  is read' "$(sed -n 2p "$out" | cut -f2)" "$one"
	head -c 40 s/z.${z#*:} >s/cut.${z#*:}
	series "one.patch\ncut.${z#*:}\n"
	one_error "cut off ${z#*:}" 's/series:2: .*damaged'
	head -c 80000000 /dev/zero | $prog -c >s/bomb.${z#*:}
	series "one.patch\nbomb.${z#*:}\n"
	one_error "a bomb in ${z#*:}" 's/series:2: refused: inflates to more'
	[ "${z#*:}" != lzma ] || continue
	# two members are one text, as for the programs
	head -n 3 s/one.patch >"$work/half"
	{ $prog -c "$work/half"; tail -n +4 s/one.patch | $prog -c; } \
		>s/two.${z#*:}
	series "two.${z#*:}\n"
	is "two members of ${z#*:}" "$(sed -n 2p "$out" | cut -f2)" "$one"
done

rm s/series
run wb series trees s
one_error 'no series file' 's: no stack there (no file s/series)'
run wb series trees nothere
one_error 'no folder' 'nothere: no stack there'
run wb series trees
one_error 'no default stack' 'series: no stack there'
run wb series trees s t
status 129
run wb series trees --profile=loose s
status 129

done_testing
