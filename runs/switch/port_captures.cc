// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/port_captures.h"

#include <fmt/format.h>

namespace tilefly::runs {

cosim::CaptureWriter& PortCaptures::Writer(int port, const char* direction, bool header) {
  const std::string name = fmt::format("port{:02}_{}", port, direction);
  const auto found = writers_.find(name);
  if (found != writers_.end()) return found->second;
  const cosim::Packets packets = header ? cosim::Packets::kHeader : cosim::Packets::kEthernet;
  return writers_.emplace(name, cosim::CaptureWriter(folder_ / (name + ".pcapng"), name, packets)).first->second;
}

std::int64_t PortCaptures::TimeNs(Cycle cycle) const { return cycle * 1'000'000 / setup_.profile().clock_khz; }

void PortCaptures::Sent(const cosim::FramePtr& frame, Cycle first, Cycle) {
  // One kind of packet a file: what a port with headers takes in bare (PAUSE) is not traffic of the fabric.
  const bool header = !setup_.mode(frame->source).std_format;
  if (frame->enh == header)
    Writer(frame->source, "in", header).Write(TimeNs(first), header ? &frame->header : nullptr, frame->bytes);
}

void PortCaptures::Received(const cosim::Reception& reception) {
  Writer(reception.port, "out", reception.enh)
      .Write(TimeNs(reception.first), reception.enh ? &reception.header : nullptr, reception.bytes);
}

void PortCaptures::Close() {
  for (auto& [name, writer] : writers_) writer.Close();
}

}  // namespace tilefly::runs
