// SPDX-License-Identifier: Apache-2.0
// Transactions as rows of variables. Transactions of one row follow one another, so that a viewer shows each as a
// stretch of time.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "systemc/trace/fst_file.h"
#include "systemc/trace/transaction_log.h"

namespace tilefly::systemc {

class TransactionRows {
 public:
  explicit TransactionRows(FstFile* file) : file_(file) {}

  /// Adds a stream to the open scope, in as many rows NAME_0, NAME_1 ... as it has transactions at one time. The
  /// transactions must live until Write.
  void Add(const std::string& name, const std::vector<Transaction>& transactions);
  void Add(const std::string& name, const std::vector<Access>& accesses);
  /// Writes the changes of all rows, to the end of the last transaction or to `cycle`.
  void Write(Cycle cycle);

 private:
  struct Kind;
  struct Row {
    const Kind* kind;
    FstFile::Variable stage;
    std::vector<FstFile::Variable> attributes;
    Cycle free_at;  ///< after the last transaction that it has
  };
  /// A transaction comes to a stage, or to its end.
  struct Change {
    Cycle cycle;
    const Span* span;
    Row* row;
    std::size_t step;
  };
  static const Kind kPackets;
  static const Kind kAccesses;
  Row* Open(const std::string& name, const Kind& kind);
  void Place(const std::string& name, const Kind& kind, std::vector<const Span*> spans);
  void ShowAttributes(const Row& row, const Span* span);
  void Show(const Change& change, bool followed);

  FstFile* file_;
  std::deque<Row> rows_;
  std::vector<Change> changes_;
};

}  // namespace tilefly::systemc
