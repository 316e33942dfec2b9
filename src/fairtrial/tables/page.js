"use strict";
/* The page is complete without this script, which sorts tables, copies them, and shows where there is more to see. */
(() => {
  const said = document.getElementById("said");
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const make = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    return element;
  };
  document.documentElement.classList.add("scripted");

  /* ---- copying ---- */
  const selected = (text) => {
    const area = make("textarea", text, { readonly: "", style: "position: fixed; top: 0; opacity: 0" });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  const toClipboard = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return selected(text);
    }
  };
  const copyButton = (name, text, what) => {
    const button = make("button", name, { type: "button", "aria-label": `${what} as ${name}` });
    button.addEventListener("click", async () => {
      const done = await toClipboard(text());
      said.textContent = done ? `${name} copied` : `${name} could not be copied`;
      button.textContent = done ? "copied" : "not copied";
      setTimeout(() => { button.textContent = name; said.textContent = ""; }, 1600);
    });
    return button;
  };
  const escaped = (text) => text.trim().replace(/[\\`*_[\]<>|~&$]/g, "\\$&");
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const markdown = (table) => {
    const heads = all("thead tr:last-child > *", table);
    const title = (cell) => escaped(cell.textContent);
    const value = (cell) => (cell.querySelector("strong") ? `**${escaped(cell.textContent)}**` : title(cell));
    const rows = all("tbody tr", table).map((row) => line(Array.from(row.cells, value)));
    const rule = heads.map((head) => (head.classList.contains("right") ? "---:" : ":---"));
    return [line(heads.map(title)), line(rule), ...rows].join("\n") + "\n";
  };
  const picture = (svg) => {
    const copy = svg.cloneNode(true);
    copy.style.color = "#1b1e23";
    return new XMLSerializer().serializeToString(copy) + "\n";
  };
  const waysToCopy = (block) => {
    const ways = all(".sources pre", block).map((pre) => [pre.dataset.as, () => pre.textContent]);
    const table = block.querySelector("table");
    const svg = block.querySelector("svg");
    if (table) ways.splice(ways.findIndex(([name]) => name === "CSV") + 1, 0, ["Markdown", () => markdown(table)]);
    if (svg) ways.unshift(["SVG", () => picture(svg)]);
    return ways;
  };
  all(".block").forEach((block) => {
    const what = `copy this ${block.querySelector("table") ? "table" : "figure"}`;
    const bar = make("div", "", { class: "copy", role: "group", "aria-label": what });
    bar.append(make("span", "Copy as"), ...waysToCopy(block).map(([name, text]) => copyButton(name, text, what)));
    block.append(bar);
  });
  all(".source").forEach((source) => {
    const pre = source.querySelector("pre");
    const bar = make("div", "", { class: "copy" });
    bar.append(copyButton("Copy", () => pre.textContent, pre.dataset.as));
    source.append(bar);
  });

  /* ---- sorting ---- */
  const number = (cell) => {
    const found = (cell.dataset.v ?? cell.textContent).replace(/,(?=\d{3})/g, "").replace(/−/g, "-");
    const match = found.match(/-?(\d+(\.\d+)?(e[-+]?\d+)?|inf)/i);
    return match ? (match[1] === "inf" ? (match[0] === "inf" ? Infinity : -Infinity) : Number(match[0])) : NaN;
  };
  const byNumber = (a, b) => number(a) - number(b);
  const byText = (a, b) => a.textContent.localeCompare(b.textContent, undefined, { numeric: true });
  const isEmpty = (cell, numeric) => (numeric ? Number.isNaN(number(cell)) : cell.textContent.trim() === "");
  const parts = (rows) => rows.reduce((found, row) => {
    if (row.classList.contains("rule") || !found.length) found.push([]);
    found[found.length - 1].push(row);
    return found;
  }, []);
  const sortedPart = (rows, column, numeric, sign) => {
    const known = rows.filter((row) => !isEmpty(row.cells[column], numeric));
    const others = rows.filter((row) => isEmpty(row.cells[column], numeric));
    const compare = numeric ? byNumber : byText;
    return [...known.sort((a, b) => sign * compare(a.cells[column], b.cells[column])), ...others];
  };
  const NEXT = { none: "ascending", ascending: "descending", descending: "none" };
  const sortable = (table) => {
    const original = parts(Array.from(table.tBodies[0].rows));
    all("thead tr:last-child > *", table).forEach((head, column, heads) => {
      if (head.tagName !== "TH" || table.tBodies[0].rows.length < 2) return;
      const button = make("button", head.textContent, { type: "button", title: "sort by this column" });
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const order = NEXT[head.getAttribute("aria-sort") ?? "none"];
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (order !== "none") head.setAttribute("aria-sort", order);
        const sign = order === "descending" ? -1 : 1;
        const numeric = head.classList.contains("right");
        const arranged = original.map((rows) => (order === "none" ? rows : sortedPart(rows, column, numeric, sign)));
        arranged.forEach((rows, i) => rows.forEach((row, j) => row.classList.toggle("rule", i > 0 && j === 0)));
        table.tBodies[0].append(...arranged.flat());
        said.textContent = order === "none" ? "in the original order" : `sorted by ${button.textContent}, ${order}`;
      });
    });
  };
  all(".block table").forEach(sortable);

  /* ---- what lies behind the edge ---- */
  const look = (scroll) => {
    const frame = scroll.parentElement;
    const hidden = scroll.scrollWidth - scroll.clientWidth;
    frame.classList.toggle("more", hidden > 2 && scroll.scrollLeft < hidden - 2);
    if (scroll.scrollLeft > 8) frame.classList.add("moved");
    if (hidden <= 2) frame.classList.remove("moved");
  };
  const watch = new ResizeObserver((entries) => entries.forEach((entry) => look(entry.target)));
  all(".scroll").forEach((scroll) => {
    scroll.parentElement.prepend(make("p", "scroll →", { class: "hint", "aria-hidden": "true" }));
    scroll.addEventListener("scroll", () => look(scroll), { passive: true });
    watch.observe(scroll);
  });

  /* ---- the section that is being read ---- */
  const links = new Map(all(".side a").map((link) => [link.hash.slice(1), link]));
  const reading = new IntersectionObserver((entries) => {
    const now = entries.filter((entry) => entry.isIntersecting).map((entry) => links.get(entry.target.id));
    if (!now[0]) return;
    links.forEach((link) => link.removeAttribute("aria-current"));
    now[0].setAttribute("aria-current", "true");
  }, { rootMargin: "-10% 0px -75% 0px" });
  all("main > section[id]").forEach((section) => reading.observe(section));

  /* ---- printing ---- */
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = all("details:not([open]):not(.aside):not(.sources):not(.explain)");
    opened.forEach((details) => { details.open = true; });
  });
  window.addEventListener("afterprint", () => opened.forEach((details) => { details.open = false; }));
})();
