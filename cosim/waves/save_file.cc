// SPDX-License-Identifier: Apache-2.0
#include "cosim/waves/save_file.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "golden/common/generated/wire.h"

namespace tilefly::cosim {
namespace {

/// One step of the way: a heading and, in scope DEVICE.`scope`, the fields worth seeing.
struct Step {
  std::string heading;
  std::string scope;
  std::vector<const char*> fields;
};

std::string Port(int port) { return fmt::format("port_{:02}", port); }

std::vector<Step> Way(const Profile& profile, const Story& story) {
  const int row = story.input / (2 * profile.cols);
  const int col = (story.output >> 1) % profile.cols;
  const std::string in = Port(story.input);
  const std::string out = Port(story.output);
  return {
      {fmt::format("link in, port {}", story.input), in + ".link_i", {"valid", "sop", "eop", "data"}},
      {fmt::format("requester, port {}", story.input), in, {"req_valid", "req_dst", "req_vl", "req_cells"}},
      {fmt::format("scheduler, port {}", story.output), out,
       {"dec_valid", "dec_src", "dec_vl", "dec_cells", "owner_valid", "owners", "load"}},
      {fmt::format("grant and request credit at port {}", story.input), in,
       {"gin_valid", "gin_src", "gin_vl", "crd_valid", "crd_src", "crd_vl"}},
      {fmt::format("row bus of port {}: transfer", story.input), in,
       {"pick_valid", "pick_dst", "pick_cells", "ibuf_cells"}},
      {fmt::format("turn tile, row {} column {}", row, col), fmt::format("turn_r{}_c{}", row, col),
       {"valid", "inputs"}},
      {fmt::format("column channel and output buffer, port {}", story.output), out,
       {"arr_rows", "obuf_room", "take_valid", "take_row"}},
      {fmt::format("link out, port {}", story.output), out + ".link_o", {"valid", "sop", "eop", "data"}},
  };
}

/// A launch round the ring.
std::vector<Step> RingWay(const Profile& profile, const Story& story) {
  const std::string in = Port(story.input);
  const std::string out = Port(story.output);
  std::vector<Step> way = {
      {fmt::format("link in, port {}", story.input), in + ".link_i", {"valid", "sop", "eop", "data"}},
      {fmt::format("reduction port {}: the last part is there", story.input), in + ".red", {"ev", "code"}},
      {"CFU: launch", "cfu", {"launch_valid", "launch_number", "launch_index", "slot0_state", "slot1_state"}},
  };
  for (const int port : story.parts) {
    way.push_back({fmt::format("half ring {}, step of port {}", port < profile.ports / 2 ? 0 : 1, port), Port(port) + ".red",
                   {"step_valid", "step_index", "step_part", "step_operands"}});
  }
  way.push_back({"CFU: the half rings meet", "cfu", {"meet_valid", "meet_index", "meet_operands", "meet_mismatch"}});
  way.push_back({fmt::format("result fifo of port {}", story.output), out + ".red", {"done_valid", "done_lane"}});
  way.push_back({fmt::format("row R, port {}", story.output), out,
                 {"dec_valid", "dec_red", "dec_src", "dec_vl", "dec_cells", "arr_rows", "take_valid", "take_row"}});
  way.push_back({fmt::format("link out, port {}", story.output), out + ".link_o", {"valid", "sop", "eop", "data"}});
  return way;
}

std::vector<Step> WayOf(const Profile& profile, const Story& story) {
  return story.parts.empty() ? Way(profile, story) : RingWay(profile, story);
}

template <typename Group>
int WidthIn(std::string_view field) {
  for (const auto& each : Group::kFields) {
    if (field == each.name) return each.width;
  }
  return 0;
}

int Width(const Step& step, std::string_view field) {
  if (step.scope.find("link_") != std::string::npos) return WidthIn<Word>(field);
  if (step.scope == "cfu") return WidthIn<CfuObs>(field);
  if (step.scope.find(".red") != std::string::npos) return WidthIn<RedObs>(field);
  return step.scope.rfind("turn_", 0) == 0 ? WidthIn<Turnobs>(field) : WidthIn<Portobs>(field);
}

/// GTKWave's flags of a signal: binary, decimal or hexadecimal, right-justified.
int Format(int width) { return width == 1 ? 28 : width > 16 ? 22 : 24; }
constexpr std::array<int, 2> kColours = {0, 3};  ///< by device: normal, yellow

}  // namespace

std::string GtkwaveSave(const std::string& fst, const Profile& profile, const std::vector<std::string>& devices,
                        const Story& story) {
  const Cycle ps = CyclePs(profile);
  const double span = static_cast<double>((story.to - story.from + 1) * ps);
  constexpr double kFrames = 900.0 / 200;  // width of the wave area at the size below, in GTKWave's frames of 200 pixels
  std::string text = fmt::format("[dumpfile] \"{}\"\n[timestart] {}\n[size] 1500 980\n[pos] -1 -1\n", fst,
                                 story.from * ps);
  text += fmt::format("*{:.6f} {}", -std::log2(span / kFrames), story.marker * ps);
  for (int named = 0; named < 26; ++named) text += " -1";
  text += "\n[sst_expanded] 0\n[signals_width] 330\n";
  text += fmt::format("@200\n-{}\n", story.title);
  for (const Step& step : WayOf(profile, story)) {
    text += fmt::format("@200\n-\n-{}\n", step.heading);
    for (const char* field : step.fields) {
      const int width = Width(step, field);
      for (std::size_t i = 0; i < devices.size(); ++i) {
        text += fmt::format("@{}\n[color] {}\n+{{{} {}}} {}.{}.{}", Format(width), kColours[i % kColours.size()], devices[i],
                            field, devices[i], step.scope, field);
        text += width == 1 ? "\n" : fmt::format("[{}:0]\n", width - 1);
      }
    }
  }
  return text;
}

std::string SurferCommands(const std::string& fst, const Profile& profile, const std::vector<std::string>& devices,
                           const Story& story) {
  std::string text = fmt::format("load_file {}\n", fst);
  for (const Step& step : WayOf(profile, story)) {
    text += fmt::format("divider_add {}\n", step.heading);
    for (const char* field : step.fields) {
      for (const std::string& device : devices) {
        text += fmt::format("variable_add {}.{}.{}\n", device, step.scope, field);
      }
    }
  }
  text += fmt::format("cursor_set {}\ngoto_cursor\n", story.marker * CyclePs(profile));
  return text;
}

}  // namespace tilefly::cosim
