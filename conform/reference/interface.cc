// SPDX-License-Identifier: Apache-2.0
// The functions of tilefly_ref.h: what a program calls becomes calls of a Reference, and what it throws a message.
#include <fmt/format.h>
#include <tilefly_device.h>
#include <tilefly_ref.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "conform/reference/link_reference.h"
#include "conform/reference/reference.h"
#include "support/errors.h"

static_assert(sizeof(tfr_beat) == sizeof(tfd_beat) && offsetof(tfr_beat, keep) == offsetof(tfd_beat, keep) &&
                  offsetof(tfr_beat, user) == offsetof(tfd_beat, user) &&
                  offsetof(tfr_beat, dest) == offsetof(tfd_beat, dest) &&
                  offsetof(tfr_beat, id) == offsetof(tfd_beat, id) &&
                  offsetof(tfr_beat, valid) == offsetof(tfd_beat, valid) &&
                  offsetof(tfr_beat, last) == offsetof(tfd_beat, last),
              "the wrapper of a device makes beats of tilefly_device.h, and the package those of tilefly_ref.h");

static_assert(TFR_LINK_BYTES >= TFD_LINK_BYTES && TFR_RECORD_BYTES >= TFD_PORT_RECORD_BYTES && TFR_CFG_BYTES >= TFD_CFG_BYTES,
              "vectors of DPI-C have whole words");

struct tfr_reference {
  std::unique_ptr<tilefly::conform::Reference> test;      ///< of AXI-Stream ports; null: there is none
  std::unique_ptr<tilefly::conform::LinkReference> link;  ///< of Tilefly's links
  std::string message;
  std::string result;  ///< JSON; empty: not finished
  std::string seen;    ///< what tfr_observe said last
  bool wrong = false;  ///< a call was
};

namespace {

using tilefly::UsageError;
using tilefly::conform::Beat;
using tilefly::conform::StreamInputs;
using tilefly::conform::Turn;

/// What `act` returns; TFR_ERROR and the message when the call is wrong, or one was before.
template <typename Act>
int AskAny(tfr_reference* reference, Act act) {
  if (reference == nullptr || reference->wrong) return TFR_ERROR;
  if (reference->result.empty()) reference->message.clear();  // of a test that is finished it is the verdict's
  std::string message;
  try {
    return act();
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "unknown exception";
  }
  reference->message = message;
  reference->wrong = true;
  return TFR_ERROR;
}

/// Nothing changes a test that is finished.
void RequireOpen(const tfr_reference& reference) {
  if (!reference.result.empty()) throw UsageError("the test is finished: nothing is driven, shown or set any more");
}

/// The same of a device with AXI-Stream ports.
template <typename Act>
int Ask(tfr_reference* reference, Act act) {
  return AskAny(reference, [&]() -> int {
    if (!reference->test)
      throw UsageError("the call is of AXI-Stream ports, and the capability file says ports.style: link");
    return act(*reference->test);
  });
}
/// ... and of a call that changes something.
template <typename Act>
int Answer(tfr_reference* reference, Act act) {
  return Ask(reference, [&](auto& test) -> int {
    RequireOpen(*reference);
    return act(test);
  });
}
/// The same of a device with Tilefly's links.
template <typename Act>
int AnswerLink(tfr_reference* reference, Act act) {
  return AskAny(reference, [&]() -> int {
    if (!reference->link)
      throw UsageError("the call is of Tilefly's links, and the capability file says ports.style: stream");
    RequireOpen(*reference);
    return act(*reference->link);
  });
}

/// Packed bytes of a struct, with zeros up to the words of DPI-C.
void Widen(const std::uint8_t* from, std::size_t size, std::uint8_t* to, std::size_t whole) {
  std::copy_n(from, size, to);
  std::fill(to + size, to + whole, 0);
}

/// A bit beyond the width of a struct is a mistake of who packed it.
void RequireZeros(const std::uint8_t* bytes, std::size_t bits, std::size_t whole, const char* what) {
  bool zeros = bits % 8 == 0 || bytes[bits / 8] >> bits % 8 == 0;
  for (std::size_t at = (bits + 7) / 8; at < whole; ++at) zeros = zeros && bytes[at] == 0;
  if (!zeros) throw UsageError(fmt::format("{}: a bit is set beyond its {} bits", what, bits));
}

void Pack(const Beat& from, tfr_beat* to) {
  *to = tfr_beat{};
  std::copy(from.data.begin(), from.data.end(), to->data);
  to->keep = from.keep;
  to->user = from.user;
  to->dest = from.dest;
  to->id = from.id;
  to->valid = from.valid;
  to->last = from.last;
}

Beat Unpack(const tfr_beat& from) {
  Beat to;
  std::copy(std::begin(from.data), std::end(from.data), to.data.begin());
  to.keep = from.keep;
  to.user = static_cast<std::uint32_t>(from.user);
  to.dest = from.dest;
  to.id = from.id;
  to.valid = from.valid != 0;
  to.last = from.last != 0;
  return to;
}

void Require(const void* pointer, const char* what) {
  if (pointer == nullptr) throw UsageError(fmt::format("{} is NULL", what));
}

std::string Text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

const tilefly::conform::Capability& CapabilityOf(const tfr_reference& reference) {
  return reference.link ? reference.link->capability() : reference.test->capability();
}

nlohmann::ordered_json ResultOf(const tfr_reference& reference) {
  return reference.link ? reference.link->Result() : reference.test->ResultJson();
}

}  // namespace

