# SPDX-License-Identifier: Apache-2.0
"""Runs checks, prints one line for each, keeps the record of a full run."""
import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

from .plan import ROOT

LOGS = ROOT / "out" / "test"
RECORD = ROOT / "out" / "full.json"
MEASURED = "measured: "     # begins lines that tests print for the report
LONGEST = 12                # checks whose times are printed once more at the end
OUTPUT_BYTES = 1 << 20      # of a test's output that is kept
TIMEOUT_SECONDS = {"quick": 300, "ci": 900, "full": 3400}   # of one test


def _commit():
    """Hash of HEAD, and '-dirty' where the files differ from it."""
    result = subprocess.run(["git", "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"], cwd=ROOT,
                            capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else "unknown-dirty"


def _excerpt(lines):
    """Of a failed check's log: what each failed test said, up to eight of them, else the end."""
    starts = [i for i, line in enumerate(lines) if line.endswith(": Failure")]
    if not starts:
        return lines[-40:]
    excerpt = []
    for start in starts[:8]:
        said = itertools.takewhile(lambda line: line.strip() and not line.startswith("[ "), lines[start + 1:start + 33])
        excerpt += [*said, ""]
    return excerpt + ([f"... and {len(starts) - 8} more"] if len(starts) > 8 else [])


class Run:
    def __init__(self, what, part, parts):
        self.what, self.part, self.parts = what, part, parts
        self.results = {}       # name -> {passed, failed, skipped, seconds}
        self.failures = []      # lines on the checks that failed
        self.index = 0
        self.earlier = {}
        if what == "full" and RECORD.exists():
            record = json.loads(RECORD.read_text())
            if record["commit"] == _commit() and "dirty" not in record["commit"]:
                self.earlier = record["checks"]
        LOGS.mkdir(parents=True, exist_ok=True)

    def passed(self, check):
        return self.results.get(check.name, {"failed": 0})["failed"] == 0

    def run(self, checks):
        """Runs checks side by side, but for those that belong to another part or passed in an earlier run of this commit."""
        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        try:
            for check, running in [(check, pool.submit(self._run, check)) for check in checks if self._wanted(check)]:
                result, measured, log = running.result()
                self.results[check.name] = result
                self._report(check, result, measured, log)
                if self.what == "full":
                    self._record(self._key(check), result)
        finally:
            pool.shutdown(cancel_futures=True)  # of an interrupted run

    def _key(self, check):
        """Of the record. A suite's tests are dealt out to the parts; other checks are dealt out whole."""
        return f"{check.name} {self.part}/{self.parts}" if check.suite else check.name

    def _wanted(self, check):
        self.index += not check.suite
        if check.vital:
            return True
        if not check.suite and self.index % self.parts != self.part - 1:
            return False
        earlier = self.earlier.get(self._key(check), {"failed": 1})
        if earlier["failed"] == 0:
            self.results[check.name] = earlier
            print(f"{check.name:32} PASS earlier", flush=True)
        return earlier["failed"] != 0

    def _run(self, check):
        """Result of a check, lines that its tests measured, and its log."""
        start = time.monotonic()
        log = LOGS / (re.sub(r"[^a-z0-9]+", "-", check.name) + ".log")
        with open(log, "w") as file:
            passed, failed, skipped, *measured = self._suite(check, file) if check.suite else self._commands(check, file)
        return {"passed": passed, "failed": failed, "skipped": skipped,
                "seconds": round(time.monotonic() - start, 1)}, measured, log

    def _commands(self, check, file):
        for command in check.commands:
            file.write("$ " + " ".join(command) + "\n")
            file.flush()
            if subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file,
                              stderr=subprocess.STDOUT).returncode:
                return 0, 1, 0
        return 1, 0, 0

    def _suite(self, check, file):
        """Runs this part's tests of a suite: (passed, failed, skipped, *measured). A suite without tests fails."""
        build = ROOT / "build" / check.build
        listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True)
        tests = json.loads(listing.stdout)["tests"] if listing.returncode == 0 else []
        numbers = [i for i, test in enumerate(tests, 1) for item in test.get("properties", [])
                   if item["name"] == "LABELS" and check.suite in item["value"]]
        if not numbers:
            file.write(f"testbenches/{check.suite}: no test in build/{check.build}; {listing.stderr}\n")
            return 0, 1, 0
        numbers = numbers[self.part - 1::self.parts]
        if not numbers:
            return 0, 0, 0
        report = LOGS / "junit.xml"
        report.unlink(missing_ok=True)
        command = ["ctest", "-j", str(os.cpu_count()), "--output-on-failure", "--no-tests=error",
                   "--test-output-size-passed", str(OUTPUT_BYTES),
                   "--timeout", str(TIMEOUT_SECONDS[check.tier]), "--output-junit", str(report),
                   "-I", "0,0,0," + ",".join(map(str, numbers))]
        file.write(f"$ cd build/{check.build}; TILEFLY_TIER={check.tier} {' '.join(command)}\n")
        file.flush()
        status = subprocess.run(command, cwd=build, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                env={**os.environ, "TILEFLY_TIER": check.tier}).returncode
        if not report.exists():
            file.write("ctest wrote no report\n")
            return 0, 1, 0
        cases = list(xml.parse(report).getroot().iter("testcase"))
        measured = [line for case in cases for line in (case.findtext("system-out") or "").splitlines()
                    if line.startswith(MEASURED)]
        file.writelines(line + "\n" for line in measured)
        states = [case.get("status") for case in cases]
        passed, skipped = states.count("run"), states.count("notrun") + states.count("disabled")
        failed = len(numbers) - passed - skipped
        return passed, max(failed, 1 if status else 0), skipped, *measured

    def _report(self, check, result, measured, log):
        verdict = "FAIL" if result["failed"] else "PASS" if result["passed"] + result["skipped"] else "NONE"
        tests = f"  {result['passed']} of {result['passed'] + result['failed']} tests" if check.suite else ""
        skipped = f", {result['skipped']} skipped" if result["skipped"] else ""
        print(f"{check.name:32} {verdict} {result['seconds']:8.1f} s{tests}{skipped}", flush=True)
        for line in measured:
            print(f"    {line[len(MEASURED):]}", flush=True)
        if result["failed"]:
            said = [*_excerpt(log.read_text(errors="replace").splitlines()), f"whole log: {log.relative_to(ROOT)}"]
            lines = [f"    {line}" for line in said]
            self.failures += [f"{check.name} failed:", *lines]
            print("\n".join(lines), flush=True)

    def _record(self, key, result):
        self.earlier[key] = result
        totals = {name: sum(item[name] for item in self.earlier.values())
                  for name in ("passed", "failed", "skipped", "seconds")}
        record = {"commit": _commit(), "tier": "full", "parts": self.parts, "checks": self.earlier, "totals": totals}
        RECORD.write_text(json.dumps(record, indent=2) + "\n")

    def finish(self):
        """Prints the failures once more, as what came between them may be long, the checks that took longest, and the counts;
        returns the exit status."""
        count = {name: sum(item[name] for item in self.results.values()) for name in ("passed", "failed", "skipped")}
        for line in self.failures:
            print(line)
        longest = sorted(self.results.items(), key=lambda item: -item[1]["seconds"])[:LONGEST]
        if len(self.results) > LONGEST:
            print("longest:")
            for name, item in longest:
                print(f"    {name:28} {item['seconds']:8.1f} s")
        if not count["passed"] + count["failed"]:
            print("nothing was checked", file=sys.stderr)
            count["failed"] = 1
        print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
        return 1 if count["failed"] else 0
