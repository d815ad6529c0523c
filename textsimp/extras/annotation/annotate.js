// The page: its keys and buttons, what they do to the work, and keeping it after every action.

const STEPS = ["Paragraphs", "Sentences", "Flagged pairs"];
const STEPPING = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Enter: "⏎", "shift+Enter": "⇧⏎", Escape: "Esc", PageUp: "PgUp", PageDown: "PgDn" };

class Page {
  constructor() {
    const index = JSON.parse(part(document, "index").textContent);
    const lines = part(document, "documents").textContent.split("\n");
    const parsed = [];
    this.documents = (number) => (parsed[number] ??= JSON.parse(lines[number]));
    Object.assign(this, { round: index.round, file: index.file });
    this.work = new Work(index.pairs.map((pair, number) => new PairFacts(pair, number)));
    this.desk = new Desk(this.work, this.documents, index.names);
    this.memory = new Memory(`textsimp-annotate/${index.digest}`);
    this.journal = new Journal(this.memory.place);
    this.isSaved = true;
    this.recall();
    this.list = new List(part(document, "list"), (row, facts) => this.fill(row, facts), (facts) => facts && this.open(facts.number));
    this.keys = this.commands().filter(([key]) => key !== "y" || this.round === "open");
    this.wire();
    this.resume();
    this.catchUp(this.work.log.length);
  }

  // ---- keeping

  recall() {
    let lines;
    try {
      lines = this.memory.read();
    } catch (error) {
      this.warn(`This browser keeps nothing for this page (${error.name}). Download your work before you close it; “Import” takes it up again.`);
      return;
    }
    const log = readable(this.work, lines);
    if (log.length < lines.length) {
      this.warn(`Of ${lines.length} kept actions only the first ${log.length} can be read; what followed was damaged. A copy of all was downloaded.`);
      download(`${this.file}.damaged.txt`, lines.join("\n"), "text/plain");
    }
    this.work.take(log);
  }

  // Where the person was, which is kept apart from what was done.
  resume() {
    const facts = this.work.facts;
    const view = this.memory.readView();
    const { pair, step, simple, complex } = view || {};
    const isThere = facts[pair] && [1, 2, 3].includes(step) && facts[pair].has(simple, complex, step === 1 ? facts[pair].paragraphs : undefined);
    const first = facts.find(({ number }) => !this.work.isFinished(number)) || facts[0];
    this.list.show(facts, isThere ? facts[pair] : first);
    if (isThere) this.open(pair, step, simple, complex);
  }

  // Take what the journal has and the memory, when the page was opened, had not; or the other way round.
  async catchUp(known) {
    const log = readable(this.work, await this.journal.read());
    this.isCaughtUp = true;
    if (log.length <= known) return this.journal.write(this.work.log, log.length);
    this.work.take([...log, ...this.work.log.slice(known)]);
    this.keep(log.length);
    this.open(this.desk.pair);
  }

  keep(from = this.work.log.length - 1) {
    if (this.isCaughtUp) this.journal.write(this.work.log, from);
    try {
      this.memory.write(this.work.log);
      this.isSaved = true;
    } catch (error) {
      this.isSaved = false;
      this.warn(`This browser cannot keep your work (${error.name}: its memory is full or closed). Download it now; “Import” takes it up again.`);
    }
  }

  warn(text) {
    part(document, "warning").textContent = text;
    part(document, "warning").hidden = !text;
  }

  do(...action) {
    this.work.do(action);
    this.keep();
    this.refresh();
  }

  // ---- showing

  open(pair, step = null, ...ends) {
    const { paragraphs } = this.work.facts[pair];
    const begun = this.work.states[pair].settled.size > 0;
    const usual = this.round === "adjudication" ? 3 : !begun && paragraphs.simple * paragraphs.complex > 1 ? 1 : 2;
    this.desk.pair = pair;
    this.desk.step = step ?? usual;
    this.desk.count();
    const flagged = this.desk.step === 3 && this.work.flagged(pair)[0];
    const open = this.desk.step === 1 ? 0 : Math.max(this.undecided(pair, 0), 0);
    this.desk.open(pair, this.desk.step, ...(ends.length ? ends : flagged || [open]));
    const row = this.documents(pair);
    part(document, "where").textContent = row.id;
    for (const side of SIDES)
      part(document, `${side}-name`).textContent = `${side === "complex" ? "Complex" : "Simple"}: ${row[side].id}, level ${row[side].level}`;
    this.refresh();
  }

  // The first simple sentence from some place on that is not settled, -1 for none.
  undecided(pair, from) {
    const { settled } = this.work.states[pair];
    const all = Array.from({ length: this.work.facts[pair].sizes.simple }, (_, place) => place);
    return all.find((place) => place >= from && !settled.has(place)) ?? -1;
  }

