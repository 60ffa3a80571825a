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

#include "conform/reference/calls.h"
#include "support/errors.h"

static_assert(sizeof(tfr_beat) == sizeof(tfd_beat) && offsetof(tfr_beat, keep) == offsetof(tfd_beat, keep) &&
                  offsetof(tfr_beat, user) == offsetof(tfd_beat, user) &&
                  offsetof(tfr_beat, dest) == offsetof(tfd_beat, dest) &&
                  offsetof(tfr_beat, id) == offsetof(tfd_beat, id) &&
                  offsetof(tfr_beat, valid) == offsetof(tfd_beat, valid) &&
                  offsetof(tfr_beat, last) == offsetof(tfd_beat, last),
              "the wrapper of a device makes beats of tilefly_device.h, and the package those of tilefly_ref.h");

namespace {

using tilefly::UsageError;
using tilefly::conform::Answer;
using tilefly::conform::Ask;
using tilefly::conform::AskAny;
using tilefly::conform::Beat;
using tilefly::conform::Require;
using tilefly::conform::RequireOpen;
using tilefly::conform::Turn;

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
                                   reference->link
                                       ? "cycles, and when the test is over those of docs/conformance.md"
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
