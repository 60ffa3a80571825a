// SPDX-License-Identifier: Apache-2.0
// Charts of two runs side by side: points of sweeps, latencies, differences.

const figures = listOf(results.figures).filter(isObject);
const differs = (figure) => figure.relation === "beyond" || figure.relation === "different";
const svgOf = (width, height, name) => svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": name });
const unitOf = (path) => (/packets$/.test(path) ? "" : /_ns\b/.test(path) ? "ns" : /_cycles\b/.test(path) ? "cycles" : /_load\b/.test(path) ? "share of word slots" : "");
const titleOf = (path) => words(path).replace(/ \(ns\)/, "") + (unitOf(path) ? `, ${unitOf(path)}` : "");
const inUnit = (path, value) => (unitOf(path) === "ns" ? nsText(value) : plain(value));

/** "load=0.1,routing=min" -> {load: 0.1, routing: "min"}: what stands before each = that follows a comma. */
function valuesOf(point) {
  const values = {};
  for (const part of String(point).split(/,(?=[^,=]+=)/)) {
    const [name, ...rest] = part.split("=");
    const value = rest.length ? rest.join("=") : name;
    values[rest.length ? name : "load"] = value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
  }
  return values;
}

// ---- points of sweeps ----

const points = [...new Set(figures.filter((figure) => figure.point !== undefined).map((figure) => figure.point))]
  .map((name) => ({ name, values: valuesOf(name), figures: new Map() }));
const pointOf = new Map(points.map((point) => [point.name, point]));
for (const figure of figures) {
  if (figure.point !== undefined) pointOf.get(figure.point).figures.set(figure.path, figure);
}
const axis = (() => {
  const names = [...new Set(points.flatMap((point) => Object.keys(point.values)))];
  const numeric = names.filter((name) => points.every((point) => isNumber(point.values[name])));
  return numeric.find((name) => name === "load") || numeric[0];
})();
const othersOf = (point) => Object.entries(point.values).filter(([name]) => name !== axis).map(([name, value]) => `${name} ${value}`).join(", ");

/** A spot, with its interval. */
function addSpot(svg, x, y, value, halfWidth, side) {
  if (isNumber(halfWidth)) {
    const [low, high] = [y(value - halfWidth), y(value + halfWidth)];
    svg.append(svgElement("path", { class: `whisker side-${side}`, d: `M${x - 4},${low}H${x + 4}M${x},${low}V${high}M${x - 4},${high}H${x + 4}` }));
  }
  svg.append(svgElement("circle", { class: `spot side-${side}`, cx: x, cy: y(value), r: 3.5 }));
}

function drawCurves(width) {
  const path = byId("curves-figure").value;
  const shown = points.filter((point) => othersOf(point) === byId("curves-curve").value && point.figures.has(path))
    .sort((a, b) => a.values[axis] - b.values[axis]);
  const places = shown.map((point) => point.values[axis]);
  const of = (point) => point.figures.get(path);
  const values = shown.flatMap((point) => ["a", "b"].flatMap((side) => {
    const half = of(point)[`half_width_${side}`] || 0;
    return isNumber(of(point)[side]) ? [of(point)[side] - half, of(point)[side] + half] : [];
  }));
  const [left, right, top, bottom] = [width < 600 ? 58 : 76, width - 14, 34, 284];
  const svg = svgOf(width, 326, `${titleOf(path)} of both runs over ${axis}`);
  const [least, most] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
  const positive = values.filter((value) => value > 0);
  const byLog = least >= 0 && positive.length === values.length && most > 20 * Math.min(...positive);
  const y = byLog ? scale(Math.min(...positive), most, bottom, top, true) : scale(least, most, bottom, top);
  const x = scale(places[0], places[places.length - 1], left + 10, right - 10);
  svg.append(label(left, top - 14, titleOf(path) + (byLog ? " (log)" : ""), "start", "title"));
  leftAxis(svg, byLog ? logTicks(Math.min(...positive), most) : ticks(least, most, 5), y, left, right, plain);
  svg.append(line(left, bottom, right, bottom, "axis"));
  for (const value of ticks(places[0], places[places.length - 1], Math.max(2, Math.floor((right - left) / 90)))) {
    svg.append(label(x(value), bottom + 18, plain(value)));
  }
  svg.append(label((left + right) / 2, bottom + 38, axis, "middle", "title"));
  for (const side of ["a", "b"]) {
    const known = shown.filter((point) => isNumber(of(point)[side]));
    svg.append(svgElement("path", { class: `curve side-${side}`,
      d: known.map((point, i) => `${i ? "L" : "M"}${x(point.values[axis]).toFixed(1)},${y(of(point)[side]).toFixed(1)}`).join("") }));
    for (const point of known) addSpot(svg, x(point.values[axis]), y, of(point)[side], of(point)[`half_width_${side}`], side);
  }
  for (const point of shown.filter((one) => differs(of(one)) && isNumber(of(one).b))) {
    svg.append(svgElement("circle", { class: "ring", cx: x(point.values[axis]), cy: y(of(point).b), r: 7 }));
  }
  const cursor = svgElement("rect", { class: "cursor", y: top, height: bottom - top, width: 0 });
  svg.append(cursor);
  svg.setAttribute("tabindex", 0);
  svg.setAttribute("role", "slider");
  byId("curves-chart").replaceChildren(svg);
  attachCursor(svg, byId("curves-readout"), {
    length: shown.length,
    hint: "Point at the chart, or focus it and use the arrow keys.",
    at: (px) => places.reduce((best, value, i) => (Math.abs(x(value) - px) < Math.abs(x(places[best]) - px) ? i : best), 0),
    show: (i) => {
      cursor.setAttribute("width", i < 0 ? 0 : 6);
      if (i < 0) return "";
      cursor.setAttribute("x", x(places[i]) - 3);
      const figure = of(shown[i]);
      return `${axis} ${plain(places[i])}: A ${inUnit(path, figure.a)}, B ${inUnit(path, figure.b)}, ${differenceText(figure)}`;
    },
  });
}

