// expect: compile_error
// The solution.
#include "../../reference/01-reduce/5-sequential.cu"