// What leaves the page and comes back: the browser's memory, JSON Lines (`annotated.py` reads them).

class Fault extends Error {}

// ---- the browser's memory: a line an action, so that what is damaged at the end costs only that

class Memory {
  constructor(place) {
    this.place = place;
  }

  // The stored lines; throws where the browser has no memory.
  read() {
    const text = localStorage.getItem(this.place);
    return text ? text.split("\n") : [];
  }

  write(log) {
    localStorage.setItem(this.place, log.map((action) => JSON.stringify(action)).join("\n"));
  }

  // Where the person was; nothing is lost with it.
  readView() {
    try {
      return JSON.parse(localStorage.getItem(`${this.place}/view`));
    } catch {
      return null;
    }
  }

  writeView(view) {
    try {
      localStorage.setItem(`${this.place}/view`, JSON.stringify(view));
    } catch {
      // `write` says so
    }
  }
}

// A second memory, on the disk before the next key: localStorage reaches it seconds later, and what a browser that is
// killed as a whole has not written is gone. It has the same lines; the longer of the two is right.
class Journal {
  constructor(place) {
    this.opened = new Promise((resolve) => {
      try {
        const request = indexedDB.open(place, 1);
        request.onupgradeneeded = () => request.result.createObjectStore("actions");
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => resolve(null);
      } catch {
        resolve(null);
      }
    });
  }

  async read() {
    const store = (await this.opened)?.transaction("actions").objectStore("actions");
    return new Promise((resolve) => {
      if (!store) return resolve([]);
      const request = store.getAll();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve([]);
    });
  }

  async write(log, from) {
    const store = (await this.opened)?.transaction("actions", "readwrite", { durability: "strict" }).objectStore("actions");
    if (store) for (let place = from; place < log.length; place += 1) store.put(JSON.stringify(log[place]), place);
  }
}

// The actions of stored lines up to the first that is damaged.
function readable(work, lines) {
  const log = [];
  for (const line of lines) {
    try {
      const action = JSON.parse(line);
      if (!work.isValid(action)) break;
      log.push(action);
    } catch {
      break;
    }
  }
  return log;
}

// ---- out

function asJsonLines(work, documents, round) {
  return work.facts.map((facts) => JSON.stringify(annotatedRow(work, facts, documents(facts.number), round)) + "\n").join("");
}

// The document pair as it was, with its links, and with what a link cannot say under `annotation`.
function annotatedRow(work, { number }, row, round) {
  const state = work.states[number];
  const pairs = (keys) => [...keys].map(endsOf).sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const begun = state.settled.size > 0 || state.labels.size > 0;
  const alignments = state.labelled("a", "p").map(([simple, complex, label]) => [simple, complex, LABELS[label]]);
  const annotation = {
    annotator: work.name,
    round,
    place: [number, work.facts.length],
    paragraphs: pairs(state.paragraphs),
    not: state.labelled("n").map(([simple, complex]) => [simple, complex]),
    settled: [...state.settled].sort((one, other) => one - other),
    flags: work.flagged(number),
    resolved: pairs([...state.flags].filter(([, on]) => !on).map(([key]) => key)),
    notes: [...state.notes].map(([key, text]) => [...endsOf(key), text]),
  };
  return { ...row, ...(begun ? { alignments } : {}), annotation };
}

// ---- in: the actions that bring the page to what a file says; a Fault says which line is wrong, and nothing is taken

function taken(text, work, documents) {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const byId = new Map(work.facts.map((facts) => [facts.id, facts]));
  const actions = [];
  let expected = null;
  lines.forEach((line, place) => {
    if (!line.trim()) return;
    let action;
    try {
      const row = JSON.parse(line);
      const facts = byId.get(row.id);
      if (!facts) throw new Fault(`document pair ${JSON.stringify(row.id)} is not on this page`);
      if (actions.some(([, number]) => number === facts.number)) throw new Fault(`document pair ${JSON.stringify(row.id)} comes twice`);
      for (const side of ["complex", "simple"])
        if (JSON.stringify(row[side].paragraphs) !== JSON.stringify(documents(facts.number)[side].paragraphs))
          throw new Fault(`document pair ${JSON.stringify(row.id)} has another ${side} text than on this page`);
      expected ??= row.annotation && row.annotation.place[1];
      action = ["take", facts.number, stateOf(row, facts)];
      if (!work.isValid(action)) throw new Fault("a link, a flag or a note is of no sentence");
    } catch (error) {
      if (error instanceof Fault) throw new Fault(`line ${place + 1}: ${error.message}`);
      throw new Fault(`line ${place + 1} is no document pair with links; the file may be cut or damaged`);
    }
    actions.push(action);
  });
  if (expected && expected !== actions.length)
    throw new Fault(`the file holds ${actions.length} of ${expected} document pairs; it is cut`);
  if (!actions.length) throw new Fault("the file holds no document pair");
  return ["all", actions];
}

// The state that a row tells; one without `annotation` is labelled to the end.
function stateOf({ alignments = [], annotation }, facts) {
  const links = alignments.map(([simple, complex, label]) => [simple, complex, LETTERS[label]]);
  if (!annotation) return finished(links, facts);
  const { paragraphs, not, settled, flags, resolved, notes } = annotation;
  const marks = [...flags.map((ends) => [...ends, 1]), ...resolved.map((ends) => [...ends, 0])];
  return { paragraphs, labels: [...links, ...not.map((ends) => [...ends, "n"])], settled, flags: marks, notes };
}

function finished(links, { paragraphOf, sizes }) {
  const paragraphs = new Set(links.map(([simple, complex]) => keyOf(paragraphOf.simple[simple], paragraphOf.complex[complex])));
  const settled = Array.from({ length: sizes.simple }, (_, index) => index);
  return { paragraphs: [...paragraphs].map(endsOf), labels: links, settled, flags: [], notes: [] };
}
