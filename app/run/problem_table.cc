// Writes the table of the problems that are linked in: `problem_table OUT.cpp LABS/FOLDER/problem.cpp ...`. A
// program of the build; its output is part of the program (problem_plugin.hpp).
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/fingerprint.hpp"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  std::ofstream out(arguments[1]);
  out << "#include \"run/problem_plugin.hpp\"\n\nnamespace dojo::run {\nnamespace {\n\n";
  for (int i = 2; i < count; ++i) {
    const std::filesystem::path file = arguments[i];
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
      std::fprintf(stderr, "problem_table: can't read %s\n", arguments[i]);
      return 1;
    }
    char print[32];
    std::snprintf(print, sizeof print, "0x%016llxull", (unsigned long long)dojo::fingerprint(text));
    out << "const bool linked_" << i << " = linked_in(\"" << file.parent_path().filename().string() << "\", "
        << print << ");\n";
  }
  out << "\n}  // namespace\n}  // namespace dojo::run\n";
  return out.good() ? 0 : 1;
}
