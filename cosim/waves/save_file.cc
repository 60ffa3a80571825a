// SPDX-License-Identifier: Apache-2.0
#include "cosim/waves/save_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "generated/wire.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr std::size_t kLine = 44;       ///< characters that fit into the column of names
constexpr std::size_t kMarkers = 26;    ///< named markers of GTKWave, A to Z

/// One step of the way: a heading and, in scope DEVICE.`scope`, the fields worth seeing.
struct Step {
  std::string heading;
  std::string scope;
  std::vector<const char*> fields;
};

std::string Port(int port) { return fmt::format("port_{:02}", port); }

Step Requester(int port) {
  return {fmt::format("requester, port {}", port), Port(port), {"req_valid", "req_dst", "req_vl", "req_cells"}};
}

/// Where data from `input` to `output` turns.
Step TurnTile(const Profile& profile, int input, int output) {
  const int row = input / profile.row_in;
  const int col = (output >> 1) % profile.cols;
  return {fmt::format("turn tile, row {} column {}", row, col), fmt::format("turn_r{}_c{}", row, col), {"valid", "inputs"}};
}

std::vector<Step> Way(const Profile& profile, const Story& story) {
  const std::string in = Port(story.input);
  const std::string out = Port(story.output);
  std::vector<Step> way = {
      {fmt::format("link in, port {}", story.input), in + ".link_i", {"valid", "sop", "eop", "data"}},
      Requester(story.input),
      {fmt::format("scheduler, port {}", story.output), out,
       {"dec_valid", "dec_src", "dec_vl", "dec_cells", "owner_valid", "owners", "load"}},
      {fmt::format("grant and request credit at port {}", story.input), in,
       {"gin_valid", "gin_src", "gin_vl", "crd_valid", "crd_src", "crd_vl"}},
      {fmt::format("row bus of port {}: transfer", story.input), in,
       {"pick_valid", "pick_dst", "pick_cells", "ibuf_cells"}},
      TurnTile(profile, story.input, story.output),
      {fmt::format("column channel and output buffer, port {}", story.output), out,
       {"arr_rows", "obuf_room", "take_valid", "take_row"}},
      {fmt::format("link out, port {}", story.output), out + ".link_o", {"valid", "sop", "eop", "data"}},
  };
  for (const int port : story.others) {
    way.push_back(Requester(port));
    const Step turn = TurnTile(profile, port, story.output);
    const bool shown = std::any_of(way.begin(), way.end(), [&](const Step& step) { return step.scope == turn.scope; });
    if (!shown) way.push_back(turn);
  }
  return way;
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
  std::vector<Step> way = story.parts.empty() ? Way(profile, story) : RingWay(profile, story);
  if (!story.signal.empty()) way.insert(way.begin(), {"where they differ", story.scope, {story.signal.c_str()}});
  return way;
}

/// The title in lines that fit, and the events that are told.
std::vector<std::string> Lines(const Story& story) {
  std::vector<std::string> lines(1);
  for (const std::string& word : Split(story.title, ' ')) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > kLine) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  if (!story.tells) return lines;
  for (const Mark& mark : story.marks) lines.push_back(fmt::format("cycle {}: {}", mark.at, mark.name));
  return lines;
}

template <typename Group>
int WidthIn(std::string_view field) {
  for (const auto& each : Group::kFields) {
    if (field == each.name) return each.width;
  }
  return 0;
}

int Width(const Step& step, std::string_view field) {
  if (step.scope.find(".ctrl") != std::string::npos) return WidthIn<Ctrl>(field);
  if (step.scope.find("link_") != std::string::npos) return WidthIn<Word>(field);
  if (step.scope == "cfu") return WidthIn<CfuObs>(field);
  if (step.scope.find(".red") != std::string::npos) return WidthIn<RedObs>(field);
  return step.scope.rfind("turn_", 0) == 0 ? WidthIn<Turnobs>(field) : WidthIn<Portobs>(field);
}

/// Whether the file has the step's signals of a device.
bool Shows(const std::string& device, const Step& step, const std::set<std::string>& without_record) {
  return without_record.count(device) == 0 || step.scope.find("link_") != std::string::npos;
}

/// GTKWave's flags of a signal: binary, decimal or hexadecimal, right-justified.
int Format(int width) { return width == 1 ? 28 : width > 16 ? 22 : 24; }
constexpr std::array<int, 2> kColours = {0, 3};  ///< by device: normal, yellow

}  // namespace

std::string GtkwaveSave(const std::string& fst, const Profile& profile, const std::vector<std::string>& devices,
                        const Story& story, const std::set<std::string>& without_record) {
  const Cycle ps = CyclePs(profile);
  const double span = static_cast<double>((story.to - story.from + 1) * ps);
  constexpr double kFrames = 1080.0 / 200;  // width of the wave area at the size below, in GTKWave's frames of 200 pixels
  std::string text = fmt::format("[dumpfile] \"{}\"\n[timestart] {}\n[size] 1500 980\n[pos] -1 -1\n", fst,
                                 story.from * ps);
  text += fmt::format("*{:.6f} {}", -std::log2(span / kFrames), story.marker * ps);
  const std::size_t marks = std::min(kMarkers, story.marks.size());
  for (std::size_t i = 0; i < kMarkers; ++i) text += i < marks ? fmt::format(" {}", story.marks[i].at * ps) : " -1";
  text += '\n';
  for (std::size_t i = 0; i < marks; ++i) text += fmt::format("[markername] {}{}\n", static_cast<char>('A' + i), story.marks[i].name);
  text += "[sst_expanded] 0\n[signals_width] 330\n";
  for (const std::string& line : Lines(story)) text += fmt::format("@200\n-{}\n", line);
  for (const Step& step : WayOf(profile, story)) {
    text += fmt::format("@200\n-\n-{}\n", step.heading);
    for (const char* field : step.fields) {
      const int width = Width(step, field);
      for (std::size_t i = 0; i < devices.size(); ++i) {
        if (!Shows(devices[i], step, without_record)) continue;
        text += fmt::format("@{}\n[color] {}\n+{{{} {}}} {}.{}.{}", Format(width), kColours[i % kColours.size()], devices[i],
                            field, devices[i], step.scope, field);
        text += width == 1 ? "\n" : fmt::format("[{}:0]\n", width - 1);
      }
    }
  }
  return text;
}

std::string SurferCommands(const std::string& fst, const Profile& profile, const std::vector<std::string>& devices,
                           const Story& story, const std::set<std::string>& without_record) {
  std::string text = fmt::format("load_file {}\n", fst);
  for (const Step& step : WayOf(profile, story)) {
    text += fmt::format("divider_add {}\n", step.heading);
    for (const char* field : step.fields) {
      for (const std::string& device : devices) {
        if (!Shows(device, step, without_record)) continue;
        text += fmt::format("variable_add {}.{}.{}\n", device, step.scope, field);
      }
    }
  }
  for (const Mark& mark : story.marks) {
    std::string name = mark.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    text += fmt::format("cursor_set {}\nmarker_set {}\n", mark.at * CyclePs(profile), name);
  }
  text += fmt::format("cursor_set {}\ngoto_cursor\n", story.marker * CyclePs(profile));
  return text;
}

}  // namespace tilefly::cosim
