// SPDX-License-Identifier: Apache-2.0
// k-ary n-trees: n levels of k^(n-1) switches. A switch is (level, word of n-1 digits); level 0 has the endpoints.
// Switches of levels l and l+1 are linked when their words differ at most in digit l.
#include <fmt/format.h>

#include "support/errors.h"
#include "topology/families.h"

namespace tilefly::topology {
namespace {

struct Tree {
  int k, n;
  int width;  ///< switches of a level: k^(n-1)
  double metres;

  int At(int level, int word) const { return level * width + word; }
};

Tree ReadTree(Parameters* parameters) {
  Tree t;
  t.k = parameters->Integer("k", 2, kMaxPorts / 2, "k ports lead up and k down, and the port field has 6 bits");
  t.n = parameters->Integer("n", 1, 8, "more levels of two switches each have more than 511 switches");
  t.width = 1;
  for (int i = 1; i < t.n; ++i) {
    t.width *= t.k;
    if (t.width * t.n > kMaxGroups)
      throw UsageError(
          fmt::format("{}: {} levels of {}^{} switches cannot be addressed: each is a group of its own, and "
                      "there are {} (9 bits, group 511 is kept for all ones); give a smaller k or n",
                      parameters->origin(), t.n, t.k, t.n - 1, kMaxGroups));
  }
  t.metres = parameters->Metres("local_cable", kCopperMetres);
  return t;
}

void AddSwitches(const Tree& t, Topology* topology) {
  for (int level = 0; level < t.n; ++level) {
    for (int word = 0; word < t.width; ++word) {
      Switch one = {t.At(level, word), 0, {level}};
      for (int weight = t.width / t.k; weight > 0; weight /= t.k) one.place.push_back(word / weight % t.k);
      topology->switches.push_back(one);
    }
  }
  for (int word = 0; word < t.width; ++word) {
    for (int port = 0; port < t.k; ++port)
      topology->endpoints.push_back({{t.At(0, word), port}, word * t.k + port, kCopperMetres});
  }
}

void AddLinks(const Tree& t, Topology* topology) {
  int weight = 1;  // of digit `level`
  for (int level = 0; level + 1 < t.n; ++level, weight *= t.k) {
    for (int word = 0; word < t.width; ++word) {
      const int digit = word / weight % t.k;
      for (int up = 0; up < t.k; ++up) {
        const int above = word + (up - digit) * weight;
        topology->links.push_back(
            {{t.At(level, word), t.k + up}, {t.At(level + 1, above), digit}, LinkKind::kLocal, t.metres});
      }
    }
  }
}

}  // namespace

Topology BuildTree(Parameters* parameters) {
  const Tree t = ReadTree(parameters);
  Topology topology;
  topology.family = "tree";
  ChooseProfile(parameters, 2 * t.k, &topology);
  parameters->Finish();
  AddSwitches(t, &topology);
  AddLinks(t, &topology);
  return topology;
}

}  // namespace tilefly::topology
