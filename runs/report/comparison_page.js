// SPDX-License-Identifier: Apache-2.0
// Verdict, settings, tables of a comparison; then everything is drawn.

const RELATIONS = [["beyond", "Beyond confidence"], ["different", "Different"], ["only in A", "Only in A"], ["only in B", "Only in B"],
  ["undecided", "Undecided"], ["within", "Within confidence"], ["equal", "Equal"]];
const SAID = {
  different: "results differ",
  undecided: "no difference is shown, and some figures cannot be decided",
  within: "results differ within their confidence only",
  equal: "results are equal",
};

function drawVerdict() {
  byId("command").textContent = `\u00b7 tilefly ${text(results.command)}`;
  const banner = open("verdict");
  banner.dataset.verdict = results.verdict;
  banner.querySelector("h1").textContent = text(results.verdict);
  const chance = results.judged > 0
    ? ` ${plural(results.judged, "figure")} judged at ${unit(fixed(100 * results.level), "%")}: where nothing differs ${fixed(results.expected_by_chance, 1)} of them are beyond by chance.`
    : "";
  banner.querySelector("p").textContent = `${SAID[results.verdict]}.${chance}`;
  for (const side of ["a", "b"]) {
    const run = objectOf(results[side]);
    byId("sides").append(element("dt", null, element("span", { class: `swatch side-${side}` }), side.toUpperCase()),
      element("dd", null, `${text(run.directory)} \u2013 seed ${text(run.seed)}, version ${text(run.version)}, build ${text(run.program_digest)}`));
  }
  const counts = objectOf(results.counts);
  open("counts").append(...RELATIONS.filter(([name]) => counts[name] > 0).map(([name, title]) =>
    element("li", null, element("span", null, title), element("b", null, count(counts[name])), element("span", null, counts[name] === 1 ? "figure" : "figures"))));
}

function pairsTable(table, name, rows) {
  const shown = (value) => (value === "" ? MISSING : value);
  table.append(element("thead", null, element("tr", null, ...[name, "A", "B"].map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", null, ...rows.map((row) => element("tr", null, element("th", { scope: "row" }, row.path),
      element("td", null, shown(row.a)), element("td", null, shown(row.b))))));
}

function drawSettings() {
  const rows = [...listOf(results.settings), ...listOf(results.inputs).map((one) => ({ ...one, path: `input ${one.path}` })),
    ...listOf(results.program).map((one) => ({ ...one, path: `program: ${one.path}` }))];
  byId("settings").hidden = false;
  byId("settings").querySelector("small").textContent = `${count(results.equal_settings)} are equal`;
  if (rows.length > 0) pairsTable(byId("settings").querySelector("table"), "setting", rows);
  byId("settings").querySelector(".note").textContent = [
    rows.length === 0 ? "No setting, input or build differs." : "", listOf(results.program).length === 0 ? "The same build of the program made both." : "",
    "Inputs are compared by their digests."].join(" ").trim();
}

function options(select, names) {
  select.append(...names.map((name) => element("option", { value: name }, name === "" ? "all points" : name)));
}

function drawPoints() {
  if (axis === undefined || points.length === 0) return;
  const paths = [...new Set(figures.filter((figure) => figure.point !== undefined && (isNumber(figure.a) || isNumber(figure.b))).map((figure) => figure.path))];
  const first = ["latency_mean_ns", "latency_p99_ns", "accepted_load"].filter((path) => paths.includes(path));
  const names = [...first, ...paths.filter((path) => !first.includes(path) && path !== "exit_code")];
  if (names.length === 0) return;
  open("curves");
  options(byId("curves-figure"), names);
  const curves = [...new Set(points.map(othersOf))];
  options(byId("curves-curve"), curves);
  byId("curves-others").hidden = curves.length < 2;
  const redraw = () => drawCurves(Math.round(byId("curves-chart").clientWidth));
  for (const id of ["curves-figure", "curves-curve"]) byId(id).addEventListener("change", redraw);
  drawOnResize(byId("curves-chart"), drawCurves);
}

function drawFigures() {
  const table = open("figures", "table");
  const body = element("tbody");
  table.append(element("thead", null, element("tr", null, ...["figure", "A", "B", "B \u2212 A", "relation"].map((name) => element("th", { scope: "col" }, name)))), body);
  const side = (value, half) => (value === null ? MISSING : isNumber(value) ? plain(value) + (isNumber(half) ? ` \u00b1 ${plain(half)}` : "")
    : Array.isArray(value) && value.length > 4 ? plural(value.length, "value")
      : isObject(value) ? plural(Object.keys(value).length, "value") : text(value));
  const rowOf = (figure) => element("tr", null, element("th", { scope: "row" }, nameOf(figure)),
    element("td", { class: typeof figure.a === "string" ? "text" : null }, side(figure.a, figure.half_width_a)),
    element("td", { class: typeof figure.b === "string" ? "text" : null }, side(figure.b, figure.half_width_b)),
    element("td", null, isNumber(figure.difference) && figure.relation !== "equal" ? differenceText(figure).replace(/: [^:]*$/, "") : ""),
    element("td", { class: "text" }, element("span", { class: `swatch ${figure.relation}` }), figure.relation + (figure.doubt ? `: ${figure.doubt}` : "")));
  const shown = new Set(RELATIONS.map(([name]) => name).filter((name) => name !== "equal"));
  const fillBody = () => body.replaceChildren(...figures.filter((figure) => shown.has(figure.relation)).map(rowOf));
  for (const [name] of RELATIONS.filter(([name]) => objectOf(results.counts)[name] > 0)) {
    const box = element("input", { type: "checkbox", checked: shown.has(name) });
    box.addEventListener("change", () => { if (box.checked) shown.add(name); else shown.delete(name); fillBody(); });
    byId("figures-show").append(element("label", null, box, ` ${name}`));
  }
  fillBody();
  byId("figures").querySelector(".note").textContent =
    "Beyond: the 95 % interval of the difference excludes 0; Welch's interval of independent batches, or the root of the sum of squares of the half widths. " +
    "Different: not equal, and without an interval. Undecided: an interval does not hold, or is missing on one side.";
}

drawVerdict();
drawSettings();
drawPoints();
if (latencyRows().length > 0) {
  open("latencies");
  drawOnResize(byId("latencies-chart"), drawLatencies);
}
if (SHOWN_DIFFERENCES.length > 0) {
  open("differences");
  options(byId("differences-which"), SHOWN_DIFFERENCES.map(([name]) => name));
  byId("differences-which").addEventListener("change", () => drawDifferences(Math.round(byId("differences-chart").clientWidth)));
  drawOnResize(byId("differences-chart"), drawDifferences);
}
drawFigures();
if (listOf(results.machine).length > 0) pairsTable(open("machine", "table"), "figure of the machine", results.machine);
document.documentElement.dataset.drawn = "yes";
