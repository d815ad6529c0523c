"use strict";
// The page's sections: those that are folded on the screen, the filter of the contents, and where in the page one is.

// Folded sections stand open in the file, so that they are read and printed where no script runs.
const FOLDS = [...document.querySelectorAll("details.fold")];

// Open the folded section that an address such as #KEY leads to or into.
function unfold(address) {
  const target = address.length > 1 && document.getElementById(decodeURIComponent(address.slice(1)));
  const fold = target && (target.closest("details.fold") || target.querySelector(":scope > details.fold"));
  if (!fold || fold.open) return;
  fold.open = true;
  target.scrollIntoView();
}

function foldSections() {
  for (const fold of FOLDS) fold.open = false;
  unfold(location.hash);
  window.addEventListener("hashchange", () => unfold(location.hash));
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link) unfold(link.hash);
  });
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = FOLDS.filter((fold) => !fold.open);
    for (const fold of closed) fold.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const fold of closed) fold.open = false;
  });
}

// Show the titles that have all the words, with their sections.
function filterContents(contents) {
  const label = contents.querySelector(".filter");
  label.hidden = false;
  label.addEventListener("input", () => {
    const words = label.querySelector("input").value.toLowerCase().split(/\s+/);
    for (const section of contents.querySelectorAll(":scope > ul > li")) {
      const entries = [...section.querySelectorAll("li")];
      for (const entry of entries) {
        const title = entry.textContent.toLowerCase();
        entry.hidden = !words.every((word) => title.includes(word));
      }
      section.hidden = entries.every((entry) => entry.hidden);
    }
  });
}

// Mark in the bar the section that is read now, and keep its name in sight.
function followReading(bar) {
  const links = [...bar.querySelectorAll("a")];
  let current = null;
  const mark = () => {
    const line = bar.getBoundingClientRect().bottom + 60;
    const passed = links.filter((link) => document.querySelector(link.hash).getBoundingClientRect().top < line);
    const link = passed[passed.length - 1];
    if (link === current) return;
    if (current) current.removeAttribute("aria-current");
    current = link;
    current.setAttribute("aria-current", "true");
    bar.scrollTo({ left: current.offsetLeft - 40 });
  };
  let waits = false;
  window.addEventListener("scroll", () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      mark();
    });
  }, { passive: true });
  mark();
}

// The keyboard stops at a table only where there is something to scroll.
function skipWholeTables() {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
  });
  document.querySelectorAll(".scroll").forEach((box) => sizes.observe(box));
}

foldSections();
skipWholeTables();
document.querySelectorAll(".toc").forEach(filterContents);
document.querySelectorAll("nav").forEach(followReading);
