// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/books.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::conform {
namespace {

constexpr std::size_t kRemembered = 4096;

std::string Where(Cycle cycle, int port) {
  return port < 0 ? fmt::format("cycle {}", cycle) : fmt::format("cycle {}, port {}", cycle, port);
}

std::size_t FirstDifference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  const std::size_t size = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(size), b.begin()).first - a.begin());
}

}  // namespace

Breach::Breach(std::string rule, Cycle cycle, int port, const std::string& what)
    : std::runtime_error(fmt::format("{}: {}", Where(cycle, port), what)),
      rule_(std::move(rule)),
      cycle_(cycle),
      port_(port) {}

Books::Books(const Capability& capability, const Scenario& scenario)
    : capability_(capability),
      mask_(scenario.mask),
      lossy_(capability.flow.lossy && !scenario.quiet),
      ports_(capability.ports),
      classes_(capability.classes.count),
      flows_(static_cast<std::size_t>(ports_ * ports_ * classes_)),
      due_(static_cast<std::size_t>(ports_ * ports_)),
      wanting_(static_cast<std::size_t>(ports_)),
      unjudged_(static_cast<std::size_t>(ports_)),
      at_(static_cast<std::size_t>(ports_)) {}

void Books::Begin(const FramePtr& frame, Cycle offered, Cycle now) {
  ++counts_.offered;
  longest_ = std::max(longest_, frame->bytes.size());
  at_[static_cast<std::size_t>(frame->source)].in = {frame, now, -1};
  if (!frame->judged) {
    ++counts_.unjudged;
    auto& some = unjudged_[static_cast<std::size_t>(frame->source)];
    some.push_back(frame);
    if (some.size() > kRemembered) some.pop_front();
    return;
  }
  if (frame->outputs == 0) {
    ++counts_.dropped;
    ++at_[static_cast<std::size_t>(frame->source)].dropped;
    Remember(frame);
  }
  const auto passage = std::make_shared<Passage>(Passage{frame, offered, now, -1, frame->outputs});
  for (int output = 0; output < ports_; ++output) {
    if ((frame->outputs >> output & 1) == 0 || mask_.CoversPort(output)) continue;
    FlowOf(frame->source, output, frame->traffic_class).push_back(passage);
    CountDue(frame->source, output, 1);
    ++outstanding_;
  }
}

void Books::CountDue(int input, int output, std::int64_t more) {
  std::int64_t& due = due_[static_cast<std::size_t>(input * ports_ + output)];
  wanting_[static_cast<std::size_t>(output)] += (due + more > 0) - (due > 0);
  due += more;
}

void Books::Remember(const FramePtr& frame) {
  lately_.push_back(frame);
  if (lately_.size() > kRemembered) lately_.pop_front();
}

void Books::End(const FramePtr& frame, Cycle now) {
  PortCounts& at = at_[static_cast<std::size_t>(frame->source)];
  at.in.last = now;
  ++at.frames_in;
  at.bytes_in += static_cast<std::int64_t>(frame->bytes.size());
  for (int output = 0; output < ports_; ++output) {
    Flow& flow = FlowOf(frame->source, output, frame->traffic_class);
    for (auto it = flow.rbegin(); it != flow.rend(); ++it) {
      if ((*it)->frame == frame) {
        (*it)->last_in = now;
        return;
      }
    }
  }
}

