// SPDX-License-Identifier: Apache-2.0
#include "systemc/device/kernel_process.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

#include "systemc/device/port_end.h"

namespace tilefly::systemc {
namespace {

enum class Ask : std::uint8_t { kRun, kCounters, kDrained };

struct Request {
  Ask ask;
  std::uint32_t inputs;
  Cycle through;
};
struct Answer {
  std::int64_t value;     ///< next cycle; whether drained; -1 with a message: broken
  std::uint32_t outputs;  ///< records, counters, or bytes of the message
  bool broken;
};

bool Write(int socket, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = send(socket, at, bytes, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool Read(int socket, void* data, std::size_t bytes) {
  char* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = recv(socket, at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

/// The switch and the ends of its links, in the kernel's process.
class Kernel {
 public:
  Kernel(const Profile& profile, const golden::SchedulerChoice& scheduler) : node_("switch", profile, scheduler) {
    for (int port = 0; port < profile.ports; ++port) {
      ends_.push_back(std::make_unique<PortEnd>(("end" + std::to_string(port)).c_str(), port, &node_, &pool_, &outputs_,
                                                &given_));
      ends_.back()->out.bind(node_.in(port));
      node_.out(port).bind(ends_.back()->in);
    }
  }

  void Give(const KernelInput& input) { ends_[input.port]->Give(input); }
  /// To the end of cycle `through`: register writes are in the middle of a cycle.
  Cycle Run(Cycle through) {
    const sc_core::sc_time end = fabric::TimeOf(through) + fabric::TimeOf(1) * kWithin;
    if (end > sc_core::sc_time_stamp()) sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
    if (!sc_core::sc_pending_activity()) return kNever;
    return fabric::CycleAt(sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity());
  }
  /// Nothing is inside, and no packet is held but those that wait for their acks.
  bool Drained() {
    const auto add = [](std::size_t sum, const auto& end) { return sum + end->held(); };
    return node_.Drained() && pool_.held() == std::accumulate(ends_.begin(), ends_.end(), std::size_t{0}, add);
  }
  std::vector<KernelOutput>& outputs() { return outputs_; }
  Switch& node() { return node_; }

 private:
  static constexpr double kWithin = 0.75;

  std::vector<KernelOutput> outputs_;
  GivenFrames given_;
  fabric::PacketPool pool_;
  Switch node_;
  std::vector<std::unique_ptr<PortEnd>> ends_;
};

/// Serves until the other end is closed.
void Serve(int socket, const Profile& profile, const golden::SchedulerChoice& scheduler) {
  fabric::SetResolution();
  Kernel kernel(profile, scheduler);
  Request request;
  std::vector<KernelInput> inputs;
  while (Read(socket, &request, sizeof request)) {
    Answer answer{};
    std::vector<std::uint64_t> counters;
    if (request.ask == Ask::kRun) {
      inputs.resize(request.inputs);
      if (!Read(socket, inputs.data(), inputs.size() * sizeof(KernelInput))) return;
      for (const KernelInput& input : inputs) kernel.Give(input);
      answer.value = kernel.Run(request.through);
      answer.outputs = static_cast<std::uint32_t>(kernel.outputs().size());
    } else if (request.ask == Ask::kDrained) {
      answer.value = kernel.Drained();
    } else {
      for (int port = 0; port < profile.ports; ++port) {
        for (int i = 0; i < KernelProcess::counters_a_port(); ++i) counters.push_back(kernel.node().ReadCounter(port, i));
      }
      answer.outputs = static_cast<std::uint32_t>(counters.size());
    }
    if (!Write(socket, &answer, sizeof answer)) return;
    if (request.ask == Ask::kRun) {
      if (!Write(socket, kernel.outputs().data(), kernel.outputs().size() * sizeof(KernelOutput))) return;
      kernel.outputs().clear();
    } else if (!Write(socket, counters.data(), counters.size() * sizeof(std::uint64_t))) {
      return;
    }
  }
}

/// The child's life. SystemC reports errors as exceptions.
[[noreturn]] void Live(int socket, const Profile& profile, const golden::SchedulerChoice& scheduler) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_IGN);  // the parent ends the run, and this
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  try {
    Serve(socket, profile, scheduler);
  } catch (const std::exception& error) {
    const std::string what = error.what();
    const Answer answer{-1, static_cast<std::uint32_t>(what.size()), true};
    if (Write(socket, &answer, sizeof answer)) Write(socket, what.data(), what.size());
  }
  _exit(0);
}

}  // namespace

KernelProcess::KernelProcess(const Profile& profile, const golden::SchedulerChoice& scheduler) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) Fail(std::strerror(errno));
  child_ = fork();
  if (child_ < 0) Fail(std::strerror(errno));
  if (child_ == 0) {
    close(ends[0]);
    Live(ends[1], profile, scheduler);
  }
  close(ends[1]);
  socket_ = ends[0];
}

KernelProcess::~KernelProcess() {
  close(socket_);
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

void KernelProcess::Fail(const std::string& what) { throw std::runtime_error("SystemC kernel: " + what); }

void KernelProcess::Send(const void* data, std::size_t bytes) {
  if (!Write(socket_, data, bytes)) Fail("its process has ended");
}

void KernelProcess::Receive(void* data, std::size_t bytes) {
  if (!Read(socket_, data, bytes)) Fail("its process has ended");
}

Cycle KernelProcess::Run(const std::vector<KernelInput>& inputs, Cycle through, std::vector<KernelOutput>* outputs) {
  const Request request{Ask::kRun, static_cast<std::uint32_t>(inputs.size()), through};
  Send(&request, sizeof request);
  Send(inputs.data(), inputs.size() * sizeof(KernelInput));
  Answer answer;
  Receive(&answer, sizeof answer);
  if (answer.broken) {
    std::string what(answer.outputs, ' ');
    Receive(what.data(), what.size());
    Fail(what);
  }
  outputs->resize(answer.outputs);
  Receive(outputs->data(), outputs->size() * sizeof(KernelOutput));
  return answer.value;
}

int KernelProcess::counters_a_port() { return static_cast<int>(kCounterValues.back()) + 1; }

std::vector<std::uint64_t> KernelProcess::Counters() {
  const Request request{Ask::kCounters, 0, 0};
  Send(&request, sizeof request);
  Answer answer;
  Receive(&answer, sizeof answer);
  std::vector<std::uint64_t> counters(answer.outputs);
  Receive(counters.data(), counters.size() * sizeof(std::uint64_t));
  return counters;
}

bool KernelProcess::Drained() {
  const Request request{Ask::kDrained, 0, 0};
  Send(&request, sizeof request);
  Answer answer;
  Receive(&answer, sizeof answer);
  return answer.value == 1;
}

}  // namespace tilefly::systemc
