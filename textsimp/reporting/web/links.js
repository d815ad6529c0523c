// How the alignment browser shows links: chips at the sentences, curves between the columns, partners in the light.

// ---- words and lines of a link

// What a link is, in words.
function meaning(link) {
  if (link.verdict === "label") return `${link.gold}, predicted ${link.predicted}`;
  return link.gold || link.predicted;
}

function described(browser, link) {
  const verdict = (browser.meanings[link.verdict] || "").slice(2);
  return `C${link.complex + 1}–S${link.simple + 1}: ${meaning(link)}${verdict ? `; ${verdict}` : ""}`;
}

// An SVG element; its namespace is that of the one that stands in the page.
function drawn(root, name, attributes = {}) {
  const made = document.createElementNS(part(root, "drawing").namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// The line of a verdict, as in a legend.
function stroke(root, verdict) {
  const svg = drawn(root, "svg", { viewBox: "0 0 26 8", width: 26, height: 8, class: "stroke", "aria-hidden": "true" });
  const group = drawn(root, "g", { class: `link ${verdict}` });
  group.append(drawn(root, "path", { class: "line", d: "M0 4H26" }));
  svg.append(group);
  return svg;
}

// The curve of a link, with a wider one that is easier to hit; the keyboard has the chips at its ends instead.
function curve(browser, link, place, path) {
  const text = described(browser, link);
  const known = { class: `link ${link.verdict}`, tabindex: -1, role: "img", "aria-label": text };
  const group = drawn(browser.root, "g", known);
  group.dataset.link = place;
  const title = drawn(browser.root, "title");
  title.textContent = text;
  const paths = ["reach", "line"].map((name) => drawn(browser.root, "path", { class: name, d: path }));
  group.append(title, ...paths);
  return group;
}

function chip(browser, link, place, side) {
  const partner = side === "complex" ? `S${link.simple + 1}` : `C${link.complex + 1}`;
  const made = element("button", `chip ${link.verdict}`);
  made.type = "button";
  made.dataset.link = place;
  made.dataset.goes = side === "complex" ? "simple" : "complex";
  made.title = described(browser, link);
  const sign = (browser.meanings[link.verdict] || "→")[0];
  const plain = ["right", "link"].includes(link.verdict) && meaning(link) === "aligned";
  made.append(element("b", "", sign), ` ${partner}${plain ? "" : ` ${meaning(link)}`}`);
  return made;
}

function sentence(browser, side, index, text, only) {
  const made = element("p", "sentence");
  made.dataset[side] = index;
  made.tabIndex = 0;
  const words = withHits(text, browser.words);
  words.className = "words";
  words.dir = "auto";
  made.append(element("span", "number", `${side === "complex" ? "C" : "S"}${index + 1}`), words);
  browser.shown.forEach((link, place) => {
    if (link[side] === index && (!only || only === link)) made.append(" ", chip(browser, link, place, side));
  });
  if (!made.querySelector(".chip")) made.classList.add("alone");
  return made;
}

// For a narrow screen: the complex document with the simple sentences below those that they are linked to; a simple
// sentence without a link follows the one before it.
function woven(browser) {
  const simple = browser.sides.simple.paragraphs.flat();
  const below = new Map();
  const put = (index, item) => below.set(index, [...(below.get(index) || []), item]);
  let last = -1;
  simple.forEach((text, index) => {
    const links = browser.shown.filter((link) => link.simple === index);
    if (links.length) last = Math.min(...links.map((link) => link.complex));
    for (const link of links) put(link.complex, { index, text, link });
    if (!links.length) put(last, { index, text, link: null });
  });
  const partners = (index) =>
    (below.get(index) || []).map(({ index: place, text, link }) => {
      const made = sentence(browser, "simple", place, text, link);
      made.classList.add("partner", link ? link.verdict : "alone");
      return made;
    });
  let index = 0;
  const paragraphs = browser.sides.complex.paragraphs.map((sentences) => {
    const paragraph = element("div", "paragraph");
    for (const text of sentences) {
      const made = sentence(browser, "complex", index, text);
      for (const button of made.querySelectorAll(".chip")) button.remove();
      paragraph.append(made, ...partners(index));
      index += 1;
    }
    return paragraph;
  });
  return [...partners(-1), ...paragraphs];
}

// ---- light

// Lights up a link, or a sentence, with its partners: under the pointer or in focus, and after a click until the next.
class Highlight {
  constructor(view) {
    this.view = view;
    this.links = [];
    this.pinned = null;
    this.current = null;
    view.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.light(this.target(event)));
    view.addEventListener("pointerleave", () => this.light(null));
    view.addEventListener("focusin", (event) => this.light(this.target(event)));
    view.addEventListener("focusout", () => this.light(null));
    view.addEventListener("click", (event) => this.click(event));
    view.addEventListener("keydown", (event) => this.key(event));
  }

  // What an event is about: { link } or { complex } or { simple }, each a number; null for nothing.
  target(event) {
    const found = event.target.closest("[data-link], [data-complex], [data-simple]");
    if (!found) return null;
    const key = ["link", "complex", "simple"].find((name) => found.dataset[name] !== undefined);
    return { [key]: Number(found.dataset[key]) };
  }

  click(event) {
    const target = this.target(event);
    const same = JSON.stringify(target) === JSON.stringify(this.pinned);
    this.pinned = same ? null : target;
    this.light(this.pinned);
    const button = event.target.closest("[data-goes]");
    if (button) this.go(button.dataset.goes, this.links[Number(button.dataset.link)]);
  }

  // Enter pins as a click does; a button's Enter is a click already.
  key(event) {
    if (event.key === "Escape") this.clear();
    else if (event.key === "Enter" && !event.target.closest("button")) this.click(event);
  }

  go(side, link) {
    const partner = this.view.querySelector(`[data-${side}="${link[side]}"]`);
    const { top, bottom } = partner.getBoundingClientRect();
    if (top < 110 || bottom > innerHeight) partner.scrollIntoView({ block: "center", behavior: "smooth" });
  }

  clear() {
    this.pinned = null;
    this.light(null);
  }

  // After the links were drawn anew.
  again() {
    this.light(this.current);
  }

  light(target) {
    this.current = target;
    const now = target || this.pinned;
    const lit = this.links.map((link, place) => now !== null && this.meets(now, link, place));
    const ends = { complex: new Set(), simple: new Set() };
    for (const side of ["complex", "simple"]) {
      this.links.forEach((link, place) => lit[place] && ends[side].add(link[side]));
      if (now && now[side] !== undefined) ends[side].add(now[side]);
    }
    this.view.classList.toggle("lit", lit.includes(true));
    for (const found of this.view.querySelectorAll("[data-link]"))
      found.classList.toggle("on", Boolean(lit[Number(found.dataset.link)]));
    for (const side of ["complex", "simple"])
      for (const found of this.view.querySelectorAll(`[data-${side}]`))
        found.classList.toggle("on", ends[side].has(Number(found.dataset[side])));
  }

  meets(target, link, place) {
    return target.link === place || target.complex === link.complex || target.simple === link.simple;
  }
}
