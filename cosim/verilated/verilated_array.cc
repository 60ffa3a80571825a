// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/verilated_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cosim/errors.h"
#include "cosim/verilated/fst_waves.h"
#include "support/random.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t kNoWake = (std::uint64_t{1} << 48) - 1;  // `wake_at_o` of what waits for no cycle

bool Idle(const Link& link) {
  const Ctrl& ctrl = link.ctrl;
  return !link.word.valid && !ctrl.credit_valid && !ctrl.retry_valid && !ctrl.ack_valid && !ctrl.err && !ctrl.wired_valid &&
         !ctrl.lanes_valid && !ctrl.pause_valid && link.phy.lane_err == 0;
}

}  // namespace

/// A tile, what its outputs hold and what its inputs were last set to.
struct VerilatedArray::Tile {
  std::unique_ptr<TileModel> model;
  TilePins pins;
  int index;
  int row;
  int col;
  std::array<std::uint32_t, kCrossbars> row_sent{};                        ///< row_o elements valid now
  std::array<std::uint32_t, kCrossbars> col_sent{};                        ///< col_o elements valid now
  std::array<std::uint32_t, kCrossbars> row_received{};                    ///< row_i elements set valid
  std::array<std::uint32_t, kCrossbars> col_received{};                    ///< col_i elements set valid
  std::uint32_t ring_sent = 0;                                             ///< ring lanes of red_ring_o valid now
  std::uint32_t ring_received = 0;                                         ///< ring lanes of red_ring_i set valid
  std::array<std::uint32_t, (2 * RedReport::kWidth + 31) / 32> reports{};  ///< red_report_o
  bool reports_changed = false;                                            ///< since the CFU took them
  bool reports_busy = false;                                               ///< an event, or room
  std::array<bool, 2> link_busy{};                                         ///< link_i carries something
  std::uint8_t link_up = 0;
  bool red_busy = false;  ///< the ring, the CFU or a link's state wakes the reductions
  bool cfg_busy = false;
  bool links_changed = true;  ///< link_o was clocked since it was unpacked
  bool obs_changed = true;    ///< obs_o likewise
};

VerilatedArray::VerilatedArray(const Profile& profile, const DeviceOptions& options)
    : profile_(profile),
      options_(options),
      waves_(static_cast<FstWaves*>(options.waves)),
      row_buses_(static_cast<std::size_t>(profile.rows)),
      outputs_(static_cast<std::size_t>(profile.ports)),
      answers_(profile.ports),
      cycle_(options.first_cycle) {
  observation_.ports.resize(static_cast<std::size_t>(profile.ports));
  observation_.turns.resize(static_cast<std::size_t>(profile.tiles));
  observation_.reds.resize(static_cast<std::size_t>(profile.ports));
  for (auto& buses : row_buses_) {
    for (int x = 0; x < kCrossbars; ++x) {
      buses[static_cast<std::size_t>(x)].words.resize(
          static_cast<std::size_t>((profile.row_in * MessageWidth(x) + 31) / 32));
    }
  }
  for (int t = 0; t < profile.tiles; ++t) {
    TileOptions tile_options;
    tile_options.name = fmt::format("tile_r{}_c{}", t / profile.cols, t % profile.cols);
    if (waves_ != nullptr && waves_->Wants(tile_options.name)) tile_options.waves = waves_;
    tile_options.assertions = options.assertions;
    if (options.random_reset != 0) tile_options.random_reset = options.random_reset + t;
    Tile tile;
    tile.model = MakeTileModel(profile, tile_options);
    if (!tile.model) {
      throw UsageError(
          fmt::format("device rtl: no Verilated tile of profile '{}' was built; configure the build with it in "
                      "-DTILEFLY_MODELS=..., or with "
                      "-DTILEFLY_EXTRA_PROFILES=FILE for one of your own",
                      profile.name));
    }
    tile.pins = tile.model->pins();
    tile.index = t;
    tile.row = t / profile.cols;
    tile.col = t % profile.cols;
    *tile.pins.row_i = static_cast<std::uint8_t>(tile.row);
    *tile.pins.col_i = static_cast<std::uint8_t>(tile.col);
    tiles_.push_back(std::move(tile));
    order_.push_back(t);
  }
  load_ring_ = std::make_unique<LoadRing>(profile, options.random_reset);
  if (profile.red_present) cfu_ = std::make_unique<Cfu>(profile, options.random_reset);
  Reset();
  if (options.two_threads && profile.rows > 1 && waves_ == nullptr) {
    pair_ = std::make_unique<ThreadPair>([this](int half) { StepHalf(half); });
  }
}

