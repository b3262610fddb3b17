#include "run/native/shared_object.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "core/text/escape.hpp"
#include "core/text/lines.hpp"

namespace dojo::run {
namespace {
namespace fs = std::filesystem;

std::string native_compiler() {
  const char* own = std::getenv("CXX");
  return own && *own ? own : "c++";
}

/// The program's own headers ("core/problem.hpp"): those of the checkout or of the installed package.
fs::path program_headers() {
  const fs::path checkout = source_root() / "app";
  return fs::exists(checkout / "core" / "problem.hpp") ? checkout : source_root() / "include";
}

/// "problem.cpp:12:3: error: ..." of a compiler's output; its first line when none says error.
std::string first_error(const std::string& output) {
  for (const std::string_view line : lines_of(output))
    if (line.find("error:") != line.npos) return std::string(line);
  return output.substr(0, output.find('\n'));
}

}  // namespace

void compile_shared_object(const NativeSource& source, const fs::path& object) {
  const fs::path fresh = object.string() + fmt::format(".{}", getpid());
  const fs::path log = fresh.string() + ".log";
  const std::string command =
      fmt::format("{} -std=c++20 -O2 -ffp-contract=off -fPIC -shared {} -I{} {} -o {} >{} 2>&1 </dev/null",
                  native_compiler(), source.options, shell_word(program_headers().string()),
                  shell_word(source.file.string()), shell_word(fresh.string()), shell_word(log.string()));
  const int status = std::system(command.c_str());
  const std::string output = read_or_empty(log);
  std::error_code ec;
  fs::remove(log, ec);
  if (status != 0) {
    fs::remove(fresh, ec);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
      throw Error(
          fmt::format("{}, and there is no C++ compiler ('{}'). Install g++, or name one in "
                      "$CXX.",
                      source.what, native_compiler()));
    if (output.find("doctest/doctest.h: No such file") != std::string::npos ||
        output.find("'doctest/doctest.h' file not found") != std::string::npos)
      throw Error(source.what + ", and doctest's header is not there. Install the package doctest-dev.");
    throw Error(fmt::format("{} does not compile: {}", source.file.string(), first_error(output)));
  }
  fs::rename(fresh, object);
}

}  // namespace dojo::run
