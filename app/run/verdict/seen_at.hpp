#pragma once
// A finding at a check size says so at the end of its message, which is all that a report keeps of it. This
// is the only place that writes and reads those words.
#include <string>

#include "core/types.hpp"

namespace dojo::run {

/// " (seen at n=1000, compiled without optimisation)".
std::string seen_at(const Size&);
/// The message without those words.
std::string without_seen_at(const std::string& message);
/// Was this finding seen at any check size; at this one?
bool was_seen_small(const Diagnostic&);
bool was_seen_at(const Diagnostic&, const Size&);

}  // namespace dojo::run