VerilatedArray::~VerilatedArray() = default;

void VerilatedArray::Reset() {
  for (Tile& tile : tiles_) {
    *tile.pins.rst_ni = 0;
    for (int i = 0; i < kResetCycles; ++i) {
      *tile.pins.clk_red_i = 0;
      ClockTile(&tile, 0);
    }
    *tile.pins.rst_ni = 1;
  }
  load_ring_->Reset(kResetCycles);
  if (cfu_) cfu_->Reset(kResetCycles);
  clocks_[0] = red_clocks_[0] = 0;
}

void VerilatedArray::Step(const Inputs& inputs) {
  inputs_ = &inputs;
  inputs.cfg.Pack(cfg_words_.data());
  answers_.Watch(inputs.cfg, cycle());
  if (pair_) {
    pair_->Run();
  } else {
    StepHalf(-1);
  }
  ++cycle_;
  const int read = answers_.Due(cycle());
  if (read < 0) return;
  const bool by_cfu = cfu_ && ReadAnswer::UnpackAt(cfu_->rdata(), 0).valid;
  answers_.Sample(by_cfu ? cfu_->rdata() : tiles_[static_cast<std::size_t>(read / 2)].pins.rdata_o);
}

void VerilatedArray::SkipIdle(Cycle to) {
  if (options_.evaluate_all || waves_ != nullptr) return;
  cycle_ = std::max(cycle_, std::min({to + options_.first_cycle, load_ring_->NextChange(cycle_), NextInside()}));
}

Cycle VerilatedArray::NextChange() const {
  const Cycle next = NextInside();
  return next == kNever ? kNever : next - options_.first_cycle;
}

Cycle VerilatedArray::NextInside() const {
  if (answers_.pending() || (cfu_ && !cfu_->quiescent())) return cycle_;
  // The first cycle in which something wants to be clocked.
  std::uint64_t next = cfu_ ? cfu_->wake_at() : kNoWake;
  for (const Tile& tile : tiles_) {
    const auto any = [](const auto& sent) {
      return std::any_of(sent.begin(), sent.end(), [](auto one) { return one != 0; });
    };
    if (!*tile.pins.quiescent_o || any(tile.row_sent) || any(tile.col_sent) || tile.ring_sent != 0 ||
        tile.reports_changed)
      return cycle_;
    next = std::min<std::uint64_t>(next, *tile.pins.wake_at_o);
  }
  return next >= kNoWake ? kNever : static_cast<Cycle>(next);
}

/// `half` 0 or 1: the upper or lower rows, in step with the other half; -1: all rows.
void VerilatedArray::StepHalf(int half) {
  const int first_row = half == 1 ? profile_.rows / 2 : 0;
  const int end_row = half == 0 ? profile_.rows / 2 : profile_.rows;
  const int first_tile = first_row * profile_.cols;
  const int end_tile = end_row * profile_.cols;
  if (options_.shuffle != 0) ShuffleOrder(first_tile, end_tile);
  std::array<bool, 64> awake{};
  for (int row = first_row; row < end_row; ++row) GatherRow(row);
  for (int i = first_tile; i < end_tile; ++i) {
    Tile* const tile = &tiles_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
    bool busy = CopyRow(tile);
    busy |= CopyColumns(tile);
    busy |= CopyRing(tile);
    busy |= CopyLinks(tile);
    load_ring_->Show(tile->pins.loads_i);  // it wakes nobody
    awake[static_cast<std::size_t>(tile->index)] = busy || options_.evaluate_all || !*tile->pins.quiescent_o ||
                                                   *tile->pins.wake_at_o <= static_cast<std::uint64_t>(cycle_);
  }
  if (half != 1 && load_ring_->MayChange(cycle_)) {
    for (const Tile& tile : tiles_) load_ring_->Sample(tile.index, tile.pins.load_o);
  }
  if (half != 1 && cfu_) FeedCfu();
  if (waves_ != nullptr) waves_->BeforeClock(cycle());
  if (half >= 0) pair_->WaitForOther(half);  // nobody is clocked before everybody has read
  Clocked& clocked = clocked_[half == 1];
  clocked.tiles.clear();
  for (int i = first_tile; i < end_tile; ++i) {
    const auto index = static_cast<std::size_t>(order_[static_cast<std::size_t>(i)]);
    Tile* const tile = &tiles_[index];
    if (!awake[index]) continue;
    if (options_.evaluate_all || waves_ != nullptr || tile->red_busy || !*tile->pins.red_quiescent_o) {
      *tile->pins.clk_red_i = 0;
    }
    clocked.tiles.push_back(tile);
  }
  ClockTiles(&clocked, half == 1);
  if (half != 1) {
    load_ring_->Clock(cycle_, options_.evaluate_all);
    if (cfu_) cfu_->Clock(cycle_, options_.evaluate_all);
  }
}

