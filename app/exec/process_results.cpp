// What a process collects of its launches and findings, and leaves behind at its end.
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "exec/process.hpp"
#include "simt/device/executed.hpp"

namespace dojo::exec {
namespace {

// Limits of a report's length; the table of kernels counts every launch.
constexpr size_t most_launches = 2000;
constexpr size_t most_findings = 200;

/// Of this library, with a slash at its end.
std::string folder_of_stand_ins() {
  Dl_info self{};
  if (!dladdr(reinterpret_cast<const void*>(&most_launches), &self) || !self.dli_fname) return {};
  const std::string path = self.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

/// A library of NVIDIA's that brings machine code.
bool of_nvidia(const std::string& name) {
  constexpr const char* all[] = {"libcublas.", "libcublasLt.", "libcusparse.", "libcusolver.",
                                 "libcufft.",  "libcurand.",   "libcudnn",     "libcutensor.",
                                 "libnvjpeg.", "libnpp",       "libnccl."};
  return std::any_of(std::begin(all), std::end(all),
                     [&](const char* head) { return name.starts_with(head); });
}

/// NVIDIA's libraries in this process in whose place no stand-in was loaded.
std::vector<std::string> libraries_of_machine_code() {
  std::vector<std::string> names;
  const auto look = [](dl_phdr_info* file, size_t, void* found) {
    const std::string path = file->dlpi_name ? file->dlpi_name : "", name = path.substr(path.rfind('/') + 1);
    if (of_nvidia(name) && path != folder_of_stand_ins() + name)
      static_cast<std::vector<std::string>*>(found)->push_back(name);
    return 0;
  };
  dl_iterate_phdr(look, &names);
  return names;
}

}  // namespace

void Process::tell_begun() {
  if (!options_.result_folder.empty())
    std::ofstream(options_.result_folder + "/" + std::to_string(getpid()) + ".begun");
}

void Process::tell_real_libraries() {
  for (const std::string& name : libraries_of_machine_code()) {
    Diagnostic d;
    d.severity = Severity::note;
    d.kind = FindingKind::not_loaded;
    d.message =
        name + " is loaded. It brings machine code only, which can't run here: its calls return errors";
    add_finding(std::move(d));
  }
}

void Process::tell_static_runtime(const void* address) {
  Dl_info file{};
  if (!dladdr(address, &file) || !file.dli_fname) return;
  const std::string path = file.dli_fname, name = path.substr(path.rfind('/') + 1);
  if (of_nvidia(name)) return;
  runtime();
  Diagnostic d;
  d.kind = FindingKind::not_loaded;
  d.message = name +
              " holds the static CUDA runtime, which is nvcc's default and does not work here. Link it with "
              "nvcc -cudart "
              "shared, in CMake with CUDA_RUNTIME_LIBRARY Shared, or build it by warpdojo exec --build "
              "'make' PROGRAM";
  add_finding(std::move(d));
}

void Process::tell_unrun() {
  if (std::optional<Diagnostic> d = beside_.waiting()) return add_finding(std::move(*d));
  const int64_t waiting = asked_ - result_.launches - result_.passed_over;
  if (waiting <= 0) return;
  Diagnostic d;
  d.severity = Severity::note;
  d.kind = FindingKind::not_run;
  d.message =
      std::to_string(waiting) + (waiting == 1 ? " launch" : " launches") +
      " had not run at the program's end. Kernels run here when a call waits for them, or host code makes "
      "none for a while";
  add_finding(std::move(d));
}

void Process::tell_refused() {
  const AddressSpace::Refused& no = device_->memory().refused();
  if (!no.bytes || no.bytes == refused_bytes_) return;
  refused_bytes_ = no.bytes;
  constexpr double gib = double(uint64_t(1) << 30);
  const bool whole = memory_limit() == device_->info().global_bytes;
  std::fprintf(stderr, "warpdojo: an allocation of %.1f GiB failed: %.1f of %.0f GiB are free%s\n",
               double(no.bytes) / gib, double(device_->memory().free_bytes()) / gib,
               double(memory_limit()) / gib,
               whole ? ", which is the device's memory" : "; exec --memory N gives the program N GiB");
}

void Process::add_finding(Diagnostic d) {
  auto& all = result_.report.runs[0].diagnostics;
  const bool known = std::any_of(all.begin(), all.end(), [&](const Diagnostic& old) {
    return old.kind == d.kind && old.where == d.where && old.message == d.message;
  });
  if (!known && all.size() < most_findings) all.push_back(std::move(d));
}

void Process::collect() {
  if (!device_) return;
  tell_refused();
  for (Diagnostic& d : device_->take_findings()) add_finding(std::move(d));
  for (Diagnostic& d : std::exchange(runtime_->findings, {})) add_finding(std::move(d));
  std::vector<LaunchReport> launches = device_->take_launches();
  if (!looking_) {
    result_.passed_over += int64_t(launches.size());
    return;
  }
  double end = 0;
  for (LaunchReport& l : launches) {
    end = std::max(end, l.start_us + l.time_us);
    l.start_us += base_us_;
    ++result_.launches;
    if (results_only(l)) {
      // A kernel that other kernels launch may never have run in detail.
      samples_.estimate(l);
      kernels_.add_sampled(l, true);
      continue;
    }
    const bool in_part = l.counters.contains(blocks_in_detail_counter);
    result_.in_part += in_part;
    if (options_.sample || options_.sample_blocks)
      kernels_.add_sampled(l, in_part);
    else
      kernels_.add(l);
    auto& kept = result_.report.runs[0].launches;
    if (kept.size() < most_launches) kept.push_back(std::move(l));
  }
  base_us_ += end;
}

void Process::write_result() {
  if (options_.result_folder.empty()) return;
  RunReport& run = result_.report.runs[0];
  run.status = has_errors(run.diagnostics) ? Status::finding : Status::pass;
  result_.kernels = kernels_.rows();
  result_.repeats = int64_t(simt::repeated_launches(*device_));
  double all = 0;
  for (const KernelSum& k : result_.kernels) all += k.time_us;
  run.time_us = {all, all, all, all > 0 ? 1 : 0, Source::modelled};
  const std::string path = options_.result_folder + "/" + std::to_string(getpid());
  {
    std::ofstream out(path + ".part", std::ios::binary);
    out << to_json(result_);
  }
  std::error_code ec;
  std::filesystem::rename(path + ".part", path + ".json", ec);
}

}  // namespace dojo::exec
