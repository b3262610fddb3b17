#pragma once
// What one call of an entry leaves to the next. A course's functions are called again and again; a counter
// that a kernel does not set back makes the second result wrong, and the first call never shows it. A
// call leaves state to the next through variables of the file, or through memory that they point to: a call
// that changes none needs no second one.
//   second call: other inputs in other arrays, so that kept addresses and kept results are wrong
//   third call:  the first inputs again, in the arrays of the second, so that a result that is kept by its
//                address is wrong, and a maximum that only grows, whichever of the two inputs has the larger;
//                left out where the two inputs have arrays of other sizes
//
// Example: reduce/12b adds the partial sums in the block that finishes last, told by `atomicAdd(&done, 1)`.
// Without `done = 0` no block of the second call is the last one, and the result is never written.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/report.hpp"
#include "run/execute.hpp"
#include "run/step/buffers.hpp"

namespace dojo::run {

/// The variables of the file, of device and host code, as they are before the first call.
class KeptVariables {
 public:
  explicit KeptVariables(const AddressSpace&);
  /// Names of those whose bytes differ now, small ones first: flags and counters before scratch memory.
  std::vector<std::string> changed(AddressSpace&) const;

 private:
  std::map<uint64_t, std::vector<std::byte>> bytes_;  ///< by address
};

/// Says that only the second call was wrong, and which variables the first call left changed.
Diagnostic second_call_wrong(const Job&, const std::vector<std::string>& changed);
/// Adds to a finding that it was made in the second call.
void name_second_call(Diagnostic&, const Job&);

}  // namespace dojo::run
