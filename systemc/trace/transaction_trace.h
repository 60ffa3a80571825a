// SPDX-License-Identifier: Apache-2.0
// Records the transactions of a module and of all below it, and writes them as an FST file (docs/systemc.md, Tracing).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "systemc/trace/transaction_log.h"

namespace tilefly::systemc {

class TransactionTrace {
 public:
  /// Transactions that a trace holds, unless it is told otherwise: about 200 B each until Close.
  static constexpr std::size_t kMost = 4'000'000;

  /// Records from now on what happens in the module of this hierarchical name and in those below it. `file` is written by
  /// Close. Throws UsageError when there is no such module, or nothing in it has transactions. Ends before the modules do.
  TransactionTrace(const std::string& module, std::filesystem::path file, std::size_t most = kMost);
  TransactionTrace(const TransactionTrace&) = delete;
  TransactionTrace& operator=(const TransactionTrace&) = delete;
  /// Ends the recording without a file, unless Close was called.
  ~TransactionTrace();

  /// Ends the recording and writes the file. Throws std::runtime_error when it cannot.
  void Close();

  /// Transactions recorded.
  std::size_t recorded() const { return most_ - left_; }
  /// The most were recorded: those that began later are not in the file.
  bool full() const { return left_ == 0; }

 private:
  struct Entry {
    std::string name;  ///< hierarchical
    Traced* module;
    std::unique_ptr<TransactionLog> log;
  };
  void Add(const sc_core::sc_object& object);
  void Stop();

  const std::filesystem::path file_;
  const std::size_t most_;
  std::size_t left_;
  std::vector<Entry> entries_;
};

}  // namespace tilefly::systemc
