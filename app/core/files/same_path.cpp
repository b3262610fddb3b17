#include "core/files/same_path.hpp"

namespace dojo {

namespace fs = std::filesystem;

bool same_path(const fs::path& a, const fs::path& b) {
  std::error_code ec;
  if (a == b || fs::equivalent(a, b, ec)) return true;
  if (a.filename() != b.filename()) return false;
  const auto whole = [&](const fs::path& p) { return fs::weakly_canonical(fs::absolute(p, ec), ec); };
  return whole(a) == whole(b);
}

}  // namespace dojo
