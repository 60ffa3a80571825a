// SPDX-License-Identifier: Apache-2.0
// What of an initiator's payload reaches the remote memory: byte enables and extensions, by transport and debug alike
// (docs/systemc.md, Byte enables, Extensions).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "systemc/nic/byte_enables.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

const std::uint64_t kFar = Nic::AddressOf(NicPair::kRight, 0);

/// Who asks, of a platform that says so.
struct Asker final : tlm::tlm_extension<Asker> {
  explicit Asker(int number) : number(number) { ++there; }
  ~Asker() override { --there; }
  tlm::tlm_extension_base* clone() const override { return new Asker(number); }
  void copy_from(const tlm::tlm_extension_base& other) override { number = static_cast<const Asker&>(other).number; }
  int number;
  static int there;  ///< objects
};
int Asker::there = 0;

/// Cannot be copied.
struct Bound final : tlm::tlm_extension<Bound> {
  tlm::tlm_extension_base* clone() const override { return nullptr; }
  void copy_from(const tlm::tlm_extension_base&) override {}
};

/// A memory that keeps what it was asked.
class Witness final : public sc_core::sc_module {
 public:
  explicit Witness(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_b_transport(this, &Witness::Access);
    socket.register_transport_dbg(this, &Witness::Debug);
  }
  tlm_utils::simple_target_socket<Witness> socket{"socket"};
  std::vector<int> askers;  ///< of each operation; -1: none was told
  std::vector<unsigned> lengths;
  int bound = 0;            ///< operations with the other extension
  int same = 0;             ///< operations with the initiator's own object
  const Asker* own = nullptr;

 private:
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    Debug(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned Debug(tlm::tlm_generic_payload& payload) {
    Asker* const asker = payload.get_extension<Asker>();
    askers.push_back(asker == nullptr ? -1 : asker->number);
    lengths.push_back(payload.get_data_length());
    bound += payload.get_extension<Bound>() != nullptr;
    same += asker != nullptr && asker == own;
    if (asker != nullptr) asker->number = 1000;
    return payload.get_data_length();
  }
};

/// A processor at the left NIC, `memory` at the right one.
template <typename Memory>
void RunPayloads(bool loosely_timed, Memory* memory, const Cpu::Program& program) {
  NicPair nics(loosely_timed, loosely_timed);
  Cpu cpu("cpu", program);
  cpu.socket.bind(nics.left.host());
  nics.right.memory().bind(memory->socket);
  sc_core::sc_start();
  EXPECT_TRUE(cpu.finished);
  EXPECT_EQ(nics.left.Waiting() + nics.right.Waiting(), "");
  EXPECT_EQ(nics.pool.held(), 0u);
}

void Describe(tlm::tlm_generic_payload* payload, bool put, std::uint64_t at, std::vector<std::uint8_t>* data) {
  payload->set_command(put ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload->set_address(kFar + at);
  payload->set_data_ptr(data->data());
  payload->set_data_length(static_cast<unsigned>(data->size()));
  payload->set_streaming_width(payload->get_data_length());
}

TEST(Extensions, CopiesGoWithEachOperation) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      Witness witness("witness");
      RunPayloads(loosely_timed, &witness, [&witness](Cpu& cpu) {
        Asker asker(7);
        Bound bound;
        witness.own = &asker;
        std::vector<std::uint8_t> data(10000);
        tlm::tlm_generic_payload payload;
        payload.set_extension(&asker);
        payload.set_extension(&bound);
        for (const bool put : {true, false}) {
          Describe(&payload, put, 0, &data);
          EXPECT_EQ(cpu.Access(&payload), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(cpu.socket->transport_dbg(payload), 10000u);
          EXPECT_EQ(asker.number, 7);
          EXPECT_EQ(payload.get_extension<Asker>(), &asker);
        }
        EXPECT_EQ(Asker::there, 1);
        payload.clear_extension(&asker);
        payload.clear_extension(&bound);
        EXPECT_EQ(cpu.Access(&payload), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(cpu.socket->transport_dbg(payload), 10000u);
      });
      // A put of three parts and its debug access, a get and its debug access; then those without.
      EXPECT_EQ(witness.lengths, (std::vector<unsigned>{4096, 4096, 1808, 10000, 10000, 10000, 10000, 10000}));
      EXPECT_EQ(witness.askers, (std::vector<int>{7, 7, 7, 7, 7, 7, -1, -1}));
      EXPECT_EQ(witness.bound, 0);
      EXPECT_EQ(witness.same, 0);
    });
  }
}

