// Calls and what they left behind, as lines of JSON (worker_protocol.hpp).
#include <nlohmann/json.hpp>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/text/json_words.hpp"
#include "run/worker/hex.hpp"
#include "run/worker/worker_protocol.hpp"

namespace dojo::run {
namespace {

using Json = nlohmann::json;

std::string hex_of(const std::vector<std::byte>& bytes) {
  return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::vector<std::byte> bytes_of(const Json& hex) {
  const std::string text = from_hex(hex.get_ref<const std::string&>());
  std::vector<std::byte> bytes(text.size());
  copy_bytes(bytes.data(), text.data(), text.size());
  return bytes;
}

Json extent(const Dim3& d) { return {d.x, d.y, d.z}; }
Dim3 extent(const Json& j) { return {j.at(0), j.at(1), j.at(2)}; }

}  // namespace

std::string encode(const CallRequest& r, uint64_t id) {
  Json j = {{"request", "call"},
            {"id", id},
            {"file", r.file},
            {"source", to_hex(r.source)},
            {"name", r.name},
            {"kernel", r.kernel},
            {"grid", extent(r.grid)},
            {"block", extent(r.block)},
            {"dynamic_smem", r.dynamic_smem},
            {"device", r.device},
            {"time_limit_s", r.time_limit_s},
            {"max_warp_instructions", r.max_warp_instructions},
            {"threads", r.threads},
            {"buffers", Json::array()},
            {"args", Json::array()}};
  for (const Buffer& b : r.buffers)
    j["buffers"].push_back({{"name", b.name},
                            {"elem", int(b.elem)},
                            {"shape", b.shape},
                            {"role", int(b.role)},
                            {"data", hex_of(b.data)}});
  for (const Arg& a : r.args) j["args"].push_back({{"buffer", a.buffer}, {"value", hex_of(a.value)}});
  return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

CallRequest decode_call(const std::string& text) {
  try {
    const Json j = Json::parse(text);
    CallRequest r;
    r.file = j.at("file");
    r.source = from_hex(j.at("source").get_ref<const std::string&>());
    r.name = j.at("name");
    r.kernel = j.at("kernel");
    r.grid = extent(j.at("grid"));
    r.block = extent(j.at("block"));
    r.dynamic_smem = j.at("dynamic_smem");
    r.device = j.at("device");
    r.time_limit_s = j.at("time_limit_s");
    r.max_warp_instructions = j.at("max_warp_instructions");
    r.threads = j.at("threads");
    for (const Json& b : j.at("buffers")) {
      Buffer made;
      made.name = b.at("name");
      made.elem = Elem(b.at("elem").get<int>());
      made.shape = b.at("shape").get<std::vector<int64_t>>();
      made.role = Role(b.at("role").get<int>());
      made.data = bytes_of(b.at("data"));
      r.buffers.push_back(std::move(made));
    }
    for (const Json& a : j.at("args")) {
      r.args.push_back({a.at("buffer"), bytes_of(a.at("value"))});
      if (r.args.back().buffer >= int(r.buffers.size())) throw Error("a call without one of its arrays");
    }
    return r;
  } catch (const Json::exception& e) {
    throw Error("this line is no call: " + json_words(e, text.substr(0, 200)));
  }
}

std::string outputs_text(const CallOutputs& o) {
  Json j = {{"returned", hex_of(o.returned)}, {"buffers", Json::array()}};
  for (const auto& b : o.buffers) j["buffers"].push_back(hex_of(b));
  return j.dump();
}

CallOutputs outputs_from_text(const std::string& text) {
  const Json j = Json::parse(text);
  CallOutputs o;
  o.returned = bytes_of(j.at("returned"));
  for (const Json& b : j.at("buffers")) o.buffers.push_back(bytes_of(b));
  return o;
}

}  // namespace dojo::run