  refresh() {
    const { desk, work } = this;
    desk.count();
    desk.paint();
    desk.measure();
    this.list.draw();
    const all = work.facts.map(({ number }) => work.progress(number));
    const total = (key) => all.reduce((sum, progress) => sum + progress[key], 0);
    const finished = all.filter(({ done, all: sentences, flags }) => done === sentences && !flags).length;
    part(document, "progress").max = total("all");
    part(document, "progress").value = total("done");
    part(document, "overall").textContent = `${total("done")} of ${total("all")} sentences, ${finished} of ${counted(all.length, "pair", "pairs")} finished`;
    part(document, "status").textContent = `${counted(this.list.items.length, "pair", "pairs")}; ${counted(total("flags"), "flag", "flags")} open`;
    const { flags, done, all: sentences } = all[desk.pair];
    for (const [place, button] of [...part(document, "steps").children].entries()) {
      button.setAttribute("aria-pressed", String(desk.step === place + 1));
      const about = ["", ` ${done}/${sentences}`, ` ${flags}`][place];
      button.lastChild.textContent = `${STEPS[place]}${about}`;
    }
    for (const name of ["hints", "verdicts"])
      for (const shown of part(document, name).children) shown.hidden = !shown.dataset.steps.includes(desk.step);
    if (part(document, "name") !== document.activeElement) part(document, "name").value = work.name;
    this.say();
  }

  // What the cursors stand on, in words, and the notes on it.
  say() {
    const { desk } = this;
    const { simple, complex } = desk.at;
    this.memory.writeView({ pair: desk.pair, step: desk.step, simple, complex });
    const paint = (side) => desk.rows[side][desk.at[side]].querySelector(".marks").textContent;
    const letter = desk.step === 1 ? "¶" : "";
    const names = [`S${letter}${simple + 1}`, `C${letter}${complex + 1}`];
    part(document, "said").textContent = `${names[0]} with ${names[1]}: ${paint("complex") || (desk.step === 1 ? "not linked" : "nothing said")}`;
    for (const [name, other] of [["pair-note", complex], ["sentence-note", -1]]) {
      const input = part(document, name);
      input.disabled = desk.step === 1;
      if (input !== document.activeElement) input.value = desk.state.notes.get(keyOf(simple, other)) || "";
    }
  }

  fill(row, { id, number }) {
    const { done, all, flags } = this.work.progress(number);
    row.append(element("span", "name", id), element("span", "about", `${done === all && !flags ? "✓ " : ""}${done} of ${all}${flags ? `, ⚑ ${flags}` : ""}`));
  }

  filter(on) {
    this.desk.onlyOpen = on;
    part(document, "only-open").checked = on;
    const shown = on ? this.work.facts.filter(({ number }) => !this.work.isFinished(number)) : this.work.facts;
    this.list.show(shown.length ? shown : this.work.facts, this.desk.facts);
  }

  // ---- judging

  judge(letter) {
    const { pair, step, at, state } = this.desk;
    const same = state.labels.get(keyOf(at.simple, at.complex)) === letter;
    const label = ["label", pair, at.simple, at.complex, same ? "" : letter];
    if (step === 3 && this.desk.openFlags.has(keyOf(at.simple, at.complex)) && !same)
      this.do("all", [label, ["flag", pair, at.simple, at.complex, 0]]);
    else this.do(...label);
  }

  link() {
    const { pair, at, state } = this.desk;
    this.do("paragraph", pair, at.simple, at.complex, state.paragraphs.has(keyOf(at.simple, at.complex)) ? 0 : 1);
  }

  linkAll() {
    const { simple, complex } = this.desk.facts.paragraphs;
    const cells = Array.from({ length: simple * complex }, (_, place) => [Math.floor(place / complex), place % complex]);
    this.do("all", cells.map((ends) => ["paragraph", this.desk.pair, ...ends, 1]));
  }

  nextParagraph() {
    if (this.desk.at.simple + 1 < this.desk.size("simple")) this.desk.stepSimple(1);
    else this.open(this.desk.pair, 2);
  }

  settle() {
    const { pair, at } = this.desk;
    if (this.desk.isOpen(at.simple)) this.do("settle", pair, at.simple, 1);
    this.next();
  }

  settleParagraph() {
    const { pair, at, facts, state } = this.desk;
    const { simple } = facts.paragraphOf;
    const open = simple.map((_, place) => place).filter((place) => simple[place] === simple[at.simple] && !state.settled.has(place));
    if (open.length) this.do("all", open.map((place) => ["settle", pair, place, 1]));
    this.next();
  }

