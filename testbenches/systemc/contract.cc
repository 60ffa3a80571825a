// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/contract.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>

#include "golden/common/types.h"
#include "support/latency.h"

namespace tilefly::systemc {
namespace {

/// A flow as the order of packets is kept in: input, output, class, flow.
using Flow = std::tuple<int, int, int, std::uint32_t>;

struct Offered {
  const Offer* offer;
  int port;
};

std::vector<Offered> ById(const Offers& offers) {
  std::vector<Offered> by_id;
  for (std::size_t port = 0; port < offers.size(); ++port) {
    for (const Offer& offer : offers[port]) {
      if (by_id.size() <= offer.id) by_id.resize(offer.id + 1);
      by_id[offer.id] = {&offer, static_cast<int>(port)};
    }
  }
  return by_id;
}

Figures FiguresOf(const std::vector<Offered>& offered, const Outcome& outcome) {
  LatencyHistogram latency;
  std::int64_t cells = 0;
  const Cycle from = outcome.end / 4;
  const Cycle to = outcome.end * 3 / 4;
  for (const Delivery& delivery : outcome.deliveries) {
    latency.Add(delivery.first_word - offered[delivery.id].offer->at);
    if (delivery.first_word >= from && delivery.first_word < to) cells += golden::CellsOf(delivery.header.length());
  }
  return {outcome.deliveries.size(), latency.Mean(), static_cast<double>(latency.Quantile(0.99)),
          static_cast<double>(cells) / static_cast<double>(std::max<Cycle>(1, to - from))};
}

std::map<Flow, std::vector<std::uint32_t>> OrderOf(const std::vector<Offered>& offered, const Outcome& outcome) {
  std::map<Flow, std::vector<std::uint32_t>> order;
  for (const Delivery& delivery : outcome.deliveries) {
    const golden::HeaderBits& header = delivery.header;
    order[{offered[delivery.id].port, delivery.port, header.tc(), header.flow()}].push_back(delivery.id);
  }
  return order;
}

using Key = std::pair<std::uint32_t, int>;  // packet, port
std::map<Key, const Delivery*> ByKey(const Outcome& outcome) {
  std::map<Key, const Delivery*> deliveries;
  for (const Delivery& delivery : outcome.deliveries) deliveries[{delivery.id, delivery.port}] = &delivery;
  return deliveries;
}

double Off(double golden, double systemc) { return golden == 0 ? (systemc == 0 ? 0 : 1) : systemc / golden - 1; }

void Judge(const char* what, double golden, double systemc, double bound, std::vector<std::string>* broken) {
  if (std::abs(Off(golden, systemc)) <= bound) return;
  char text[160];
  std::snprintf(text, sizeof text, "%s %.3f against golden's %.3f: %+.2f %%, bound %.2f %%", what, systemc, golden,
                100 * Off(golden, systemc), 100 * bound);
  broken->push_back(text);
}

}  // namespace

std::string Comparison::Row() const {
  char text[240];
  std::snprintf(text, sizeof text,
                "%7zu packets  mean %8.2f %8.2f (%+.3f %%)  p99 %6.0f %6.0f (%+.2f %%)  cells/cycle %7.3f %7.3f (%+.3f %%)  "
                "same cycle %.4f",
                golden.packets, golden.mean, systemc.mean, 100 * Off(golden.mean, systemc.mean), golden.p99, systemc.p99,
                100 * Off(golden.p99, systemc.p99), golden.throughput, systemc.throughput,
                100 * Off(golden.throughput, systemc.throughput),
                static_cast<double>(same_cycle) / static_cast<double>(std::max<std::size_t>(1, golden.packets)));
  return text;
}

Comparison Compare(const Offers& offers, const Outcome& golden, const Outcome& systemc, const Bounds& bounds) {
  const std::vector<Offered> offered = ById(offers);
  Comparison comparison{FiguresOf(offered, golden), FiguresOf(offered, systemc), 0, {}};
  std::vector<std::string>& broken = comparison.broken;
  const auto by_golden = ByKey(golden);
  const auto by_systemc = ByKey(systemc);
  if (by_systemc.size() != systemc.deliveries.size()) broken.push_back("a packet was delivered twice");
  std::size_t missing = 0;
  std::size_t other = 0;
  std::size_t changed = 0;
  for (const auto& [key, delivery] : by_golden) {
    const auto found = by_systemc.find(key);
    if (found == by_systemc.end()) {
      ++missing;
      continue;
    }
    const Delivery& there = *found->second;
    other += std::memcmp(&there.header, &delivery->header, sizeof there.header) != 0 || there.bad != delivery->bad ||
             there.length != delivery->length;
    changed += there.content != delivery->content;
    comparison.same_cycle += there.first_word == delivery->first_word;
  }
  if (missing != 0) broken.push_back(std::to_string(missing) + " packets of golden were not delivered");
  if (by_systemc.size() + missing != by_golden.size()) broken.push_back("packets were delivered that golden does not deliver");
  if (other != 0) broken.push_back(std::to_string(other) + " packets left with another header, length or check");
  if (changed != 0) broken.push_back(std::to_string(changed) + " packets left with other bytes");
  if (OrderOf(offered, golden) != OrderOf(offered, systemc)) broken.push_back("another order of a flow");
  Judge("mean latency", comparison.golden.mean, comparison.systemc.mean, bounds.mean, &broken);
  Judge("99th percentile", comparison.golden.p99, comparison.systemc.p99, bounds.p99, &broken);
  Judge("throughput", comparison.golden.throughput, comparison.systemc.throughput, bounds.throughput, &broken);
  return comparison;
}

}  // namespace tilefly::systemc
