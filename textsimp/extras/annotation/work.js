// The work on a file is a list of actions that only grows (undo and redo are actions too); what is shown follows from
// it alone. So undoing, keeping and taking up again are one thing: reading the list.

const LABELS = { a: "aligned", p: "partial", n: "not aligned" };
const LETTERS = { aligned: "a", partial: "p" };

const keyOf = (simple, complex) => `${simple},${complex}`;
const endsOf = (key) => key.split(",").map(Number);

// What is known of one document pair.
class State {
  constructor({ paragraphs = [], labels = [], settled = [], flags = [], notes = [] } = {}) {
    this.paragraphs = new Set(paragraphs.map(([simple, complex]) => keyOf(simple, complex)));
    this.labels = new Map(labels.map(([simple, complex, label]) => [keyOf(simple, complex), label]));
    this.settled = new Set(settled);
    this.flags = new Map(flags.map(([simple, complex, on]) => [keyOf(simple, complex), on]));
    this.notes = new Map(notes.map(([simple, complex, text]) => [keyOf(simple, complex), text]));
  }

  // The labels of a kind, as [simple, complex] in order.
  labelled(...letters) {
    const found = [...this.labels].filter(([, label]) => letters.includes(label));
    return found.map(([key, label]) => [...endsOf(key), label]).sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  }
}

// The sizes of one document pair, and what was known of it before the work.
class PairFacts {
  constructor({ id, complex, simple, suggestions, opinions, start }, number) {
    Object.assign(this, { id, number, start, opinions });
    this.paragraphs = { complex: complex.length, simple: simple.length };
    this.paragraphOf = {};
    for (const [side, sizes] of [["complex", complex], ["simple", simple]])
      this.paragraphOf[side] = sizes.flatMap((size, paragraph) => Array(size).fill(paragraph));
    this.sizes = { complex: this.paragraphOf.complex.length, simple: this.paragraphOf.simple.length };
    this.suggestions = new Map(suggestions.map(([one, other, label]) => [keyOf(one, other), label]));
    this.given = opinions.map((links) => new Map(links.map(([one, other, label]) => [keyOf(one, other), label])));
    this.disputed = new Set();
    for (const key of this.given.flatMap((links) => [...links.keys()]))
      if (new Set(this.given.map((links) => links.get(key) || "n")).size > 1) this.disputed.add(key);
  }

  // Whether sentences, or paragraphs, of these numbers are there.
  has(simple, complex, sizes = this.sizes) {
    const within = (number, size) => Number.isInteger(number) && number >= 0 && number < size;
    return within(simple, sizes.simple) && within(complex, sizes.complex);
  }
}

class Work {
  constructor(facts) {
    this.facts = facts;
    this.take([]);
  }

  // Begin with a list of actions; undone ones stay in it.
  take(log) {
    this.log = log;
    this.done = [];
    this.undone = [];
    for (const action of log) this.move(action);
    this.build();
  }

  do(action) {
    this.log.push(action);
    this.move(action);
    if (action[0] === "undo" || action[0] === "redo") this.build();
    else this.apply(action);
  }

  // Put an action in the place of the last one: a note while it is being written.
  amend(action) {
    this.log[this.log.length - 1] = this.done[this.done.length - 1] = action;
    this.apply(action);
  }

  move(action) {
    if (action[0] === "undo") {
      if (this.done.length) this.undone.push(this.done.pop());
    } else if (action[0] === "redo") {
      if (this.undone.length) this.done.push(this.undone.pop());
    } else {
      this.done.push(action);
      this.undone = [];
    }
  }

  build() {
    this.name = "";
    this.states = this.facts.map(({ start }) => new State(start));
    for (const action of this.done) this.apply(action);
  }

  apply([kind, ...rest]) {
    if (kind === "all") return rest[0].forEach((action) => this.apply(action));
    if (kind === "name") return (this.name = rest[0]);
    const [pair, simple, complex, value] = rest;
    const state = this.states[pair];
    const key = keyOf(simple, complex);
    if (kind === "take") this.states[pair] = new State(simple);
    else if (kind === "paragraph") state.paragraphs[value ? "add" : "delete"](key);
    else if (kind === "settle") state.settled[complex ? "add" : "delete"](simple);
    else if (kind === "flag") state.flags.set(key, value);
    else if (value) state[kind === "label" ? "labels" : "notes"].set(key, value);
    else state[kind === "label" ? "labels" : "notes"].delete(key);
  }

  // Whether a stored action can be applied to this file.
  isValid(action) {
    if (!Array.isArray(action)) return false;
    const [kind, pair, simple, complex, value] = action;
    if (kind === "undo" || kind === "redo") return action.length === 1;
    if (kind === "all") return Array.isArray(pair) && pair.every((one) => this.isValid(one) && !["undo", "redo"].includes(one[0]));
    if (kind === "name") return typeof pair === "string";
    const facts = this.facts[pair];
    if (!facts) return false;
    if (kind === "take") return this.isState(facts, simple);
    if (kind === "paragraph") return facts.has(simple, complex, facts.paragraphs);
    if (kind === "settle") return facts.has(simple, 0);
    if (kind === "label") return facts.has(simple, complex) && (value === "" || value in LABELS);
    if (kind === "flag") return facts.has(simple, complex);
    return kind === "note" && typeof value === "string" && facts.has(simple, complex === -1 ? 0 : complex);
  }

  isState(facts, { paragraphs, labels, settled, flags, notes }) {
    return (
      paragraphs.every(([one, other]) => facts.has(one, other, facts.paragraphs)) &&
      labels.every(([one, other, label]) => facts.has(one, other) && label in LABELS) &&
      settled.every((one) => facts.has(one, 0)) &&
      flags.every(([one, other]) => facts.has(one, other)) &&
      notes.every(([one, other, text]) => facts.has(one, other === -1 ? 0 : other) && typeof text === "string")
    );
  }

  // ---- questions

  // Whether two sentences stand in paragraphs that are linked.
  inScope(pair, simple, complex) {
    const { paragraphOf } = this.facts[pair];
    return this.states[pair].paragraphs.has(keyOf(paragraphOf.simple[simple], paragraphOf.complex[complex]));
  }

  // The open flags of a pair, in order: a person's; opinions that differ; suggestions outside the linked paragraphs.
  flagged(pair) {
    const { flags, labels } = this.states[pair];
    const { disputed, suggestions } = this.facts[pair];
    const found = new Set(disputed);
    for (const key of suggestions.keys()) if (!labels.has(key) && !this.inScope(pair, ...endsOf(key))) found.add(key);
    for (const [key, on] of flags) found[on ? "add" : "delete"](key);
    return [...found].map(endsOf).sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  }

  progress(pair) {
    return { done: this.states[pair].settled.size, all: this.facts[pair].sizes.simple, flags: this.flagged(pair).length };
  }

  isFinished(pair) {
    const { done, all, flags } = this.progress(pair);
    return done === all && flags === 0;
  }
}
