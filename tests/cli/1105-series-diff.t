# wb series diff pairs patches as git range-diff does.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../edit.sh"
. "$(dirname "$0")/../stack.sh"

# Two versions of a stack as branches, with patches kept, changed, moved,
# dropped and added; seeded.
make_repo
mkdir src
for f in a b c d e f g h; do seq 1 60 >src/$f; done
commit base
git tag base
change() {	# change FILE LINE TEXT
	sed -i "$2s/.*/$3/" src/$1
	sed -i "$(($2 + 1))s/.*/$3 more/; $(($2 + 2))s/.*/$3 last/" src/$1
}
edit() { change "$2" "$3" "$4" && git commit -qam "$1: change $2"; }
git checkout -q -b old base
edit p1 a 10 one; edit p2 b 10 two; edit p3 c 10 three; edit p4 d 10 four
edit p5 e 10 five; edit p6 a 40 six
git checkout -q -b new base
edit p3 c 10 three; edit p1 a 10 one; edit p2 b 10 "two, better"
edit p7 g 10 seven; edit p5 e 12 five; edit p6x a 40 six; edit p8 h 30 eight
git checkout -q base 2>/dev/null

# what git says, in the words of wb: old sign new
git_pairs() {
	git range-diff --no-color --no-patch "$@" |
		sed -E 's/^ *([0-9-]+): +[0-9a-f-]+ (.) +([0-9-]+): .*/\1 \2 \3/'
}
wb_pairs() { sed -nE 's/^ *([0-9-]+) ([=!<>]) +([0-9-]+)  .*/\1 \2 \3/p' "$out"; }
run wb series diff base..old base..new
status 0 "two ranges"
is "as git range-diff" "$(wb_pairs)" "$(git_pairs base..old base..new)"
ok "something of each sign" [ "$(wb_pairs | cut -d' ' -f2 | sort -u | tr -d '\n' |
	wc -c)" -ge 3 ]
run wb series diff --creation-factor=5 base..old base..new
is "with another factor" "$(wb_pairs)" \
	"$(git_pairs --creation-factor=5 base..old base..new)"
run wb series diff --patch base..old base..new
git range-diff --no-color base..old base..new >"$work/rd"
tail -n "$(wc -l <"$work/rd")" "$out" | cmp -s - "$work/rd"
is "and its text" $? 0

# the same as quilt folders: no commits of the user's are needed
for b in old new; do
	git format-patch -q -N -o "$work/q/$b" base..$b
	ls "$work/q/$b" >"$work/q/$b.series"
	mv "$work/q/$b.series" "$work/q/$b/series"
done
run wb series diff "$work/q/old" "$work/q/new"
status 0 "two quilt folders"
is "the same pairs" "$(wb_pairs)" "$(git_pairs base..old base..new)"
run wb series diff "$work/q/old" base..new
is "a folder and a range" "$(wb_pairs)" "$(git_pairs base..old base..new)"
run wb series diff --json "$work/q/old" "$work/q/new"
is "as JSON" "$(jq -r '.pairs[] | "\(.old.index // "-") \(.sign) \(.new.index // "-")"' \
	<"$out")" "$(git_pairs base..old base..new)"
run wb series diff base..nowhere base..new
status 128
run wb series diff base base..new
status 129
one_error "no version" "'base' is no version"

# versions that wb kept, with what was measured of each
make_stack "$work/measured"
wb trust >"$out" 2>&1
wb run --rounds=4 --budget=60s >"$out" 2>&1
tree=$(wb series edit faster 2>/dev/null)
echo 900 >"$tree/src/cost"
run wb series refresh
status 128
one_error "the next one depends on it" "mends would no longer apply"
wb series edit --discard
tree=$(wb series edit mends 2>/dev/null)
echo 1100 >"$tree/src/cost"
wb series refresh >"$out" 2>&1
run wb series diff
status 0 "the version before, without a word"
is "pairs" "$(wb_pairs | tr '\n' ' ')" "1 = 1 2 = 2 3 = 3 4 ! 4 "
ok "with the measured change" grep -qE '^ +b t: -[0-9.]+%.* faster  ->  -[0-9.]+%.* faster' "$out"
ok "what was not measured is -" grep -qE '^ +b t: \+[0-9.]+%.*slower  ->  -$' "$out"
run wb series diff --json v1 v2
is "as JSON" "$(jq -r '.pairs[0].new.measured[0].verdict' <"$out")" faster
run wb series diff v7
status 128
one_error "an unknown version" "v7: patches has no such version"
done_testing
