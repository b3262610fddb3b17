#include "run/problem_plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/fingerprint.hpp"
#include "core/paths.hpp"
#include "run/native/shared_object.hpp"

namespace dojo::run {
namespace {

std::map<std::string, uint64_t>& linked() {
  static std::map<std::string, uint64_t> table;
  return table;
}

/// Removes the lab's objects of other texts and builds. Those of the last hour stay: another process may be
/// about to load one.
void remove_old_objects(const Lab& lab, const fs::path& object) {
  const std::string head = "problem-" + lab.name + "-";
  const auto now = fs::file_time_type::clock::now();
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(object.parent_path(), ec)) {
    const std::string name = e.path().filename().string();
    // 16 digits follow; those of a lab whose name only begins like this one's don't.
    const bool own =
        name.starts_with(head) && name.find_first_not_of("0123456789abcdef", head.size()) == head.size() + 16;
    if (own && e.path() != object && now - e.last_write_time(ec) > std::chrono::hours(1))
      fs::remove(e.path(), ec);
  }
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
  if (!fs::exists(object, ec)) {
    compile_shared_object({source, fmt::format("The lab '{}' needs its problem.cpp compiled", lab.name), ""},
                          object);
    remove_old_objects(lab, object);
  }
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
