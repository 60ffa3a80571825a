// SPDX-License-Identifier: Apache-2.0
#include "qos/picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::qos {
namespace {

/// Of eight classes: distinct also for the colour-blind (Okabe and Ito), and the nearest of the 256 of a terminal.
struct Color {
  const char* web;
  int terminal;
};
constexpr Color kColors[] = {{"#0072b2", 25}, {"#e69f00", 214}, {"#009e73", 36},  {"#cc79a7", 175},
                             {"#56b4e9", 74}, {"#d55e00", 166}, {"#f0e442", 227}, {"#777777", 244}};

const Color& ColorOf(const TrafficClass& one) { return kColors[one.level % std::size(kColors)]; }

constexpr int kLine = 64;  ///< slots of a line

std::size_t NameWidth(const Table& table) {
  std::size_t width = 0;
  for (const TrafficClass& one : table.classes) width = std::max(width, one.name.size());
  return width;
}

}  // namespace

std::string TextPicture(const Table& table, bool color) {
  const std::size_t width = NameWidth(table);
  const auto paint = [&](const TrafficClass& one, const std::string& text) {
    return color ? fmt::format("\x1b[38;5;{}m{}\x1b[0m", ColorOf(one).terminal, text) : text;
  };
  std::string text;
  for (int from = 0; from < table.size(); from += kLine) {
    const int to = std::min(from + kLine, table.size());
    text += fmt::format("{:{}}  slots {} to {}\n", "", width, from, to - 1);
    for (std::size_t c = 0; c < table.classes.size(); ++c) {
      std::string slots;
      for (int i = from; i < to; ++i) slots += table.entries[i].owner == static_cast<int>(c) ? '#' : '.';
      text += paint(table.classes[c], fmt::format("{:{}}  {}", table.classes[c].name, width, slots)) + "\n";
    }
  }
  const std::vector<Holding> held = Holdings(table);
  const int total = std::max(TotalWeight(table), 1);
  text += "\n";
  for (std::size_t c = 0; c < held.size(); ++c) {
    const Holding& h = held[c];
    const std::string each = h.least == h.most ? fmt::format("{}", h.most) : fmt::format("{}-{}", h.least, h.most);
    text += paint(table.classes[c],
                  fmt::format("{:{}}  {:4} entries of {:>9} = {:6} credits {:6.2f}%", table.classes[c].name, width,
                              h.entries, each, h.weight, 100.0 * h.weight / total)) +
            "\n";
  }
  return text;
}

std::string SvgPicture(const Table& table) {
  constexpr int kSlot = 12;
  constexpr int kRow = 40;
  constexpr int kBar = 34;
  const std::vector<Holding> held = Holdings(table);
  int most = 1;
  for (const Holding& h : held) most = std::max(most, h.most);
  const int left = 16 + 9 * static_cast<int>(NameWidth(table));
  const int right = left + kSlot * table.size();
  const int rows = static_cast<int>(table.classes.size());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      right + 90, kRow * rows + 34);
  const double total = std::max(TotalWeight(table), 1);
  for (int c = 0; c < rows; ++c) {
    const int base = kRow * (c + 1);
    svg += fmt::format("<text x=\"8\" y=\"{}\">{}</text>\n<path d=\"M{} {}H{}\" stroke=\"#cccccc\"/>\n", base - 4,
                       table.classes[c].name, left, base, right);
    svg += fmt::format("<text x=\"{}\" y=\"{}\">{:.2f}%</text>\n", right + 8, base - 4, 100 * held[c].weight / total);
    for (int i = 0; i < table.size(); ++i) {
      const Entry& entry = table.entries[i];
      if (entry.owner != c) continue;
      const double height = std::max(1.0, static_cast<double>(kBar) * entry.weight / most);
      svg += fmt::format(
          "<rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" fill=\"{}\"><title>slot {}: {}, {} "
          "credits</title></rect>\n",
          left + kSlot * i + 1, base - height, kSlot - 2, height, ColorOf(table.classes[c]).web, i,
          table.classes[c].name, entry.weight);
    }
  }
  for (int i = 0; i < table.size(); i += 8)
    svg +=
        fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"11\">{}</text>\n", left + kSlot * i + 1, kRow * rows + 16, i);
  return svg + "</svg>\n";
}

}  // namespace tilefly::qos
