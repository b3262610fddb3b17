#pragma once
// The pages of a handout: what a student reads there.
#include <filesystem>
#include <string>

#include "core/labs/lab.hpp"

namespace dojo::grade {

/// Copies the pages of docs/ that are for students, with their pictures. A link to what does not go along
/// becomes its words. Throws Error where a page can't be written.
void copy_student_pages(const fs::path& docs, const fs::path& to);

/// The handout's README: `{lab}` and `{step}` in the text are those of the course's first step. The comments
/// of its commands begin in one column.
std::string handout_readme(const std::string& text, const Step& first);

}  // namespace dojo::grade
