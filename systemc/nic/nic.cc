// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/nic.h"

#include <algorithm>
#include <string>

#include "support/errors.h"
#include "systemc/nic/byte_enables.h"

namespace tilefly::systemc {
namespace {

constexpr std::uint64_t kOffsets = std::uint64_t{1} << Message::kOffsetBits;

std::uint32_t RemoteOf(const tlm::tlm_generic_payload& payload) {
  return static_cast<std::uint32_t>(payload.get_address() >> Message::kOffsetBits);
}
std::uint64_t OffsetOf(const tlm::tlm_generic_payload& payload) { return payload.get_address() % kOffsets; }

}  // namespace

Nic::Nic(sc_core::sc_module_name name, const NicOptions& options, fabric::PacketPool* pool, NicDirectory* directory)
    : sc_module(name),
      fabric("fabric", options.fabric, options.loosely_timed, pool),
      directory_(directory),
      host_("host", options.loosely_timed, this),
      memory_("memory", options.loosely_timed),
      doorbell_("doorbell") {
  CheckOptions(this->name(), options);
  if (const auto [entry, entered] = directory_->emplace(options.fabric.address, this); !entered) {
    throw UsageError(this->name() + std::string(": address ") + std::to_string(options.fabric.address) +
                     " is that of " + entry->second->name() + ": each NIC of a directory has its own");
  }
  transactions_.resize(static_cast<std::size_t>(options.window));
  for (int tag = options.window - 1; tag >= 0; --tag) free_tags_.push_back(static_cast<std::uint16_t>(tag));
  fabric.set_on_frame(
      [this](std::uint32_t source, const fabric::Frame& frame, Cycle at) { Deliver(source, frame, at); });
}

tlm::tlm_response_status Nic::Judge(const tlm::tlm_generic_payload& payload) const {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (!ByteEnablesAreRight(payload)) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_length() == 0 || payload.get_streaming_width() < payload.get_data_length()) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const std::uint32_t remote = RemoteOf(payload);
  const bool known = remote != fabric.options().address && directory_->count(remote) != 0;
  if (!known || OffsetOf(payload) + payload.get_data_length() > kOffsets) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void Nic::Begin(tlm::tlm_generic_payload* payload, Cycle at) {
  const std::uint16_t tag = free_tags_.back();
  free_tags_.pop_back();
  ++outstanding_;
  host_.Begun(*payload, at);
  const std::uint32_t remote = RemoteOf(*payload);
  const std::uint32_t total = payload->get_data_length();
  transactions_[tag] = {payload, remote, total, OffsetOf(*payload), at};
  Message message{};
  message.tag = tag;
  message.total = total;
  message.offset = OffsetOf(*payload);
  message.kind = payload->is_write() ? MessageKind::kPut : MessageKind::kGet;
  if (payload->is_write()) {
    SendParts(remote, message, payload->get_data_ptr(), payload, at);
  } else if (payload->get_byte_enable_ptr() != nullptr) {
    AskForParts(remote, message, *payload, at);
  } else {
    Send(remote, message, at);
  }
}

/// The remote NIC forgets it, too: the tag is another's then.
void Nic::Abandon(tlm::tlm_generic_payload* payload) {
  const auto open = std::find_if(transactions_.begin(), transactions_.end(),
                                 [&](const Transaction& transaction) { return transaction.payload == payload; });
  const auto tag = static_cast<std::uint16_t>(open - transactions_.begin());
  directory_->at(open->remote)->incoming_.erase({fabric.options().address, tag});
  End(tag, tlm::TLM_GENERIC_ERROR_RESPONSE, open->latest);
}

unsigned Nic::Debug(tlm::tlm_generic_payload* payload) {
  if (payload->get_gp_option() != tlm::TLM_MIN_PAYLOAD) {  // then all is set, and is held to the same rules
    const tlm::tlm_response_status status = Judge(*payload);
    if (status != tlm::TLM_OK_RESPONSE) {
      payload->set_response_status(status);
      return 0;
    }
  }
  const auto remote = directory_->find(RemoteOf(*payload));
  const bool there = remote != directory_->end() && remote->second != this;
  if (!there || OffsetOf(*payload) + payload->get_data_length() > kOffsets) return 0;
  return remote->second->memory_.Debug(OffsetOf(*payload), payload);
}

void Nic::Send(std::uint32_t destination, const Message& message, Cycle at) {
  fabric.Send(destination, MakeFrame(fabric.options().address, destination, message), at);
}

/// The message in frames, each with its part of `message.total` bytes of `data`, and of the byte enables of `enabled`,
/// if it is given and has some.
void Nic::SendParts(std::uint32_t destination, Message message, const std::uint8_t* data,
                    const tlm::tlm_generic_payload* enabled, Cycle at) {
  const bool some = enabled != nullptr && enabled->get_byte_enable_ptr() != nullptr;
  const std::uint32_t most = some ? Message::kMostEnabledData : Message::kMostData;
  const std::uint64_t first = message.offset;
  std::vector<std::uint8_t> enables;
  for (std::uint32_t sent = 0; sent < message.total; sent += static_cast<std::uint32_t>(message.size)) {
    message.offset = first + sent;
    message.data = data + sent;
    message.size = static_cast<int>(std::min(most, message.total - sent));
    if (some) {
      enables = PackEnables(*enabled, sent, static_cast<std::size_t>(message.size));
      message.enables = enables.data();
      message.enable_bytes = static_cast<int>(enables.size());
    }
    Send(destination, message, at);
  }
}

/// A get with byte enables: a request for each part whose byte enables go into a frame.
void Nic::AskForParts(std::uint32_t remote, Message message, const tlm::tlm_generic_payload& payload, Cycle at) {
  const std::uint32_t total = message.total;
  const std::uint64_t first = message.offset;
  for (std::uint32_t asked = 0; asked < total; asked += message.total) {
    message.offset = first + asked;
    message.total = std::min<std::uint32_t>(Message::kMostEnabledGet, total - asked);
    const std::vector<std::uint8_t> enables = PackEnables(payload, asked, message.total);
    message.enables = enables.data();
    message.enable_bytes = static_cast<int>(enables.size());
    Send(remote, message, at);
  }
}

void Nic::Deliver(std::uint32_t source, const fabric::Frame& frame, Cycle at) {
  const std::optional<Message> message = ReadFrame(frame);
  if (!message) return;  // not for us
  switch (message->kind) {
    case MessageKind::kPut:
      return Put(source, *message, at);
    case MessageKind::kGet:
      return Get(source, *message, at);
    case MessageKind::kPutDone:
      return End(message->tag, message->status, at);
    case MessageKind::kGetData:
      return TakeData(*message, at);
  }
}

void Nic::Put(std::uint32_t source, const Message& message, Cycle at) {
  const IncomingKey key{source, message.tag};
  Incoming& put =
      incoming_.emplace(key, Incoming{message.offset, message.total, message.total, 0, tlm::TLM_OK_RESPONSE, at})
          .first->second;
  put.offset = std::min(put.offset, message.offset);  // parts come in any order
  const auto bytes = static_cast<std::uint32_t>(message.size);
  memory_.Ask(RequestOf(source, message, bytes), at,
              [this, key, bytes](tlm::tlm_response_status status, const std::vector<std::uint8_t>&, Cycle end) {
                Written(key, bytes, status, end);
              });
}

/// The initiator's transaction is under way as long as a message of it is: its extensions are looked up there.
MemoryRequest Nic::RequestOf(std::uint32_t source, const Message& message, std::size_t bytes) const {
  MemoryRequest request;
  const bool writes = message.kind == MessageKind::kPut;
  request.command = writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
  request.address = message.offset;
  request.data.resize(bytes);
  if (writes) std::copy_n(message.data, bytes, request.data.begin());
  if (message.enables != nullptr) request.enables = UnpackEnables(message.enables, bytes);
  const auto nic = directory_->find(source);
  if (nic != directory_->end() && message.tag < nic->second->transactions_.size()) {
    request.initiator = nic->second->transactions_[message.tag].payload;
  }
  return request;
}

/// A part of a put has ended; the answer goes when all have. The first part that fails says how it ended.
void Nic::Written(IncomingKey key, std::uint32_t bytes, tlm::tlm_response_status status, Cycle at) {
  Incoming& incoming = incoming_.at(key);
  incoming.missing -= bytes;
  if (status != tlm::TLM_OK_RESPONSE) incoming.refused += bytes;
  if (incoming.status == tlm::TLM_OK_RESPONSE) incoming.status = status;
  incoming.latest = std::max(incoming.latest, at);
  if (incoming.missing != 0) return;
  if (incoming.refused != 0 && incoming.refused != incoming.total) ReportRefused(key.first, incoming);
  Message answer{};
  answer.kind = MessageKind::kPutDone;
  answer.tag = key.second;
  answer.status = incoming.status;
  const Cycle written = incoming.latest;
  if (incoming.status == tlm::TLM_OK_RESPONSE) doorbell_.Ring({key.first, incoming.offset, incoming.total}, written);
  incoming_.erase(key);
  Send(key.first, answer, written);
}

/// The parts of a put are operations of their own: those that the memory took are written, whatever becomes of the
/// others.
void Nic::ReportRefused(std::uint32_t source, const Incoming& put) const {
  tlm::tlm_generic_payload answered;
  answered.set_response_status(put.status);
  SC_REPORT_WARNING(
      "tilefly/nic",
      (name() + std::string(": a put of ") + std::to_string(put.total) + " bytes from " + NameOf(source) +
       " at byte " + std::to_string(put.offset) + " ends with " + answered.get_response_string() +
       ": the memory refused " + std::to_string(put.refused) + " bytes of it, the others are written")
          .c_str());
}

void Nic::Get(std::uint32_t source, const Message& message, Cycle at) {
  Message answer{};
  answer.kind = MessageKind::kGetData;
  answer.tag = message.tag;
  answer.total = message.total;
  answer.offset = message.offset;
  memory_.Ask(RequestOf(source, message, message.total), at,
              [this, source, answer](tlm::tlm_response_status status, const std::vector<std::uint8_t>& data, Cycle end) mutable {
                answer.status = status;
                if (status == tlm::TLM_OK_RESPONSE) {
                  SendParts(source, answer, data.data(), nullptr, end);
                } else {
                  Send(source, answer, end);
                }
              });
}

/// Bytes that are not enabled stay as they are. An error stands for all that its request asked for.
void Nic::TakeData(const Message& message, Cycle at) {
  Transaction& transaction = transactions_[message.tag];
  transaction.latest = std::max(transaction.latest, at);
  if (message.status != tlm::TLM_OK_RESPONSE) {
    if (transaction.status == tlm::TLM_OK_RESPONSE) transaction.status = message.status;
    transaction.missing -= message.total;
  } else {
    const auto size = static_cast<std::size_t>(message.size);
    const std::size_t first = message.offset - transaction.offset;
    std::uint8_t* const data = transaction.payload->get_data_ptr() + first;
    if (transaction.payload->get_byte_enable_ptr() == nullptr) {
      std::copy_n(message.data, size, data);
    } else {
      for (std::size_t i = 0; i < size; ++i) {
        if (IsEnabled(*transaction.payload, first + i)) data[i] = message.data[i];
      }
    }
    transaction.missing -= static_cast<std::uint32_t>(message.size);
  }
  if (transaction.missing == 0) End(message.tag, transaction.status, transaction.latest);
}

void Nic::End(std::uint16_t tag, tlm::tlm_response_status status, Cycle at) {
  tlm::tlm_generic_payload* const payload = transactions_[tag].payload;
  transactions_[tag] = {};
  free_tags_.push_back(tag);
  --outstanding_;
  payload->set_response_status(status);
  host_.Done(payload, at);
}

/// For messages: its module, or where there is none of the directory's the address.
std::string Nic::NameOf(std::uint32_t address) const {
  const auto nic = directory_->find(address);
  return nic != directory_->end() ? nic->second->name() : "NIC " + std::to_string(address);
}

void Nic::ReportWaiting() const {
  if (const std::string waiting = Waiting(); !waiting.empty()) SC_REPORT_WARNING("tilefly/nic", waiting.c_str());
}

std::string Nic::Waiting() const {
  std::string lines;
  const auto line = [&](const std::string& what) { lines += std::string(name()) + ": " + what + "\n"; };
  for (const Transaction& transaction : transactions_) {
    if (transaction.payload == nullptr) continue;
    line(std::string(transaction.payload->is_write() ? "a put" : "a get") + " of " +
         std::to_string(transaction.payload->get_data_length()) + " bytes waits for " + NameOf(transaction.remote));
  }
  if (const std::string response = host_.Waiting(); !response.empty()) line(response);
  if (fabric.queued() != 0) line(std::to_string(fabric.queued()) + " packets wait for credits of lane " +
                                 std::to_string(fabric.options().vl));
  if (memory_.pending() != 0) line(std::to_string(memory_.pending()) + " operations wait for the memory");
  return lines;
}

}  // namespace tilefly::systemc
