// SPDX-License-Identifier: Apache-2.0
#include "faults/direction_faults.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace tilefly::faults {
namespace {

/// A struct of the wire formats with random bits in all fields.
template <typename Group>
Group RandomBits(Stream* random) {
  std::array<std::uint8_t, Group::kBytes> bytes{};
  random->Fill(bytes.data(), bytes.size());
  if constexpr (Group::kWidth % 8 != 0) bytes.back() &= static_cast<std::uint8_t>((1 << Group::kWidth % 8) - 1);
  return Group::UnpackBytes(bytes.data());
}

// What an item is to ItemFaults: words ...
struct Purposes {
  Purpose bad, bits, drop, repeat, noise, noise_bits;
};
constexpr Purposes PurposesOf(const WireWord*) {
  return {Purpose::kWordError, Purpose::kBadWord, Purpose::kWordDrop, Purpose::kWordRepeat, Purpose::kWordNoise,
          Purpose::kNoiseWord};
}
bool IsIdle(const WireWord& item) { return !item.word.valid; }
/// Gaps between bad words are of valid words.
bool CountsForGaps(const WireWord& item) { return item.word.valid; }
void MakeIdle(WireWord* item) { *item = {}; }
void FillBad(WireWord* item, Stream* random) {
  item->word = RandomBits<Word>(random);
  item->tag = RandomBits<RetryTag>(random);
  item->word.valid = item->word.err = true;
}

// ... and slots.
constexpr Purposes PurposesOf(const WireSlot*) {
  return {Purpose::kSlotError, Purpose::kBadSlot, Purpose::kSlotDrop, Purpose::kSlotRepeat, Purpose::kSlotNoise,
          Purpose::kNoiseSlot};
}
bool IsIdle(const WireSlot& item) { return item.ctrl == Ctrl{}; }
/// There is a slot in each cycle, and each can be bad.
bool CountsForGaps(const WireSlot&) { return true; }
void MakeIdle(WireSlot* item) { *item = {}; }
void FillBad(WireSlot* item, Stream* random) {
  item->ctrl = RandomBits<Ctrl>(random);
  item->ctrl.err = true;
}

}  // namespace

const PlannedEvent* EventOf(const std::vector<PlannedEvent>& events, EventKind kind, std::int64_t place) {
  if (place == OwedFaults::kNone) return nullptr;
  for (const PlannedEvent& event : events) {
    if (event.kind != kind) continue;
    if (place < event.count) return &event;
    place -= event.count;
  }
  return nullptr;
}

template <typename Item>
ItemFaults<Item>::ItemFaults(std::uint64_t seed, std::uint32_t direction)
    : seed_(seed),
      direction_(direction),
      bad_(seed, direction, PurposesOf(static_cast<const Item*>(nullptr)).bad),
      drop_(seed, direction, PurposesOf(static_cast<const Item*>(nullptr)).drop),
      repeat_(seed, direction, PurposesOf(static_cast<const Item*>(nullptr)).repeat),
      noise_(seed, direction, PurposesOf(static_cast<const Item*>(nullptr)).noise) {}

template <typename Item>
void ItemFaults<Item>::Set(double chance_of_bad, int burst, const Chances& chances) {
  SetBad(chance_of_bad);
  burst_ = burst;
  drop_.Set(chances.drop);
  repeat_.Set(chances.repeat);
  noise_.Set(chances.noise);
}

template <typename Item>
void ItemFaults<Item>::SetBad(double chance) {
  bad_.Set(chance);
  burst_left_ = 0;
}

template <typename Item>
bool ItemFaults<Item>::DrawsBad(bool counts) {
  if (!counts) return false;
  if (burst_left_ > 0) {
    --burst_left_;
    return true;
  }
  if (!bad_.Next()) return false;
  burst_left_ = burst_ - 1;
  return true;
}

template <typename Item>
Item ItemFaults<Item>::Pass(const Item& item) {
  const Purposes purposes = PurposesOf(&item);
  const bool idle = IsIdle(item);
  // Each kind of fault has its own gaps, which go on whatever happens to the item.
  constexpr std::int64_t kNone = OwedFaults::kNone;
  const std::int64_t planned_drop = idle ? kNone : to_drop_.Take(), planned_bad = idle ? kNone : to_spoil_.Take();
  const std::int64_t planned_repeat = to_repeat_.Take();
  const bool drops = drop_.Next() || planned_drop != kNone;
  const bool spoils = DrawsBad(CountsForGaps(item)) || planned_bad != kNone;
  const bool repeats = repeat_.Next() || planned_repeat != kNone;
  const bool noisy = noise_.Next() && idle;
  Item out = item;
  planned_ = kNone;
  if (drops && !idle) {
    ++counts_.dropped;
    planned_ = planned_drop;
    MakeIdle(&out);
  } else if (spoils || (noisy && !repeats)) {
    planned_ = planned_bad;
    ++(spoils ? counts_.bad : counts_.noisy);
    Stream random(seed_, direction_, cycles_, spoils ? purposes.bits : purposes.noise_bits);
    FillBad(&out, &random);
  } else if (repeats) {
    if (!IsIdle(last_)) ++counts_.repeated;
    planned_ = planned_repeat;
    out = last_;
  }
  ++cycles_;
  last_ = out;
  return out;
}

