// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/golden_names.h"

#include <cstring>
#include <utility>

namespace tilefly::cosim {
namespace {

/// A frame begins with the key of its packet.
PacketKey KeyOfFrame(const golden::Frame& frame) {
  PacketKey key;
  std::memcpy(&key, frame.bytes.data(), sizeof key);
  return key;
}

/// Whether two records of a port have the same takes, drops and starts of attempts.
bool IsSame(const Portobs& a, const Portobs& b) {
  return a.take_valid == b.take_valid && a.take_row == b.take_row && a.take_lost == b.take_lost &&
         a.drop_valid == b.drop_valid && a.drop_reason == b.drop_reason && a.start_valid == b.start_valid &&
         a.start_again == b.start_again;
}

}  // namespace

GoldenNames::GoldenNames(const Profile& profile, const DeviceOptions& options)
    : golden_(profile, options), taken_(static_cast<std::size_t>(profile.ports)) {
  golden_.Watch(this);
}

void GoldenNames::Step(const Device::Inputs& inputs) {
  discarded_.clear();
  dropped_.clear();
  golden_.Outputs();
  golden_.Step(inputs);
}

void GoldenNames::Compare(Cycle now, const Observation& seen) {
  const Observation& golden = golden_.Observe();
  for (std::size_t port = 0; port < golden.ports.size() && !differs_; ++port) {
    if (!IsSame(seen.ports[port], golden.ports[port])) differs_ = now - 1;
  }
}

GoldenNames::Taken GoldenNames::TakeNext(int port) {
  std::deque<Taken>& taken = taken_[static_cast<std::size_t>(port)];
  Taken next = std::move(taken.front());
  taken.pop_front();
  return next;
}

void GoldenNames::Comes(golden::Payload payload, const golden::HeaderBits& header) {
  reds_.erase(payload);
  if (header.is_red()) reds_.insert(payload);
}

void GoldenNames::Takes(const golden::Departure& departure, const golden::Frame& frame) {
  const Taken one{departure, departure.header.is_red() ? 0 : KeyOfFrame(frame)};
  departure.lost ? discarded_.push_back(one) : taken_[departure.port].push_back(one);
}

void GoldenNames::Drops(const golden::DropRecord& drop, const golden::Frame& frame) {
  const bool red = reds_.erase(drop.payload) > 0;
  dropped_.push_back({drop.port, drop.reason, red ? std::nullopt : std::optional(KeyOfFrame(frame))});
}

}  // namespace tilefly::cosim
