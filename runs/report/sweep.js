// SPDX-License-Identifier: Apache-2.0
// Curves of a sweep: latency and load over one of its settings, and its points as a table.

const sweep = objectOf(detail.sweep);
const sweepPoints = listOf(sweep.points).filter((point) => isObject(point) && isObject(point.values));
const sweepX = (point) => point.values[sweep.axis];
const MOST_CURVES = 8;

/** Points by the values of the other settings, each in the order of the axis. */
const sweepCurves = (() => {
  const curves = new Map();
  for (const point of sweepPoints) {
    if (!isNumber(point.accepted_load)) continue;
    const others = Object.entries(point.values).filter(([name]) => name !== sweep.axis).map(([name, value]) => `${name} ${value}`);
    const name = others.join(", ");
    if (!curves.has(name)) curves.set(name, []);
    curves.get(name).push(point);
  }
  return [...curves].map(([name, points]) => ({ name, points: points.sort((a, b) => sweepX(a) - sweepX(b)) }));
})();

/** Its latency depends on the length of the run, or may. */
const isUnsteady = (point) => ["saturated", "undecided"].includes(point.steady_state);

/** A line through the points that have the figure, and a dot on each, hollow when it is unsteady. */
function sweepCurve(svg, points, x, y, key, name, colour) {
  const known = points.filter((point) => isNumber(point[key]));
  const at = (point) => [x(sweepX(point)).toFixed(1), y(point[key]).toFixed(1)];
  svg.append(svgElement("path", { class: `curve ${name} colour-${colour}`, d: known.map((point, i) => (i ? "L" : "M") + at(point).join(",")).join("") }));
  for (const point of known) {
    const [cx, cy] = at(point);
    svg.append(svgElement("circle", { class: `dot ${name} colour-${colour}${isUnsteady(point) ? " hollow" : ""}`, cx, cy, r: name === "fine" ? 2 : 3.5 }));
  }
}

function sweepPanel(svg, { top, bottom, left, right, x, keys, title, format, log }) {
  const values = sweepCurves.flatMap((curve) => curve.points.flatMap((point) => keys.map((key) => point[key]))).filter(isNumber);
  const most = Math.max(...values, 1e-9);
  const least = Math.min(...values.filter((value) => value > 0), most);
  const byLog = log && most > 20 * least;
  const y = byLog ? scale(least, most, bottom, top, true) : scale(0, most, bottom, top);
  svg.append(label(left, top - 12, title + (byLog ? " (log)" : ""), "start", "title"));
  leftAxis(svg, byLog ? logTicks(least, most) : ticks(0, most, 4), y, left, right, format);
  svg.append(line(left, bottom, right, bottom, "axis"));
  sweepCurves.slice(0, MOST_CURVES).forEach((curve, i) => {
    sweepCurve(svg, curve.points, x, y, keys[1], "fine", i);
    sweepCurve(svg, curve.points, x, y, keys[0], "strong", i);
  });
}

function sweepText(at) {
  const parts = sweepCurves.flatMap(({ name, points }) => points.filter((point) => sweepX(point) === at).map((point) =>
    `${name ? name + ": " : ""}mean ${nsText(point.latency_mean_ns)}, p99 ${nsText(point.latency_p99_ns)}, ` +
    `accepted ${percent(point.accepted_load)}${isUnsteady(point) ? `, ${point.steady_state}` : ""}`));
  return `${sweep.axis} ${plain(at)} \u2013 ${parts.join(" \u00b7 ")}`;
}

function drawSweepChart(width) {
  const [left, right] = [width < 600 ? 52 : 66, width - 12];
  const places = [...new Set(sweepCurves.flatMap((curve) => curve.points.map(sweepX)))].sort((a, b) => a - b);
  const x = scale(places[0], places[places.length - 1], left + 8, right - 8);
  const svg = chartSvg(width, 470, "Latency and load of the points, arrow keys move over them");
  const common = { left, right, x };
  sweepPanel(svg, { ...common, top: 34, bottom: 244, keys: ["latency_mean_ns", "latency_p99_ns"], format: plain, log: true,
    title: "latency in ns: mean (strong), p99 (fine)" });
  sweepPanel(svg, { ...common, top: 290, bottom: 426, keys: ["accepted_load", "offered_load"], format: percent, log: false,
    title: "load: accepted (strong), offered (fine)" });
  for (const value of ticks(places[0], places[places.length - 1], Math.max(3, Math.floor((right - left) / 90)))) {
    svg.append(label(x(value), 444, plain(value)));
  }
  svg.append(label((left + right) / 2, 464, sweep.axis, "middle", "title"));
  const cursor = svgElement("rect", { class: "cursor", y: 20, height: 406, width: 0 });
  svg.append(cursor);
  byId("sweep-chart").replaceChildren(svg);
  const near = (px) => places.reduce((best, value, i) => (Math.abs(x(value) - px) < Math.abs(x(places[best]) - px) ? i : best), 0);
  attachCursor(svg, byId("sweep-readout"), {
    length: places.length,
    hint: "Point at the chart, or focus it and use the arrow keys. Hollow: saturated or undecided.",
    at: near,
    show: (i) => {
      cursor.setAttribute("width", i < 0 ? 0 : 6);
      if (i < 0) return "";
      cursor.setAttribute("x", x(places[i]) - 3);
      return sweepText(places[i]);
    },
  });
}

function drawSweep() {
  if (sweepPoints.length === 0) return;
  open("sweep");
  byId("sweep").querySelector("small").textContent = listOf(sweep.swept).map((one) => `${one.option} ${one.range}`).join(", ");
  if (sweepCurves.length > 0) drawOnResize(byId("sweep-chart"), drawSweepChart);
  const named = sweepCurves.filter((curve) => curve.name !== "");
  byId("sweep").querySelector(".key").append(...named.slice(0, MOST_CURVES).flatMap((curve, i) =>
    [element("span", { class: `swatch colour-${i}` }), curve.name]));
  if (named.length > MOST_CURVES) byId("sweep").querySelector(".key").append(` and ${count(named.length - MOST_CURVES)} more in the table`);
  const rows = sweepPoints.map(({ values, ...figures }) => ({ ...values, ...figures }));
  const columns = new Map(columnsOf(rows).map((column) => [column.name, column]));
  sortableTable(byId("sweep-table"), rows, listOf(sweep.columns).map((key) => columns.get(words(key))).filter(Boolean));
}
