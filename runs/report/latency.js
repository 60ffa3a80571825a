// SPDX-License-Identifier: Apache-2.0
// Latency: percentiles, histogram, and under it the cumulative share (with log counts: the tail).

const STATISTICS = [["min", "min"], ["p1", "p1"], ["median", "median"], ["mean", "mean"], ["p99", "p99"], ["p999", "p99.9"], ["max", "max"]];

function drawPercentiles() {
  const ns = objectOf(results.latency_ns);
  const cycles = objectOf(results.latency_cycles);
  const list = byId("percentiles");
  for (const [key, name] of STATISTICS) {
    if (!isNumber(ns[key]) && !isNumber(cycles[key])) continue;
    const main = isNumber(ns[key]) ? nsText(ns[key]) : cyclesText(cycles[key]);
    const second = isNumber(ns[key]) && isNumber(cycles[key]) ? cyclesText(cycles[key]) : null;
    list.append(element("li", null, element("span", null, name), element("b", null, main),
      second && element("span", null, second)));
  }
  return list.childElementCount > 0;
}

/** [[cycles, packets]] in order, without empty entries. */
const latencies = listOf(detail.latency_histogram)
  .filter((entry) => Array.isArray(entry) && isNumber(entry[0]) && entry[1] > 0)
  .sort((a, b) => a[0] - b[0]);
const measured = sum(latencies.map((entry) => entry[1]));

/** The latency that 99.9 % of the packets do not exceed. */
const trimAt = (() => {
  let above = measured;
  for (const [cycles, packets] of latencies) if ((above -= packets) <= measured * 0.001) return cycles;
  return 0;
})();

/** Edges in whole cycles, at most about `wanted` bins: equally wide, or of a constant ratio. */
function binEdges(low, high, wanted, log) {
  const edges = [];
  if (log) {
    const ratio = Math.max(1.0001, ((high + 1) / low) ** (1 / wanted));
    for (let edge = low; edge <= high; edge = Math.max(edge + 1, Math.round(edge * ratio))) edges.push(edge);
  } else {
    const rough = (high - low + 1) / wanted;
    const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
    const width = [1, 2, 5, 10].map((m) => m * power).find((w) => w >= rough);
    for (let edge = Math.floor(low / width) * width; edge <= high; edge += width) edges.push(edge);
    edges.width = width;
    edges.push(edges[edges.length - 1] + width);
    return edges;
  }
  edges.push(Math.max(high + 1, edges[edges.length - 1] + 1));
  return edges;
}

/** The bins that hold packets: {from, to (exclusive), packets, below: packets up to its end}. */
function binsOf(edges) {
  const bins = [];
  let below = 0;
  let next = 0;
  for (let i = 0; i + 1 < edges.length; i++) {
    let packets = 0;
    while (next < latencies.length && latencies[next][0] < edges[i + 1]) packets += latencies[next++][1];
    below += packets;
    if (packets > 0) bins.push({ from: edges[i], to: edges[i + 1], packets, below });
  }
  return bins;
}

function binText(bin) {
  const last = bin.to - 1;
  const range = (low, high) => (low === high ? low : `${low}\u2013${high}`);
  const digits = last * (cycleNs || 1) < 10000 ? 1 : 0;
  const cycles = unit(range(count(bin.from), count(last)), last === 1 ? "cycle" : "cycles");
  const time = cycleNs === null ? cycles
    : `${unit(range(fixed(bin.from * cycleNs, digits), fixed(last * cycleNs, digits)), "ns")} (${cycles})`;
  return `${time}: ${plural(bin.packets, "packet")}, ${percent(bin.packets / measured)} of all; ` +
    `${percent(bin.below / measured)} at or below, ${plural(measured - bin.below, "packet")} above`;
}

/** The path of the cumulative share, or of the share above, exact to a pixel. */
function cumulativePath(x, y, tail, end) {
  let path = "";
  let below = 0;
  let lastX = -1;
  const share = () => (tail ? (measured - below) / measured : below / measured);
  for (const [cycles, packets] of latencies) {
    const before = share();
    below += packets;
    const px = x(cycles);
    if (px > end) break;
    if (px - lastX < 0.4 && below < measured) continue;
    path += path === "" ? `M${px.toFixed(1)},${y(before).toFixed(1)}` : `H${px.toFixed(1)}`;
    path += `V${y(share()).toFixed(1)}`;
    lastX = px;
  }
  return path + `H${end.toFixed(1)}`;
}

function percentileMarks(svg, x, top, bottom, right) {
  let free = -Infinity;
  for (const [key, name] of [["median", "median"], ["p99", "p99"], ["p999", "p99.9"]]) {
    const cycles = objectOf(results.latency_cycles)[key];
    if (!isNumber(cycles)) continue;
    const at = x(cycles + 0.5);
    if (at > right) continue;
    svg.append(line(at, top, at, bottom, "mark-line"));
    const half = name.length * 3.6;
    const centre = Math.min(at, right - half);
    if (centre - half < free) continue;
    svg.append(label(centre, top - 6, name, "middle", "mark-label"));
    free = centre + half + 4;
  }
}

