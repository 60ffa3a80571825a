// SPDX-License-Identifier: Apache-2.0
// Reports of SystemC in a program's log, and how they end the program (docs/systemc.md).
#pragma once

#include <functional>
#include <string>

namespace tilefly::systemc {

/// Takes a line of the log, without a newline at its end.
using LogSink = std::function<void(const std::string& line)>;
/// Writes `tilefly: LINE` to standard error.
void LogToStandardError(const std::string& line);

/// While this object lives, reports of SystemC become lines: "warning: TYPE: what (cycle 1234, module)". SC_ERROR and
/// SC_FATAL throw the report, whatever actions are set, and sc_start passes it on. An exception that a process does not
/// catch becomes such a report, and its text a line. There may be one ReportLog at a time.
class ReportLog {
 public:
  explicit ReportLog(LogSink sink);
  ~ReportLog();
  ReportLog(const ReportLog&) = delete;
  ReportLog& operator=(const ReportLog&) = delete;
};

/// Runs `body`, which builds a platform and simulates it, with a ReportLog. Returns the exit code of `body`; kUsage
/// after an SC_ERROR, an SC_FATAL or a UsageError; kInternal after any other exception of `body` or of a process. The
/// log says what it was.
int RunProgram(const std::function<int()>& body, const LogSink& sink = LogToStandardError);

}  // namespace tilefly::systemc
