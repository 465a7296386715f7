# Completion in bash: commands, options, and the words that may stand there.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

command -v bash >/dev/null || skip_all "bash is not installed"
cat >"$work/complete" <<'E2'
. "$1/wb/completion/wb.bash" || exit 1
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
if [ "$1" = git ]; then _git_wb; else _wb; fi
printf '%s\n' "${COMPREPLY[@]}"
E2

# offers WANTED... -- WORDS...: all of WANTED are among what is offered
offers() {
	wanted=
	while [ "$1" != -- ]; do
		wanted="$wanted $1"
		shift
	done
	shift
	run bash "$work/complete" "$top" "$@"
	is "$*: no noise" "$(cat "$err")" ""
	for w in $wanted; do
		ok "$*: $w" grep -qxF -e "$w" "$out"
	done
}

make_stack
git branch topic
git tag v1.0
offers run report series -- wb ''
not_ok "a verb is no command" grep -q trees "$out"
offers run -- git wb r
offers run -- git -C . wb r
offers --budget= --json --help -- wb run --
offers --rounds= -- wb -C "$work/repo" status --
offers --rounds= -- wb -c wb.rounds=3 status --
offers --rounds= -- wb -c wb.rounds = 3 status --
offers wb.series wb-bench.b.command wb-build.inputs -- wb config ''
offers wb.margin -- wb config wb.m
offers wb.margin= -- wb -c wb.m
offers list trees topic v1.0 patches -- wb series ''
offers topic patches src main -- wb run ''
offers v1.0..topic -- wb run v1.0..t
offers faster mends -- wb build ''
offers faster mends -- wb series edit ''
offers faster mends -- wb series drop faster ''
offers wb-file wbconfig config run -- wb help ''
# readline gives --opt=value as three words, or as one
value() {	# value OPTION WANTED WORDS...
	o=$1 want=$2
	shift 2
	offers "$want" -- "$@" "$o" =
	offers "$want" -- "$@" "$o" = "$(echo "$want" | cut -c1)"
	offers "$o=$want" -- "$@" "$o="
}
value --format mmtests wb report
value --against base wb report
value --against faster wb report
value --only faster wb run
value --only changed wb report
value --bench b wb run
value --reader ktap wb init
value --better lower wb init
value --profile dpkg wb series
value --color never wb
offers faster,mends -- wb run --only = faster,m
cd "$work" || exit 1
offers faster -- wb -C "$work/repo" build ''
offers patches topic -- wb -C repo run ''

# every format that is offered is one
printf '{"prefix":"base","metric":"m","value":1}\n' >one.jsonl
run bash "$work/complete" "$top" wb report --format =
for f in $(cat "$out"); do
	ok "--format=$f" wb report --samples=one.jsonl --format="$f"
done
done_testing
