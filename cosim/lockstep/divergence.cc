// SPDX-License-Identifier: Apache-2.0
#include "cosim/lockstep/divergence.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "generated/registers.h"
#include "golden/reduction/red_candidate.h"

namespace tilefly::cosim {
namespace {

struct StageName {
  const char* prefix;
  const char* stage;
};

/// Stages of the observation record by the prefix of their fields.
constexpr StageName kStages[] = {
    {"req_", "request"},   {"dec_", "grant"}, {"gin_", "grant-arrival"}, {"crd_", "request-credit"},
    {"pick_", "transfer"}, {"take_", "take"}, {"drop_", "drop"},
};

void NameField(const char* name, Divergence* out) {
  out->signal = name;
  for (const StageName& known : kStages) {
    const std::size_t length = std::strlen(known.prefix);
    if (std::strncmp(name, known.prefix, length) != 0) continue;
    out->stage = known.stage;
    out->field = name + length;
    return;
  }
  out->stage = "level";
  out->field = name;
  if (out->field == "arr_rows") {
    out->stage = "arrival";
    out->field = "rows";
  } else if (out->field == "owner_valid" || out->field == "owners") {
    out->stage = "channel";
  }
}

const char* InputOfRowR(int input) {
  constexpr const char* kInputs[] = {"results up", "results down", "short results", "credits"};
  return kInputs[input & 3];
}

/// Slot of a stream, group and engine of a short operation.
std::string OperationText(bool brief, int index) {
  return brief ? fmt::format("group {} engine {}", index / 8, index % 8) : fmt::format("slot {}", index);
}

std::string ByteText(const std::array<std::uint8_t, 32>& data, std::size_t at) {
  return fmt::format("[{}]={:#04x}", at, data[at]);
}

/// The first field in which two packed structs differ.
template <typename T>
const FieldInfo* FirstField(const T& a, const T& b, std::uint64_t* value_a, std::uint64_t* value_b) {
  std::array<std::uint32_t, T::kWords> words_a{}, words_b{};
  a.Pack(words_a.data());
  b.Pack(words_b.data());
  for (const FieldInfo& field : T::kFields) {
    if (field.width > 64) continue;
    *value_a = GetBits(words_a.data(), field.lsb, field.width);
    *value_b = GetBits(words_b.data(), field.lsb, field.width);
    if (*value_a != *value_b) return &field;
  }
  return nullptr;
}

std::string ValueText(const char* field, std::uint64_t value) {
  if (std::strcmp(field, "drop_reason") == 0) return ToString(static_cast<Drop>(value));
  if (std::strcmp(field, "owners") == 0 || std::strcmp(field, "inputs") == 0) return fmt::format("{:#x}", value);
  if (std::strcmp(field, "owner_valid") == 0 || std::strcmp(field, "arr_rows") == 0)
    return fmt::format("{:#06b}", value);
  return fmt::format("{}", value);
}

template <typename T>
bool FillFirst(const T& a, const T& b, Divergence* out) {
  std::uint64_t value_a = 0, value_b = 0;
  const FieldInfo* const field = FirstField(a, b, &value_a, &value_b);
  if (field == nullptr) return false;
  NameField(field->name, out);
  out->value_a = ValueText(field->name, value_a);
  out->value_b = ValueText(field->name, value_b);
  return true;
}

}  // namespace

std::string Divergence::Summary() const {
  std::string where = port >= 0 ? fmt::format("port {}", port) : tile >= 0 ? fmt::format("tile {}", tile) : "switch";
  if (packet != 0) where += fmt::format(", packet {:#x}", packet);
  if (!launch.empty()) where += ", " + launch;
  return fmt::format("cycle {}, {}: {} {} {}={}, {} {} {}={}", cycle, where, device_a, stage, field, value_a, device_b,
                     stage, field, value_b);
}

bool FindDifference(const Link& a, const Link& b, Divergence* out) {
  if (a == b) return false;
  if (FillFirst(a.word, b.word, out)) {
    out->stage = "link";
    return true;
  }
  if (FillFirst(a.ctrl, b.ctrl, out)) {
    out->stage = "control";
    return true;
  }
  if (FillFirst(a.tag, b.tag, out)) {
    out->stage = "tag";
    return true;
  }
  out->stage = "link";
  out->field = out->signal = "data";
  for (std::size_t i = 0; i < a.word.data.size(); ++i) {
    if (a.word.data[i] == b.word.data[i]) continue;
    out->value_a = ByteText(a.word.data, i);
    out->value_b = ByteText(b.word.data, i);
    break;
  }
  return true;
}

bool FindDifference(const Portobs& a, const Portobs& b, int port, Divergence* out) {
  if (a == b) return false;
  FillFirst(a, b, out);
  const auto queue = [&](int input, int output, int lane) {
    out->input = input;
    out->output = output;
    out->lane = lane;
  };
  if (out->stage == "request") {
    const Portobs& one = a.req_valid ? a : b;
    queue(port, one.req_dst, one.req_vl);
  } else if (out->stage == "grant") {
    const Portobs& one = a.dec_valid ? a : b;
    if (one.dec_red) {
      out->stage = "row R";
      out->output = port;
      out->launch_lane = one.dec_src;
    } else {
      queue(one.dec_src, port, one.dec_vl);
    }
  } else if (out->stage == "grant-arrival") {
    const Portobs& one = a.gin_valid ? a : b;
    queue(port, one.gin_src, one.gin_vl);
  } else if (out->stage == "request-credit") {
    const Portobs& one = a.crd_valid ? a : b;
    queue(port, one.crd_src, one.crd_vl);
  } else if (out->stage == "transfer") {
    queue(port, a.pick_valid ? a.pick_dst : b.pick_dst, -1);
  }
  return true;
}

bool FindDifference(const Turnobs& a, const Turnobs& b, Divergence* out) {
  if (a == b) return false;
  FillFirst(a, b, out);
  out->stage = "turn";
  return true;
}

bool FindDifference(const RedObs& a, const RedObs& b, Divergence* out) {
  if (a == b) return false;
  FillFirst(a, b, out);
  out->stage = "reduction";
  if (a.done_valid || b.done_valid) out->launch_lane = a.done_valid ? a.done_lane : b.done_lane;
  return true;
}

bool FindDifference(const CfuObs& a, const CfuObs& b, Divergence* out) {
  if (a == b) return false;
  FillFirst(a, b, out);
  out->stage = "CFU";
  return true;
}

std::string DescribeLevels(const Portobs& obs) {
  return fmt::format("load={} ibuf_cells={} obuf_room={}", obs.load, obs.ibuf_cells, obs.obuf_room);
}

bool Moves(const Portobs& obs, int port, bool of_output, int at) {
  if (!of_output) return port == at && (obs.req_valid || obs.pick_valid || obs.drop_valid);
  if (port == at && (obs.dec_valid || obs.arr_rows != 0 || obs.take_valid)) return true;
  return (obs.req_valid && obs.req_dst == at) || (obs.pick_valid && obs.pick_dst == at);
}

std::string Describe(const Portobs& obs) {
  std::string text;
  const auto add = [&](const std::string& event) { text += (text.empty() ? "" : "; ") + event; };
  if (obs.req_valid) add(fmt::format("requests output {} vl={} cells={}", obs.req_dst, obs.req_vl, obs.req_cells));
  if (obs.dec_valid && !obs.dec_red) {
    add(fmt::format("{} input {} vl={} cells={}", obs.dec_reroute ? "gives back to" : "grants", obs.dec_src, obs.dec_vl,
                    obs.dec_cells));
  }
  if (obs.dec_valid && obs.dec_red) add(fmt::format("grants row R, {}, vl={} cells={}", InputOfRowR(obs.dec_src), obs.dec_vl, obs.dec_cells));
  if (obs.gin_valid) {
    add(fmt::format("grant {}from output {} vl={} arrives", obs.gin_reroute ? "with reroute " : "", obs.gin_src, obs.gin_vl));
  }
  if (obs.crd_valid) add(fmt::format("request credit from output {} vl={} arrives", obs.crd_src, obs.crd_vl));
  if (obs.pick_valid) add(fmt::format("transfers {} cells to output {}", obs.pick_cells, obs.pick_dst));
  if (obs.arr_rows != 0) add(fmt::format("first cells arrive from rows {:#06b}", obs.arr_rows));
  if (obs.take_valid) add(fmt::format("link takes a packet of row {}", obs.take_row));
  if (obs.drop_valid) add(fmt::format("drops a packet ({})", ToString(static_cast<Drop>(obs.drop_reason))));
  return text;
}

std::string Describe(const RedObs& obs) {
  constexpr const char* kOperands[] = {"nobody's operands", "operands that came", "own operands", "own operands and those that came"};
  std::string text;
  const auto add = [&](const std::string& event) { text += (text.empty() ? "" : "; ") + event; };
  if (obs.step_valid) {
    add(fmt::format("step {} of {}: {}", obs.step_down ? "down" : "up", OperationText(obs.step_brief, obs.step_index),
                    obs.step_part ? kOperands[obs.step_operands & 3] : "takes no part"));
  }
  if (obs.ev == static_cast<std::uint8_t>(RedEv::kError) || obs.ev == static_cast<std::uint8_t>(RedEv::kFailed)) {
    add(fmt::format("reports {} {}", ToString(static_cast<RedEv>(obs.ev)), ToString(static_cast<RedCode>(obs.code))));
  } else if (obs.ev != static_cast<std::uint8_t>(RedEv::kNone)) {
    add(fmt::format("reports {}", ToString(static_cast<RedEv>(obs.ev))));
  }
  if (obs.done_valid) add(fmt::format("has a packet for row R, {}", InputOfRowR(obs.done_lane)));
  return text;
}

std::string Describe(const CfuObs& obs) {
  constexpr const char* kOperands[] = {"nobody's", "half 0's", "half 1's", "both halves'"};
  std::string text;
  const auto add = [&](const std::string& event) { text += (text.empty() ? "" : "; ") + event; };
  const auto candidate = static_cast<RedCandidate>(obs.launch_number);
  if (obs.launch_valid && candidate == RedCandidate::kNotice) {
    add(fmt::format("launches the notice of group {}", obs.launch_index));
  } else if (obs.launch_valid) {
    const bool brief = !golden::IsStream(candidate);
    add(fmt::format("launches {} of {}", golden::GoesDown(candidate) ? "down" : "up",
                    OperationText(brief, obs.launch_index)));
  }
  if (obs.meet_valid) {
    add(fmt::format("halves of {} meet, {} operands{}", OperationText(obs.meet_brief, obs.meet_index), kOperands[obs.meet_operands & 3],
                    obs.meet_mismatch ? ", parts disagree" : ""));
  }
  return text;
}

}  // namespace tilefly::cosim
