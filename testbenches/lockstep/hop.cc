// SPDX-License-Identifier: Apache-2.0
#include "testbenches/lockstep/hop.h"

#include "cosim/errors.h"
#include "cosim/setup/frame.h"

namespace tilefly::cosim {
namespace {

constexpr int kInputBits = 4;    // of an output's input in the turn record
constexpr Cycle kLongest = 600;  // that a quiet packet can take

std::uint32_t InputAt(const Turnobs& turn, int output) { return turn.inputs >> kInputBits * output & ((1u << kInputBits) - 1); }

}  // namespace

Turn TurnOf(const Profile& profile, int input, int output) {
  const int row = input / (2 * profile.cols);
  const int col = (output >> 1) % profile.cols;
  return {row * profile.cols + col, input % (2 * profile.cols), 2 * (output / (2 * profile.cols)) + (output & 1)};
}

Hop FollowPacket(ScriptedSwitch& devices, int input, int output, int length) {
  const Profile& profile = devices.profile();
  const Turn turn = TurnOf(profile, input, output);
  std::map<std::string, Cycle> at;  // absolute
  const auto see = [&](const char* name, bool seen, Cycle cycle) {
    if (seen) at.emplace(name, cycle);
  };
  Hop hop;
  devices.set_watch([&](Cycle event, const Observation& observation) {
    const Portobs& in = observation.ports[static_cast<std::size_t>(input)];
    const Portobs& out = observation.ports[static_cast<std::size_t>(output)];
    see("admitted", in.ibuf_cells > 0, event);
    see("req_valid", in.req_valid && in.req_dst == output, event);
    see("load", out.load > 0, event);
    see("dec_valid", out.dec_valid && out.dec_src == input, event);
    see("gin_valid", in.gin_valid && in.gin_src == output, event);
    see("crd_valid", in.crd_valid && in.crd_src == output, event);
    see("pick_valid", in.pick_valid && in.pick_dst == output, event);
    see("arr_rows", (out.arr_rows >> input / profile.row_in & 1) != 0, event);
    see("take_valid", out.take_valid && out.take_row == input / profile.row_in, event);
    see("freed", at.count("pick_valid") != 0 && in.ibuf_cells == 0, event);
    see("room", at.count("take_valid") != 0 && out.obuf_room == profile.obuf_cells, event);
    for (int tile = turn.tile / profile.cols * profile.cols, end = tile + profile.cols; tile < end; ++tile) {
      const Turnobs& seen = observation.turns[static_cast<std::size_t>(tile)];
      for (int o = 0; o < profile.col_out; ++o) {
        if ((seen.valid >> o & 1) == 0 || InputAt(seen, o) != static_cast<std::uint32_t>(turn.input)) continue;
        const bool right = tile == turn.tile && o == turn.output;
        see("turn", right, event);
        ++(right ? hop.turns : hop.stray_turns);
      }
    }
  });
  const Cycle end = devices.cycle() + kLongest;
  devices.Send(input, output, length);
  do {
    if (devices.cycle() >= end) throw CheckFailure(devices.cycle(), output, 0, "the packet does not come out");
    devices.Step();
  } while (!devices.Idle(input) || at.count("room") == 0);
  devices.set_watch(nullptr);
  const ScriptedSwitch::Arrival& arrival = devices.last(input);
  at.emplace("link_o", arrival.output == output ? arrival.first_out : -1);
  for (const auto& [name, cycle] : at) hop.steps[name] = cycle - arrival.first_in;
  return hop;
}

std::map<std::string, Cycle> QuietSteps(int length) {
  const int cells = (length + 16 + kCellBytes - 1) / kCellBytes;
  const int words = (length + 16 + kWordBytes - 1) / kWordBytes;
  return {{"admitted", 4},    {"req_valid", 21},  {"load", 29},      {"dec_valid", 30}, {"gin_valid", 41},
          {"crd_valid", 41},  {"pick_valid", 42}, {"turn", 47},      {"arr_rows", 54},  {"take_valid", 55},
          {"link_o", 63},     {"freed", 45 + cells}, {"room", 57 + words - 1}};
}

}  // namespace tilefly::cosim
