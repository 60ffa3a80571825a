// SPDX-License-Identifier: Apache-2.0
// Long-lived registers of the ring's RTL with 8 ports, which runs from edges set (first_counts.vlt): their names in the
// Verilated models.
#pragma once

#include <array>

#include "Vrtl_red_cfu_tile8.h"
#include "Vrtl_red_cfu_tile8___024root.h"
#include "Vrtl_red_tile_tile8.h"
#include "Vrtl_red_tile_tile8___024root.h"

namespace tilefly::bench {

/// The counters of a port, in the order of their indices.
inline std::array<QData*, 4> CountersOf(Vrtl_red_tile_tile8* tile, int lane) {
  auto& all = *tile->rootp;
  if (lane == 0) {
    return {&all.red_tile__DOT__gen_port__BRA__0__KET____DOT__u_port__DOT__u_counters__DOT__used_q,
            &all.red_tile__DOT__gen_port__BRA__0__KET____DOT__u_port__DOT__u_counters__DOT__stale_q,
            &all.red_tile__DOT__gen_port__BRA__0__KET____DOT__u_port__DOT__u_counters__DOT__refused_q,
            &all.red_tile__DOT__gen_port__BRA__0__KET____DOT__u_port__DOT__u_counters__DOT__damaged_q};
  }
  return {&all.red_tile__DOT__gen_port__BRA__1__KET____DOT__u_port__DOT__u_counters__DOT__used_q,
          &all.red_tile__DOT__gen_port__BRA__1__KET____DOT__u_port__DOT__u_counters__DOT__stale_q,
          &all.red_tile__DOT__gen_port__BRA__1__KET____DOT__u_port__DOT__u_counters__DOT__refused_q,
          &all.red_tile__DOT__gen_port__BRA__1__KET____DOT__u_port__DOT__u_counters__DOT__damaged_q};
}

/// Numbers of failures, of all groups.
inline IData* FailsOf(Vrtl_red_cfu_tile8* cfu) {
  return &cfu->rootp->tilefly_cfu__DOT__u_slots__DOT__u_groups__DOT__fails_q[0];
}

/// Sets what is counted of a slot's segments in a tile: what came, was launched and was read, at both ports.
inline void SetSegments(Vrtl_red_tile_tile8* tile, std::size_t slot, std::uint16_t number) {
  auto& all = *tile->rootp;
  all.red_tile__DOT__gen_port__BRA__0__KET____DOT__u_port__DOT__u_store__DOT__arrived_q[slot] = number;
  all.red_tile__DOT__gen_port__BRA__0__KET____DOT__u_port__DOT__u_store__DOT__launched_q[slot] = number;
  all.red_tile__DOT__gen_port__BRA__0__KET____DOT__u_port__DOT__u_store__DOT__read_q[slot] = number;
  all.red_tile__DOT__gen_port__BRA__1__KET____DOT__u_port__DOT__u_store__DOT__arrived_q[slot] = number;
  all.red_tile__DOT__gen_port__BRA__1__KET____DOT__u_port__DOT__u_store__DOT__launched_q[slot] = number;
  all.red_tile__DOT__gen_port__BRA__1__KET____DOT__u_port__DOT__u_store__DOT__read_q[slot] = number;
}

/// The same in the CFU: what was launched, and of all ports what came and the credits.
inline void SetSegments(Vrtl_red_cfu_tile8* cfu, std::size_t slot, std::uint16_t number) {
  auto& all = *cfu->rootp;
  all.tilefly_cfu__DOT__u_launches__DOT__u_launch__DOT__ups_q[slot] = number;
  all.tilefly_cfu__DOT__u_launches__DOT__u_launch__DOT__downs_q[slot] = number;
  const bool first = slot == 0;
  auto& arrived =
      first
          ? all.tilefly_cfu__DOT__u_launches__DOT__u_launch__DOT__gen_slot__BRA__0__KET____DOT__u_arrivals__DOT__arrived_q
          : all.tilefly_cfu__DOT__u_launches__DOT__u_launch__DOT__gen_slot__BRA__1__KET____DOT__u_arrivals__DOT__arrived_q;
  auto& credit =
      first
          ? all.tilefly_cfu__DOT__u_launches__DOT__u_launch__DOT__gen_slot__BRA__0__KET____DOT__u_credits__DOT__credit_q
          : all.tilefly_cfu__DOT__u_launches__DOT__u_launch__DOT__gen_slot__BRA__1__KET____DOT__u_credits__DOT__credit_q;
  for (std::size_t b = 0; b < 16; ++b) arrived[b] = credit[b] = (number >> b & 1) != 0 ? 0xFF : 0;  // of 8 ports
}

}  // namespace tilefly::bench
