#pragma once
// Compiles and runs a text as `play` does, on the modelled H100.
#include <memory>
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
