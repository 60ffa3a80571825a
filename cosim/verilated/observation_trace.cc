// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/observation_trace.h"

#include <fmt/format.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <array>
#include <string_view>

#include "generated/registers.h"
#include "generated/wire.h"

namespace tilefly::cosim {
namespace {

constexpr int kDropEnum = 1;

constexpr int RoundUp(int bits) { return (bits + 31) / 32 * 32; }

/// Offsets inside a port's part of the values.
constexpr int kObsBit = 0;
constexpr int kInBit = kObsBit + RoundUp(Portobs::kWidth);
constexpr int kInCtrlBit = kInBit + RoundUp(Word::kWidth);
constexpr int kOutBit = kInCtrlBit + RoundUp(Ctrl::kWidth);
constexpr int kOutCtrlBit = kOutBit + RoundUp(Word::kWidth);
constexpr int kRedBit = kOutCtrlBit + RoundUp(Ctrl::kWidth);
constexpr int kPortBits = kRedBit + RoundUp(RedObs::kWidth);
constexpr int kCycleBits = 64;

void DeclareDropReasons(VerilatedFst& file) {
  constexpr std::size_t kCount = kDropValues.size();
  std::array<std::string, kCount> names;
  std::array<std::string, kCount> bits;
  std::array<const char*, kCount> name_pointers;
  std::array<const char*, kCount> bit_pointers;
  for (std::size_t i = 0; i < kCount; ++i) {
    names[i] = ToString(kDropValues[i]);
    bits[i] = fmt::format("{:04b}", static_cast<unsigned>(kDropValues[i]));
    name_pointers[i] = names[i].c_str();
    bit_pointers[i] = bits[i].c_str();
  }
  file.declDTypeEnum(kDropEnum, "drop_e", kCount, 4, name_pointers.data(), bit_pointers.data());
}

}  // namespace

ObservationTrace::ObservationTrace(std::string name, const Profile& profile)
    : name_(std::move(name)),
      profile_(profile),
      port_bits_(kPortBits),
      turns_bit_(profile.ports * kPortBits),
      cfu_bit_(turns_bit_ + profile.tiles * RoundUp(Turnobs::kWidth)),
      cycle_bit_(cfu_bit_ + RoundUp(CfuObs::kWidth)),
      values_((cycle_bit_ + kCycleBits) / 32) {}

void ObservationTrace::Attach(VerilatedFstC& file) {
  VerilatedFst* trace = file.spTrace();
  trace->addInitCb(
      [](void* self, VerilatedFst* to, std::uint32_t base) {
        static_cast<ObservationTrace*>(self)->Declare(*to, base);
      },
      this);
  trace->addFullCb(
      [](void* self, VerilatedFst::Buffer* buffer) { static_cast<ObservationTrace*>(self)->Dump<true>(buffer); },
      this);
  trace->addChgCb(
      [](void* self, VerilatedFst::Buffer* buffer) { static_cast<ObservationTrace*>(self)->Dump<false>(buffer); },
      this);
}

void ObservationTrace::DeclareArray(VerilatedFst& file, const char* name, int type, Signal signal) {
  file.declArray(base_ + next_, name, type, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1, signal.width - 1, 0);
  codes_.push_back(next_);
  signals_.push_back(signal);
  next_ += (signal.width + 31) / 32;
}

template <typename Group>
void ObservationTrace::DeclareGroup(VerilatedFst& file, const std::string& scope, int bit) {
  file.pushNamePrefix(scope + ' ');
  for (const auto& field : Group::kFields) {
    if (field.width > 1) {
      const int type = std::string_view(field.name) == "drop_reason" ? kDropEnum : 0;
      DeclareArray(file, field.name, type, {bit + field.lsb, field.width});
      continue;
    }
    file.declBit(base_ + next_, field.name, 0, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1);
    codes_.push_back(next_++);
    signals_.push_back({bit + field.lsb, 1});
  }
  file.popNamePrefix();
}

void ObservationTrace::Declare(VerilatedFst& file, std::uint32_t base) {
  base_ = base;
  next_ = 0;
  signals_.clear();
  codes_.clear();
  DeclareDropReasons(file);
  file.pushNamePrefix(name_ + ' ');
  DeclareArray(file, "cycle", 0, {cycle_bit_, kCycleBits});
  file.popNamePrefix();
  for (int port = 0; port < profile_.ports; ++port) {
    const std::string scope = fmt::format("{} port_{:02}", name_, port);
    const int bit = port * port_bits_;
    if (observes_) DeclareGroup<Portobs>(file, scope, bit + kObsBit);
    DeclareGroup<Word>(file, scope + " link_i", bit + kInBit);
    DeclareGroup<Ctrl>(file, scope + " link_i ctrl", bit + kInCtrlBit);
    DeclareGroup<Word>(file, scope + " link_o", bit + kOutBit);
    DeclareGroup<Ctrl>(file, scope + " link_o ctrl", bit + kOutCtrlBit);
    if (observes_ && profile_.red_present != 0) DeclareGroup<RedObs>(file, scope + " red", bit + kRedBit);
  }
  if (!observes_) return;
  for (int tile = 0; tile < profile_.tiles; ++tile) {
    const std::string scope = fmt::format("{} turn_r{}_c{}", name_, tile / profile_.cols, tile % profile_.cols);
    DeclareGroup<Turnobs>(file, scope, turns_bit_ + tile * RoundUp(Turnobs::kWidth));
  }
  if (profile_.red_present != 0) DeclareGroup<CfuObs>(file, name_ + " cfu", cfu_bit_);
}

template <bool kFull, typename Buffer>
void ObservationTrace::Dump(Buffer* buffer) const {
  std::array<std::uint32_t, 12> value;
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const Signal& signal = signals_[i];
    std::uint32_t* old = buffer->oldp(base_ + codes_[i]);
    for (int done = 0; done < signal.width; done += 32) {
      value[done / 32] = static_cast<std::uint32_t>(
          GetBits(values_.data(), signal.bit + done, std::min(32, signal.width - done)));
    }
    if (signal.width == 1) {
      kFull ? buffer->fullBit(old, value[0]) : buffer->chgBit(old, value[0]);
    } else {
      kFull ? buffer->fullWData(old, value.data(), signal.width) : buffer->chgWData(old, value.data(), signal.width);
    }
  }
}

