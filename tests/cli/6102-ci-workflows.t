# The jobs under templates/ are what the services read, and their commands work.
. "$(dirname "$0")/../lib.sh"

if ! command -v yq >/dev/null; then
	ok "workflows # SKIP no yq (package yq)" true
	done_testing
	exit 0
fi
cd "$work" || exit 1
for f in github github-comment gitlab; do
	ok "$f.yml is YAML" yq . "$top/templates/$f.yml"
done
# what the services refuse, or take for something else
for f in github github-comment; do
	ok "$f.yml: known keys at the top" [ "$(yq -r 'keys - ["name", "on", "permissions",
		"jobs"] | length' "$top/templates/$f.yml")" = 0 ]
	is "$f.yml: each job has a machine and steps" "$(yq -r '[.jobs[] | select((.steps |
		length) == 0 or ."runs-on" == null)] | length' "$top/templates/$f.yml")" 0
	is "$f.yml: each step either uses or runs" "$(yq -r '[.jobs[].steps[] |
		select((.uses == null) == (.run == null))] | length' "$top/templates/$f.yml")" 0
	is "$f.yml: what is used is pinned to a version" "$(yq -r '.jobs[].steps[].uses // empty' \
		"$top/templates/$f.yml" | grep -vc '@v[0-9]')" 0
	is "$f.yml: no expression stands in a script" "$(yq -r '.jobs[].steps[].run // empty' \
		"$top/templates/$f.yml" | grep -c '\${{')" 0
	yq -r '.jobs[].steps[].run // empty' "$top/templates/$f.yml" >"$work/syntax"
	ok "$f.yml: scripts parse" sh -n "$work/syntax"
done
yq -r '.wb.script[]' "$top/templates/gitlab.yml" >"$work/syntax"
ok "gitlab.yml: its script parses" sh -n "$work/syntax"
g=$top/templates/github.yml
is "the whole history is fetched" "$(yq '.jobs.wb.steps[0].with."fetch-depth"' "$g")" 0
is "the job that runs patches may write nothing" "$(yq -c .permissions "$g")" \
	'{"contents":"read"}'
is "125 is a warning at GitLab" "$(yq -c .wb.allow_failure \
	"$top/templates/gitlab.yml")" '{"exit_codes":[125]}'
yq -r '.jobs.wb.steps[] | select(.name == "wb ci") | .run' "$g" >step.sh
ok "a step runs wb ci" grep -q 'wb ci --base' step.sh

# a request with a loss, with none, and one that nobody can judge
make_repo
echo 1000 >cost
printf '[wb]\n\trounds = 2\n[wb-bench "b"]\n\tcommand = %s\n\treader = lines\n' \
	'echo n $(cat cost)' >.wbconfig
printf '\tbetter = lower\n\tunit = n\n\tlevel = S\n' >>.wbconfig
commit base
step() {	# step COMMAND: what the job does after it; sets rc
	git checkout -q -B request main
	sh -c "$1"
	git commit -qam "cost: a change" -m "A reason." -s
	rm -rf wb-out
	BASE=$(git rev-parse main) NUMBER=7 GITHUB_ACTIONS=true \
		run sh -e "$work/step.sh"
}
step 'echo 1100 >cost'
status 1 "a loss is red"
ok "with a comment to post" grep -q '^<!-- wb ci -->' wb-out/comment.md
is "on the request" "$(cat wb-out/number)" 7
ok "and JUnit" grep -q '<failure' wb-out/junit.xml
step 'echo 1000 >cost; echo x >y; git add y'
status 0 "no loss is green"
not_ok "and says nothing" [ -e wb-out/comment.md ]
step 'rm cost; touch cost'
status 0 "what cannot be judged is green"
ok "with a warning" grep -q '^::warning::wb ci could not judge' "$out"

yq -r '.wb.script[0]' "$top/templates/gitlab.yml" >"$work/script.sh"
git checkout -q -B request main
echo 1100 >cost
git commit -qam "cost: a change" -m "A reason." -s
CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse main) run sh "$work/script.sh"
status 1
ok "GitLab gets its reports" jq -e 'length > 0' wb-quality.json

# the comment's poster, with a gh that writes down what it is told
mkdir "$work/bin"
cat >"$work/bin/gh" <<'EOS'
#!/bin/sh
echo "$@" >>"$GH_LOG"
case $* in *--jq*) echo "$GH_OLD" ;; esac
EOS
chmod +x "$work/bin/gh"
yq -r '.jobs.comment.steps[] | select(.name == "post") | .run' \
	"$top/templates/github-comment.yml" >"$work/post.sh"
post() {
	rm -f "$work/log"
	PATH="$work/bin:$PATH" GH_LOG="$work/log" GH_REPO=o/r run sh -e "$work/post.sh"
}
cd "$work" || exit 1
echo body >comment.md
echo 7 >number
GH_OLD='' post
ok "a new comment" grep -q '^api repos/o/r/issues/7/comments -F body=@comment.md$' log
export GH_OLD=42
post
ok "or the old one, anew" grep -q '^api -X PATCH repos/o/r/issues/comments/42 ' log
echo '7/../../x' >number
post
status 1 "a number is a number"
not_ok "nothing is asked for" [ -s log ]
rm comment.md
post
status 0 "nothing to say"
done_testing
