// SPDX-License-Identifier: Apache-2.0
#include "systemc/trace/transaction_trace.h"

#include <algorithm>
#include <utility>

#include "support/errors.h"
#include "systemc/trace/transaction_rows.h"

namespace tilefly::systemc {
namespace {

const sc_core::sc_object& Find(const std::string& module) {
  if (const sc_core::sc_object* const object = sc_core::sc_find_object(module.c_str())) return *object;
  throw UsageError("no module '" + module + "' to record transactions of");
}

/// Scopes as the hierarchy has them: closes and opens what differs between two names.
class Scopes {
 public:
  explicit Scopes(FstFile* file) : file_(file) {}
  void Go(const std::string& name) {
    std::vector<std::string> wanted;
    for (std::size_t begin = 0; begin < name.size();) {
      const std::size_t end = std::min(name.find('.', begin), name.size());
      wanted.push_back(name.substr(begin, end - begin));
      begin = end + 1;
    }
    const auto common = std::mismatch(open_.begin(), open_.end(), wanted.begin(), wanted.end()).first - open_.begin();
    for (; static_cast<std::ptrdiff_t>(open_.size()) > common; open_.pop_back()) file_->CloseScope();
    for (; open_.size() < wanted.size(); open_.push_back(wanted[open_.size()])) file_->OpenScope(wanted[open_.size()]);
  }

 private:
  FstFile* file_;
  std::vector<std::string> open_;
};

}  // namespace

TransactionTrace::TransactionTrace(const std::string& module, std::filesystem::path file, std::size_t most)
    : file_(std::move(file)), most_(most), left_(most) {
  Add(Find(module));
  if (entries_.empty()) throw UsageError("module '" + module + "' and those below it have no transactions");
}

TransactionTrace::~TransactionTrace() { Stop(); }

void TransactionTrace::Add(const sc_core::sc_object& object) {
  if (auto* const traced = dynamic_cast<Traced*>(const_cast<sc_core::sc_object*>(&object))) {
    entries_.push_back({object.name(), traced, std::make_unique<TransactionLog>(&left_)});
    traced->set_log(entries_.back().log.get());
  }
  for (const sc_core::sc_object* const child : object.get_child_objects()) Add(*child);
}

void TransactionTrace::Stop() {
  for (Entry& entry : entries_) {
    if (entry.module != nullptr) entry.module->set_log(nullptr);
    entry.module = nullptr;
  }
}

void TransactionTrace::Close() {
  Stop();
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp());
  FstFile file(file_);
  TransactionRows rows(&file);
  Scopes scopes(&file);
  for (Entry& entry : entries_) {
    entry.log->Finish(now + 1);
    scopes.Go(entry.name);
    for (int stream = 0; stream < TransactionLog::kStreams; ++stream) {
      rows.Add(TransactionLog::NameOf(stream), entry.log->streams()[static_cast<std::size_t>(stream)]);
    }
    rows.Add("access", entry.log->accesses());
  }
  scopes.Go("");
  rows.Write(now);
  file.Close();
}

}  // namespace tilefly::systemc
