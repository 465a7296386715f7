# bash completion for wb (and "git wb")
_wb() {
	local cur=${COMP_WORDS[COMP_CWORD]} cmd= i w
	for ((i = 1; i < COMP_CWORD; i++)); do
		w=${COMP_WORDS[i]}
		case $w in
		wb | -*) ;;
		*) cmd=${cmd:+$cmd }$w ;;
		esac
	done
	case $cur in
	-*)
		mapfile -t COMPREPLY < <(compgen -W "$(wb $cmd --list-opts 2>/dev/null)" -- "$cur")
		[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
		return ;;
	esac
	case $cmd in
	'')
		mapfile -t COMPREPLY < <(compgen -W "$(wb --list-cmds | cut -d' ' -f1 | sort -u)" -- "$cur") ;;
	series)
		mapfile -t COMPREPLY < <(compgen -W "$(wb --list-cmds | sed -n 's/^series //p')" -- "$cur") ;;
	help)
		mapfile -t COMPREPLY < <(compgen -W "config $(wb --list-cmds | cut -d' ' -f1 | sort -u)" -- "$cur") ;;
	build*)
		mapfile -t COMPREPLY < <(compgen -W "$(wb series list --json 2>/dev/null |
			sed -n 's/^ *"name": "\(.*\)",\{0,1\}$/\1/p')" -- "$cur") ;;
	*)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
	esac
}
complete -F _wb wb
# git's own completion calls this for "git wb"
_git_wb() { _wb; }
