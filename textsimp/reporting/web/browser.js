// The alignment browser: a list of document pairs, and one of them with its links, gold against predicted.
// A document is parsed when a pair with it is opened, or when the texts are first searched.

const NAMES = { a: "aligned", p: "partial" };
const KINDS = ["right", "label", "missed", "wrong"];
const NARROW = matchMedia("(max-width: 760px)"); // as in browser.css

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
    this.highlight = new Highlight(part(root, "view"));
    new ResizeObserver(() => this.curves()).observe(part(root, "view"));
    NARROW.addEventListener("change", () => this.show(this.pair));
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
    this.highlight.clear();
    part(this.root, "summary").replaceChildren();
    part(this.root, "where").textContent = pair ? pair.id : "No pair has this.";
    if (!pair) return view.replaceChildren();
    this.shown = this.links(pair);
    this.sides = { complex: this.document(pair.complex[0]), simple: this.document(pair.simple[0]) };
    this.highlight.links = this.shown;
    this.summarise();
    view.replaceChildren(...(NARROW.matches ? woven(this) : this.columns()));
    this.curves();
    this.address(pair.number + 1);
  }

  summarise() {
    const counts = this.counts[this.pair.number];
    const kinds = this.hasGold ? KINDS : [];
    const chips = kinds.map((verdict) => {
      const chip = element("li", `chip ${verdict}`);
      const [sign, ...meaning] = this.meanings[verdict];
      chip.append(stroke(this.root, verdict), element("b", "", `${sign} ${counts[verdict]}`), meaning.join(""));
      return chip;
    });
    part(this.root, "summary").replaceChildren(...chips);
  }

  columns() {
    const sides = ["complex", "simple"].map((side) => {
      const column = element("div", `document ${side}`);
      const level = this.pair[side][1];
      column.append(element("h5", "", `${side === "complex" ? "Complex" : "Simple"}, level ${level}`));
      let index = 0;
      for (const sentences of this.sides[side].paragraphs) {
        const paragraph = element("div", "paragraph");
        for (const text of sentences) paragraph.append(sentence(this, side, index++, text));
        column.append(paragraph);
      }
      return column;
    });
    const gutter = element("div", "gutter");
    gutter.append(drawn(this.root, "svg"));
    return [sides[0], gutter, sides[1]];
  }

  // Draw the links between the columns where the sentences are now.
  curves() {
    const svg = part(this.root, "view").querySelector(".gutter > svg");
    if (!svg || !this.pair) return;
    const box = svg.getBoundingClientRect();
    const middle = (side, index) => {
      const { top, height } = part(this.root, "view").querySelector(`.sentence[data-${side}="${index}"]`).getBoundingClientRect();
      return top + height / 2 - box.top;
    };
    const groups = this.shown.map((link, place) => {
      const [from, to] = [middle("complex", link.complex), middle("simple", link.simple)];
      return curve(this, link, place, `M0 ${from}C${box.width / 2} ${from} ${box.width / 2} ${to} ${box.width} ${to}`);
    });
    svg.replaceChildren(...groups);
    this.highlight.again();
  }
}

document.querySelectorAll(".alignment-browser").forEach((root) => new AlignmentBrowser(root));
