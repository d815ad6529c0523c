// One document pair on the screen: two columns that scroll by themselves, links between them, a cursor in each.
// The simple sentence under the one cursor is being judged, against the complex sentence under the other.

const SIDES = ["complex", "simple"];
const MARKS = { a: "● aligned", p: "◐ partial", n: "○ not aligned" };
const HINT = { a: "aligned", p: "partial", n: "not" };

// Where a row begins in its column.
function topOf(row) {
  const group = row.closest(".paragraph");
  return group === row ? row.offsetTop : group.offsetTop + row.offsetTop;
}

class Desk {
  constructor(work, documents, names) {
    this.work = work;
    this.documents = documents;
    this.names = names; // of the opinions
    this.step = 2;
    this.pair = 0;
    this.at = { simple: 0, complex: 0 };
    this.onlyOpen = false;
    this.columns = Object.fromEntries(SIDES.map((side) => [side, part(document, side)]));
    this.svg = part(document, "curves");
    for (const side of SIDES) this.columns[side].addEventListener("scroll", () => this.soon());
    new ResizeObserver(() => this.measure()).observe(this.svg.parentElement);
  }

  get facts() {
    return this.work.facts[this.pair];
  }

  get state() {
    return this.work.states[this.pair];
  }

  // How many rows a column has: sentences, or in step 1 paragraphs.
  size(side) {
    return (this.step === 1 ? this.facts.paragraphs : this.facts.sizes)[side];
  }

  // ---- what is shown

  open(pair, step, simple = 0, complex = null) {
    this.pair = pair;
    this.step = step;
    this.build();
    this.go(Math.min(simple, this.size("simple") - 1), complex);
  }

  build() {
    const row = this.documents(this.pair);
    this.rows = {};
    for (const side of SIDES) {
      const groups = this.groups(side, row[side].paragraphs);
      this.rows[side] = groups.flatMap((group) => (this.step === 1 ? [group] : [...group.querySelectorAll(".sentence")]));
      this.columns[side].replaceChildren(...groups);
      this.columns[side].scrollTop = 0;
    }
  }

  groups(side, paragraphs) {
    const letter = side === "complex" ? "C" : "S";
    let index = 0;
    return paragraphs.map((sentences, number) => {
      const group = element("div", "paragraph");
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", `${side} paragraph ${number + 1}`);
      if (this.step === 1) this.asRow(group, side, number, `${letter}¶${number + 1}`);
      for (const text of sentences) {
        const line = element("div", "sentence");
        const words = element("span", "words", text);
        words.dir = "auto";
        if (this.step !== 1) this.asRow(line, side, index, `${letter}${index + 1}`);
        line.append(words);
        group.append(line);
        index += 1;
      }
      return group;
    });
  }

  // Make an element one of the things that a column chooses among.
  asRow(made, side, index, name) {
    made.id = `${side}-${index}`;
    made.dataset.index = index;
    made.classList.add("choice");
    made.setAttribute("role", "option");
    made.append(element("span", "number", name), element("span", "marks"));
  }

  // Move the cursors, and show the sentence with what it may be linked to.
  go(simple, complex = null) {
    this.at.simple = simple;
    this.at.complex = complex ?? this.likely(simple);
    this.paint();
    this.measure();
    this.reveal("simple", false);
    this.reveal("complex", complex === null);
    this.draw();
  }

  // The complex row to begin with: linked, suggested, or behind the one that the sentence before was linked to.
  likely(simple) {
    const rows = Array.from({ length: this.size("complex") }, (_, index) => index);
    if (this.step === 1) return rows.find((row) => this.state.paragraphs.has(keyOf(simple, row))) ?? Math.min(this.at.complex, rows.length - 1);
    const { suggestions, given } = this.facts;
    const label = (row) => this.state.labels.get(keyOf(simple, row));
    const known = [
      (row) => label(row) === "a" || label(row) === "p",
      (row) => suggestions.has(keyOf(simple, row)) || given.some((links) => links.has(keyOf(simple, row))),
    ];
    for (const is of known) if (rows.some(is)) return rows.find(is);
    const targets = this.targets(simple);
    const before = rows.filter((row) => simple > 0 && ["a", "p"].includes(this.state.labels.get(keyOf(simple - 1, row))));
    return targets.find((row) => row > Math.max(-1, ...before)) ?? targets[0];
  }

