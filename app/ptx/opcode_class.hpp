#pragma once
// What a PTX instruction is to a GPU: the pipe it occupies, and roughly how many machine instructions it
// becomes.
#include "ptx/code_shape.hpp"
#include "ptx/module.hpp"

namespace dojo::ptx {

struct OpcodeClass {
  Pipe pipe = Pipe::alu;
  int ops = 1;  ///< machine instructions; 0: folded into others (parameter loads, address space casts, moves)
  int scaling = 0;  ///< of these, the first ones that scale operands, on the pipe fma
};

/// Ops and pipe of one instruction by itself. `kernel`: parameters lie in the constant bank.
OpcodeClass classify(const Instruction&, bool kernel);

/// Whether ptxas makes a short sequence and a routine for rare operands of it: division, reciprocal and
/// square root of float and double, rounded to nearest, but not division by a constant power of two.
bool has_routine(const Instruction&);

/// Instructions of the routine that ptxas calls for every division or remainder of 64-bit integers; 0: it is
/// something else. Measured with tests/microbench/slow_path_length.cu on an H100, less what stands in the
/// loop there (about 10).
int integer_routine(const Instruction&);
/// Does it load or store 8 x 8 matrices by rows (LDSM, STSM)? ldmatrix, stmatrix, and wmma's factors from
/// shared memory.
bool moves_matrices(const Instruction&);

}  // namespace dojo::ptx