  accept() {
    const { pair, at, facts, state } = this.desk;
    const found = [...facts.suggestions].filter(([key]) => endsOf(key)[0] === at.simple && !state.labels.has(key));
    this.do("all", [...found.map(([key, label]) => ["label", pair, ...endsOf(key), label]), ["settle", pair, at.simple, 1]]);
    this.next();
  }

  next() {
    const { pair, at } = this.desk;
    const place = [this.undecided(pair, at.simple + 1), this.undecided(pair, 0)].find((found) => found >= 0);
    if (place !== undefined) this.desk.go(place);
    else if (this.work.flagged(pair).length) this.open(pair, 3);
    this.say();
  }

  confirm() {
    const { pair, at, facts, state } = this.desk;
    const here = keyOf(at.simple, at.complex);
    if (facts.disputed.has(here) && this.desk.openFlags.has(here) && !state.labels.has(here))
      return this.warn("The annotators differ on this pair: say a, p or n.");
    this.warn("");
    const actions = this.desk.openFlags.has(here) ? [["flag", pair, at.simple, at.complex, 0]] : [];
    const flags = this.work.flagged(pair);
    const key = ([simple, complex]) => simple * facts.sizes.complex + complex;
    const later = flags.filter((ends) => key(ends) > key([at.simple, at.complex]));
    const others = flags.filter((ends) => key(ends) !== key([at.simple, at.complex]));
    const isLast = !others.some(([simple]) => simple === at.simple);
    if (isLast && !state.settled.has(at.simple)) actions.push(["settle", pair, at.simple, 1]);
    if (actions.length) this.do("all", actions);
    const ends = later[0] || others[0];
    if (ends) this.desk.go(...ends);
    else if (this.undecided(pair, 0) >= 0) this.open(pair, 2);
    this.say();
  }

  note(name, complex, value) {
    const action = ["note", this.desk.pair, this.desk.at.simple, complex, value];
    const last = this.work.log[this.work.log.length - 1];
    if (this.writing && last && last.slice(0, 4).join() === action.slice(0, 4).join()) this.work.amend(action);
    else this.work.do(action);
    this.writing = true;
    this.keep();
    this.refresh();
  }

  // ---- files

  export() {
    const who = this.work.name.trim().replace(/[^\p{L}\p{N}_-]+/gu, "_");
    download(`${this.file}.${who || "annotated"}.jsonl`, asJsonLines(this.work, this.documents, this.round), "application/jsonl");
    this.isSaved = true;
  }

  async import(file) {
    try {
      this.do(...taken(await file.text(), this.work, this.documents));
      this.warn("");
      this.open(this.desk.pair);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.warn(`${file.name}: ${error.message}. Nothing was taken from it.`);
    }
  }

  // ---- keys and buttons

  // [key, steps in which it works, name, what it does, group of its button, more for the help].
  commands() {
    const { desk } = this;
    const field = (name) => () => part(document, name).focus();
    const all = "123";
    return [
      ["a", "1", "Link or unlink", () => this.link(), "verdicts", "The paragraph and the complex one"],
      ["a", "23", "Aligned", () => this.judge("a"), "verdicts"],
      ["p", "23", "Partial", () => this.judge("p"), "verdicts"],
      ["n", "23", "Not aligned", () => this.judge("n"), "verdicts", "The same label again takes it back"],
      ["Enter", "1", "Next", () => this.nextParagraph(), "verdicts"],
      ["Enter", "2", "Settle, next", () => this.settle(), "verdicts", "All other pairs of the sentence are not aligned"],
      ["Enter", "3", "Confirm, next", () => this.confirm(), "verdicts", "The flagged pair is right as it is labelled"],
      ["y", "23", "Accept suggestions", () => this.accept(), "verdicts", "Of this simple sentence; settles it"],
      ["shift+Enter", "2", "Settle paragraph", () => this.settleParagraph(), "verdicts"],
      ["x", "23", "Reopen", () => this.do("settle", desk.pair, desk.at.simple, 0), "verdicts", "The sentence is not settled"],
      ["f", "23", "Flag", () => this.flag(), "verdicts", "For step 3, or take the flag away"],
      ["A", "1", "Link all", () => this.linkAll(), "verdicts", "All paragraphs with all"],
      ["ArrowLeft", all, "Simple sentence before", () => desk.stepSimple(-1)],
      ["ArrowRight", all, "Next simple sentence", () => desk.stepSimple(1)],
      ["ArrowUp", all, "Complex sentence before", () => desk.stepComplex(-1), "", "Of a tall one, what is above"],
      ["ArrowDown", all, "Next complex sentence", () => desk.stepComplex(1), "", "Of a tall one, the rest first"],
      ["PageUp", all, "Ten complex sentences up", () => desk.stepComplex(-10)],
      ["PageDown", all, "Ten complex sentences down", () => desk.stepComplex(10)],
      ["1", all, "Step 1", () => this.open(desk.pair, 1)],
      ["2", all, "Step 2", () => this.open(desk.pair, 2)],
      ["3", all, "Step 3", () => this.open(desk.pair, 3)],
      ["k", all, "Document pair before", () => this.list.step(-1)],
      ["j", all, "Next document pair", () => this.list.step(1)],
      ["o", all, "Only undecided", () => this.filter(!desk.onlyOpen)],
      ["t", "23", "Note on the pair", field("pair-note")],
      ["T", "23", "Note on the simple sentence", field("sentence-note")],
      ["u", all, "Undo", () => this.do("undo"), "files"],
      ["r", all, "Redo", () => this.do("redo"), "files"],
      ["e", all, "Download", () => this.export(), "files", "JSON Lines, to hand in or to import"],
      ["i", all, "Import", () => part(document, "file").click(), "files", "What was downloaded"],
      ["?", all, "Help", () => part(document, "help").showModal(), "files"],
      ["Escape", "", "Leave a note", () => {}],
    ];
  }

