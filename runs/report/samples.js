// SPDX-License-Identifier: Apache-2.0
// Time series: lines of the whole and of its classes over the run, with the phases of jobs; maps of groups, ports, links.

const samples = objectOf(detail.samples);
const sampleLines = listOf(samples.lines).filter(isObject);
const sampleClasses = sampleLines.filter((one) => one.scope === "class");
const sampleMaps = listOf(samples.maps).filter((map) => isObject(map) && listOf(map.names).length > 0 && listOf(map.figures).length > 0);
const samplePhases = listOf(samples.phases).filter(isObject);

const sampleEnd = (i) => Math.min(samples.cycles, (i + 1) * samples.interval_cycles);
const sampleMicro = (cycles) => (cycles * samples.cycle_ns) / 1000;
const sampleMiddle = (i) => sampleMicro((i * samples.interval_cycles + sampleEnd(i)) / 2);
const sampleSpan = (i) => `${fixed(sampleMicro(i * samples.interval_cycles), 2)}\u2013${fixed(sampleMicro(sampleEnd(i)), 2)} \u00b5s`;

/** Fields of the picture: the figures of each, with their names; the first one is drawn strong, the other fine. */
const samplePanels = [
  { title: "load", keys: ["accepted", "offered"], names: ["accepted", "offered"], format: percent, at: sampleMiddle },
  { title: "latency, ns", keys: ["mean", "p99"], names: ["mean", "p99"], format: plain, at: sampleMiddle, log: true },
  { title: "words waiting", keys: ["sources", "network"], names: ["at sources", "in network"], format: plain,
    at: (i) => sampleMicro(sampleEnd(i)) },
  { title: "cells waiting", keys: ["buffers"], names: ["in input buffers"], format: plain, at: (i) => sampleMicro(sampleEnd(i)) },
];

/** A line through the values that are known; it has a gap where one is not, and one alone is a dot. */
function samplePath(values, at, x, y) {
  let path = "";
  let open = false;
  listOf(values).forEach((value, i) => {
    if (isNumber(value)) path += `${open ? "L" : "M"}${x(at(i)).toFixed(1)},${y(value).toFixed(1)}${open ? "" : "h0"}`;
    open = isNumber(value);
  });
  return path;
}

function samplePanel(svg, panel, lines, { x, left, right, top, bottom, narrow }) {
  const isKnown = (key) => lines.some((one) => listOf(one[key]).some(isNumber));
  const names = panel.names.map((name, k) => [name, panel.keys[k], k ? "fine" : "strong"]).filter(([, key]) => isKnown(key));
  const title = `${panel.title}: ${names.map(([name, , how]) => (names.length > 1 ? `${name} (${how})` : name)).join(", ")}`;
  const values = lines.flatMap((one) => panel.keys.flatMap((key) => listOf(one[key]))).filter(isNumber);
  const most = Math.max(...values, 0) || 1;
  const least = Math.min(...values.filter((value) => value > 0), most);
  const byLog = panel.log && most > 20 * least;
  const y = byLog ? scale(least, most, bottom, top, true) : scale(0, most, bottom, top);
  svg.append(label(narrow ? 0 : left, top - 10, title + (byLog ? " (log)" : ""), "start", "title"));
  leftAxis(svg, byLog ? logTicks(least, most) : ticks(0, most, 3), y, left, right, panel.format);
  svg.append(line(left, bottom, right, bottom, "axis"));
  lines.forEach((one, i) => panel.keys.forEach((key, k) => {
    if (!listOf(one[key]).some(isNumber)) return;
    svg.append(svgElement("path", { class: `curve ${k ? "fine" : "strong"} colour-${i}`, d: samplePath(one[key], panel.at, x, y) }));
  }));
}

const MOST_MARKS = 20;

