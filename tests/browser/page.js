// Looks at the page as it is laid out now and returns what is wrong with it, a sentence each. Run by run.py.
const wrong = [];
const shown = (text) => JSON.stringify(text.trim().slice(0, 40));
const root = document.documentElement;

function parse(color) {
	const parts = (color.match(/[\d.]+/g) || []).map(Number);
	return {rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1};
}

// What is behind an element: the first opaque background, with those that are not laid over it.
function background(element) {
	const layers = [];
	for (let at = element; at; at = at.parentElement) {
		const layer = parse(getComputedStyle(at).backgroundColor);
		if (layer.alpha > 0) layers.push(layer);
		if (layer.alpha === 1) break;
	}
	let result = [255, 255, 255];
	for (const layer of layers.reverse()) {
		result = result.map((value, i) => value * (1 - layer.alpha) + layer.rgb[i] * layer.alpha);
	}
	return result;
}

// WCAG 2.1, relative luminance and contrast ratio.
function luminance(rgb) {
	const [r, g, b] = rgb.map((value) => value / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
	const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
	return (high + 0.05) / (low + 0.05);
}

function hasOwnText(element) {
	return [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
}

function checkWidth() {
	if (root.scrollWidth > innerWidth) wrong.push(`the page is ${root.scrollWidth} wide, the window ${innerWidth}`);
}

function checkColors() {
	for (const element of document.body.querySelectorAll("*")) {
		if (!hasOwnText(element) || element.closest("title, desc, style")) continue;
		const style = getComputedStyle(element);
		const color = parse(element.closest("svg") ? style.fill : style.color);
		const ratio = contrast(color.rgb, background(element));
		if (color.alpha < 1) wrong.push(`${shown(element.textContent)} is transparent`);
		if (ratio < 4.5) wrong.push(`${shown(element.textContent)} has a contrast of ${ratio.toFixed(2)}`);
	}
}

function checkDrawing(svg) {
	const box = svg.getBoundingClientRect();
	const texts = [...svg.querySelectorAll("text")].map((text) => ({text, box: text.getBoundingClientRect()}));
	for (const {text, box: own} of texts) {
		const size = parseFloat(getComputedStyle(text).fontSize) * Math.abs(text.getScreenCTM().a);
		if (own.width === 0) wrong.push(`${shown(text.textContent)} has no width`);
		if (own.left < box.left - 0.5 || own.right > box.right + 0.5 || own.top < box.top - 0.5 || own.bottom > box.bottom + 0.5) {
			wrong.push(`${shown(text.textContent)} is cut off in its drawing`);
		}
		if (size < 10) wrong.push(`${shown(text.textContent)} is ${size.toFixed(1)} px small`);
	}
	texts.forEach((one, i) => {
		for (const other of texts.slice(i + 1)) {
			const x = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
			const y = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
			if (x > 0.5 && y > 1) wrong.push(`${shown(one.text.textContent)} and ${shown(other.text.textContent)} overlap`);
		}
	});
	for (const part of svg.querySelectorAll("rect, circle, line")) {
		const own = part.getBoundingClientRect();
		if (part.closest("pattern")) continue;
		if (own.left < box.left - 4 || own.right > box.right + 4 || own.bottom > box.bottom + 4 || own.top < box.top - 4) {
			wrong.push(`a ${part.localName} of class '${part.getAttribute("class")}' leaves its drawing`);
		}
	}
}

function checkNames() {
	for (const svg of document.querySelectorAll("svg")) {
		if (svg.ownerSVGElement || svg.getAttribute("aria-hidden") === "true") continue;
		const ids = (svg.getAttribute("aria-labelledby") || "").split(" ");
		const names = ids.map((id) => document.getElementById(id));
		if (svg.getAttribute("role") !== "img" || names.some((name) => !name || name.textContent.trim() === "")) {
			wrong.push("a drawing has no name");
		}
	}
	for (const cell of document.querySelectorAll("th")) {
		if (!cell.hasAttribute("scope")) wrong.push(`the heading ${shown(cell.textContent)} has no scope`);
	}
	let level = 0;
	for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
		const next = Number(heading.localName[1]);
		if (next > level + 1) wrong.push(`${shown(heading.textContent)} skips a level of headings`);
		level = next;
	}
	if (document.querySelectorAll("h1").length !== 1) wrong.push("not exactly one h1");
}

function checkClipping() {
	for (const element of document.body.querySelectorAll("*")) {
		if (element.closest("svg")) continue;
		const style = getComputedStyle(element);
		if (/hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth) {
			wrong.push(`${shown(element.textContent)} is clipped`);
		}
		if (hasOwnText(element) && !element.closest(".scroll, pre")) {
			const box = element.getBoundingClientRect();
			if (box.right > innerWidth + 0.5 || box.left < -0.5) wrong.push(`${shown(element.textContent)} leaves the page`);
		}
	}
}

// Nothing but what the program writes, and all that refers to something finds it.
function checkElements() {
	const foreign = document.querySelectorAll("script, img, iframe, object, embed, form, input, audio, video, base");
	for (const element of foreign) wrong.push(`there is a ${element.localName}`);
	const seen = new Set();
	for (const element of document.querySelectorAll("*")) {
		for (const {name, value} of element.attributes) {
			if (/^on/i.test(name)) wrong.push(`${element.localName} has ${name}`);
			if (/^(src|srcset|action|formaction|data|xlink:href)$/i.test(name)) wrong.push(`${element.localName} has ${name}`);
			if (name === "href" && element.localName !== "link" && !(value.startsWith("#") && document.getElementById(value.slice(1)))) {
				wrong.push(`a link leads nowhere: ${value}`);
			}
		}
		if (element.id && seen.has(element.id)) wrong.push(`the id ${element.id} is there twice`);
		if (element.id) seen.add(element.id);
	}
}

checkWidth();
checkColors();
document.querySelectorAll("svg.chart").forEach(checkDrawing);
checkNames();
checkClipping();
checkElements();
for (const detail of document.querySelectorAll("details dd")) {
	if (detail.getBoundingClientRect().height === 0) wrong.push("a fact is not shown");
}
return {wrong, width: root.scrollWidth, height: root.scrollHeight, text: document.body.innerText, title: document.title};
