// Small tools that every page uses. Text from data reaches the page as text
// nodes only: nothing here or elsewhere parses it as markup.

const $ = (id) => document.getElementById(id);

// el makes an element. Names that begin with "on" are listeners; null, false
// and undefined are left out, both as attributes and as children.
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

const data = JSON.parse($("data").textContent);

const grouped = new Intl.NumberFormat("en").format;

function duration(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1) return ms === 0 ? "0 ms" : ms.toFixed(2) + " ms";
  if (ms < 10) return ms.toFixed(1) + " ms";
  if (ms < 999.5) return ms.toFixed(0) + " ms";
  return (ms / 1000).toFixed(2) + " s";
}

function number(metric, value) {
  const s = value.toFixed(metric.digits);
  return Number(s) === 0 ? s.replace("-", "") : s;
}

function signed(metric, value) {
  const s = number(metric, Math.abs(value));
  if (Number(s) === 0) return "±" + s;
  return (value < 0 ? "−" : "+") + s;
}

const words = {
  not_applicable: "n/a", abstained: "abstained", target_error: "error", judge_error: "not scored", unset: "not scored",
};

// option fills a select.
function options(select, entries) {
  for (const [value, text] of entries) select.append(el("option", { value }, text));
}

// later calls f once when calls have ceased for a moment.
function later(f, ms) {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(f, ms); };
}
