#pragma once
// The second small size at which a student's file is checked: also_check in lab.toml. The first one,
// check_size, has a remainder everywhere; this one has none, so a bound that is one too high shows.
#include <string>

#include "core/labs/lab.hpp"

namespace dojo {

/// An extent of also_check stands among the step's options under this and its name.
inline const std::string also_check_prefix = "also_check.";

/// The check size with the extents of also_check in their place; empty where the step has none.
inline Size also_check_size(const Step& step) {
  Size size;
  for (const auto& [name, value] : step.options)
    if (name.starts_with(also_check_prefix)) size[name.substr(also_check_prefix.size())] = std::stoll(value);
  if (!size.empty()) size.insert(step.check_size.begin(), step.check_size.end());
  return size;
}

}  // namespace dojo