/** Jobs as bars over the lines: their iterations in turn light and dark, and marked down to `bottom` where they are few. */
function samplePhaseBars(svg, x, left, right, top, bottom) {
  samplePhases.forEach((job, row) => {
    const y = top + row * 18;
    const bar = (begin, end, name) => svg.append(svgElement("rect", { class: `phase ${name}`, y, height: 12,
      x: x(sampleMicro(begin)).toFixed(1), width: Math.max(0.5, x(sampleMicro(end)) - x(sampleMicro(begin))).toFixed(1) }));
    const iterations = listOf(job.iterations);
    const done = iterations.length ? iterations[iterations.length - 1][1] : 0;
    bar(0, isNumber(job.end) ? job.end : samples.cycles, isNumber(job.end) ? "whole" : "whole undone");
    iterations.forEach(([begin, end], i) => bar(begin, end, i % 2 ? "odd" : "even"));
    const marks = iterations.length > MOST_MARKS ? [] : iterations.map(([, end]) => end);
    for (const at of marks.concat(isNumber(job.end) ? [job.end] : [])) {
      svg.append(line(x(sampleMicro(at)), y, x(sampleMicro(at)), bottom, "row-edge"));
    }
    const text = `${job.name}: ${plural(job.iterations_done, "iteration")}` + (isNumber(job.end) ? `, done at ${fixed(sampleMicro(job.end), 2)} \u00b5s` : ", not done") +
      (job.iterations_done > iterations.length ? `; marked up to ${fixed(sampleMicro(done), 2)} \u00b5s` : "");
    const letters = Math.floor((right - left - 4) / 6.5);
    const shown = label(left + 4, y + 10, text.length <= letters ? text : text.slice(0, letters - 1) + "\u2026", "start", "title");
    shown.append(svgElement("title", null, text));
    svg.append(shown);
  });
}

/** What a plan, or an end of a link, did: dashed lines over all fields. */
function sampleFaultMarks(svg, x, top, bottom) {
  for (const mark of listOf(objectOf(detail.faults).marks).filter((one) => isNumber(one.cycle) && one.cycle <= samples.cycles)) {
    const at = x(sampleMicro(mark.cycle));
    const shown = line(at, top, at, bottom, "fault");
    shown.append(svgElement("title", null, `${text(mark.what)}, cycle ${count(mark.cycle)}`));
    svg.append(shown);
  }
}

function sampleText(i, lines) {
  const parts = lines.map((one) => {
    const value = (key, format) => (isNumber(listOf(one[key])[i]) ? format(one[key][i]) : null);
    const said = [["accepted", "accepted", percent], ["offered", "offered", percent], ["mean", "mean", nsText], ["p99", "p99", nsText],
      ["sources", "at sources", count], ["network", "in the network", count], ["buffers", "in buffers", count]]
      .map(([key, name, format]) => [name, value(key, format)]).filter(([, shown]) => shown !== null);
    return `${one.scope === "class" ? `class ${one.name}: ` : ""}${said.map(([name, shown]) => `${name} ${shown}`).join(", ")}`;
  });
  return `${sampleSpan(i)} \u2013 ${parts.join(" \u00b7 ")}`;
}

function drawSampleChart(width) {
  const byClass = byId("samples-view").value === "class";
  const lines = byClass ? sampleClasses : sampleLines.filter((one) => one.scope !== "class");
  const panels = samplePanels.filter((panel) => panel.keys.some((key) => lines.some((one) => listOf(one[key]).some(isNumber))));
  const [left, right] = [width < 600 ? 56 : 70, width - 14];
  const head = 12 + samplePhases.length * 18;
  const tall = 150;
  const bottomOf = (p) => head + (p + 1) * tall - 22;
  const height = head + panels.length * tall + 26;
  const x = scale(0, sampleMicro(samples.cycles), left, right);
  const svg = chartSvg(width, height, "Load, latency and queues over time, arrow keys move over the intervals");
  samplePhaseBars(svg, x, left, right, 4, height - 48);
  sampleFaultMarks(svg, x, head, height - 48);
  panels.forEach((panel, p) => samplePanel(svg, panel, lines, { x, left, right, top: bottomOf(p) - 100, bottom: bottomOf(p), narrow: width < 600 }));
  for (const value of ticks(0, sampleMicro(samples.cycles), Math.max(3, Math.floor((right - left) / 90)))) {
    svg.append(label(x(value), height - 26, plain(value)));
  }
  svg.append(label((left + right) / 2, height - 6, "time since the begin of traffic, \u00b5s", "middle", "title"));
  const cursor = svgElement("rect", { class: "cursor", y: head, height: Math.max(0, height - head - 42), width: 0 });
  svg.append(cursor);
  byId("samples-chart").replaceChildren(svg);
  attachCursor(svg, byId("samples-readout"), {
    length: samples.intervals,
    hint: "Point at the chart, or focus it and use the arrow keys.",
    at: (px) => Math.max(0, Math.min(samples.intervals - 1, Math.floor((x.inverse(px) * 1000) / samples.cycle_ns / samples.interval_cycles))),
    show: (i) => {
      cursor.setAttribute("width", i < 0 ? 0 : Math.max(1, x(sampleMicro(sampleEnd(i))) - x(sampleMicro(i * samples.interval_cycles))));
      if (i < 0) return "";
      cursor.setAttribute("x", x(sampleMicro(i * samples.interval_cycles)));
      return sampleText(i, lines);
    },
  });
}

