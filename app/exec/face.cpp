#include "exec/face.hpp"

#include <cstdio>
#include <new>
#include <utility>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "host/state/streams.hpp"
#include "simt/device/executed.hpp"

namespace dojo::exec {

namespace {
thread_local bool per_thread = false;
}

void next_call_is_per_thread() { per_thread = true; }

namespace {

/// Does what a query asks for wait for the host itself? The table's entry of a query waits for it to end.
bool not_ready(Process& p, const Signature& s, std::span<const std::byte> args) {
  const bool stream = s.function.name == "cudaStreamQuery";
  if (!stream && s.function.name != "cudaEventQuery") return false;
  uint64_t handle = 0, own = 0;
  std::memcpy(&handle, args.data(), sizeof handle);
  if (stream && !p.runtime().streams().find(p.runtime().device(), handle, &own)) return false;
  if (!stream) own = handle - host::Streams::handle_base;
  return p.beside().still_runs(
      [&] { return stream ? simt::stream_runs(p.device(), own) : simt::event_runs(p.device(), own); });
}

}  // namespace

uint64_t run_call(const Signature& s, const void* return_address, std::span<const std::byte> args) {
  Process& p = Process::get();
  std::scoped_lock lock(p.mutex);
  host::Runtime& runtime = p.runtime();
  runtime.streams().default_is_per_thread = std::exchange(per_thread, false);
  uint64_t result = 0;
  try {
    if (not_ready(p, s, args)) return cuda_error::not_ready;
    const SourceLoc where = p.caller(return_address);
    runtime.call(s.function, args, std::as_writable_bytes(std::span(&result, 1)), where);
    if (s.function.demangled.find("Launch") == std::string::npos) {
      p.beside().flush_printed();
      p.collect();
    } else {
      p.beside().launched();
    }
  } catch (...) {
    result = uint64_t(failed_with_exception(s.function.demangled.c_str()));
  }
  if (p.sticky_error() && result == uint64_t(cuda_error::launch_failure)) result = uint64_t(p.sticky_error());
  return result;
}

int failed_with_exception(const char* name) {
  Process& p = Process::get();
  try {
    throw;
  } catch (const RunStopped& stop) {
    const int code = p.stopped(stop);
    p.collect();
    return code;
  } catch (const std::bad_alloc&) {
    return failed(cuda_error::memory_allocation);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "warpdojo: %s: %s\n", name, error_words(e).c_str());
    return failed(cuda_error::launch_failure);
  }
}

int failed(int code) {
  Process& p = Process::get();
  std::scoped_lock lock(p.mutex);
  p.runtime().last_error = code;
  return code;
}

}  // namespace dojo::exec
