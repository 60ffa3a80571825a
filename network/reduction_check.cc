// SPDX-License-Identifier: Apache-2.0
#include "network/reduction_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "support/random.h"

namespace tilefly::network {
namespace {

/// Results that are remembered: all ranks want the same within some time.
constexpr std::size_t kResults = 64;

}  // namespace

ReductionCheck::ReductionCheck(const ReductionJob& job, const workload::Job& ranks, const ReductionTree& tree)
    : job_(job), tree_(tree), arithmetic_(job.op, job.type) {
  for (std::size_t rank = 0; rank < ranks.endpoints.size(); ++rank)
    rank_of_[ranks.endpoints[rank]] = static_cast<int>(rank);
}

int ReductionCheck::CountOf(int part) const { return job_.BytesOf(part) / golden::UnitBytes(job_.op, job_.type); }

ReductionCheck::Elements ReductionCheck::Drawn(int rank, int operation, int part) const {
  Elements elements;
  const std::int64_t first = std::int64_t{part} * (job_.part_bytes() / golden::UnitBytes(job_.op, job_.type));
  for (int i = 0; i < CountOf(part); ++i) {
    const auto element = static_cast<std::uint64_t>(first + i);
    const std::uint64_t id = static_cast<std::uint64_t>(operation) << 40 | element;
    elements.push_back(arithmetic_.Drawn(Draw(job_.seed, static_cast<std::uint32_t>(rank), id, Purpose::kReduction)));
  }
  return elements;
}

std::vector<std::uint8_t> ReductionCheck::BytesOf(const Elements& elements) const {
  std::vector<std::uint8_t> bytes;
  for (const Element& element : elements) arithmetic_.Put(element, &bytes);
  return bytes;
}

std::vector<std::uint8_t> ReductionCheck::Operands(int rank, int operation, int part) const {
  return BytesOf(Drawn(rank, operation, part));
}

void ReductionCheck::Add(const Vector& other, Vector* sum) const {
  if (!other.full) return;
  if (!sum->full) {
    *sum = other;
    return;
  }
  const int per_word = golden::kOperandBytes / golden::UnitBytes(job_.op, job_.type);
  for (std::size_t i = 0; i < other.elements.size(); ++i) {
    sum->elements[i] = arithmetic_.Combined(sum->elements[i], other.elements[i], static_cast<int>(i) % per_word);
  }
}

/// The children of the lower half of the ports in their order, those of the upper half, then both.
ReductionCheck::Vector ReductionCheck::ResultOf(const TreeNode& node, int operation, int part) const {
  Vector halves[2];
  for (const TreeChild& child : node.children) {
    Vector own;
    if (child.node >= 0) {
      own = ResultOf(tree_.nodes[child.node], operation, part);
    } else if (const int rank = rank_of_.at(child.endpoint); job_.Contributes(rank)) {
      own = {true, Drawn(rank, operation, part)};
    }
    Add(own, &halves[child.port < job_.profile->ports / 2 ? 0 : 1]);
  }
  Add(halves[1], &halves[0]);
  return halves[0];
}

std::vector<std::uint8_t> ReductionCheck::Expected(int operation, int part) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [found, is_new] = results_.try_emplace({operation, part});
  if (is_new) {
    found->second = BytesOf(ResultOf(tree_.root(), operation, part).elements);
    // The oldest goes, but not the one that is wanted.
    if (results_.size() > kResults) results_.erase(results_.begin() == found ? std::next(found) : results_.begin());
  }
  return found->second;
}

void ReductionCheck::Compare(int operation, int part, const RedPacket& packet, const std::string& where) {
  const std::vector<std::uint8_t> expected = Expected(operation, part);
  if (packet.data == expected) return;
  const auto [wrong, right] = std::mismatch(packet.data.begin(), packet.data.end(), expected.begin(), expected.end());
  throw WrongResult(fmt::format("{}: operation {}: byte {} of the result is {}, not {}", where, operation,
                                std::int64_t{part} * job_.part_bytes() + (right - expected.begin()),
                                wrong == packet.data.end() ? "missing" : fmt::format("{:#04x}", *wrong),
                                right == expected.end() ? "there" : fmt::format("{:#04x}", *right)));
}

}  // namespace tilefly::network