  flag() {
    const { pair, at } = this.desk;
    this.do("flag", pair, at.simple, at.complex, this.desk.openFlags.has(keyOf(at.simple, at.complex)) ? 0 : 1);
  }

  wire() {
    const shown = (key) => STEPPING[key] || key;
    for (const [key, steps, name, run, place, about] of this.keys) {
      const row = element("tr");
      const when = steps.length && steps !== "123" ? ` (step ${[...steps].join(", ")})` : "";
      row.append(element("th"), element("td", "", `${name}${when}${about ? `. ${about}` : ""}`));
      row.firstChild.append(element("kbd", "", shown(key)));
      part(document, "keys").firstElementChild.append(row);
      if (!place) continue;
      const made = this.button(name, shown(key), run, about);
      made.dataset.steps = steps;
      part(document, place).append(made);
    }
    STEPS.forEach((name, place) => part(document, "steps").append(this.button(name, place + 1, () => this.open(this.desk.pair, place + 1))));
    document.addEventListener("keydown", (event) => this.key(event));
    for (const side of SIDES)
      this.desk.columns[side].addEventListener("click", (event) => {
        const row = event.target.closest(".choice");
        if (!row) return;
        if (side === "simple") this.desk.go(Number(row.dataset.index));
        else this.desk.go(this.desk.at.simple, Number(row.dataset.index));
        this.say();
      });
    part(document, "only-open").addEventListener("change", (event) => this.filter(event.target.checked));
    part(document, "close").addEventListener("click", () => part(document, "help").close());
    part(document, "file").addEventListener("change", (event) => {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) this.import(file);
    });
    part(document, "name").addEventListener("change", (event) => this.do("name", event.target.value));
    for (const [name, other] of [["pair-note", () => this.desk.at.complex], ["sentence-note", () => -1]]) {
      part(document, name).addEventListener("input", (event) => this.note(name, other(), event.target.value));
      part(document, name).addEventListener("blur", () => (this.writing = false));
    }
    window.addEventListener("storage", (event) => {
      // the same file in another tab
      if (event.key !== this.memory.place || event.newValue === null) return;
      this.work.take(readable(this.work, event.newValue.split("\n")));
      this.refresh();
    });
    window.addEventListener("beforeunload", (event) => this.isSaved || event.preventDefault());
  }

  button(name, key, run, about) {
    const made = element("button");
    made.type = "button";
    if (about) made.title = about;
    made.append(element("kbd", "", key), " ", element("span", "", name));
    made.addEventListener("click", run);
    return made;
  }

  key(event) {
    const { target, key } = event;
    if (part(document, "help").open) return;
    if ((event.ctrlKey || event.metaKey) && ["z", "y"].includes(key.toLowerCase()) && !target.matches("input"))
      this.do(key.toLowerCase() === "z" && !event.shiftKey ? "undo" : "redo");
    else if (event.ctrlKey || event.altKey || event.metaKey) return;
    else if (target.matches("input:not([type=checkbox])")) {
      if (key !== "Escape" && key !== "Enter") return;
      target.blur();
    } else if (target.matches("button, input") && (key === "Enter" || key === " ")) return;
    else if (target.closest("[data-part=list]") && key.startsWith("Arrow")) return;
    else {
      const name = key === "Enter" && event.shiftKey ? "shift+Enter" : key;
      const found = this.keys.find(([one, steps]) => one === name && steps.includes(this.desk.step));
      if (!found) return;
      found[3]();
      this.say();
    }
    event.preventDefault();
  }
}

new Page();