// ---- latencies ----

const QUANTILES = ["min", "p1", "median", "mean", "p99", "p999", "max"];

/** Rows [name, figure]: of all packets, then of each class where there are several. */
function latencyRows() {
  const at = (path) => figures.find((figure) => figure.path === path && isNumber(figure.a) && isNumber(figure.b));
  const rows = QUANTILES.map((key) => [key, at(`latency_ns.${key}`)]);
  const classes = [...new Set(figures.map((figure) => /^classes\[(.*)\]\.latency_ns\.median$/.exec(figure.path)).filter(Boolean).map((found) => found[1]))];
  if (classes.length > 1) {
    for (const name of classes) {
      for (const key of ["median", "p99"]) rows.push([`${name} ${key}`, at(`classes[${name}].latency_ns.${key}`)]);
    }
  }
  return rows.filter(([, figure]) => figure !== undefined);
}

function drawLatencies(width) {
  const rows = latencyRows();
  const narrow = width < 600;
  const [left, right, step, top] = [narrow ? 72 : 96, width - (narrow ? 12 : 190), narrow ? 42 : 28, 34];
  const values = rows.flatMap(([, figure]) => [figure.a, figure.b]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const byLog = least > 0 && most > 20 * least;
  const x = byLog ? scale(least, most, left, right - 8, true) : scale(0, most, left, right - 8);
  const bottom = top + rows.length * step;
  const svg = svgOf(width, bottom + 40, "Latencies of both runs");
  svg.append(label(left, 14, "latency, ns" + (byLog ? " (log)" : ""), "start", "title"));
  const marks = byLog ? logTicks(least, most) : ticks(0, most, narrow ? 3 : 6);
  for (const value of marks) svg.append(line(x(value), top - 8, x(value), bottom, "grid"), label(x(value), bottom + 16, plain(value)));
  svg.append(line(left, bottom, right, bottom, "axis"));
  rows.forEach(([name, figure], i) => {
    const middle = top + i * step + 8;
    svg.append(label(left - 8, middle + 4, name, "end", "name"), line(x(figure.a), middle, x(figure.b), middle, "pair"));
    for (const [side, shift] of [["a", -3], ["b", 3]]) {
      const half = figure[`half_width_${side}`];
      if (isNumber(half)) {
        svg.append(svgElement("path", { class: `whisker side-${side}`,
          d: `M${x(figure[side] - half)},${middle + shift - 3}v6m0,-3H${x(figure[side] + half)}m0,-3v6` }));
      }
      svg.append(svgElement("circle", { class: `spot side-${side}`, cx: x(figure[side]), cy: middle + shift, r: 4 }));
    }
    const said = `${plain(figure.a)} \u2192 ${plain(figure.b)}${isNumber(figure.relative) ? `, ${signed(figure.relative)}` : ""}`;
    svg.append(narrow ? label(left, middle + 21, said, "start") : label(right + 10, middle + 4, said, "start"));
  });
  byId("latencies-chart").replaceChildren(svg);
}

// ---- differences ----

const MOST_BARS = 24;
const signed = (share) => (share > 0 ? "+" : "") + percent(share);

function differenceText(figure) {
  if (!isNumber(figure.difference)) return figure.relation;
  const half = isNumber(figure.half_width) ? ` \u00b1 ${inUnit(figure.path, figure.half_width)}` : "";
  const share = isNumber(figure.relative) ? ` (${signed(figure.relative)})` : "";
  return `${figure.difference > 0 ? "+" : ""}${inUnit(figure.path, figure.difference)}${half}${share}: ${figure.relation}`;
}

const numeric = figures.filter((figure) => isNumber(figure.relative) && figure.relation !== "equal");
const SHOWN_DIFFERENCES = [
  ["with an interval", numeric.filter((figure) => isNumber(figure.half_width))],
  ["latencies", numeric.filter((figure) => /latency/.test(figure.path) && !/packets$/.test(figure.path))],
  ["loads and packets", numeric.filter((figure) => /load|packets|books/.test(figure.path))],
  ["everything", numeric],
].filter(([, list]) => list.length > 0);
const nameOf = (figure) => (figure.point === undefined ? "" : figure.point + ": ") + figure.path;

function drawDifferences(width) {
  const list = [...SHOWN_DIFFERENCES.find(([name]) => name === byId("differences-which").value)[1]];
  const shown = list.sort((a, b) => Math.abs(b.relative) - Math.abs(a.relative)).slice(0, MOST_BARS);
  const narrow = width < 700;
  const half = (figure) => (isNumber(figure.half_width) ? figure.half_width / Math.abs(figure.a) : 0);
  const least = Math.min(0, ...shown.map((figure) => figure.relative - half(figure)));
  const most = Math.max(0, ...shown.map((figure) => figure.relative + half(figure)));
  const [left, right, step, top] = [narrow ? 8 : Math.min(380, width * 0.36), width - 96, narrow ? 42 : 26, 34];
  const x = scale(least, most, left + 4, right);
  const bottom = top + shown.length * step;
  const svg = svgOf(width, bottom + 26, "Differences in per cent");
  svg.append(label(left, 14, "(B \u2212 A) / |A|, %", "start", "title"));
  for (const value of ticks(least, most, narrow ? 4 : 7)) {
    svg.append(line(x(value), top - 8, x(value), bottom, value === 0 ? "axis" : "grid"), label(x(value), bottom + 16, trimmed(fixed(value * 100, 3))));
  }
  shown.forEach((figure, i) => {
    const y = top + i * step + (narrow ? 16 : 0);
    const [from, to] = [x(Math.min(0, figure.relative)), x(Math.max(0, figure.relative))];
    const name = nameOf(figure);
    const most = Math.floor((narrow ? width - 16 : left - 16) / 6.4);
    const short_name = name.length > most ? "\u2026" + name.slice(name.length - most + 1) : name;
    svg.append(narrow ? label(left, y - 4, short_name, "start", "name") : label(left - 10, y + 12, short_name, "end", "name"));
    svg.append(svgElement("rect", { class: `bar ${figure.relation}`, x: from, y: y + 1, width: Math.max(1, to - from), height: 14 },
      svgElement("title", null, `${name}: ${differenceText(figure)}`)));
    if (half(figure) > 0) svg.append(line(x(figure.relative - half(figure)), y + 8, x(figure.relative + half(figure)), y + 8, "interval"));
    svg.append(label(width - 4, y + 12, signed(figure.relative), "end"));
  });
  byId("differences-chart").replaceChildren(svg);
  const without = figures.filter((figure) => isNumber(figure.difference) && figure.difference !== 0 && !isNumber(figure.relative)).length;
  byId("differences-note").textContent = [
    list.length > shown.length ? `The ${shown.length} largest of ${list.length}; the table has all.` : "",
    without > 0 ? `Without a per cent, and in the table only: ${plural(without, "figure")} that A has as 0, or not known to be anything else.` : "",
  ].join(" ").trim();
}
