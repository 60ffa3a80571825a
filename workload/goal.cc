// SPDX-License-Identifier: Apache-2.0
#include "workload/goal.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "support/errors.h"
#include "support/text.h"
#include "workload/goal_scanner.h"

namespace tilefly::workload {
namespace {

constexpr std::int64_t kMostRanks = 1 << 20;
constexpr std::int64_t kMostNs = std::int64_t{1} << 50;
constexpr const char* kNoAny = "; any source or tag (-1) is not supported";

class GoalReader {
 public:
  GoalReader(const std::string& text, const std::string& name) : scanner_(text, name) { schedule_.name = name; }

  Schedule Read() {
    SkipLines();
    scanner_.Expect("num_ranks");
    const Token at = scanner_.next();
    const std::int64_t ranks = scanner_.Number("the number of ranks", kMostRanks);
    if (ranks < 1) scanner_.Fail(at, "no ranks; a schedule has at least one");
    scanner_.ExpectLineEnd();
    schedule_.ranks.resize(static_cast<std::size_t>(ranks));
    given_.resize(schedule_.ranks.size());
    for (SkipLines(); scanner_.next().kind != TokenKind::kEnd; SkipLines()) ReadRank();
    return std::move(schedule_);
  }

 private:
  /// A line "l2 requires l1" whose labels may stand further down.
  struct Wait {
    Token operation;
    Token on;
    bool started;
  };

  void SkipLines() {
    while (scanner_.next().kind == TokenKind::kLineEnd) scanner_.NextToken();
  }

  void ReadRank() {
    scanner_.Expect("rank");
    const Token at = scanner_.next();
    rank_ = static_cast<int>(scanner_.Number("a rank", static_cast<std::int64_t>(schedule_.ranks.size()) - 1));
    if (std::exchange(given_[rank_], 1) != 0) scanner_.Fail(at, fmt::format("rank {} is there already", rank_));
    SkipLines();
    scanner_.Expect("{");
    labels_.clear();
    waits_.clear();
    for (SkipLines(); !scanner_.next().Is("}"); SkipLines()) {
      if (scanner_.next().kind == TokenKind::kEnd)
        scanner_.Fail(scanner_.next(), fmt::format("rank {} has no end; close it by }}", rank_));
      ReadLine();
    }
    scanner_.NextToken();
    for (const Wait& wait : waits_)
      schedule_.ranks[rank_].dependencies.push_back({Find(wait.operation), Find(wait.on), wait.started});
  }

  /// "[label:] operation" or "label requires label".
  void ReadLine() {
    const Token first = scanner_.Identifier("a label or an operation");
    if (first.Is("send") || first.Is("recv") || first.Is("calc")) {
      ReadOperation(first, nullptr);
    } else if (scanner_.TakeIf(":")) {
      ReadOperation(scanner_.Identifier("send, recv or calc"), &first);
    } else if (scanner_.next().Is("requires") || scanner_.next().Is("irequires")) {
      const bool started = scanner_.NextToken().text == "irequires";
      waits_.push_back({first, scanner_.Identifier("a label"), started});
    } else {
      scanner_.Fail(
          first,
          fmt::format("'{}' is neither a label (LABEL: ..., LABEL requires LABEL) nor send, recv, calc", first.text));
    }
    scanner_.ExpectLineEnd();
  }

  void ReadOperation(const Token& what, const Token* label) {
    Operation one{};
    if (what.Is("calc")) {
      one.kind = Kind::kCalc;
      one.amount = scanner_.Number("a time in ns", kMostNs);
    } else if (what.Is("send") || what.Is("recv")) {
      one.kind = what.Is("send") ? Kind::kSend : Kind::kReceive;
      one.amount = scanner_.Number("a number of bytes", kMostBytes);
      scanner_.Expect("b");
      scanner_.Expect(one.kind == Kind::kSend ? "to" : "from");
      one.peer = ReadPeer();
      if (scanner_.TakeIf("tag")) one.tag = static_cast<std::uint32_t>(scanner_.Number("a tag", UINT32_MAX, kNoAny));
    } else {
      scanner_.Fail(what, fmt::format("'{}' is none of send, recv, calc", what.text));
    }
    if (scanner_.TakeIf("cpu")) one.cpu = static_cast<std::uint8_t>(scanner_.Number("a CPU", UINT8_MAX));
    if (one.kind != Kind::kCalc && scanner_.next().Is("nic")) {
      scanner_.NextToken();
      const Token at = scanner_.next();
      if (scanner_.Number("a NIC", UINT8_MAX) != 0) scanner_.Fail(at, "a rank has one NIC, number 0");
    }
    Rank& rank = schedule_.ranks[rank_];
    if (label != nullptr && !labels_.emplace(label->text, static_cast<int>(rank.operations.size())).second)
      scanner_.Fail(*label, fmt::format("label '{}' is there already", label->text));
    rank.operations.push_back(one);
    rank.labels.push_back(label != nullptr ? Label{label->text, label->line, label->column}
                                           : Label{"", what.line, what.column});
  }

  int ReadPeer() {
    const Token at = scanner_.next();
    const std::int64_t peer = scanner_.Number("a rank", INT32_MAX, kNoAny);
    if (peer >= static_cast<std::int64_t>(schedule_.ranks.size()))
      scanner_.Fail(at, fmt::format("there is no rank {}; ranks are 0 to {}", peer, schedule_.ranks.size() - 1));
    return static_cast<int>(peer);
  }

  int Find(const Token& label) const {
    const auto found = labels_.find(label.text);
    if (found == labels_.end()) scanner_.Fail(label, fmt::format("rank {} has no label '{}'", rank_, label.text));
    return found->second;
  }

  GoalScanner scanner_;
  Schedule schedule_;
  std::vector<char> given_;  ///< by rank: it has been there
  int rank_ = 0;
  std::unordered_map<std::string, int> labels_;  ///< of the rank: operations
  std::vector<Wait> waits_;
};

}  // namespace

Schedule ParseGoal(const std::string& text, const std::string& name) {
  Schedule schedule = GoalReader(text, name).Read();
  Check(schedule);
  return schedule;
}

Schedule ReadGoal(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file))
    throw UsageError(fmt::format("--goal: cannot read '{}'; give the path of a GOAL text schedule", file.string()));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return ParseGoal(text, file.string());
}

std::string GoalText(const Schedule& schedule) {
  std::string text = fmt::format("num_ranks {}\n", schedule.ranks.size());
  for (std::size_t r = 0; r < schedule.ranks.size(); ++r) {
    const Rank& rank = schedule.ranks[r];
    text += fmt::format("\nrank {} {{\n", r);
    for (std::size_t i = 0; i < rank.operations.size(); ++i) {
      const Operation& one = rank.operations[i];
      text += one.kind == Kind::kCalc
                  ? fmt::format("l{}: calc {}", i, one.amount)
                  : fmt::format("l{}: {} {}b {} {} tag {}", i, one.kind == Kind::kSend ? "send" : "recv", one.amount,
                                one.kind == Kind::kSend ? "to" : "from", one.peer, one.tag);
      text += one.cpu != 0 ? fmt::format(" cpu {}\n", one.cpu) : "\n";
    }
    for (const Dependency& one : rank.dependencies)
      text += fmt::format("l{} {} l{}\n", one.operation, one.started ? "irequires" : "requires", one.on);
    text += "}\n";
  }
  return text;
}

}  // namespace tilefly::workload
