// SPDX-License-Identifier: Apache-2.0
// The RTL behind pins: every word, control slot and answer of the register bus as golden has it, in every cycle.
#include <gtest/gtest.h>

#include "cosim/endpoint/endpoint.h"
#include "cosim/golden_device.h"
#include "cosim/traffic/generator.h"
#include "golden/common/register_write.h"
#include "runs/switch/run_options.h"
#include "systemc/rtl/rtl_switch.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/simulation.h"

namespace tilefly::systemc {
namespace {

/// Link partners of golden that drive the pins, too, in the middle of each cycle.
class PinPartners final : public sc_core::sc_module, private cosim::FrameSink {
 public:
  PinPartners(sc_core::sc_module_name name, const cosim::SwitchSetup& setup, const cosim::GeneratorOptions& traffic,
              const sc_core::sc_clock& clock)
      : sc_module(name),
        golden_(kTile8),
        rtl_("rtl", kTile8),
        source_(setup, traffic, 1),
        word_in_("word_in", kTile8.ports),
        word_out_("word_out", kTile8.ports),
        ctrl_in_("ctrl_in", kTile8.ports),
        ctrl_out_("ctrl_out", kTile8.ports),
        link_up_("link_up", kTile8.ports) {
    rtl_.clk_i(clock);
    rtl_.cfg_i(cfg_);
    rtl_.rdata_o(rdata_);
    rtl_.word_i(word_in_);
    rtl_.word_o(word_out_);
    rtl_.ctrl_i(ctrl_in_);
    rtl_.ctrl_o(ctrl_out_);
    rtl_.link_up_i(link_up_);
    for (int p = 0; p < kTile8.ports; ++p) {
      endpoints_.push_back(std::make_unique<cosim::Endpoint>(setup, p, cosim::StallOptions{}, 1, &source_,
                                                             static_cast<cosim::FrameSink*>(this)));
    }
    inputs_.links.resize(endpoints_.size());
    inputs_.link_up.assign(endpoints_.size(), true);
    for (const Cfg& write : setup.Writes()) bus.push_back(write);
    source_.Begin(static_cast<Cycle>(bus.size()) + 16);
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&clock.negedge_event());
    sc_core::sc_spawn([this] { Middle(); }, "middle", &options);
  }

  std::deque<Cfg> bus;               ///< accesses of the register bus, one a cycle
  std::vector<std::uint64_t> answers;
  std::map<int, Word> words;         ///< to be put on a port in the next cycle, in the place of its partner's
  std::map<int, bool> link_up;       ///< a link's state from the next cycle on
  int busy = 0;                      ///< words and control slots that were compared
  cosim::GoldenDevice& golden() { return golden_; }
  void Close() { source_.Close(); }
  int received = 0;

 private:
  void Sent(const cosim::FramePtr&, Cycle, Cycle) override {}
  void Received(const cosim::Reception&) override { ++received; }

  void Middle() {
    const Cycle now = golden_.cycle();
    ASSERT_EQ(now, fabric::CycleAt(sc_core::sc_time_stamp()) - 1);
    const std::vector<Link>& outputs = golden_.Outputs();
    for (std::size_t p = 0; p < endpoints_.size(); ++p) {
      busy += outputs[p].word.valid + outputs[p].ctrl.credit_valid;
      EXPECT_TRUE(FromPins<Word>(word_out_[p].read()) == outputs[p].word) << "port " << p << ", cycle " << now;
      EXPECT_TRUE(FromPins<Ctrl>(ctrl_out_[p].read()) == outputs[p].ctrl) << "port " << p << ", cycle " << now;
      inputs_.links[p] = Link{};
      endpoints_[p]->Drive(now, &inputs_.links[p]);
      endpoints_[p]->Receive(now, outputs[p]);
      if (words.count(static_cast<int>(p)) != 0) inputs_.links[p].word = words.at(static_cast<int>(p));
      if (link_up.count(static_cast<int>(p)) != 0) inputs_.link_up[p] = link_up.at(static_cast<int>(p));
      word_in_[p].write(ToPins(inputs_.links[p].word));
      ctrl_in_[p].write(ToPins(inputs_.links[p].ctrl));
      link_up_[p].write(inputs_.link_up[p]);
    }
    words.clear();
    inputs_.cfg = bus.empty() ? Cfg{} : bus.front();
    if (!bus.empty()) bus.pop_front();
    cfg_.write(ToPins(inputs_.cfg));
    const auto answer = FromPins<ReadAnswer>(rdata_.read());
    if (answer.valid) answers.push_back(answer.data);
    golden_.Step(inputs_);
  }

