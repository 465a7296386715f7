# wb series export gives what git format-patch gives; import takes it back.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../edit.sh"

make_edit_stack
base=$(git rev-parse HEAD)
# the same commits, made by git am
git clone -q . "$work/am"
(cd "$work/am" && git am -q ../repo/series/one.patch ../repo/series/two.patch \
	../repo/series/three.patch) || exit 1
# commit ids differ by committer and date, and nothing else may
# (a cover letter is dated when it is made)
masked() {
	case ${1-} in
	*cover-letter*) date='s/^Date: .*/Date: NOW/' ;;
	*) date= ;;
	esac
	sed -e 's/^From [0-9a-f]\{40\} /From COMMIT /' -e "$date" "$@"
}
same() {	# same NAME DIR: the files in DIR are those that git wrote
	ok "$1: the same names" [ "$(ls "$2")" = "$(ls "$2.git")" ]
	for f in "$2".git/*; do
		masked "$f" >"$work/a"
		masked "$2/${f##*/}" >"$work/b"
		ok "$1: ${f##*/}" cmp "$work/a" "$work/b"
	done
}
git_writes() { dir=$1 && shift; git -C "$work/am" format-patch -q -o "$dir" "$@" "$base"; }

GIT_OPTIONAL_LOCKS=0 git status >"$work/status"
run wb series export -o "$work/plain"
status 0 "export"
is "names on stdout" "$(wc -l <"$out")" 3
git_writes "$work/plain.git" --base="$base"
same plain "$work/plain"
ok "the base is named" grep -qx "base-commit: $base" "$work/plain/0001-one-do-a-thing.patch"
run wb series export --output="$work/all" --reroll-count=2 --cover-letter \
	--subject-prefix='RFC PATCH' --to='Bo Field <bo@example.org>' \
	--cc=list@example.org --base=HEAD~
status 0 "all options"
git_writes "$work/all.git" -v2 --cover-letter --subject-prefix='RFC PATCH' \
	--to='Bo Field <bo@example.org>' --cc=list@example.org --base=HEAD~4
same options "$work/all"
ok "what lies between is named" grep -q '^prerequisite-patch-id: ' \
	"$work/all/v2-0000-cover-letter.patch"
run wb series export --stdout --no-base
git -C "$work/am" format-patch --stdout "$base" | masked >"$work/a"
masked "$out" | cmp -s - "$work/a"
is "a mailbox" $? 0
git config format.signature "my own"
git -C "$work/am" config format.signature "my own"
git config format.thread shallow
git -C "$work/am" config format.thread shallow
run wb series export -o "$work/config" --no-base
git_writes "$work/config.git" --no-base
ok "the user's settings count" grep -q '^my own' "$work/config/0001-one-do-a-thing.patch"
ok "threads" grep -q '^In-Reply-To: ' "$work/config/0002-two-do-a-thing.patch"
git config --unset format.thread
ok "nothing was made" [ ! -e .git/wb ]

# git am takes it
git clone -q . "$work/again"
run sh -c 'cd "$1" && git am -q ../plain/*.patch' - "$work/again"
status 0 "git am takes what is exported"
is "to the same tree" "$(git -C "$work/again" rev-parse 'HEAD^{tree}')" \
	"$(wb series trees | tail -n 1 | cut -f2)"

# what changed since
tree=$(wb series edit two 2>/dev/null)
sed -i '1i first' "$tree/src/a"
wb series refresh >"$out" 2>&1
run wb series export -o "$work/v2" --reroll-count=2 --cover-letter --range-diff=v1
status 0 "with a range-diff"
ok "the changed patch" grep -qE '^2:  [0-9a-f]+ ! 2:  [0-9a-f]+ two: do a thing' \
	"$work/v2/v2-0000-cover-letter.patch"
ok "and the others" grep -qE '^1:  [0-9a-f]+ = 1:  [0-9a-f]+ one: do a thing' \
	"$work/v2/v2-0000-cover-letter.patch"
