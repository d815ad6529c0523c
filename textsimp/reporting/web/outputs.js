// The output browser: the sentences of a test set, each with the outputs of all systems side by side. The differences
// to the complex sentence are found when a sentence is shown, so that the page holds every text once.

const WORD = /[\p{L}\p{M}\p{N}_]+(?:['’-][\p{L}\p{M}\p{N}_]+)*|[^\s\p{L}\p{M}\p{N}_]/gu;

// The words of a text, and the space before each and after the last.
function wordsOf(text) {
  const words = [...text.matchAll(WORD)];
  let end = 0;
  const spaces = words.map((found) => {
    const space = text.slice(end, found.index);
    end = found.index + found[0].length;
    return space;
  });
  const plain = words.map(([word]) => word);
  return { words: plain, keys: plain.map((word) => word.toLowerCase()), spaces: [...spaces, text.slice(end)] };
}

// Which words of both lists are in their longest common subsequence: two lists of booleans.
function common(one, other) {
  const width = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        one[i] === other[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  const kept = [one.map(() => false), other.map(() => false)];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) {
      kept[0][i] = kept[1][j] = true;
      i += 1;
      j += 1;
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}

// An output in runs [kind, text]: "kept" words of the complex sentence in their order, "moved" ones out of it, "new"
// ones, and "gone" for words of the complex sentence that the output does not have in that place.
function differences(complex, output) {
  const [from, to] = [wordsOf(complex), wordsOf(output)];
  const [kept, matched] = common(from.keys, to.keys);
  const known = new Set(from.keys);
  const runs = [];
  const add = (kind, space, word) => {
    const last = runs[runs.length - 1];
    if (last && last[0] === kind) last[1] += space + word;
    else {
      if (space && kind !== "gone") runs.push(["kept", space]);
      runs.push([kind, kind === "gone" ? space + word : word]);
    }
  };
  let i = 0;
  const gone = (end) => {
    for (; i < end; i += 1) add("gone", i ? from.spaces[i] : "", from.words[i]);
  };
  to.words.forEach((word, j) => {
    if (matched[j]) {
      gone(kept.indexOf(true, i));
      i += 1;
    }
    add(matched[j] ? "kept" : known.has(to.keys[j]) ? "moved" : "new", to.spaces[j], word);
  });
  gone(from.words.length);
  if (to.spaces[to.words.length]) runs.push(["kept", to.spaces[to.words.length]]);
  return runs;
}

const TAGS = { kept: "span", moved: "span", new: "ins", gone: "del" };

class OutputBrowser extends Browser {
  constructor(root) {
    super(root);
    const data = JSON.parse(part(root, "data").textContent);
    this.testSets = data.testSets;
    this.systems = data.systems.map(([training, name]) => ({ training, name, shown: true }));
    part(root, "set").replaceChildren(...data.testSets.map(({ name }, place) => new Option(name, place)));
    this.switches();
    this.start();
    this.list = new List(part(root, "list"), (row, item) => this.fill(row, item), (item) => this.show(item));
    part(root, "set").addEventListener("change", () => this.refresh());
    part(root, "deleted").addEventListener("change", () => this.show(this.item));
    this.refresh(this.addressed - 1);
    this.started = true;
    if (this.addressed) this.live.scrollIntoView();
  }

  // ---- choosing sentences and systems

  // A switch for each system, the training sets one below the other.
  switches() {
    const groups = new Map(this.systems.map(({ training }) => [training, element("fieldset")]));
    for (const [training, group] of groups) group.append(element("legend", "", training));
    for (const system of this.systems) groups.get(system.training).append(this.switch(system));
    part(this.root, "systems").append(...groups.values());
  }

  switch(system) {
    const label = element("label", "switch");
    const box = element("input");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => {
      system.shown = box.checked;
      this.show(this.item);
    });
    label.append(box, ` ${system.name}`);
    return label;
  }

  get testSet() {
    return this.testSets[Number(part(this.root, "set").value)];
  }

  // The place of a test set's first sentence among those of all test sets: addresses count through them.
  offset(testSet) {
    const before = this.testSets.slice(0, this.testSets.indexOf(testSet));
    return before.reduce((sum, { sentences }) => sum + sentences.length, 0);
  }

  refresh(wanted = -1) {
    const holds = (set) => wanted >= this.offset(set) && wanted < this.offset(set) + set.sentences.length;
    const place = this.testSets.findIndex(holds);
    if (place >= 0) part(this.root, "set").value = place;
    const { sentences, total } = this.testSet;
    const words = this.words.toLowerCase();
    const found = words ? sentences.filter((item) => this.text(item).includes(words)) : sentences;
    const taken = sentences.length < total ? `, at even distances among ${total.toLocaleString("en")}` : "";
    part(this.root, "status").textContent =
      `${found.length.toLocaleString("en")} of ${counted(sentences.length, "sentence", "sentences")}${taken}`;
    this.list.show(found, place >= 0 ? sentences[wanted - this.offset(this.testSet)] : this.item);
  }

  text([, complex, references, outputs]) {
    return [complex, ...references, ...outputs.filter(Boolean)].join("\n").toLowerCase();
  }

  reset() {
    part(this.root, "search").value = "";
  }

  fill(row, [line, complex, , outputs]) {
    const changed = outputs.filter((text) => text !== 0).length;
    const about = `line ${line}, ${counted(changed, "system changes", "systems change")} it`;
    const name = element("span", "name", complex);
    name.dir = "auto";
    row.append(name, element("span", "about", about));
  }

  // ---- showing a sentence

  show(item) {
    this.item = item;
    this.steps(this.list.place, this.list.items.length);
    const view = part(this.root, "view");
    part(this.root, "where").textContent = item ? `${this.testSet.name}, line ${item[0]}` : "No sentence has this.";
    if (!item) return view.replaceChildren();
    const [, complex, references, outputs] = item;
    const given = element("div", "given");
    given.append(this.card("Complex", "", withHits(complex, this.words)));
    references.forEach((text, place) => {
      const name = references.length > 1 ? `Reference ${place + 1}` : "Reference";
      given.append(this.card(name, "", this.marked(complex, text)));
    });
    view.replaceChildren(given, this.produced(complex, outputs));
    this.address(this.offset(this.testSet) + this.testSet.sentences.indexOf(item) + 1);
  }

  // The outputs of the systems that are shown: a column for each training set.
  produced(complex, outputs) {
    const grid = element("div", "produced");
    const trainings = [...new Set(this.systems.filter(({ shown }) => shown).map(({ training }) => training))];
    const names = [...new Set(this.systems.map(({ name }) => name))];
    grid.style.setProperty("--columns", Math.max(trainings.length, 1));
    for (const name of names) {
      const row = trainings.map((training) => this.systems.findIndex((one) => one.name === name && one.training === training));
      if (!row.some((place) => place >= 0 && this.systems[place].shown)) continue;
      for (const place of row) {
        if (place < 0 || !this.systems[place].shown) grid.append(element("div", "gap"));
        else grid.append(this.output(complex, outputs[place], this.systems[place]));
      }
    }
    return grid;
  }

  output(complex, text, { name, training }) {
    if (text === 0) return this.card(name, training, this.marked(complex, complex), "as the complex sentence");
    return this.card(name, training, this.marked(complex, text), text.trim() ? "" : "empty");
  }

  card(name, training, content, note = "") {
    const card = element("article", "card");
    const head = element("h5", "", name);
    if (training) head.append(" ", element("small", "", training));
    if (note) head.append(" ", element("em", "note", note));
    const body = element("p", "output");
    body.dir = "auto";
    body.append(content);
    card.append(head, body);
    return card;
  }

  marked(complex, text) {
    const shown = element("span");
    const deleted = part(this.root, "deleted").checked;
    for (const [kind, run] of differences(complex, text)) {
      if (kind === "gone" && !deleted) continue;
      const made = element(TAGS[kind], kind);
      made.append(withHits(run, kind === "gone" ? "" : this.words));
      shown.append(made);
    }
    return shown;
  }
}

document.querySelectorAll(".output-browser").forEach((root) => new OutputBrowser(root));