  cosim::GoldenDevice golden_;
  RtlSwitch rtl_;
  cosim::Generator source_;
  std::vector<std::unique_ptr<cosim::Endpoint>> endpoints_;
  cosim::Device::Inputs inputs_;
  sc_core::sc_vector<sc_core::sc_signal<Pins<Word>>> word_in_;
  sc_core::sc_vector<sc_core::sc_signal<Pins<Word>>> word_out_;
  sc_core::sc_vector<sc_core::sc_signal<Pins<Ctrl>>> ctrl_in_;
  sc_core::sc_vector<sc_core::sc_signal<Pins<Ctrl>>> ctrl_out_;
  sc_core::sc_vector<sc_core::sc_signal<bool>> link_up_;
  sc_core::sc_signal<Pins<Cfg>> cfg_;
  sc_core::sc_signal<Pins<ReadAnswer>> rdata_;
};

Cfg ReadOf(int port, int counter) { return golden::ReadRegister(port, CfgSpace::kCounter, counter); }

TEST(RtlSwitch, ShowsWhatGoldenDoesInEveryCycle) {
  InChild([] {
    const Cycle cycles = CyclesOf(4000);
    cosim::GeneratorOptions traffic;
    traffic.load = 0.6;
    traffic.size = "64*3,1024";
    cosim::SwitchSetup setup(kTile8, runs::ParsePortKinds("mixed", kTile8.ports), 4);
    setup.SetFloods(0, setup.all_ports(), setup.all_ports());
    const sc_core::sc_clock clock("clock", fabric::TimeOf(1));
    PinPartners partners("partners", setup, traffic, clock);
    sc_core::sc_start(fabric::TimeOf(cycles));
    EXPECT_GT(partners.busy, cycles);  // of 8 ports, 16 would be all
    EXPECT_GT(partners.received, cycles / 10);
    partners.Close();
    sc_core::sc_start(fabric::TimeOf(3000));

    // A word outside any packet is counted, but not by a port whose link is down.
    const int stray = static_cast<int>(Counter::kRxStray);
    Word word;
    word.valid = word.enh = true;
    partners.link_up[3] = false;
    sc_core::sc_start(fabric::TimeOf(20));
    partners.words[2] = partners.words[3] = word;
    sc_core::sc_start(fabric::TimeOf(20));
    const int sent = static_cast<int>(Counter::kTxPackets);
    for (const auto& [port, counter] : {std::pair{2, stray}, {3, stray}, {0, sent}}) partners.bus.push_back(ReadOf(port, counter));
    sc_core::sc_start(fabric::TimeOf(20));
    EXPECT_EQ(partners.answers, (std::vector<std::uint64_t>{1, 0, partners.golden().Counter(0, sent)}));
    EXPECT_GT(partners.answers.back(), 100u);
  });
}

TEST(RtlSwitch, GoesOnThroughCyclesWithoutAnEdge) {
  InChild([] {
    sc_core::sc_signal<bool> clk("clk");
    sc_core::sc_vector<sc_core::sc_signal<Pins<Word>>> words("words", kTile8.ports), words_out("words_out", kTile8.ports);
    sc_core::sc_vector<sc_core::sc_signal<Pins<Ctrl>>> ctrl("ctrl", kTile8.ports), ctrl_out("ctrl_out", kTile8.ports);
    sc_core::sc_vector<sc_core::sc_signal<bool>> up("up", kTile8.ports);
    sc_core::sc_signal<Pins<Cfg>> cfg("cfg");
    sc_core::sc_signal<Pins<ReadAnswer>> rdata("rdata");
    RtlSwitch rtl("rtl", kTile8);
    rtl.clk_i(clk);
    rtl.word_i(words);
    rtl.ctrl_i(ctrl);
    rtl.word_o(words_out);
    rtl.ctrl_o(ctrl_out);
    rtl.link_up_i(up);
    rtl.cfg_i(cfg);
    rtl.rdata_o(rdata);
    const auto edge_at = [&](Cycle cycle) {
      sc_core::sc_start(fabric::UntilCycle(cycle));
      clk.write(true);
      sc_core::sc_start(fabric::TimeOf(1) / 2);
      clk.write(false);
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
    };
    edge_at(100);
    EXPECT_EQ(rtl.Next(), kNever);  // quiet
    cfg.write(ToPins(ReadOf(1, static_cast<int>(Counter::kRxPackets))));
    edge_at(5000);  // ends 4999, whose read is answered in 5007
    EXPECT_EQ(rtl.Next(), 5000);
    cfg.write(ToPins(Cfg{}));
    edge_at(5006);
    EXPECT_FALSE(FromPins<ReadAnswer>(rdata.read()).valid);
    edge_at(5007);
    EXPECT_TRUE(FromPins<ReadAnswer>(rdata.read()).valid);
    edge_at(5008);
    EXPECT_FALSE(FromPins<ReadAnswer>(rdata.read()).valid);
    EXPECT_EQ(rtl.Next(), kNever);
  });
}

}  // namespace
}  // namespace tilefly::systemc
