// SPDX-License-Identifier: Apache-2.0
#include "systemc/rtl/register_pins.h"

namespace tilefly::systemc {

void RegisterPins::Access(const Cfg& access) {
  queue_.push_back(access);
  Want(fabric::CycleAt(sc_core::sc_time_stamp()));
}

std::uint64_t RegisterPins::Read(const Cfg& read) {
  readers_.lock();
  Access(read);
  sc_core::wait(answered_);
  const std::uint64_t answer = answer_;
  readers_.unlock();
  return answer;
}

void RegisterPins::Drive(Cycle now) {
  if (driven_in_ == now && shown_) return;  // the bus is taken
  driven_in_ = now;
  shown_ = !queue_.empty();
  cfg_o.write(ToPins(shown_ ? queue_.front() : Cfg{}));
  if (shown_) queue_.pop_front();
}

void RegisterPins::Look(Cycle) {
  const auto answer = FromPins<ReadAnswer>(rdata_i.read());
  if (!answer.valid) return;
  answer_ = answer.data;
  answered_.notify();
}

}  // namespace tilefly::systemc
