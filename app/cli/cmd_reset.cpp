#include <fmt/format.h>

#include "cli/cli.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "run/student/originals.hpp"

namespace dojo::cli {
namespace {

/// The first free NAME.cu.~N~.
fs::path backup_name(const fs::path& file) {
  std::error_code ec;
  for (int k = 1;; ++k) {
    const fs::path p = file.string() + ".~" + std::to_string(k) + "~";
    if (!fs::exists(p, ec)) return p;
  }
}

}  // namespace

int cmd_reset(const std::string& name) {
  const Catalog catalog = open_catalog();
  const Step& step = catalog.find(name);
  const fs::path file = catalog.student_file(step);
  const auto original = run::original_text(catalog, step, data_folder());
  if (!original)
    throw Error("there is no earlier text of " + step.file +
                ": the checkout has no git history and the file was never seen unchanged");
  const auto now = read_file(file);
  if (now && *now == *original) {
    fmt::print("{} is as it was.\n", step.file);
    return 0;
  }
  if (now) {
    const fs::path kept = backup_name(file);
    if (!write_atomically(kept, *now)) throw Error("cannot write " + kept.string() + "; nothing was changed");
    fmt::print("kept your text as {}\n", kept.filename().string());
  }
  if (!write_atomically(file, *original)) throw Error("cannot write " + file.string());
  fmt::print("{} is as it was.\n", step.file);
  return 0;
}

}  // namespace dojo::cli
