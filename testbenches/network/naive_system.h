// SPDX-License-Identifier: Apache-2.0
// A system as the page says it, without any shortcut: every switch is stepped in every cycle, every NIC looks in every
// cycle, what is on a link waits in a map by its cycle. Slow, and written apart from network.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/naive_nic.h"
#include "testbenches/network/naive_pauses.h"
#include "testbenches/network/naive_repeats.h"

namespace tilefly::network {

class NaiveSystem {
 public:
  /// Switches, registers, wiring and traffic of `network`, which has not run.
  explicit NaiveSystem(const Network& network) : network_(network), nics_(network.topology().endpoints.size()) {
    const auto& options = network.options();
    for (int n = 0; n < network.nodes(); ++n)
      switches_.push_back(std::make_unique<golden::Switch>(network.profile(), options.scheduler));
    repeats_ = NaiveRepeats(network, &switches_, [&](int endpoint) { return &nics_[endpoint].credits; });
    for (int n = 0; n < network.nodes(); ++n) {
      Cycle bus = 0;
      for (const Cfg& write : network.WritesOf(n)) writes_[bus++].push_back({n, write});
    }
    for (NaiveNic& nic : nics_) nic.outstanding = NaiveOutstanding(network.options(), network.nics().window);
    const bool jobs = network.options().hosts.used();
    if (jobs) MakeHosts();
    if (jobs && !network.options().background) return;
    for (std::size_t e = 0; e < nics_.size(); ++e) {
      if (jobs && hosts_[e].run != nullptr) continue;
      if (const auto source = network.nics().traffic->Begin(static_cast<int>(e), network.nics().begin)) {
        nics_[e].source = *source;
        nics_[e].sends = true;
      }
    }
  }

  /// Registers of a switch that are written while traffic runs, on its register bus in these cycles.
  void WriteLater(int n, const std::vector<Node::LateWrite>& writes) {
    for (const Node::LateWrite& late : writes) writes_[late.bus].push_back({n, late.write});
  }

  /// Is called after every step of every switch, with its observation record.
  using OnStep =
      std::function<void(int node, Cycle now, const golden::Switch& device, const golden::SwitchObservation& observed)>;

  std::vector<Delivery> Run(Cycle end, const OnStep& on_step = {}) {
    std::vector<golden::SwitchObservation> observed(on_step ? switches_.size() : 0);
    for (std::size_t n = 0; n < observed.size(); ++n) switches_[n]->Observe(&observed[n]);
    for (Cycle now = 0; now < end; ++now) {
      for (const auto& [n, write] : writes_[now]) switches_[n]->Write(now, write);
      for (const NaiveRepeats::AtNic& one : repeats_.ReceiveAtNics(now)) GetAtNic(one);
      for (const auto& [e, payload] : arrivals_[now]) {
        if (!repeats_.attempts().broken(payload)) ArrivePacket(e, repeats_.attempts().OriginOf(payload), now);
      }
      arrivals_.erase(now);
      DriveNics(now);
      for (const auto& [n, port, packet, payload] : packets_[now]) Tell(n, port, now, packet, payload);
      for (const auto& [n, port, credit] : credits_[now]) switches_[n]->Credit(port, now, credit.vl, credit.cells);
      for (const auto& [n, port, ack] : acks_[now]) switches_[n]->Ack(port, now, ack);
      repeats_.Before(now);
      for (int n = 0; n < network_.nodes(); ++n) {
        switches_[n]->Step(now);
        Collect(n);
        CollectAcks(n);
        CollectPauses(n);
        if (on_step) on_step(n, now, *switches_[n], observed[n]);
      }
      repeats_.After(now);
      for (const auto& [e, credit] : nic_credits_[now])
        nics_[e].credits.Return(credit.vl, credit.cells, network_.nics().credits);
      for (const auto& [e, flow] : nic_acks_[now]) nics_[e].outstanding.Acknowledge(flow, now + 1);
      for (const auto& [e, pause] : nic_pauses_[now]) nics_[e].pauses.Take(now, pause);
      HearAcks(now);
      nic_pauses_.erase(now);
      nic_acks_.erase(now);
      packets_.erase(now);
      credits_.erase(now);
      acks_.erase(now);
      nic_credits_.erase(now);
      writes_.erase(now);
    }
    return deliveries_;
  }
  /// How many of the deliveries are of attempts that were broken off.
  std::int64_t CountBroken() const {
    return std::count_if(delivered_.begin(), delivered_.end(),
                         [&](golden::Payload one) { return repeats_.attempts().broken(one); });
  }
  std::uint64_t ReadCounter(int n, int port, int index) const { return switches_[n]->ReadCounter(port, index); }
  void CountCyclesBefore(Cycle end) { repeats_.CountCyclesBefore(end); }
  const NaiveRepeats& repeats() const { return repeats_; }
  /// Acks that are under way to NICs or there, and the sum of their cycles on the NICs' links.
  std::int64_t acks_of_nics = 0;
  Cycle ack_cycles_of_nics = 0;
  /// Sum of the cycles of first words on the NICs' links.
  Cycle sent_cycles_of_nics = 0;
  /// Sums over the NICs.
  NaiveWaits waits;
  std::int64_t resent = 0, duplicates = 0, given_up = 0, late_copies = 0;
  /// Packets, and messages, that went behind later ones of their class because their flows were paused.
  std::int64_t put_aside = 0;
  std::size_t most_aside = 0;  ///< at one NIC
  std::int64_t pauses() const {
    std::int64_t sum = 0;
    for (const NaiveNic& nic : nics_) sum += nic.pauses.taken();
    return sum;
  }

