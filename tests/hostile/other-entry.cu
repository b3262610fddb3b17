// expect: compile_error
// An entry of another type.
double reduce(double a, double b) { return a / b; }