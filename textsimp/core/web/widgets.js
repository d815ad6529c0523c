// What the browsers of this page share. All texts go into the page as text nodes, never as mark-up.

const ROW = 46; // pixels of a row of a list; as in browser.css
const SPARE = 6; // rows above and below those in sight
const PATIENCE = 120; // milliseconds after the last key before a search starts

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function part(root, name) {
  return root.querySelector(`[data-part="${name}"]`);
}

function counted(number, one, several) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
}

// Give a text to the reader as a file.
function download(name, text, type) {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// Text with every place where the words of a search stand marked.
function withHits(text, search) {
  const found = element("span");
  if (!search) {
    found.textContent = text;
    return found;
  }
  const pattern = new RegExp(`(${search.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")})`, "giu");
  text.split(pattern).forEach((piece, place) => {
    if (piece) found.append(place % 2 ? element("mark", "hit", piece) : piece);
  });
  return found;
}

// A list of any length: only the rows in sight are elements. `fill(row, item)` writes a row, `choose(item)` opens it.
class List {
  constructor(box, fill, choose) {
    this.box = box;
    this.fill = fill;
    this.choose = choose;
    this.items = [];
    this.place = -1;
    this.rows = element("div", "rows");
    this.rows.setAttribute("role", "presentation");
    box.replaceChildren(this.rows);
    box.addEventListener("scroll", () => this.draw());
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) this.open(Number(row.dataset.place));
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  // Show these items, and keep the chosen one where it is among them, else open the first.
  show(items, chosen) {
    this.items = items;
    this.rows.style.height = `${items.length * ROW}px`;
    this.box.style.setProperty("--rows", `${Math.max(items.length, 1) * ROW + 2}px`);
    this.place = -1;
    this.open(Math.max(items.indexOf(chosen), 0));
  }

  open(place) {
    if (place < 0 || place >= Math.max(this.items.length, 1)) return;
    this.place = this.items.length ? place : -1;
    const top = place * ROW;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + ROW > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = top + ROW - this.box.clientHeight;
    this.draw();
    this.choose(this.items[this.place]);
  }

  step(distance) {
    this.open(Math.min(Math.max(this.place + distance, 0), this.items.length - 1));
  }

  key(event) {
    const page = Math.max(Math.floor(this.box.clientHeight / ROW) - 1, 1);
    const all = this.items.length;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -all, End: all };
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    this.step(steps[event.key]);
    event.preventDefault();
  }

  draw() {
    const first = Math.max(Math.floor(this.box.scrollTop / ROW) - SPARE, 0);
    const last = Math.min(first + Math.ceil(this.box.clientHeight / ROW) + 2 * SPARE, this.items.length);
    const rows = [];
    for (let place = first; place < last; place += 1) rows.push(this.row(place));
    this.rows.replaceChildren(...rows);
    if (this.place >= first && this.place < last)
      this.box.setAttribute("aria-activedescendant", `${this.box.id}-${this.place}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  row(place) {
    const row = element("div", "row");
    row.id = `${this.box.id}-${place}`;
    row.dataset.place = place;
    row.style.top = `${place * ROW}px`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(place === this.place));
    row.setAttribute("aria-setsize", this.items.length);
    row.setAttribute("aria-posinset", place + 1);
    this.fill(row, this.items[place]);
    return row;
  }
}

// What both browsers do alike: show the live part, step by buttons and keys, wait for the end of typing, keep the
// choice in the page's address (#KEY/NUMBER).
class Browser {
  constructor(root) {
    this.root = root;
    this.live = part(root, "live");
  }

  start() {
    const { root } = this;
    this.live.hidden = false;
    part(root, "previous").addEventListener("click", () => this.list.step(-1));
    part(root, "next").addEventListener("click", () => this.list.step(1));
    this.live.addEventListener("keydown", (event) => this.key(event));
    let waiting = 0;
    part(root, "search").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.refresh(), PATIENCE);
    });
    window.addEventListener("hashchange", () => this.follow());
  }

  get words() {
    return part(this.root, "search").value.trim();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input[type=search], select")) return;
    if (event.key === "n") this.list.step(1);
    else if (event.key === "p") this.list.step(-1);
    else return;
    event.preventDefault();
  }

  // The number from 1 that the address gives for this browser, 0 for none.
  get addressed() {
    const [key, number] = location.hash.slice(1).split("/");
    return key === this.live.id && /^\d+$/.test(number || "") ? Number(number) : 0;
  }

  address(number) {
    if (this.started) history.replaceState(null, "", `#${this.live.id}/${number}`);
  }

  follow() {
    if (!this.addressed) return;
    this.reset();
    this.refresh(this.addressed - 1);
    this.live.scrollIntoView();
  }

  steps(place, all) {
    // not `disabled`: a button that loses the focus would take the keys with it
    part(this.root, "previous").setAttribute("aria-disabled", String(place <= 0));
    part(this.root, "next").setAttribute("aria-disabled", String(place >= all - 1));
  }
}
