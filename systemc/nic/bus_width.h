// SPDX-License-Identifier: Apache-2.0
// A socket of 32 bits, bound as a socket of any width. TLM makes the width of a bus a part of a socket's type, and
// sockets of different types do not bind, although calls and payloads of the base protocol are the same for all widths
// (docs/systemc.md, Bus widths and open ends). What is bound here is the one port and the one export of the socket,
// seen through the base class of the other width. This adds no object to the kernel, and no step to a call.
#pragma once

#include <map>
#include <memory>
#include <typeindex>

#include <tlm>

namespace tilefly::systemc {

using ForwardInterface = tlm::tlm_fw_transport_if<>;
using BackwardInterface = tlm::tlm_bw_transport_if<>;
template <unsigned W>
using TargetBase = tlm::tlm_base_target_socket_b<W, ForwardInterface, BackwardInterface>;
template <unsigned W>
using InitiatorBase = tlm::tlm_base_initiator_socket_b<W, ForwardInterface, BackwardInterface>;

/// A target socket as a socket of W bits. Initiators bind to it, and target sockets of an enclosing module.
template <unsigned W>
class TargetOfWidth final : public TargetBase<W> {
 public:
  explicit TargetOfWidth(TargetBase<32>* socket) : socket_(socket) {}

  void bind(InitiatorBase<W>& initiator) {
    initiator.get_base_port()(get_base_interface());
    get_base_port()(initiator.get_base_interface());
  }

  sc_core::sc_port_b<BackwardInterface>& get_base_port() override { return socket_->get_base_port(); }
  const sc_core::sc_port_b<BackwardInterface>& get_base_port() const override { return socket_->get_base_port(); }
  sc_core::sc_export<ForwardInterface>& get_base_export() override { return socket_->get_base_export(); }
  const sc_core::sc_export<ForwardInterface>& get_base_export() const override { return socket_->get_base_export(); }
  ForwardInterface& get_base_interface() override { return socket_->get_base_interface(); }
  const ForwardInterface& get_base_interface() const override { return socket_->get_base_interface(); }
  unsigned get_bus_width() const override { return W; }
  std::type_index get_protocol_types() const override { return socket_->get_protocol_types(); }
  tlm::tlm_socket_category get_socket_category() const override { return socket_->get_socket_category(); }
  bool is_multi_socket() const { return false; }  // SystemC 3.0 asks for it, 2.3 does not know it

 private:
  TargetBase<32>* socket_;
};

/// An initiator socket as a socket of W bits. It binds to targets, and to initiator sockets of an enclosing module.
template <unsigned W>
class InitiatorOfWidth final : public InitiatorBase<W> {
 public:
  explicit InitiatorOfWidth(InitiatorBase<32>* socket) : socket_(socket) {}

  void bind(TargetBase<W>& target) {
    get_base_port()(target.get_base_interface());
    target.get_base_port()(get_base_interface());
  }
  void bind(InitiatorBase<W>& around) {
    get_base_port()(around.get_base_port());
    around.get_base_export()(get_base_export());
  }

  sc_core::sc_port_b<ForwardInterface>& get_base_port() override { return socket_->get_base_port(); }
  const sc_core::sc_port_b<ForwardInterface>& get_base_port() const override { return socket_->get_base_port(); }
  sc_core::sc_export<BackwardInterface>& get_base_export() override { return socket_->get_base_export(); }
  const sc_core::sc_export<BackwardInterface>& get_base_export() const override { return socket_->get_base_export(); }
  BackwardInterface& get_base_interface() override { return socket_->get_base_interface(); }
  const BackwardInterface& get_base_interface() const override { return socket_->get_base_interface(); }
  unsigned get_bus_width() const override { return W; }
  std::type_index get_protocol_types() const override { return socket_->get_protocol_types(); }
  tlm::tlm_socket_category get_socket_category() const override { return socket_->get_socket_category(); }
  bool is_multi_socket() const { return false; }  // SystemC 3.0 asks for it, 2.3 does not know it

 private:
  InitiatorBase<32>* socket_;
};

/// The views of one socket. Each is made when it is first asked for, and lives as long as this object.
class WidthViews {
 public:
  template <unsigned W>
  TargetOfWidth<W>& Of(TargetBase<32>* socket) {
    return Of<TargetOfWidth<W>>(W, socket);
  }
  template <unsigned W>
  InitiatorOfWidth<W>& Of(InitiatorBase<32>* socket) {
    return Of<InitiatorOfWidth<W>>(W, socket);
  }

 private:
  template <typename View, typename Socket>
  View& Of(unsigned width, Socket* socket) {
    std::shared_ptr<void>& view = views_[width];
    if (view == nullptr) view = std::make_shared<View>(socket);
    return *static_cast<View*>(view.get());
  }
  std::map<unsigned, std::shared_ptr<void>> views_;
};

}  // namespace tilefly::systemc
