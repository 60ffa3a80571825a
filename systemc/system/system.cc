// SPDX-License-Identifier: Apache-2.0
#include "systemc/system/system.h"

#include "support/errors.h"
#include "support/exit_code.h"
#include "systemc/system/system_registers.h"

namespace tilefly::systemc {
namespace {

/// Throws UsageError for a number that none of `all` has.
template <typename T>
T& OneOf(const std::vector<std::unique_ptr<T>>& all, const char* system, const char* what, int number) {
  const int count = static_cast<int>(all.size());
  if (number >= 0 && number < count) return *all[static_cast<std::size_t>(number)];
  throw UsageError(std::string(system) + ": no " + what + " " + std::to_string(number) + ": it has " +
                   std::to_string(count) + ", counted from 0");
}

const Profile& ProfileOf(const topology::Topology& topology) {
  if (const Profile* const profile = FindProfile(topology.profile)) return *profile;
  throw UsageError("topology " + topology.name + ": no profile '" + topology.profile + "'");
}

RetryLinkOptions LinkOptionsOf(const SystemOptions& options) {
  RetryLinkOptions link;
  link.word_ber = options.word_ber;
  link.seed = options.seed;
  link.registers = options.retry;
  link.retrain = options.retrain;
  return link;
}

}  // namespace

System::System(sc_core::sc_module_name name, const topology::Topology& topology, const SystemOptions& options)
    : sc_module(name),
      profile_(ProfileOf(topology)),
      wiring_(topology, profile_.ports, network::LinkTiming::Chip(profile_)),
      repeats_(HasRetry(options)),
      link_(LinkOptionsOf(options)),
      checked_(options.checked) {
  CheckOptions(this->name(), options);
  const SystemRegisters writes(topology, profile_, wiring_, options.routing, options.tc, options.nic_lanes, options.seed,
                               repeats_);
  for (int node = 0; node < wiring_.nodes(); ++node) {
    const std::string name = "switch" + std::to_string(node);
    std::unique_ptr<SwitchNode> made;
    if (options.make_switch) made = options.make_switch(name.c_str(), node, profile_, &pool_);
    switches_.push_back(made ? std::move(made) : std::make_unique<Switch>(name.c_str(), profile_));
    if (options.loosely_timed && !switches_.back()->TakesBlocking()) {
      throw UsageError(std::string(switches_.back()->name()) + ": takes no loosely timed packets, for it has every cycle: leave "
                       "loosely_timed off, or have a transaction model there");
    }
  }
  for (std::size_t e = 0; e < topology.endpoints.size(); ++e) AddNic(topology, e, writes.first_lane(), options);
  for (int node = 0; node < wiring_.nodes(); ++node) {
    golden::Registers registers(profile_);
    for (const Cfg& write : writes.Writes(node)) {
      registers.Apply(write);
      switches_[static_cast<std::size_t>(node)]->Write(write);
    }
    Wire(node, options.nic_lanes, registers);
  }
  JoinDirections(options.downs);
}

void System::AddNic(const topology::Topology& topology, std::size_t endpoint, int lane, const SystemOptions& options) {
  const topology::Port at = topology.endpoints[endpoint].port;
  const topology::Switch& node = topology.switches[static_cast<std::size_t>(at.at)];
  NicOptions nic;
  nic.window = options.window;
  nic.loosely_timed = options.loosely_timed;
  nic.fabric.address = topology::AddressOf(node.group, node.index, at.port);
  nic.fabric.lanes = options.nic_lanes;
  nic.fabric.tc = options.tc;
  nic.fabric.vl = lane;
  nic.fabric.mode = options.routing.mode;
  nic.fabric.ordered = !options.routing.any_flow;
  nic.fabric.mtu_cells = profile_.mtu_cells;
  nic.fabric.credit = golden::CreditTable(profile_);
  nics_.push_back(std::make_unique<Nic>(("nic" + std::to_string(endpoint)).c_str(), nic, &pool_, &directory_));
}

/// An end of a cable, with a checker when links are checked. The times at it include `taken` cycles of the cable.
template <typename From, typename To>
void System::Begin(const std::string& name, From* from, To* to, int lanes, Cycle taken,
                   const golden::CreditTable& credit) {
  if (!checked_) return from->bind(*to);
  fabric::ProtocolChecker::Options options;
  options.lanes = lanes;
  options.credit = credit;
  options.cable = taken;
  checkers_.push_back(std::make_unique<fabric::ProtocolChecker>((name + "_checker").c_str(), options));
  from->bind(checkers_.back()->in);
  checkers_.back()->out.bind(*to);
}

/// A cable from socket to socket. The sender has `taken` cycles of `delay` in its times already.
template <typename From, typename To>
void System::Join(const std::string& name, From* from, To* to, int lanes, Cycle delay, Cycle taken,
                  const golden::CreditTable& credit) {
  links_.push_back(std::make_unique<CreditLink>((name + "_link").c_str(), delay - taken, delay));
  links_.back()->out.bind(*to);
  Begin(name, from, &links_.back()->in, lanes, taken, credit);
}

/// A cable to another switch, whose words may be damaged; its other end has a checker, too.
void System::Repeat(const std::string& name, int node, int port) {
  SwitchNode& from = *switches_[static_cast<std::size_t>(node)];
  const network::FarEnd& far = wiring_.far(node, port);
  RetryLinkOptions options = link_;
  options.delay = far.delay;
  options.direction = golden::kMaxPorts * node + port;
  std::unique_ptr<RetryLink>& link = retry_links_[{node, port}];
  link = std::make_unique<RetryLink>((name + "_link").c_str(), profile_, options);
  LinkUser* const user = from.Repeat(port, link.get());
  if (user == nullptr)
    throw UsageError(std::string(from.name()) + ": has no links with retry: leave word_ber 0 and downs empty, or have "
                     "a transaction model there");
  link->set_user(user);
  Begin(name, &from.out(port), &link->in, 4, 0, RetryLink::AnyCredit());
  Begin(name + "_end", &link->out, &switches_[static_cast<std::size_t>(far.node)]->in(far.port), 4, 0,
        RetryLink::AnyCredit());
}

/// Both directions of each link go down together, and when they are planned to.
void System::JoinDirections(const std::vector<PlannedDown>& downs) {
  for (const auto& [from, one] : retry_links_) {
    const network::FarEnd& far = wiring_.far(from.first, from.second);
    const std::pair<int, int> to{far.node, far.port};
    if (from < to) RetryLink::Join(one.get(), retry_links_.at(to).get());
  }
  for (const PlannedDown& down : downs) link(down.node, down.port).Down(down.from, down.cycles);
}

/// What leaves the switch, and what its NICs send.
void System::Wire(int node, int nic_lanes, const golden::Registers& registers) {
  SwitchNode& from = *switches_[static_cast<std::size_t>(node)];
  for (int port = 0; port < profile_.ports; ++port) {
    const network::FarEnd& far = wiring_.far(node, port);
    const std::string name = "s" + std::to_string(node) + "p" + std::to_string(port);
    const golden::CreditTable& credit = *registers.port(port).credit;
    const bool repeats = far.node >= 0 && repeats_;
    const Cycle taken = far.connected() && !repeats ? from.TakeCable(port, far.delay) : 0;
    if (repeats) {
      Repeat(name, node, port);
    } else if (far.node >= 0) {
      Join(name, &from.out(port), &switches_[static_cast<std::size_t>(far.node)]->in(far.port), 4, far.delay, taken,
           credit);
    } else if (far.endpoint >= 0) {
      FabricPort& nic = nics_[static_cast<std::size_t>(far.endpoint)]->fabric;
      Join(name, &from.out(port), &nic.in, nic_lanes, far.delay, taken, credit);
      Join("to_" + name, &nic.out, &from.in(port), nic_lanes, far.delay, 0, nic.options().credit);
    } else {
      no_partners_.push_back(std::make_unique<NoPartner>((name + "_none").c_str()));
      from.out(port).bind(no_partners_.back()->in);
      no_partners_.back()->out.bind(from.in(port));
    }
  }
}

Nic& System::NicOf(int endpoint) const { return OneOf(nics_, name(), "endpoint", endpoint); }

SwitchNode& System::node(int number) { return OneOf(switches_, name(), "switch", number); }

RetryLink& System::link(int node, int port) {
  const auto found = retry_links_.find({node, port});
  if (found != retry_links_.end()) return *found->second;
  throw UsageError(std::string(name()) + ": no link with retry at port " + std::to_string(port) + " of switch " +
                   std::to_string(node) + (repeats_ ? ": links between two switches have it; `tilefly topo` lists them"
                                                    : ": give word_ber, or downs, in SystemOptions"));
}

std::uint64_t System::AddressOf(int endpoint, std::uint64_t offset) const {
  return Nic::AddressOf(NicOf(endpoint).fabric.options().address, offset);
}

std::size_t System::violations() const {
  std::size_t violations = 0;
  for (const auto& checker : checkers_) {
    checker->Finish();
    violations += checker->violations().size();
  }
  return violations;
}

LinkCounts System::retry() const {
  LinkCounts sum;
  for (const auto& [from, link] : retry_links_) {
    const LinkCounts& one = link->counts();
    sum.attempts += one.attempts;
    sum.sent_words += one.sent_words;
    sum.resent_words += one.resent_words;
    sum.accepted_words += one.accepted_words;
    sum.replays += one.replays;
    sum.timeouts += one.timeouts;
    sum.nacks += one.nacks;
    sum.broken_copies += one.broken_copies;
    sum.bad_words += one.bad_words;
    sum.given_up += one.given_up;
    sum.downs += one.downs;
    sum.lost += one.lost;
  }
  sum.downs /= 2;  // of the directions, which go down together
  return sum;
}

std::string System::Waiting() const {
  std::string lines;
  for (const auto& nic : nics_) lines += nic->Waiting();
  return lines;
}

void System::ReportEnd() const {
  for (const auto& nic : nics_) nic->ReportWaiting();
  for (const auto& checker : checkers_) checker->Finish();
}

/// After an sc_stop of the platform's the end of the simulation has reported.
int RunToEnd(const System& system) {
  sc_core::sc_start();
  if (!sc_core::sc_end_of_simulation_invoked()) system.ReportEnd();
  return system.Waiting().empty() ? kPassed : kStuck;
}

}  // namespace tilefly::systemc
