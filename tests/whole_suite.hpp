#pragma once
// `./warpdojo test` is kept under a quarter of an hour: of long tables it runs a part, always the same one.
// `./warpdojo test --all` runs all of them. A test that leaves rows out says how many.
#include <cstdlib>
#include <string_view>

namespace dojo::test {

inline bool whole_suite() {
  const char* which = std::getenv("WARPDOJO_TEST");
  return which && std::string_view(which) == "all";
}

}  // namespace dojo::test