  // The complex rows that the cursor visits: in step 2 those of linked paragraphs, where there are any.
  targets(simple = this.at.simple) {
    const all = Array.from({ length: this.size("complex") }, (_, index) => index);
    const within = this.step === 2 ? all.filter((complex) => this.work.inScope(this.pair, simple, complex)) : [];
    return within.length ? within : all;
  }

  isOpen(simple) {
    return this.step === 1 || !this.state.settled.has(simple);
  }

  // The simple row that lies some steps on; settled ones are passed over where only open ones are shown.
  stepSimple(distance) {
    if (this.readOn("simple", distance)) return;
    const shown = this.onlyOpen && this.step === 2 ? (row) => this.isOpen(row) : () => true;
    for (let row = this.at.simple + distance; row >= 0 && row < this.size("simple"); row += distance)
      if (shown(row)) return this.go(row);
  }

  stepComplex(distance) {
    if (Math.abs(distance) === 1 && this.readOn("complex", distance)) return;
    const targets = this.targets();
    const before = targets.filter((row) => row < this.at.complex).length;
    const place = targets.includes(this.at.complex) || distance < 0 ? before + distance : before + distance - 1;
    this.go(this.at.simple, targets[Math.min(Math.max(place, 0), targets.length - 1)]);
    this.reveal("complex", false);
  }

  // ---- painting: classes and marks of the rows that are there

  paint() {
    for (const side of SIDES) {
      this.rows[side].forEach((row, index) => this.paintRow(side, row, index));
      const current = this.rows[side][this.at[side]];
      this.columns[side].setAttribute("aria-activedescendant", current.id);
    }
    document.body.classList.toggle("only-open", this.onlyOpen && this.step === 2);
  }

  paintRow(side, row, index) {
    const isHere = index === this.at[side];
    const settled = side === "simple" && !this.isOpen(index);
    const out = side === "complex" && this.step === 2 && !this.work.inScope(this.pair, this.at.simple, index);
    const key = keyOf(this.at.simple, index);
    const letter = side === "complex" && this.step > 1 ? this.state.labels.get(key) || "" : "";
    row.classList.toggle("here", isHere);
    row.classList.toggle("settled", settled);
    row.classList.toggle("out", out);
    row.classList.toggle("hinted", !letter && this.facts.suggestions.has(key) && side === "complex" && this.step > 1);
    row.dataset.label = letter;
    row.setAttribute("aria-selected", String(isHere));
    const marks = side === "complex" ? this.complexMarks(key, letter) : this.simpleMarks(index);
    const text = marks.join(" · ");
    const place = row.querySelector(".marks");
    if (place.textContent !== text) place.textContent = text;
  }

  complexMarks(key, letter) {
    if (this.step === 1) return this.state.paragraphs.has(key) ? ["● linked"] : [];
    const { suggestions, given, disputed } = this.facts;
    const marks = letter ? [MARKS[letter]] : [];
    if (suggestions.has(key)) marks.push(`suggested ${HINT[suggestions.get(key)]}`);
    if (disputed.has(key) || given.some((links) => links.has(key)))
      marks.push(...given.map((links, place) => `${this.names[place]}: ${HINT[links.get(key) || "n"]}`));
    if (this.openFlags.has(key)) marks.push("⚑ flagged");
    if (this.state.notes.has(key)) marks.push("✎ note");
    return marks;
  }

  simpleMarks(index) {
    if (this.step === 1) {
      const number = [...this.state.paragraphs].filter((key) => endsOf(key)[0] === index).length;
      return [number ? `● ${counted(number, "link", "links")}` : "no link"];
    }
    const { labels, suggested, flags } = this.summary[index];
    const marks = labels.length ? [labels.join(" ")] : [];
    if (suggested && this.isOpen(index)) marks.push(`${suggested} suggested`);
    if (flags) marks.push(`⚑ ${flags}`);
    if (this.state.notes.has(keyOf(index, -1))) marks.push("✎ note");
    if (!this.isOpen(index)) marks.push("✓");
    return marks;
  }

