#pragma once
// The student files as they were when the student first saw them, so that reset has something to go back to.
#include <optional>
#include <string>

#include "core/lab.hpp"

namespace dojo::cli {

/// Keeps a copy of a step's file in the data folder, if there is none yet and it is still as it was
/// delivered.
void keep_original(const Catalog&, const Step&);
/// The text that the file had at first: from git (the commit that added it), else the kept copy.
std::optional<std::string> original_text(const Catalog&, const Step&);
/// The first free NAME.cu.~N~.
fs::path backup_name(const fs::path&);

}  // namespace dojo::cli
