// SPDX-License-Identifier: Apache-2.0
#include "systemc/report/report_log.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <sstream>
#include <utility>

#include <sysc/kernel/sc_kernel_ids.h>
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
/// Exit code of a run that the last report ended.
int& CodeOfEnd() {
  static int code = kUsage;
  return code;
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

std::string Where(const sc_report& report) {
  std::string where = When(report.get_time());
  if (report.get_process_name() != nullptr) where += std::string(", ") + report.get_process_name();
  return " (" + where + ")";
}

/// A line for each of the message's; where and when is said in the first.
void Write(const sc_report& report) {
  const std::string start = std::string(NameOf(report.get_severity())) + ": " + report.get_msg_type() + ": ";
  std::istringstream message(report.get_msg());
  std::string line;
  for (bool first = true; std::getline(message, line) || first; first = false) {
    Sink()(start + line + (first ? Where(report) : ""));
  }
}

/// Writes the exception that is being handled, with `where` behind its text. Returns its exit code.
int WriteException(const std::string& where) {
  const std::string internal = "internal error: ";
  try {
    throw;
  } catch (const UsageError& error) {
    Sink()(error.what() + where);
    return kUsage;
  } catch (const std::exception& error) {
    Sink()(internal + error.what() + where);
  } catch (...) {
    Sink()(internal + "an exception that is no std::exception" + where);
  }
  return kInternal;
}

/// The kernel makes such a report of an exception that a process does not catch, while it handles the exception.
bool IsOfException(const sc_report& report) {
  return std::current_exception() != nullptr &&
         std::strcmp(report.get_msg_type(), sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_) == 0;
}

void Handle(const sc_report& report, const sc_core::sc_actions& actions) {
  CodeOfEnd() = kUsage;
  if (IsOfException(report)) {
    CodeOfEnd() = WriteException(Where(report));
    throw report;
  }
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
    return CodeOfEnd();  // it is in the log
  } catch (...) {
    return WriteException("");
  }
}

}  // namespace tilefly::systemc