 private:
  struct NaiveNic {
    bool sends = false;
    Traffic::Source source;  ///< of the packet that is created next
    std::map<int, std::deque<Traffic::NewPacket>> queues;
    int turn = 0;  ///< the queue that is asked first
    Cycle link_free = 0;
    NaiveOutstanding outstanding;
    NaivePauses pauses;
    golden::CreditSender credits;
    std::array<std::uint16_t, golden::kMaxLanes> freed{};
  };
  struct ToSwitch {
    int node;
    int port;
    golden::HeaderBits header;
    golden::Payload payload;
  };
  /// A message that a rank sends.
  struct Sending {
    workload::Posted message;
    int packet = 0;
    Cycle ready = 0;  ///< of the packet that is next
  };
  /// A rank, the message that it sends, and those that were put aside.
  struct NaiveHost {
    std::unique_ptr<workload::RankRun> run;
    std::optional<Sending> sending;
    std::vector<Sending> aside;
    Cycle before = 0;  ///< in which the packet before started
  };
  struct NaiveMessage {
    int job, from, operation, slot;
  };

  void MakeHosts() {
    const workload::Workload& workload = *network_.options().hosts.workload;
    for (const workload::Job& job : workload.jobs) jobs.emplace_back(job.schedule.phases);
    hosts_.resize(nics_.size());
    for (std::size_t e = 0; e < nics_.size(); ++e) {
      const workload::Seat& seat = workload.seats[e];
      if (seat.job < 0) continue;
      const workload::Job& job = workload.jobs[seat.job];
      hosts_[e].run = std::make_unique<workload::RankRun>(job.schedule, job.plan[seat.rank], seat.rank,
                                                          network_.nics().begin, network_.profile().clock_khz);
    }
  }

  /// The packet that the host wants to send in this cycle, if it is ready.
  std::optional<Traffic::NewPacket> PacketOf(int e, Cycle now) {
    const HostSetup& setup = network_.options().hosts;
    const workload::Seat& seat = setup.workload->seats[e];
    NaiveHost& host = hosts_[e];
    if (host.run == nullptr) return std::nullopt;
    if (host.run->due() <= now) host.run->Run(now, &jobs[seat.job]);
    Load(e, 0);
    if (!host.sending || now < ReadyOf(host, *host.sending)) return std::nullopt;
    return PacketOf(e, *host.sending);
  }

