// SPDX-License-Identifier: Apache-2.0
// n-D tori: rings in each dimension, neighbours joined by `trunk` parallel links. The links that close a ring are of
// kind `other`: there a packet crosses the dateline.
#include <fmt/format.h>

#include "support/errors.h"
#include "support/text.h"
#include "topology/families.h"

namespace tilefly::topology {
namespace {

struct Torus {
  std::vector<int> sizes;
  int p, trunk;
  double metres;

  int switches() const {
    int count = 1;
    for (const int size : sizes) count *= size;
    return count;
  }
};

/// "8x8x8".
std::vector<int> ParseSizes(const Parameters& parameters, const std::string& text) {
  const std::string what = parameters.origin() + ": size";
  std::vector<int> sizes;
  int groups = 1;
  for (const std::string& part : Split(text, 'x')) {
    const std::int64_t size = ParseInteger(part, what);
    const bool first = sizes.empty();
    const int most = first ? kMaxGroupSwitches : kMaxGroups;
    if (size < 2 || size > most)
      throw UsageError(fmt::format("{}={}: {} is not between 2 and {}: {}", what, text, size, most,
                                   first ? "a row along the first dimension is a group, and the switch field of an "
                                           "address has 5 bits; let another dimension be the longest"
                                         : "each row is a group, and the group field has 9 bits"));
    if (!first) groups *= static_cast<int>(size);
    if (groups > kMaxGroups)
      throw UsageError(
          fmt::format("{}={}: more than {} rows along the first dimension cannot be addressed (each is a "
                      "group: 9 bits, and group 511 is kept for all ones); let the first dimension be the "
                      "longest, or make the torus smaller",
                      what, text, kMaxGroups));
    sizes.push_back(static_cast<int>(size));
  }
  return sizes;
}

Torus ReadTorus(Parameters* parameters) {
  Torus t;
  t.sizes = ParseSizes(*parameters, parameters->Text("size"));
  t.trunk = parameters->Integer("trunk", 1, 1, kMaxPorts, "the port field of an address has 6 bits");
  t.p = parameters->Integer("p", 1, 1, kMaxPorts, "the port field of an address has 6 bits");
  t.metres = parameters->Metres("local_cable", kCopperMetres);
  return t;
}

void AddSwitches(const Torus& t, Topology* topology) {
  for (int at = 0; at < t.switches(); ++at) {
    Switch one = {at / t.sizes[0], at % t.sizes[0], {}};
    int rest = at;
    for (const int size : t.sizes) {
      one.place.push_back(rest % size);
      rest /= size;
    }
    topology->switches.push_back(one);
    for (int port = 0; port < t.p; ++port) topology->endpoints.push_back({{at, port}, at * t.p + port, kCopperMetres});
  }
}

/// The links of dimension d, whose ports begin with `first` and whose neighbours are `stride` apart. A ring of two has
/// one trunk, not two between the same switches.
void AddDimension(const Torus& t, std::size_t d, int first, int stride, Topology* topology) {
  const int size = t.sizes[d];
  for (int at = 0; at < t.switches(); ++at) {
    const int here = topology->switches[at].place[d];
    const bool closes = here == size - 1;
    if (closes && size == 2) continue;
    const int next = closes ? at - (size - 1) * stride : at + stride;
    for (int copy = 0; copy < t.trunk; ++copy) {
      const int back = first + (size == 2 ? 0 : t.trunk) + copy;
      topology->links.push_back(
          {{at, first + copy}, {next, back}, closes ? LinkKind::kOther : LinkKind::kLocal, t.metres});
    }
  }
}

}  // namespace

Topology BuildTorus(Parameters* parameters) {
  const Torus t = ReadTorus(parameters);
  Topology topology;
  topology.family = "torus";
  topology.dimensions = t.sizes;
  int ports = t.p;
  for (const int size : t.sizes) ports += (size == 2 ? 1 : 2) * t.trunk;
  ChooseProfile(parameters, ports, &topology);
  parameters->Finish();
  AddSwitches(t, &topology);
  int first = t.p;
  int stride = 1;
  for (std::size_t d = 0; d < t.sizes.size(); ++d) {
    AddDimension(t, d, first, stride, &topology);
    first += (t.sizes[d] == 2 ? 1 : 2) * t.trunk;
    stride *= t.sizes[d];
  }
  return topology;
}

}  // namespace tilefly::topology
