// SPDX-License-Identifier: Apache-2.0
// Records the transactions of a module and of all modules below it, and writes them as an FST file (docs/systemc.md,
// Tracing).
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
  /// Most transactions that a trace holds by default. Each takes about 200 B of memory until Close.
  static constexpr std::size_t kMost = 4'000'000;

  /// Records from now on what happens in the module of this hierarchical name and in the modules below it. Close writes
  /// `file`. Throws UsageError when there is no such module, or when nothing in it has transactions. The trace must end
  /// before the modules do.
  TransactionTrace(const std::string& module, std::filesystem::path file, std::size_t most = kMost);
  TransactionTrace(const TransactionTrace&) = delete;
  TransactionTrace& operator=(const TransactionTrace&) = delete;
  /// Ends the recording. No file is written unless Close was called.
  ~TransactionTrace();

  /// Ends the recording and writes the file. Throws std::runtime_error when the file cannot be written.
  void Close();

  /// Number of transactions recorded.
  std::size_t recorded() const { return most_ - left_; }
  /// Whether the most transactions were recorded; transactions that began later are not in the file.
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
