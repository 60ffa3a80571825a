// SPDX-License-Identifier: Apache-2.0
// Maps of a system: links between groups, ports of switches; and the journeys of packets.

const system = objectOf(detail.system);

/** Colours the square for a share of the way from the lightest to the darkest. */
function colourSquare(square, share) {
  square.classList.toggle("upper", share > 0.5);
  square.style.setProperty("--share", `${(share > 0.5 ? share * 2 - 1 : share * 2) * 100}%`);
}

/**
 * Draws rows x cols squares: `value(row, col)` is a share of 1 or NaN for none, `said(row, col)` what is read about it. Pointer and
 * arrow keys move over them.
 */
function squareMap(place, readout, { rows, cols, value, said, rowName, colName, rowTitle, colTitle, name, stretch,
  most = 24, wide = false, none = "no link" }) {
  const width = place.clientWidth || PRINT_WIDTH;
  const left = wide ? 104 : 62;
  const top = 34;
  const side = Math.max(1, wide ? (width - left - 4) / cols : Math.min(most, (width - left - 4) / cols));
  const tall = wide ? 13 : Math.max(Math.min(side, 32), rows > 32 ? 4 : 8);
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${top + rows * tall + 8}`, width, height: top + rows * tall + 8, tabindex: 0,
    role: "img", "aria-label": `${name}, arrow keys move over the squares` });
  const shares = [];
  for (let row = 0; row < rows; row++) for (let col = 0; col < cols; col++) shares.push(value(row, col));
  const known = shares.filter(isNumber);
  const low = stretch && known.length ? Math.min(...known) : 0;
  const high = stretch && known.length ? Math.max(...known) : 1;
  shares.forEach((share, i) => {
    if (!isNumber(share)) return;
    const square = svgElement("rect", { class: "square", x: (left + (i % cols) * side).toFixed(2),
      y: (top + Math.floor(i / cols) * tall).toFixed(2), width: Math.max(0.5, side - (side > 5 ? 1 : 0)).toFixed(2),
      height: Math.max(0.5, tall - (tall > 5 ? 1 : 0)).toFixed(2) });
    colourSquare(square, high > low ? (share - low) / (high - low) : 0);
    svg.append(square);
  });
  const every = (size, least) => [1, 2, 4, 8, 16, 32, 64].find((n) => n * size >= least) || 128;
  for (let row = 0; row < rows; row += every(tall, 13)) svg.append(label(left - 6, top + (row + 0.5) * tall + 4, rowName(row), "end"));
  for (let col = 0; col < cols; col += every(side, wide ? 46 : 26)) svg.append(label(left + (col + 0.5) * side, top - 6, colName(col)));
  svg.append(label(0, 12, `${rowTitle} down, ${colTitle} across`, "start", "title"));
  const cursor = svgElement("rect", { class: "pick", width: side, height: tall, visibility: "hidden" });
  svg.append(cursor);
  place.replaceChildren(svg);
  moveOverSquares(svg, cursor, readout, { rows, cols, left, top, side, tall, said: (row, col) =>
    isNumber(shares[row * cols + col]) ? said(row, col, shares[row * cols + col]) : `${said(row, col, NaN)}: ${none}` });
  return { low, high };
}

function moveOverSquares(svg, cursor, readout, { rows, cols, left, top, side, tall, said }) {
  let at = null;
  const go = (row, col) => {
    const inside = row >= 0 && row < rows && col >= 0 && col < cols;
    at = inside ? [row, col] : null;
    cursor.setAttribute("visibility", inside ? "visible" : "hidden");
    readout.classList.toggle("idle", !inside);
    readout.textContent = inside ? said(row, col) : "Point at a square, or focus the map and use the arrow keys.";
    if (!inside) return;
    cursor.setAttribute("x", left + col * side);
    cursor.setAttribute("y", top + row * tall);
  };
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    const y = ((event.clientY - box.top) / box.height) * svg.viewBox.baseVal.height;
    go(Math.floor((y - top) / tall), Math.floor((x - left) / side));
  };
  svg.addEventListener("pointermove", place);
  svg.addEventListener("pointerdown", place);
  svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") go(-1, -1); });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    if (event.key === "Escape") return go(-1, -1);
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return undefined;
    event.preventDefault();
    const [row, col] = at || [0, -step[1]];
    return go(Math.min(rows - 1, Math.max(0, row + step[0] * (at ? 1 : 0))), Math.min(cols - 1, Math.max(0, col + step[1])));
  });
  go(-1, -1);
}

function showLegend(id, { low, high }) {
  byId(id).firstChild.textContent = percent(low);
  byId(id).lastChild.textContent = percent(high);
}

// ---- links between groups ----

function drawGroups() {
  const groups = system.groups;
  if (!isObject(groups) || listOf(groups.mean).length === 0) return;
  open("groups");
  const per = groups.groups_of_block;
  const range = (block) => {
    const last = Math.min(groups.groups, (block + 1) * per) - 1;
    return last > block * per ? `${block * per}\u2013${last}` : String(block * per);
  };
  byId("groups-shape").textContent = per > 1 ? `${plural(groups.groups, "group")}, ${count(per)} to a square` : plural(groups.groups, "group");
  const draw = () => {
    const table = byId("groups-metric").value === "most" ? groups.most : groups.mean;
    showLegend("groups-legend", squareMap(byId("groups-map"), byId("groups-readout"), {
      rows: table.length, cols: table.length, stretch: byId("groups-stretch").checked,
      value: (row, col) => (isNumber(table[row][col]) ? table[row][col] / 1000 : NaN),
      rowName: (row) => String(row * per), colName: (col) => String(col * per), rowTitle: "from group", colTitle: "to group",
      name: "Utilisation of links between groups",
      said: (row, col, share) => `from ${range(row)} to ${range(col)}` + (isNumber(share)
        ? `: mean ${percent(groups.mean[row][col] / 1000)}, busiest link ${percent(groups.most[row][col] / 1000)}` : ""),
    }));
  };
  byId("groups-metric").addEventListener("change", draw);
  byId("groups-stretch").addEventListener("change", draw);
  drawOnResize(byId("groups-map"), draw);
}

// ---- ports of switches ----

/** Shares of the ports from two hexadecimal digits each; NaN without a link. */
const portShares = (row) => (String(row).match(/../g) || []).map((digits) => parseInt(digits, 16) / 100);

function drawSwitches() {
  const pages = listOf(system.pages).filter((page) => isObject(page) && listOf(page.ports).length > 0);
  if (pages.length === 0) return;
  open("switches");
  const choice = byId("switches-page");
  pages.forEach((page, i) => choice.append(element("option", { value: i }, text(page.name))));
  const draw = () => {
    const page = pages[choice.value];
    const rows = page.ports.map(portShares);
    showLegend("switches-legend", squareMap(byId("switches-map"), byId("switches-readout"), {
      rows: rows.length, cols: Math.max(...rows.map((row) => row.length)), stretch: byId("switches-stretch").checked,
      value: (row, col) => rows[row][col], rowName: (row) => `s${page.switches[row]}`, colName: (col) => String(col),
      rowTitle: "switch", colTitle: "port", name: "Utilisation of the ports' outgoing links",
      said: (row, col, share) => `switch ${page.switches[row]} port ${col}` + (isNumber(share) ? `: ${percent(share)}` : ""),
    }));
  };
  choice.addEventListener("change", draw);
  byId("switches-stretch").addEventListener("change", draw);
  drawOnResize(byId("switches-map"), draw);
}

// ---- journeys ----

const waitsText = (waits) => Object.entries(objectOf(waits)).map(([reason, cycles]) => `${reason} ${count(cycles)}`).join(", ");

function journeyTable(journey) {
  const table = element("table", { class: "numbers journey" });
  table.append(element("thead", null, element("tr", null, ...["where", "stage", "cycle", "cycles", "at least", "waited for"]
    .map((name) => element("th", { scope: "col" }, name)))));
  const body = element("tbody");
  for (const stage of listOf(journey.stages)) {
    const path = stage.path ? ` (${stage.path})` : "";
    body.append(element("tr", null, element("td", null, `${stage.at} port ${stage.port} lane ${stage.lane}`),
      element("td", null, text(stage.stage) + path), element("td", null, count(stage.cycle)), element("td", null, count(stage.cycles)),
      element("td", null, count(stage.quiet_cycles)), element("td", null, waitsText(stage.waits))));
  }
  table.append(body);
  return table;
}

// ---- flows that congestion control held back ----

function drawFlows() {
  const flows = listOf(detail.flows);
  const control = objectOf(results.congestion_control);
  if (!isNumber(control.acks)) return;
  const table = open("flows", "table");
  const marked = control.acks > 0 ? `, ${percent(control.marks_made / control.acks)} of the acks were marked` : "";
  byId("flows").querySelector("small").textContent = `${plural(control.held, "packet")} held${marked}; flows.csv has all counts`;
  const columns = [["source"], ["destination"], ["class"], ["packets"], ["marked"], ["held"], ["held_cycles", "held, cycles"],
    ["throttled_cycles", "throttled, cycles"], ["least_window_cells", "least window, cells"]];
  table.append(element("thead", null, element("tr", null, ...columns.map(([key, name]) => element("th", { scope: "col" }, name || key)))));
  const body = element("tbody");
  for (const flow of flows)
    body.append(element("tr", null, ...columns.map(([key]) => element("td", null, isNumber(flow[key]) ? count(flow[key]) : "-"))));
  table.append(body);
}

// ---- faults ----

function drawFaults() {
  const faults = objectOf(detail.faults);
  const shown = listOf(faults.shown);
  if (shown.length === 0) return;
  const table = open("faults", "table");
  byId("faults").querySelector("small").textContent = faults.lines > shown.length
    ? `${count(shown.length)} of ${count(faults.lines)} lines of faults.csv, damaged words and slots last` : plural(shown.length, "line");
  const columns = ["cycle", "link", "direction", "what", "value", "cause"];
  table.append(element("thead", null, element("tr", null, ...columns.map((name) => element("th", { scope: "col" }, name)))));
  const body = element("tbody");
  for (const line of shown)
    body.append(element("tr", null, ...columns.map((name) => element("td", null, name === "cycle" ? count(line.cycle) : text(line[name])))));
  table.append(body);
}

function drawJourneys() {
  const journeys = objectOf(detail.journeys);
  const shown = listOf(journeys.shown);
  if (shown.length === 0) return;
  open("journeys");
  byId("journeys").querySelector("small").textContent = journeys.followed > shown.length
    ? `${count(shown.length)} of ${count(journeys.followed)}; all are in journeys.csv` : plural(shown.length, "packet");
  const place = open("journeys", ".journeys");
  for (const journey of shown) {
    const took = isNumber(journey.latency_cycles) ? `${cyclesText(journey.latency_cycles)}, ${cyclesText(journey.quiet_cycles)} at least`
      : text(journey.end) + (journey.drop ? ` (${journey.drop})` : "");
    const waits = waitsText(journey.waits);
    const before = waitsText(journey.sender_waits);
    const to = journey.destination ? ` to ${journey.destination}` : "";
    place.append(element("details", null,
      element("summary", null, `${journey.packet}${to}, ${plural(journey.bytes, "byte")}: ${took}${waits ? "; waited: " + waits : ""}${before ? "; at its sender: " + before : ""}`),
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Journey of ${journey.packet}` }, journeyTable(journey))));
  }
}
