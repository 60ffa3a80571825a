// SPDX-License-Identifier: Apache-2.0
// The run's data, elements and number formats.

const run = JSON.parse(document.getElementById("run").textContent);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const objectOf = (value) => (isObject(value) ? value : {});
const listOf = (value) => (Array.isArray(value) ? value : []);
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const results = objectOf(run.results);
const detail = objectOf(run.detail);

const byId = (id) => document.getElementById(id);

/** An element; text always goes in as text, never as markup. */
function element(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svgElement(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Shows the section and returns the element that `selector` finds in it, or the section. */
function open(id, selector) {
  byId(id).hidden = false;
  return selector ? byId(id).querySelector(selector) : byId(id);
}

// ---- numbers: thin no-break separators, units after a thin no-break space ----

const THIN = "\u202f";
const MISSING = "\u2013";

/** 1234567.25, 1 -> "1 234 567.3". */
function fixed(value, digits = 0) {
  if (!isNumber(value)) return MISSING;
  const [whole, rest] = Math.abs(value).toFixed(digits).split(".");
  const sign = value < 0 && Number(value.toFixed(digits)) !== 0 ? "\u2212" : "";
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, THIN) + (rest ? "." + rest : "");
}

const count = (value) => fixed(value, 0);

/** "1.280" -> "1.28". */
const trimmed = (shown) => (shown.includes(".") ? shown.replace(/\.?0+$/, "") : shown);

/** An integer as it is, anything else with about four digits. */
function plain(value) {
  if (!isNumber(value)) return MISSING;
  if (Number.isInteger(value)) return fixed(value);
  const size = Math.abs(value);
  if (size < 1e-3) return value.toExponential(2);
  return trimmed(fixed(value, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3));
}

function percent(share) {
  if (!isNumber(share)) return MISSING;
  const value = share * 100;
  const size = Math.abs(value);
  if (value === 0) return "0" + THIN + "%";
  if (size < 0.001) return value.toExponential(1) + THIN + "%";
  return (value === 100 ? "100" : fixed(value, size > 99.9 && size < 100 ? 3 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3)) + THIN + "%";
}

const unit = (text, name) => (text === MISSING ? text : text + THIN + name);
const plural = (n, one, many = one + "s") => unit(count(n), n === 1 ? one : many);

// ---- time ----

/** Nanoseconds in a cycle, or null when the run does not say. */
const cycleNs = (() => {
  if (isNumber(detail.cycle_ns)) return detail.cycle_ns;
  const ns = objectOf(results.latency_ns);
  const cycles = objectOf(results.latency_cycles);
  for (const key of ["max", "mean", "median"]) {
    if (isNumber(ns[key]) && cycles[key] > 0) return ns[key] / cycles[key];
  }
  return null;
})();

const cyclesText = (cycles) => unit(Number.isInteger(cycles) ? count(cycles) : fixed(cycles, 1), cycles === 1 ? "cycle" : "cycles");
const nsText = (ns) => unit(fixed(ns, Math.abs(ns) < 10000 ? 1 : 0), "ns");
const cyclesToNs = (cycles) => (cycleNs === null ? MISSING : nsText(cycles * cycleNs));

/** A simulated time in the unit that suits it. */
function duration(ns) {
  for (const [size, name] of [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"]]) {
    if (ns >= size) return unit(fixed(ns / size, 2), name);
  }
  return nsText(ns);
}

// ---- names and paths ----

/** "rx_packets" -> "rx packets". */
const words = (key) => String(key).replace(/_/g, " ").replace(/\bns\b/, "(ns)");
const text = (value) =>
  typeof value === "string" ? value : isNumber(value) ? plain(value)
    : Array.isArray(value) ? value.map(text).join(", ") : JSON.stringify(value);

/** The path as a link if it is a relative one; schemes and absolute paths become no link. */
function link(path, label) {
  const name = String(path);
  const shown = element("span", { title: name }, label || name);
  if (/^[a-z][a-z0-9+.-]*:/i.test(name) || /^[/\\]/.test(name) || /[\x00-\x1f]/.test(name) || name === "") return shown;
  return element("a", { href: "./" + name.split("/").map(encodeURIComponent).join("/") }, shown.textContent);
}

const sum = (list) => list.reduce((total, value) => total + (isNumber(value) ? value : 0), 0);
const total = (value) => (isObject(value) ? sum(Object.values(value)) : isNumber(value) ? value : 0);