  // Of each simple sentence what its row says; to be called when the work has changed.
  count() {
    this.openFlags = new Set(this.work.flagged(this.pair).map(([one, other]) => keyOf(one, other)));
    this.summary = Array.from({ length: this.facts.sizes.simple }, () => ({ labels: [], suggested: 0, flags: 0 }));
    for (const [simple, complex, label] of this.state.labelled("a", "p"))
      this.summary[simple].labels.push(`${label === "a" ? "●" : "◐"}C${complex + 1}`);
    for (const key of this.facts.suggestions.keys())
      if (!this.state.labels.has(key)) this.summary[endsOf(key)[0]].suggested += 1;
    for (const key of this.openFlags) this.summary[endsOf(key)[0]].flags += 1;
  }

  // ---- links as curves; where the rows are is measured once, scrolling only moves them

  measure() {
    if (!this.rows) return;
    this.middles = {};
    for (const side of SIDES) this.middles[side] = this.rows[side].map((row) => topOf(row) + row.offsetHeight / 2);
    this.box = { width: this.svg.clientWidth, height: this.svg.clientHeight };
    this.draw();
  }

  soon() {
    cancelAnimationFrame(this.waiting);
    this.waiting = requestAnimationFrame(() => this.draw());
  }

  // What is linked: [simple, complex, kind]; a suggestion or an opinion as long as nothing is said instead.
  links() {
    if (this.step === 1) return [...this.state.paragraphs].map((key) => [...endsOf(key), "a"]);
    const { suggestions, disputed } = this.facts;
    const open = [...suggestions.keys(), ...disputed].filter((key) => !this.state.labels.has(key) && this.isOpen(endsOf(key)[0]));
    return [...[...new Set(open)].map((key) => [...endsOf(key), "suggested"]), ...this.state.labelled("a", "p", "n")];
  }

  draw() {
    const { width, height } = this.box;
    const y = (side, index) => this.middles[side][index] - this.columns[side].scrollTop;
    const curves = [];
    for (const [simple, complex, kind] of this.links()) {
      if (this.rows.simple[simple].offsetParent === null) continue;
      const [from, to] = [y("complex", complex), y("simple", simple)];
      const isHere = simple === this.at.simple;
      if ((kind === "n" && !isHere) || Math.max(from, to) < 0 || Math.min(from, to) > height) continue;
      const path = document.createElementNS(this.svg.namespaceURI, "path");
      path.setAttribute("d", `M0 ${from}C${width / 2} ${from} ${width / 2} ${to} ${width} ${to}`);
      path.setAttribute("class", `curve ${kind}${isHere ? " here" : ""}`);
      curves.push(path);
    }
    this.svg.replaceChildren(...curves);
  }

  // Scroll a column so that its cursor is in sight, and for a new sentence well in sight.
  reveal(side, center) {
    const [column, row] = [this.columns[side], this.rows[side][this.at[side]]];
    const top = topOf(row) - column.scrollTop;
    const bottom = top + row.offsetHeight;
    const room = column.clientHeight - row.offsetHeight;
    const margin = Math.min(60, room / 2);
    if (room < 0 && (center || top > 0)) column.scrollTop += top;
    else if (room < 0) column.scrollTop += Math.min(bottom - column.clientHeight, 0);
    else if (center) column.scrollTop += top - room / 2;
    else if (top < margin) column.scrollTop += top - margin;
    else if (bottom > column.clientHeight - margin) column.scrollTop += top - room + margin;
  }

  // Scroll on in a row that is taller than its column; whether there was more of it in that direction.
  readOn(side, direction) {
    const [column, row] = [this.columns[side], this.rows[side][this.at[side]]];
    const top = topOf(row) - column.scrollTop;
    const hidden = direction > 0 ? top + row.offsetHeight - column.clientHeight : -top;
    if (row.offsetHeight <= column.clientHeight || hidden < 1) return false;
    const before = column.scrollTop;
    column.scrollTop += direction * Math.min(hidden, 0.8 * column.clientHeight);
    return column.scrollTop !== before;
  }
}
