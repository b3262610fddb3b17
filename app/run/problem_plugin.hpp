#pragma once
// A lab is added, and its problem.cpp changed, without building the program again. The problems of our own
// labs are linked in. A lab whose problem.cpp is not the one that was linked in gets it from a shared object:
// compiled on first use (some seconds, by the C++ compiler), kept in the cache folder under a fingerprint of
// its text, and loaded.
//
// The file is the course's own, and trusted: it runs natively. A submission has no way to name one.
#include "core/labs/lab.hpp"
#include "core/problem.hpp"

namespace dojo::run {

/// The problem of a lab, linked in or loaded. Throws Error with the compiler's first message and its line, or
/// when the file does not register the lab's problem, or when there is neither a problem nor a compiler.
const Problem& problem_of(const Lab&);

/// Compiles and loads what the labs of a catalog need, so that a process that is about to be enclosed in a
/// sandbox has them. Labs whose problem can't be had are left for problem_of to report.
void load_problems(const Catalog&);

/// Where the shared objects are: $WARPDOJO_PROBLEMS, which a parent gives to an enclosed child, else the
/// cache folder.
fs::path problem_folder();

/// Makes known that a problem.cpp with this fingerprint, of labs/FOLDER, is linked into the program. Called
/// by the table that the build makes.
bool linked_in(const std::string& folder, uint64_t fingerprint);

}  // namespace dojo::run
