// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/reduction_peers.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/common/check_failure.h"
#include "cosim/reduction/checked_child.h"
#include "cosim/reduction/checked_parent.h"
#include "cosim/reduction/red_frame.h"
#include "cosim/reduction/tree_plan.h"
#include "golden/common/stage_times.h"
#include "support/errors.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t kPause = 2000;  ///< cycles within which a group begins its next episode
/// By then a register that was to be written is. A bound of its own: a write may wait for others on the register bus.
constexpr Cycle kRewritten = 100;
static_assert(kRewritten > golden::kWriteLatency);
constexpr Cycle kStill = 400'000;  ///< longer than any wait of a tree

std::size_t Index(int port) { return static_cast<std::size_t>(port); }

}  // namespace

ReductionPeers::Group::Group(const SwitchSetup& setup, const Tree& drawn, std::uint64_t seed)
    : tree(drawn),
      results(setup.profile().ports, tree, seed),
      random(seed, static_cast<std::uint32_t>(tree.group), 2, Purpose::kReduction),
      told(Index(setup.profile().ports)) {
  for (std::uint64_t left = tree.members(); left != 0; left &= left - 1) {
    const int port = golden::LowestBit(left);
    TreePeer::Options options;
    options.seed = seed;
    if (port == tree.parent) {
      peers.push_back(std::make_unique<CheckedParent>(setup.profile(), tree, port, options, &results));
    } else {
      peers.push_back(std::make_unique<CheckedChild>(setup.profile(), tree, port, options, &results));
    }
  }
}

TreePeer* ReductionPeers::Group::PeerAt(int port) {
  const auto found = std::find_if(peers.begin(), peers.end(), [&](const auto& peer) { return peer->port() == port; });
  return found == peers.end() ? nullptr : found->get();
}

ReductionPeers::ReductionPeers(const SwitchSetup& setup, const ReductionOptions& options, std::uint64_t seed,
                               FrameSource* others)
    : setup_(setup), options_(options), others_(others), turn_(Index(setup.profile().ports)) {
  if (setup.profile().red_present == 0)
    throw UsageError(fmt::format("--reductions: profile {} has no reductions", setup.profile().name));
  const std::uint64_t ports = PortsOfTrees(setup);
  for (int port = 0; port < setup.profile().ports; ++port) {
    if (setup.mode(port).cut_through) cut_through_ |= golden::Bit(port);
  }
  if ((ports & (ports - 1)) == 0)
    throw UsageError("--reductions: trees need two fabric or enhanced ports; give such kinds by --ports");
  for (const Tree& tree : DrawTrees(setup, options.groups, ports, seed))
    groups_.push_back(std::make_unique<Group>(setup, tree, seed));
}

std::vector<Cfg> ReductionPeers::Writes() const {
  std::vector<Cfg> writes;
  for (const auto& group : groups_) {
    const std::vector<Cfg> own = group->tree.Writes();
    writes.insert(writes.end(), own.begin(), own.end());
  }
  return writes;
}

FramePtr ReductionPeers::NextFrame(int port, Cycle now, LaneMask held) {
  FramePtr own = TakeOwn(port, now, held);
  return own != nullptr ? own : others_->NextFrame(port, now, held);
}

FramePtr ReductionPeers::TakeOwn(int port, Cycle now, LaneMask held) {
  const int count = static_cast<int>(groups_.size());
  int& turn = turn_[Index(port)];
  for (int i = 0; i < count; ++i) {
    Group& group = *groups_[Index((turn + i) % count)];
    TreePeer* const peer = group.PeerAt(port);
    if (peer == nullptr || (held >> peer->lane() & 1) != 0) continue;
    const RedOutbox::Item* const next = peer->outbox().Next(now);
    if (next == nullptr) continue;
    turn = (turn + i + 1) % count;
    group.moved = now;
    const auto frame = MakeRedFrame(setup_, port, group.tree.peers[Index(port)], peer->lane(), next->packet);
    if (next->damaged && setup_.mode(port).retry) {  // which no link repairs
      Seal(&frame->bytes, true);
    } else {
      frame->err_on_last = next->damaged;
    }
    peer->outbox().Pop();
    return frame;
  }
  return nullptr;
}

