#pragma once
// What goes between the program and its children: one JSON object a line (docs/worker.md).
#include <optional>
#include <string>

#include "core/compile.hpp"
#include "run/worker/call.hpp"
#include "run/worker/worker.hpp"

namespace dojo::run {

struct WireRequest {
  enum Kind { run, play, call, cancel } kind = run;
  uint64_t id = 0;
  RunRequest run_;
  PlayRequest play_;
  CallRequest call_;
};

std::string encode(const RunRequest&, uint64_t id);
std::string encode(const PlayRequest&, uint64_t id);
std::string encode(const CallRequest&, uint64_t id);
std::string encode_cancel();
/// Throws Error on a line that is no call.
CallRequest decode_call(const std::string& line);
/// JSON text, and back. outputs_from_text throws nlohmann's exception on anything else.
std::string outputs_text(const CallOutputs&);
CallOutputs outputs_from_text(const std::string&);
/// Throws Error on a line that is no request.
WireRequest decode_request(const std::string& line);

/// `id`: of the request that an event belongs to.
std::string encode(const WorkerEvent&, uint64_t id);
/// Nothing for a line that is no event.
std::optional<WorkerEvent> decode_event(const std::string& line, uint64_t* id);

std::string encode(const CompileRequest&, uint64_t id);
std::optional<CompileRequest> decode_compile_request(const std::string& line, uint64_t* id);
std::string encode(const Compiled&, uint64_t id);
std::optional<Compiled> decode_compiled(const std::string& line, uint64_t* id);

}  // namespace dojo::run