  /// The host turns to its next message, in cycle `from` at the earliest.
  void Load(int e, Cycle from) {
    const HostSetup& setup = network_.options().hosts;
    NaiveHost& host = hosts_[e];
    if (host.sending || host.run->posted().empty()) return;
    const workload::Posted message = host.run->posted().front();
    host.run->TakePosted();
    const Cycle begin = std::max({message.at, host.before, from});
    host.sending = Sending{message, 0, begin + setup.message_overhead + setup.packet_overhead};
  }

  /// Between two packets, of whatever messages, there is the time of a packet.
  Cycle ReadyOf(const NaiveHost& host, const Sending& one) const {
    return std::max(one.ready, host.before + network_.options().hosts.packet_overhead);
  }

  Traffic::NewPacket PacketOf(int e, const Sending& one) const {
    const HostSetup& setup = network_.options().hosts;
    const workload::Seat& seat = setup.workload->seats[e];
    const workload::Job& job = setup.workload->jobs[seat.job];
    const workload::Operation& send = job.schedule.ranks[seat.rank].operations[one.message.operation];
    const std::int64_t data = std::min<std::int64_t>(
        setup.most_data[seat.job], send.amount - one.packet * std::int64_t{setup.most_data[seat.job]});
    const auto frame = static_cast<int>(62 + (one.packet == 0 ? 16 : 0) + (data + 3) / 4 * 4);
    return Traffic::NewPacket{one.message.at, job.endpoints[send.peer], frame, setup.classes[seat.job]};
  }

  /// A packet of the message, that which is being sent or one that was put aside, has started.
  void SentPacket(int e, int aside, Cycle now, int words) {
    const HostSetup& setup = network_.options().hosts;
    const workload::Seat& seat = setup.workload->seats[e];
    NaiveHost& host = hosts_[e];
    if (host.run == nullptr) {
      messages_.push_back({-1, 0, 0, 0});  // of the background
      return;
    }
    Sending& own = aside < 0 ? *host.sending : host.aside[aside];
    const workload::Posted message = own.message;
    messages_.push_back({seat.job, seat.rank, message.operation, message.slot});
    host.before = now;
    own.ready = now + setup.packet_overhead;
    const std::int64_t bytes =
        setup.workload->jobs[seat.job].schedule.ranks[seat.rank].operations[message.operation].amount;
    if (std::int64_t{++own.packet} * setup.most_data[seat.job] < bytes) return;
    host.run->Sent(message.operation, now + 4 * (words - 1) / network_.nics().lanes);
    aside < 0 ? host.sending.reset() : static_cast<void>(host.aside.erase(host.aside.begin() + aside));
  }

  /// With a window, numbers that the sender has ended are not taken any more, whether they came or not.
  void ArrivePacket(int e, golden::Payload copy, Cycle last) {
    if (copy >= copies_.size()) return;  // an attempt of a link that repeats: such runs have no resends and no jobs
    const auto [payload, source, number, oldest] = copies_[copy];
    std::int64_t& ended = ended_[{source, e}];
    ended = std::max(ended, oldest);
    const bool late = network_.options().nics.resend_window > 0 && number < ended && arrived_.count(payload) == 0;
    late_copies += late;
    if (late || !arrived_.insert(payload).second) {
      ++duplicates;
      return;
    }
    if (hosts_.empty()) return;
    const HostSetup& setup = network_.options().hosts;
    const NaiveMessage& message = messages_[payload];
    if (message.job < 0) return;
    const std::int64_t bytes =
        setup.workload->jobs[message.job].schedule.ranks[message.from].operations[message.operation].amount;
    const int most = setup.most_data[message.job];
    hosts_[e].run->Arrive(message.slot, std::max<int>(1, static_cast<int>((bytes + most - 1) / most)), last);
  }
  struct CreditToSwitch {
    int node;
    int port;
    LinkCredit credit;
  };

  struct AckToSwitch {
    int node;
    int port;
    Ack ack;
  };

  void DriveNics(Cycle now) {
    for (int e = 0; e < static_cast<int>(nics_.size()); ++e) {
      given_up += nics_[e].outstanding.TimeOut(now);
      DriveNic(e, now);
    }
  }

