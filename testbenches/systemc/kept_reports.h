// SPDX-License-Identifier: Apache-2.0
// Reports of SystemC as a list, none of which ends the run.
#pragma once

#include <string>
#include <systemc>
#include <vector>

namespace tilefly::systemc {

inline std::vector<std::string>& Reports() {
  static std::vector<std::string> reports;
  return reports;
}
/// From now on reports go to Reports(), and errors are no exceptions.
inline void GoOnAfterErrors() {
  sc_core::sc_report_handler::set_handler(
      [](const sc_core::sc_report& report, const sc_core::sc_actions&) { Reports().push_back(report.get_msg()); });
}

}  // namespace tilefly::systemc
