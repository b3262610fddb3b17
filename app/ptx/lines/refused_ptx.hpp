#pragma once
// What is said of PTX that the parser or ptxas refuses: at the line of the student's file, in their names.
#include "core/compile.hpp"
#include "ptx/module.hpp"

namespace dojo::ptx {

/// Of text that parse() refused.
Diagnostic refused_by_parser(const ParseError&, const std::string& ptx, const std::string& student_file);

/// Of `stripped`, strip_host()'s text of the module, that ptxas refused.
Diagnostic refused_by_ptxas(const Assembled&, const Module&, const std::string& stripped);

}  // namespace dojo::ptx