run wb series export -o "$work/v3" --range-diff=v9 --cover-letter
status 128
one_error "no such version" "v9: series has no such version"

# import from a range, and from a mailbox
make_repo "$work/imp"
cp -r "$work/repo/.git/." .git/
git reset -q --hard
mkdir -p empty
printf '# nothing yet\n' >empty/series
git fetch -q "$work/am" HEAD
run wb series import --series=empty "$base..FETCH_HEAD"
status 0 "import a range"
is "names without numbers" "$(tr '\n' ' ' <empty/series)" \
	"# nothing yet one-do-a-thing.patch two-do-a-thing.patch three-do-a-thing.patch "
is "the same trees as git's" \
	"$(wb series trees --profile=strict empty | tail -n 1 | cut -f2)" \
	"$(git rev-parse 'FETCH_HEAD^{tree}')"
run wb series check empty
ok "a fixed point" grep -q '^fixed-point *3 looked at, 0 found' "$out"
run wb series import --series=empty --undo
is "undone" "$(cat empty/series; ls empty)" "# nothing yet
series"

# commits come by no mail: CR LF in their files stays
git checkout -q -b cr
printf 'a\r\nb\r\n' >crlf
git add crlf && git commit -qm 'crlf: a file'
printf 'a\r\nc\r\n' >crlf
git commit -qam 'crlf: change it'
tip=$(git rev-parse 'cr^{tree}')
git checkout -q -
run wb series import --series=empty cr~2..cr
status 0 'import files with CR LF'
is 'CR LF: the same tree' "$(wb series trees --profile=strict empty | tail -n 1 | cut -f2)" \
	"$tip"
wb series import --series=empty --undo >"$out"
cat "$work"/plain/*.patch >"$work/mbox"
run wb series import --series=empty --mbox="$work/mbox"
status 0 "import a mailbox"
is "the same tree" "$(wb series trees empty | tail -n 1 | cut -f2)" \
	"$(git rev-parse 'FETCH_HEAD^{tree}')"
is "the message is as it was" "$(wb series list --json empty |
	jq -r '.prefixes[1] | .subject, .author, .trailers[0].value')" \
	"one: do a thing
Ada Marsh <ada.marsh@example.org>
Ada Marsh <ada.marsh@example.org>"
git clone -q . "$work/am2"
run sh -c 'cd "$1" && git am -q ../imp/empty/*one*.patch' - "$work/am2"
status 0 "git am takes what is written"
run wb series import --series=empty --mbox="$work/mbox"
status 128
one_error "patches that are in already" "would no longer apply"
run wb series import --series=empty HEAD..HEAD
status 128
# a mail in QP with an encoded name
cat >"$work/qp" <<'X'
From ada@example.org Thu Nov  5 10:00:00 2026
From: =?UTF-8?q?Zo=C3=AB_F=C3=A4rber?= <zoe@example.org>
Date: Thu, 5 Nov 2026 10:00:00 +0000
Subject: [PATCH v3] b: =?UTF-8?q?gr=C3=BC=C3=9Fe?=
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: quoted-printable

Gr=C3=BC=C3=9Fe.

Signed-off-by: =?UTF-8?q?Zo?= <zoe@example.org>
---
 src/b | 1 +

diff --git a/src/b b/src/b
--- a/src/b
+++ b/src/b
@@ -18,3 +18,4 @@
 18
 19
 20
+a =3D b
X
run wb series import --series=empty --mbox="$work/qp"
status 0 "a mail in quoted-printable"
ok "decoded" grep -qx '+a = b' empty/b-gr-e.patch
ok "the name" grep -q 'From: Zoë Färber <zoe@example.org>' empty/b-gr-e.patch
run wb series refresh --all --series=empty
ok "and a fixed point" grep -q 'nothing to change' "$err"
done_testing
