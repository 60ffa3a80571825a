// SPDX-License-Identifier: Apache-2.0
// Curves of a sweep: latency and load over one of its settings, a chart for each traffic.

const MOST_CURVES = 24;
const SHAPES = ["circle", "square", "triangle", "diamond", "down", "hexagon"];

/** Charts of the sweep, in the order of its points: {title, curves: [{index, points}]}; curves are named by their index. */
const sweepCurves = [];
const sweepCharts = (() => {
  const charts = new Map();
  for (const point of sweepPoints) {
    if (!sweepFigures.some(({ key }) => isNumber(point[key]))) continue;
    const others = Object.entries(point.values).filter(([name, value]) => name !== sweep.axis && value !== null);
    const said = (list) => list.map(([name, value]) => `${name} ${value}`).join(", ");
    const title = said(others.filter(([name]) => name === "traffic"));
    const name = said(others.filter(([name]) => name !== "traffic"));
    if (!sweepCurves.includes(name)) sweepCurves.push(name);
    if (!charts.has(title)) charts.set(title, new Map());
    const curves = charts.get(title);
    if (!curves.has(name)) curves.set(name, []);
    curves.get(name).push(point);
  }
  return [...charts].map(([title, curves]) => ({ title, curves: [...curves].map(([name, points]) =>
    ({ name, index: sweepCurves.indexOf(name), points: points.sort((a, b) => sweepX(a) - sweepX(b)) })) }));
})();

/** The outline of a point, as wide in every shape. */
function shapePath(shape, x, y, r) {
  if (shape === "circle") return `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`;
  const [corners, turn] = { square: [4, 0.125], triangle: [3, 0], diamond: [4, 0], down: [3, 0.5], hexagon: [6, 0] }[shape];
  const at = (i) => [x + 1.3 * r * Math.sin(2 * Math.PI * (turn + i / corners)), y - 1.3 * r * Math.cos(2 * Math.PI * (turn + i / corners))];
  return Array.from({ length: corners }, (_, i) => (i ? "L" : "M") + at(i).map((v) => v.toFixed(1)).join(",")).join("") + "Z";
}

const look = (index) => `colour-${index % 8}`;
const mark = (index, x, y, kind) =>
  svgElement("path", { class: `dot ${look(index)} ${kind}`, d: shapePath(SHAPES[index % SHAPES.length], x, y, 3.5) });

/** A line through the points that have the figure, dashed to and from those that are unsteady, a shape and the interval at each. */
function sweepCurve(svg, { index, points }, x, y, { key, half }) {
  const known = points.filter((point) => isNumber(point[key]));
  const at = (point) => [Number(x(sweepX(point)).toFixed(1)), Number(y(point[key]).toFixed(1))];
  known.forEach((point, i) => {
    if (i === 0 || !sweepIsNumeric) return;
    const dashed = isUnsteady(point) || isUnsteady(known[i - 1]) ? " dashed" : "";
    svg.append(svgElement("path", { class: `curve ${look(index)}${dashed}`, d: `M${at(known[i - 1])}L${at(point)}` }));
  });
  for (const point of known) {
    const [cx, cy] = at(point);
    if (half && point[half] > 0) {
      svg.append(svgElement("path", { class: `curve fine ${look(index)}`, d: `M${cx},${y(point[key] - point[half]).toFixed(1)}V${y(point[key] + point[half]).toFixed(1)}` }));
    }
    svg.append(mark(index, cx, cy, isUnsteady(point) ? "hollow" : ""));
    if (point.steady_state === "undecided") svg.append(svgElement("circle", { class: `spot-in ${look(index)}`, cx, cy, r: 1.2 }));
  }
}

/** A figure's panel; its axis is the same in all charts. */
function sweepPanel(svg, curves, figure, { top, bottom, left, right, x }) {
  const values = sweepPoints.map((point) => point[figure.key]).filter(isNumber);
  const most = Math.max(...values, 1e-9);
  const least = Math.min(...values.filter((value) => value > 0), most);
  const byLog = !figure.fromZero && most > 20 * least;
  const y = byLog ? scale(least, most, bottom, top, true) : scale(0, most, bottom, top);
  svg.append(label(left, top - 12, figure.title + (byLog ? ", log scale" : ""), "start", "title"));
  leftAxis(svg, byLog ? logTicks(least, most) : ticks(0, most, 5), y, left, right, plain);
  svg.append(line(left, bottom, right, bottom, "axis"));
  for (const curve of curves) if (curve.index < MOST_CURVES) sweepCurve(svg, curve, x, y, figure);
}

