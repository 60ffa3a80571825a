// SPDX-License-Identifier: Apache-2.0
// Throughput of each port as bars and as a table, and the map of the tiles.

const slots = detail.traffic_slots;
const ports = listOf(detail.ports).filter((port) => isObject(port) && isNumber(port.port)).sort((a, b) => a.port - b.port);
const load = (port, key) => (isNumber(port[key]) && slots > 0 ? port[key] / slots : NaN);
const gigabits = (share) =>
  !isNumber(detail.slot_ns) || !isNumber(share) ? "" : ` (${unit(fixed((share * 256) / detail.slot_ns, 1), "Gb/s")})`;

const cols = detail.cols;
const hasTiles = detail.rows > 0 && cols > 0;
const tileOf = (port) => ({ row: Math.floor(port / (2 * cols)), col: (port >> 1) % cols });

function portText(port) {
  const parts = [`Port ${port.port}`];
  if (hasTiles) parts[0] += `, tile row ${tileOf(port.port).row} column ${tileOf(port.port).col}`;
  const offered = isNumber(load(port, "offered_slots")) ? ` of ${percent(load(port, "offered_slots"))} offered` : "";
  for (const way of ["in", "out"]) {
    const share = load(port, `${way}_slots`);
    if (isNumber(share)) parts.push(`${way} ${percent(share)}${gigabits(share)}${way === "in" ? offered : ""}`);
  }
  const whole = [];
  if (isNumber(port.rx_packets)) whole.push(`${plural(port.rx_packets, "packet")} in`);
  if (isNumber(port.tx_packets)) whole.push(`${count(port.tx_packets)} out`);
  if (port.drops !== undefined) whole.push(plural(total(port.drops), "drop"));
  if (whole.length > 0) parts.push(`in the whole run ${whole.join(", ")}`);
  return parts.join(" \u00b7 ");
}

// ---- bars: in upwards, out downwards ----

const showOnBars = { go: () => {} };

function drawBars(width) {
  const left = width < 600 ? 56 : 74;
  const right = width - 4;
  const [top, middle, bottom] = [16, 130, 244];
  const keys = ["offered_slots", "in_slots", "out_slots"];
  const most = Math.max(0, ...ports.flatMap((port) => keys.map((key) => load(port, key) || 0)));
  const ceiling = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((v) => most <= v) || Math.ceil(most * 10) / 10;
  const up = scale(0, ceiling, middle, top);
  const down = scale(0, ceiling, middle, bottom);
  const x = scale(0, ports.length, left, right);
  const step = (right - left) / ports.length;
  const wide = Math.min(48, Math.max(1, step - Math.min(4, step * 0.22)));

  const svg = chartSvg(width, bottom + 40, "Throughput per port, arrow keys move over the ports");
  for (const side of [up, down]) {
    leftAxis(svg, [ceiling / 2, ceiling], side, left, right, (v) => unit(String(Number((v * 100).toPrecision(3))), "%"));
  }
  svg.append(label(left - 7, middle + 4, "0", "end"));
  svg.append(label(0, (top + middle) / 2 - 12, "in", "start", "title"), label(0, (middle + bottom) / 2 + 20, "out", "start", "title"));

  const every = Math.max(1, Math.ceil(24 / step));
  const shownEvery = every === 1 ? 1 : [2, 4, 8, 16, 32, 64, 128].find((n) => n >= every) || every;
  ports.forEach((port, i) => {
    const px = (x(i) + (step - wide) / 2).toFixed(2);
    const bar = (name, y0, y1) => svg.append(svgElement("rect", { class: `bar ${name}`, "data-port": port.port, x: px,
      width: wide.toFixed(2), y: Math.min(y0, y1).toFixed(2), height: Math.abs(y1 - y0).toFixed(2) }));
    bar("in", middle, up(load(port, "in_slots") || 0));
    bar("out", middle, down(load(port, "out_slots") || 0));
    const excess = (load(port, "offered_slots") || 0) - (load(port, "in_slots") || 0);
    if (excess > ceiling * 0.004) bar("offered", up(load(port, "in_slots") || 0), up(load(port, "offered_slots")));
    if (i % shownEvery === 0) svg.append(label(x(i) + step / 2, bottom + 16, String(port.port)));
    if (hasTiles && i > 0 && port.port % (2 * cols) === 0) svg.append(line(x(i), top, x(i), bottom, "row-edge"));
  });
  svg.append(line(left, middle, right, middle, "axis"), label((left + right) / 2, bottom + 35, "port", "middle", "title"));

  const cursor = svgElement("rect", { class: "cursor", y: top, height: bottom - top, width: 0 });
  svg.append(cursor);
  byId("ports-chart").replaceChildren(svg);
  attachCursor(svg, byId("ports-readout"), {
    length: ports.length,
    hint: "Point at a port, or focus the chart and use the arrow keys.",
    at: (px) => Math.min(ports.length - 1, Math.max(0, Math.floor(x.inverse(px)))),
    show: (i) => {
      showOnBars.go(i < 0 ? -1 : ports[i].port);
      cursor.setAttribute("width", i < 0 ? 0 : step);
      if (i < 0) return "";
      cursor.setAttribute("x", x(i));
      return portText(ports[i]);
    },
  });
}

