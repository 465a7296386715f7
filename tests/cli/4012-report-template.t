# wb report --template: pages from Markdown templates, of the user's own too,
# in every language; nothing in them can lead out.
. "$(dirname "$0")/../lib.sh"
make_repo
six=$data/formats/six-columns.jsonl
report() { run wb report --samples "$six" --template "$@"; }

report report
status 0
ok "a sentence" grep -q '^Of 5 patches: ' "$out"
ok "plain: 72 columns" sh -c "! grep -E '.{73}' '$out'"
report report --render html
ok "html" grep -q '^<h2>Patches</h2>$' "$out"
report report --render man
ok "man" grep -q '^\.SS' "$out"
report report --render latex
ok "latex" grep -q '^\\subsection{Patches}' "$out"
report report --render markdown
ok "markdown" grep -q '^## Patches$' "$out"
report report --render pdf
status 129
one_error "no such language" "plain, markdown, html, man, latex"
report nothing
status 128
one_error "no such template" "no template 'nothing.md'"
report ../../etc/passwd
status 129
one_error "a path is no name" "no name of a template"

mkdir -p my "$XDG_CONFIG_HOME/wb/templates"
echo 'Mine: {{sentence}}' >"$XDG_CONFIG_HOME/wb/templates/report.md"
report report
ok "the user's own" grep -q '^Mine: Of 5' "$out"
echo 'Ours: {{sentence}} {{>part}}' >my/report.md
report report
ok "a folder that nobody named is not looked at" grep -q '^Mine' "$out"
git config wb.templates my
echo 'and {{patches.name}}{{version}}' >my/part.md
report report
ok "the repository's" grep -q '^Ours: Of 5.* and 0' "$out"
echo '{{#patches}}' >my/report.md
report report
status 129
one_error "an open section" "report.md:1: section 'patches' is never closed"
echo '{{>../../../etc/passwd}}' >my/report.md
report report
status 129
one_error "a part elsewhere" "is no name for a tag"
echo secret >"$work/secret"
ln -sf "$work/secret" my/report.md
report report
status 128
one_error "a link that leads out" "leads out of the work tree"
git config wb.templates ../..
report report
ok "a folder that leads out has none" grep -q '^Mine' "$out"
git config wb.templates my
printf 'Text\n\nSigned-off-by: Nobody <nobody@example.org>\n' >my/cover.md
rm my/report.md
run wb report --samples "$six" --cover
ok "no trailer comes from a template" grep -q '^| Signed-off-by' "$out"
done_testing
