#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/originals.hpp"
#include "core/error.hpp"
#include "run/reference_cache.hpp"

namespace dojo::cli {

int cmd_reset(const std::string& name) {
  const Catalog catalog = open_catalog();
  const Step& step = catalog.find(name);
  const fs::path file = catalog.student_file(step);
  const auto original = original_text(catalog, step);
  if (!original)
    throw Error("there is no earlier text of " + step.file +
                ": the checkout has no git history and the file was never seen unchanged");
  const auto now = run::read_file(file);
  if (now && *now == *original) {
    fmt::print("{} is as it was.\n", step.file);
    return 0;
  }
  if (now) {
    const fs::path kept = backup_name(file);
    if (!run::write_atomically(kept, *now))
      throw Error("cannot write " + kept.string() + "; nothing was changed");
    fmt::print("kept your text as {}\n", kept.filename().string());
  }
  if (!run::write_atomically(file, *original)) throw Error("cannot write " + file.string());
  fmt::print("{} is as it was.\n", step.file);
  return 0;
}

}  // namespace dojo::cli
