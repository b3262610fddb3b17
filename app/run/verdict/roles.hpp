#pragma once
// What the names in a finding stand for, so that findings of two files can be compared although one of them
// calls its arrays otherwise: `s` and `tile` are both the first shared array of their kernel.
#include <map>
#include <string>
#include <string_view>

namespace dojo::run {

/// Names of a source's shared arrays and of its kernels' parameters, per function, with what they are:
/// "the shared array A", "the parameter B".
class Roles {
 public:
  explicit Roles(std::string_view source);
  /// A finding's message with names replaced that stand before an index ("s[35]") or a size ("s has 256").
  /// `kernel` is looked in first; a name that no function declares stays.
  std::string in_words(const std::string& message, const std::string& kernel) const;

 private:
  const std::string* role_of(const std::string& kernel, const std::string& name) const;
  std::map<std::string, std::map<std::string, std::string>> of_function_;
};

}  // namespace dojo::run
