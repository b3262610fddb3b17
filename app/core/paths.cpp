#include "core/paths.hpp"

#include "core/install/version.hpp"

#include <cstdlib>
#include <string>

namespace dojo {
namespace fs = std::filesystem;

fs::path source_root() {
  // A program that was carried to another machine finds its data beside the labs it is told to use.
  std::error_code ec;
  if (const char* v = std::getenv("WARPDOJO_ROOT");
      v && *v && fs::is_directory(fs::path(v) / "assets/devices", ec))
    return v;
  if (const fs::path p = installed_root(); !p.empty()) return p;
  return DOJO_SOURCE_DIR;
}

fs::path installed_root() {
  std::error_code ec;
  const fs::path self = fs::read_symlink("/proc/self/exe", ec);
  const fs::path data = self.parent_path().parent_path() / "share" / "warpdojo";
  return !ec && fs::exists(data / "version", ec) ? data : fs::path();
}

std::string program_version() {
  const char* version = DOJO_VERSION;
  return version;
}

fs::path program_path() {
  std::error_code ec;
  fs::path self = fs::read_symlink("/proc/self/exe", ec);
  if (!ec && self.filename() == "warpdojo") return self;
  if (!ec && fs::exists(self.parent_path() / "warpdojo", ec)) return self.parent_path() / "warpdojo";
  return fs::path(DOJO_BINARY_DIR) / "warpdojo";
}

fs::path cuda_root() {
  std::error_code ec;
  for (const char* name : {"CUDAToolkit_ROOT", "CUDA_HOME"})
    if (const char* v = std::getenv(name); v && *v && fs::exists(v, ec)) return v;
  for (const char* p : {DOJO_CUDA_ROOT, "/usr/local/cuda"})
    if (fs::exists(fs::path(p) / "include" / "nvrtc.h", ec)) return p;
  return {};
}

namespace {
fs::path xdg(const char* variable, const char* below_home) {
  fs::path base;
  if (const char* v = std::getenv(variable); v && *v == '/')
    base = v;
  else if (const char* home = std::getenv("HOME"); home && *home == '/')
    base = fs::path(home) / below_home;
  else
    return {};
  std::error_code ec;
  fs::create_directories(base / "warpdojo", ec);
  return ec ? fs::path{} : base / "warpdojo";
}
}  // namespace

fs::path config_folder() { return xdg("XDG_CONFIG_HOME", ".config"); }
fs::path data_folder() { return xdg("XDG_DATA_HOME", ".local/share"); }
fs::path cache_folder() { return xdg("XDG_CACHE_HOME", ".cache"); }

}  // namespace dojo