/// Puts this part of the order in another one, drawn for this cycle (law 1: no order is better than another).
void VerilatedArray::ShuffleOrder(int first_tile, int end_tile) {
  Stream random(static_cast<std::uint64_t>(options_.shuffle), static_cast<std::uint32_t>(first_tile),
                static_cast<std::uint64_t>(cycle_), Purpose::kOrder);
  for (int left = end_tile - first_tile; left > 1; --left) {
    const int other = first_tile + static_cast<int>(random.Below(static_cast<std::uint64_t>(left)));
    std::swap(order_[static_cast<std::size_t>(first_tile + left - 1)], order_[static_cast<std::size_t>(other)]);
  }
}

/// Row buses of a row, `row_i[2c'+l]` = `row_o[l]` of (r, c'): packed once, all tiles of the row get the same.
void VerilatedArray::GatherRow(int row) {
  auto& buses = row_buses_[static_cast<std::size_t>(row)];
  const Tile* const tiles = tiles_.data() + row * profile_.cols;
  for (std::size_t x = 0; x < kCrossbars; ++x) {
    const int width = MessageWidth(static_cast<int>(x));
    RowBus& bus = buses[x];
    PortWord* const words = bus.words.data();
    std::uint32_t valid = 0;
    for (int c = 0; c < profile_.cols; ++c) {
      const std::uint32_t sent = tiles[c].row_sent[x];
      if (sent == 0) continue;
      valid |= sent << (2 * c);
      for (int tile_port = 0; tile_port < 2; ++tile_port) {
        if (sent >> tile_port & 1) {
          CopyBits(words, (2 * c + tile_port) * width, tiles[c].pins.crossbar[x].row_o, tile_port * width, width);
        }
      }
    }
    for (std::uint32_t gone = bus.valid & ~valid; gone != 0; gone &= gone - 1) {
      ClearBit(words, (__builtin_ctz(gone) + 1) * width - 1);
    }
    bus.valid = valid;
  }
}

bool VerilatedArray::CopyRow(Tile* tile) {
  bool busy = false;
  for (std::size_t x = 0; x < kCrossbars; ++x) {
    const RowBus& bus = row_buses_[static_cast<std::size_t>(tile->row)][x];
    if (bus.valid == 0 && tile->row_received[x] == 0) continue;
    std::memcpy(tile->pins.crossbar[x].row_i, bus.words.data(), bus.words.size() * sizeof(std::uint32_t));
    tile->row_received[x] = bus.valid;
    busy |= bus.valid != 0;
  }
  return busy;
}

/// Column channels, `col_i[l*R + r']` of (r, c) = `col_o[2r + l]` of (r', c).
bool VerilatedArray::CopyColumns(Tile* tile) {
  bool busy = false;
  for (std::size_t x = 0; x < kCrossbars; ++x) {
    const int width = ChannelWidth(static_cast<int>(x));
    PortWord* const to = tile->pins.crossbar[x].col_i;
    std::uint32_t valid = 0;
    for (int r = 0; r < profile_.rows; ++r) {
      const Tile& turn = tiles_[static_cast<std::size_t>(r * profile_.cols + tile->col)];
      const std::uint32_t sent = turn.col_sent[x] >> (2 * tile->row) & 3;
      for (int tile_port = 0; tile_port < 2; ++tile_port) {
        if (!(sent >> tile_port & 1)) continue;
        const int index = tile_port * profile_.rows + r;
        valid |= 1u << index;
        CopyBits(to, index * width, turn.pins.crossbar[x].col_o, (2 * tile->row + tile_port) * width, width);
      }
    }
    for (std::uint32_t gone = tile->col_received[x] & ~valid; gone != 0; gone &= gone - 1) {
      ClearBit(to, (__builtin_ctz(gone) + 1) * width - 1);
    }
    tile->col_received[x] = valid;
    busy |= valid != 0;
  }
  return busy;
}

