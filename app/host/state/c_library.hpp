#pragma once
// What the C library remembers between a program's calls (calls_library.cpp, calls_strings.cpp,
// calls_print.cpp).
#include <cstdint>
#include <vector>

#include "host/state/glibc_random.hpp"

namespace dojo::host {

struct CLibrary {
  GlibcRandom random;                   ///< of rand() and random()
  uint64_t rand48 = 0x1234ABCD330Eull;  ///< 48 bits: the state of drand48() before any srand48(), as in glibc
  uint64_t strtok_next = 0;       ///< address at which strtok(nullptr, …) goes on; 0: the text has ended
  std::vector<uint64_t> at_exit;  ///< functions given to atexit(), in the order of the calls
  uint64_t sorting = 0;           ///< elements of all qsort() calls that have not returned
  uint64_t thrown = 0;            ///< address of the last exception of host code; 0: none yet

  /// Where the next printf writes. __dojo_print_to and __dojo_print_into set it, and that printf resets it.
  struct PrintTarget {
    uint64_t file = 0;       ///< handle; 0: stdout
    bool to_memory = false;  ///< to `address` instead of the file
    uint64_t address = 0;
    uint64_t capacity = 0;  ///< bytes at `address`, with the final zero
  } print;
};

}  // namespace dojo::host