  /// Packets that are there at a NIC: of a host the one that it has next, else what has been created, by queue.
  std::map<int, Traffic::NewPacket> HeadsOf(int e, Cycle now) {
    NaiveNic& nic = nics_[e];
    std::map<int, Traffic::NewPacket> heads;
    if (now >= network_.nics().end) return heads;
    if (!hosts_.empty()) {
      if (const auto next = PacketOf(e, now); next && next->created <= now) heads[0] = *next;
    }
    if (!nic.sends) return heads;
    const Traffic& traffic = *network_.nics().traffic;
    for (; traffic.Head(e, nic.source).created <= now; traffic.Advance(e, &nic.source)) {
      const Traffic::NewPacket packet = traffic.Head(e, nic.source);
      nic.queues[network_.options().nics.class_queues ? packet.tc : 0].push_back(packet);
    }
    for (const auto& [queue, packets] : nic.queues) {
      if (!packets.empty()) heads[queue] = packets.front();
    }
    return heads;
  }

  bool HasCredit(int e, int tc) {
    const NicSetup& setup = network_.nics();
    const NaiveNic& nic = nics_[e];
    const NaiveNicLink* const link = repeats_.NicLink(e);
    return (link == nullptr || link->all_known()) && nic.credits.LaneOk(setup.lane[tc], setup.credits, setup.mtu_cells);
  }

  bool IsPaused(int e, const Traffic::NewPacket& packet, Cycle now) const {
    return !nics_[e].pauses.MayStart(packet.tc, network_.nics().addresses[packet.destination], now);
  }
  bool HasHost(int e) const { return !hosts_.empty() && hosts_[e].run != nullptr; }
  /// Whether a message to the packet's destination was put aside.
  bool HasMessageAside(int e, const Traffic::NewPacket& like) const {
    return std::any_of(hosts_[e].aside.begin(), hosts_[e].aside.end(),
                       [&](const Sending& one) { return PacketOf(e, one).destination == like.destination; });
  }

  /// Packets, or messages, of paused flows that are in front of their queues make way.
  void PutAside(int e, Cycle now, std::map<int, Traffic::NewPacket>* heads) {
    const auto most = static_cast<std::size_t>(network_.nics().most_aside);
    NaiveNic& nic = nics_[e];
    if (HasHost(e)) {
      NaiveHost& host = hosts_[e];
      for (auto head = heads->find(0); head != heads->end() && host.aside.size() < most; head = heads->find(0)) {
        if (!IsPaused(e, head->second, now) && !HasMessageAside(e, head->second)) break;
        host.aside.push_back(*host.sending);
        host.sending.reset();
        ++put_aside;
        heads->erase(head);
        Load(e, now);
        if (host.sending && ReadyOf(host, *host.sending) <= now) (*heads)[0] = PacketOf(e, *host.sending);
      }
      most_aside = std::max(most_aside, host.aside.size());
      return;
    }
    if (network_.nics().traffic->IsPlan()) return;
    for (auto& [queue, packets] : nic.queues) {
      while (!packets.empty() && nic.pauses.aside.size() < most &&
             (IsPaused(e, packets.front(), now) || nic.pauses.HasAside(packets.front()))) {
        nic.pauses.aside.push_back({queue, packets.front()});
        packets.pop_front();
        ++put_aside;
        packets.empty() ? static_cast<void>(heads->erase(queue)) : static_cast<void>((*heads)[queue] = packets.front());
      }
    }
    most_aside = std::max(most_aside, nic.pauses.aside.size());
  }

