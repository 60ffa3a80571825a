// SPDX-License-Identifier: Apache-2.0
#include "systemc/trace/transaction_rows.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tilefly::systemc {
namespace {

constexpr std::uint64_t kPsOfCycle = 1280;

std::string Digits(std::uint64_t value, int bits) {
  std::string digits(static_cast<std::size_t>(bits), '0');
  for (int i = 0; i < bits; ++i) digits[static_cast<std::size_t>(bits - 1 - i)] = (value >> i & 1) != 0 ? '1' : '0';
  return digits;
}
std::string Unknown(int bits) { return std::string(static_cast<std::size_t>(bits), 'x'); }

/// Of base-protocol responses, in short.
const char* NameOf(tlm::tlm_response_status response) {
  switch (response) {
    case tlm::TLM_OK_RESPONSE:
      return "ok";
    case tlm::TLM_INCOMPLETE_RESPONSE:
      return "none";
    case tlm::TLM_GENERIC_ERROR_RESPONSE:
      return "generic error";
    case tlm::TLM_ADDRESS_ERROR_RESPONSE:
      return "address error";
    case tlm::TLM_COMMAND_ERROR_RESPONSE:
      return "command error";
    case tlm::TLM_BURST_ERROR_RESPONSE:
      return "burst error";
    case tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE:
      return "byte enable error";
  }
  return "unknown";
}

constexpr int kText = 0;  ///< bits of a text

}  // namespace

/// What rows show of their transactions, besides the stage.
struct TransactionRows::Kind {
  struct Attribute {
    const char* name;
    int bits;
  };
  std::vector<Attribute> attributes;
  std::vector<std::string> (*values)(const Span& span);  ///< of the attributes
};

const TransactionRows::Kind TransactionRows::kPackets = {
    [] {
      std::vector<Kind::Attribute> attributes = {{"packet", 48}, {"bytes", 16}, {"bad", 1}};
      for (const FieldInfo& field : Header::kFields) attributes.push_back({field.name, field.width});
      return attributes;
    }(),
    [](const Span& span) {
      const auto& packet = static_cast<const Transaction&>(span);
      std::vector<std::string> values = {Digits(packet.packet, 48), Digits(static_cast<std::uint64_t>(packet.length), 16),
                                         Digits(packet.bad, 1)};
      std::uint32_t words[Header::kWords] = {};
      packet.header.Unpack().PackAt(words, 0);
      for (const FieldInfo& field : Header::kFields) {
        values.push_back(packet.enh ? Digits(GetBits(words, field.lsb, field.width), field.width) : Unknown(field.width));
      }
      return values;
    }};

const TransactionRows::Kind TransactionRows::kAccesses = {
    {{"command", kText}, {"nic", 24}, {"offset", 40}, {"bytes", 32}, {"response", kText}}, [](const Span& span) {
      const auto& access = static_cast<const Access&>(span);
      return std::vector<std::string>{access.writes ? "write" : "read",
                                      access.nic < 0 ? Unknown(24) : Digits(static_cast<std::uint64_t>(access.nic), 24),
                                      Digits(access.offset, 40), Digits(access.bytes, 32), NameOf(access.response)};
    }};

TransactionRows::Row* TransactionRows::Open(const std::string& name, const Kind& kind) {
  file_->OpenScope(name);
  Row& row = rows_.emplace_back();
  row.kind = &kind;
  row.stage = file_->AddText("stage");
  for (const auto& [attribute, bits] : kind.attributes)
    row.attributes.push_back(bits == kText ? file_->AddText(attribute) : file_->AddBits(attribute, bits));
  row.free_at = 0;
  file_->CloseScope();
  return &row;
}

void TransactionRows::Add(const std::string& name, const std::vector<Transaction>& transactions) {
  std::vector<const Span*> spans;
  for (const Transaction& transaction : transactions) spans.push_back(&transaction);
  Place(name, kPackets, std::move(spans));
}

void TransactionRows::Add(const std::string& name, const std::vector<Access>& accesses) {
  std::vector<const Span*> spans;
  for (const Access& access : accesses) spans.push_back(&access);
  Place(name, kAccesses, std::move(spans));
}

void TransactionRows::Place(const std::string& name, const Kind& kind, std::vector<const Span*> spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const Span* a, const Span* b) { return a->begin < b->begin; });
  std::vector<Row*> rows;
  for (const Span* const span : spans) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row* r) { return r->free_at <= span->begin; });
    if (row == rows.end()) row = rows.insert(row, Open(name + "_" + std::to_string(rows.size()), kind));
    (*row)->free_at = span->end;
    for (std::size_t step = 0; step < span->steps.size(); ++step) {
      changes_.push_back({span->steps[step].cycle, span, *row, step});
    }
    changes_.push_back({span->end, span, *row, span->steps.size()});
  }
}

/// Null: of none.
void TransactionRows::ShowAttributes(const Row& row, const Span* span) {
  const std::vector<std::string> values = span != nullptr ? row.kind->values(*span) : std::vector<std::string>();
  for (std::size_t i = 0; i < row.attributes.size(); ++i) {
    const int bits = row.kind->attributes[i].bits;
    if (bits == kText) {
      file_->ChangeText(row.attributes[i], span != nullptr ? values[i] : "");
    } else {
      file_->ChangeBits(row.attributes[i], span != nullptr ? values[i] : Unknown(bits));
    }
  }
}

/// `followed`: another change of the row is in the same cycle, of a transaction that takes its place or of the next stage.
void TransactionRows::Show(const Change& change, bool followed) {
  const bool ends = change.step == change.span->steps.size();
  if (ends && followed) return;
  if (ends || !followed) file_->ChangeText(change.row->stage, ends ? "" : change.span->steps[change.step].stage);
  if (ends || change.step == 0) ShowAttributes(*change.row, ends ? nullptr : change.span);
}

void TransactionRows::Write(Cycle cycle) {
  // Of one row and cycle: an end, then the first stage of the next transaction, then its others.
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return std::tie(a.cycle, a.row, a.span->begin) < std::tie(b.cycle, b.row, b.span->begin);
  });
  file_->Time(0);
  for (const Row& row : rows_) {
    file_->ChangeText(row.stage, "");
    ShowAttributes(row, nullptr);
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
