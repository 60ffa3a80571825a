// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/word_source.h"

#include "golden/common/types.h"

namespace tilefly::bench {
namespace {

/// Any word: sense is unlikely.
Word RandomWord(const Stimulus& random, Cycle now) {
  Word word;
  word.valid = true;
  const std::uint64_t bits = random.Bits("stray word", now);
  word.sop = (bits & 7) == 0;  // without it the word is stray, with it a packet of its own
  word.eop = (bits >> 3 & 1) != 0;
  word.enh = (bits >> 4 & 1) != 0;
  word.err = (bits >> 5 & 7) == 0;
  word.last = static_cast<std::uint8_t>(bits >> 8 & 31);
  for (std::size_t i = 0; i < word.data.size(); ++i) {
    word.data[i] = static_cast<std::uint8_t>(random.Bits("stray data", now, static_cast<std::uint32_t>(i / 8)) >> 8 * (i % 8));
  }
  return word;
}

}  // namespace

void WordSource::Start(Cycle now) {
  packet_ = make_(now);
  busy_ = true;
  a0_ = now;
  k_ = 0;
  if (random_.Chance(damaged_, "damage", now)) {
    packet_.damage = static_cast<Damage>(1 + random_.Below(static_cast<std::uint64_t>(Damage::kCount) - 1, "damage: kind", now));
    packet_.damaged_word = static_cast<int>(random_.Below(static_cast<std::uint64_t>(packet_.words()), "damage: word", now));
  }
  if (packet_.bytes.size() >= 4 && packet_.damage == Damage::kStomped) {
    for (std::size_t i = packet_.bytes.size() - 4; i < packet_.bytes.size(); ++i) packet_.bytes[i] ^= 0xff;
  }
  if (packet_.damage == Damage::kCheck) {  // after the header: what it says stays true
    const std::size_t from = packet_.enh ? Header::kBytes : 0;
    const std::size_t at = from + random_.Below(packet_.bytes.size() - from, "damage: byte", now);
    packet_.bytes[at] ^= static_cast<std::uint8_t>(1u << random_.Below(8, "damage: bit", now));
  }
  ++started_[static_cast<std::size_t>(packet_.damage)];
}

Word WordSource::DamagedWord(Cycle now) const {
  Word word = packet_.MakeWord(k_);
  const bool here = k_ == packet_.damaged_word;
  const bool last = k_ == packet_.words() - 1;
  switch (packet_.damage) {
    case Damage::kErr:
      if (here) word.err = true;
      break;
    case Damage::kMissing:
      if (here) word = Word{};
      break;
    case Damage::kSop:
      if (here) word.sop = true;
      break;
    case Damage::kEarlyEop:
      if (here) word.eop = true;
      break;
    case Damage::kNoEop:
      if (last) word.eop = false;
      break;
    case Damage::kLast:
      if (last) word.last = static_cast<std::uint8_t>(word.last ^ (1 + random_.Below(31, "damage: last", now)));
      break;
    case Damage::kCut:
      if (k_ >= packet_.damaged_word) word = Word{};
      break;
    default:
      break;
  }
  return word;
}

Word WordSource::Next(Cycle now, bool quiet) {
  started_now_ = false;
  if (!busy_) {
    if (quiet || now < free_from_) return {};
    if (random_.Chance(stray_, "stray", now)) return RandomWord(random_, now);
    if (!(level_ < 0 ? random_.Spell("start", now) : random_.Chance(level_, "start", now))) return {};
    Start(now);
    started_now_ = true;
  }
  if (now != a0_ + golden::WordOffset(k_, lanes_)) {
    const bool extra = packet_.damage == Damage::kExtra && k_ == packet_.damaged_word;
    return extra ? RandomWord(random_, now) : Word{};
  }
  const Word word = DamagedWord(now);
  if (++k_ == packet_.words()) {
    // On fewer than four lanes the next packet waits for the rest of the last word's time; now and then it does not.
    free_from_ = random_.Chance(16, "hasty", now) ? now + 1 : a0_ + golden::WordOffset(k_, lanes_);
    busy_ = false;
  }
  return word;
}

}  // namespace tilefly::bench
