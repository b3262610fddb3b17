#pragma once
// A class's archive, as course systems make them: students' folders or archives at its top or within one
// folder.
//
// Example: class.zip with autumn/ada/01-reduce/5-sequential.cu and autumn/bob.zip holds a class around
// "autumn/". hw.zip with hw/01-reduce/5-sequential.cu is one student's.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "grade/intake/archive.hpp"

namespace dojo::grade {

/// The folder around the students of a class's archive: "" for its top, else "autumn/". Nothing when the
/// archive is one student's. `step_file`: does a file of this name stand for a step?
std::optional<std::string> class_within(const Unpacked&, const Catalog&,
                                        const std::function<bool(const std::string&)>& step_file);

/// Makes the class's folder in the empty folder `to`: sources and archives under their cleaned names, and an
/// empty folder or file for what else a student has there. No links are made. Returns what was left out.
std::vector<std::string> lay_out_class(const Unpacked&, const std::string& around, const fs::path& to);

/// A file's name without .zip, .tar, .tar.gz, .tgz or .cu.
std::string stem_of(const fs::path&);

}  // namespace dojo::grade
