// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "cosim/capture/capture_writer.h"
#include "cosim/setup/frame_sink.h"
#include "cosim/setup/switch_setup.h"

namespace tilefly::runs {

/// Writes every frame that goes into or comes out of a port to captures/portNN_{in,out}.pcapng with simulated time.
class PortCaptures final : public cosim::FrameSink {
 public:
  PortCaptures(const cosim::SwitchSetup& setup, std::filesystem::path folder)
      : setup_(setup), folder_(std::move(folder)) {}
  void Sent(const cosim::FramePtr& frame, Cycle first, Cycle last) override;
  void Received(const cosim::Reception& reception) override;
  void Close();

 private:
  cosim::CaptureWriter& Writer(int port, const char* direction, bool header);
  std::int64_t TimeNs(Cycle cycle) const;

  const cosim::SwitchSetup& setup_;
  std::filesystem::path folder_;
  std::map<std::string, cosim::CaptureWriter> writers_;
};

}  // namespace tilefly::runs
