// SPDX-License-Identifier: Apache-2.0
// Reduction trees of a system's jobs (docs/reductions.md, Trees): which switches are nodes, who is whose child and by
// which ports, and the register writes for them.
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
  std::string name;            ///< name of the job, for messages
  std::vector<int> endpoints;  ///< endpoints of its ranks
  int tc = 0;
  Cycle timeout = 0;  ///< in cycles; 0: none
};

/// A child of a node, behind a port of its own.
struct TreeChild {
  int port;
  int endpoint;  ///< endpoint of a rank; -1: the child is another node
  int node;      ///< place of the node in the tree; -1: the child is a rank
};

/// A switch in a tree.
struct TreeNode {
  int at;                           ///< the switch
  int parent = -1;                  ///< place of the parent in the tree; -1: this is the root
  int parent_port = -1;             ///< this node's port towards the parent
  int port_there = -1;              ///< the parent's port towards this node
  std::vector<TreeChild> children;  ///< in ascending order of ports
};

struct ReductionTree {
  const TreeNode& root() const { return nodes.front(); }
  /// The number of nodes from the root to the farthest node, both counted.
  int depth() const;

  int group = 0;
  std::vector<TreeNode> nodes;  ///< the root first, each node after its parent
};

class ReductionTrees {
 public:
  /// Makes a tree for each wish, in the order of the wishes. Throws UsageError when a switch cannot reduce, or has no
  /// group left.
  ReductionTrees(const topology::Topology& topology, const Profile& profile, std::vector<TreeWish> wishes);

  bool empty() const { return trees_.empty(); }
  const std::vector<ReductionTree>& trees() const { return trees_; }
  /// The traffic class of all trees. There must be a tree.
  int tc() const { return wishes_.front().tc; }
  /// The writes of space RED for a switch.
  std::vector<Cfg> Writes(int at) const;

 private:
  /// A place of a switch in a tree.
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