// ---- the table, sorted by a click on a column's name ----

/** Fills `table` with one row for each record; columns are {name, value(record), show(value)}. */
const LONG_TEXT = 40;

/** Texts stand left, and long ones wrap. */
function cellClass(values) {
  const most = Math.max(0, ...values.filter((value) => typeof value === "string").map((value) => value.length));
  return most > LONG_TEXT ? "text long" : most > 0 ? "text" : null;
}

function sortableTable(table, records, columns) {
  const body = element("tbody");
  const looks = columns.map((column) => cellClass(records.map((record) => column.value(record))));
  const rows = records.map((record) => ({
    values: columns.map((column) => column.value(record)),
    row: element("tr", null, ...columns.map((column, i) => element("td", { class: looks[i] }, column.show(column.value(record))))),
  }));
  const heads = columns.map((column, i) => {
    const head = element("th", { scope: "col", class: looks[i] }, element("button", { type: "button" }, column.name));
    head.firstChild.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
      const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
      rows.sort((a, b) => sign * order(a.values[i], b.values[i]));
      body.replaceChildren(...rows.map((entry) => entry.row));
    });
    return head;
  });
  body.append(...rows.map((entry) => entry.row));
  table.replaceChildren(element("thead", null, element("tr", null, ...heads)), body);
}

/** Columns for whatever flat members the records have. */
function columnsOf(records) {
  const keys = [...new Set(records.flatMap((record) => Object.keys(record)))];
  keys.sort((a, b) => (b === "port" || b === "class" || b === "name") - (a === "port" || a === "class" || a === "name"));
  return keys.map((key) => ({
    name: words(key),
    value: (record) => (isObject(record[key]) ? total(record[key]) : record[key]),
    show: (value) => (value === undefined || value === null ? MISSING : text(value)),
  }));
}

function drawPorts() {
  if (ports.length === 0 || !(slots > 0)) return;
  open("ports");
  byId("ports").querySelector("small").textContent = `per port, share of ${plural(slots, "word slot")} while traffic flowed`;
  drawOnResize(byId("ports-chart"), drawBars);
  const shares = [["offered", "offered_slots"], ["in", "in_slots"], ["out", "out_slots"]]
    .filter(([, key]) => ports.some((port) => isNumber(port[key])))
    .map(([name, key]) => ({ name: `${name}, %`, value: (port) => load(port, key) * 100, show: (value) => fixed(value, 2) }));
  const columns = columnsOf(ports);
  sortableTable(byId("port-table"), ports, [columns[0], ...shares, ...columns.slice(1)]);
}

// ---- tiles ----

/** What the map can show: {name, of(port), show(value), ramp, full: the value of the darkest colour, or null for the most}. */
function metrics() {
  const byLoad = (name, key, ramp) => ({ name, of: (port) => load(port, key), show: (v) => fixed(v * 100, v >= 0.9995 ? 0 : 1), ramp,
    legend: percent, full: 1, key });
  const list = [byLoad("in load, %", "in_slots", "in"), byLoad("out load, %", "out_slots", "out"),
    byLoad("offered load, %", "offered_slots", "in")];
  const others = [...new Set(ports.flatMap((port) => Object.keys(port)))]
    .filter((key) => key !== "port" && !list.some((metric) => metric.key === key));
  for (const key of others.sort((a, b) => (b === "drops") - (a === "drops"))) {
    const of = (port) => (isObject(port[key]) ? total(port[key]) : port[key]);
    list.push({ name: words(key), of, show: short, legend: plain, ramp: "other", full: null, key });
  }
  return list.filter((metric) => ports.some((port) => isNumber(metric.of(port))));
}

