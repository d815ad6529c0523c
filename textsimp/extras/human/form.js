"use strict";
// Shows one sentence at a time, keeps every rating in localStorage as it is given, and writes the sheet as CSV.
// All texts go into the page as text nodes, never as mark-up.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const place = `textsimp-human/${data.study}/${data.rater}`;
  const items = data.sentences.flatMap((sentence) => sentence.outputs.map((output) => output.id));
  const byId = (id) => document.getElementById(id);
  const total = items.length * data.criteria.length;
  let ratings = {};
  let page = 0;
  let unsaved = false;

  const keyOf = ({ scale }, value) => String(scale[0] < 0 ? value - scale[0] + 1 : value);
  const meaningOf = ({ scale, points }, value) => points[value - scale[0]];
  const rating = (item, key) => (ratings[item] || {})[key];
  const given = (item) => data.criteria.filter(({ key }) => rating(item, key) !== undefined).length;
  const done = () => items.reduce((sum, item) => sum + given(item), 0);

  // ---- keeping

  function stored() {
    let found;
    try {
      found = JSON.parse(localStorage.getItem(place)) || {};
    } catch {
      found = {};
    }
    const kept = {};
    for (const item of items) {
      kept[item] = {};
      for (const { key, scale } of data.criteria) {
        const value = (found[item] || {})[key];
        if (scale.includes(value)) kept[item][key] = value;
      }
    }
    return kept;
  }

  function keep() {
    unsaved = false;
    try {
      localStorage.setItem(place, JSON.stringify(ratings));
    } catch {
      unsaved = true;
      warn("This browser does not let the page save your ratings. Download them before you close the page.");
    }
  }

  function warn(text) {
    byId("warning").textContent = text;
    byId("warning").hidden = false;
  }

  // ---- the sheet: as sheets.py writes it, and reads it back

  const guarded = (text) => (/^[=+\-@|＝＋－＠]/u.test(text) ? `'${text}` : text);
  const quoted = (cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(",") + "\n";

  function sheet() {
    const rows = data.sentences.flatMap((sentence) =>
      sentence.outputs.map((output) => [
        data.rater,
        output.id,
        guarded(sentence.original),
        guarded(output.text),
        ...data.criteria.map(({ key }) => rating(output.id, key) ?? ""),
      ]),
    );
    return "\ufeff" + [data.columns, ...rows].map(quoted).join("");
  }

  function handOver() {
    download(`${data.rater}.csv`, sheet(), "text/csv");
    unsaved = false;
  }

  // ---- showing

  function point(item, criterion, value, meaning) {
    const label = element("label");
    const input = element("input");
    input.type = "radio";
    input.name = `${item}/${criterion.key}`;
    input.value = value;
    input.checked = rating(item, criterion.key) === value;
    const meant = meaningOf(criterion, value);
    input.setAttribute("aria-label", `${value}, ${meant}`);
    label.title = meant;
    label.append(input, element("span", "", criterion.nominal ? `${value} ${meant}` : value));
    input.addEventListener("change", () => {
      ratings[item][criterion.key] = value;
      meaning.textContent = meant;
      keep();
      progress();
    });
    return label;
  }

  function question(item, criterion) {
    const group = element("fieldset");
    const legend = element("legend", "", criterion.title);
    legend.append(element("span", "", criterion.question));
    group.dataset.key = criterion.key;
    const points = element("div", criterion.nominal ? "points classes" : "points");
    const now = rating(item, criterion.key);
    const meaning = element("p", "meaning", now === undefined ? "" : meaningOf(criterion, now));
    points.append(...criterion.scale.map((value) => point(item, criterion, value, meaning)));
    group.append(legend, points, meaning);
    return group;
  }

  function card(output, index, { length }) {
    const article = element("article", "output");
    article.dataset.item = output.id;
    const questions = element("div", "questions");
    questions.append(...data.criteria.map((criterion) => question(output.id, criterion)));
    article.append(element("h3", "", length > 1 ? `${data.headings[1]} ${index + 1}` : data.headings[1]), element("p", "text", output.text), questions);
    return article;
  }

  // ---- a question that nobody may answer at once

  let timer;
  let shown = 0; // when the page was turned

  function wait() {
    clearTimeout(timer);
    const answered = data.sentences[page].outputs.every((output) => given(output.id) === data.criteria.length);
    const left = answered ? 0 : data.seconds - (performance.now() - shown) / 1000;
    for (const input of byId("outputs").querySelectorAll("input")) input.disabled = left > 0;
    byId("wait").hidden = left <= 0;
    byId("wait").textContent = `Answers open in ${Math.ceil(left)} s.`;
    if (left > 0) timer = setTimeout(wait, 1000 * Math.min(left - Math.ceil(left) + 1, 1) + 10);
  }

  function show(number) {
    page = number;
    shown = performance.now();
    const sentence = data.sentences[page];
    byId("where").textContent = `${data.headings[0]} ${page + 1} of ${data.sentences.length}`;
    byId("original").textContent = sentence.original;
    byId("outputs").replaceChildren(...sentence.outputs.map(card));
    wait();
    byId("previous").disabled = page === 0;
    byId("next").disabled = page === data.sentences.length - 1;
    progress();
  }

  function turn(step) {
    const number = page + step;
    if (number < 0 || number >= data.sentences.length) return;
    byId("guidelines").open = false;
    show(number);
    window.scrollTo(0, 0);
    byId("where").focus({ preventScroll: true });
  }

  function progress() {
    const number = done();
    byId("progress").max = total;
    byId("progress").value = number;
    byId("count").textContent = `${number} of ${total} ratings`;
    for (const article of byId("outputs").children)
      article.classList.toggle("done", given(article.dataset.item) === data.criteria.length);
    const complete = data.sentences[page].outputs.every((output) => given(output.id) === data.criteria.length);
    byId("open").disabled = number === total;
    byId("next").classList.toggle("main", complete && number < total);
    byId("download").classList.toggle("main", number === total);
    byId("finished").hidden = number < total;
    byId("finished").textContent = number < total ? "" : "All ratings are given. Please download them and send the file back.";
  }

  // ---- moving by keyboard

  const groups = () => [...byId("outputs").querySelectorAll("fieldset")];
  const isOpen = (group) => !group.querySelector(":checked");

  function enter(group) {
    (group.querySelector(":checked") || group.querySelector("input")).focus();
    group.closest("article").scrollIntoView({ block: "nearest" });
    group.scrollIntoView({ block: "nearest" });
  }

  function nextOpen() {
    const length = data.sentences.length;
    for (let step = 0; step < length; step += 1) {
      const number = (page + step) % length;
      if (data.sentences[number].outputs.every((output) => given(output.id) === data.criteria.length)) continue;
      if (number !== page) turn(number - page);
      enter(groups().find(isOpen));
      return;
    }
  }

  function rate(digit) {
    const all = groups();
    const group = all.find((one) => one.contains(document.activeElement)) || all.find(isOpen);
    if (!group) return;
    const criterion = data.criteria.find(({ key }) => key === group.dataset.key);
    const value = criterion.scale.find((point) => keyOf(criterion, point) === digit);
    if (value === undefined) return;
    const input = group.querySelector(`input[value="${value}"]`);
    if (input.disabled) return;
    input.click();
    const following = all.slice(all.indexOf(group) + 1).find(isOpen) || all.find(isOpen);
    if (following) enter(following);
    else byId(done() === total ? "download" : page === data.sentences.length - 1 ? "open" : "next").focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (/^[0-9]$/.test(event.key)) rate(event.key);
    else if (event.key === "n") turn(1);
    else if (event.key === "p") turn(-1);
    else return;
    event.preventDefault();
  });

  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("open").addEventListener("click", nextOpen);
  byId("download").addEventListener("click", handOver);
  window.addEventListener("beforeunload", (event) => {
    if (unsaved) event.preventDefault();
  });
  window.addEventListener("storage", (event) => {
    // the same form in another tab
    if (event.key !== place) return;
    ratings = stored();
    show(page);
  });

  ratings = stored();
  keep();
  byId("guidelines").open = done() === 0;
  byId("sentence").hidden = false;
  byId("pages").hidden = false;
  const first = data.sentences.findIndex((sentence) => sentence.outputs.some((output) => given(output.id) < data.criteria.length));
  show(Math.max(first, 0));
})();
