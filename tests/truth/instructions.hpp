#pragma once
// One PTX instruction at a time: a table of instructions and types, a PTX module with one small kernel for
// each, inputs (random and special), and the run on any device ("simt:h100", "cuda:0"). The outputs of a real
// GPU are kept in tests/truth/instructions.bin (made by `truth_recorder cuda:0`); the SIMT machine must give
// the same bits.
#include <cstdint>
#include <string>
#include <vector>

namespace dojo {
class Device;
}

namespace dojo::truth {

inline constexpr int kInputs = 256;  ///< threads a kernel, one input tuple each

struct Op {
  std::string text;                  ///< "add.rn.f32" or a whole line with $r, $a, $b, $c
  std::string result;                ///< PTX type of the result register; "pred" becomes 0 or 1
  std::vector<std::string> sources;  ///< PTX types of the source registers
  int ulp = 0;                       ///< > 0: approximate on hardware; allowed distance
  enum Range : uint8_t {
    mixed,     ///< special values, random bits and moderate ones
    moderate,  ///< finite, exponents near one
    whole,     ///< small integers: sums of products stay exact
    wide,      ///< finite, exponents far apart
  } range = mixed;
};

/// The table has two parts, recorded apart: the first in instructions.bin, the second in instructions2.bin.
inline constexpr int kSets = 2;

/// The instructions of a set, in a fixed order. Names are unique.
const std::vector<Op>& instructions(int set = 1);

/// Source values of an instruction: kInputs x sources.size() words, the low bits in use.
std::vector<uint64_t> inputs_of(const Op&, size_t index);

/// The module's PTX; kernels are named op_0, op_1, ...: (const u64* in, u64* out).
std::string module_text(int set = 1);

/// Runs every kernel of a set and returns its size x kInputs words. An instruction that the device can't
/// run leaves zeros and is named in `failed`.
std::vector<uint64_t> run_all(const std::string& device, std::vector<std::string>* failed, int set = 1);

/// tests/truth/instructions.bin: words by instruction name, so that adding an instruction keeps the others.
struct Recording {
  std::string note;  ///< GPU, driver, date
  std::vector<std::string> names;
  std::vector<uint64_t> words;
  const uint64_t* find(const std::string& name) const;
};
Recording load_recording(const std::string& path);
void save_recording(const std::string& path, const Recording&);

}  // namespace dojo::truth