function drawLatencyChart(width) {
  const logCount = byId("log-count").checked;
  const logLatency = byId("log-latency").checked;
  const left = Math.max(width < 600 ? 46 : 58, 11 + 7 * count(measured).length);  // no bin has more
  const right = width - 8;
  const [top, middle, second, bottom] = [38, 226, 268, 400];
  const low = logLatency ? Math.max(1, latencies[0][0]) : latencies[0][0];
  const high = Math.max(low, byId("trim").checked ? trimAt : latencies[latencies.length - 1][0]);
  const edges = binEdges(low, high, Math.floor((right - left) / 6), logLatency);
  const bins = binsOf(edges);
  const x = scale(edges[0], edges[edges.length - 1], left, right, logLatency);
  const most = Math.max(...bins.map((bin) => bin.packets));
  const y = logCount ? scale(0.6, Math.max(2, most), middle, top, true) : scale(0, most, middle, top);
  const floor = 1 / measured;
  const y2 = logCount ? scale(floor / 2, 1, bottom, second, true) : scale(0, 1, bottom, second);

  const svg = chartSvg(width, bottom + 42, "Latency distribution, arrow keys move over the bins");
  svg.append(label(left, 14, logCount ? "packets (log)" : "packets", "start", "title"));
  leftAxis(svg, logCount ? logTicks(1, Math.max(2, most)) : ticks(0, most, 4).filter(Number.isInteger), y, left, right, count);
  svg.append(label(left, second - 10, logCount ? "share of packets above (log)" : "share of packets at or below", "start", "title"));
  leftAxis(svg, logCount ? logTicks(floor / 2, 1) : [0, 0.25, 0.5, 0.75, 1], y2, left, right,
    logCount ? shortPercent : (v) => unit(fixed(v * 100), "%"));
  latencyAxis(svg, x, edges, bottom, logLatency, Math.max(3, Math.floor((right - left) / 90)));

  for (const bin of bins) {
    const from = x(bin.from);
    const wide = Math.max(1, x(bin.to) - from - 0.6);
    svg.append(svgElement("rect", { class: "bin", x: from.toFixed(2), y: y(bin.packets).toFixed(2), width: wide.toFixed(2),
      height: Math.max(1, middle - y(bin.packets)).toFixed(2) }));
  }
  svg.append(line(left, middle, right, middle, "axis"));
  svg.append(svgElement("path", { class: "cdf", d: cumulativePath(x, y2, logCount, right) }));
  percentileMarks(svg, x, top, bottom, right);

  const cursor = svgElement("rect", { class: "cursor", y: top, height: bottom - top, width: 0 });
  svg.append(cursor);
  byId("latency-chart").replaceChildren(svg);
  const beyond = measured - bins[bins.length - 1].below;
  byId("latency-note").textContent = `${plural(measured, "packet")}${beyond > 0 ? `, ${count(beyond)} of them beyond the right end` : ""}; ` +
    (edges.width ? `bins of ${cyclesText(edges.width)}` : "bins of a constant ratio, at least a cycle wide") +
    (cycleNs === null ? "." : `; a cycle is ${unit(plain(cycleNs), "ns")}.`);
  attachCursor(svg, byId("latency-readout"), {
    length: bins.length,
    hint: "Point at the chart, or focus it and use the arrow keys.",
    at: (px) => nearestBin(bins, x.inverse(px)),
    show: (i) => {
      cursor.setAttribute("width", i < 0 ? 0 : Math.max(3, x(bins[i].to) - x(bins[i].from)));
      if (i < 0) return "";
      cursor.setAttribute("x", x(bins[i].from));
      return binText(bins[i]);
    },
  });
}

/** 1 %, 0.1 %, 0.01 %, then powers. */
const shortPercent = (share) =>
  share >= 0.99e-5 ? unit(String(Number((share * 100).toPrecision(2))), "%") : "1e" + Math.round(Math.log10(share));

function latencyAxis(svg, x, edges, bottom, log, wanted) {
  const perCycle = cycleNs === null ? 1 : cycleNs;
  const low = edges[0] * perCycle;
  const high = edges[edges.length - 1] * perCycle;
  svg.append(line(x(edges[0]), bottom, x(edges[edges.length - 1]), bottom, "axis"));
  for (const value of log && high / low > 4 ? logTicks(low, high) : ticks(low, high, wanted)) {
    const at = x(value / perCycle);
    svg.append(line(at, bottom, at, bottom + 5, "axis"), label(at, bottom + 18, plain(value)));
  }
  svg.append(label((x(edges[0]) + x(edges[edges.length - 1])) / 2, bottom + 37,
    `latency, ${cycleNs === null ? "cycles" : "ns"}${log ? " (log)" : ""}`, "middle", "title"));
}

/** The bin whose range is nearest to a latency in cycles. */
function nearestBin(bins, cycles) {
  const distance = (bin) => (cycles < bin.from ? bin.from - cycles : cycles >= bin.to ? cycles - bin.to : 0);
  let best = 0;
  for (let i = 1; i < bins.length; i++) if (distance(bins[i]) < distance(bins[best])) best = i;
  return best;
}

function drawLatency() {
  const any = drawPercentiles();
  if (!any && latencies.length === 0 && !Array.isArray(detail.latency_histogram)) return;
  open("latency");
  byId("percentiles").hidden = !any;
  if (latencies.length === 0) {
    for (const part of document.querySelectorAll('[data-for="chart"]')) part.hidden = true;
    if (Array.isArray(detail.latency_histogram)) open("latency").append(element("p", { class: "note" }, "No packet was delivered."));
    return;
  }
  const place = byId("latency-chart");
  drawOnResize(place, drawLatencyChart);
  for (const id of ["log-count", "log-latency", "trim"]) {
    byId(id).addEventListener("change", () => drawLatencyChart(place.clientWidth));
  }
}
