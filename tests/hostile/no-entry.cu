// expect: compile_error
// No entry at all.
int nothing;