const SAMPLE_SHARES = ["utilisation", "accepted load", "offered load"];

function drawSampleMap() {
  const map = sampleMaps[byId("samples-scope").value];
  const { name, rows } = map.figures[byId("samples-metric").value];
  const isShare = SAMPLE_SHARES.includes(name);
  const most = Math.max(1, ...rows.flat().filter(isNumber));
  const format = isShare ? percent : plain;
  const shown = squareMap(byId("samples-map"), byId("samples-map-readout"), {
    rows: rows.length, cols: samples.intervals, stretch: byId("samples-stretch").checked, wide: true,
    value: (row, col) => (isNumber(rows[row][col]) ? rows[row][col] / most : NaN),
    rowName: (row) => map.names[row], colName: (col) => plain(Number(sampleMicro(col * samples.interval_cycles).toPrecision(3))),
    rowTitle: map.scope, colTitle: "time in \u00b5s", name: `${name} over time`, none: "not known",
    said: (row, col, share) => `${map.scope} ${map.names[row]}, ${sampleSpan(col)}` + (isNumber(share) ? `: ${name} ${format(rows[row][col])}` : ""),
  });
  byId("samples-legend").firstChild.textContent = format(shown.low * most);
  byId("samples-legend").lastChild.textContent = format(shown.high * most);
  byId("samples-map-note").textContent = map.of > map.names.length
    ? `The ${count(map.names.length)} busiest of ${count(map.of)}; all are in samples.csv.` : "";
}

function drawSampleMaps() {
  if (sampleMaps.length === 0) return;
  open("samples-maps");
  const scope = byId("samples-scope");
  const metric = byId("samples-metric");
  sampleMaps.forEach((map, i) => scope.append(element("option", { value: i }, text(map.scope))));
  scope.value = sampleMaps.length - 1;
  const choose = () => {
    metric.replaceChildren(...sampleMaps[scope.value].figures.map((one, i) => element("option", { value: i }, text(one.name))));
    drawSampleMap();
  };
  scope.addEventListener("change", choose);
  metric.addEventListener("change", drawSampleMap);
  byId("samples-stretch").addEventListener("change", drawSampleMap);
  choose();
  drawOnResize(byId("samples-map"), drawSampleMap);
}

function drawSamples() {
  if (!(samples.intervals > 0) || sampleLines.length === 0) return;
  open("samples");
  byId("samples").querySelector("small").textContent =
    `${plural(samples.intervals, "interval")} of ${cyclesText(samples.interval_cycles)}, ${nsText(samples.interval_cycles * samples.cycle_ns)}`;
  const view = byId("samples-view");
  view.parentNode.hidden = sampleClasses.length < 2;
  const key = byId("samples").querySelector(".key");
  const draw = (width) => {
    key.replaceChildren(...(view.value === "class" ? sampleClasses.flatMap((one, i) =>
      [element("span", { class: `swatch colour-${i}` }), `class ${one.name}`]) : []));
    drawSampleChart(width);
  };
  view.addEventListener("change", () => draw(byId("samples-chart").clientWidth || PRINT_WIDTH));
  drawOnResize(byId("samples-chart"), draw);
  drawSampleMaps();
}
