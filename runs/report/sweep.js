// SPDX-License-Identifier: Apache-2.0
// The points of a sweep: what is drawn of them, and over what.

const sweep = objectOf(detail.sweep);
const sweepPoints = listOf(sweep.points).filter((point) => isObject(point) && isObject(point.values));

/** Figures that points have, as sweep.svg draws them. */
const sweepFigures = [
  { title: "mean latency, ns", key: "latency_mean_ns", half: "steady_latency_half_width_ns" },
  { title: "p99 latency, ns", key: "latency_p99_ns" },
  { title: "accepted load, share of the word slots", key: "accepted_load", half: "steady_accepted_load_half_width", fromZero: true },
  { title: "completion, ns", key: "completion_ns" },
].filter(({ key }) => sweepPoints.some((point) => isNumber(point[key])));

const sweptOf = (option) => objectOf(listOf(sweep.swept).find((one) => one.option === option));
/** A value with its unit as a number; of what is no number its place among the setting's values. */
const sweepNumeric = (option) => Array.isArray(sweptOf(option).numbers) || sweepPoints.every((point) => isNumber(point.values[option]));
const sweepValues = (option) => [...new Set(sweepPoints.map((point) => point.values[option]))];
const sweepIsNumeric = sweepNumeric(sweep.axis);
const sweepPlaces = sweepValues(sweep.axis);
const sweepX = (point) => (sweepIsNumeric ? parseFloat(point.values[sweep.axis]) : sweepPlaces.indexOf(point.values[sweep.axis]));
const sweepXText = (at) => (sweepIsNumeric ? plain(at) : String(sweepPlaces[at]));
const sweepAxisTitle = (option) =>
  option === "load" ? "load, share of the word slots" : option + (sweptOf(option).unit ? `, ${sweptOf(option).unit}` : "");

/** Its latency depends on the length of the run, or may. */
const isUnsteady = (point) => ["saturated", "undecided"].includes(point.steady_state);

const sweepOptions = listOf(sweep.swept).map((one) => one.option);
/** All points have a value of it: none leaves it out. */
const sweepComplete = (option) => sweepPoints.every((point) => point.values[option] !== null);
/** Two settings with numbers were swept that all points have, seeds not counted. */
const sweepHasMaps = sweepOptions.length === 2 && !sweepOptions.includes("seed") && sweepOptions.every((option) => sweepNumeric(option) && sweepComplete(option));

/** A map of each figure. */
function drawSweepMaps() {
  const across = sweep.axis;
  const up = sweepOptions.find((option) => option !== across);
  const sorted = (option) => sweepValues(option).sort((a, b) => parseFloat(a) - parseFloat(b));
  const [cols, rows] = [sorted(across), sorted(up).reverse()];
  const at = new Map(sweepPoints.map((point) => [JSON.stringify([point.values[up], point.values[across]]), point]));
  const pointAt = (row, col) => objectOf(at.get(JSON.stringify([rows[row], cols[col]])));
  for (const figure of sweepFigures) {
    const values = sweepPoints.map((point) => point[figure.key]).filter(isNumber);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const byLog = !figure.fromZero && low > 0 && high > 20 * low;
    const readout = element("output", { class: "readout" });
    const place = element("div", { class: "chart" });
    byId("sweep-maps").append(element("div", null, element("h3", null, figure.title + (byLog ? ", colours by logarithm" : "")), readout, place,
      element("div", { class: "legend", "aria-hidden": "true" }, element("span", null, plain(low)), element("i"), element("span", null, plain(high)))));
    drawOnResize(place, () => squareMap(place, readout, {
      rows: rows.length, cols: cols.length, stretch: true, most: 72, none: "no figure", name: figure.title,
      value: (row, col) => (byLog ? Math.log(pointAt(row, col)[figure.key]) : pointAt(row, col)[figure.key]),
      said: (row, col) => `${across} ${cols[col]}, ${up} ${rows[row]}` + (isNumber(pointAt(row, col)[figure.key])
        ? `: ${plain(pointAt(row, col)[figure.key])}${isUnsteady(pointAt(row, col)) ? `, ${pointAt(row, col).steady_state}` : ""}` : ""),
      rowName: (row) => String(rows[row]), colName: (col) => String(cols[col]), rowTitle: sweepAxisTitle(up), colTitle: sweepAxisTitle(across),
    }));
  }
}
