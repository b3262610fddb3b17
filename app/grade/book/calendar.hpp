#pragma once
// Wall-clock times of a course: deadlines, submissions, extensions. Seconds since 1970 as if the course's own
// wall clock were UTC; an offset at the end of a time ("+02:00", "Z") is not looked at.
// Examples: "2026-10-20T23:59", "2026-10-20 21:03:11.5 -0700", "2026-10-20_21-03-11", "2026-10-20" (its end).
#include <cstdint>
#include <optional>
#include <string>

namespace dojo::grade {

/// Nothing when the text is no time. A day alone means its last second.
std::optional<int64_t> read_time(const std::string&);

/// "36h", "2d", "90m", in seconds. Nothing for anything else.
std::optional<int64_t> read_span(const std::string&);

/// The first time within a text ("attempt 2026-10-20T21-03-11.zip"); nothing when there is none.
std::optional<int64_t> time_within(const std::string&);

/// "2026-10-20T23:59:00".
std::string time_words(int64_t);

}  // namespace dojo::grade
