// SPDX-License-Identifier: Apache-2.0
// Verdict, summary, books, facts, bins, files; then everything is drawn.

const passed = /^pass(ed)?$/i.test(String(results.verdict || ""));

function devicesText() {
  const devices = typeof results.devices === "string" ? results.devices.split(",") : listOf(results.devices);
  return devices.map(String);
}

const NAMES = { rtl: "RTL", systemc: "SystemC" };

function drawVerdict() {
  if (results.version !== undefined) byId("version").textContent = `\u00b7 version ${text(results.version)}`;
  const banner = open("verdict");
  const known = results.verdict !== undefined && results.verdict !== null;
  banner.classList.toggle("bad", !passed);
  banner.dataset.verdict = passed ? "pass" : "fail";
  banner.querySelector("h1").textContent = known ? text(results.verdict) : "no verdict";
  const run = [results.level, results.profile].filter((part) => typeof part === "string").join(" ");
  const devices = devicesText();
  let said = run;
  if (isNumber(results.compared) && results.compared > 0 && devices.length > 1) {
    said += `${run ? ": " : ""}${devices.map((name) => NAMES[name] || name).join(" and ")} ${passed ? "agreed in all" : "were compared in"} ` +
      `${plural(results.compared, "word")} over ${cyclesText(results.cycles)}`;
  } else if (isNumber(results.cycles)) {
    said += `${run ? ", " : ""}${devices.length === 1 ? devices[0] + ", " : ""}${cyclesText(results.cycles)}`;
  }
  banner.querySelector("p").textContent = said;

  const failure = isObject(detail.failure) ? detail.failure.text : detail.failure;
  if (failure) open("failure", "pre").textContent = text(failure);
}

function drawSummary() {
  const books = objectOf(results.books);
  const ns = objectOf(results.latency_ns);
  const cycles = objectOf(results.latency_cycles);
  const cards = [];
  const card = (name, main, second) => cards.push(element("li", null, element("span", null, name), element("b", null, main),
    element("span", null, second || "\u00a0")));
  const latency = (name, key) => {
    if (isNumber(ns[key])) card(name, nsText(ns[key]), isNumber(cycles[key]) ? cyclesText(cycles[key]) : "");
    else if (isNumber(cycles[key])) card(name, cyclesText(cycles[key]), "");
  };
  if (isNumber(results.compared)) {
    const busy = results.compared_busy;
    card("Words compared", count(results.compared), isNumber(busy) ? `${count(busy)} of them busy` : "");
  }
  const steady = objectOf(results.steady_state);
  if (typeof steady.verdict === "string") {
    card("Steady state", steady.verdict, { saturated: "latencies depend on the run's length",
      undecided: "latencies may depend on the run's length" }[steady.verdict]);
  }
  latency("Median latency", "median");
  latency("p99 latency", "p99");
  if (isNumber(results.accepted_load)) {
    card("Accepted load", percent(results.accepted_load),
      isNumber(results.offered_load) ? `${percent(results.offered_load)} offered` : "of word slots");
    if (typeof detail.above_offered === "string") cards.at(-1).append(element("em", null, detail.above_offered));
  }
  if (isNumber(books.delivered)) {
    card("Packets delivered", count(books.delivered),
      isNumber(books.offered) ? `of ${count(books.offered)} offered` : "");
  }
  if (books.drops !== undefined) {
    const reasons = Object.values(objectOf(books.drops)).filter((n) => n > 0).length;
    card("Packets dropped", count(total(books.drops)), reasons ? plural(reasons, "reason") : "");
  }
  if (books.lost > 0) card("Packets lost", count(books.lost), "with links that went down");
  const reductions = objectOf(results.reductions);
  if (isNumber(reductions.episodes)) {
    card("Reduction episodes", count(reductions.episodes),
      `${plural(reductions.packets, "packet")} of ${plural(reductions.groups, "group")}, ${plural(reductions.failures, "failure")}`);
  }
  if (cards.length) open("summary").append(...cards);
}

// ---- books and stalls ----

const row = (name, cells, kind) => element("tr", { class: kind }, element("th", { scope: "row" }, name), ...cells);
const cell = (content, kind) => element("td", { class: kind }, content);

function drawBooks() {
  const books = results.books;
  if (!isObject(books)) return;
  const table = open("books", "table");
  const drops = total(books.drops);
  const add = (name, value, kind) => {
    if (!isNumber(value)) return;
    table.append(row(name, [cell(count(value), value === 0 ? "zero" : null),
      cell(books.offered > 0 ? percent(value / books.offered) : "", "zero")], kind));
  };
  add("offered", books.offered, "sum");
  add("delivered", books.delivered);
  if (books.drops !== undefined) add("dropped", drops);
  for (const [reason, n] of Object.entries(objectOf(books.drops))) add(reason, n, "part");
  add("lost with links", books.lost);
  add("in flight at the end", books.in_flight);
  if (!isNumber(books.offered) || !isNumber(books.delivered)) return;
  const missing = books.offered - books.delivered - drops - (books.lost || 0) - (books.in_flight || 0);
  byId("books").querySelector(".note").textContent = missing === 0
    ? `The books balance: offered = delivered + dropped + ${books.lost ? "lost + " : ""}in flight.`
    : `The books do not balance: ${plural(Math.abs(missing), "packet")} ${missing > 0 ? "unaccounted for" : "too many"}.`;
}

