"use strict";
// The points that are shown and their order; and, on a page of suggestions, what is decided of each sentence.

function filterPoints(filters) {
  const list = part(document, "points");
  const points = [...list.children]; // the weightiest first
  filters.hidden = false;
  filters.addEventListener("change", () => {
    const kinds = new Set([...filters.querySelectorAll("input:checked")].map((box) => box.value));
    const key = ({ dataset }) => (part(document, "order").value === "row" ? Number(dataset.row) : 0);
    list.append(...[...points].sort((one, other) => key(one) - key(other)));
    for (const point of points) point.hidden = !kinds.has(point.dataset.kind);
  });
}

// The decisions are the fields of the form: cN is an output's number, `own` or `keep`; tN are one's own words.
class Decisions {
  constructor({ key, name, language, parts }) {
    Object.assign(this, { key, name, language, parts, form: part(document, "form") });
    this.restore();
    this.form.addEventListener("input", ({ target }) => {
      if (target.matches("textarea")) this.form.elements[`c${target.name.slice(1)}`].value = "own";
      this.keep();
    });
    part(document, "tools").hidden = false;
    part(document, "text").addEventListener("click", () => download(`${name}.txt`, this.text, "text/plain"));
    part(document, "html").addEventListener("click", () => download(`${name}.html`, this.page, "text/html"));
    this.show("");
  }

  restore() {
    try {
      for (const [name, value] of Object.entries(JSON.parse(localStorage.getItem(this.key)) || {}))
        if (this.form.elements[name]) this.form.elements[name].value = value;
    } catch {
      // nothing that can be read was kept
    }
    for (const own of this.form.querySelectorAll("input[value=own]:checked")) own.closest("details").open = true;
  }

  keep() {
    try {
      localStorage.setItem(this.key, JSON.stringify(Object.fromEntries(new FormData(this.form))));
      this.show("");
    } catch {
      this.show(" This browser keeps nothing: save before you close the page.");
    }
  }

  show(warning) {
    const offered = this.parts.flatMap(([, , outputs], number) => (outputs.length ? [number] : []));
    const decided = offered.filter((number) => this.form.elements[`c${number}`].value).length;
    part(document, "status").textContent = `${decided} of ${counted(offered.length, "suggestion", "suggestions")} decided.${warning}`;
  }

  chosen(number) {
    const [, text, outputs] = this.parts[number];
    const choice = this.form.elements[`c${number}`].value;
    if (choice === "own") return this.form.elements[`t${number}`].value.trim().replace(/\s+/g, " ") || text;
    return outputs[choice] ?? text;
  }

  get text() {
    return this.parts.map(([before], number) => before + this.chosen(number)).join("") + "\n";
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