extern "C" {

uint32_t tfr_version(void) { return TILEFLY_REF_VERSION; }

tfr_reference* tfr_create(uint32_t version, const char* capability, const char* test, tfr_count seed) {
  auto* const reference = new (std::nothrow) tfr_reference;
  if (reference == nullptr) return nullptr;
  try {
    if (version != TILEFLY_REF_VERSION)
      throw UsageError(
          fmt::format("the program has version {} of tilefly_ref.h, and libtilefly_ref.so has {}: compile it with the "
                      "header of the library",
                      version, TILEFLY_REF_VERSION));
    Require(capability, "capability");
    const std::string name = test == nullptr ? "" : test;
    tilefly::conform::Capability device = tilefly::conform::ReadCapability(capability, false);
    if (device.style == tilefly::conform::PortStyle::kLink) {
      reference->link = std::make_unique<tilefly::conform::LinkReference>(std::move(device), name, seed);
    } else {
      reference->test = std::make_unique<tilefly::conform::Reference>(std::move(device), name, seed);
    }
  } catch (const std::exception& error) {
    reference->message = error.what();
    reference->wrong = true;
  }
  return reference;
}

void tfr_destroy(tfr_reference* reference) { delete reference; }

int tfr_style(tfr_reference* reference) {
  return AskAny(reference, [&] { return reference->link ? TFR_LINK : TFR_STREAM; });
}

int tfr_ports(tfr_reference* reference) {
  return AskAny(reference, [&] { return CapabilityOf(*reference).ports; });
}

int tfr_tiles(tfr_reference* reference) {
  return AnswerLink(reference, [](auto& link) { return link.capability().profile->tiles; });
}

int tfr_beat_bytes(tfr_reference* reference) {
  return Ask(reference, [](auto& test) { return test.capability().signals.data_bytes; });
}

int tfr_reset_cycles(tfr_reference* reference) {
  return AskAny(reference, [&] { return CapabilityOf(*reference).reset_cycles; });
}

int tfr_send(tfr_reference* reference, uint32_t port, const tfr_beat* beat) {
  return Answer(reference, [&](auto& test) {
    Require(beat, "beat");
    test.own().Send(static_cast<int>(test.PortOf(port)), Unpack(*beat));
    return 0;
  });
}

int tfr_write_table(tfr_reference* reference, tfr_count mac, uint32_t port, uint32_t index) {
  return Answer(reference, [&](auto& test) {
    tilefly::conform::TableWrite write{true, {}, static_cast<int>(test.PortOf(port)), static_cast<int>(index)};
    if (write.index < 0) throw UsageError(fmt::format("entry {} of a table: 0 to 2147483647", index));
    if (mac >> 48 != 0) throw UsageError(fmt::format("mac {:#x} has more than 48 bits", mac));
    for (std::size_t i = 0; i < write.mac.size(); ++i) write.mac[i] = static_cast<std::uint8_t>(mac >> (40 - 8 * i));
    test.own().Write(write);
    return 0;
  });
}

int tfr_configure(tfr_reference* reference, const char* name, double value) {
  return Answer(reference, [&](auto& test) {
    Require(name, "name");
    test.Configure(name, value);
    return 0;
  });
}

int tfr_end(tfr_reference* reference) {
  return Answer(reference, [](auto& test) {
    test.own().End();
    return 0;
  });
}

int tfr_mask(tfr_reference* reference, const char* rule, int port) {
  return Answer(reference, [&](auto& test) {
    Require(rule, "rule");
    test.LeaveOut(rule, port);
    return 0;
  });
}

int tfr_next(tfr_reference* reference) {
  return AskAny(reference, [&]() -> int {
    RequireOpen(*reference);
    const Turn turn = reference->link ? reference->link->Next() : reference->test->Next();
    return turn == Turn::kCycle ? TFR_CYCLE : turn == Turn::kReset ? TFR_RESET : TFR_OVER;
  });
}

int tfr_show_link(tfr_reference* reference, uint32_t port, const tfr_link* link) {
  return AnswerLink(reference, [&](auto& test) {
    Require(link, "link");
    RequireZeros(link->bytes, TFD_LINK_BITS, TFR_LINK_BYTES, "link");
    test.ShowLink(port, link->bytes);
    return 0;
  });
}

int tfr_show_record(tfr_reference* reference, int part, uint32_t index, const tfr_record* record) {
  return AnswerLink(reference, [&](auto& test) {
    Require(record, "record");
    using Part = tilefly::conform::LinkReference::Part;
    const struct {
      int part;
      Part of;
      std::size_t bits;
    } parts[] = {{TFR_RECORD_PORT, Part::kPort, TFD_PORT_RECORD_BITS},
                 {TFR_RECORD_TURN, Part::kTurn, TFD_TURN_RECORD_BITS},
                 {TFR_RECORD_RED, Part::kRed, TFD_RED_RECORD_BITS},
                 {TFR_RECORD_CFU, Part::kCfu, TFD_CFU_RECORD_BITS}};
    for (const auto& one : parts) {
      if (one.part != part) continue;
      RequireZeros(record->bytes, one.bits, TFR_RECORD_BYTES, "record");
      test.ShowRecord(one.of, index, record->bytes);
      return 0;
    }
    throw UsageError(fmt::format("there is no part {} of a record", part));
  });
}

int tfr_drive_link(tfr_reference* reference, uint32_t port, tfr_link* link) {
  return AnswerLink(reference, [&](auto& test) {
    Require(link, "link");
    Widen(test.Link(port), TFD_LINK_BYTES, link->bytes, TFR_LINK_BYTES);
    return 0;
  });
}

int tfr_link_up(tfr_reference* reference, uint32_t port) {
  return AnswerLink(reference, [&](auto& test) -> int { return test.LinkUp(port); });
}

int tfr_drive_cfg(tfr_reference* reference, tfr_cfg* cfg) {
  return AnswerLink(reference, [&](auto& test) {
    Require(cfg, "cfg");
    Widen(test.Cfg(), TFD_CFG_BYTES, cfg->bytes, TFR_CFG_BYTES);
    return 0;
  });
}

int tfr_drive(tfr_reference* reference, uint32_t port, tfr_beat* beat) {
  return Answer(reference, [&](auto& test) {
    Require(beat, "beat");
    Pack(test.Inputs().in[test.PortOf(port)], beat);
    return 0;
  });
}

int tfr_ready(tfr_reference* reference, uint32_t port) {
  return Answer(reference, [&](auto& test) -> int { return test.Inputs().out_ready[test.PortOf(port)]; });
}

int tfr_table_write(tfr_reference* reference, tfr_count* mac, uint32_t* port, uint32_t* index) {
  return Answer(reference, [&](auto& test) -> int {
    Require(mac, "mac");
    Require(port, "port");
    Require(index, "index");
    const tilefly::conform::TableWrite& write = test.Inputs().write;
    *mac = 0;
    for (const std::uint8_t byte : write.mac) *mac = *mac << 8 | byte;
    *port = static_cast<uint32_t>(write.port);
    *index = static_cast<uint32_t>(write.index);
    return write.valid;
  });
}

int tfr_show(tfr_reference* reference, uint32_t port, int ready, const tfr_beat* beat) {
  return Answer(reference, [&](auto& test) {
    Require(beat, "beat");
    test.Show(test.PortOf(port), ready != 0, Unpack(*beat));
    return 0;
  });
}

int tfr_show_drops(tfr_reference* reference, tfr_count drops) {
  return Answer(reference, [&](auto& test) {
    test.ShowDrops(drops);
    return 0;
  });
}

int tfr_show_unknown(tfr_reference* reference, uint32_t port, const char* signal) {
  return Answer(reference, [&](auto& test) {
    Require(signal, "signal");
    test.ShowUnknown(test.PortOf(port), signal);
    return 0;
  });
}

int tfr_expect(tfr_reference* reference, uint32_t port, uint32_t input, uint32_t k, tfr_beat* beat) {
  return Ask(reference, [&](auto& test) -> int {
    Require(beat, "beat");
    const std::optional<Beat> due = test.Expect(test.PortOf(port), test.PortOf(input), k);
    Pack(due.value_or(Beat{}), beat);
    return due.has_value();
  });
}

int tfr_counter(tfr_reference* reference, uint32_t port, const char* name, tfr_count* value) {
  return Ask(reference, [&](auto& test) {
    Require(name, "name");
    Require(value, "value");
    *value = static_cast<tfr_count>(test.Counter(test.PortOf(port), name));
    return 0;
  });
}

const char* tfr_observe(tfr_reference* reference, uint32_t port) {
  const int status = Ask(reference, [&](auto& test) {
    reference->seen = Text(test.Observe(test.PortOf(port)));
    return 0;
  });
  return status == 0 ? reference->seen.c_str() : "";
}

int tfr_drained(tfr_reference* reference) {
  return Ask(reference, [](auto& test) -> int { return test.Empty(); });
}

int tfr_figure(tfr_reference* reference, const char* name, double* value) {
  return AskAny(reference, [&] {
    Require(name, "name");
    Require(value, "value");
    const nlohmann::ordered_json result = ResultOf(*reference);
    const nlohmann::ordered_json::json_pointer place("/" + std::string(name));
    if (!result.contains(place) || (!result.at(place).is_number() && !result.at(place).is_null()))
      throw UsageError(fmt::format("there is no figure '{}'; there are {}", name,
                                   reference->link ? "cycles, and when the test is over those of docs/conformance.md"
                                                   : "cycles, frames/offered, frames/delivered, frames/dropped, frames/lost, "
                                                     "frames/unjudged, beats/in, beats/out, measured"));
    if (result.at(place).is_null()) return 0;
    *value = result.at(place).get<double>();
    return 1;
  });
}

int tfr_finish(tfr_reference* reference) {
  return AskAny(reference, [&]() -> int {
    RequireOpen(*reference);
    const nlohmann::ordered_json result = ResultOf(*reference);
    reference->result = Text(result);
    reference->message = result.value("reason", "");
    const std::string verdict = result.at("verdict");
    return verdict == "pass" ? TFR_PASS : verdict == "fail" ? TFR_FAIL : TFR_UNDECIDED;
  });
}

const char* tfr_message(tfr_reference* reference) {
  return reference == nullptr ? "there is no reference" : reference->message.c_str();
}

const char* tfr_result(tfr_reference* reference) { return reference == nullptr ? "" : reference->result.c_str(); }

}  // extern "C"
