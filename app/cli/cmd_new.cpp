// new lab: copies assets/skeleton, with the lab's name, title and order in its paths and texts.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/cli.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/install/user_labs.hpp"
#include "core/paths.hpp"

namespace dojo::cli {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

std::string with_words(std::string text, const Words& words) {
  for (const auto& [from, to] : words)
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

/// "warp-votes" -> "Warp votes".
std::string title_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

void check_name(const Catalog& catalog, const std::string& name) {
  const bool good = !name.empty() && name.size() <= 30 && std::islower(static_cast<unsigned char>(name[0])) &&
                    std::all_of(name.begin(), name.end(), [](char c) {
                      return std::islower(static_cast<unsigned char>(c)) ||
                             std::isdigit(static_cast<unsigned char>(c)) || c == '-';
                    });
  if (!good)
    throw Error("'" + name + "' cannot name a lab: use a small letter, then up to 29 of a-z, 0-9 and '-'");
  if (catalog.find_lab(name))
    throw Error("there is a lab '" + name + "' already (warpdojo list " + name + ")");
}

}  // namespace

int cmd_new_lab(const std::string& name) {
  const Catalog catalog = open_catalog();
  check_name(catalog, name);
  int order = 0;
  for (const Lab& lab : catalog.labs) order = std::max(order, lab.order + 1);
  const std::string folder = fmt::format("{:02}-{}", order, name);
  const Words in_paths = {{"NN-name", folder}, {"name.toml", name + ".toml"}};
  std::string identifier = name;
  std::replace(identifier.begin(), identifier.end(), '-', '_');
  const Words in_texts = {{"@name@", name},
                          {"@identifier@", identifier},
                          {"@Title@", title_of(name)},
                          {"@order@", std::to_string(order)}};

  const fs::path skeleton = source_root() / "assets" / "skeleton";
  std::error_code ec;
  if (!fs::is_directory(skeleton, ec))
    throw Error("there is no assets/skeleton here: make the lab in a checkout of WarpDojo, not in a handout");
  std::vector<std::pair<fs::path, std::string>> files;
  for (const auto& e : fs::recursive_directory_iterator(skeleton)) {
    if (!e.is_regular_file()) continue;
    const fs::path file = catalog.root / with_words(e.path().lexically_relative(skeleton).string(), in_paths);
    if (fs::exists(file)) throw Error(file.string() + " exists already; nothing was written");
    files.emplace_back(file, with_words(read_or_empty(e.path()), in_texts));
  }
  std::sort(files.begin(), files.end());
  for (const auto& [file, text] : files) {
    std::error_code failed;
    open_for(catalog.root, file.lexically_relative(catalog.root));
    fs::create_directories(file.parent_path(), failed);
    if (failed || !write_atomically(file, text))
      throw Error("cannot write " + file.string() + ": labs are made in a checkout that you may write to");
    fmt::print("{}\n", file.lexically_relative(catalog.root).string());
  }
  fmt::print(
      "\nThe lab runs as it is: warpdojo run {0}/1 --who reference\n"
      "Its tests: WARPDOJO_LAB={0} build/release/test_labs -tc='every *,texts*,tiers*'\n"
      "Every field and file: docs/adding-a-lab.md\n",
      name);
  return 0;
}

}  // namespace dojo::cli
