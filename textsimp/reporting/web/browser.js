// The alignment browser: a list of document pairs, and one of them with its links, gold against predicted.
// A document is parsed when a pair with it is opened, or when the texts are first searched.

const NAMES = { a: "aligned", p: "partial" };
const KINDS = ["right", "label", "missed", "wrong"];

class AlignmentBrowser extends Browser {
  constructor(root) {
    super(root);
    const index = JSON.parse(part(root, "index").textContent);
    this.hasGold = index.gold;
    this.meanings = index.verdicts;
    this.lines = part(root, "documents").textContent.split("\n");
    this.texts = []; // place of a document -> its sentences in lower case
    this.pairs = index.pairs.map(([id, complex, simple, codes], number) => ({ id, complex, simple, codes, number }));
    part(root, "system").replaceChildren(...index.systems.map((label, place) => new Option(label, place)));
    this.start();
    this.list = new List(part(root, "list"), (row, pair) => this.fill(row, pair), (pair) => this.show(pair));
    for (const name of ["system", "errors", "order"])
      part(root, name).addEventListener("change", () => this.refresh());
    part(root, "right").addEventListener("change", (event) =>
      part(root, "view").classList.toggle("errors-only", !event.target.checked),
    );
    this.refresh(this.addressed - 1);
    this.started = true;
    if (this.addressed) this.live.scrollIntoView();
  }

  // ---- choosing pairs

  document(place) {
    const [id, paragraphs] = JSON.parse(this.lines[place]);
    return { id, paragraphs };
  }

  // The links of a pair that are gold or predicted by the chosen system.
  links(pair) {
    const found = [];
    for (const [complex, simple, code] of pair.codes) {
      const verdict = this.verdict(code[0], code[this.system + 1]);
      if (verdict) found.push({ complex, simple, verdict, gold: NAMES[code[0]], predicted: NAMES[code[this.system + 1]] });
    }
    return found;
  }

  verdict(gold, predicted) {
    if (!this.hasGold) return predicted === "-" ? "" : "link";
    if (gold === "-") return predicted === "-" ? "" : "wrong";
    if (predicted === "-") return "missed";
    return gold === predicted ? "right" : "label";
  }

  // Of every pair its links and its errors by kind, for the chosen system.
  count() {
    this.system = Number(part(this.root, "system").value);
    this.counts = this.pairs.map((pair) => {
      const counts = { right: 0, label: 0, missed: 0, wrong: 0, link: 0 };
      for (const [, , code] of pair.codes) {
        const verdict = this.verdict(code[0], code[this.system + 1]);
        if (verdict) counts[verdict] += 1;
      }
      counts.errors = counts.label + counts.missed + counts.wrong;
      counts.links = counts.right + counts.label + counts.missed + counts.link;
      return counts;
    });
  }

  text(place) {
    this.texts[place] ??= this.document(place).paragraphs.flat().join("\n").toLowerCase();
    return this.texts[place];
  }

  has(pair, words) {
    return (
      pair.id.toLowerCase().includes(words) ||
      this.text(pair.complex[0]).includes(words) ||
      this.text(pair.simple[0]).includes(words)
    );
  }

  refresh(wanted = -1) {
    this.count();
    const kind = part(this.root, "errors").value;
    const words = this.words.toLowerCase();
    const kept = this.pairs.filter(({ number }) => {
      const counts = this.counts[number];
      return kind === "all" || (kind === "none" ? counts.errors === 0 : counts[kind] > 0);
    });
    const found = words ? kept.filter((pair) => this.has(pair, words)) : kept;
    if (part(this.root, "order").value === "errors")
      found.sort((one, other) => this.counts[other.number].errors - this.counts[one.number].errors);
    else if (part(this.root, "order").value === "links")
      found.sort((one, other) => this.counts[other.number].links - this.counts[one.number].links);
    const all = counted(this.pairs.length, "pair", "pairs");
    part(this.root, "status").textContent = `${found.length.toLocaleString("en")} of ${all}`;
    this.list.show(found, this.pairs[wanted] || this.pair);
  }

