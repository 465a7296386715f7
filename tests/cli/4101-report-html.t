# The report as a page: what it says, that it is safe with hostile names, that
# it can be read back; and in a real browser, that it works and asks for nothing.
. "$(dirname "$0")/../lib.sh"

# Two metrics, four prefixes; one broken, one with a name that is no name.
cat >"$work/samples" <<'EOS'
{"wb":1,"prefixes":["base","fast</script><script>alert(1)</script>","same","slow"],"metrics":["t<b>","u"]}
EOS
for round in 1 2 3 4 5 6 7 8; do
	i=0
	for v in 1000 960 961 990; do
		name=$(printf 'base\nfast</script><script>alert(1)</script>\nsame\nslow' |
			sed -n $((i + 1))p)
		for m in 't<b>' u; do
			echo "{\"bench\":\"b\",\"metric\":\"$m\",\"unit\":\"ns\",\"better\":\"lower\",\"prefix\":\"$name\",\"round\":$round,\"run\":$((round * 4 + i)),\"value\":$((v + (round * 7 + i * 3) % 5))}"
		done
		i=$((i + 1))
	done >>"$work/samples"
done

run wb report --samples "$work/samples" --format html
status 0
cp "$out" "$work/r.html"
ok 'one file, under 1 MB' [ "$(wc -c <"$work/r.html")" -lt 1000000 ]
not_ok 'no reference to the outside' grep -Eiq \
	'(src|href)="[^#]|url\(|@import|<link|<iframe' "$work/r.html"
not_ok 'a hostile name is text' grep -q '<script>alert' "$work/r.html"
ok 'also in the data' grep -q 'fast\\u003c/script' "$work/r.html"
ok 'the verdict in a sentence' grep -q '3 patches: .*1 slower.*1 faster.*1 same' \
	"$work/r.html"
ok 'a picture of samples by prefix' grep -q '<title>samples by prefix: u, ns' \
	"$work/r.html"
ok 'and one in the order of running' grep -q 'in the order of running' \
	"$work/r.html"
ok 'the changes of a patch as a forest' grep -q '<title>changes by patch 1<' \
	"$work/r.html"
ok 'an interval beside each change' [ "$(grep -o 'small>\[' "$work/r.html" |
	wc -l)" -ge 4 ]
run wb report --samples "$work/r.html" --format json
status 0 'a page is read back'
cp "$out" "$work/back"
run wb report --samples "$work/samples" --format json
ok 'and gives the same report' cmp -s "$out" "$work/back"
sed 's/"wb-result":2/"wb-result":3/' "$work/r.html" >"$work/new.html"
run wb report --samples "$work/new.html"
status 128 'a page of a newer wb is refused'
sed 's/id="wb-data"/id="x"/' "$work/r.html" >"$work/none.html"
run wb report --samples "$work/none.html"
ok 'one without data is named' grep -q 'none.html: a page without results' "$err"
relined() {	# relined SED-SCRIPT: the page with other samples
	lines=$(sed -n 's/.*id="wb-lines">\([^<]*\)<.*/\1/p' "$work/r.html" |
		base64 -d | gunzip | sed "$1" | gzip | base64 -w 0)
	sed "s|\(id=\"wb-lines\">\)[^<]*|\1$lines|" "$work/r.html" >"$work/bad.html"
	run wb report --samples "$work/bad.html"
}
is 'every sample once' "$(sed -n 's/.*id="wb-lines">\([^<]*\)<.*/\1/p' \
	"$work/r.html" | base64 -d | gunzip | wc -l)" 64
relined '3s/"metric":"u"/"metric":"v"/;4s/"metric":"u"/"metric":"v"/'
status 128 'a sample of no metric is refused'
ok 'by its line' grep -q "bad.html: line [34] of its samples: a metric 'v'" "$err"
relined '5s/"prefix":"[a-z]*/&x/;6s/"prefix":"[a-z]*/&x/'
status 128 'a sample of no prefix is refused'
relined '7s/..$//'
status 128 'a line cut short is refused'

# ---- pictures ----
run wb plot --samples "$work/samples" --metric u
status 0
is 'a strip a prefix' "$(grep -c '|' "$out")" 4
not_ok 'in ASCII' grep -q '[^ -~]' "$out"
not_ok 'lines for a mail' grep -q '.\{79\}' "$out"
run wb plot --samples "$work/samples" --metric u --format svg --kind time
ok 'a picture of its own' grep -q '^<svg xmlns.*viewBox' "$out"
run wb plot --samples "$work/samples" --format svg
status 129 'one picture a file'
run wb plot --samples "$work/samples" --metric u --format png
status 129 'PNG goes to a file'
if command -v gnuplot >/dev/null; then
	run wb plot --samples "$work/samples" --metric 't<b>' --format png \
		-o "$work/p.png"
	status 0
	is 'a PNG by gnuplot' "$(head -c 4 "$work/p.png" | od -An -c | tr -d ' ')" \
		'211PNG'
