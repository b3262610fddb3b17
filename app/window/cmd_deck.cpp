// warpdojo deck: a lecture deck as one file.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/cli.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "gui/deck_file.hpp"

namespace dojo::cli {

int cmd_deck(const std::string& lab, const std::string& out, const std::string& device) {
  if (!out.ends_with(".html") && !out.ends_with(".pdf")) throw Error("--out ends in .html or .pdf");
  gui::export_deck(find_root(), lab, out, device, [](const std::string& line) {
    if (isatty(2)) fmt::print(stderr, "{}\n", line);
  });
  fmt::print("{}\n", out);
  return 0;
}

}  // namespace dojo::cli