function drawStalls() {
  const stalls = Object.entries(objectOf(detail.stalls)).filter(([, n]) => isNumber(n)).sort((a, b) => b[1] - a[1]);
  if (stalls.length === 0) return;
  const table = open("stalls", "table");
  const all = sum(stalls.map(([, n]) => n));
  for (const [reason, n] of stalls) {
    const meter = element("span", { class: "meter" });
    meter.style.width = `${(100 * n) / Math.max(1, stalls[0][1])}%`;
    table.append(row(words(reason), [cell(n > 0 ? meter : "", "wide"), cell(count(n)), cell(all > 0 ? percent(n / all) : "", "zero")]));
  }
}

// ---- facts: the known ones first, then whatever else is a plain value ----

const SHOWN_ELSEWHERE = ["samples", "verdict", "compared", "compared_busy", "offered_load", "accepted_load"];
const FIRST_FACTS = ["level", "block", "profile", "departures", "topology", "routing", "devices", "traffic", "seed", "timing", "extensions", "cycles"];
const UNITS = [[/_ns_per_kib$/, "ns per KiB"], [/_per_cpu_s$/, "per CPU second"], [/_per_s$/, "per second"], [/_cycles$/, "cycles"], [/_ns$/, "ns"],
  [/^bytes_per_/, "B"], [/_bytes$/, "B"], [/_kib$/, "KiB"], [/_mib$/, "MiB"], [/_s$/, "s"]];

/** "cpu_s", 2.71 -> ["cpu", "2.71 s"]. */
function factOf(key, value) {
  if (key === "seed") return ["seed", String(value)];
  if (key === "departures") return ["departures from the profile", listOf(value).map((one) => `${one.key} ${one.value} (profile: ${one.profile})`).join(", ")];
  if (key === "extensions") return ["extensions of the program", Object.entries(objectOf(value)).map(([kind, names]) => `${kind} ${names}`).join("; ")];
  if (key === "cycles") return ["cycles", count(value) + (cycleNs === null ? "" : ` (${duration(value * cycleNs)} simulated)`)];
  if (key === "warmup") return ["warmup", cyclesText(value)];
  if (key === "devices") return ["devices", devicesText().join(", ")];
  const found = isNumber(value) ? UNITS.find(([ending]) => ending.test(key)) : undefined;
  if (found === undefined) return [words(key), text(value)];
  if (/_bytes$/.test(key) && value >= 1 << 20) return [words(key.replace(/_bytes$/, "")), unit(plain(value / (1 << 20)), "MiB")];
  const shown = Number.isInteger(value) || value < 1000 ? plain(value) : count(value);
  return [words(key.startsWith("bytes_per_") ? key : key.replace(found[0], "")).replace(/\bcpu\b/i, "CPU"), unit(shown, found[1])];
}

function drawFacts(id, object, skip) {
  const flat = Object.keys(object).filter((key) => {
    const value = object[key];
    return !skip.includes(key) && value !== null && value !== "" && (FIRST_FACTS.includes(key) || typeof value !== "object");
  });
  if (flat.length === 0) return;
  const place = (key) => (FIRST_FACTS.includes(key) ? FIRST_FACTS.indexOf(key) : FIRST_FACTS.length);
  flat.sort((a, b) => place(a) - place(b));
  const list = open(id, "dl");
  for (const key of flat) {
    const [name, value] = factOf(key, object[key]);
    list.append(element("dt", null, name), element("dd", null, value));
  }
}

function drawClasses() {
  const classes = isObject(results.classes)
    ? Object.entries(results.classes).filter(([, value]) => isObject(value)).map(([name, value]) => ({ class: name, ...value }))
    : listOf(results.classes).filter(isObject);
  const rows = classes.map(({ latency_ns: ns, ...counts }) =>
    isObject(ns) ? { ...counts, median_ns: ns.median, p99_ns: ns.p99, "p99.9_ns": ns.p999 } : counts);
  if (rows.length > 0) sortableTable(open("classes", "table"), rows, columnsOf(rows));
}

function drawCounters() {
  const rows = Object.entries(objectOf(results.counters)).flatMap(([counter, sums]) =>
    Object.entries(objectOf(sums)).map(([name, value]) => ({ counter, sum: name, value })));
  if (rows.length > 0) sortableTable(open("counters", "table"), rows, columnsOf(rows));
}

