# wb run, wb ci and wb check in repositories of every shape: they measure the
# same, and leave everything as it was.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
wb trust >/dev/null
# a range beside the stack, for what has no work tree
git checkout -q -b range HEAD
echo 950 >src/cost
git commit -qam "src: a gain" -m "A reason." -s
echo 1050 >src/cost
git commit -qam "src: a loss" -m "A reason." -s
range=$(git rev-parse HEAD~2)..$(git rev-parse HEAD)
git tag tip
git checkout -q main

# measured NAME: the range gives its verdicts here, and nothing else changes
measured() {
	wb trust >/dev/null 2>&1
	fingerprint 2>/dev/null | grep -v ' \./wb/' >"$work/before"
	run wb run --rounds 4 "$range"
	status 0 "$1: wb run"
	run wb report --json "$range"
	is "$1: the verdicts" "$(jq -r '[.rows[] | .verdict // "base"] | join(" ")' \
		"$out")" "base faster slower"
	run wb check --rounds 4 --good "${range%..*}" "${range#*..}"
	status 1 "$1: wb check"
	fingerprint 2>/dev/null | grep -v ' \./wb/' >"$work/after"
	ok "$1: as it was" cmp "$work/before" "$work/after"
}
measured "plain"

git worktree add -q --detach "$work/linked" tip
cd "$work/linked" || exit 1
measured "linked"
run wb ci --base "${range%..*}" --trust --rounds 4
status 1 "linked: wb ci"
cd "$work/repo" || exit 1

# keys of one work tree
git config core.repositoryFormatVersion 1
git config extensions.worktreeConfig true
git -C "$work/linked" config --worktree wb.rounds 3
measured "worktreeConfig"
is "a key of the work tree" "$(wb -C "$work/linked" config wb.rounds)" wb.rounds=3
is "is of that one alone" "$(wb config wb.rounds)" wb.rounds=10
git config --unset extensions.worktreeConfig
is "and of none without the extension" "$(wb -C "$work/linked" config wb.rounds)" wb.rounds=10

git clone -q --bare . "$work/bare.git"
cd "$work/bare.git" || exit 1
measured "bare"

# as much history as is there
git clone -q --depth 3 -b range "file://$work/repo" "$work/shallow"
cd "$work/shallow" || exit 1
measured "shallow"
run wb run "$(git -C "$work/repo" rev-list --max-parents=0 tip)..HEAD"
status 128 "shallow: history that is not there"
run wb ci --base HEAD~9 --trust
status 128
one_error "shallow: wb ci says it in a line" "no such revision"

# a submodule is a name and a commit; what lies in it is not wb's to fetch
make_repo "$work/sub"
echo x >x
commit sub
make_stack "$work/super"
git -c protocol.file.allow=always submodule --quiet add "$work/sub" sub
commit "sub: a module"
echo 950 >src/cost
git commit -qam "src: a gain" -m "A reason." -s
echo 1050 >src/cost
git commit -qam "src: a loss" -m "A reason." -s
range=HEAD~2..HEAD
measured "submodule"

# belongs to somebody else; another object format
if [ "$(id -u)" = 0 ]; then
	git clone -q "$work/super" "$work/owned" 2>/dev/null
	chown -R 12345 "$work/owned"
	for c in 'run' 'build' 'ci --base HEAD~1' 'check' 'report' 'status'; do
		run wb -C "$work/owned" $c
		status 128 "another owner: wb $c"
		one_error "wb $c" safe.directory
	done
else
	ok "another owner # SKIP only root can give files away" true
fi
if git init -q --object-format=sha256 "$work/sha256" 2>/dev/null; then
	for c in 'run' 'build' 'ci --base HEAD~1' 'check' 'report' 'status'; do
		run wb -C "$work/sha256" $c
		status 128 "sha256: wb $c"
		one_error "wb $c" SHA-256
	done
else
	ok "sha256 # SKIP this git has no such repositories" true
fi
done_testing
