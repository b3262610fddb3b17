#pragma once
// Wall-clock times of a course: deadlines, submissions, extensions. Seconds since 1970 as if the course's own
// wall clock were UTC. Two times that both end in an offset ("+02:00", "Z") are compared as instants, others
// by their wall clocks. Examples: "2026-10-20T23:59", "2026-10-20 21:03:11.5 -0700", "2026-10-20_21-03-11",
// "2026-10-20" (its end).
#include <cstdint>
#include <optional>
#include <string>

namespace dojo::grade {

/// Nothing when the text is no time. A day alone means its last second.
std::optional<int64_t> read_time(const std::string&);

/// A time and its offset from UTC in seconds, where the text has one.
struct Moment {
  int64_t wall = 0;
  std::optional<int64_t> offset;
};
std::optional<Moment> read_moment(const std::string&);
/// Seconds from the first to the second. Example: 23:59 at "+02:00" to 22:05 at "Z" are 6 minutes.
int64_t seconds_between(const Moment&, const Moment&);
/// "2026-10-20T23:59:00+02:00", without an offset where there is none.
std::string moment_words(const Moment&);

/// "36h", "2d", "90m", in seconds. Nothing for anything else.
std::optional<int64_t> read_span(const std::string&);

/// The first time within a text ("attempt 2026-10-20T21-03-11.zip"); nothing when there is none.
std::optional<int64_t> time_within(const std::string&);

/// "2026-10-20T23:59:00".
std::string time_words(int64_t);

}  // namespace dojo::grade
