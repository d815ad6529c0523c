"use strict";
// The points that are shown and their order; and, on a page of suggestions, what is decided of each sentence.

function filterPoints(filters) {
  const list = part(document, "points");
  const order = part(document, "order");
  const points = [...list.children];
  filters.hidden = false;
  filters.addEventListener("change", () => {
    const kinds = new Set([...filters.querySelectorAll("input:checked")].map((box) => box.value));
    const key = ({ dataset }) => (order.value === "row" ? Number(dataset.row) : 0);
    list.append(...[...points].sort((one, other) => key(one) - key(other))); // the file has the weightiest first
    for (const point of points) point.hidden = !kinds.has(point.dataset.kind);
  });
}

class Decisions {
  constructor({ key, name, language, parts }) {
    Object.assign(this, { key, name, language, parts });
    this.taken = this.read(); // number of a sentence -> its text; null for one that stays by decision
    this.rows = parts.map((_, number) => document.getElementById(`r${number + 1}`));
    this.rows.forEach((row, number) => this.start(row, number));
    part(document, "tools").hidden = false;
    part(document, "text").addEventListener("click", () => download(`${name}.txt`, this.text, "text/plain"));
    part(document, "html").addEventListener("click", () => download(`${name}.html`, this.page, "text/html"));
    this.show();
  }

  read() {
    try {
      return new Map(JSON.parse(localStorage.getItem(this.key)) || []);
    } catch {
      return new Map();
    }
  }

  start(row, number) {
    const [, text, outputs] = this.parts[number];
    for (const button of row.querySelectorAll("button")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        if (button.dataset.output) this.decide(number, outputs[button.dataset.output]);
        else if (button.dataset.edit === undefined) this.decide(number, null);
        else this.edit(row, number, this.taken.get(number) ?? outputs[0] ?? text);
      });
    }
  }

  edit(row, number, text) {
    const box = row.querySelector("textarea") || element("textarea");
    box.value = text;
    box.setAttribute("aria-label", "Your words");
    box.addEventListener("input", () => this.decide(number, box.value.trim().replace(/\s+/g, " ") || null));
    row.querySelector(".choice").before(box);
    box.focus();
    this.decide(number, text);
  }

  // Decide, or take the same decision back.
  decide(number, text) {
    const row = this.rows[number];
    const isEdit = document.activeElement?.tagName === "TEXTAREA";
    if (!isEdit && this.taken.has(number) && this.taken.get(number) === text) this.taken.delete(number);
    else this.taken.set(number, text);
    if (!isEdit) row.querySelector("textarea")?.remove();
    try {
      localStorage.setItem(this.key, JSON.stringify([...this.taken]));
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
    this.show();
  }

  show() {
    this.rows.forEach((row, number) => {
      const [decided, text] = [this.taken.has(number), this.taken.get(number)];
      row.classList.toggle("refused", decided && text === null);
      const place = this.parts[number][2].indexOf(text);
      row.querySelectorAll(".output").forEach((output, index) => {
        output.classList.toggle("taken", index === place);
        output.querySelector("button").setAttribute("aria-pressed", String(index === place));
      });
      row.querySelector("[data-refuse]").setAttribute("aria-pressed", String(decided && text === null));
      const isOwn = decided && text !== null && place < 0;
      row.querySelector("[data-edit]").setAttribute("aria-pressed", String(isOwn));
      if (isOwn && !row.querySelector("textarea")) {
        const box = element("p", "sentence own", text);
        row.querySelector(".own")?.remove();
        row.querySelector(".choice").before(box);
      } else row.querySelector(".own")?.remove();
    });
    const offered = this.parts.filter(([, , outputs]) => outputs.length).length;
    const open = this.parts.filter(([, , outputs], number) => outputs.length && !this.taken.has(number)).length;
    const kept = this.isKept === false ? " This browser keeps nothing: save before you close the page." : "";
    part(document, "status").textContent = `${offered - open} of ${offered} suggestions decided.${kept}`;
  }

  get text() {
    return this.parts.map(([before, text], number) => before + (this.taken.get(number) ?? text)).join("") + "\n";
  }

  get page() {
    const made = document.implementation.createHTMLDocument(this.name);
    made.documentElement.lang = this.language;
    for (const paragraph of this.text.trim().split(/\n+/)) made.body.append(element("p", "", paragraph));
    return `<!DOCTYPE html>\n<meta charset="utf-8">\n${made.documentElement.outerHTML}\n`;
  }
}

const filters = part(document, "filters");
if (filters) filterPoints(filters);
const data = part(document, "data");
if (data) new Decisions(JSON.parse(data.textContent));
