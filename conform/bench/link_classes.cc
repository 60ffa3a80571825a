// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/link_classes.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "qos/planner.h"
#include "support/temporary_folder.h"

namespace tilefly::conform {
namespace {

/// As a user writes them (docs/qos.md): what they leave out is filled in as for a user.
std::string WishesOf(const Profile& profile, int lanes, bool lossy, bool other) {
  const int mtu = profile.mtu_bytes;
  return fmt::format(
      R"(link: {link}Gbps
classes:
  - {{name: LL, group: 1, bandwidth: 2%, maximum: {{rate: 5%, burst: 8448B}}, distance: 4, mtu: 256B, lanes: [0, 1, 2], dscp: [46], pcp: [6]}}
  - {{name: BD, bandwidth: {bd}%, latency: 1, mtu: {mtu}B, lanes: [3, 4, 5]}}
  - {{name: BE, bandwidth: {be}%, latency: 1, mtu: {mtu}B, lanes: [6, 7, 8]}}
  - {{name: ET, bandwidth: 20%, latency: 2, mtu: {mtu}B, {lossy}lanes: [9, 10, 11], dscp: [0], pcp: [0]}}
)",
      fmt::arg("link", 50 * lanes), fmt::arg("bd", other ? 50 : 20), fmt::arg("be", other ? 20 : 50),
      fmt::arg("mtu", mtu), fmt::arg("lossy", lossy ? "lossy: on, " : ""));
}

}  // namespace

cosim::ClassSetup FourClasses(const Profile& profile, int lanes, bool lossy, bool other) {
  const TemporaryFolder folder("classes");
  const std::filesystem::path file = folder.path() / "classes.yaml";
  std::ofstream(file) << WishesOf(profile, lanes, lossy, other);
  return cosim::ClassSetup(qos::LoadTableOrPlan(file), "classes of the tests", profile, lanes);
}

}  // namespace tilefly::conform
