"use strict";
// The page says everything without this; it adds copying and keys.
for (const button of document.querySelectorAll("button[data-copy]")) {
	button.hidden = false;
	button.addEventListener("click", async () => {
		const text = document.getElementById(button.dataset.copy).textContent;
		let done = true;
		try {
			await navigator.clipboard.writeText(text);
		} catch (e) {
			// a page from a file has no clipboard in some browsers
			const area = document.createElement("textarea");
			area.value = text;
			document.body.append(area);
			area.select();
			done = document.execCommand("copy");
			area.remove();
		}
		const word = button.textContent;
		button.textContent = done ? "copied" : "could not copy";
		setTimeout(() => { button.textContent = word; }, 1500);
	});
}
// j and k go from section to section.
document.addEventListener("keydown", (event) => {
	if (event.ctrlKey || event.metaKey || event.altKey ||
	    (event.key !== "j" && event.key !== "k"))
		return;
	const all = [...document.querySelectorAll("section[id]")];
	const at = all.findIndex((s) => s.getBoundingClientRect().bottom > 10);
	const to = all[event.key === "j" ? at + 1 : at - 1];
	if (to) {
		to.tabIndex = -1;
		to.focus({ preventScroll: true });
		to.scrollIntoView();
	}
});
