// SPDX-License-Identifier: Apache-2.0
#include "systemc/report/report_log.h"

#include <cstdio>
#include <exception>
#include <sstream>
#include <utility>

#include <systemc>

#include "support/errors.h"
#include "support/exit_code.h"
#include "systemc/fabric/time.h"

namespace tilefly::systemc {
namespace {

using sc_core::sc_report;
using sc_core::sc_report_handler;

constexpr const char* kKernel = "/OSCI/SystemC";  // of the notice that sc_stop was called

LogSink& Sink() {
  static LogSink sink;
  return sink;
}

const char* NameOf(sc_core::sc_severity severity) {
  switch (severity) {
    case sc_core::SC_INFO:
      return "note";
    case sc_core::SC_WARNING:
      return "warning";
    case sc_core::SC_ERROR:
      return "error";
    default:
      return "fatal error";
  }
}

/// In cycles, where the time resolution holds them. It is not asked for at time 0: then it could not be set any more.
std::string When(const sc_core::sc_time& time) {
  if (time == sc_core::SC_ZERO_TIME) return "cycle 0";
  const std::uint64_t ticks = fabric::TicksIn(sc_core::sc_get_time_resolution().to_seconds());
  return ticks == 0 ? time.to_string() : "cycle " + std::to_string(time.value() / ticks);
}

/// A line for each of the message's; where and when is said in the first.
void Write(const sc_report& report) {
  std::string where = When(report.get_time());
  if (report.get_process_name() != nullptr) where += std::string(", ") + report.get_process_name();
  const std::string start = std::string(NameOf(report.get_severity())) + ": " + report.get_msg_type() + ": ";
  std::istringstream message(report.get_msg());
  std::string line;
  for (bool first = true; std::getline(message, line) || first; first = false) {
    Sink()(start + line + (first ? " (" + where + ")" : ""));
  }
}

void Handle(const sc_report& report, const sc_core::sc_actions& actions) {
  if ((actions & (sc_core::SC_DISPLAY | sc_core::SC_LOG)) != 0) Write(report);
  if (report.get_severity() >= sc_core::SC_ERROR) throw report;
  sc_report_handler::default_handler(report, actions & ~(sc_core::SC_DISPLAY | sc_core::SC_LOG));
}

}  // namespace

void LogToStandardError(const std::string& line) { std::fprintf(stderr, "tilefly: %s\n", line.c_str()); }

ReportLog::ReportLog(LogSink sink) {
  Sink() = std::move(sink);
  sc_report_handler::set_handler(&Handle);
  sc_report_handler::set_actions(kKernel, sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
}

ReportLog::~ReportLog() {
  sc_report_handler::set_handler(&sc_report_handler::default_handler);
  Sink() = nullptr;
}

int RunProgram(const std::function<int()>& body, const LogSink& sink) {
  const ReportLog log(sink);
  try {
    return body();
  } catch (const sc_report&) {
    return kUsage;  // it is in the log
  } catch (const UsageError& error) {
    sink(error.what());
    return kUsage;
  } catch (const std::exception& error) {
    sink(std::string("internal error: ") + error.what());
    return kInternal;
  }
}

}  // namespace tilefly::systemc
