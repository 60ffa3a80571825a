// SPDX-License-Identifier: Apache-2.0
#include "runs/report/report.h"


#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "runs/switch/session.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/report/sample.h"
#include "testbenches/report/series_sample.h"

namespace tilefly::runs {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::FailedRun;
using testing::HostileRun;
using testing::ReproRun;
using testing::Sample;
using testing::SeriesRun;
using testing::SparseRun;
using testing::SweepRun;
using testing::SwitchRun;
using testing::SystemRun;

std::string Render(const Sample& sample) { return RenderReport(sample.results, sample.detail); }

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The text of the element that holds the run, as a browser cuts it out.
std::string EmbeddedText(const std::string& page) {
  const std::string start = "<script type=\"application/json\" id=\"run\">";
  const std::size_t from = page.find(start) + start.size();
  return page.substr(from, page.find("</script", from) - from);
}

std::string Contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class ReportFile : public ::testing::Test {
 protected:
  ReportFile() : dir_(bench::ProcessFolder() / "report") { fs::create_directories(dir_); }
  ~ReportFile() override { fs::remove_all(dir_); }
  const fs::path dir_;
};

TEST(Report, EmbedsTheRunUnchanged) {
  const Sample sample = SwitchRun(4, 8, 0.5);
  const auto run = nlohmann::json::parse(EmbeddedText(Render(sample)));
  EXPECT_EQ(run["results"], sample.results);
  EXPECT_EQ(run["detail"], sample.detail);
  EXPECT_EQ(run["detail"]["ports"].size(), 64u);
}

TEST(Report, HasEveryPartAndNoMarkLeft) {
  const std::string page = Render(SwitchRun(4, 8, 0.5));
  EXPECT_THAT(page, Not(HasSubstr("@include")));
  EXPECT_THAT(page, Not(HasSubstr("@RUN_JSON@")));
  EXPECT_THAT(page, Not(HasSubstr("@TITLE@")));
  EXPECT_THAT(page, Not(HasSubstr("@PLAIN_ROWS@")));
  EXPECT_THAT(page, HasSubstr("function drawLatencyChart"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_EQ(Count(page, "<script"), 2);
  EXPECT_EQ(Count(page, "</script"), 2);
}

TEST(Report, NeedsNothingFromOutside) {
  const std::string page = Render(SwitchRun(4, 8, 0.5));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<link")));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_THAT(page, Not(HasSubstr("https://")));
  EXPECT_EQ(Count(page, "http://"), Count(page, "http://www.w3.org/2000/svg"));
}

TEST(Report, HostileStringsStayStrings) {
  const Sample sample = HostileRun();
  const std::string page = Render(sample);
  const std::string plain = Render(SwitchRun(2, 2, 0.5));
  for (const char* markup : {"<script", "</script", "<!--", "<img", "<title", "</title"}) {
    EXPECT_EQ(Count(page, markup), Count(plain, markup)) << markup;
  }
  const auto run = nlohmann::json::parse(EmbeddedText(page));
  EXPECT_EQ(run["results"]["traffic"], sample.results["traffic"]);
  EXPECT_EQ(run["detail"]["failure"], sample.detail["failure"]);
}

TEST(Report, BytesThatAreNotUtf8AreReplaced) {
  const std::string page = Render(HostileRun());
  EXPECT_THAT(page, HasSubstr("not UTF-8: \xEF\xBF\xBD"));
  EXPECT_THAT(page, Not(HasSubstr("\xff")));
}

TEST(Report, MainNumbersAreThereWithoutScript) {
  const std::string page = Render(SwitchRun(4, 8, 0.5));
  const std::string plain = page.substr(page.find("<noscript>"), page.find("</noscript>") - page.find("<noscript>"));
  EXPECT_THAT(plain, HasSubstr("<tr><th>verdict</th><td>pass</td></tr>"));
  EXPECT_THAT(plain, HasSubstr("<tr><th>cycles</th><td>20000</td></tr>"));
  EXPECT_THAT(plain, HasSubstr("{&quot;BUFFER_FULL&quot;:44,"));
  EXPECT_EQ(Count(plain, "<tr>"), 12);
}

TEST(Report, AlmostNothingOrNotEvenObjectsStillMakeAPage) {
  EXPECT_THAT(Render(SparseRun()), HasSubstr("<title>pass - Tilefly run report</title>"));
  EXPECT_THAT(RenderReport(nullptr, nullptr), HasSubstr("<title>- Tilefly run report</title>"));
  EXPECT_THAT(RenderReport({1, 2}, "text"), HasSubstr("\"detail\":\"text\""));
}

TEST_F(ReportFile, IsWrittenWholeAndReplaced) {
  std::ofstream(dir_ / "report.html") << "old";
  const Sample sample = FailedRun();
  const fs::path page = WriteReport(dir_, sample.results, sample.detail);
  EXPECT_EQ(page, dir_ / "report.html");
  EXPECT_THAT(Contents(page), HasSubstr("first divergence: cycle 18204"));
  EXPECT_FALSE(fs::exists(dir_ / "report.html.tmp"));
}

TEST_F(ReportFile, LinksFilesRelativeToTheRun) {
  fs::create_directories(dir_ / "waves");
  std::ofstream(dir_ / "waves" / "a.fst") << "x";
  std::ofstream(dir_ / "results.json") << "{}";
  Sample sample = SparseRun();
  sample.detail["waves"] = {{{"path", (dir_ / "waves" / "a.fst").string()}}, {{"path", "waves/a.fst"}}, {{"path", "/elsewhere/b.fst"}}};
  sample.detail["captures"] = {(dir_ / "captures" / "port01_in.pcapng").string()};
  const auto run = nlohmann::json::parse(EmbeddedText(Contents(WriteReport(dir_, sample.results, sample.detail))));
  EXPECT_EQ(run["detail"]["waves"][0]["path"], "waves/a.fst");
  EXPECT_EQ(run["detail"]["waves"][1]["path"], "waves/a.fst");
  EXPECT_EQ(run["detail"]["waves"][2]["path"], "/elsewhere/b.fst");
  EXPECT_EQ(run["detail"]["captures"], nlohmann::json({"captures/port01_in.pcapng"}));
  EXPECT_EQ(run["detail"]["files"], nlohmann::json({"results.json"}));
}

TEST_F(ReportFile, SaysWhatCouldNotBeWritten) {
  const fs::path nowhere = dir_ / "missing";
  try {
    WriteReport(nowhere, nullptr, nullptr);
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr((nowhere / "report.html").string()));
    EXPECT_THAT(error.what(), HasSubstr("No such file"));
  }
}

/// A run whose ports differ in what they send and receive: port 3 only receives, and some frames go to all ports.
void RunIncast(const fs::path& folder) {
  Settings settings;
  for (const auto& [path, value] :
       {std::pair{"devices", "golden"}, {"profile", "tile8"}, {"max_cycles", "4000"}, {"waves.mode", "off"}, {"traffic.pattern", "incast:3"},
        {"traffic.load", "0.1"}, {"traffic.size", "64,1024"}, {"traffic.replicated", "0.05"}, {"traffic.faults", "0.000001"}}) {
    settings.Set(path, value, "test");
  }
  fs::remove_all(folder);  // of an earlier call
  SessionOptions options;
  options.output_dir = folder;
  options.verbosity = -1;
  Session session(settings, options);
  EXPECT_EQ(session.Run(), kPassed);
}

/// The pages that testbenches/report/browser_test opens: it names their directory and runs this test.
TEST_F(ReportFile, SamplesAreWritten) {
  const char* wanted = std::getenv("TILEFLY_REPORT_SAMPLES");
  const fs::path out = wanted == nullptr ? dir_ : fs::path(wanted);
  const std::pair<const char*, Sample> samples[] = {{"pass", SwitchRun(4, 8, 0.53)}, {"fail", FailedRun()}, {"sparse", SparseRun()},
                                                    {"hostile", HostileRun()},       {"empty", {nullptr, nullptr}},
                                                    {"system", SystemRun(9, 4)},     {"largest", SystemRun(511, 32)},
                                                    {"sweep", SweepRun()},        {"repro", ReproRun()},
                                                    {"series", SeriesRun()}};
  for (const auto& [name, sample] : samples) {
    fs::create_directories(out / name);
    EXPECT_THAT(Contents(WriteReport(out / name, sample.results, sample.detail)), ::testing::EndsWith("</html>\n")) << name;
  }
  RunIncast(out / "incast");
}

TEST_F(ReportFile, ShowsWhatEnteredAndLeftByEachPortWhileTrafficFlowed) {
  RunIncast(dir_ / "incast");
  const auto run = nlohmann::json::parse(EmbeddedText(Contents(dir_ / "incast/report.html")));
  const auto& detail = run["detail"];
  ASSERT_EQ(detail["ports"].size(), 8u);
  double offered = 0, out = 0;
  for (const auto& port : detail["ports"]) {
    offered += port["offered_slots"].get<double>();
    out += port["out_slots"].get<double>();
    if (port["port"] == 3) {
      EXPECT_EQ(port["in_slots"], 0);
      EXPECT_GT(port["out_slots"], 2000);
    } else {
      EXPECT_GT(port["in_slots"], 300) << port;
      EXPECT_LT(port["out_slots"], port["in_slots"]) << port;
      EXPECT_LE(port["in_slots"], port["offered_slots"]) << port;
    }
  }
  const double slots = 8 * detail["traffic_slots"].get<double>();
  EXPECT_EQ(slots, 8.0 * 4000);
  EXPECT_DOUBLE_EQ(offered / slots, run["results"]["offered_load"].get<double>());
  EXPECT_DOUBLE_EQ(out / slots, run["results"]["accepted_load"].get<double>());
  EXPECT_THAT(detail["above_offered"].get<std::string>(), HasSubstr("a frame comes out 1."));
}

}  // namespace
}  // namespace tilefly::runs