/// Byte enables of all kinds of patterns, and whether byte `i` of an access is enabled.
struct Pattern8 {
  std::vector<std::uint8_t> enables;
  bool At(std::size_t i) const { return enables[i % enables.size()] == TLM_BYTE_ENABLED; }
};
std::vector<Pattern8> Patterns(std::size_t bytes) {
  std::vector<Pattern8> all = {{{0xFF}}, {{0x00}}, {{0xFF, 0x00}}, {{0x00, 0xFF, 0xFF}}, {{0xFF, 0, 0, 0, 0, 0, 0, 0xFF}}};
  Pattern8 whole;
  for (std::size_t i = 0; i < bytes + 3; ++i) whole.enables.push_back(i * i % 7 < 3 ? 0xFF : 0x00);
  all.push_back(whole);
  return all;
}

enum class Way { kBlocking, kDebug };

/// Writes `bytes` bytes at an odd address over a background, and reads them back over another, with each pattern.
void ExpectEnabledBytesAlone(Cpu* cpu, Memory* memory, std::size_t bytes, Way way) {
  constexpr std::uint64_t kAt = 77;
  for (const Pattern8& pattern : Patterns(bytes)) {
    std::vector<std::uint8_t> sent = Pattern(bytes, 1);
    std::vector<std::uint8_t> got(bytes, 0x22);
    std::fill(memory->bytes.begin(), memory->bytes.end(), 0x11);
    std::vector<std::uint8_t> wanted_there(memory->bytes);
    std::vector<std::uint8_t> wanted_here(got);
    for (std::size_t i = 0; i < bytes; ++i) {
      if (pattern.At(i)) wanted_there[kAt + i] = wanted_here[i] = sent[i];
    }
    std::vector<std::uint8_t> enables = pattern.enables;
    tlm::tlm_generic_payload payload;
    payload.set_byte_enable_ptr(enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    for (const bool put : {true, false}) {
      Describe(&payload, put, kAt, put ? &sent : &got);
      if (!put) {  // so that what is not enabled would be seen
        for (std::size_t i = 0; i < bytes; ++i) {
          if (!pattern.At(i)) memory->bytes[kAt + i] = 0x33;
        }
      }
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      if (way == Way::kDebug) {
        payload.set_gp_option(tlm::TLM_FULL_PAYLOAD);
        EXPECT_EQ(cpu->socket->transport_dbg(payload), bytes);
        EXPECT_EQ(payload.get_gp_option(), tlm::TLM_FULL_PAYLOAD_ACCEPTED);
      } else {
        EXPECT_EQ(cpu->Access(&payload), tlm::TLM_OK_RESPONSE);
      }
      if (put) EXPECT_TRUE(memory->bytes == wanted_there) << bytes << " bytes, " << enables.size() << " enables";
    }
    EXPECT_TRUE(got == wanted_here) << bytes << " bytes, " << enables.size() << " enables";
  }
}

TEST(ByteEnables, EnabledBytesAloneAreWrittenAndRead) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      Memory memory("memory", kMemory, sc_core::sc_time(50, sc_core::SC_NS));
      RunPayloads(loosely_timed, &memory, [&memory](Cpu& cpu) {
        for (const std::size_t bytes : {1, 7, 8, 9, 3583, 3584, 3585, 4097, 32768, 32769, 100001}) {
          ExpectEnabledBytesAlone(&cpu, &memory, bytes, Way::kBlocking);
          ExpectEnabledBytesAlone(&cpu, &memory, bytes, Way::kDebug);
        }
      });
    });
  }
}

