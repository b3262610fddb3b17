#pragma once
// Where a gate is judged: on a device and at a size of its own. A place may leave a choice, which a course's
// secret then makes. A file with the numbers of one place written into it does not pass at another.
//
// Example: "(m=20..60/4, simt:t4|simt:v100)" is a GPU of two, and one of 20, 24, ... 60 rows.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dojo::gates {

/// Values of an extent, in its own unit: first, first + step and so on, none past last.
struct Range {
  int64_t first = 0, last = 0, step = 1;
  bool operator==(const Range&) const = default;
  int64_t count() const { return (last - first) / step + 1; }
};

/// "24", "20..60" or "20..60/4" with numbers of up to ten digits. False for anything else, and for a range
/// without values.
bool parse_range(std::string_view text, Range& to);
std::string to_string(const Range&);

struct Place {
  std::map<std::string, Range> size;  ///< extents; those not named are the gate size's
  std::vector<std::string> devices;   ///< "simt:..."; none: the step's
  bool given() const { return !size.empty() || !devices.empty(); }
  /// Does it leave a choice?
  bool drawn() const;
};
/// The text of a place, behind a gate's: " (n=1000, simt:a5000)".
std::string to_string(const Place&);

/// What a place comes to in one run.
struct Spot {
  std::map<std::string, int64_t> size;
  std::string device;  ///< empty: the step's
};
/// Chooses by the number `draw`; 0, which practice has, chooses the last device and the last values. Two
/// places of equal text come to the same spot, so that gates of a step share their runs.
Spot spot(const Place&, uint64_t draw);

}  // namespace dojo::gates
