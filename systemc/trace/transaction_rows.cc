// SPDX-License-Identifier: Apache-2.0
#include "systemc/trace/transaction_rows.h"

#include <algorithm>
#include <tuple>

namespace tilefly::systemc {
namespace {

constexpr std::uint64_t kPsOfCycle = 1280;

/// What a row shows of a transaction, besides the header's fields: its name and bits.
constexpr FieldInfo kPacket{"packet", 0, 48};
constexpr FieldInfo kBytes{"bytes", 0, 16};
constexpr FieldInfo kBad{"bad", 0, 1};

std::string Digits(std::uint64_t value, int bits) {
  std::string digits(static_cast<std::size_t>(bits), '0');
  for (int i = 0; i < bits; ++i) digits[static_cast<std::size_t>(bits - 1 - i)] = (value >> i & 1) != 0 ? '1' : '0';
  return digits;
}
std::string Unknown(int bits) { return std::string(static_cast<std::size_t>(bits), 'x'); }

/// Calls `show(field, digits)` of every attribute, in order.
template <typename Show>
void ForEachAttribute(const Transaction* transaction, const Show& show) {
  const bool there = transaction != nullptr;
  show(kPacket, there ? Digits(transaction->packet, kPacket.width) : Unknown(kPacket.width));
  show(kBytes, there ? Digits(static_cast<std::uint64_t>(transaction->length), kBytes.width) : Unknown(kBytes.width));
  show(kBad, there ? Digits(transaction->bad, kBad.width) : Unknown(kBad.width));
  std::uint32_t words[Header::kWords] = {};
  if (there) transaction->header.Unpack().PackAt(words, 0);
  for (const FieldInfo& field : Header::kFields) {
    show(field, there && transaction->enh ? Digits(GetBits(words, field.lsb, field.width), field.width) : Unknown(field.width));
  }
}

}  // namespace

TransactionRows::Row* TransactionRows::Open(const std::string& name) {
  file_->OpenScope(name);
  Row& row = rows_.emplace_back();
  row.stage = file_->AddText("stage");
  ForEachAttribute(nullptr, [&](const FieldInfo& field, const std::string&) {
    row.attributes.push_back(file_->AddBits(field.name, field.width));
  });
  row.free_at = 0;
  file_->CloseScope();
  return &row;
}

void TransactionRows::Add(const std::string& name, const std::vector<Transaction>& transactions) {
  std::vector<const Transaction*> sorted;
  for (const Transaction& transaction : transactions) sorted.push_back(&transaction);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Transaction* a, const Transaction* b) { return a->begin < b->begin; });
  std::vector<Row*> rows;
  for (const Transaction* const transaction : sorted) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row* r) { return r->free_at <= transaction->begin; });
    if (row == rows.end()) row = rows.insert(row, Open(name + "_" + std::to_string(rows.size())));
    (*row)->free_at = transaction->end;
    for (std::size_t step = 0; step < transaction->steps.size(); ++step) {
      changes_.push_back({transaction->steps[step].cycle, transaction, *row, step});
    }
    changes_.push_back({transaction->end, transaction, *row, transaction->steps.size()});
  }
}

/// `followed`: another change of the row is in the same cycle, of a transaction that takes its place or of the next stage.
void TransactionRows::Show(const Change& change, bool followed) {
  const Transaction& transaction = *change.transaction;
  const bool ends = change.step == transaction.steps.size();
  if (ends && followed) return;
  if (ends || !followed) file_->ChangeText(change.row->stage, ends ? "" : transaction.steps[change.step].stage);
  if (!ends && change.step != 0) return;
  auto variable = change.row->attributes.begin();
  ForEachAttribute(ends ? nullptr : &transaction,
                   [&](const FieldInfo&, const std::string& digits) { file_->ChangeBits(*variable++, digits); });
}

void TransactionRows::Write(Cycle cycle) {
  // Of one row and cycle: an end, then the first stage of the next transaction, then its others.
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return std::tie(a.cycle, a.row, a.transaction->begin) < std::tie(b.cycle, b.row, b.transaction->begin);
  });
  file_->Time(0);
  for (const Row& row : rows_) {
    file_->ChangeText(row.stage, "");
    auto variable = row.attributes.begin();
    ForEachAttribute(nullptr, [&](const FieldInfo&, const std::string& digits) { file_->ChangeBits(*variable++, digits); });
  }
  Cycle now = 0;
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    if (change.cycle != now) file_->Time(static_cast<std::uint64_t>(now = change.cycle) * kPsOfCycle);
    const bool followed = i + 1 < changes_.size() && changes_[i + 1].cycle == now && changes_[i + 1].row == change.row;
    Show(change, followed);
  }
  if (cycle > now) file_->Time(static_cast<std::uint64_t>(cycle) * kPsOfCycle);
}

}  // namespace tilefly::systemc
