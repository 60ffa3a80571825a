// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/red_plan.h"

#include <array>

#include "golden/ingress/registers.h"
#include "golden/reduction/arithmetic.h"
#include "network/system_lanes.h"
#include "support/random.h"
#include "systemc/switch/register_access.h"

namespace tilefly::systemc {
namespace {

constexpr int kMishaps = 10;
constexpr std::array<int, 23> kOpcodes = {0x00, 0x01, 0x02, 0x03, 0x10, 0x11, 0x12, 0x14, 0x20, 0x21, 0x22, 0x24,
                                          0x25, 0x26, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2f, 0x30, 0x30, 0x3f};

/// Ports of `mask`, each with a chance of one in `n`.
golden::PortMask Some(golden::PortMask mask, std::uint64_t n, Stream* random) {
  golden::PortMask some = 0;
  golden::ForEachBit(mask, [&](int port) {
    if (random->Below(n) == 0) some |= golden::Bit(port);
  });
  return some;
}

int One(golden::PortMask mask, Stream* random) {
  int left = static_cast<int>(random->Below(static_cast<std::uint64_t>(__builtin_popcountll(mask))));
  while (left-- > 0) mask &= mask - 1;
  return golden::LowestBit(mask);
}

void DrawOperation(int most_bytes, RedStep* step, Stream* random) {
  do {
    step->op = static_cast<RedOp>(random->Below(kRedOpValues.size()));
    step->type = static_cast<RedType>(random->Below(kRedTypeValues.size()));
  } while (!golden::IsLegal(step->op, step->type));
  const int unit = golden::UnitBytes(step->op, step->type);
  step->bytes = unit * static_cast<int>(random->Below(static_cast<std::uint64_t>(most_bytes / unit + 1)));
  if (random->Below(2) == 0) step->bytes = most_bytes / unit * unit;
}

}  // namespace

void WriteTrees(const std::vector<RedTreePlan>& trees, ContractSetup* setup) {
  for (const RedTreePlan& tree : trees) {
    const auto write = [&](int port, RedReg reg, std::uint64_t data) {
      setup->Write(port, CfgSpace::kRed, golden::IndexOf(tree.group, reg), data);
    };
    write(golden::kAllPorts, RedReg::kChildren, tree.children);
    write(golden::kAllPorts, RedReg::kNodes, tree.nodes);
    const auto parent = static_cast<std::uint64_t>(tree.parent < 0 ? 0 : tree.parent);
    write(golden::kAllPorts, RedReg::kTree,
          GroupTree::Of(/*valid=*/true, tree.parent < 0, parent, tree.small, static_cast<std::uint64_t>(tree.timeout))
              .ToBits());
    const auto peer = [&](int port, RedRole role, int lane, bool node) {
      write(port, RedReg::kPeer,
            GroupPeer::Of(RedPeerAddress(port), node, static_cast<std::uint64_t>(lane), kRedClass,
                          static_cast<std::uint64_t>(role), tree.small)
                .ToBits());
    };
    golden::ForEachBit(tree.children, [&](int port) {
      peer(port, RedRole::kChild, kRedDownLane, (tree.nodes & golden::Bit(port)) != 0);
    });
    if (tree.parent >= 0) peer(tree.parent, RedRole::kParent, kRedUpLane, true);
  }
  const golden::Registers registers(setup->profile);
  for (const Cfg& write : network::SystemLanes::ReductionWrites(kRedClass, registers.tables()))
    setup->writes.push_back(write);
}

std::vector<RedStep> DrawSteps(const Profile& profile, const RedTreePlan& tree, int count, double mishaps,
                               std::uint64_t seed) {
  Stream random(seed, static_cast<std::uint32_t>(tree.group), 0, Purpose::kReduction);
  std::vector<RedStep> steps;
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    RedStep& step = steps.emplace_back();
    if (tree.small) {
      step.kind = RedStep::Kind::kSmall;
      step.operations = 1 + static_cast<int>(random.Below(20));
      step.opcode = kOpcodes[random.Below(kOpcodes.size())];
      continue;
    }
    step.empty = random.Below(2) == 0 ? Some(tree.children, 3, &random) : 0;
    if (random.Below(3) == 0) {
      step.kind = RedStep::Kind::kShort;
      step.operations = 1 + static_cast<int>(random.Below(20));
      DrawOperation(profile.red_short_bytes, &step, &random);
      continue;
    }
    step.operations = 1 + static_cast<int>(random.Below(3));
    step.segments = 1 + static_cast<int>(random.Below(6));
    step.limited = random.Below(3) != 0;
    DrawOperation(profile.red_bytes, &step, &random);
    if (random.Below(4) == 0) step.want = Some(tree.children, 2, &random);
    if (Unit(random.Next()) >= mishaps) continue;
    step.mishap = static_cast<Mishap>(1 + wrong++ % (kMishaps - 1));  // each in its turn
    step.culprit = One(tree.children, &random);
    step.at = static_cast<int>(random.Below(static_cast<std::uint64_t>(step.operations * step.segments)));
  }
  return steps;
}

}  // namespace tilefly::systemc
