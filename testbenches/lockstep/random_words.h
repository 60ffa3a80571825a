// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <random>
#include <vector>

#include "cosim/device.h"
#include "cosim/setup/frame.h"
#include "cosim/setup/switch_setup.h"

namespace tilefly::cosim {

/// Link partners without any sense: words and control slots at random, in moods that change now and then and include that of
/// sending good packets. They know all the same what the switch must count: packets begun, by the link page's framing rules.
/// All links have four lanes and stay up.
class RandomWords {
 public:
  RandomWords(const SwitchSetup& setup, unsigned seed);

  /// The links' inputs of the next cycle. Without `wild` no new packet begins and only true credits are returned.
  const std::vector<Link>& Next(const std::vector<Link>& outputs, bool wild);
  /// Puts a good frame on a link, from the next cycle on.
  void Send(int port, const Frame& frame);
  /// A good frame from one port to another that carries `id`, as the source's kind of link wants it.
  Frame MakeGood(int from, int to, int length, std::uint64_t id);
  bool Sending() const;
  /// Packets that began at the port as far as its MAC can know.
  std::uint64_t begun(int port) const { return ports_[static_cast<std::size_t>(port)].begun; }
  /// Where a good frame's id stands in its bytes.
  static constexpr std::size_t kIdAt = 20;

 private:
  /// Chances of 256 that a word or a control slot is so.
  struct Mood {
    int valid, sop, eop, enh, err, sane_header, credit, lying, other_control;
    bool good;  ///< good packets instead
  };
  struct Port {
    Mood mood;
    int mood_left = 0;
    std::deque<Word> words;  ///< of good packets
    std::array<std::uint16_t, 16> returned{};
    std::array<int, 16> owed{};
    std::uint64_t begun = 0;
    int words_due = 0;   ///< of a packet with header that is being taken
    int bare_words = 0;  ///< of a bare frame that is being taken
  };

  bool Chance(int of_256) { return static_cast<int>(random_() & 255) < of_256; }
  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Mood NewMood();
  Word RandomWord(const Mood& mood);
  Ctrl Control(Port* port, bool wild);
  void Watch(Port* port, const Word& word);

  const SwitchSetup& setup_;
  std::mt19937 random_;
  std::vector<Port> ports_;
  std::vector<Link> links_;
};

}  // namespace tilefly::cosim
