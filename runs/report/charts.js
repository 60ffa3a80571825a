// SPDX-License-Identifier: Apache-2.0
// Scales, axes and the cursor that pointer and keys share.

/** Round numbers in [low, high], about `wanted` of them. */
function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12) + 1e-12; i++) list.push(i * step);
  return list;
}

/** Powers of ten in [low, high]; with 2 and 5 between them when there would be fewer than three. */
function logTicks(low, high) {
  const list = [];
  const decades = Math.log10(high / low);
  const factors = decades < 2.5 ? [1, 2, 5] : [1];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
    for (const factor of factors) list.push(factor * 10 ** e);
  }
  const inside = list.filter((v) => v >= low * 0.9999 && v <= high * 1.0001);
  const keep = Math.ceil(inside.length / 8);
  return inside.filter((v, i) => (inside.length - 1 - i) % keep === 0);
}

/** Maps [low, high] to [from, to], linearly or by logarithm. */
function scale(low, high, from, to, log = false) {
  const f = log ? Math.log : (v) => v;
  const inverse = log ? Math.exp : (v) => v;
  const a = f(low);
  const span = f(high) - a || 1;
  const map = (value) => from + ((f(log ? Math.max(value, low) : value) - a) / span) * (to - from);
  map.inverse = (pixel) => inverse(a + ((pixel - from) / (to - from)) * span);
  return map;
}

const line = (x1, y1, x2, y2, name) => svgElement("line", { x1, y1, x2, y2, class: name });
const label = (x, y, content, anchor = "middle", name = null) =>
  svgElement("text", { x, y, "text-anchor": anchor, class: name }, content);

/** Grid lines with their labels to the left. */
function leftAxis(parent, values, y, left, right, format) {
  for (const value of values) {
    parent.append(line(left, y(value), right, y(value), "grid"), label(left - 7, y(value) + 4, format(value), "end"));
  }
}

const PRINT_WIDTH = 700;

/** Calls draw(width) now, whenever the place's width changes, and for paper. */
function drawOnResize(place, draw) {
  let width = 0;
  const redraw = () => {
    const now = Math.round(place.clientWidth);
    if (now > 0 && now !== width) draw((width = now));
  };
  redraw();
  new ResizeObserver(redraw).observe(place);
  addEventListener("beforeprint", () => draw(PRINT_WIDTH));
  addEventListener("afterprint", () => draw(width));
}

/** An svg of this size that takes part in keyboard use as a slider over what the cursor can point at. */
function chartSvg(width, height, name) {
  return svgElement("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, tabindex: 0, role: "slider", "aria-label": name, "aria-valuemin": 0,
  });
}

/**
 * One cursor for pointer and keys: `at(x)` gives the index under a place of the drawing, `show(index)` moves what is drawn of the
 * cursor and returns the line to read; index -1 hides it.
 */
function attachCursor(svg, readout, { length, at, show, hint }) {
  let index = -1;
  const go = (next) => {
    index = next;
    const said = show(index);
    readout.textContent = index < 0 ? hint : said;
    readout.classList.toggle("idle", index < 0);
    svg.setAttribute("aria-valuenow", Math.max(0, index));
    svg.setAttribute("aria-valuetext", index < 0 ? hint : said);
  };
  svg.setAttribute("aria-valuemax", length - 1);
  const toPlace = (event) => {
    const box = svg.getBoundingClientRect();
    return ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
  };
  svg.addEventListener("pointermove", (event) => go(at(toPlace(event))));
  svg.addEventListener("pointerdown", (event) => go(at(toPlace(event))));
  svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") go(-1); });
  svg.addEventListener("keydown", (event) => {
    const target = {
      ArrowRight: index + 1, ArrowUp: index + 1, ArrowLeft: index - 1, ArrowDown: index - 1,
      PageUp: index + 10, PageDown: index - 10, Home: 0, End: length - 1, Escape: -1,
    }[event.key];
    if (target === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(event.key === "Escape" ? -1 : Math.min(length - 1, Math.max(0, target)));
  });
  go(-1);
  return go;
}
