// SPDX-License-Identifier: Apache-2.0
// Waves of one comparison: the Verilated block's own signals, and the values compared as `rtl.NAME` and `golden.NAME`.
// A cycle is dumped when all its inputs stand and before it is clocked, so that registers and wires of a cycle are seen
// together.
#pragma once

#include <gtest/gtest.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>

#include "generated/profile.h"
#include "testbenches/bench/save_files.h"

namespace tilefly::bench {

class DutWaves {
 public:
  /// `values` are those of the current cycle.
  DutWaves(const WavePlan& plan, const ComparedValues& values) : plan_(plan), values_(values) {
    file_.set_time_unit("1ps");
    file_.set_time_resolution("1ps");
    VerilatedFst* trace = file_.spTrace();
    trace->addInitCb(
        [](void* self, VerilatedFst* to, std::uint32_t base) { static_cast<DutWaves*>(self)->Declare(to, base); },
        this);
    trace->addFullCb([](void* self, VerilatedFst::Buffer* to) { static_cast<DutWaves*>(self)->Dump<true>(to); }, this);
    trace->addChgCb([](void* self, VerilatedFst::Buffer* to) { static_cast<DutWaves*>(self)->Dump<false>(to); }, this);
  }
  ~DutWaves() {
    if (!file_.isOpen()) return;
    file_.close();
    try {
      std::filesystem::rename(Unfinished(), plan_.file);
      WriteSaveFiles(plan_, kCyclePs);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "waves: " << error.what();
    }
  }
  DutWaves(const DutWaves&) = delete;
  DutWaves& operator=(const DutWaves&) = delete;

  VerilatedFstC* file() { return &file_; }

  /// Dumps the cycle, once. The models have settled, with the clock low; `show_clock(level)` puts a level on it.
  template <typename ShowClock>
  void Sample(Cycle cycle, ShowClock&& show_clock) {
    if (cycle < plan_.from || cycle > plan_.to || cycle <= last_) return;
    last_ = cycle;
    if (!file_.isOpen()) Open();
    const auto time = static_cast<std::uint64_t>(cycle * kCyclePs);
    show_clock(true);
    file_.dump(time);
    show_clock(false);
    file_.dump(time + kCyclePs / 2);
  }

 private:
  static constexpr Cycle kCyclePs = 1'000'000'000 / kTile8.clock_khz;

  std::string Unfinished() const { return plan_.file + ".part"; }

  void Open() {
    const auto folder = std::filesystem::path(plan_.file).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder);
    file_.open(Unfinished().c_str());
  }

  /// Two codes of 32 bits for each side of a signal.
  void Declare(VerilatedFst* to, std::uint32_t base) {
    base_ = base;
    std::uint32_t code = base;
    for (const char* side : {"rtl", "golden"}) {
      to->pushNamePrefix(std::string(side) + ' ');
      for (const ComparedValues::Signal& signal : plan_.values.signals()) {
        if (signal.width == 1) {
          to->declBit(code, signal.name.c_str(), 0, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1);
        } else {
          to->declQuad(code, signal.name.c_str(), 0, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1, signal.width - 1, 0);
        }
        code += 2;
      }
      to->popNamePrefix();
    }
  }

  template <bool kFull, typename Buffer>
  void Dump(Buffer* to) const {
    const auto& declared = plan_.values.signals();
    const auto& now = values_.signals();
    for (std::size_t i = 0; i < declared.size() * 2; ++i) {
      const std::size_t s = i % declared.size();
      // Replayed, signals appear in the same order: what is not there yet has no value yet.
      const std::uint64_t value = s >= now.size() ? 0 : i < declared.size() ? now[s].rtl : now[s].golden;
      std::uint32_t* const old = to->oldp(base_ + static_cast<std::uint32_t>(2 * i));
      if (declared[s].width == 1) {
        kFull ? to->fullBit(old, static_cast<std::uint32_t>(value))
              : to->chgBit(old, static_cast<std::uint32_t>(value));
      } else {
        kFull ? to->fullQData(old, value, declared[s].width) : to->chgQData(old, value, declared[s].width);
      }
    }
  }

  const WavePlan plan_;
  const ComparedValues& values_;
  VerilatedFstC file_;
  std::uint32_t base_ = 0;
  Cycle last_ = -1;
};

}  // namespace tilefly::bench
