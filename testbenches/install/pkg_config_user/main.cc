// SPDX-License-Identifier: Apache-2.0
// A put from one endpoint of a system into the memory of another, for c++ $(pkg-config --cflags --libs tilefly-systemc).
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "systemc/system/system.h"
#include "topology/builder.h"

using namespace tilefly;

struct Endpoint final : sc_core::sc_module {
  explicit Endpoint(sc_core::sc_module_name name) : sc_module(name) { memory.register_b_transport(this, &Endpoint::Access); }
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    std::memcpy(&bytes[payload.get_address()], payload.get_data_ptr(), payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  tlm_utils::simple_initiator_socket<Endpoint> host{"host"};
  tlm_utils::simple_target_socket<Endpoint> memory{"memory"};
  std::array<std::uint8_t, 4096> bytes{};
};

int sc_main(int, char**) {
  fabric::SetResolution();
  const topology::Topology topology = topology::Build("fattree:leaves=2,hosts=1,uplinks=1");
  systemc::System system("system", topology, {});
  Endpoint first("first"), second("second");
  Endpoint* const endpoints[] = {&first, &second};
  for (int i = 0; i < 2; ++i) {
    endpoints[i]->host.bind(system.nic(i).host());
    system.nic(i).memory().bind(endpoints[i]->memory);
  }
  std::array<std::uint8_t, 64> data;
  data.fill(0xa5);
  tlm::tlm_generic_payload payload;
  sc_core::sc_spawn([&] {
    payload.set_write();
    payload.set_address(system.AddressOf(1, 128));
    payload.set_data_ptr(data.data());
    payload.set_data_length(data.size());
    payload.set_streaming_width(data.size());
    sc_core::sc_time delay;
    first.host->b_transport(payload, delay);
  });
  const int code = systemc::RunToEnd(system);
  const bool written = payload.is_response_ok() && std::memcmp(&second.bytes[128], data.data(), data.size()) == 0;
  std::printf("written: %d bytes\n", written ? 64 : 0);
  return written ? code : 1;
}