function sweepText({ title, curves }, at) {
  const parts = curves.flatMap(({ name, points }) => points.filter((point) => sweepX(point) === at).map((point) =>
    `${name ? name + ": " : ""}mean ${nsText(point.latency_mean_ns)}, p99 ${nsText(point.latency_p99_ns)}, ` +
    `accepted ${percent(point.accepted_load)}${isUnsteady(point) ? `, ${point.steady_state}` : ""}`));
  return `${title ? title + ", " : ""}${sweep.axis} ${sweepXText(at)} \u2013 ${parts.join(" \u00b7 ")}`;
}

const PANEL = 132;

function drawSweepChart(place, chart, width) {
  const [left, right] = [width < 600 ? 52 : 66, width - 12];
  const places = [...new Set(sweepCharts.flatMap(({ curves }) => curves.flatMap(({ points }) => points.map(sweepX))))].sort((a, b) => a - b);
  const inset = sweepIsNumeric ? 8 : (right - left) / places.length / 2;
  const x = scale(places[0], places[places.length - 1], left + inset, right - inset);
  const begin = chart.title ? 26 : 6;
  const height = begin + sweepFigures.length * (PANEL + 66) - 4;
  const svg = chartSvg(width, height, `Figures of the points${chart.title ? ", " + chart.title : ""}, arrow keys move over them`);
  if (chart.title) svg.append(label(left, 14, chart.title, "start", "title strong"));
  const wanted = Math.max(2, Math.floor((right - left) / 60));
  const every = Math.ceil(places.length / wanted);
  const marks = sweepIsNumeric ? ticks(places[0], places[places.length - 1], Math.min(10, wanted)) : places.filter((_, i) => i % every === 0);
  const letters = Math.floor((right - left) / places.length * every / 7) - 1;
  const shown = (value) => (sweepIsNumeric || sweepXText(value).length <= letters ? sweepXText(value) : sweepXText(value).slice(0, letters - 1) + "\u2026");
  sweepFigures.forEach((figure, i) => {
    const top = begin + 24 + i * (PANEL + 66);
    sweepPanel(svg, chart.curves, figure, { left, right, x, top, bottom: top + PANEL });
    for (const value of marks) svg.append(label(x(value), top + PANEL + 16, shown(value)));
    svg.append(label((left + right) / 2, top + PANEL + 32, sweepAxisTitle(sweep.axis)));
  });
  const cursor = svgElement("rect", { class: "cursor", y: begin, height: height - begin - 48, width: 0 });
  svg.append(cursor);
  place.replaceChildren(svg);
  const near = (px) => places.reduce((best, value, i) => (Math.abs(x(value) - px) < Math.abs(x(places[best]) - px) ? i : best), 0);
  attachCursor(svg, byId("sweep-readout"), {
    length: places.length,
    hint: "Point at a chart, or focus it and use the arrow keys. Hollow: saturated or undecided (with a dot). Bars: 95 % confidence.",
    at: near,
    show: (i) => {
      cursor.setAttribute("width", i < 0 ? 0 : 6);
      if (i < 0) return "";
      cursor.setAttribute("x", x(places[i]) - 3);
      return sweepText(chart, places[i]);
    },
  });
}

/** The charts side by side where there is room for two. */
function drawSweepCharts() {
  const place = byId("sweep-chart");
  place.classList.toggle("pair", sweepCharts.length > 1);
  for (const chart of sweepCharts) {
    const own = element("div");
    place.append(own);
    drawOnResize(own, (width) => drawSweepChart(own, chart, width));
  }
  const named = sweepCurves.filter((name) => name !== "").slice(0, MOST_CURVES);
  const key = byId("sweep").querySelector(".key");
  key.append(...named.map((name, i) => {
    const sample = svgElement("svg", { width: 26, height: 12, class: "sample" },
      svgElement("path", { class: `curve ${look(i)}`, d: "M0,6H26" }));
    const shape = mark(i, 13, 6, "");
    shape.classList.replace("dot", "dot-sample");
    sample.append(shape);
    return element("span", { class: "entry" }, sample, name);
  }));
  if (sweepCurves.length > MOST_CURVES) key.append(` and ${count(sweepCurves.length - MOST_CURVES)} more in the table`);
}

function drawSweep() {
  if (sweepPoints.length === 0) return;
  open("sweep");
  byId("sweep").querySelector("small").textContent = listOf(sweep.swept).map((one) => `${one.option} ${one.range}`)
    .concat(Object.entries(objectOf(sweep.named)).map(([option, value]) => `${option} ${value}`)).join("; ")
    .replace(/,/g, ",\u200b");  // where a line may break
  if (sweepCharts.length > 0 && (!sweepHasMaps || sweep.axis === "load")) drawSweepCharts();
  if (sweepHasMaps) drawSweepMaps();
  const rows = sweepPoints.map(({ values, ...figures }) => ({ ...values, ...figures }));
  const columns = new Map(columnsOf(rows).map((column) => [column.name, column]));
  sortableTable(byId("sweep-table"), rows, listOf(sweep.columns).map((key) => columns.get(words(key))).filter(Boolean));
}