  /// What an injection queue sends next.
  struct Candidate {
    std::optional<Traffic::NewPacket> packet;
    int aside = -1;      ///< its place among the packets, or messages, that were put aside
    bool paused = false;  ///< something waits for the end of a pause
  };
  Candidate NextOf(int e, int queue, Cycle now, const std::map<int, Traffic::NewPacket>& heads) const {
    const NaiveNic& nic = nics_[e];
    Candidate next;
    int place = 0;
    if (HasHost(e) && queue == 0) {
      for (const Sending& one : hosts_[e].aside) {
        const Traffic::NewPacket packet = PacketOf(e, one);
        if (ReadyOf(hosts_[e], one) <= now && !IsPaused(e, packet, now)) return {packet, place, false};
        next.paused |= ReadyOf(hosts_[e], one) <= now;
        ++place;
      }
    }
    for (const NaivePauses::Aside& one : nic.pauses.aside) {
      if (one.queue == queue && !IsPaused(e, one.packet, now)) return {one.packet, place, false};
      next.paused |= one.queue == queue;
      ++place;
    }
    const auto head = heads.find(queue);
    if (head == heads.end()) return next;
    const bool behind = HasHost(e) ? HasMessageAside(e, head->second) : nic.pauses.HasAside(head->second);
    if (behind || IsPaused(e, head->second, now)) {
      next.paused = true;
    } else {
      next.packet = head->second;
    }
    return next;
  }

  void DriveNic(int e, Cycle now) {
    NaiveNic& nic = nics_[e];
    std::map<int, Traffic::NewPacket> heads = HeadsOf(e, now);
    const bool over = now >= network_.nics().end;
    if (now < nic.link_free) return;
    bool aside = !over && !nic.pauses.aside.empty();
    if (HasHost(e) && !over) {
      for (const Sending& one : hosts_[e].aside) aside |= ReadyOf(hosts_[e], one) <= now;
    }
    const bool wants = !heads.empty() || aside || !nic.outstanding.Again().empty();
    if (const NaiveNicLink* const link = repeats_.NicLink(e); link != nullptr) {
      const bool held = wants && !link->MayStart(now);
      waits.retry += (held || link->repeats()) && network_.nics().measured.Has(now);
      if (held) return;
    }
    if (!wants) return;
    if (!over) PutAside(e, now, &heads);
    bool no_credit = false, no_window = false, throttled = false;
    std::set<int> held;  // classes of copies without credit
    for (const NaiveOutstanding::Packet& again : nic.outstanding.Again()) {
      if (IsPaused(e, again.packet, now)) {
        throttled = true;
        continue;
      }
      if (HasCredit(e, again.packet.tc)) {
        Start(e, now, again, true);
        ++resent;
        return;
      }
      no_credit = true;
      held.insert(again.packet.tc);
      if (!network_.options().nics.class_queues) break;
    }
    const int flow = nic.outstanding.FlowOfNext(now);
    for (int i = 0; i < golden::kMaxClasses && !over; ++i) {
      const int queue = (nic.turn + i) % golden::kMaxClasses;
      if (no_credit && !network_.options().nics.class_queues) continue;
      if (network_.options().nics.class_queues && !HasHost(e) && held.count(queue) > 0) continue;
      if (HasHost(e) && !held.empty()) continue;
      const Candidate next = NextOf(e, queue, now, heads);
      throttled |= next.paused;
      if (!next.packet) continue;
      const int tc = next.packet->tc;
      if (flow < 0 || !nic.outstanding.MayNumber(next.packet->destination)) {
        no_window = true;
      } else if (!HasCredit(e, tc)) {
        no_credit = true;
      } else {
        NaiveOutstanding::Packet packet;
        packet.packet = *next.packet;
        packet.flow = flow;
        packet.payload = packets_sent_;
        const int words = Start(e, now, packet, false);
        ++packets_sent_;
        nic.turn = queue + 1;
        if (nic.sends && next.aside < 0) nic.queues[queue].pop_front();
        if (nic.sends && next.aside >= 0) nic.pauses.aside.erase(std::next(nic.pauses.aside.begin(), next.aside));
        if (!hosts_.empty()) SentPacket(e, next.aside, now, words);
        return;
      }
    }
    waits.credit += no_credit && !over;
    waits.window += no_window && !no_credit && !over;
    const bool paused = throttled && !no_window && !no_credit && !over;
    waits.throttled += paused;
    waits.measured_throttled += paused && network_.nics().measured.Has(now);
  }

