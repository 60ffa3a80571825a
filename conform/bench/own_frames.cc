// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/own_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "conform/bench/class_field.h"
#include "cosim/setup/frame.h"
#include "support/errors.h"

namespace tilefly::conform {

OwnFrames::OwnFrames(const Capability& capability, const Scenario& scenario, std::uint64_t seed)
    : capability_(capability),
      scenario_(scenario),
      seed_(seed),
      table_(capability.forwarding.macs),
      latest_(table_),
      senders_(static_cast<std::size_t>(capability.ports)),
      epochs_{MakeEpoch()} {}

OwnFrames::Epoch OwnFrames::MakeEpoch() const {
  Epoch epoch;
  epoch.frames.resize(senders_.size());
  return epoch;
}

/// The beat is one that the port can carry.
void OwnFrames::Check(int port, const Beat& beat) const {
  const auto require = [&](bool right, const std::string& what) {
    if (!right) throw UsageError(fmt::format("a beat for port {}: {}", port, what));
  };
  const PortSignals& signals = capability_.signals;
  const auto fits = [](std::uint64_t value, int bits) { return bits >= 32 || value >> bits == 0; };
  const std::uint64_t full =
      signals.data_bytes == kMostBytes ? ~std::uint64_t{0} : (std::uint64_t{1} << signals.data_bytes) - 1;
  const bool prefix = beat.keep != 0 && (beat.keep & (beat.keep + 1)) == 0 && (beat.keep & ~full) == 0;
  require(beat.valid, "valid is 0");
  require(beat.last && signals.keep ? prefix : beat.keep == full,
          fmt::format("keep is {:#x}; a last one keeps bytes from byte 0 on, others all {}", beat.keep,
                      signals.data_bytes));
  require(fits(beat.dest, signals.dest_bits),
          fmt::format("tdest {} has more than the {} bits of ports.tdest", beat.dest, signals.dest_bits));
  require(fits(beat.id, signals.id_bits),
          fmt::format("tid {} has more than the {} bits of ports.tid", beat.id, signals.id_bits));
  require((beat.user & ~BadBit() & ~ClassBits(capability_.classes)) == 0 && ((beat.user & BadBit()) == 0 || beat.last),
          "tuser is the class (classes.by: tuser) and, of a last beat, the bad bit (frames.bad); other bits are 0");
}

std::uint32_t OwnFrames::BadBit() const {
  return capability_.frames.bad == Fate::kUndefined ? 0 : 1u << capability_.frames.bad_bit;
}

void OwnFrames::Send(int port, const Beat& beat) {
  if (ended_) throw UsageError("the traffic was ended: no frame is sent any more");
  Check(port, beat);
  Frame& frame = senders_[static_cast<std::size_t>(port)].partial;
  const std::uint32_t user = beat.user & ~BadBit();
  if (!frame.bytes.empty() && (frame.dest != beat.dest || frame.id != beat.id || frame.user != user))
    throw UsageError(fmt::format("a beat for port {}: tdest, tid or the class changes within a frame", port));
  frame.dest = beat.dest;
  frame.id = beat.id;
  frame.user = user;
  for (int i = 0; i < kMostBytes && (beat.keep >> i & 1) != 0; ++i)
    frame.bytes.push_back(beat.data[static_cast<std::size_t>(i)]);
  if (!beat.last) return;
  frame.marked = (beat.user & BadBit()) != 0;
  Queue(port);
}

/// Frames are told apart by their bytes: equal ones of two inputs could be taken for each other.
void OwnFrames::Queue(int port) {
  Frame frame = std::exchange(senders_[static_cast<std::size_t>(port)].partial, Frame{});
  const std::string_view bytes(reinterpret_cast<const char*>(frame.bytes.data()), frame.bytes.size());
  const auto [known, fresh] = inputs_of_.emplace(std::hash<std::string_view>{}(bytes), port);
  if (!fresh && known->second != port)
    throw UsageError(
        fmt::format("a frame for port {}: port {} has sent one with the same bytes; frames of two ports are "
                    "told apart by their bytes: put the port and a count into them",
                    port, known->second));
  frame.number = ++number_;
  frame.source = port;
  Epoch& epoch = epochs_.back();
  ++epoch.left;
  epoch.frames[static_cast<std::size_t>(port)].push_back(std::move(frame));
}

void OwnFrames::Write(const TableWrite& write) {
  if (ended_) throw UsageError("the traffic was ended: the table is not written any more");
  if (capability_.forwarding.by != Addressing::kTable)
    throw UsageError("there is no table: the capability file does not say forwarding.by: table");
  const int other = latest_.EntryOf(write.mac);
  if (other >= 0 && other != write.index)
    throw UsageError(fmt::format("entry {} of the table has this MAC: write another one there before", other));
  latest_.Write(write);
  if (epochs_.back().left > 0 || epochs_.size() == 1) epochs_.push_back(MakeEpoch());
  epochs_.back().writes.push_back(write);
}

void OwnFrames::End() {
  for (std::size_t port = 0; port < senders_.size(); ++port) {
    if (!senders_[port].partial.bytes.empty())
      throw UsageError(fmt::format("the frame for port {} is not whole: its last beat is missing", port));
  }
  ended_ = true;
}

FramePtr OwnFrames::Next(int port, Cycle now, bool) {
  Sender& sender = senders_[static_cast<std::size_t>(port)];
  std::deque<Frame>& queue = epochs_.front().frames[static_cast<std::size_t>(port)];
  if (queue.empty() || now < sender.due) return nullptr;
  const auto frame = std::make_shared<Frame>(std::move(queue.front()));
  queue.pop_front();
  --epochs_.front().left;
  ++sender.frames;
  sender.beats = BeatsOf(*frame, capability_.signals.data_bytes);
  Decide(capability_, table_, frame.get());
  const int said = ClassSaid(capability_, *frame);
  frame->traffic_class = std::max(said, 0);
  if (said < 0) frame->judged = false;
  if (capability_.frames.fcs && cosim::CheckOf(frame->bytes) != cosim::Check::kGood) frame->judged = false;
  return frame;
}

void OwnFrames::Sent(int port, Cycle now) {
  Sender& sender = senders_[static_cast<std::size_t>(port)];
  sender.due = now + GapBehind(scenario_, seed_, port, sender.frames, sender.beats);
}

bool OwnFrames::Exhausted() const { return ended_ && epochs_.size() == 1 && epochs_.front().left == 0; }

bool OwnFrames::ChangesTable(Cycle) const { return epochs_.size() > 1 && epochs_.front().left == 0; }

std::vector<TableWrite> OwnFrames::TakeChange() {
  epochs_.pop_front();
  std::vector<TableWrite> writes = epochs_.front().writes;
  for (const TableWrite& write : writes) table_.Write(write);
  return writes;
}

}  // namespace tilefly::conform
