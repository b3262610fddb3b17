#include "cli/cli.hpp"

int main(int argc, char** argv) { return dojo::cli::main(argc, argv); }
