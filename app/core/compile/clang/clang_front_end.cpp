// clang as a front end that needs none of NVIDIA's files. It compiles a file twice to PTX: once for the
// kernels, once for the host code, which our machine interprets. merge_ptx() makes one module of the two.
// Headers come from labs/include.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/compile/child.hpp"
#include "core/compile/clang/clang_messages.hpp"
#include "core/compile/clang/llvm_library.hpp"
#include "core/compile/clang/precompiled.hpp"
#include "core/compile/compiler.hpp"
#include "core/compile/front_end.hpp"
#include "core/compile/merge_ptx.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

namespace dojo {
namespace compile_detail {
namespace {

constexpr int kClangLimitS = 60;  ///< seconds per pass, so that an endless template ends

/// Path of clang 19, with links resolved because the sandbox allows real paths only. Empty if not installed.
/// The -cc1 options below are this version's.
std::string find_clang() {
  std::error_code ec;
  const char* own = std::getenv("WARPDOJO_CLANG");
  for (const std::string& p :
       {std::string(own ? own : ""), std::string("/usr/bin/clang-19"),
        std::string("/usr/lib/llvm-19/bin/clang"), std::string("/usr/local/bin/clang-19")})
    if (!p.empty() && access(p.c_str(), X_OK) == 0) return std::filesystem::canonical(p, ec).string();
  return {};
}

std::vector<std::string> clang_folders() {
  const std::filesystem::path root = source_root() / "labs" / "include";
  return {(root / "clang").string(), (root / "shims").string(), root.string()};
}

/// -target-cpu and -target-feature: "sm_75" and the PTX version that has all instructions of it.
struct Target {
  std::string processor, features;
};
Target target_of(const std::string& arch) {
  const int n = arch.rfind("compute_", 0) == 0 ? std::max(50, std::atoi(arch.c_str() + 8)) : 75;
  return {"sm_" + std::to_string(n) + (n == 90 ? "a" : ""), n >= 90 ? "+ptx80" : "+ptx78"};
}

/// What one pass compiles for: the kernels or the host code.
struct PassOptions {
  bool kernels = false, debug = false;
  std::string arch, standard = "c++17";
};

/// The header that is read before every file.
std::string first_header() { return clang_folders()[0] + "/dojo_clang.hpp"; }

/// The command line of a pass as far as the first header depends on it.
std::vector<std::string> clang_words_of(const std::string& clang, const PassOptions& o) {
  std::vector<std::string> w = {
      clang, "-cc1", "-x", "cuda", "-triple", "nvptx64-nvidia-cuda", "-aux-triple", "x86_64-linux-gnu",
      "-target-sdk-version=12.0", "-std=" + o.standard, o.debug ? "-O0" : "-O2",
      // As nvcc: products and sums fuse, functions are inlined.
      "-ffp-contract=fast", "-mllvm", "-inline-threshold=100000", "-fdeclspec", "-fno-threadsafe-statics",
      "-fcuda-allow-variadic-functions", "-debug-info-kind=line-directives-only", "-dwarf-version=2",
      "-fdebug-compilation-dir=.", "-fno-caret-diagnostics", "-ferror-limit", "30", "-nostdsysteminc",
      "-resource-dir", "/nonexistent"};
  const Target target = target_of(o.arch);
  w.insert(w.end(), {"-target-cpu", target.processor, "-target-feature", target.features});
  // For this target clang defines __CUDA_ARCH__ in both; our headers ask for the other name.
  w.push_back(o.kernels ? "-fcuda-is-device" : "-DDOJO_HOST_PASS");
  for (const std::string& f : clang_folders()) w.insert(w.end(), {"-internal-isystem", f});
  return w;
}

/// The words behind these: what the program itself adds.
std::vector<std::string> program_words(const Translation& t, const std::string& folder, bool kernels) {
  std::vector<std::string> w;
  if (!t.headers.empty()) w.insert(w.end(), {"-I", folder + (kernels ? "/kernels" : "/host")});
  if (kernels && !t.debug)
    w.insert(w.end(), {"-emit-llvm-bc", "-disable-llvm-passes"});  // llvm_library.hpp does the rest
  else
    w.push_back("-S");
  for (const std::string& d : t.defines) w.push_back("-D" + d);
  return w;
}

/// Writes the program's own headers to `folder`, each under its key. A line marker sets the name for
/// messages.
void write_headers(const Translation& t, const std::string& folder, bool host_only) {
  for (const OwnText& h : t.headers) {
    const std::filesystem::path file = std::filesystem::path(folder) / h.key;
    std::error_code ec;
    std::filesystem::create_directories(file.parent_path(), ec);
    std::ofstream(file, std::ios::binary) << "# 1 \"" << h.key << "\"\n"
                                          << (host_only ? without_device_macro(h.text) : h.text);
  }
}

/// What one run of clang left.
struct Pass {
  int status = -1;
  std::string log, ptx;
};

/// Compiles one of the two. Where the precompiled header is what fails, it is removed, and the header read as
/// text.
Pass run_pass(const Translation& t, const std::string& clang, bool kernels, const std::string& folder,
              const std::string& source) {
  Pass p;
  const std::string out = folder + (kernels ? "/kernels.ptx" : "/host.ptx"), in = out + ".cu";
  std::ofstream(in, std::ios::binary) << source;
  const std::vector<std::string> words = clang_words_of(clang, {kernels, t.debug, t.arch, t.standard}),
                                 more = program_words(t, folder, kernels);
  const auto run = [&](const char* how, const std::string& header) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {how, header, "-o", out, in});
    p.log.clear();
    p.status = run_child(all, folder, kClangLimitS, &p.log);
  };
  // A -D may mean something to the first header.
  const std::string quick =
      t.defines.empty() ? precompiled(first_header(), words, clang_folders()) : std::string();
  if (!quick.empty()) run("-include-pch", quick);
  if (quick.empty() || blames_precompiled(p.status, p.log)) {
    const int before = p.status;
    run("-include", first_header());
    if (!quick.empty() && p.status != before) unlink(quick.c_str());
  }
  if (p.status == 0) p.ptx = read_or_empty(out);
  return p;
}

bool has_clusters(const Translation& t) {
  const auto in = [](const std::string& text) { return text.find("__cluster_dims__") != text.npos; };
  return in(t.source) || std::any_of(t.headers.begin(), t.headers.end(), [&](auto& h) { return in(h.text); });
}

class Clang final : public FrontEnd {
 public:
  const char* name() const override { return "clang"; }
  bool available(std::string* why) const override {
    const bool there = !find_clang().empty();
    if (why && !there)
      *why = "clang 19 was not found: apt-get install clang-19, or name it in $WARPDOJO_CLANG";
    return there && llvm_available(why);
  }

