// expect: compile_error
// A program instead of a step.
int main() { printf("hello\n"); return 0; }