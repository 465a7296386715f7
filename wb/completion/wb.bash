# bash completion for wb (and "git wb")

# _wb_reply WORDS: those that begin with $cur, behind what $cur keeps
_wb_reply() {
	mapfile -t COMPREPLY < <(compgen -P "$keep" -W "$1" -- "$cur")
	[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
	return 0
}

_wb_prefixes() {
	wb "${front[@]}" series list --json 2>/dev/null |
		sed -n 's/^ *"name": "\(.*\)",\{0,1\}$/\1/p'
}

_wb_benches() {
	wb "${front[@]}" config 'wb-bench.*' 2>/dev/null |
		sed -n 's/^wb-bench\.\(.*\)\.[a-z]*=.*/\1/p' | sort -u
}

_wb_keys() {
	wb help config | sed -n 's/^  \(wb[.-][^ ]*\) .*/\1/p' |
		grep -v '\.NAME\.'
	wb "${front[@]}" config 2>/dev/null | sed 's/=.*//'
}

_wb_commands() {
	wb --list-cmds | cut -d' ' -f1 | sort -u
}

# A stack: a folder, or a range of two refs.
_wb_series() {
	local dir=. i
	for ((i = 0; i < ${#front[@]}; i += 2)); do
		[[ ${front[i]} == -C ]] && dir=${front[i + 1]}
	done
	[[ $cur == *..* ]] && keep=${cur%..*}.. cur=${cur##*..}
	_wb_reply "$1 $(git -C "$dir" for-each-ref --format='%(refname:short)' \
		refs/heads refs/tags refs/remotes 2>/dev/null)"
	[[ $keep ]] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
		cd "$dir" 2>/dev/null && compgen -d -- "$cur")
}

_wb_value() {	# _wb_value COMMAND OPTION
	case $2 in
	--format) [[ $1 == plot ]] && _wb_reply 'ascii svg png' && return
		_wb_reply 'terminal plain markdown mmtests delta
			lkp-list lkp benchstat csv json html' ;;
	--kind) _wb_reply 'staircase time' ;;
	--test) _wb_reply 'welch mann-whitney' ;;
	--profile) _wb_reply 'strict quilt dpkg git' ;;
	--drift) _wb_reply strict ;;
	--level) _wb_reply 'S I' ;;
	--color) _wb_reply 'auto always never' ;;
	--reader) _wb_reply 'samples lines slices time last-number google-benchmark
		hyperfine go perf-stat ktap mmtests' ;;
	--better) _wb_reply 'lower higher' ;;
	--bench) [[ $1 == init ]] && return
		_wb_reply "$(_wb_benches)" ;;
	--before | --after) _wb_reply "$(_wb_prefixes)" ;;
	--against) _wb_reply "prev base $(_wb_prefixes)" ;;
	--only)
		[[ $1 == report ]] && _wb_reply changed && return
		[[ $cur == *,* ]] && keep+=${cur%,*}, cur=${cur##*,}
		_wb_reply "$(_wb_prefixes)" ;;
	--config | -c) _wb_reply "$(_wb_keys | sed 's/$/=/')" ;;
	--changelog) _wb_reply "$(_wb_prefixes)" ;;
	--render) _wb_reply 'plain markdown html man latex' ;;
	--template) _wb_reply 'report cover changelog reply' ;;
	--directory | --root | --series | --output-directory | -C)
		mapfile -t COMPREPLY < <(compgen -P "$keep" -d -- "$cur") ;;
	*) mapfile -t COMPREPLY < <(compgen -P "$keep" -f -- "$cur") ;;
	esac
}

_wb() {
	local cur=${COMP_WORDS[COMP_CWORD]} keep= opt= i=1 w
	local -a front=() words=()

	if [[ ${COMP_WORDS[0]##*/} == git ]]; then
		while ((i < COMP_CWORD)) && [[ ${COMP_WORDS[i - 1]} != wb ]]; do
			((i++))
		done
	fi
	# readline may have made three words of --opt=value
	for (( ; i < COMP_CWORD; i++)); do
		w=${COMP_WORDS[i]} opt=
		case $w in
		-C | -c)
			opt=$w
			((i + 1 < COMP_CWORD)) || break
			front+=("$w" "${COMP_WORDS[++i]}") opt=
			while [[ ${COMP_WORDS[i + 1]} == = ]] &&
				((i + 1 < COMP_CWORD)); do
				front[-1]+==${COMP_WORDS[i + 2]}
				((i += 2))
			done ;;
		--*)
			[[ ${COMP_WORDS[i + 1]} == = ]] || continue
			((i + 1 == COMP_CWORD)) && opt=$w cur= && break
			((i + 2 == COMP_CWORD)) && opt=$w && break
			((i += 2)) ;;
		-*) ;;
		*) words+=("$w") ;;
		esac
	done
	[[ $cur == --*=* ]] && opt=${cur%%=*} keep=$opt= cur=${cur#*=}
	if [[ $opt ]]; then
		_wb_value "${words[0]-}" "$opt"
		return
	fi
	if [[ $cur == -* ]]; then
		_wb_reply "$(wb "${words[@]}" --list-opts 2>/dev/null)"
		return
	fi
	case ${words[*]} in
	'') _wb_reply "$(_wb_commands)" ;;
	config) _wb_reply "$(_wb_keys)" ;;
	help) _wb_reply "config wb wb-file wbconfig $(_wb_commands)" ;;
	series) _wb_series "$(wb --list-cmds | sed -n 's/^series //p')" ;;
	build* | 'series edit' | 'series refresh' | 'series fold' | \
		'series drop'* | 'series rename' | 'series reorder'*)
		_wb_reply "$(_wb_prefixes)" ;;
	'series diff'* | 'series import' | 'series check') _wb_series ;;
	doctor*) _wb_reply "$(wb doctor --root=/dev/null 2>/dev/null |
		sed -n 's/^\([a-z.-]*\)  *\(good\|bad\|note\).*/\1/p')" ;;
	run | report | plot | status | ci | bisect-perf* | 'series list' | \
		'series trees') _wb_series ;;
	esac
}
complete -F _wb wb
# git's own completion calls this for "git wb"
_git_wb() { _wb; }
