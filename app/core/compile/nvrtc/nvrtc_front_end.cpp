// NVRTC as a front end: one pass for kernels and host functions (-default-device).
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "core/compile.hpp"
#include "core/compile/front_end.hpp"
#include "core/compile/merge_ptx.hpp"
#include "core/compile/messages.hpp"
#include "core/compile/nvrtc/nvrtc_library.hpp"
#include "core/files/scratch_folder.hpp"
#include "core/paths.hpp"

namespace dojo {
namespace compile_detail {
namespace {

std::atomic<bool> warm{false};

/// A private folder for precompiled headers, removed when the process ends.
const std::string& pch_folder() {
  static const ScratchFolder folder("pch");
  return folder.path;
}

/// compute_NN that this NVRTC knows: 13 starts at compute_75.
std::string known_arch(const std::string& arch, int major) {
  if (arch.rfind("compute_", 0) != 0) return arch;
  const int n = std::atoi(arch.c_str() + 8);
  const int least = major >= 13 ? 75 : 50;
  return n > 0 && n < least ? "compute_" + std::to_string(least) : arch;
}

std::vector<std::string> include_folders() {
  const std::filesystem::path root = source_root() / "labs" / "include", cuda = cuda_root() / "include";
  return {(root / "shims").string(), root.string(), cuda.string(), (cuda / "cccl").string()};
}

/// One compile: the compiler's messages, and the PTX if there is some.
nvrtcResult compile_text(const Translation& t, const std::string& source, bool host_only,
                         const std::vector<std::string>& options, std::string* log, std::string* ptx) {
  const NvrtcLibrary& nvrtc = nvrtc_library();
  std::vector<const char*> raw;
  for (const std::string& o : options) raw.push_back(o.c_str());
  std::vector<std::string> headers;
  for (const OwnText& h : t.headers) headers.push_back(host_only ? without_device_macro(h.text) : h.text);
  std::vector<const char*> texts, keys;
  for (size_t i = 0; i < headers.size(); ++i) {
    texts.push_back(headers[i].c_str());
    keys.push_back(t.headers[i].key.c_str());
  }
  nvrtcProgram program = nullptr;
  nvrtcResult result =
      nvrtc.create(&program, source.c_str(), t.file.c_str(), int(keys.size()), texts.data(), keys.data());
  if (result != NVRTC_SUCCESS) return result;
  result = nvrtc.compile(program, int(raw.size()), raw.data());
  size_t n = 0;
  if (nvrtc.log_size(program, &n) == NVRTC_SUCCESS && n > 1) {
    log->resize(n);
    nvrtc.log(program, log->data());
    log->resize(n - 1);
  }
  if (result == NVRTC_SUCCESS && nvrtc.ptx_size(program, &n) == NVRTC_SUCCESS && n > 1) {
    ptx->resize(n);
    nvrtc.ptx(program, ptx->data());
    ptx->resize(n - 1);
    shorten_files(*ptx, t);
  }
  nvrtc.destroy(&program);
  return result;
}

/// The last line with something on it.
int last_line(const std::string& source) {
  const size_t end = source.find_last_not_of(" \t\r\n");
  return end == source.npos ? 1 : 1 + int(std::count(source.begin(), source.begin() + long(end), '\n'));
}

/// -D NAME of a macro that headers may ask for, such as _CG_ABI_EXPERIMENTAL. Any other would hit names of
/// NVRTC's own header and of ours, whose template parameters are T and N: it becomes a line of the source.
bool is_reserved(const std::string& define) { return define.starts_with("_"); }

/// "N=4" as "#define N 4", "N" as "#define N 1".
std::string as_directive(std::string define) {
  const size_t equals = define.find('=');
  if (equals == define.npos)
    define += " 1";
  else
    define[equals] = ' ';
  std::replace(define.begin(), define.end(), '\n', ' ');
  return "#define " + define + "\n";
}

class Nvrtc final : public FrontEnd {
 public:
  const char* name() const override { return "nvrtc"; }
  bool available(std::string* why) const override {
    if (why) *why = nvrtc_library().why;
    return nvrtc_library().loaded;
  }

  Translated translate(const Translation& t) const override {
    const NvrtcLibrary& nvrtc = nvrtc_library();
    Translated out;
    std::string source = t.source;
    // Read first wherever the file includes it, so that one precompiled header serves every file that does:
    // what is precompiled ends before the first declaration, and a #line within it would forbid it.
    std::string first = t.groups_first ? "#include <cooperative_groups.h>\nstruct __dojo_stop;\n" : "";
    for (const std::string& d : t.defines)
      if (!is_reserved(d)) first += as_directive(d);
    if (!first.empty()) source.insert(0, first + "#line 1\n");

    const auto folders = include_folders();
    std::vector<std::string> options = {"-rdc=true",
                                        "-default-device",
                                        "-lineinfo",
                                        "--device-int128",
                                        "-std=" + t.standard,
                                        "--gpu-architecture=" + known_arch(t.arch, nvrtc.major),
                                        "--pre-include=" + folders[0] + "/dojo_pre.hpp"};
    for (const std::string& f : folders) options.push_back("-I" + f);
    for (const std::string& d : t.defines)
      if (is_reserved(d)) options.push_back("-D" + d);
    if (t.debug) options.push_back("-G");
    if (t.heavy && warm && t.headers.empty() && !pch_folder().empty()) {
      options.push_back("--pch");
      options.push_back("--pch-dir=" + pch_folder());
      options.push_back("--pch-messages=false");
      options.push_back("--diag-suppress=20283");
    }
    std::string log;
    const nvrtcResult result = compile_text(t, source, false, options, &log, &out.ptx);
    // NVRTC takes all code for the device's. Host code is compiled once more without __CUDA_ARCH__ in the
    // text.
    const bool asks = source.find(device_macro) != source.npos ||
                      std::any_of(t.headers.begin(), t.headers.end(),
                                  [](const OwnText& h) { return h.text.find(device_macro) != h.text.npos; });
    if (result == NVRTC_SUCCESS && asks) {
      std::string host_log, host;
      if (compile_text(t, without_device_macro(source), true, options, &host_log, &host) == NVRTC_SUCCESS)
        out.ptx = merge_targets(out.ptx, host);
    }
    out.diagnostics = parse_log(log, {t.file, t.refused, folders, t.headers, last_line(t.source)});
    const bool said = has_errors(out.diagnostics);
    if (result != NVRTC_SUCCESS && !said)
      out.diagnostics.push_back(
          compile_problem(t.file, 0, std::string("the compiler stopped: ") + nvrtc.error_string(result)));
    return out;
  }
};

}  // namespace

const FrontEnd& nvrtc_front_end() {
  static const Nvrtc one;
  return one;
}

}  // namespace compile_detail

void keep_headers_warm(bool on) { compile_detail::warm = on; }

}  // namespace dojo
