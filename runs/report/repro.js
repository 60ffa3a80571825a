// SPDX-License-Identifier: Apache-2.0
// Figures of a reproduced paper, with what it published as crosses, and the table of its claims.

const claims = listOf(detail.claims).filter(isObject);
const MOST_X_LABELS = 9;

/** Powers of two of a figure over bytes as people write them. */
function reproX(figure, x) {
  if (Array.isArray(figure.bars)) return text(figure.bars[x]);
  if (figure.x !== "bytes" || x < 1024) return plain(x);
  return x < 2 ** 20 ? unit(plain(x / 1024), "KiB") : unit(plain(x / 2 ** 20), "MiB");
}

const reproMarks = (figure) => claims.filter((claim) => claim.figure === figure.name && Array.isArray(claim.mark));

function reproSpot(point, x, y, colour, said) {
  const [cx, cy] = [x(point[0]).toFixed(1), y(point[1]).toFixed(1)];
  return svgElement("circle", { class: `spot colour-${colour}`, cx, cy, r: 3.5 }, svgElement("title", null, said));
}

function reproCross(point, x, y, colour, said) {
  const [cx, cy] = [x(point[0]), y(point[1])];
  const d = `M${cx - 7},${cy}h14M${cx},${cy - 7}v14`;
  return svgElement("path", { class: `curve published colour-${colour}`, d }, svgElement("title", null, said));
}

function drawReproFigure(place, figure, width) {
  const curves = listOf(figure.curves).filter((curve) => listOf(curve.points).length > 0);
  const marks = reproMarks(figure);
  const points = curves.flatMap((curve) => curve.points);
  const all = points.concat(marks.map((claim) => claim.mark));
  const ys = all.map((point) => point[1]).concat(typeof figure.line === "number" ? [figure.line] : []);
  const [left, right, top, bottom] = [66, width - 16, 16, 246];
  const xs = all.map((point) => point[0]);
  const x = scale(Math.min(...xs), Math.max(...xs), left + 8, right - 8, figure.log_x === true);
  const most = Math.max(...ys, 1e-9);
  const least = figure.log_y === true ? Math.min(...ys) : Math.min(0, ...ys);
  const y = scale(least, most, bottom, top, figure.log_y === true);
  const svg = svgElement("svg", { viewBox: `0 0 ${width} 290`, width, height: 290, role: "img", "aria-label": text(figure.title) });
  leftAxis(svg, figure.log_y === true ? logTicks(least, most) : ticks(least, most, 5), y, left, right, plain);
  svg.append(line(left, bottom, right, bottom, "axis"));
  const places = [...new Set(points.map((point) => point[0]))].sort((a, b) => a - b);
  const step = Math.ceil(places.length / Math.min(MOST_X_LABELS, Math.max(2, Math.floor((right - left) / 70))));
  places.filter((_, i) => i % step === 0).forEach((value) => svg.append(label(x(value), bottom + 18, reproX(figure, value))));
  svg.append(label((left + right) / 2, bottom + 38, text(figure.x) + (figure.log_x === true ? ", log scale" : ""), "middle", "title"));
  if (typeof figure.line === "number") svg.append(line(left, y(figure.line), right, y(figure.line), "axis"));
  curves.forEach((curve, i) => {
    const d = curve.points.map((point, k) => `${k ? "L" : "M"}${x(point[0]).toFixed(1)},${y(point[1]).toFixed(1)}`).join("");
    if (!Array.isArray(figure.bars)) svg.append(svgElement("path", { class: `curve colour-${i}`, d }));
    const said = (point) => `${curve.name}, ${reproX(figure, point[0])}: ${plain(point[1])}${figure.unit ? " " + figure.unit : ""}`;
    svg.append(...curve.points.map((point) => reproSpot(point, x, y, i, said(point))));
    for (const claim of marks.filter((one) => one.curve === curve.name)) {
      svg.append(reproCross(claim.mark, x, y, i, `published: ${text(claim.published)}`));
    }
  });
  place.replaceChildren(svg);
}

function drawReproFigures() {
  const figures = listOf(detail.figures).filter((figure) => isObject(figure) && listOf(figure.curves).some((curve) => listOf(curve.points).length > 0));
  if (figures.length === 0) return;
  const section = open("figures", ".all");
  for (const figure of figures) {
    const curves = listOf(figure.curves).filter((curve) => listOf(curve.points).length > 0);
    const place = element("div", { class: "chart" });
    section.append(element("h3", null, text(figure.title) + (figure.unit ? `, ${figure.unit}` : "") + (figure.log_y === true ? ", log scale" : "")),
      element("p", { class: "key" }, ...curves.map((curve, i) => element("span", { class: "entry" }, element("span", { class: `swatch colour-${i}` }), text(curve.name)))), place);
    drawOnResize(place, (width) => drawReproFigure(place, figure, width));
  }
}

function drawClaims() {
  if (claims.length === 0) return;
  const rows = claims.map(({ figure, curve, claim, value, low, high, published, fixed, verdict }) =>
    ({ claim: `${figure} ${curve}: ${claim}`, ours: value, "at least": low, "at most": high, published, verdict: fixed ? "a constant is fixed by it" : verdict }));
  sortableTable(open("claims", "table"), rows, columnsOf(rows));
}
