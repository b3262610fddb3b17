#include "run/reference_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/compile/compiler.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"

namespace dojo::run {
namespace {

constexpr size_t most_entries = 2000;

/// Two FNV-1a streams with different offsets: 128 bits against accidents (a collision gains an attacker
/// nothing).
class Digest {
 public:
  void add(const std::string& s) {
    add_bytes(s.data(), s.size());
    const uint64_t n = s.size();  // so that "ab","c" and "a","bc" differ
    add_bytes(&n, sizeof n);
  }
  void add(uint64_t v) { add_bytes(&v, sizeof v); }
  std::string text() const {
    char out[33];
    std::snprintf(out, sizeof out, "%016llx%016llx", (unsigned long long)a_, (unsigned long long)b_);
    return out;
  }

 private:
  void add_bytes(const void* p, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      const auto c = static_cast<const unsigned char*>(p)[i];
      a_ = (a_ ^ c) * 0x100000001b3ull;
      b_ = (b_ ^ c) * 0x100000001b3ull + (b_ >> 47);
    }
  }
  uint64_t a_ = 0xcbf29ce484222325ull, b_ = 0x9ae16a3b2f90404full;
};

/// The running program's own stamp: another build may count or model differently.
std::string build_stamp() {
  struct stat s {};
  if (stat("/proc/self/exe", &s) != 0) return {};
  return std::to_string(s.st_size) + "." + std::to_string(s.st_mtim.tv_sec) + "." +
         std::to_string(s.st_mtim.tv_nsec);
}

/// Stamp of the ptxas that assembles, empty without one: registers and times are estimated then.
std::string assembler_stamp() {
  struct stat s {};
  if (stat((cuda_root() / "bin" / "ptxas").c_str(), &s) != 0) return {};
  return std::to_string(s.st_size) + "." + std::to_string(s.st_mtim.tv_sec);
}

fs::path folder() {
  const fs::path base = cache_folder();
  return base.empty() ? fs::path{} : base / "reports";
}

/// Keeps the folder small: the oldest half goes when there are too many entries.
void prune(const fs::path& dir) {
  std::error_code ec;
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const auto& e : fs::directory_iterator(dir, ec)) all.emplace_back(e.last_write_time(ec), e.path());
  if (all.size() <= most_entries) return;
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i < all.size() / 2; ++i) fs::remove(all[i].second, ec);
}

}  // namespace

std::string cache_key(const Catalog& catalog, const Step& step, const std::string& source,
                      const ReportDevice& device, const Size& size, uint64_t seed, bool lines, bool blocks) {
  Digest d;
  d.add(build_stamp());
  d.add(step.id());
  d.add(source);
  const Lab& lab = catalog.lab_of(step);
  d.add(read_file(lab.folder / "lab.toml").value_or(""));
  d.add(read_file(lab.folder / "problem.cpp").value_or(""));  // may be changed without a new build
  std::error_code ec;
  std::vector<fs::path> headers;
  for (const auto& e : fs::recursive_directory_iterator(catalog.root / "labs" / "include", ec))
    if (e.is_regular_file(ec)) headers.push_back(e.path());
  std::sort(headers.begin(), headers.end());
  for (const auto& h : headers) {
    d.add(h.filename().string());
    d.add(read_file(h).value_or(""));
  }
  d.add(device.name);
  d.add(device.model_version);
  // A lecturer may change a device's file, and the times with it.
  if (const auto colon = device.name.find(':'); colon != device.name.npos)
    d.add(read_file(source_root() / "assets" / "devices" / (device.name.substr(colon + 1) + ".toml"))
              .value_or(""));
  for (const auto& [name, extent] : size) {
    d.add(name);
    d.add(uint64_t(extent));
  }
  d.add(seed);
  d.add(uint64_t(lines) * 2 + uint64_t(blocks));
  d.add(compiler_name());
  d.add(assembler_stamp());
  return d.text();
}

std::optional<Report> cache_load(const std::string& key) {
  const fs::path dir = folder();
  if (dir.empty()) return std::nullopt;
  const auto text = read_file(dir / (key + ".json"));
  if (!text) return std::nullopt;
  try {
    Report r = report_from_json(*text);
    if (r.runs.size() == 1) return r;
  } catch (const Error&) {
    // A damaged entry is as good as none.
  }
  return std::nullopt;
}

void cache_store(const std::string& key, const RunReport& run,
                 const std::map<std::string, double>& quantities) {
  const fs::path dir = folder();
  if (dir.empty()) return;
  std::error_code ec;
  fs::create_directories(dir, ec);
  prune(dir);
  Report r;
  r.step = "cached";
  r.runs.push_back(run);
  r.quantities = quantities;
  write_atomically(dir / (key + ".json"), to_json(r));
}

}  // namespace dojo::run