/// The reduction ring: words come from the tile before; both half rings begin with what the CFU collects, the return
/// lanes with what it returns.
bool VerilatedArray::CopyRing(Tile* tile) {
  if (!cfu_) return false;
  const Tile* const before = tile->index == 0 ? nullptr : tile - 1;
  const bool starts = before == nullptr || tile->index == profile_.tiles / 2;
  std::uint32_t valid = 0;
  for (int ring_lane = 0; ring_lane < kRingLanes; ++ring_lane) {
    const bool of_cfu = ring_lane < kCollectLanes ? starts : before == nullptr;
    if (!((of_cfu ? cfu_->sent() : before->ring_sent) >> ring_lane & 1)) continue;
    valid |= 1u << ring_lane;
    CopyBits(tile->pins.red_ring_i, RingBit(ring_lane), of_cfu ? cfu_->Word(ring_lane) : before->pins.red_ring_o,
             of_cfu ? Cfu::WordBit(ring_lane) : RingBit(ring_lane), RingWidth(ring_lane));
  }
  for (std::uint32_t gone = tile->ring_received & ~valid; gone != 0; gone &= gone - 1) {
    ClearBit(tile->pins.red_ring_i, RingBit(__builtin_ctz(gone) + 1) - 1);
  }
  tile->ring_received = valid;
  *tile->pins.red_cmd_i = cfu_->command();
  return tile->red_busy = valid != 0 || cfu_->wakes();
}

/// What comes to the CFU in this cycle.
void VerilatedArray::FeedCfu() {
  for (Tile& tile : tiles_) {
    if (tile.reports_changed) cfu_->TakeReports(tile.index, tile.pins.red_report_o);
    if (tile.reports_busy) cfu_->Hear();
    tile.reports_changed = false;
  }
  for (int half = 0; half < 2; ++half) {
    const Tile& last = tiles_[static_cast<std::size_t>((half + 1) * profile_.tiles / 2 - 1)];
    cfu_->TakeHalf(half, last.pins.red_ring_o, last.ring_sent);
  }
  cfu_->TakeCfg(cfg_words_.data(), inputs_->cfg.valid);
}

/// Links, the link's state and the register bus.
bool VerilatedArray::CopyLinks(Tile* tile) {
  bool busy = false;
  std::uint8_t link_up = 0;
  for (int tile_port = 0; tile_port < 2; ++tile_port) {
    const std::size_t port = static_cast<std::size_t>(2 * tile->index + tile_port);
    const Link& link = inputs_->links[port];
    const bool idle = Idle(link);
    if (!idle || tile->link_busy[static_cast<std::size_t>(tile_port)]) {
      std::array<std::uint32_t, Link::kWords> words{};
      if (!idle) link.PackAt(words.data(), 0);
      CopyBits(tile->pins.link_i, tile_port * Link::kWidth, words.data(), 0, Link::kWidth);
      tile->link_busy[static_cast<std::size_t>(tile_port)] = !idle;
      busy |= !idle;
    }
    link_up |= static_cast<std::uint8_t>(inputs_->link_up[port] << tile_port);
  }
  const bool changed = link_up != tile->link_up;
  tile->red_busy |= changed;
  busy |= changed;
  *tile->pins.link_up_i = tile->link_up = link_up;
  const Cfg& cfg = inputs_->cfg;
  if (cfg.valid || tile->cfg_busy) std::memcpy(tile->pins.cfg_i, cfg_words_.data(), sizeof cfg_words_);
  tile->cfg_busy = cfg.valid;
  // A counter's read wakes the tile of its port alone: nobody else answers, and nothing changes by a read.
  const bool read_elsewhere =
      cfg.read && static_cast<CfgSpace>(cfg.space) == CfgSpace::kCounter && cfg.port / 2 != tile->index;
  return busy || (cfg.valid && !read_elsewhere);
}

/// Traced tiles have no steps, and are evaluated one after the other.
void VerilatedArray::ClockTiles(Clocked* clocked, int half) {
  clocked->models.clear();
  for (Tile* const tile : clocked->tiles) {
    if (!tile->model->has_steps()) {
      ClockTile(tile, half);
      continue;
    }
    CountClock(tile, half);
    tile->model->BeginClock(static_cast<std::uint64_t>(cycle_));
    clocked->models.push_back(tile->model.get());
  }
  if (clocked->models.empty()) return;
  clocked->models.front()->RunSteps(clocked->models.data(), clocked->models.size());
  for (Tile* const tile : clocked->tiles) {
    if (tile->model->has_steps()) TakeOutputs(tile, tile->model->EndClock());
  }
}

void VerilatedArray::ClockTile(Tile* tile, int half) {
  CountClock(tile, half);
  TakeOutputs(tile, tile->model->Clock(static_cast<std::uint64_t>(cycle_)));
}

