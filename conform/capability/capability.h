// SPDX-License-Identifier: Apache-2.0
// What a device is and what it claims, as its file says (docs/conformance.md).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cosim/library/wire_version.h"
#include "generated/profile.h"

namespace tilefly::conform {

using Mac = std::array<std::uint8_t, 6>;
inline constexpr Mac kBroadcast = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

enum class Layout { kFlat, kArray, kNumbered };
enum class Addressing { kTdest, kStatic, kAlgorithmic, kTable };
/// What becomes of frames of a kind; kUndefined: the file does not say, and no test asks.
enum class Fate { kUndefined, kDropped, kFlooded, kReturned, kMarked };
enum class Level { kBooks, kBounded, kCycle, kObserved };
enum class PortStyle { kStream, kLink };

/// "L0 books".
std::string ToString(Level level);

struct PortSignals {
  Layout layout = Layout::kFlat;
  std::string in;
  std::string out;
  int data_bytes = 0;
  bool keep = true;
  int user_bits = 0;
  int user_out_bits = 0;
  int dest_bits = 0;
  int dest_out_bits = 0;
  int id_bits = 0;
  bool id_passes = true;

  /// Name of a signal, "tdata", of an input or output; `port` counts where ports are numbered.
  std::string Name(const std::string& pattern, const std::string& signal, int port) const;
};

/// Ports of a top with Tilefly's links; empty: it has none.
struct LinkSignals {
  std::string link_in;
  std::string link_out;
  std::string link_up;
  std::string cfg;
  std::string cycle;
  std::string rdata;
  std::string record;
  std::string quiescent;
};

struct FrameRules {
  bool fcs = false;
  int shortest = 0;  ///< bytes on the port
  int longest = 0;
  Fate longer = Fate::kUndefined;
  Fate bad = Fate::kUndefined;
  int bad_bit = 0;
};

struct Forwarding {
  Addressing by = Addressing::kTdest;
  std::vector<std::uint32_t> tdests;  ///< by port; none but by tdest
  std::vector<Mac> macs;              ///< by port; none by tdest
  std::vector<std::pair<std::string, std::string>> write;
  Fate unknown = Fate::kUndefined;
  Fate broadcast = Fate::kUndefined;
  Fate group = Fate::kUndefined;  ///< other group addresses
  Fate own_port = Fate::kUndefined;
};

/// Where a frame says its class.
enum class ClassField { kNone, kPcp, kDscp, kUser };

struct Classes {
  ClassField by = ClassField::kNone;
  int count = 1;
  std::vector<std::uint32_t> values;  ///< of the field, by class
  int user_bit = 0;                   ///< the lowest one of tuser
  bool strict = false;                ///< a higher class goes first; else outputs are shared by weights
  std::vector<double> weights;        ///< by class
  bool by_frames = false;             ///< weights count frames; else bytes
};

struct Flow {
  bool stops_inputs = true;
  bool outputs_stop = true;
  bool lossy = false;
  bool isolates = false;
  std::string drops;
  int drops_width = 32;
  bool cut_through = false;
};

struct Claims {
  Level level = Level::kBooks;
  std::int64_t progress = 0;
  std::optional<std::int64_t> latency;
  std::optional<double> throughput;
  std::optional<double> uniform;
  std::optional<double> fairness;
  std::optional<double> classes;
};

struct Capability {
  std::filesystem::path file;
  std::string device;
  std::string library;  ///< path; empty: the device is built of `top`
  std::string top;
  std::vector<std::string> files;  ///< paths that exist
  std::vector<std::string> include;
  std::map<std::string, std::string> defines;
  std::map<std::string, std::string> parameters;
  std::vector<std::pair<std::string, std::string>> ties;
  std::vector<std::string> verilator;
  std::string optimize;  ///< "-Os"
  std::string clock;
  std::string reset;
  bool reset_high = true;
  int reset_cycles = 0;
  PortStyle style = PortStyle::kStream;
  const Profile* profile = nullptr;  ///< golden's, with which it is compared; null: with none
  int ports = 0;
  std::vector<std::string> lacks;  ///< of style link: words of ports.lacks
  const cosim::WireVersion* wire = nullptr;  ///< of style link: version of the wire formats
  LinkSignals link;     ///< of style link; what follows is of style stream, but for the claimed level
  PortSignals signals;
  FrameRules frames;
  Forwarding forwarding;
  Flow flow;
  Classes classes;
  Claims claims;
};

/// Reads a capability file. Throws UsageError with file, line, key and remedy for what cannot be: an unknown key, one
/// without effect beside the others, a value out of range, a source that is not there.
/// `built`: the device is built or loaded, so `top` and `files`, or `library`, are needed; otherwise it is somewhere
/// else, and they are not looked at.
Capability ReadCapability(const std::filesystem::path& file, bool built = true);

}  // namespace tilefly::conform