function drawJobs() {
  const rows = listOf(results.jobs).filter(isObject).map((job) => {
    const iteration = objectOf(job.iteration_ns);
    return { job: job.text || job.pattern, ranks: job.ranks, ranks_done: job.ranks_done, completion_ns: job.completion_ns,
      iterations: job.iterations, iterations_done: job.iterations_done, iteration_median_ns: iteration.median, iteration_max_ns: iteration.max,
      iteration_dispersion: job.iteration_dispersion, messages: job.messages, "goodput, GB/s": isNumber(job.goodput_bytes_per_s)
        ? job.goodput_bytes_per_s / 1e9 : null, "share of bound": job.share_of_bound,
      "algorithm bandwidth, GB/s": isNumber(job.algorithm_bytes_per_s) ? job.algorithm_bytes_per_s / 1e9 : null,
      "bus bandwidth, GB/s": isNumber(job.bus_bytes_per_s) ? job.bus_bytes_per_s / 1e9 : null };
  });
  if (rows.length > 0) sortableTable(open("jobs", "table"), rows, columnsOf(rows));
}

// ---- bins, files, command ----

function drawBins() {
  const bins = Object.entries(objectOf(detail.bins)).filter(([, n]) => isNumber(n));
  if (bins.length === 0) return;
  const list = open("bins", "ul");
  const others = objectOf(detail.bins_not_asked);
  const place = ([name, n]) => (n > 0 ? 1 : others[name] === undefined ? 0 : 2);  // missed, hit, not asked for
  const counts = [0, 1, 2].map((wanted) => bins.filter((bin) => place(bin) === wanted).length);
  byId("bins").querySelector("small").textContent =
    `${count(counts[1])} hit, ${count(counts[0])} missed, ${count(counts[2])} not asked for by this run's options`;
  bins.sort((a, b) => place(a) - place(b) || a[0].localeCompare(b[0]));
  for (const [name, n] of bins) {
    const where = place([name, n]);
    list.append(element("li", null, element("span", null, words(name)), where === 1 ? element("b", null, count(n))
      : where === 0 ? element("b", { class: "never" }, "never")
        : element("b", { class: "idle", title: text(others[name]) }, "not asked for", element("small", null, text(others[name])))));
  }
}

function drawFiles() {
  const waves = listOf(detail.waves).map((wave) => (isObject(wave) ? wave : { path: wave }));
  const captures = listOf(detail.captures);
  const others = listOf(detail.files);
  if (waves.length + captures.length + others.length === 0) return;
  open("files");
  for (const wave of waves) {
    open("files", ".waves").append(element("li", null, link(wave.path), wave.what ? ` \u2013 ${text(wave.what)}` : ""));
  }
  const byPort = new Map();
  const place = open("files", ".captures");
  const fold = open("files", "details");
  fold.hidden = captures.length === 0;
  fold.open = captures.length <= 16;
  fold.firstChild.textContent = plural(captures.length, "capture");
  for (const path of captures) {
    const found = /port(\d+)_(in|out)\.pcapng$/.exec(String(path));
    if (found === null) {
      place.append(element("li", { class: "long" }, link(path)));
      continue;
    }
    if (!byPort.has(found[1])) byPort.set(found[1], {});
    byPort.get(found[1])[found[2]] = path;
  }
  for (const [port, pair] of [...byPort].sort((a, b) => a[0] - b[0])) {
    const links = ["in", "out"].filter((side) => pair[side]).map((side) => link(pair[side], side));
    place.append(element("li", null, element("span", null, `port ${port}: `), ...links.flatMap((one, i) => (i ? [" ", one] : [one]))));
  }
  open("files", ".others").append(...others.flatMap((path) => [link(path), " "]));
}

function drawRepeat() {
  const quoted = (value) => (/^[\w.\/:=,+-]+$/.test(value) ? value : `'${value.replace(/'/g, "'\\''")}'`);
  const command = typeof detail.command === "string" ? detail.command
    : results.seed === undefined ? null
      : `tilefly cosim --config config.resolved.yaml --seed ${quoted(String(results.seed))}`;
  if (command === null) return;
  open("repeat", "code").textContent = command;
  const button = open("repeat", "button");
  button.addEventListener("click", () => {
    const copied = () => { button.textContent = "Copied"; };
    const select = () => window.getSelection().selectAllChildren(open("repeat", "code"));
    if (navigator.clipboard) navigator.clipboard.writeText(command).then(copied, select);
    else select();
  });
}

drawVerdict();
drawSummary();
drawSweep();
drawInterference();
drawClaims();
drawReproFigures();
drawLatency();
drawSamples();
drawPorts();
drawTiles();
drawGroups();
drawSwitches();
drawBooks();
drawStalls();
drawFacts("facts", results, SHOWN_ELSEWHERE.concat("version"));
drawFacts("machine", objectOf(results.machine), []);
drawClasses();
drawCounters();
drawJobs();
drawFlows();
drawFaults();
drawJourneys();
drawBins();
drawFiles();
drawRepeat();
document.documentElement.dataset.drawn = "yes";
