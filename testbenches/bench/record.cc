// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/record.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tilefly::bench {

void WriteRecord(const ComparisonRecord& record) {
  const char* file = std::getenv("TILEFLY_RECORD");
  if (file == nullptr) return;
  nlohmann::ordered_json line;
  line["test"] = record.test;
  line["power_up"] = record.power_up;
  line["seed"] = record.seed;
  line["shown"] = record.shown;
  line["cycles"] = record.cycles;
  line["compared"] = record.compared;
  line["compared_busy"] = record.compared_busy;
  line["bins"] = nlohmann::ordered_json::object();
  for (const auto& bin : record.bins) line["bins"][bin.name] = {{"hits", bin.hits}, {"minimum", bin.minimum}};
  line["failed_at"] = record.failed_at;
  line["failure"] = record.failure;
  line["events"] = record.events;
  std::ofstream out(file, std::ios::app);
  out << line.dump() << '\n';
  out.close();
  if (!out) throw std::runtime_error(std::string(file) + " (TILEFLY_RECORD): cannot be written");
}

}  // namespace tilefly::bench
