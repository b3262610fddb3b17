#include "run/verdict/seen_at.hpp"

#include <string_view>

namespace dojo::run {
namespace {

constexpr std::string_view before_size = " (seen at ", behind_size = ", compiled without optimisation)";

}  // namespace

std::string seen_at(const Size& size) {
  return std::string(before_size) + size_argument(size) + std::string(behind_size);
}

std::string without_seen_at(const std::string& message) {
  return message.substr(0, message.find(before_size));
}

bool was_seen_small(const Diagnostic& d) { return d.message.find(behind_size) != std::string::npos; }

bool was_seen_at(const Diagnostic& d, const Size& size) {
  return d.message.find(seen_at(size)) != std::string::npos;
}

}  // namespace dojo::run
