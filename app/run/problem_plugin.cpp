#include "run/problem_plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <map>
#include <mutex>

#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/paths.hpp"
#include "run/files.hpp"

namespace dojo::run {
namespace {

std::map<std::string, uint64_t>& linked() {
  static std::map<std::string, uint64_t> table;
  return table;
}

/// The compiler: $CXX, else c++.
std::string compiler() {
  const char* own = std::getenv("CXX");
  return own && *own ? own : "c++";
}

/// The headers that a problem.cpp includes ("core/problem.hpp"): those of the checkout or of the installed
/// package.
fs::path headers() {
  const fs::path checkout = source_root() / "app";
  return fs::exists(checkout / "core" / "problem.hpp") ? checkout : source_root() / "include";
}

/// A shell word that stands for exactly this text.
std::string quoted(const fs::path& path) {
  std::string out = "'";
  for (const char c : path.string()) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// "problem.cpp:12:3: error: ..." of a compiler's output; its first line when none says error.
std::string first_error(const std::string& output) {
  size_t from = 0;
  while (from < output.size()) {
    const size_t end = std::min(output.find('\n', from), output.size());
    const std::string line = output.substr(from, end - from);
    if (line.find("error:") != std::string::npos) return line;
    from = end + 1;
  }
  return output.substr(0, output.find('\n'));
}

/// Compiles to a temporary name and renames, so that two processes never load half a file.
void compile(const Lab& lab, const fs::path& source, const fs::path& object) {
  const fs::path fresh = object.string() + fmt::format(".{}", getpid());
  const fs::path log = fresh.string() + ".log";
  const std::string command =
      fmt::format("{} -std=c++20 -O2 -ffp-contract=off -fPIC -shared -I{} {} -o {} >{} 2>&1 </dev/null",
                  compiler(), quoted(headers()), quoted(source), quoted(fresh), quoted(log));
  const int status = std::system(command.c_str());
  const std::string output = read_file(log).value_or("");
  std::error_code ec;
  fs::remove(log, ec);
  if (status != 0) {
    fs::remove(fresh, ec);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
      throw Error(
          fmt::format("The lab '{}' needs its problem.cpp compiled, and there is no C++ compiler "
                      "('{}'). Install g++, or name one in $CXX.",
                      lab.name, compiler()));
    throw Error(fmt::format("{} does not compile: {}", source.string(), first_error(output)));
  }
  fs::rename(fresh, object);
}

/// The shared object of this text, compiled if it is not there. Its name also carries the program's build,
/// since both share the layout of the classes.
fs::path object_of(const Lab& lab, const fs::path& source, uint64_t text) {
  const fs::path folder = problem_folder();
  if (folder.empty())
    throw Error("There is no cache folder to compile problem.cpp into; set XDG_CACHE_HOME.");
  std::error_code ec;
  const auto built = fs::last_write_time(program_path(), ec).time_since_epoch().count();
  const fs::path object = folder / fmt::format("problem-{}-{:016x}-{:x}.so", lab.name, text, uint64_t(built));
  if (!fs::exists(object, ec)) compile(lab, source, object);
  return object;
}

/// Loads a copy that is removed at once: an object that was loaded before would not register its problem
/// again.
void load_afresh(const fs::path& object, const fs::path& source) {
  static int copies = 0;
  const fs::path copy = object.string() + fmt::format(".{}-{}", getpid(), ++copies);
  std::error_code ec;
  fs::copy_file(object, copy, fs::copy_options::overwrite_existing, ec);
  if (ec) throw Error(fmt::format("{} can't be loaded: {}", source.string(), ec.message()));
  const bool open = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;
  const std::string why = open ? "" : dlerror();
  fs::remove(copy, ec);
  if (!open) throw Error(fmt::format("{} can't be loaded: {}", source.string(), why));
}

/// Loads the lab's problem unless this text is already the registered one.
void load(const Lab& lab) {
  static std::mutex mutex;
  static std::map<std::string, uint64_t> loaded;  // by problem name
  const std::lock_guard lock(mutex);
  const fs::path source = lab.folder / "problem.cpp";
  const auto text = read_file(source);
  if (!text) return;  // a lab may share another one's problem
  const uint64_t print = fingerprint(*text);
  const auto own = linked().find(lab.folder.filename().string());
  const auto now = loaded.find(lab.problem);
  if (now != loaded.end() ? now->second == print : own != linked().end() && own->second == print) return;
  const fs::path object = object_of(lab, source, print);
  load_afresh(object, source);
  loaded[lab.problem] = print;
}

}  // namespace

fs::path problem_folder() {
  const char* given = std::getenv("WARPDOJO_PROBLEMS");
  return given && *given ? fs::path(given) : cache_folder();
}

bool linked_in(const std::string& folder, uint64_t fingerprint) {
  return linked().insert_or_assign(folder, fingerprint).second;
}

const Problem& problem_of(const Lab& lab) {
  load(lab);
  return problem_for(lab.problem);
}

void load_problems(const Catalog& catalog) {
  for (const Lab& lab : catalog.labs) try {
      load(lab);
    } catch (const Error&) {
    }
}

}  // namespace dojo::run
