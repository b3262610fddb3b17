#pragma once
// Compiles and runs a text as `play` does, on the modelled H100.
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compile.hpp"
#include "core/device.hpp"
#include "host/program_run.hpp"

namespace dojo::host_test {

struct Played {
  int exit_status = -1;
  bool stopped = false;  ///< by a finding or a limit
  std::string printed;
  std::vector<Diagnostic> findings;
  double seconds = 0;
};

/// What compiles, while it exists: "nvrtc" or "clang".
class ChosenCompiler {
 public:
  explicit ChosenCompiler(const char* name) {
    if (const char* before = std::getenv(variable)) before_ = before;
    setenv(variable, name, 1);
  }
  ~ChosenCompiler() {
    if (before_)
      setenv(variable, before_->c_str(), 1);
    else
      unsetenv(variable);
  }
  ChosenCompiler(const ChosenCompiler&) = delete;
  ChosenCompiler& operator=(const ChosenCompiler&) = delete;

 private:
  static constexpr const char* variable = "WARPDOJO_FRONT_END";
  std::optional<std::string> before_;
};

struct Loaded {
  explicit Loaded(const std::string& source, const std::string& file = "t.cu",
                  const std::string& standard = "c++17");
  std::unique_ptr<Device> device;
  std::unique_ptr<host::Session> session;
};

/// `file`: its name in messages, and where its own headers are looked for.
Played play(const std::string& source, const std::vector<std::string>& args = {},
            const std::string& file = "t.cu", const std::string& standard = "c++17");

}  // namespace dojo::host_test
