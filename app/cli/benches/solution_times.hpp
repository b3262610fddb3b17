#pragma once
#include "cli/cli.hpp"

namespace dojo::cli {

/// `warpdojo record --solutions`: the times of students' files (run/audits/solutions.hpp) on a GPU. What is
/// in the file already and has not changed is not run again.
int record_solutions(const RecordOptions&);

/// Registers `warpdojo bench solutions`: the same files' modelled times beside the recorded ones.
void register_solutions_bench();

}  // namespace dojo::cli
