// SPDX-License-Identifier: Apache-2.0
// speed_sizes [--svg FILE]: what the golden switch of 64 ports carries at full load of uniform traffic, by size of
// frame. A line for each size class, that is for each pair of cells inside and words on the link, from 32 B to the MTU.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "testbenches/switch/saturation.h"
#include "topology/canvas.h"

namespace {

using namespace tilefly;
using namespace tilefly::golden;

/// Frames of these lengths take as many cells inside and as many words on the link.
struct SizeClass {
  int least;
  int most;
  int cells;
  int words;
  double share;  ///< mean of the outputs' word slots that carried a word
};

int CellsOf(int length) { return (length + 16 + 47) / 48; }
int WordsOf(int length) { return (length + 16 + 31) / 32; }

std::vector<SizeClass> Classes(const Profile& profile) {
  std::vector<SizeClass> classes;
  for (int length = profile.min_enh_bytes; length <= profile.mtu_bytes; ++length) {
    if (!classes.empty() && classes.back().cells == CellsOf(length) && classes.back().words == WordsOf(length)) {
      classes.back().most = length;
    } else {
      classes.push_back({length, length, CellsOf(length), WordsOf(length), 0});
    }
  }
  return classes;
}

double Measure(const SizeClass& one) {
  constexpr Span span;
  Random random;
  const auto rig = Saturate(
      one.most, [random](int) mutable { return static_cast<int>(random() >> 20 & 63); }, span);
  double sum = 0;
  for (int port = 0; port < kRosetta64.ports; ++port) sum += Share(*rig, port, span);
  return sum / kRosetta64.ports;
}

/// Share over length, on a logarithmic axis.
std::string Svg(const std::vector<SizeClass>& classes) {
  constexpr double kWidth = 900, kHeight = 320, kLeast = 0.5;
  const auto at = [&](double length, double share) {
    const double x =
        std::log2(length / classes.front().least) / std::log2(1.0 * classes.back().most / classes.front().least);
    return topology::Point{kWidth * x, kHeight * (1 - share) / (1 - kLeast)};
  };
  topology::Canvas canvas;
  for (int tenths = 5; tenths <= 10; ++tenths) {
    const topology::Point left = at(classes.front().least, tenths / 10.0);
    canvas.Line(left, {kWidth, left.y}, {topology::kPaleColor, 0.5});
    canvas.Text(left + topology::Point{-30, 0}, fmt::format("{:.1f}", tenths / 10.0), 12, topology::Anchor::kMiddle);
  }
  for (const int length : {32, 64, 128, 256, 512, 1024, 2048, 4096}) {
    const topology::Point foot = at(length, kLeast);
    canvas.Line(foot, foot + topology::Point{0, 5}, {topology::kTextColor, 1});
    canvas.Text(foot + topology::Point{0, 18}, fmt::format("{}", length), 12, topology::Anchor::kMiddle);
  }
  canvas.Text({kWidth / 2, kHeight + 40},
              "bytes of a frame, FCS included; share of the outputs' word slots that carry a word", 12,
              topology::Anchor::kMiddle);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const SizeClass& one = classes[i];
    canvas.Line(at(one.least, one.share), at(one.most, one.share), {"#0072b2", 2});
    if (i > 0) canvas.Line(at(one.least, classes[i - 1].share), at(one.least, one.share), {"#0072b2", 1});
  }
  return canvas.Svg();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1 && (argc != 3 || std::strcmp(argv[1], "--svg") != 0)) {
    fmt::print(stderr, "speed_sizes [--svg FILE]\n");
    return 2;
  }
  std::vector<SizeClass> classes = Classes(kRosetta64);
  fmt::print("bytes,cells,words,cycles_of_link_per_cell,share\n");
  for (SizeClass& one : classes) {
    one.share = Measure(one);
    fmt::print("{}-{},{},{},{:.2f},{:.3f}\n", one.least, one.most, one.cells, one.words,
               static_cast<double>(one.words) / one.cells, one.share);
    std::fflush(stdout);
  }
  if (argc == 3) {
    std::ofstream file(argv[2]);
    file << Svg(classes);
    if (!file.flush()) {
      fmt::print(stderr, "speed_sizes: {}: cannot be written\n", argv[2]);
      return 3;
    }
  }
  return 0;
}