void ReductionPeers::Received(const Reception& reception) {
  ++received_;
  const Red red = Red::UnpackBytes(reception.bytes.data());
  Group* const group = red.group < groups_.size() ? groups_[red.group].get() : nullptr;
  TreePeer* const peer = group == nullptr ? nullptr : group->PeerAt(reception.port);
  if (peer == nullptr) {
    throw CheckFailure(reception.last, reception.port, 0,
                       fmt::format("a packet of reduction group {} leaves, but the group has no member behind this port", red.group));
  }
  const RedPacket packet = ParseRedFrame(setup_, group->tree.peers[Index(reception.port)], reception);
  group->moved = reception.last;
  if (packet.red.what == static_cast<std::uint8_t>(RedWhat::kFail)) {
    ++group->told[Index(reception.port)];
    failures_ += !group->failed;
    link_failures_ += !group->failed && static_cast<RedCode>(packet.red.code) == RedCode::kLink;
    group->failed = true;
    peer->Fail();
  } else if (!group->failed) {
    peer->Received(reception.last, packet);
  }
}

void ReductionPeers::LinkIsDown(int port) {
  for (const auto& group : groups_) group->unheard |= golden::Bit(port);
}

std::uint64_t ReductionPeers::AccompaniedPorts() const {
  std::vector<Tree> trees;
  for (const auto& group : groups_) trees.push_back(group->tree);
  return cosim::AccompaniedPorts(trees);
}

void ReductionPeers::Step(Cycle now) {
  for (const auto& group : groups_) {
    if (group->failed) {
      const bool settled = now > group->moved + options_.settled;
      if (settled && (!options_.idle || options_.idle(group->tree.group))) EndFailure(now, group.get());
    } else if (group->busy) {
      group->busy = !std::all_of(group->peers.begin(), group->peers.end(),
                                 [](const auto& peer) { return peer->done() && peer->outbox().empty(); });
      if (!group->busy) {
        group->next_short = 0;
        for (const auto& peer : group->peers) group->next_short = std::max(group->next_short, peer->next_short());
      }
      if (now > group->moved + kStill) StandsStill(now, *group);
    } else if (!closed_ && now >= group->begins) {
      Begin(now, group.get());
    }
  }
}

void ReductionPeers::Begin(Cycle now, Group* group) {
  group->results.Begin(DrawEpisode(setup_.profile(), group->tree, options_.mishaps, cut_through_, &group->random));
  group->busy = true;
  group->moved = now;
  group->unheard = 0;
  ++episodes_;
  for (const auto& peer : group->peers)
    peer->Begin(now + static_cast<Cycle>(group->random.Below(kPause)), group->next_short % (1 << 16));
}

/// All peers whose link worked were told as often (TREE-3), and the group is as new.
void ReductionPeers::EndFailure(Cycle now, Group* group) {
  const std::uint64_t heard = group->tree.members() & ~group->unheard;
  const int first = heard == 0 ? 0 : golden::LowestBit(heard);
  const int times = group->told[Index(first)];
  for (const auto& peer : group->peers) {
    const int told = group->told[Index(peer->port())];
    if (told != times && (heard & golden::Bit(peer->port())) != 0) {
      throw CheckFailure(now, peer->port(), 0,
                         fmt::format("reduction group {} failed: this port was told {} times, port {} {} times (TREE-3)",
                                     group->tree.group, told, first, times));
    }
    peer->Fail();
    group->next_short = std::max(group->next_short, peer->next_short());
  }
  rewrites_.push_back(group->tree.Writes().back());
  group->begins = now + kRewritten;
  group->failed = group->busy = false;
  std::fill(group->told.begin(), group->told.end(), 0);
  group->unheard = 0;
}

void ReductionPeers::StandsStill(Cycle now, const Group& group) const {
  std::string ports;
  for (const auto& peer : group.peers) {
    if (!peer->done()) ports += fmt::format(" {}", peer->port());
  }
  throw CheckFailure(now, -1, 0,
                     fmt::format("reduction group {} stands still since cycle {}; its peers at ports{} wait", group.tree.group,
                                 group.moved, ports));
}

bool ReductionPeers::Quiet() const {
  return closed_ && std::all_of(groups_.begin(), groups_.end(),
                                [](const auto& group) { return !group->busy && !group->failed; });
}

}  // namespace tilefly::cosim
