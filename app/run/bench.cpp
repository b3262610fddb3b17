#include "run/bench.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

#include "core/labs/lab.hpp"
#include "core/text/escape.hpp"

namespace dojo::run {
namespace {
std::vector<BenchFamily>& families() {
  static std::vector<BenchFamily> all;
  return all;
}
}  // namespace

void register_bench(BenchFamily f) {
  for (auto& old : families())
    if (old.name == f.name) {
      old = std::move(f);
      return;
    }
  families().push_back(std::move(f));
}

const std::vector<BenchFamily>& bench_families() { return families(); }

std::string machine_name() {
  std::ifstream in("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  return model + " x " + std::to_string(std::thread::hardware_concurrency());
}

std::string driver_name() {
  std::ifstream in("/proc/driver/nvidia/version");
  std::string word;
  while (in >> word)  // the first word that looks like 580.159.04
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
      return word;
  return {};
}

std::string date_name() {
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  return date;
}

std::string commit_name() {
  if (const char* given = std::getenv("WARPDOJO_COMMIT")) return given;
  // Of the checkout in use; a handout without git has none.
  std::string out;
  if (FILE* p = popen(
          ("git -C " + shell_word(find_root().string()) + " rev-parse --short HEAD 2>/dev/null").c_str(),
          "re")) {
    char buffer[64];
    while (std::fgets(buffer, sizeof buffer, p)) out += buffer;
    pclose(p);
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out.empty() ? "unknown" : out;
}

}  // namespace dojo::run