Passage Books::CameOut(int port, const std::vector<std::uint8_t>& bytes, bool marked, std::uint32_t id, Cycle first,
                       Cycle now) {
  for (int from = 0; from < ports_ * classes_; ++from) {
    const int input = from / classes_;
    Flow& flow = FlowOf(input, port, from % classes_);
    // A lossy device may have dropped those in front.
    const std::size_t depth = lossy_ ? flow.size() : std::min<std::size_t>(flow.size(), 1);
    for (std::size_t i = 0; i < depth; ++i) {
      const Passage passage = *flow[i];
      if (passage.frame->bytes != bytes) continue;
      const bool early = passage.last_in < 0 || first < passage.last_in;
      if (early && !capability_.flow.cut_through && !mask_.Covers("cut-through", port))
        throw Breach("cut-through", now, port,
                     fmt::format("{} began to come out in cycle {}, before its last beat went in{}; the capability "
                                 "file says flow.cut_through: no",
                                 passage.frame->Name(), first,
                                 passage.last_in < 0 ? "" : fmt::format(" in cycle {}", passage.last_in)));
      if (marked != passage.frame->marked && !mask_.Covers("marks", port))
        throw Breach("marks", now, port,
                     fmt::format("{} came out {} the bad bit, and went in {}", passage.frame->Name(),
                                 marked ? "with" : "without", passage.frame->marked ? "with it" : "without"));
      if (capability_.signals.id_bits > 0 && capability_.signals.id_passes && id != passage.frame->id &&
          !mask_.Covers("tid", port))
        throw Breach(
            "tid", now, port,
            fmt::format("{} came out with tid {}; it went in with {}", passage.frame->Name(), id, passage.frame->id));
      counts_.lost += static_cast<std::int64_t>(i);
      at_[static_cast<std::size_t>(input)].lost += static_cast<std::int64_t>(i);
      PortCounts& at = at_[static_cast<std::size_t>(port)];
      at.out = {passage.frame, first, now};
      ++at.frames_out;
      at.bytes_out += static_cast<std::int64_t>(bytes.size());
      outstanding_ -= static_cast<std::int64_t>(i) + 1;
      ++counts_.delivered;
      Remember(passage.frame);
      flow.erase(flow.begin(), flow.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      CountDue(input, port, -static_cast<std::int64_t>(i) - 1);
      return passage;
    }
  }
  for (const auto& some : unjudged_) {
    for (const FramePtr& frame : some) {
      if (frame->bytes != bytes) continue;
      at_[static_cast<std::size_t>(port)].out = {frame, first, now};
      return {frame, -1, -1, -1, 0};
    }
  }
  Unexpected(port, bytes, now);
}

/// What came out is none of the frames that are due: says what it resembles.
void Books::Unexpected(int port, const std::vector<std::uint8_t>& bytes, Cycle now) const {
  const auto size = bytes.size();
  for (int at = 0; at < ports_ * classes_; ++at) {
    for (int output = 0; output < ports_; ++output) {
      const Flow& flow = FlowOf(at / classes_, output, at % classes_);
      for (std::size_t i = 0; i < flow.size(); ++i) {
        if (flow[i]->frame->bytes != bytes) continue;
        const std::string name = flow[i]->frame->Name();
        if (output != port) throw Breach("place", now, port, name + " came out here");
        throw Breach(
            "order", now, port,
            fmt::format("{} came out; {} went in before it, and is lost, or late", name, flow[0]->frame->Name()));
      }
    }
  }
  for (auto it = lately_.rbegin(); it != lately_.rend(); ++it) {
    if ((*it)->bytes != bytes) continue;
    throw Breach(
        "once", now, port,
        (*it)->Name() + ((*it)->outputs == 0 ? " came out; it must be dropped" : " came out once more than it has to"));
  }
  const Frame* nearest = nullptr;
  std::size_t same = 0;
  for (int at = 0; at < ports_ * classes_; ++at) {
    const Flow& flow = FlowOf(at / classes_, port, at % classes_);
    if (flow.empty()) continue;
    const std::size_t equal = FirstDifference(flow[0]->frame->bytes, bytes);
    if (nearest == nullptr || equal > same) {
      nearest = flow[0]->frame.get();
      same = equal;
    }
  }
  if (nearest == nullptr)
    throw Breach("nothing invented", now, port,
                 fmt::format("a frame of {} bytes came out, and none is due here", size));
  if (same == std::min(size, nearest->bytes.size()))
    throw Breach("bytes", now, port, fmt::format("{} came out with {} bytes", nearest->Name(), size));
  throw Breach("bytes", now, port,
               fmt::format("a frame of {} bytes came out that nobody sent; nearest is {}, from whose byte {} on it "
                           "differs ({:#04x}, {:#04x} was sent)",
                           size, nearest->Name(), same, bytes[same], nearest->bytes[same]));
}

const Passage* Books::Oldest(int output) const {
  const Passage* oldest = nullptr;
  for (int at = 0; at < ports_ * classes_; ++at) {
    const Flow& flow = FlowOf(at / classes_, output, at % classes_);
    if (!flow.empty() && flow[0]->last_in >= 0 && (oldest == nullptr || flow[0]->last_in < oldest->last_in))
      oldest = flow[0].get();
  }
  return oldest;
}

FramePtr Books::Due(int input, int output) const {
  FramePtr first;
  for (int traffic_class = 0; traffic_class < classes_; ++traffic_class) {
    const Flow& flow = FlowOf(input, output, traffic_class);
    if (!flow.empty() && (first == nullptr || flow.front()->frame->number < first->number))
      first = flow.front()->frame;
  }
  return first;
}

std::int64_t Books::Due(int output) const {
  std::int64_t due = 0;
  for (int input = 0; input < ports_; ++input) due += due_[static_cast<std::size_t>(input * ports_ + output)];
  return due;
}

void Books::GiveUp() {
  for (int from = 0; from < ports_ * classes_; ++from) {
    const int input = from / classes_;
    for (int output = 0; output < ports_; ++output) {
      Flow& flow = FlowOf(input, output, from % classes_);
      const auto missing = static_cast<std::int64_t>(flow.size());
      counts_.lost += missing;
      at_[static_cast<std::size_t>(input)].lost += missing;
      outstanding_ -= missing;
      CountDue(input, output, -missing);
      flow.clear();
    }
  }
}

void Books::Forget() {
  before_reset_ = counts_.dropped + counts_.lost;
  for (Flow& flow : flows_) flow.clear();
  std::fill(due_.begin(), due_.end(), 0);
  std::fill(wanting_.begin(), wanting_.end(), 0);
  for (auto& some : unjudged_) some.clear();
  lately_.clear();
  outstanding_ = 0;
  std::fill(at_.begin(), at_.end(), PortCounts{});
}

void Books::Close(Cycle now, bool counted, std::uint64_t counter) {
  for (int input = 0; input < ports_ && !lossy_; ++input) {
    for (int output = 0; output < ports_; ++output) {
      if (const FramePtr frame = Due(input, output))
        throw Breach("nothing lost", now, output, frame->Name() + " did not come out");
    }
  }
  GiveUp();
  const std::int64_t expected = counts_.dropped + counts_.lost - before_reset_;
  const bool known = counts_.unjudged == 0 && !(lossy_ && mask_.CoversPorts());
  if (counted && known && !mask_.Covers("drop counter", -1) && counter != static_cast<std::uint64_t>(expected))
    throw Breach("drop counter", now, -1,
                 fmt::format("the device counts {} dropped frames, and {} did not come out", counter, expected));
}

}  // namespace tilefly::conform
