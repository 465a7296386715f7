# fish completion for wb
complete -c wb -f -n __fish_use_subcommand \
	-a '(wb --list-cmds | string replace -r " .*" "" | sort -u)'
complete -c wb -f -n '__fish_seen_subcommand_from series' \
	-a '(wb --list-cmds | string match -r "^series .*" | string replace "series " "")'
complete -c wb -n 'not __fish_use_subcommand' \
	-a '(wb (commandline -opc)[2] --list-opts 2>/dev/null)'