  /// The packet's first word is on the link. Returns its words.
  int Start(int e, Cycle now, const NaiveOutstanding::Packet& packet, bool again) {
    const NicSetup& setup = network_.nics();
    NaiveNic& nic = nics_[e];
    const int length = packet.packet.length;
    nic.credits.Grant(setup.lane[packet.packet.tc], golden::CellsOf(length), setup.credits);
    nic.pauses.Start(packet.packet.tc, setup.addresses[packet.packet.destination], now, length);
    const int words = (length + 16 + 31) / 32;
    const NaiveNicLink* const repeats = repeats_.NicLink(e);
    const int lanes = repeats != nullptr ? repeats->lanes() : setup.lanes;
    nic.link_free = now + (4 * words + lanes - 1) / lanes;
    const topology::Port port = network_.topology().endpoints[e].port;
    const auto copy = static_cast<golden::Payload>(copies_.size());
    if (NaiveNicLink* const link = repeats_.NicLink(e)) {
      link->Start(now, words, HeaderOf(e, packet), copy);
    } else {
      packets_[now + network_.wiring().far(port.at, port.port).delay].push_back(
          {port.at, port.port, HeaderOf(e, packet), copy});
    }
    sent_cycles_of_nics += now;
    const int to = packet.packet.destination;
    const std::int64_t number = again ? packet.number : nic.outstanding.NextTo(to);
    nic.outstanding.Sent(packet, now + 4 * (words - 1) / lanes, again);
    copies_.push_back({packet.payload, e, number, nic.outstanding.Oldest(to)});
    return words;
  }

  golden::HeaderBits HeaderOf(int e, const NaiveOutstanding::Packet& packet) const {
    const NicSetup& setup = network_.nics();
    const RoutingOptions& routing = network_.options().routing;
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(packet.packet.length);
    header.tc = static_cast<std::uint8_t>(packet.packet.tc);
    header.vl = setup.lane[packet.packet.tc];
    header.src = setup.addresses[e];
    header.dst = setup.addresses[packet.packet.destination];
    header.mode = static_cast<std::uint8_t>(routing.mode);
    header.ordered = routing.name == "in_order";
    header.flow = static_cast<std::uint16_t>(packet.flow);
    return golden::HeaderBits(header);
  }

  void Tell(int n, int port, Cycle now, const golden::HeaderBits& header, golden::Payload payload) {
    switches_[n]->Arrive(port, now, {true, header, payload});
    const int words = (header.length() + 16 + 31) / 32;
    const int lanes = switches_[n]->registers().port(port).serdes_lanes();
    switches_[n]->Finish(port, now + 4 * (words - 1) / lanes, {Drop::kNone, header.length(), {}});
  }

  void Collect(int n) {
    for (const golden::Departure& departure : switches_[n]->output().links.packets) {
      const FarEnd& far = network_.wiring().far(n, departure.port);
      const Cycle first = departure.take + 8 + far.delay;
      if (repeats_.Takes(n, departure)) continue;
      if (far.node >= 0) {
        packets_[first].push_back({far.node, far.port, departure.header, departure.payload});
        continue;
      }
      delivered_.push_back(departure.payload);
      const Header header = departure.header.Unpack();
      const Cycle last = first + 4 * (departure.format.words - 1) / departure.serdes_lanes;
      deliveries_.push_back({last, header.src, header.dst, header.len, header.hop, header.path});
      arrivals_[last].push_back({far.endpoint, departure.payload});
      std::uint16_t& freed = nics_[far.endpoint].freed[header.vl];
      freed = static_cast<std::uint16_t>(freed + (header.len + 16 + 47) / 48);
      credits_[last + 1 + far.delay].push_back({n, departure.port, {0, freed, header.vl}});
    }
    for (const golden::CreditReturn& credit : switches_[n]->output().credits) {
      const FarEnd& far = network_.wiring().far(n, credit.port);
      if (repeats_.Takes(n, credit)) continue;
      const LinkCredit message{credit.wire + far.delay, credit.cells, credit.vl};
      if (far.node >= 0) {
        credits_[message.wire].push_back({far.node, far.port, message});
      } else {
        nic_credits_[message.wire].push_back({far.endpoint, message});
      }
    }
  }

