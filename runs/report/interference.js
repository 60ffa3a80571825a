// SPDX-License-Identifier: Apache-2.0
// Jobs beside one another: how much longer each takes than alone, as bars, and its times as a table.

const interfering = listOf(detail.interference).filter(isObject);
const SLOWDOWNS = [["slowdown", "completion"], ["iteration_mean_slowdown", "iteration, mean"], ["iteration_p99_slowdown", "iteration, p99"]];
const [BAR_STEP, JOB_STEP] = [20, 92];

function drawSlowdowns(width) {
  const values = interfering.flatMap((job) => SLOWDOWNS.map(([key]) => job[key])).filter(isNumber);
  const [left, right, top] = [8, width - 58, 8];
  const bottom = top + interfering.length * JOB_STEP;
  const most = Math.max(1, ...values);
  const x = scale(0, most, left, right);
  const height = bottom + 48;
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "Slowdown of each job beside the others" });
  for (const value of ticks(0, most, Math.max(3, Math.floor((right - left) / 90)))) {
    svg.append(line(x(value), top, x(value), bottom, "grid"), label(x(value), bottom + 18, plain(value)));
  }
  interfering.forEach((job, j) => {
    const y = top + j * JOB_STEP;
    const name = `job ${job.job} ${text(job.pattern)}, ${plural(job.ranks, "rank")}`;
    svg.append(label(left, y + 18, name, "start", "title"));
    SLOWDOWNS.forEach(([key, what], i) => {
      const known = isNumber(job[key]);
      const place = { x: left, y: y + 25 + i * BAR_STEP, height: BAR_STEP - 4 };
      const said = `${name}, ${what}: ${known ? `${plain(job[key])} times as long as alone` : "not known: the job did not end"}`;
      if (known) svg.append(svgElement("rect", { class: `dot colour-${i}`, ...place, width: Math.max(0, x(job[key]) - left) }, svgElement("title", null, said)));
      svg.append(label((known ? x(job[key]) : left) + 6, place.y + 13, known ? plain(job[key]) : MISSING, "start"));
    });
  });
  svg.append(line(x(1), top, x(1), bottom, "axis"), line(left, bottom, right, bottom, "axis"),
    label((left + right) / 2, bottom + 40, "slowdown, times; 1: as alone", "middle", "title"));
  byId("interference").querySelector(".chart").replaceChildren(svg);
}

function drawInterference() {
  if (interfering.length === 0) return;
  const section = open("interference");
  section.querySelector(".key").append(...SLOWDOWNS.map(([, what], i) => element("span", { class: "entry" }, element("span", { class: `swatch colour-${i}` }), what)));
  drawOnResize(section.querySelector(".chart"), drawSlowdowns);
  const rows = interfering.map((job) => {
    const [alone, together] = [objectOf(job.alone), objectOf(job.together)];
    const gigabytes = (value) => (isNumber(value) ? value / 1e9 : null);
    return { job: `${job.job} ${text(job.pattern)}`, ranks: job.ranks, alone_ns: alone.completion_ns, together_ns: together.completion_ns,
      slowdown: job.slowdown, iteration_mean_alone_ns: alone.iteration_mean_ns, iteration_mean_together_ns: together.iteration_mean_ns,
      iteration_mean_slowdown: job.iteration_mean_slowdown, iteration_p99_alone_ns: alone.iteration_p99_ns,
      iteration_p99_together_ns: together.iteration_p99_ns, iteration_p99_slowdown: job.iteration_p99_slowdown,
      "bus bandwidth alone, GB/s": gigabytes(alone.bus_bytes_per_s), "together, GB/s": gigabytes(together.bus_bytes_per_s),
      "share of its time beside others": job.beside_others };
  });
  sortableTable(section.querySelector("table"), rows, columnsOf(rows));
}
