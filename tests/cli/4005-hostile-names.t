# Names and subjects that mean harm, through every command and format that
# shows them: nothing drives a terminal, turns text around or ends a line, and
# to Markdown, HTML, LaTeX, roff, XML and workflow commands they are text.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

esc=$(printf '\033') rlo=$(printf '\342\200\256') lri=$(printf '\342\201\246')
csi=$(printf '\302\233')
# what no output may have in it: controls but the line end (and tabs, which
# part fields), C1, marks of direction, what shows nothing, what is no UTF-8
clean() {	# clean FILE
	perl -e '
		use open qw(:std); local $/; my $t = <STDIN>;
		exit 1 unless utf8::decode($t);
		exit 1 if $t =~ /[^\P{Cc}\n\t]/;
		exit 1 if $t =~ /[\x{ad}\x{61c}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}]/;
	' <"$1"
}
both_clean() {	# both_clean NAME: of the last run
	ok "$1: stdout" clean "$out"
	ok "$1: stderr" clean "$err"
}
printf 'plain gr\303\274n e\314\201 \346\227\245\n' >"$work/good"
ok "the check lets text pass" clean "$work/good"
for bad in "$esc" "$rlo" "$lri" "$csi" "$(printf '\377')"; do
	printf '%s\n' "$bad" >"$work/bad"
	not_ok "and finds what it looks for" clean "$work/bad"
done

# ---- a stack: the subject and the file's name of a patch
make_stack
rm patches/breaks.patch patches/mends.patch
evil="$esc[31m$rlo$lri$csi{{sentence}} <script>alert(1)</script> ]]> \\end{verbatim} | \`x\` *b* [l](javascript:x) ::error::x"
name="n$rlo$lri{{x}}<b>"
mv patches/comment.patch "patches/$name.patch"
awk -v s="$evil" 'BEGIN { gsub(/\\/, "\\\\", s) }
	/^Subject:/ { print "Subject: [PATCH] area: " s; next } { print }' \
	patches/faster.patch >"$work/p"
mv "$work/p" patches/faster.patch
printf 'faster.patch\n%s.patch\n' "$name" >patches/series
commit evil
wb trust >/dev/null
run wb -q run --rounds 8
status 0 "it is measured"
both_clean run
for c in 'series list' 'series list -v' 'series trees' status build 'series check' \
	report 'report --format plain' 'report --format markdown' \
	'report --format mmtests' 'report --format mmtests --compat' \
	'report --format delta' 'report --format lkp-list' 'report --format lkp' \
	'report --format lkp --compat' 'report --format benchstat' \
	'report --format csv' 'report --json' 'report --format html' \
	'report --cover' 'report --template report' \
	'report --template report --render html' \
	'report --template report --render man' \
	'report --template report --render latex' \
	'report --template report --render markdown' \
	'plot --format ascii' 'series diff' 'series trees --keep' 'status --json' \
	'series list --json' 'series edit nobody' 'report --against nobody' \
	'check --good HEAD HEAD'; do
	# shellcheck disable=SC2086	# words
	run wb $c
	both_clean "$c"
done
run wb series edit "$name$esc"
both_clean "an error that names it"
run wb report --changelog faster
both_clean "report --changelog"
run wb series rename faster "x$rlo"
both_clean "series rename"
wb series refresh --undo >/dev/null 2>&1
run wb report --email --each -o "$work/mails"
both_clean "report --email"
for m in "$work"/mails/*; do
	sed '1,/^$/d' "$m" >"$work/body"
	ok "a mail's text" clean "$work/body"
done
run wb ci --base HEAD~1 --trust --junit "$work/junit.xml" \
	--summary "$work/summary.md" patches
both_clean ci
ok "ci: junit" clean "$work/junit.xml"
ok "ci: summary" clean "$work/summary.md"
run env GITHUB_ACTIONS=true wb ci --base HEAD~1 --trust patches
both_clean "ci on GitHub"
not_ok "no workflow command but wb's own" grep -q '^::error::x' "$out"

# ---- and to each language it is text
run wb report --template report --render html
not_ok "html: no element" grep -q '<script\|<b>' "$out"
not_ok "html: no link" grep -qi 'href="javascript' "$out"
run wb report --template report --render latex
not_ok "latex: nothing ends a block" grep -q '[^\\]\\end{verbatim}.*|' "$out"
run wb report --template report --render markdown
not_ok "markdown: no element" grep -q '[^\\]<script' "$out"
run wb report --template report
not_ok "a name is no template" grep -q 'Of 2 patches.*Of 2 patches' "$out"
ok "it is there" grep -q '{{sentence}}' "$out"
run wb report --format html
not_ok "page: no element" grep -q '<script>alert\|<b>' "$out"
ok "junit: well-formed" perl -e 'local $/; $_ = <STDIN>; exit(/<script>|\]\]>/)' \
	<"$work/junit.xml"
done_testing
