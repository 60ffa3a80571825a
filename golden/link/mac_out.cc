// SPDX-License-Identifier: Apache-2.0
#include "golden/link/mac_out.h"

#include "golden/common/stage_times.h"
#include "golden/link/control_frame.h"

namespace tilefly::golden {

void MacOut::Queue(const Departure& departure, const Framer::EthHeader& eth, bool retries) {
  if (!departure.has_words()) return;
  frames_.AddUse(departure.payload);  // for the words
  frames_.AddUse(departure.payload);  // for the count
  const int words = departure.format.words;
  const Cycle first = departure.take + (retries ? kTakeToRetry : kTakeToWire);
  sending_.push_back(
      {first, departure.serdes_lanes, words, 0, departure.payload, Framer(departure, eth), {}});
  last_reads_.push_back(
      {departure.take + kTakeToRead + WordOffset(words - 1, departure.serdes_lanes), departure.payload});
}

void MacOut::Queue(const PauseFrame& pause) {
  sending_.push_back({pause.take + kTakeToWire, pause.serdes_lanes, CeilDiv(kMinStdBytes, kWordBytes), 0, kNone,
                      Framer({}, {}), MakePause(pause.address, pause.quanta)});
}

Link MacOut::Output(Cycle now) {
  Link link;
  if (!sending_.empty() &&
      now == sending_.front().first + WordOffset(sending_.front().next, sending_.front().serdes_lanes)) {
    Sending& sending = sending_.front();
    const int k = sending.next++;
    link.word = sending.frame == kNone ? WordOf(sending.pause.data(), kMinStdBytes, k)
                                       : sending.framer.MakeWord(k, frames_[sending.frame]);
    if (sending.next == sending.words) {
      if (sending.frame != kNone) frames_.DropUse(sending.frame);
      sending_.pop_front();
    }
  }
  if (!credits_.empty() && credits_.front().wire == now) {
    link.ctrl.credit_valid = true;
    link.ctrl.credit_vl = credits_.front().message.vl;
    link.ctrl.credit_cells = credits_.front().message.cells;
    credits_.pop_front();
  }
  if (!acks_.empty() && acks_.front().wire == now) {
    PutAck(acks_.front().ack, &link.ctrl);
    acks_.pop_front();
  }
  if (!flow_pauses_.empty() && flow_pauses_.front().wire == now) {
    PutPause(flow_pauses_.front().pause, &link.ctrl);
    flow_pauses_.pop_front();
  }
  return link;
}

bool MacOut::StompedRead(Cycle now) {
  if (last_reads_.empty() || last_reads_.front().cycle != now) return false;
  const Index frame = last_reads_.front().frame;
  last_reads_.pop_front();
  const bool stomped = frames_[frame].bad;
  frames_.DropUse(frame);
  return stomped;
}

}  // namespace tilefly::golden
