// SPDX-License-Identifier: Apache-2.0
// Many ranks and one: messages to a root that receives them or into which they are put, and gets from a root.
#include "workload/generators.h"
#include "workload/script.h"

namespace tilefly::workload {
namespace {

/// `operation` of an iteration waits for that of the iteration `window` before.
void Await(Script* script, std::vector<int>* done, int window, int operation) {
  const std::size_t count = done->size();
  if (count >= static_cast<std::size_t>(window)) script->Require(operation, (*done)[count - static_cast<std::size_t>(window)]);
  done->push_back(operation);
}

}  // namespace

void GatherInWindows(const PatternSize& size, int root, int window, bool put, Schedule* schedule) {
  const int n = CountOf(*schedule);
  for (int r = 0; r < n; ++r) {
    Script script(&schedule->ranks[r]);
    std::vector<int> sent;
    std::vector<std::vector<int>> received(static_cast<std::size_t>(n));
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      if (r != root) {
        Await(&script, &sent, window, script.Send(root, size.bytes));
        continue;
      }
      for (int other = 0; other < n; ++other) {
        if (other == root) continue;
        const int receive = script.Receive(other, size.bytes);
        if (put) {
          script.DoneByNic(receive);
        } else {
          Await(&script, &received[static_cast<std::size_t>(other)], window, receive);
        }
      }
    }
  }
}

void GetFromRoot(const PatternSize& size, int root, int window, Schedule* schedule) {
  const int n = CountOf(*schedule);
  for (int r = 0; r < n; ++r) {
    Script script(&schedule->ranks[r]);
    std::vector<int> got;
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      if (r != root) {
        const int request = script.Send(root, kGetRequestBytes);
        if (got.size() >= static_cast<std::size_t>(window)) script.Require(request, got[got.size() - static_cast<std::size_t>(window)]);
        got.push_back(script.Receive(root, size.bytes));
        continue;
      }
      for (int other = 0; other < n; ++other) {
        if (other == root) continue;
        const int request = script.Receive(other, kGetRequestBytes), answer = script.Send(other, size.bytes);
        script.Require(answer, request);
        script.DoneByNic(request);
        script.DoneByNic(answer);
      }
    }
  }
}

}  // namespace tilefly::workload
