// SPDX-License-Identifier: Apache-2.0
// A device with links behind the interface of devices in libraries: what it shows through the interface is what it is.
// A library is this file and the device that it has (link_library.h).
//
//   shows=all|record|counters|links   what it has beside its links (all)
//   flip=CYCLE                        from this cycle on the first byte of the words that leave port 3 is wrong
//   fail=CYCLE                        from this cycle on port 3 asks for its link to go down
//
// Compiled with TILEFLY_WIRE_1 it is a library of version 1 of tilefly_device.h.
#include "testbenches/conform/devices/link_library.h"

#include <tilefly_device.h>

#include <cstring>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

using tilefly::Cfg;
using tilefly::Link;

struct tfd_device {
  const tilefly::Profile* profile = nullptr;
  int power_up_seed = 0;
  std::unique_ptr<tilefly::cosim::Device> inside;
  tilefly::cosim::Device::Inputs inputs;
  std::uint32_t flags = TFD_OBSERVES | TFD_COUNTS | TFD_CHECKS_DRAINED | TFD_TELLS_CHANGES | TFD_FAILS_LINKS;
  std::int64_t flip = -1, fail = -1;
  std::string message;
};

namespace {

#ifdef TILEFLY_WIRE_1
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kLinkBytes = 47, kRecordBytes = 19;
#else
constexpr std::uint32_t kVersion = TILEFLY_DEVICE_VERSION;
constexpr std::size_t kLinkBytes = TFD_LINK_BYTES, kRecordBytes = TFD_PORT_RECORD_BYTES;
#endif
constexpr int kFaultyPort = 3;

template <typename Act>
int Guarded(tfd_device* device, Act&& act) {
  try {
    act();
    return 0;
  } catch (const std::exception& error) {
    device->message = error.what();
    return 1;
  }
}

void Begin(tfd_device* device) {
  device->inside = tilefly::conform::MakeInside(*device->profile, device->power_up_seed);
  device->inputs.links.assign(static_cast<std::size_t>(device->profile->ports), Link{});
  device->inputs.link_up.assign(static_cast<std::size_t>(device->profile->ports), true);
}

bool Configure(tfd_device* device, const std::string& parameters) {
  std::istringstream lines(parameters);
  for (std::string line; std::getline(lines, line);) {
    if (line == "shows=record") {
      device->flags = TFD_OBSERVES;
    } else if (line == "shows=counters") {
      device->flags = TFD_COUNTS;
    } else if (line == "shows=links") {
      device->flags = 0;
    } else if (line.rfind("flip=", 0) == 0) {
      device->flip = std::stoll(line.substr(5));
    } else if (line.rfind("fail=", 0) == 0) {
      device->fail = std::stoll(line.substr(5));
    } else if (line != "shows=all") {
      device->message = "there is no parameter '" + line + "'; there are shows, flip, fail";
      return false;
    }
  }
  return true;
}

/// The lower `size` bytes of each.
template <typename Group>
void Pack(const std::vector<Group>& groups, std::uint8_t* bytes, std::size_t size = Group::kBytes) {
  std::uint8_t whole[Group::kBytes];
  for (const Group& group : groups) {
    group.PackBytes(whole);
    std::memcpy(bytes, whole, size);
    bytes += size;
  }
}

}  // namespace

std::uint32_t tfd_version(void) { return kVersion; }

int tfd_create(const tfd_setup* setup, tfd_device** device) {
  auto made = std::make_unique<tfd_device>();
  *device = made.get();
  made->power_up_seed = static_cast<int>(setup->power_up_seed);
  made->profile = tilefly::FindProfile(setup->profile);
  if (made->profile == nullptr) {
    made->message = std::string("there is no profile '") + setup->profile + "' in the library";
    return (void)made.release(), 1;
  }
  const bool configured = Configure(made.get(), setup->parameters);
  return configured ? Guarded(made.release(), [&] { Begin(*device); }) : ((void)made.release(), 1);
}

void tfd_destroy(tfd_device* device) { delete device; }

const char* tfd_message(tfd_device* device) { return device->message.c_str(); }

int tfd_about(tfd_device* device, tfd_about_info* info) {
  info->style = TFD_LINK;
  info->ports = static_cast<std::uint32_t>(device->profile->ports);
  info->flags = device->flags;
  info->name = tilefly::conform::kLibraryName;
  return 0;
}

int tfd_reset(tfd_device* device) {
  return Guarded(device, [&] { Begin(device); });
}

int tfd_link_outputs(tfd_device* device, std::uint8_t* links) {
  return Guarded(device, [&] {
    const std::vector<Link>& outputs = device->inside->Outputs();
    Pack(outputs, links, kLinkBytes);
    const bool flips = device->flip >= 0 && device->inside->cycle() >= device->flip;
    if (flips && outputs[kFaultyPort].word.valid) links[kFaultyPort * kLinkBytes] ^= 1;
  });
}

int tfd_link_step(tfd_device* device, const std::uint8_t* links, const std::uint8_t* link_up, const std::uint8_t* cfg) {
  return Guarded(device, [&] {
    static const std::uint8_t kIdle[kLinkBytes] = {};
    for (std::size_t port = 0; port < device->inputs.links.size(); ++port, links += kLinkBytes) {
      const bool idle = std::memcmp(links, kIdle, kLinkBytes) == 0;
      std::uint8_t whole[Link::kBytes] = {};
      std::memcpy(whole, links, kLinkBytes);
      device->inputs.links[port] = idle ? Link{} : Link::UnpackBytes(whole);
      device->inputs.link_up[port] = link_up[port] != 0;
    }
    device->inputs.cfg = Cfg::UnpackBytes(cfg);
    device->inside->Step(device->inputs);
  });
}

int tfd_link_fail(tfd_device* device, std::uint8_t* link_fail) {
  return Guarded(device, [&] {
    std::uint64_t fails = device->inside->LinkFails();
    if (device->fail >= 0 && device->inside->cycle() >= device->fail) fails |= 1u << kFaultyPort;
    for (int port = 0; port < device->inside->radix(); ++port) link_fail[port] = static_cast<std::uint8_t>(fails >> port & 1);
  });
}

int tfd_observe(tfd_device* device, tfd_observation* record) {
  return Guarded(device, [&] {
    const tilefly::cosim::Observation& seen = device->inside->Observe();
    Pack(seen.ports, record->ports, kRecordBytes);
    Pack(seen.turns, record->turns);
    Pack(seen.reds, record->reds);
    seen.cfu.PackBytes(record->cfu);
  });
}

int tfd_counter(tfd_device* device, std::uint32_t port, std::uint32_t index, std::uint64_t* value) {
  return Guarded(device, [&] { *value = device->inside->Counter(static_cast<int>(port), static_cast<int>(index)); });
}

int tfd_drained(tfd_device* device) {
  return Guarded(device, [&] { device->inside->CheckDrained(); });
}

int tfd_next_change(tfd_device* device, std::uint64_t* cycle) {
  return Guarded(device, [&] {
    const tilefly::Cycle next = device->inside->NextChange();
    *cycle = next == tilefly::kNever ? UINT64_MAX : static_cast<std::uint64_t>(next);
  });
}
