# Repositories of every shape, and stores in every state.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
wb trust >/dev/null
run wb run --rounds 2
status 125
top_repo=$PWD

# a linked work tree shares the store
git worktree add -q "$work/linked" HEAD
cd "$work/linked"
run wb status --rounds 10 --json
is "linked work tree: eight of ten rounds of three builds and a control" \
	"$(jq .todo.runs "$out")" 32
run wb status --rounds 2 --json
is "linked work tree: the same results" "$(jq .todo.runs "$out")" 0
mkdir -p sub/dir
cd sub/dir
run wb status --rounds 2 --json
is "from a folder below" "$(jq .todo.runs "$out")" 0

# GIT_DIR names it from anywhere, as a hook's environment does
cd "$work"
run env GIT_DIR="$top_repo/.git" wb status --rounds 2 --json
status 0 "GIT_DIR"
is "GIT_DIR: the same results" "$(jq .todo.runs "$out")" 0
run env GIT_DIR="$top_repo/.git" GIT_WORK_TREE="$top_repo" wb status
status 128 "GIT_WORK_TREE"
one_error "GIT_WORK_TREE" "unset it"

# a bare repository: a range works, the folder's absence is said
cd "$top_repo"
git branch -q stacked
git clone -q --bare . "$work/bare.git"
cd "$work/bare.git"
run wb status
status 128 "bare: no quilt folder"
one_error "bare" "bare"
run wb run --rounds 2 HEAD~1..HEAD
status 0 "bare: a range"
ok "bare: it has numbers" grep -q same "$out"

# ranges
cd "$top_repo"
run wb run --rounds 2 HEAD~1..HEAD
status 0
run wb report --json HEAD~1..HEAD
is "named by 12 digits" "$(jq -r '.rows[-1].prefix' "$out")" \
	"$(git rev-parse --short=12 HEAD)"
run wb run NOWHERE..HEAD
status 128
one_error "unknown revision" NOWHERE

# stores
cp .git/wb/results.db "$work/keep"
sqlite3 .git/wb/results.db 'PRAGMA user_version = 99'
run wb report
status 128 "a newer schema"
one_error "a newer schema" "newer wb"
ok "is left as it is" test "$(sqlite3 .git/wb/results.db 'PRAGMA user_version')" = 99
cp "$work/keep" .git/wb/results.db
# an older schema has no controls
sqlite3 .git/wb/results.db 'DELETE FROM sample WHERE run IN
	(SELECT row FROM run WHERE control); DELETE FROM run WHERE control'
run wb report --json
cp "$out" "$work/new-schema"
sqlite3 .git/wb/results.db 'DROP INDEX round_id; ALTER TABLE round DROP COLUMN id;
	ALTER TABLE run DROP COLUMN control;
	ALTER TABLE run DROP COLUMN open; ALTER TABLE run DROP COLUMN locked;
	ALTER TABLE round DROP COLUMN mishap; ALTER TABLE round DROP COLUMN discarded;
	DROP TABLE passes; DROP TABLE toolchain; PRAGMA user_version = 2'
run wb report --json
status 0 "an older schema"
ok "reads the same" cmp "$out" "$work/new-schema"
is "reading leaves it old" "$(sqlite3 .git/wb/results.db 'PRAGMA user_version')" 2
run wb build 0
is "writing brings it up to date" "$(sqlite3 .git/wb/results.db '
	PRAGMA user_version; SELECT count(*) FROM passes;
	SELECT count(*) > 0 FROM run WHERE NOT control' | tr '\n' ' ')" "8 0 1 "
run wb report --json
ok "and loses nothing" cmp "$out" "$work/new-schema"
rm .git/wb/results.db*
head -c 30000 /dev/urandom >.git/wb/results.db
sum=$(sha256sum <.git/wb/results.db)
run wb report
status 128 "garbage"
one_error "garbage" "damaged"
is "garbage is left as it is" "$(sha256sum <.git/wb/results.db)" "$sum"
cp "$work/keep" .git/wb/results.db
dd if=/dev/urandom of=.git/wb/results.db bs=1 seek=4096 count=20000 conv=notrunc 2>/dev/null
run wb report
status 128 "a damaged page"
one_error "a damaged page" "damaged"
rm -rf .git/wb
run wb report
status 125 "nothing measured"
one_error "nothing measured" "wb run"
ok "a report makes no store" test ! -e .git/wb/results.db
mkdir -p .git/wb
sqlite3 .git/wb/results.db 'CREATE TABLE t(x); INSERT INTO t VALUES(7)'
run wb run --rounds 1
status 128 "a database of somebody else"
one_error "somebody else's" "not of wb"
echo '{"prefix":"p","metric":"m","value":1}' >"$work/s.jsonl"
run wb report --samples "$work/s.jsonl"
status 0 "a file is read without the store"
is "it is left as it is" "$(sqlite3 .git/wb/results.db 'SELECT x FROM t')" 7
rm .git/wb/results.db
sqlite3 .git/wb/results.db 'PRAGMA user_version = 1'
run wb report
status 128 "a store without its tables"
one_error "without tables" "move it away"
rm .git/wb/results.db

# six first calls at once
for i in 1 2 3 4 5 6; do
	wb build 0 >/dev/null 2>"$work/err.$i" || echo "failed $i" >>"$work/raced" &
done
wait
not_ok "first calls do not race" test -e "$work/raced"

# reading needs no right to write
wb run --rounds 2 >/dev/null 2>&1
if [ "$(id -u)" = 0 ] && mount --bind "$PWD/.git" "$PWD/.git" &&
	mount -o remount,ro,bind "$PWD/.git"; then
	run wb report --json
	status 0 "a report from a read-only repository"
	run wb status
	status 0 "a status of a read-only repository"
	run wb run --rounds 3
	status 128 "a run needs to write"
	one_error "a run" "cannot be opened for writing\|Read-only"
	umount "$PWD/.git"
fi

# half of a build was cleaned away
rm -rf "$XDG_CACHE_HOME"/wb/build/*/tree
run wb run --rounds 3
status 125 "only the broken prefix is missing"
ok "a build without its tree is made again" grep -q '^4 .* slower' "$out"

# repositories that libgit2 cannot open
if git init -q --object-format=sha256 "$work/sha256" 2>/dev/null; then
	cd "$work/sha256"
	run wb status
	status 128 "sha256"
	one_error "sha256" SHA-256
fi
git init -q "$work/ext"
cd "$work/ext"
git config core.repositoryformatversion 1
git config extensions.frobnicate true
run wb status
status 128 "an unknown extension"
one_error "an unknown extension" frobnicate
git init -q "$work/empty"
cd "$work/empty"
run wb status
status 128 "no commit yet"
is "one line" "$(wc -l <"$err")" 1
done_testing
