// SPDX-License-Identifier: Apache-2.0
// `tilefly conform run`: all tests that apply to a device, each in a process of its own, and what comes of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/common/command.h"

namespace tilefly::conform {

struct ConformOptions {
  std::string file;                ///< capability file
  std::vector<std::string> tests;  ///< ids, * matches parts of them; none: all
  std::uint64_t seed = 1;
  int seeds = 1;  ///< of each test: seed, seed + 1, ...
  int jobs = 1;
  int limit_s = 600;        ///< of a test
  bool short_only = false;  ///< without the long tests
  bool fail_fast = false;   ///< ends with the first failure
  bool no_waves = false;    ///< of a failure
  bool json = false;
  bool dpi = false;     ///< write a bench for another simulator, and run nothing
  std::string program;  ///< path of this program, which runs the tests
};

/// The verdict says whether the device is what its file claims: kPass, kFail, kTimeout when a test is undecided for
/// want of time, kInterrupted. Writes certificate.json, results.json, junit.xml and report.html. Throws UsageError.
runs::Verdict RunConform(const ConformOptions& options, const runs::SessionOptions& session);

struct VerifyOptions {
  std::string certificate;  ///< certificate.json
  std::string file;         ///< capability file; empty: the one that the certificate names
  int jobs = 1;
  int limit_s = 600;
  bool quick = false;  ///< digests only, no test is run
  std::string program;
};

/// Runs the tests of a certificate again, with their seeds, on the device with its digest, and compares all that it
/// says. The capability file that a certificate names is looked for as seen from this folder, beside the certificate, and
/// where it was when the certificate was made. Throws UsageError when the device or the capability file is another one.
runs::Verdict VerifyCertificate(const VerifyOptions& options, const runs::SessionOptions& session);

}  // namespace tilefly::conform