else
	skip 'a PNG by gnuplot' 'gnuplot is not installed (gnuplot-nox)'
fi

# values and names that are beyond what a picture is made for
one() { echo "{\"bench\":\"b\",\"metric\":\"$1\",\"prefix\":\"$2\",\"round\":1,\"run\":$3,\"value\":$4}"; }
{ one t base 1 -1.7e308; one t x 2 1.7e308; } >"$work/far"
{ one 'a\u0001\u202e<b>' base 1 5; one 'a\u0001\u202e<b>' 'x\u001b[31m' 2 6; } >"$work/names"
for kind in staircase time; do
	run timeout 20 wb plot --samples "$work/far" --format svg --kind $kind
	status 0 "$kind of the largest numbers"
	run wb plot --samples "$work/names" --format svg --kind $kind
	not_ok "$kind: no control byte and nothing that turns text" \
		grep -q "$(printf '[\001\033]\|\342\200\256')" "$out"
done
run timeout 20 wb plot --samples "$work/far"
ok 'a strip says that they lie beyond' [ "$(grep -c '|<\|>|' "$out")" = 2 ]
run wb report --samples "$work/names" --format html
sed -i '/id="wb-data"/d' "$out"	# which nobody sees
not_ok 'nor on a page' grep -q "$(printf '[\001\033]\|\342\200\256')" "$out"

# ---- in a browser ----
port=$((20000 + $$ % 20000))
driver=
stop_driver() { [ -z "$driver" ] || kill "$driver" 2>/dev/null; }
web() {	# web METHOD PATH [JSON]: the answer to $out
	curl -s -m 60 -X "$1" "http://127.0.0.1:$port/session$2" \
		${3:+-H 'Content-Type: application/json' -d "$3"} >"$out" \
		2>/dev/null </dev/null
}
script() {	# script JS: its value
	jq -n --arg s "$1" '{script: $s, args: []}' >"$work/script"
	web POST "/$session/execute/sync" "@$work/script"
	jq -r .value <"$out"
}
missing=
for p in chromium chromedriver curl jq; do
	command -v $p >/dev/null || missing="$missing $p"
done
if [ -n "$missing" ]; then
	skip 'the page in a browser' "not installed:$missing (chromium, chromium-driver)"
	done_testing
	exit
fi
chromedriver --port=$port >"$work/driver.log" 2>&1 &
driver=$!
trap 'stop_driver; cd /; rm -rf "$work"' EXIT
for i in $(seq 100); do
	curl -s -m 2 "http://127.0.0.1:$port/status" >/dev/null && break
	sleep 0.1
done
web POST '' '{"capabilities":{"alwaysMatch":{"goog:loggingPrefs":{"performance":"ALL"},
	"goog:chromeOptions":{"args":["--headless=new","--no-sandbox","--disable-gpu","--window-size=1200,1600"]}}}}'
session=$(jq -r '.value.sessionId // empty' <"$out")
ok 'a browser opens' [ -n "$session" ]
web POST "/$session/url" "{\"url\":\"file://$work/r.html\"}"
is 'no script but ours runs' "$(script 'return document.querySelectorAll("script").length')" 3
is 'the heat table is there' \
	"$(script 'return document.querySelectorAll("#series tbody tr").length')" 4
is 'pictures are drawn' "$(script 'return document.querySelectorAll("svg").length')" 7
web POST "/$session/element" \
	'{"using":"css selector","value":"button[data-copy=mail]"}'
button=$(jq -r '.value | to_entries[0].value' <"$out")
# the word stands there for a second and a half
script 'const b = document.querySelector("button[data-copy=mail]");
	window.words = [];
	new MutationObserver(() => window.words.push(b.textContent)).observe(b,
		{childList: true, characterData: true, subtree: true})' >/dev/null
web POST "/$session/element/$button/click" '{}'
word=
for i in $(seq 12); do
	word=$(script 'return window.words[0] || ""')
	[ -z "$word" ] || break
	sleep 0.1
done
is 'a click on the button copies, and says so' "$word" copied
is 'a cell leads to its patch' "$(script '
	document.querySelector("#series tbody tr:nth-child(2) a").click();
	return location.hash')" '#p1'
is 'keys go from section to section' "$(script '
	window.scrollTo(0, 0);
	document.dispatchEvent(new KeyboardEvent("keydown", {key: "j"}));
	return document.activeElement.id')" m0
web GET "/$session/screenshot"
ok 'it can be looked at' [ "$(jq -r .value <"$out" | base64 -d | wc -c)" -gt 20000 ]
web POST "/$session/se/log" '{"type":"performance"}'
jq -r '.value[].message' <"$out" | jq -r 'select(.message.method ==
	"Network.requestWillBeSent") | .message.params.request.url' >"$work/urls"
ok 'the browser saw the page' grep -q "^file://.*r.html" "$work/urls"
not_ok 'no request leaves' grep -vq '^file://.*r.html\|^data:\|^about:\|^chrome' "$work/urls"
web DELETE "/$session"
stop_driver
done_testing