template <typename Item>
std::int64_t ItemFaults<Item>::QuietCycles() const {
  const bool counts = CountsForGaps(Item{});
  if (!to_repeat_.empty() || (counts && burst_left_ > 0)) return 0;
  const std::int64_t cycles = std::min({drop_.left(), repeat_.left(), noise_.left()});
  return counts ? std::min(cycles, bad_.left()) : cycles;
}

template <typename Item>
void ItemFaults<Item>::SkipQuiet(std::int64_t cycles) {
  if (cycles <= 0) return;
  drop_.Skip(cycles);
  repeat_.Skip(cycles);
  noise_.Skip(cycles);
  if (CountsForGaps(Item{})) bad_.Skip(cycles);
  cycles_ += static_cast<std::uint64_t>(cycles);
  last_ = Item{};
}

template <typename Item>
void ItemFaults<Item>::SkipIdle(std::int64_t cycles) {
  while (cycles > 0) {
    const std::int64_t quiet = std::min(cycles, QuietCycles());
    SkipQuiet(quiet);
    cycles -= quiet;
    if (cycles == 0) return;
    Pass(Item{});
    --cycles;
  }
}

template class ItemFaults<WireWord>;
template class ItemFaults<WireSlot>;

DirectionFaults::DirectionFaults(const Rates& rates, std::uint64_t seed, std::uint32_t direction)
    : seed_(seed), direction_(direction), words_(seed, direction), slots_(seed, direction) {
  words_.Set(ChanceOfBad(rates.word_ber, kBitsOfWord), rates.burst, rates.word);
  slots_.Set(ChanceOfBad(rates.slot_ber, kBitsOfSlot), rates.burst, rates.slot);
}

void BeginOfWords(const PlannedEvent& event, ItemFaults<WireWord>* words) {
  switch (event.kind) {
    case EventKind::kBer:
      return words->SetBad(ChanceOfBad(event.value, kBitsOfWord));
    case EventKind::kDropWord:
      return words->Drop(event.count);
    case EventKind::kBadWord:
      return words->Spoil(event.count);
    case EventKind::kRepeatWord:
      return words->Repeat(event.count);
    default:
      throw std::logic_error(std::string("faults: no event of words: ") + NameOf(event.kind));
  }
}

void BeginOfSlots(const PlannedEvent& event, ItemFaults<WireSlot>* slots) {
  switch (event.kind) {
    case EventKind::kDropSlot:
      return slots->Drop(event.count);
    case EventKind::kBadSlot:
      return slots->Spoil(event.count);
    case EventKind::kRepeatSlot:
      return slots->Repeat(event.count);
    default:
      throw std::logic_error(std::string("faults: no event of control slots: ") + NameOf(event.kind));
  }
}

void DirectionFaults::Begin(const PlannedEvent& event) {
  switch (event.kind) {
    case EventKind::kDropSlot:
    case EventKind::kBadSlot:
    case EventKind::kRepeatSlot:
      return BeginOfSlots(event, &slots_);
    case EventKind::kStuck:
      stuck_ = true;
      credits_alone_ = event.credits_alone;
      return;
    case EventKind::kLaneDown:
      dead_ |= 1u << event.lane;
      return;
    case EventKind::kLaneUp:
      return LaneUp(event.lane);
    default:
      return BeginOfWords(event, &words_);
  }
}

void DirectionFaults::Unstick() { stuck_ = false; }

/// A stuck receiver says nothing: no report, ack, stamp or return.
void Mute(bool credits_alone, Ctrl* ctrl) {
  if (!credits_alone) {
    *ctrl = {};
    return;
  }
  ctrl->credit_valid = false;
  ctrl->credit_vl = 0;
  ctrl->credit_cells = 0;
}

/// A word is spread over all lanes in use, so one that is dead spoils it. A lane that is not in use is looked at now and then.
void DirectionFaults::Damage(unsigned used, Link* link) {
  constexpr std::uint64_t kLook = 64;
  const unsigned hit = dead_ & used;
  link->phy.lane_err = static_cast<std::uint8_t>(cycles_ % kLook == 0 ? dead_ : hit);
  if (hit == 0) return;
  Stream random(seed_, direction_, cycles_, Purpose::kDeadLane);
  if (link->word.valid && !link->word.err) {
    WireWord word;
    FillBad(&word, &random);
    link->word = word.word;
    link->tag = word.tag;
    ++words_of_lanes_;
  }
  if (link->ctrl.err) return;
  WireSlot slot;
  FillBad(&slot, &random);
  link->ctrl = slot.ctrl;
  ++slots_of_lanes_;
}

Link DirectionFaults::Pass(const Link& link, unsigned used) {
  Link out = link;
  if (stuck_) Mute(credits_alone_, &out.ctrl);
  const WireWord word = words_.Pass({out.word, out.tag});
  out.word = word.word;
  out.tag = word.tag;
  out.ctrl = slots_.Pass({out.ctrl}).ctrl;
  if (dead_ != 0) Damage(used, &out);
  ++cycles_;
  return out;
}

}  // namespace tilefly::faults
