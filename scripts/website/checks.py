# SPDX-License-Identifier: Apache-2.0
"""What is checked of a site that was built: nothing in it is loaded from elsewhere, and its search, run in a browser, finds
each register, counter, wire format and option by its name."""
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


def loads_from_elsewhere(site):
    """Places at which a page, style or script of the site would ask another host; a line each."""
    wrong = []
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".css", ".svg"):
            for found in LOADS.finditer(path.read_text(errors="replace")):
                wrong.append(f"{path.relative_to(site)}: loads {found[0][:120]}")
    return wrong


def search(site, names):
    """Name -> the first results of the site's search for it, as links, best first."""
    page = site / "search-probe.html"
    probe = PROBE.replace("NAMES", json.dumps(sorted(names)), 1)
    page.write_text((site / "search.html").read_text().replace("</body>", probe))
    try:
        shown = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000",
                                "--timeout=120000", "--dump-dom", page.as_uri()], capture_output=True, text=True,
                               check=True, timeout=300).stdout
    finally:
        page.unlink()
    found = re.search(r'<pre id="probe">(.*?)</pre>', shown, re.DOTALL)
    if not found:
        raise RuntimeError("the search did not run in chromium; open search.html in a browser to see why")
    return json.loads(html.unescape(found[1]))


def not_found(site, expected):
    """`expected`: (name, page) pairs. A line for each name whose page is not among the first results."""
    found = search(site, {name for name, _ in expected})
    return [f"search for {name}: {page} is not among the first results ({', '.join(found[name]) or 'none'})"
            for name, page in expected if not any(link.startswith(page) for link in found[name])]
