#pragma once
// A test that needs a tool which this machine lacks says so before it returns:
//   if (dojo::needs::left_out_without("git")) return;
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

namespace dojo::needs {

inline bool installed(const std::string& program) {
  return std::system(("command -v '" + program + "' >/dev/null 2>&1").c_str()) == 0;
}

/// True, with a message, if `what` is not there. `what`: a program, or any need with whether it is met.
inline bool left_out_without(const std::string& what, bool there) {
  if (!there) MESSAGE("left out: this test needs " << what);
  return !there;
}
inline bool left_out_without(const std::string& program) {
  return left_out_without(program, installed(program));
}

}  // namespace dojo::needs
