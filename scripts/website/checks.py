# SPDX-License-Identifier: Apache-2.0
"""What is checked of a site that was built: nothing in it is loaded from elsewhere; its search, run in a browser, finds each
register, counter, wire format and option by its name; and no page scrolls sideways on a narrow screen."""
import html
import json
import re
import subprocess

LOADS = re.compile(r"""<(?:script|img|iframe|source|embed|object)\b[^>]*?\b(?:src|data)\s*=\s*["']?(?:https?:)?//[^"'\s>]+"""
                   r"""|<link\b(?=[^>]*rel=["']?(?:stylesheet|icon|preload|preconnect))[^>]*href=["']?(?:https?:)?//[^"'\s>]+"""
                   r"""|url\(\s*["']?(?:https?:)?//[^)]+|@import\s+["'](?:https?:)?//[^"']+""", re.IGNORECASE)
PROBE = """
<script>
window.fetch = () => new Promise(() => {});
window.setTimeout = (call) => { call(); return 0; };
function probe() {
  if (!Search.hasIndex()) { requestAnimationFrame(probe); return; }
  const found = {};
  for (const name of NAMES) {
    document.getElementById("search-results").innerHTML = "";
    Search.stopPulse = Search.startPulse = () => {};
    Search.performSearch(name);
    found[name] = [...document.querySelectorAll("#search-results li a")].slice(0, 5).map((a) => a.getAttribute("href"));
  }
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify(found);
  document.body.appendChild(out);
}
probe();
</script>
</body>"""

FRAMES = """<!DOCTYPE html>
<body><script>
async function probe() {
  const wide = [];
  for (const page of PAGES) {
    const frame = document.createElement("iframe");
    frame.style.cssText = "width: WIDTHpx; height: 900px; border: 0";
    frame.src = page;
    await new Promise((loaded) => { frame.onload = loaded; document.body.append(frame); });
    const root = frame.contentDocument.documentElement;
    if (root.scrollWidth > root.clientWidth) wide.push(page);
    frame.remove();
  }
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify(wide);
  document.body.append(out);
}
probe();
</script></body>"""


def loads_from_elsewhere(site):
    """Places at which a page, style or script of the site would ask another host; a line each."""
    wrong = []
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".css", ".svg"):
            for found in LOADS.finditer(path.read_text(errors="replace")):
                wrong.append(f"{path.relative_to(site)}: loads {found[0][:120]}")
    return wrong


def _probe(page, text, *options):
    """What the script of `text`, a page of its own in the site for as long, has written as JSON; None: it did not run."""
    page.write_text(text)
    try:
        shown = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000",
                                "--timeout=120000", *options, "--dump-dom", page.as_uri()], capture_output=True, text=True,
                               check=True, timeout=300).stdout
    finally:
        page.unlink()
    found = re.search(r'<pre id="probe">(.*?)</pre>', shown, re.DOTALL)
    return json.loads(html.unescape(found[1])) if found else None


def search(site, names):
    """Name -> the first results of the site's search for it, as links, best first."""
    probe = PROBE.replace("NAMES", json.dumps(sorted(names)), 1)
    found = _probe(site / "search-probe.html", (site / "search.html").read_text().replace("</body>", probe))
    if found is None:
        raise RuntimeError("the search did not run in chromium; open search.html in a browser to see why")
    return found


def too_wide(site, pages, width):
    """A line for each of `pages` (paths in the site) that scrolls sideways on a screen of `width` pixels."""
    text = FRAMES.replace("PAGES", json.dumps(pages), 1).replace("WIDTH", str(width), 1)
    wide = _probe(site / "width-probe.html", text, "--allow-file-access-from-files")
    if wide is None:
        raise RuntimeError("the pages did not load in chromium; open index.html in a browser to see why")
    return [f"{page}: scrolls sideways at {width} pixels" for page in wide]


def not_found(site, expected):
    """`expected`: (name, page) pairs. A line for each name whose page is not among the first results."""
    found = search(site, {name for name, _ in expected})
    return [f"search for {name}: {page} is not among the first results ({', '.join(found[name]) or 'none'})"
            for name, page in expected if not any(link.startswith(page) for link in found[name])]
