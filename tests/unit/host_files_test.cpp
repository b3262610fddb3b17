// A program's files in memory have a limit together; what is removed no longer counts. Lines of a file.
#include "host/files.hpp"

#include <doctest/doctest.h>

#include "host_call_bench.hpp"

using namespace dojo;

TEST_CASE(
    "a program that writes and removes large files again and again never meets the limit of all files") {
  host::Files files;
  std::string why;
  const std::string most_of_it(host::Files::most_bytes / 4 * 3, 'x');
  for (int i = 0; i < 3; ++i) {
    const uint64_t f = files.open("scratch.bin", "w", &why);
    REQUIRE(f != 0);
    CHECK(files.write(*files.find(f), most_of_it.data(), most_of_it.size()));
    if (i == 0) {  // removed while it is open: it counts until it is closed
      CHECK(files.remove("scratch.bin"));
      const uint64_t other = files.open("other.bin", "w", &why);
      CHECK_FALSE(files.write(*files.find(other), most_of_it.data(), most_of_it.size()));
      CHECK(files.close(other));
    }
    CHECK(files.close(f));
    if (i > 0) CHECK(files.remove("scratch.bin"));
  }
}

TEST_CASE("fgets into one byte stores the final zero, and reads nothing") {
  host_test::CallBench b;
  const uint64_t name = b.text("lines.txt"), words = b.text("ab\n"), line = b.text("#");
  const auto file = b.call<uint64_t>("fopen", name, b.text("w+"));
  b.call("fputs", words, file);
  b.call("fseek", file, 0, 0);
  CHECK(b.call<uint64_t>("fgets", line, 0, file) == 0);
  CHECK(b.at<char>(line) == '#');
  CHECK(b.call<uint64_t>("fgets", line, 1, file) == line);
  CHECK(b.at<char>(line) == 0);
  CHECK(b.call<uint64_t>("fgets", line, 2, file) == line);
  CHECK(b.at<char>(line) == 'a');
}
