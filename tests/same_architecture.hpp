#pragma once
// Whether programs that a compiler makes can be loaded or run by this test. Under qemu-user what a test
// starts is native, so a compiler that it finds makes programs of another architecture (scripts/aarch64.sh).
#include <sys/utsname.h>

#include <cstdlib>
#include <string>

namespace dojo::needs {

/// Does the output of `command`, such as `g++ -dumpmachine`, begin with the name of this test's architecture?
inline bool same_architecture(const std::string& command) {
  utsname own{};
  uname(&own);
  return std::system(
             ("case $(" + command + " 2>/dev/null) in " + own.machine + "*) ;; *) false ;; esac").c_str()) ==
         0;
}

}  // namespace dojo::needs
