// SPDX-License-Identifier: Apache-2.0
// Reading of tables and wish lists, what CheckTable finds, what is expected of shares, the picture.
#include "qos/table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "qos/check.h"
#include "qos/picture.h"
#include "qos/report.h"
#include "qos/wish_list.h"
#include "testbenches/qos/files.h"

namespace tilefly::qos {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Refusal;
using testing::TemporaryFile;

constexpr const char* kClasses =
    "gmtu: 20 credits\nclasses:\n"
    "  - {name: A, mtu: 10 credits, distance: 2}\n"
    "  - {name: B, mtu: 20 credits, bandwidth: 40%}\n";

std::string Entries(const std::vector<std::string>& entries) {
  std::string text = "table:\n";
  for (const std::string& entry : entries) {
    const std::size_t space = entry.find(' ');
    text += space == std::string::npos
                ? fmt::format("  - {}\n", entry)
                : fmt::format("  - {{class: {}, weight: {}}}\n", entry.substr(0, space), entry.substr(space + 1));
  }
  return text;
}

Table Read(const std::string& yaml) {
  const TemporaryFile file(yaml);
  return ReadTable(file.path());
}

std::string ReadRefusal(const std::string& yaml) {
  return Refusal([&] { Read(yaml); });
}

std::string WishRefusal(const std::string& yaml) {
  const TemporaryFile file(yaml);
  return Refusal([&] { LoadWishes(file.path()); });
}

/// Errors and warnings of a table, one a line.
std::string Findings(const std::string& yaml) {
  std::string text;
  for (const Finding& finding : CheckTable(Read(yaml)).findings)
    text += fmt::format("{} {}\n", finding.error ? "error" : "warning", finding.text);
  return text;
}

TEST(Table, IsReadAndWrittenTheSame) {
  const std::string yaml =
      std::string(kClasses) +
      "  - {name: C, mtu: 64B, group: 1, maximum: {rate: 2.5%, burst: 480B}, ordered: on, lossy: on, "
      "routing: in_order, dscp: [46, 48], pcp: [5], buffer: {reserve: 0 credits, most: 300 credits}}\n"
      "shared_buffer: 700 credits\n"
      "planned: {k: 0.5, w: 2.9, pool: 100}\ntotals: {A: 21, B: 40, C: 9}\n" +
      Entries({"A 10", "B 40", "A 11", "C 9"}) + Entries({}).substr(7);
  const Table table = Read(yaml);
  EXPECT_EQ(table.classes[2].mtu, 2);
  EXPECT_EQ(table.classes[2].maximum->share, kWhole / 40);
  EXPECT_EQ(table.classes[2].maximum->burst, 11);
  EXPECT_EQ(table.classes[2].lanes, std::vector<int>{2});
  EXPECT_EQ(table.origin->w, 29);
  EXPECT_EQ(table.classes[2].dscp, (std::vector<int>{46, 48}));
  EXPECT_EQ(table.classes[2].pcp, std::vector<int>{5});
  EXPECT_EQ(table.classes[2].buffer.reserve, 0);
  EXPECT_EQ(table.classes[2].buffer.most, 300);
  EXPECT_EQ(table.classes[1].buffer.reserve, 40);  // two MTU
  EXPECT_EQ(table.classes[1].buffer.most, 930);
  EXPECT_EQ(table.shared_buffer, 700);
  const std::string written = ToYaml(table);
  EXPECT_EQ(ToYaml(Read(written)), written);
  EXPECT_EQ(written.find("lanes"), std::string::npos) << "of a file without lanes";
}

TEST(Table, LanesThatItsFileNamesAreKept) {
  const std::string yaml = "classes:\n  - {name: A, mtu: 10 credits, lanes: [7, 3]}\n" + Entries({"A 10"});
  EXPECT_THAT(ToYaml(Read(yaml)), HasSubstr("lanes: [7, 3]"));
}

TEST(Table, RefusesWhatIsNoTableWithLineAndKey) {
  const std::string good = Entries({"A 10", "B 20"});
  const std::string classes = kClasses;
  EXPECT_EQ(ReadRefusal(classes + good), "");
  EXPECT_THAT(ReadRefusal(classes + "tabel: []\n" + good), AllOf(HasSubstr(":5)"), HasSubstr("did you mean 'table'")));
  EXPECT_THAT(ReadRefusal(classes + "  - {name: C, mtu: 1 credit, lane: [3]}\n" + good),
              AllOf(HasSubstr("class 2"), HasSubstr(":5)"), HasSubstr("did you mean 'lanes'")));
  EXPECT_THAT(ReadRefusal(classes + Entries({"A 10", "Bx 20"})),
              AllOf(HasSubstr(":7: entry 1"), HasSubstr("did you mean 'B'")));
  EXPECT_THAT(ReadRefusal(classes + Entries({"A 10", "B 4096"})), HasSubstr("4096 is not between 1 and 4095"));
  EXPECT_THAT(ReadRefusal(classes + Entries({"A 10", "B 20", "A 10"})), HasSubstr("3 entries; a power of two"));
  EXPECT_THAT(ReadRefusal(classes + Entries({"A 10", "none"})), HasSubstr("'none' is neither"));
  EXPECT_THAT(ReadRefusal(classes + good + "totals: {A: 10, B: 21}\n"), HasSubstr("21 is stated, the entries of the "
                                                                                  "class sum to 20"));
  EXPECT_THAT(ReadRefusal(classes + classes.substr(classes.find("classes")) + good), HasSubstr("appears twice"));
  EXPECT_THAT(ReadRefusal(classes + "  - {name: A, mtu: 1 credit}\n" + good), HasSubstr("name A belongs to class A"));
  EXPECT_THAT(ReadRefusal(classes + "  - {name: C, level: 1, mtu: 1 credit}\n" + good),
              HasSubstr("level 1 belongs to class B and to class C"));
  EXPECT_THAT(ReadRefusal(classes + "  - {name: C, mtu: 1 credit, lanes: [3]}\n" + good), HasSubstr("A has no lanes"));
  EXPECT_THAT(ReadRefusal(classes + "  - {name: C, mtu: 1 credit, bandwidth: rest}\n" + good), HasSubstr("wish lists"));
  EXPECT_THAT(ReadRefusal(classes + "  - {name: C, mtu: 1 credit, latency: 1}\n" + good), HasSubstr("wish lists"));
  EXPECT_THAT(ReadRefusal(classes), AllOf(HasSubstr("key 'table' is missing"), HasSubstr("tilefly qos plan")));
  EXPECT_THAT(ReadRefusal(classes + "tabel:" + good.substr(good.find(':') + 1)),
              AllOf(HasSubstr(":5: "), HasSubstr("write it for 'tabel'")));
  EXPECT_THAT(ReadRefusal("table: [\n"), HasSubstr("not YAML"));
  EXPECT_THAT(ReadRefusal(""), HasSubstr("keys and values were expected"));
  EXPECT_THAT(Refusal([] { ReadTable("no.yaml"); }), HasSubstr("no.yaml: cannot be read"));
}

TEST(Table, RefusesClassesThatClaimTheSameMarkAndImpossibleBuffers) {
  const std::string good = Entries({"A 10", "B 20"});
  const auto third = [&](const std::string& keys) {
    return ReadRefusal(std::string(kClasses) + "  - {name: C, mtu: 1 credit, dscp: [1], pcp: [1]}\n" +
                       "  - {name: D, mtu: 1 credit, " + keys + "}\n" + Entries({"A 10", "B 20", "C 2", "D 2"}));
  };
  EXPECT_EQ(third("dscp: [2]"), "");
  EXPECT_THAT(third("dscp: [0, 1]"), HasSubstr("dscp 1 belongs to class C and to class D"));
  EXPECT_THAT(third("pcp: [1]"), HasSubstr("pcp 1 belongs to class C and to class D"));
  EXPECT_THAT(third("dscp: [64]"), HasSubstr("64 is not between 0 and 63"));
  EXPECT_THAT(third("pcp: [8]"), HasSubstr("8 is not between 0 and 7"));
  EXPECT_THAT(third("buffer: {reserve: 50 credits, most: 40 credits}"),
              HasSubstr("40 credits are 10 fewer than the reserve"));
  EXPECT_THAT(third("buffer: {reserv: 50 credits}"), AllOf(HasSubstr("buffer of class D"), HasSubstr("'reserve'")));
  EXPECT_THAT(third("buffer: {most: 5000 credits}"), HasSubstr("5000"));
}

/// S + sum of R_w <= CELLS - 3 MTU_CELLS: 2560 - 267 = 2293 credits.
TEST(Table, GivesAwayNoMoreOfTheInputBufferThanThereIs) {
  const auto findings = [&](const std::string& lossy, int reserve, const std::string& shared) {
    return Findings(
        std::string(kClasses) +
        fmt::format("  - {{name: C, mtu: 10 credits, lossy: {}, buffer: {{reserve: {} credits}}}}\n", lossy, reserve) +
        shared + Entries({"A 20", "B 80", "A 20", "C 40"}));
  };
  // A and B reserve 20 and 40.
  EXPECT_EQ(findings("on", 1000, "shared_buffer: 1233 credits\n"), "");
  EXPECT_THAT(findings("on", 1000, "shared_buffer: 1234 credits\n"),
              AllOf(HasSubstr("error the reserves"), HasSubstr("A 20, B 40, C 1000"),
                    HasSubstr("2294 credits, 1 more than the 2293")));
  EXPECT_EQ(findings("on", 1000, ""), "") << "what is left is shared";
  EXPECT_EQ(findings("on", 2233, ""), "");
  EXPECT_THAT(findings("on", 2234, ""), HasSubstr("2294 credits, 1 more than the 2293"));
  EXPECT_EQ(findings("off", 2234, ""), "") << "nobody is dropped, nothing counts";
  EXPECT_EQ(findings("on", 4, "shared_buffer: 6 credits\n"), "");
  EXPECT_THAT(findings("on", 4, "shared_buffer: 5 credits\n"),
              HasSubstr("class C: it is lossy and its buffer holds 9 credits, 1 fewer"));
}

TEST(WishList, RefusesValuesWithoutUnitsOrOutOfRange) {
  const auto one = [](const std::string& keys) { return WishRefusal("classes:\n  - {name: A, " + keys + "}\n"); };
  EXPECT_EQ(one("bandwidth: 40%, mtu: 64B"), "");
  EXPECT_THAT(one("bandwidth: 40%, mtu: 64"), AllOf(HasSubstr(":2: class 0: mtu"), HasSubstr("192B or 4KiB")));
  EXPECT_THAT(one("bandwidth: 40, mtu: 64B"), HasSubstr("at most the whole link (200000Mbps)"));
  EXPECT_THAT(one("bandwidth: 40Gb, mtu: 64B"), HasSubstr("no known unit"));
  EXPECT_THAT(one("bandwidth: 201Gbps, mtu: 64B"), HasSubstr("at most the whole link"));
  EXPECT_THAT(one("bandwidth: 0%, mtu: 64B"), HasSubstr("not more than 0"));
  EXPECT_THAT(one("bandwidth: nan%, mtu: 64B"), HasSubstr("not a number"));
  EXPECT_THAT(one("mtu: 64B"), HasSubstr("key 'bandwidth' is missing; add it"));
  EXPECT_THAT(one("mtu: 64B, bandwith: 40%"), HasSubstr("key 'bandwidth' is missing; write it for 'bandwith'"));
  EXPECT_THAT(one("bandwidth: 40%, mtu: 0.5 credits"), HasSubstr("not a whole number"));
  EXPECT_THAT(one("bandwidth: 40%, mtu: 64B, distance: 65"), HasSubstr("has distance 65, the table 64 entries"));
  EXPECT_THAT(one("bandwidth: 40%, mtu: 64B, distance: 2, latency: 1"), HasSubstr("give one of the two"));
  EXPECT_THAT(one("bandwidth: 40%, mtu: 64B, group: 4"), HasSubstr("4 is not between 0 and 3"));
  EXPECT_THAT(one("bandwidth: 40%, mtu: 64B, routing: adaptiv_0"), HasSubstr("did you mean 'adaptive_0'"));
  EXPECT_THAT(one("bandwidth: 40%, mtu: 64B, lanes: [16]"), HasSubstr("16 is not between 0 and 15"));
  EXPECT_THAT(one("bandwidth: 40%, mtu: 64B, maximum: {rat: 5%}"), HasSubstr("key 'rate' is missing"));
  EXPECT_THAT(WishRefusal("entries: 48\nclasses: [{name: A, bandwidth: 1%, mtu: 64B}]\n"), HasSubstr("power of two"));
  EXPECT_THAT(WishRefusal("classes: []\n"), HasSubstr("0 classes; 1 to 8"));
}

TEST(Check, FindsWhatIsWrongWithTheFigures) {
  const std::string classes = kClasses;
  EXPECT_EQ(Findings(classes + Entries({"A 30", "B 40", "A 30", "empty"})), "");
  EXPECT_THAT(
      Findings(classes + Entries({"A 20", "B 40", "A 9", "empty"})),
      HasSubstr("error class A: 1 of its 2 entries weigh less than its MTU of 10 credits; entry 2 has 9, 1 too few"));
  EXPECT_THAT(Findings(classes + Entries({"A 20", "B 39", "A 20", "empty"})),
              HasSubstr("warning class B: the least of its entries weighs 39 credits; two MTU, 40, are recommended"));
  EXPECT_THAT(Findings(classes + Entries({"A 20", "B 40", "empty", "A 20"})),
              HasSubstr("error class A: 3 entries from one of its entries to the next, 1 more than its distance 2"));
  EXPECT_THAT(Findings(classes + Entries({"A 50", "B 40", "A 50", "empty"})),
              HasSubstr("error class B: it can expect 28.571% of the link, 11.429% less than its bandwidth 40%"));
  EXPECT_THAT(Findings(classes + Entries({"A 20", "A 20"})),
              HasSubstr("error class B: it has no entry and would never be served"));
  const std::string no_maximum = classes + "  - {name: C, mtu: 1 credit, group: 2}\n";
  EXPECT_THAT(Findings(no_maximum + Entries({"A 20", "B 40", "A 20", "C 20"})),
              HasSubstr("error class C: it is in priority group 2, above group 0, and has no maximum"));
  const std::string low_maximum = classes + "  - {name: C, mtu: 1 credit, bandwidth: 5%, maximum: 3%}\n";
  EXPECT_THAT(Findings(low_maximum + Entries({"A 20", "B 40", "A 20", "C 20"})),
              HasSubstr("error class C: its maximum 3% is 2% below its bandwidth 5%"));
}

TEST(Check, LoadTableRefusesErrorsAndTakesWarnings) {
  const TemporaryFile bad(std::string(kClasses) + Entries({"A 9", "B 40"}));
  EXPECT_THAT(Refusal([&] { LoadTable(bad.path()); }), AllOf(HasSubstr("no switch can use"), HasSubstr("1 too few")));
  const TemporaryFile small(std::string(kClasses) + Entries({"A 11", "B 39"}));
  EXPECT_EQ(Refusal([&] { LoadTable(small.path()); }), "");
}

TEST(Check, ExpectedSharesFollowGroupsAndMaximums) {
  const Table table = Read(
      "gmtu: 1 credit\nclasses:\n"
      "  - {name: Top, group: 3, mtu: 1 credit, maximum: 20%}\n"
      "  - {name: Mid, group: 1, mtu: 1 credit, maximum: 30%}\n"
      "  - {name: A, mtu: 1 credit, maximum: 5%}\n"
      "  - {name: B, mtu: 1 credit}\n"
      "  - {name: C, mtu: 1 credit}\n" +
      Entries({"Top 1", "Mid 1", "A 4", "B 1", "C 2", "empty", "empty", "empty"}));
  const CheckResult result = CheckTable(table);
  const double expected[] = {0.2, 0.3, 0.05, 0.15, 0.3};
  for (int c = 0; c < 5; ++c) EXPECT_NEAR(result.classes[c].expected, expected[c], 1e-12) << c;
}

TEST(Picture, ShowsEverySlotOfEveryClass) {
  const Table table = Read(std::string(kClasses) + Entries({"A 20", "B 40", "A 22", "empty"}));
  EXPECT_EQ(TextPicture(table, false),
            "   slots 0 to 3\nA  #.#.\nB  .#..\n\n"
            "A     2 entries of     20-22 =     42 credits  51.22%\n"
            "B     1 entries of        40 =     40 credits  48.78%\n");
  EXPECT_THAT(TextPicture(table, true), HasSubstr("\x1b[38;5;25mA  #.#.\x1b[0m"));
  const std::string svg = SvgPicture(table);
  EXPECT_THAT(svg, AllOf(HasSubstr("slot 0: A, 20 credits"), HasSubstr("slot 1: B, 40 credits"),
                         HasSubstr("slot 2: A, 22 credits"), ::testing::EndsWith("</svg>\n")));
  EXPECT_THAT(svg, ::testing::Not(HasSubstr("slot 3")));
}

TEST(Report, JsonHasTheFiguresOfTheText) {
  const Table table = Read(std::string(kClasses) + Entries({"A 20", "B 39", "A 22", "empty"}));
  const CheckResult result = CheckTable(table);
  const nlohmann::json json = CheckJson(table, result);
  EXPECT_EQ(json["verdict"], "passed");
  EXPECT_EQ(json["total_weight"], 81);
  EXPECT_EQ(json["classes"][1]["weight"], 39);
  EXPECT_EQ(json["classes"][1]["wait_credits"], 20 + 22 + 9);
  EXPECT_EQ(json["findings"].size(), 1U);
  EXPECT_TRUE(json["table"][3]["class"].is_null());
  EXPECT_THAT(CheckText(table, result), HasSubstr("4 entries, 81 credits, 0 errors, 1 warnings"));
}

}  // namespace
}  // namespace tilefly::qos
