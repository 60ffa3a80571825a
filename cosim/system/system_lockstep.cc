// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/system_lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cosim/system/link_failure.h"
#include "cosim/system/packet_frame.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {
namespace {

using network::LinkEvent;
using network::LinkKind;

/// A link carries one event of a kind in a cycle at most.
auto PlaceOf(const LinkEvent& event) {
  return std::make_tuple(event.wire, event.node, event.port, event.from_nic, event.kind);
}

bool Before(const LinkEvent& a, const LinkEvent& b) { return PlaceOf(a) < PlaceOf(b); }

auto RecordOf(const LinkEvent& event) {
  const network::PacketRecord& record = event.record;
  return std::make_tuple(record.source, record.destination, record.sent, record.created);
}

std::string TextOf(const LinkEvent& event) {
  if (event.kind == LinkKind::kCredit)
    return fmt::format("a credit return of lane {}: {} cells", event.credit.vl, event.credit.cells);
  if (event.kind == LinkKind::kAck) {
    return fmt::format(
        "an ack of flow {}: {} cells, load {}, {} hops, port {}, path {:#x}, mark {}, share {}, of class {} to {:#x}, "
        "generation {}, by class {}",
        event.ack.flow, event.ack.cells, event.ack.load, event.ack.hops, event.ack.port, event.ack.path,
        int{event.ack.mark}, event.ack.share, event.ack.tc, event.ack.dst, int{event.ack.gen}, int{event.ack.by_class});
  }
  if (event.kind == LinkKind::kPause)
    return fmt::format("a pause of class {} to {:#x}: period {}, credit {}", event.pause.tc, event.pause.destination,
                       event.pause.period, event.pause.credit);
  if (event.kind == LinkKind::kStamp)
    return fmt::format("a stamp of lane {}: {} cells", event.credit.vl, event.credit.cells);
  if (event.kind == LinkKind::kReport) {
    const golden::RetryReport& report = event.said.report;
    return fmt::format("a report of {}{}, mask {}", report.valid ? std::to_string(report.seq) : "nothing",
                       report.nack ? " with a nack" : "",
                       event.said.mask.valid ? fmt::format("{:#x}", event.said.mask.bad) : "none");
  }
  return fmt::format("{}{}, {} words on lane {}", event.kind == LinkKind::kAttempt ? "an attempt of " : "",
                     NameOf(event.record), event.words, event.header.vl());
}

/// "header hop=2, expected 1"; empty: they are equal.
std::string Difference(const LinkEvent& seen, const LinkEvent& expected) {
  if (seen.kind == LinkKind::kReport) {
    const auto fields = [](const network::LinkReport& said) {
      return std::make_tuple(said.report.valid, said.report.nack, said.report.seq, said.mask.valid, said.mask.bad);
    };
    return fields(seen.said) == fields(expected.said) ? "" : TextOf(seen) + ", expected " + TextOf(expected);
  }
  if (seen.kind == LinkKind::kCredit || seen.kind == LinkKind::kStamp) {
    if (seen.credit.vl == expected.credit.vl && seen.credit.cells == expected.credit.cells) return "";
    return TextOf(seen) + ", expected " + TextOf(expected);
  }
  if (seen.kind == LinkKind::kAck)
    return seen.ack == expected.ack ? "" : TextOf(seen) + ", expected " + TextOf(expected);
  if (seen.kind == LinkKind::kPause)
    return seen.pause == expected.pause ? "" : TextOf(seen) + ", expected " + TextOf(expected);
  if (RecordOf(seen) != RecordOf(expected)) return TextOf(seen) + ", expected " + TextOf(expected);
  std::array<std::uint32_t, Header::kWords> a{}, b{};
  seen.header.Unpack().Pack(a.data());
  expected.header.Unpack().Pack(b.data());
  for (const FieldInfo& field : Header::kFields) {
    const std::uint64_t value = GetBits(a.data(), field.lsb, field.width);
    const std::uint64_t wanted = GetBits(b.data(), field.lsb, field.width);
    if (value != wanted)
      return fmt::format("{}: header {}={:#x}, expected {:#x}", NameOf(seen.record), field.name, value, wanted);
  }
  return "";
}

[[noreturn]] void Fail(const LinkEvent& at, const std::string& what) {
  throw LinkFailure(at.wire, at.node, at.port, (at.from_nic ? "NIC: " : "") + what);
}

}  // namespace

std::vector<LinkEvent> LinkLog::TakeUntil(Cycle end) {
  const auto later = std::partition(events_.begin(), events_.end(), [&](const LinkEvent& e) { return e.wire < end; });
  std::vector<LinkEvent> taken(events_.begin(), later);
  events_.erase(events_.begin(), later);
  std::sort(taken.begin(), taken.end(), Before);
  return taken;
}

SystemLockstep::SystemLockstep(network::Network* devices, network::Network* twin)
    : devices_(*devices), twin_(*twin), log_(*devices), twin_log_(*twin), begin_(devices->nics().begin), done_(begin_) {
  devices_.set_probe(&log_);
  twin_.set_probe(&twin_log_);
  for (int n = 0; n < devices_.nodes(); ++n) {
    for (int port = 0; port < devices_.profile().ports; ++port) {
      const network::FarEnd& far = devices_.wiring().far(n, port);
      if (far.connected()) links_ += far.node < 0 ? 2 : 1;
    }
  }
}

network::Ending SystemLockstep::Run(const std::function<bool(Cycle)>& poll) {
  // Of a round that is over everything is known that has an event before its end.
  for (Cycle to = done_ + devices_.lookahead();; to += devices_.lookahead()) {
    const std::optional<network::Ending> ending = devices_.RunTo(to, poll);
    if (!ending) {
      const std::optional<network::Ending> twins = twin_.RunTo(to);
      const bool gives_up = twins && *twins != network::Ending::kDrained;  // before the devices: they have some cycles more
      CompareTo((gives_up ? std::min(to, twin_.cycle()) : to) - golden::kWireToEvent);
      continue;
    }
    if (*ending != network::Ending::kStopped) {
      twin_.RunTo(kNever);  // it ends by itself: drained, or without progress
      // Two systems without progress may end in different cycles: what both have done is compared.
      const Cycle both = std::min(devices_.cycle(), twin_.cycle()) - golden::kWireToEvent;
      const bool drained = *ending == network::Ending::kDrained;
      const Cycle end = drained ? std::max(devices_.cycle(), twin_.cycle()) + 1 : std::max(done_, both);
      CompareTo(end);
      done_ = end;  // a time-out that is due later, and changes nothing, is waited for after the run's last cycle
    }
    return *ending;
  }
}

/// Words and returns on links before cycle `end`.
void SystemLockstep::CompareTo(Cycle end) {
  const std::vector<LinkEvent> seen = log_.TakeUntil(end);
  const std::vector<LinkEvent> expected = twin_log_.TakeUntil(end);
  for (std::size_t i = 0; i < std::max(seen.size(), expected.size()); ++i) {
    if (i == expected.size() || (i < seen.size() && Before(seen[i], expected[i])))
      Fail(seen[i], TextOf(seen[i]) + ", expected nothing");
    if (i == seen.size() || Before(expected[i], seen[i])) Fail(expected[i], "nothing, expected " + TextOf(expected[i]));
    if (const std::string what = Difference(seen[i], expected[i]); !what.empty()) Fail(seen[i], what);
    const bool words = seen[i].kind == LinkKind::kPacket || seen[i].kind == LinkKind::kAttempt;
    compared_busy_ += words ? seen[i].words : 1;
  }
  done_ = std::max(done_, end);
}

}  // namespace tilefly::cosim
