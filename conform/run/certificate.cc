// SPDX-License-Identifier: Apache-2.0
#include "conform/run/certificate.h"

#include <algorithm>
#include <set>
#include <utility>

#include "conform/bench/claims.h"
#include "conform/bench/suite.h"
#include "runs/common/digest.h"

namespace tilefly::conform {
namespace {

using nlohmann::ordered_json;

std::vector<ordered_json> ClaimsOf(const Capability& capability, const std::vector<ordered_json>& results) {
  std::vector<std::pair<std::string, double>> measured;
  for (const ordered_json& result : results) {
    if (result.contains("measured") && !result.at("measured").is_null())
      measured.emplace_back(result.at("test"), result.at("measured"));
  }
  std::vector<ordered_json> claims;
  for (const Claimed& claim : JudgeClaims(capability, measured)) {
    claims.push_back({{"claim", claim.key},
                      {"bound", claim.bound},
                      {"reached", claim.reached},
                      {"verdict", claim.judgement.verdict == Verdict::kPass ? "pass" : "fail"},
                      {"reason", claim.judgement.reason}});
  }
  return claims;
}

/// How often the tests have met each situation, and in how many of them; none of links, whose tests count no situations.
ordered_json BinsOf(const Capability& capability, const std::vector<ordered_json>& results) {
  ordered_json bins = ordered_json::array();
  if (capability.style == PortStyle::kLink) return bins;
  for (const SituationKind& kind : SituationKinds()) {
    if (!kind.applies(capability)) continue;
    std::int64_t times = 0;
    std::int64_t tests = 0;
    for (const ordered_json& result : results) {
      const ordered_json met = result.value("bins", ordered_json::object());
      if (!met.contains(kind.name)) continue;
      times += met.at(kind.name).get<std::int64_t>();
      ++tests;
    }
    bins.push_back({{"bin", kind.name}, {"what", kind.what}, {"times", times}, {"runs", tests}});
  }
  return bins;
}

bool Any(const std::vector<ordered_json>& some, const char* verdict) {
  return std::any_of(some.begin(), some.end(), [&](const ordered_json& one) { return one.at("verdict") == verdict; });
}

}  // namespace

std::string ExcuseOf(const Test& test, const Capability& capability) {
  const std::string excuse = test.excuse(capability);
  if (!excuse.empty()) return excuse;
  return test.level > capability.claims.level ? "claims.level is below it" : "";
}

ordered_json MakeCertificate(const Capability& capability, const CertifiedDevice& device,
                             const std::vector<ordered_json>& results) {
  std::set<std::string> ran;
  for (const ordered_json& result : results) ran.insert(result.at("test").get<std::string>());
  ordered_json left_out = ordered_json::array();
  ordered_json excused = ordered_json::array();
  for (const Test& test : Suite(capability.style)) {
    if (const std::string excuse = ExcuseOf(test, capability); !excuse.empty()) {
      excused.push_back({{"test", test.id}, {"reason", excuse}});
    } else if (ran.count(test.id) == 0) {
      left_out.push_back(test.id);
    }
  }
  const std::vector<ordered_json> claims =
      capability.style == PortStyle::kStream ? ClaimsOf(capability, results) : std::vector<ordered_json>();
  const bool fails = Any(results, "fail") || Any(claims, "fail");
  const bool undecided = Any(results, "undecided");
  ordered_json certificate;
  certificate["kit"] = device.kit;
  certificate["device"] = {{"name", capability.device}, {"digest", device.digest}};
  certificate["capability"] = {{"file", device.file}, {"digest", runs::FileDigest(capability.file.string())}};
  certificate["claimed"] = ToString(capability.claims.level);
  if (capability.style == PortStyle::kLink) certificate["lacks"] = capability.lacks;
  certificate["verdict"] = fails ? "fail" : undecided || !left_out.empty() ? "undecided" : "pass";
  certificate["why_undecided"] = certificate["verdict"] != "undecided" ? ordered_json()
                                 : undecided                           ? ordered_json("tests are undecided")
                                             : ordered_json("not all tests that apply were run");
  certificate["left_out"] = left_out;
  certificate["tests"] = ordered_json::array();
  for (ordered_json result : results) {
    result.erase("seconds");
    certificate["tests"].push_back(result);
  }
  certificate["claims"] = claims;
  certificate["bins"] = BinsOf(capability, results);
  certificate["do_not_apply"] = excused;
  return certificate;
}

}  // namespace tilefly::conform
