// What fuzzing found goes on ending: every input in tests/fuzz/corpus/machine_module runs here too, without
// sanitizers.
#include "../fuzz/machine_module.cpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

TEST_CASE("inputs kept from fuzzing run to an end") {
  int files = 0;
  for (const auto& f : std::filesystem::directory_iterator(dojo::source_root() / "tests" / "fuzz" / "corpus" /
                                                           "machine_module")) {
    const std::string bytes = dojo::read_or_empty(f.path());
    CAPTURE(f.path().filename().string());
    CHECK(LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()) == 0);
    ++files;
  }
  CHECK(files >= 13);
}
