// SPDX-License-Identifier: Apache-2.0
// Reduction trees of a system's jobs (docs/reductions.md, Trees): which switches are nodes, who is whose child, by
// which ports, and the registers that say it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generated/profile.h"
#include "generated/wire.h"
#include "golden/common/types.h"
#include "topology/topology.h"

namespace tilefly::network {

/// A job that wants a tree.
struct TreeWish {
  std::string name;            ///< for messages
  std::vector<int> endpoints;  ///< of its ranks
  int tc = 0;
  Cycle timeout = 0;  ///< 0: none
};

/// A child of a node, behind a port of its own.
struct TreeChild {
  int port;
  int endpoint;  ///< a rank's, -1: another node
  int node;      ///< place of the node in the tree, -1: a rank
};

/// A switch in a tree.
struct TreeNode {
  int at;                           ///< the switch
  int parent = -1;                  ///< place in the tree, -1: this is the root
  int parent_port = -1;             ///< own port towards it
  int port_there = -1;              ///< its port towards this node
  std::vector<TreeChild> children;  ///< by port, ascending
};

struct ReductionTree {
  const TreeNode& root() const { return nodes.front(); }
  /// Nodes from the root to the farthest, both counted.
  int depth() const;

  int group = 0;
  std::vector<TreeNode> nodes;  ///< the root first, each behind its parent
};

class ReductionTrees {
 public:
  /// A tree for each wish, in their order. Throws UsageError when a switch cannot reduce, or has no group left.
  ReductionTrees(const topology::Topology& topology, const Profile& profile, std::vector<TreeWish> wishes);

  bool empty() const { return trees_.empty(); }
  const std::vector<ReductionTree>& trees() const { return trees_; }
  /// Traffic class of all of them; there are some.
  int tc() const { return wishes_.front().tc; }
  /// Writes of space RED of a switch.
  std::vector<Cfg> Writes(int at) const;

 private:
  /// Which node of which tree a switch is.
  struct Place {
    int tree;
    int node;
  };
  void AddWrites(const Place& place, std::vector<Cfg>* writes) const;
  std::uint32_t AddressOf(const topology::Port& port) const;

  const topology::Topology& topology_;
  std::vector<TreeWish> wishes_;
  std::vector<ReductionTree> trees_;
  std::map<int, std::vector<Place>> places_;  ///< by switch
};

}  // namespace tilefly::network
