#include "grade/secret.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/fingerprint.hpp"

namespace dojo::grade {
namespace {

// Not FNV-1a's own, but what all courses so far began with: a regrade must draw the same hidden inputs.
constexpr uint64_t hash_start = 1469598103934665603ull;

// The secret guards against guessing inputs, nothing more: a student who knew them could not store the
// results in a source of a few kilobytes, but shouldn't be tempted.
uint64_t hash(const std::string& text) { return spread(fingerprint(text, hash_start)); }

int64_t parameter(const Step& step, const std::string& name) {
  const auto it = step.params.find(name);
  return it == step.params.end() ? 1 : std::max<int64_t>(1, int64_t(it->second));
}

}  // namespace

uint64_t hidden_seed(const std::string& secret, const std::string& step, int i) {
  if (secret.empty()) return uint64_t(i) + 1;
  return hash(secret + "|seed|" + step + "|" + std::to_string(i)) >> 1;
}

Size hidden_size(const std::string& secret, const Step& step, int i) {
  Size size = step.size;
  if (secret.empty() || step.params.count("fixed_size")) return size;
  for (auto& [name, value] : size) {
    if (value < 64) continue;
    const int64_t multiple = std::max(parameter(step, "multiple_of"), parameter(step, name + "_multiple_of"));
    const int64_t eighth = value / 8;
    const uint64_t drawn = hash(secret + "|size|" + step.id() + "|" + name + "|" + std::to_string(i));
    int64_t more = int64_t(drawn % uint64_t(2 * eighth + 1)) - eighth;
    if (step.params.count("most_" + name)) more = -std::abs(more);
    value = std::max(multiple, (value + more) / multiple * multiple);
  }
  return size;
}

}  // namespace dojo::grade
