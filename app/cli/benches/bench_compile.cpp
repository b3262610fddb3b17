// bench compile: from a file's text to its PTX with the clang front end, in a process that has compiled
// before. By the clock, and in processor time, which a busy machine changes less: with headers as text, with
// precompiled ones, and for the compilation that makes them.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "cli/benches/bench_compile.hpp"
#include "cli/cli.hpp"
#include "core/collections/statistics.hpp"
#include "core/compile.hpp"
#include "core/compile/compiler.hpp"
#include "core/error.hpp"
#include "core/files/scratch_folder.hpp"
#include "core/files/whole_file.hpp"
#include "run/bench.hpp"

namespace dojo::cli {
namespace {

/// An environment variable that goes back to what it was.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* v = std::getenv(name)) before_ = v;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// Of this process and of the compilers that it waited for.
double processor_ms() {
  double ms = 0;
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage u{};
    getrusage(who, &u);
    for (const timeval& t : {u.ru_utime, u.ru_stime}) ms += double(t.tv_sec) * 1e3 + double(t.tv_usec) / 1e3;
  }
  return ms;
}

struct Cost {
  std::vector<double> clock, processor;
};

void compile_once(const CompileRequest& request, Cost& cost) {
  const double before = processor_ms();
  const Compiled c = compile(request);
  if (!c.ok)
    throw Error(
        request.file + " does not compile: " + (c.diagnostics.empty() ? "" : c.diagnostics[0].message), 3);
  cost.processor.push_back(processor_ms() - before);
  cost.clock.push_back(c.milliseconds);
}

void put(run::Figures& f, const std::string& key, const Cost& c) {
  f[key + "_ms"] = median(c.clock);
  f[key + "_cpu_ms"] = median(c.processor);
}

run::Figures bench_compile(const run::BenchOptions& o) {
  const Setting compiler("WARPDOJO_FRONT_END", "clang");
  if (std::string why; !compiler_available(&why)) throw Error(why, 2);
  const Catalog catalog = open_catalog();
  std::vector<std::string> names = o.steps;
  if (names.empty()) names = {catalog.find("reduce/2").id(), catalog.find("attention/8-open-flash").id()};
  run::Figures f;
  const int repeats = o.quick ? 3 : 20;
  for (const std::string& name : names) {
    const Step& step = catalog.find(name);
    const std::string solved = read_or_empty(catalog.reference_file(step));
    CompileRequest request;
    request.file = step.file;
    request.arch = step.arch;
    const ScratchFolder cache("bench");
    Cost first, kept, text;
    for (int k = 0; k < repeats + 1; ++k) {
      request.source = solved + fmt::format("// edit {}\n", k);
      {
        const Setting none("XDG_CACHE_HOME", "/dev/null");
        compile_once(request, text);
      }
      const Setting own("XDG_CACHE_HOME", cache.path);
      compile_once(request, k == 0 ? first : kept);
    }
    text.clock.erase(text.clock.begin()), text.processor.erase(text.processor.begin());  // it loaded LLVM
    const std::string key = "compile." + step.id();
    put(f, key + ".first", first);
    put(f, key + ".precompiled", kept);
    put(f, key + ".text", text);
    if (o.say) o.say(fmt::format("{}: {} compilations each way", step.id(), repeats));
  }
  f["compile.repeats"] = repeats;
  return f;
}

}  // namespace

void register_compile_bench() {
  run::register_bench({"compile",
                       "from a file's text to PTX with clang, milliseconds, headers precompiled or not",
                       bench_compile});
}

}  // namespace dojo::cli