  Translated translate(const Translation& t) const override {
    Translated out;
    const ScratchFolder folder;
    if (folder.path.empty() || !std::ofstream(folder.path + "/writable")) {
      out.diagnostics.push_back(compile_problem(t.file, 0, "no temporary folder can be written to"));
      return out;
    }
    const std::string text = "# 1 \"" + t.file + "\"\n" + t.source;
    const std::string clang = find_clang();
    write_headers(t, folder.path + "/kernels", false);
    write_headers(t, folder.path + "/host", true);
    Pass kernels, host;
    std::thread beside([&] { host = run_pass(t, clang, false, folder.path, without_device_macro(text)); });
    kernels = run_pass(t, clang, true, folder.path, text);
    std::string refused;
    if (kernels.status == 0 && !t.debug) {
      const Target target = target_of(t.arch);
      kernels.ptx = optimise_kernels(kernels.ptx, target.processor, target.features, &refused);
    }
    if (kernels.status == 0 && t.debug && has_clusters(t)) {
      Translation bitcode = t;
      bitcode.debug = false;
      kernels.ptx = with_cluster_dims(run_pass(bitcode, clang, true, folder.path, text).ptx, kernels.ptx);
    }
    beside.join();

    const auto folders = clang_folders();
    out.diagnostics = parse_clang_log(kernels.log + host.log, {t.file, t.refused, folders, t.headers});
    const bool said = has_errors(out.diagnostics);
    if (!refused.empty()) {
      out.diagnostics.push_back(compile_problem(t.file, 0, "LLVM can't make PTX of the kernels: " + refused));
    } else if (kernels.status == 0 && host.status == 0) {
      if (t.source.find(device_macro) != std::string::npos || !t.headers.empty())
        kernels.ptx = name_device_functions(kernels.ptx);
      out.ptx = merge_ptx(kernels.ptx, host.ptx, {folders[0], folders[1]}, t.managed, t.host_variables);
      shorten_files(out.ptx, t);
    } else if (!said) {
      const int status = kernels.status ? kernels.status : host.status;
      out.diagnostics.push_back(
          compile_problem(t.file, 0,
                          status == -2 ? "clang took longer than " + std::to_string(kClangLimitS) + " s"
                                       : "clang stopped with status " + std::to_string(status)));
    }
    return out;
  }
};

}  // namespace

const FrontEnd& clang_front_end() {
  static const Clang one;
  return one;
}

}  // namespace compile_detail

std::vector<std::string> compiler_programs() {
  if (compiler_name() != "clang") return {};
  return {compile_detail::find_clang()};
}

std::filesystem::path compiler_cache() {
  return compiler_name() == "clang" ? compile_detail::precompiled_folder() : std::filesystem::path();
}

void prepare_compiler(const std::string& arch) {
  using namespace compile_detail;
  if (compiler_name() != "clang" || !clang_front_end().available(nullptr)) return;
  const auto prepare = [&](bool kernels) {
    precompiled(first_header(), clang_words_of(find_clang(), {kernels, false, arch}), clang_folders());
  };
  std::thread beside([&] { prepare(false); });
  prepare(true);
  beside.join();
}

}  // namespace dojo
