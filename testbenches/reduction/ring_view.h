// SPDX-License-Identifier: Apache-2.0
// A segment's way round the ring in the waves of a comparison: the last child's port in, the CFU's launch, step by step
// the half rings, where they meet, the result's fifo, the return ring, row R. Values that are compared, and RTL's own
// signals of red_tile and tilefly_cfu.
#pragma once

#include <string>

#include "cosim/common/story.h"
#include "generated/profile.h"
#include "generated/wire.h"
#include "testbenches/bench/wave_story.h"

namespace tilefly::bench {

class RingView {
 public:
  RingView(const Profile& profile, const cosim::Story& story) : profile_(profile), story_(story) {}

  WaveStory Steps() const {
    const int in = story_.input, out = story_.output;
    WaveStory view{story_.title, story_.from, story_.to, story_.marker, {}};
    view.steps.push_back({"port " + std::to_string(in) + ": words of the last part come in",
                          {},
                          {{OwnPort(in) + ".word_i"}, {OwnPort(in) + ".data_i", kDataBits}}});
    view.steps.push_back({"port " + std::to_string(in) + ": the part is there", OfPort(in, "obs", {"ev", "code"})});
    view.steps.push_back({"CFU: launch", {"cfu.obs.launch_valid", "cfu.obs.launch_number", "cfu.obs.launch_index"}});
    for (const int port : story_.parts) view.steps.push_back(Step(port));
    view.steps.push_back(Meeting());
    view.steps.push_back(
        {"return ring, lanes U (to a parent) and D, as they leave the tile of port " + std::to_string(out),
         {},
         {{Combiner(out) + ".gen_return[0].word_q", RedReturn::kWidth},
          {Combiner(out) + ".gen_return[1].word_q", RedReturn::kWidth}}});
    view.steps.push_back(
        {"result fifo of port " + std::to_string(out), OfPort(out, "obs", {"done_valid", "done_lane"})});
    view.steps.push_back({"row R, port " + std::to_string(out) + ": request", Requests(out)});
    view.steps.push_back({"row R, port " + std::to_string(out) + ": cells of the result", Cells(out)});
    return view;
  }

 private:
  static constexpr int kDataBits = 256;

  static std::string Port(int port) { return "port_" + std::string(port < 10 ? "0" : "") + std::to_string(port); }
  static std::vector<std::string> OfPort(int port, const std::string& group, const std::vector<std::string>& fields) {
    std::vector<std::string> names;
    for (const std::string& field : fields) names.push_back(Port(port) + "." + group + "." + field);
    return names;
  }
  static std::vector<std::string> Requests(int port) {
    std::vector<std::string> names = OfPort(port, "req", {"src", "vl", "cells"});
    names.insert(names.begin(), Port(port) + ".req_valid");
    return names;
  }
  /// Of the 48 bytes of a cell the first and the last 8.
  static std::vector<std::string> Cells(int port) {
    std::vector<std::string> names = OfPort(port, "cell", {"sop", "eop", "data_0", "data_320"});
    names.insert(names.begin(), Port(port) + ".cell_valid");
    return names;
  }
  std::string Tile(int port) const {
    const int tile = port >> 1;
    return "tile_r" + std::to_string(tile / profile_.cols) + "_c" + std::to_string(tile % profile_.cols) + ".red_tile";
  }
  std::string OwnPort(int port) const { return Tile(port) + ".gen_port[" + std::to_string(port & 1) + "].u_port"; }
  std::string Combiner(int port) const { return Tile(port) + ".u_combiner"; }

  /// The step of a port on lane UP: what comes, the port's own part, what goes on some cycles later.
  WaveStory::Step Step(int port) const {
    const std::string half = port < profile_.ports / 2 ? "0" : "1";
    WaveStory::Step step{"half ring " + half + ", step of port " + std::to_string(port),
                         OfPort(port, "obs", {"step_valid", "step_index", "step_part", "step_operands"})};
    const std::string own = Combiner(port) + ".gen_ring_lane[0].u_port_" + std::to_string(port & 1);
    for (const char* word : {"word_i", "other_i", "word_o"}) {
      const std::string there = word == std::string("other_i") ? ".used" : ".valid";  // a part: the port has operands
      step.own.push_back({own + "." + word + there});
      step.own.push_back({own + "." + word + ".data", kDataBits});
    }
    return step;
  }
  static WaveStory::Step Meeting() {
    WaveStory::Step step{
        "CFU: the half rings meet",
        {"cfu.obs.meet_valid", "cfu.obs.meet_index", "cfu.obs.meet_operands", "cfu.obs.meet_mismatch"}};
    for (const char* word : {"half0", "half1"}) {
      const std::string own = std::string("cfu.tilefly_cfu.u_observer.") + word;
      step.own.push_back({own + ".valid"});
      step.own.push_back({own + ".data", kDataBits});
    }
    return step;
  }

  const Profile& profile_;
  const cosim::Story& story_;
};

}  // namespace tilefly::bench