  reset() {
    part(this.root, "search").value = "";
    part(this.root, "errors").value = "all";
  }

  fill(row, pair) {
    const { links, errors } = this.counts[pair.number];
    const facts = [`level ${pair.complex[1]} to ${pair.simple[1]}`, counted(links, "link", "links")];
    const about = element("span", "about", facts.join(", "));
    if (this.hasGold) about.append(", ", element("b", errors ? "bad" : "", counted(errors, "error", "errors")));
    row.append(element("span", "name", pair.id), about);
  }

  // ---- showing a pair

  show(pair) {
    this.pair = pair;
    this.steps(this.list.place, this.list.items.length);
    const view = part(this.root, "view");
    part(this.root, "summary").replaceChildren();
    part(this.root, "where").textContent = pair ? pair.id : "No pair has this.";
    if (!pair) return view.replaceChildren();
    this.shown = this.links(pair);
    this.sides = { complex: this.document(pair.complex[0]), simple: this.document(pair.simple[0]) };
    this.summarise();
    const heads = element("div", "pair heads");
    heads.append(...["Complex", "Links", "Simple"].map((head) => element("div", "", head)));
    view.replaceChildren(heads, ...this.rows().map((row) => this.drawn(row)));
    this.address(pair.number + 1);
  }

  summarise() {
    const counts = this.counts[this.pair.number];
    const kinds = this.hasGold ? KINDS : [];
    const chips = kinds.map((verdict) => {
      const chip = element("li", `chip ${verdict}`);
      const [sign, ...meaning] = this.meanings[verdict];
      chip.append(element("b", "", `${sign} ${counts[verdict]}`), meaning.join(""));
      return chip;
    });
    part(this.root, "summary").replaceChildren(...chips);
  }

  // Rows of sentences that links join, as the blocks of reporting/examples.py.
  rows() {
    const rows = this.sides.complex.paragraphs.flat().map((_, index) => ({ complex: [index], simple: [], links: [] }));
    for (const link of this.shown) {
      const [row, other] = rows.filter((one) => one.complex.includes(link.complex) || one.simple.includes(link.simple));
      if (other) rows.splice(rows.indexOf(other), 1);
      for (const key of ["complex", "simple", "links"]) row[key].push(...(other?.[key] || []));
      if (!row.simple.includes(link.simple)) row.simple.push(link.simple);
      row.links.push(link);
    }
    let last = -1; // the row of the simple sentence before
    this.sides.simple.paragraphs.flat().forEach((_, index) => {
      const own = rows.findIndex((row) => row.simple.includes(index));
      if (own < 0) rows.splice(last + 1, 0, { complex: [], simple: [index], links: [] });
      last = own < 0 ? last + 1 : own;
    });
    return rows;
  }

  drawn(row) {
    const made = element("div", `pair${row.links.length ? "" : " alone"}`);
    const links = element("div", "links");
    links.append(...row.links.map((link) => this.chip(link)));
    made.append(this.side("complex", row.complex), links, this.side("simple", row.simple));
    return made;
  }

  side(side, indexes) {
    const made = element("div", "side");
    const texts = this.sides[side].paragraphs.flat();
    for (const index of indexes.sort((one, other) => one - other)) {
      const words = withHits(texts[index], this.words);
      words.className = "words";
      words.dir = "auto";
      const sentence = element("p", "sentence");
      sentence.append(element("span", "number", `${side === "complex" ? "C" : "S"}${index + 1}`), words);
      made.append(sentence);
    }
    return made;
  }

  chip({ complex, simple, verdict, gold, predicted }) {
    const made = element("span", `chip ${verdict}`);
    const [sign] = this.meanings[verdict] || "";
    const label = verdict === "label" ? `${gold}, predicted ${predicted}` : gold || predicted;
    if (sign) made.append(element("b", "", sign), " ");
    made.append(`C${complex + 1}–S${simple + 1} ${label}`);
    return made;
  }
}

document.querySelectorAll(".alignment-browser").forEach((root) => new AlignmentBrowser(root));
