// SPDX-License-Identifier: Apache-2.0
// Application-aware routing: Algorithm 1 of De Sensi, Di Girolamo, Hoefler (SC 2019). Before a message is sent it
// chooses between adaptive routing and adaptive routing with high bias, by the latency and the stalls that a NIC's
// counters showed for the messages before.
#pragma once

#include <cstdint>

namespace tilefly::workload {

enum class Bias : std::uint8_t { kNone, kHigh };

struct AppAwareOptions {
  /// The authors' program (DanieleDeSensi/awr), where it differs from the text; its constants, which the text does not
  /// print, are the defaults below.
  static AppAwareOptions Program();

  double latency_scale = 1 / 1.2;  ///< lambda_ad: latency with high bias over latency without
  double stall_scale = 5;          ///< sigma_ad: the same of stalls; from high bias to none, both are divided by
  int fresh = 5;                   ///< a sample is too old in the fresh-th decision after its own
  std::int64_t threshold = 4096;   ///< bytes; a decision is made when more have come together since the last one
  bool quotient = false;  ///< decides by equation 4 as Algorithm 1 prints it; else by equation 3, which it comes from
  bool whole_factor = false;  ///< the factor of L is rounded up (WholeLatencyFactor)
  bool same_message = false;  ///< samples are only good for messages of the same size to the same target
};

/// What the counters said between two readings.
struct NicSample {
  double latency;  ///< L: cumulative latency of packets over their number, cycles
  double stall;    ///< s: stalled cycles over flits
};

/// A message that is to be sent.
struct NextMessage {
  std::int64_t bytes;
  std::int64_t packets;
  std::int64_t flits;
  std::int32_t target = 0;
};

class AppAwareRouting {
 public:
  explicit AppAwareRouting(const AppAwareOptions& options = {}) : options_(options) {}

  /// Whether the next message's mode is decided: enough bytes have come together. Else it goes with high bias, whatever
  /// the sample.
  bool Decides(const NextMessage& message) const { return together_ + message.bytes > options_.threshold; }
  /// The mode of the next message; `sample` is what was measured since the last decision, in the mode that it chose.
  Bias Select(const NextMessage& message, const NicSample& sample);
  /// The mode of the last decision; the first assumes no bias.
  Bias current() const { return current_; }

 private:
  struct Known {
    NicSample sample{};
    int left = 0;  ///< decisions for which it is fresh
    std::int64_t bytes = 0;
    std::int32_t target = 0;
  };

  NicSample OtherSample(const NextMessage& message, const NicSample& own);
  bool OtherIsBetter(const NextMessage& message, const NicSample& own, const NicSample& other) const;

  AppAwareOptions options_;
  Bias current_ = Bias::kNone;
  std::int64_t together_ = 0;  ///< bytes since the last decision
  Known known_[2];             ///< by mode
};

}  // namespace tilefly::workload