void ObservationTrace::Sample(Device& device, const Device::Inputs& inputs) {
  observes_ = device.Observes();
  const Observation& seen = device.Observe();
  const std::vector<Link>& outputs = device.Outputs();
  for (int port = 0; port < profile_.ports; ++port) {
    std::uint32_t* at = values_.data() + port * port_bits_ / 32;
    seen.ports[port].Pack(at + kObsBit / 32);
    inputs.links[port].word.Pack(at + kInBit / 32);
    inputs.links[port].ctrl.Pack(at + kInCtrlBit / 32);
    outputs[port].word.Pack(at + kOutBit / 32);
    outputs[port].ctrl.Pack(at + kOutCtrlBit / 32);
    if (!seen.reds.empty()) seen.reds[port].Pack(at + kRedBit / 32);
  }
  for (int tile = 0; tile < profile_.tiles; ++tile) {
    seen.turns[tile].Pack(values_.data() + (turns_bit_ + tile * RoundUp(Turnobs::kWidth)) / 32);
  }
  seen.cfu.Pack(values_.data() + cfu_bit_ / 32);
  const auto cycle = static_cast<std::uint64_t>(device.cycle());
  values_[static_cast<std::size_t>(cycle_bit_ / 32)] = static_cast<std::uint32_t>(cycle);
  values_[static_cast<std::size_t>(cycle_bit_ / 32 + 1)] = static_cast<std::uint32_t>(cycle >> 32);
}

}  // namespace tilefly::cosim