/// A debug access of the smallest payload has none, whatever the pointer says.
TEST(ByteEnables, OfASmallestPayloadAreNotLookedAtByDebug) {
  InChild([] {
    Memory memory("memory", kMemory, sc_core::SC_ZERO_TIME);
    RunPayloads(true, &memory, [&memory](Cpu& cpu) {
      std::vector<std::uint8_t> sent = Pattern(10, 1);
      std::uint8_t disabled = TLM_BYTE_DISABLED;
      tlm::tlm_generic_payload payload;
      Describe(&payload, true, 0, &sent);
      payload.set_byte_enable_ptr(&disabled);
      payload.set_byte_enable_length(1);
      EXPECT_EQ(cpu.socket->transport_dbg(payload), 10u);
      EXPECT_TRUE(std::equal(sent.begin(), sent.end(), memory.bytes.begin()));
      EXPECT_EQ(payload.get_gp_option(), tlm::TLM_MIN_PAYLOAD);
      // The others are held to the rules of transport.
      disabled = 1;
      payload.set_gp_option(tlm::TLM_FULL_PAYLOAD);
      EXPECT_EQ(cpu.socket->transport_dbg(payload), 0u);
      EXPECT_EQ(payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    });
  });
}

/// Refuses the second quarter of what it is asked for.
struct Choosy final : sc_core::sc_module {
  explicit Choosy(sc_core::sc_module_name name) : sc_module(name) { socket.register_b_transport(this, &Choosy::Access); }
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    ++operations;
    payload.set_response_status(payload.get_address() == Message::kMostEnabledGet ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                                                                  : tlm::TLM_OK_RESPONSE);
  }
  tlm_utils::simple_target_socket<Choosy> socket{"socket"};
  int operations = 0;
};

/// A get in several requests ends when all are answered, with the first error.
TEST(ByteEnables, AGetOfWhichTheMemoryRefusesAPartIsAnError) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      Choosy memory("memory");
      RunPayloads(loosely_timed, &memory, [](Cpu& cpu) {
        std::vector<std::uint8_t> got(4 * Message::kMostEnabledGet);
        std::uint8_t enabled = TLM_BYTE_ENABLED;
        tlm::tlm_generic_payload payload;
        Describe(&payload, false, 0, &got);
        payload.set_byte_enable_ptr(&enabled);
        payload.set_byte_enable_length(1);
        EXPECT_EQ(cpu.Access(&payload), tlm::TLM_COMMAND_ERROR_RESPONSE);
        EXPECT_EQ(cpu.Read(kFar, &got), tlm::TLM_OK_RESPONSE);
      });
      EXPECT_EQ(memory.operations, 4 + 1);
    });
  }
}

/// The page's costs: a bit for each byte of a put, and of a get's request.
TEST(ByteEnables, TakeABitForEachByteOnTheWire) {
  const std::vector<std::uint8_t> data = Pattern(1000, 1);
  std::vector<std::uint8_t> bits(EnableBytes(1000), 0xA5);
  Message message{};
  message.kind = MessageKind::kPut;
  message.total = 1000;
  message.data = data.data();
  message.size = 1000;
  const std::size_t plain = MakeFrame(1, 2, message)->size();
  message.enables = bits.data();
  message.enable_bytes = static_cast<int>(bits.size());
  const auto frame = MakeFrame(1, 2, message);
  EXPECT_EQ(frame->size(), plain + 125);
  const std::optional<Message> read = ReadFrame(*frame);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size, 1000);
  EXPECT_TRUE(std::equal(data.begin(), data.end(), read->data));
  ASSERT_EQ(read->enable_bytes, 125);
  EXPECT_TRUE(std::equal(bits.begin(), bits.end(), read->enables));
  message.enable_bytes = 124;  // not those of 1000 bytes
  EXPECT_FALSE(ReadFrame(*MakeFrame(1, 2, message)));
}

}  // namespace
}  // namespace tilefly::systemc