  /// A packet, or what is left of it, at a NIC whose link repeats.
  void GetAtNic(const NaiveRepeats::AtNic& one) {
    delivered_.push_back(one.packet.attempt);
    const Header header = one.packet.header.Unpack();
    deliveries_.push_back({one.last, header.src, header.dst, header.len, header.hop, header.path});
    if (repeats_.attempts().broken(one.packet.attempt)) return;
    ArrivePacket(one.endpoint, repeats_.attempts().OriginOf(one.packet.attempt), one.last);
  }

  /// Acks on links that repeat.
  void HearAcks(Cycle now) {
    for (int e = 0; e < static_cast<int>(nics_.size()); ++e) {
      const NaiveNicLink* const link = repeats_.NicLink(e);
      if (link != nullptr && link->pause()) nics_[e].pauses.Take(now, *link->pause());
      if (link == nullptr || !link->ack()) continue;
      nics_[e].outstanding.Acknowledge(link->ack()->flow, now + 1);
      ++acks_of_nics;
      ack_cycles_of_nics += now;
    }
  }

  void CollectPauses(int n) {
    for (const golden::FlowPauseReturn& pause : switches_[n]->output().flow_pauses) {
      const FarEnd& far = network_.wiring().far(n, pause.port);
      if (!repeats_.Takes(n, pause)) nic_pauses_[pause.wire + far.delay].push_back({far.endpoint, pause.pause});
    }
  }

  void CollectAcks(int n) {
    for (const golden::AckReturn& ack : switches_[n]->output().acks) {
      const FarEnd& far = network_.wiring().far(n, ack.port);
      if (repeats_.Takes(n, ack)) continue;
      if (far.node >= 0) {
        acks_[ack.wire + far.delay].push_back({far.node, far.port, ack.ack});
      } else {
        nic_acks_[ack.wire + far.delay].push_back({far.endpoint, ack.ack.flow});
        ++acks_of_nics;
        ack_cycles_of_nics += ack.wire + far.delay;
      }
    }
  }

  const Network& network_;
  std::vector<std::unique_ptr<golden::Switch>> switches_;
  std::vector<NaiveNic> nics_;
  std::vector<NaiveHost> hosts_;        ///< by endpoint, of a run with jobs
  std::vector<NaiveMessage> messages_;  ///< by packet
  std::map<Cycle, std::vector<std::pair<int, Cfg>>> writes_;
  std::map<Cycle, std::vector<ToSwitch>> packets_;
  std::map<Cycle, std::vector<CreditToSwitch>> credits_;
  std::map<Cycle, std::vector<AckToSwitch>> acks_;
  std::map<Cycle, std::vector<std::pair<int, LinkCredit>>> nic_credits_;
  std::map<Cycle, std::vector<std::pair<int, int>>> nic_acks_;  ///< endpoint, flow
  std::map<Cycle, std::vector<std::pair<int, golden::FlowPause>>> nic_pauses_;  ///< endpoint, pause
  /// A packet on its way: also a copy.
  struct Copy {
    golden::Payload packet;
    int source;
    std::int64_t number, oldest;  ///< that it carries
  };
  std::vector<Copy> copies_;  ///< by payload
  std::map<std::pair<int, int>, std::int64_t> ended_;  ///< by source and destination: the latest `oldest` that came
  std::map<Cycle, std::vector<std::pair<int, golden::Payload>>> arrivals_;  ///< endpoint and packet, by its last word
  std::set<golden::Payload> arrived_;
  golden::Payload packets_sent_ = 0;
  std::vector<Delivery> deliveries_;
  std::vector<golden::Payload> delivered_;  ///< their payloads
  NaiveRepeats repeats_;

 public:
  std::vector<workload::JobStatistics> jobs;  ///< completions; messages are not counted
};

}  // namespace tilefly::network