void VerilatedArray::CountClock(Tile* tile, int half) {
  *tile->pins.cycle_i = static_cast<std::uint64_t>(cycle_);
  ++clocks_[half];
  if (*tile->pins.clk_red_i == 0) ++red_clocks_[half];
}

/// `failed`: an assertion has.
void VerilatedArray::TakeOutputs(Tile* tile, bool failed) {
  if (failed) {
    throw DeviceError(fmt::format("rtl: an assertion failed in tile {} (ports {} and {}) in cycle {}", tile->index,
                                  2 * tile->index, 2 * tile->index + 1, cycle()));
  }
  for (std::size_t x = 0; x < kCrossbars; ++x) {
    const CrossbarPins& pins = tile->pins.crossbar[x];
    const int message = MessageWidth(static_cast<int>(x));
    tile->row_sent[x] = TestBit(pins.row_o, message - 1) | TestBit(pins.row_o, 2 * message - 1) << 1;
    const int channel = ChannelWidth(static_cast<int>(x));
    std::uint32_t sent = 0;
    for (int i = 0; i < profile_.col_out; ++i) sent |= std::uint32_t{TestBit(pins.col_o, (i + 1) * channel - 1)} << i;
    tile->col_sent[x] = sent;
  }
  tile->ring_sent = 0;
  for (int ring_lane = 0; ring_lane < kRingLanes; ++ring_lane) {
    tile->ring_sent |= std::uint32_t{TestBit(tile->pins.red_ring_o, RingBit(ring_lane + 1) - 1)} << ring_lane;
  }
  if (std::memcmp(tile->reports.data(), tile->pins.red_report_o, sizeof tile->reports) != 0) {
    std::memcpy(tile->reports.data(), tile->pins.red_report_o, sizeof tile->reports);
    tile->reports_changed = true;
    tile->reports_busy = false;
    for (int tile_port = 0; tile_port < 2; ++tile_port) {
      const RedReport report = RedReport::UnpackAt(tile->pins.red_report_o, tile_port * RedReport::kWidth);
      tile->reports_busy |= report.ev != 0 || report.free_valid;
    }
  }
  tile->links_changed = tile->obs_changed = true;
}

const std::vector<Link>& VerilatedArray::Outputs() {
  for (Tile& tile : tiles_) {
    if (!tile.links_changed) continue;
    tile.links_changed = false;
    for (int tile_port = 0; tile_port < 2; ++tile_port) {
      std::array<std::uint32_t, Link::kWords> words{};
      CopyBits(words.data(), 0, tile.pins.link_o, tile_port * Link::kWidth, Link::kWidth);
      std::uint32_t any = 0;
      for (std::uint32_t word : words) any |= word;
      Link& link = outputs_[static_cast<std::size_t>(2 * tile.index + tile_port)];
      link = any == 0 ? Link{} : Link::UnpackAt(words.data(), 0);
    }
  }
  return outputs_;
}

std::uint64_t VerilatedArray::LinkFails() {
  std::uint64_t fails = 0;
  for (const Tile& tile : tiles_) fails |= std::uint64_t{*tile.pins.link_fail_o} << 2 * tile.index;
  return fails;
}

const Observation& VerilatedArray::Observe() {
  for (Tile& tile : tiles_) {
    if (!tile.obs_changed) continue;
    tile.obs_changed = false;
    const PortWord* const obs = tile.pins.obs_o;
    constexpr int kReds = 2 * Portobs::kWidth + Turnobs::kWidth;
    for (int tile_port = 0; tile_port < 2; ++tile_port) {
      const auto port = static_cast<std::size_t>(2 * tile.index + tile_port);
      observation_.ports[port] = UnpackElement<Portobs>(obs, tile_port * Portobs::kWidth);
      observation_.reds[port] = UnpackElement<RedObs>(obs, kReds + tile_port * RedObs::kWidth);
    }
    observation_.turns[static_cast<std::size_t>(tile.index)] = UnpackElement<Turnobs>(obs, 2 * Portobs::kWidth);
  }
  if (cfu_) observation_.cfu = UnpackElement<CfuObs>(cfu_->obs(), 0);
  return observation_;
}

void VerilatedArray::CheckDrained() {
  for (Tile& tile : tiles_) {
    if (tile.model->Final()) throw DeviceError(fmt::format("rtl: tile {} is not drained", tile.index));
  }
  if (cfu_) cfu_->CheckDrained();
}

}  // namespace tilefly::cosim