/** 12345 -> "12.3k", for a small place. */
function short(value) {
  for (const [size, name] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (value >= size) return String(Number((value / (name === "k" ? 1e3 : size)).toPrecision(3))) + name;
  }
  return plain(value);
}

function colourTiles(metric, cells) {
  const values = ports.map(metric.of).filter(isNumber);
  const stretch = byId("stretch").checked;
  const low = stretch ? Math.min(...values) : 0;
  const high = stretch || metric.full === null ? Math.max(...values) : Math.max(metric.full, ...values);
  byId("tiles").dataset.ramp = metric.ramp;
  byId("tiles").dataset.metric = metric.key;
  for (const { cell, port } of cells) {
    const value = port === null ? NaN : metric.of(port);
    const share = high > low ? (value - low) / (high - low) : 0;
    const none = !isNumber(value) || (value === 0 && metric.full === null);
    cell.classList.toggle("none", none);
    cell.classList.toggle("upper", !none && share > 0.5);
    cell.style.setProperty("--share", `${(share > 0.5 ? share * 2 - 1 : share * 2) * 100}%`);
    cell.lastChild.textContent = isNumber(value) ? metric.show(value) : MISSING;
    cell.setAttribute("aria-label", port === null ? "no port" : `port ${port.port}: ${metric.name} ${metric.show(value)}`);
  }
  const legend = byId("legend");
  legend.firstChild.textContent = metric.legend(low);
  legend.lastChild.textContent = metric.legend(high);
}

function drawTiles() {
  const choices = metrics();
  if (!hasTiles || choices.length === 0) return;
  open("tiles");
  byId("tiles-shape").textContent = `${detail.rows} rows of ${plural(cols, "column")}, two ports a tile`;
  const byNumber = new Map(ports.map((port) => [port.port, port]));
  const heat = byId("heat");
  heat.style.setProperty("--cols", cols);
  heat.append(element("div", { role: "row", "aria-hidden": "true" }, element("span"),
    ...Array.from({ length: cols }, (_, col) => element("span", { class: "label" }, element("span", null, "column "), String(col)))));
  const cells = [];
  for (let row = 0; row < detail.rows; row++) {
    const line = element("div", { role: "row" },
      element("span", { class: "label", role: "rowheader" }, element("span", null, "row "), String(row)));
    for (let col = 0; col < cols; col++) {
      const tile = element("div", { class: "tile", role: "presentation" });
      for (const lane of [0, 1]) {
        const number = 2 * (row * cols + col) + lane;
        const cell = element("div", { class: "cell", role: "gridcell", tabindex: -1, "data-port": number },
          element("i", null, String(number)), element("b"));
        cells.push({ cell, port: byNumber.get(number) || null });
        tile.append(cell);
      }
      line.append(tile);
    }
    heat.append(line);
  }
  choices.forEach((metric, i) => byId("metric").append(element("option", { value: i }, metric.name)));
  const colour = () => colourTiles(choices[byId("metric").value], cells);
  byId("metric").addEventListener("change", colour);
  byId("stretch").addEventListener("change", colour);
  colour();
  attachTileCursor(heat, cells);
}

/** Pointer and arrow keys pick a port; the bars and the map show each other's pick. */
function attachTileCursor(heat, cells) {
  const readout = byId("tiles-readout");
  const pick = (number) => {
    const found = cells.find((entry) => entry.cell.dataset.port === String(number));
    for (const { cell } of cells) cell.classList.toggle("picked", found !== undefined && cell === found.cell);
    readout.textContent = found && found.port ? portText(found.port) : "Point at a port, or use Tab and the arrow keys.";
    readout.classList.toggle("idle", !(found && found.port));
  };
  showOnBars.go = pick;
  cells[0].cell.tabIndex = 0;
  heat.addEventListener("pointerover", (event) => {
    const cell = event.target.closest(".cell");
    pick(cell ? cell.dataset.port : -1);
  });
  heat.addEventListener("pointerleave", () => pick(-1));
  heat.addEventListener("focusin", (event) => pick(event.target.dataset.port));
  heat.addEventListener("focusout", () => pick(-1));
  heat.addEventListener("keydown", (event) => {
    const at = cells.findIndex((entry) => entry.cell === document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 2 * cols, ArrowUp: -2 * cols, Home: -at, End: cells.length - 1 - at }[event.key];
    if (at < 0 || step === undefined || cells[at + step] === undefined) return;
    event.preventDefault();
    cells[at].cell.tabIndex = -1;
    cells[at + step].cell.tabIndex = 0;
    cells[at + step].cell.focus();
  });
  pick(-1);
}
