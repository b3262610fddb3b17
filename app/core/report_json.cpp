// Reports to JSON and back: the schema "warpdojo/report/1" of docs/cli.md.
#include "core/error.hpp"
#include "core/report.hpp"
#include "core/text/json_values.hpp"
#include "core/text/json_words.hpp"

namespace dojo {
namespace {

constexpr const char* schema = "warpdojo/report/1";

Json json(const Dim3& d) { return {d.x, d.y, d.z}; }
Dim3 dim(const Json& j) {
  if (!j.is_array() || j.size() != 3) throw Error("the report has an extent that is not [x, y, z]");
  return {j[0].get<uint32_t>(), j[1].get<uint32_t>(), j[2].get<uint32_t>()};
}
Dim3 dim(const Json& j, const char* key) { return j.contains(key) ? dim(j[key]) : Dim3{}; }
std::optional<Dim3> maybe_dim(const Json& j, const char* key) {
  if (!j.contains(key) || j[key].is_null()) return std::nullopt;
  return dim(j[key]);
}

Json json(const Counters& c) {
  Json j = Json::object();
  for (const auto& [k, v] : c) j[k] = json_number(v);
  return j;
}
std::map<std::string, double> numbers(const Json& j, const char* key) {
  std::map<std::string, double> out;
  if (auto it = j.find(key); it != j.end() && it->is_object())
    for (const auto& [k, v] : it->items()) out[k] = as_number(v);
  return out;
}

Json json(const Diagnostic& d) {
  Json j = {{"severity", to_string(d.severity)},
            {"kind", to_string(d.kind)},
            {"file", d.where.file},
            {"line", d.where.line},
            {"column", d.where.column},
            {"message", d.message},
            {"kernel", d.kernel}};
  if (d.block) j["block"] = json(*d.block);
  if (d.thread) j["thread"] = json(*d.thread);
  if (!d.related.empty()) {
    Json& all = j["related"] = Json::array();
    for (const auto& r : d.related) {
      Json one = {
          {"file", r.where.file}, {"line", r.where.line}, {"column", r.where.column}, {"message", r.message}};
      if (r.block) one["block"] = json(*r.block);
      if (r.thread) one["thread"] = json(*r.thread);
      all.push_back(std::move(one));
    }
  }
  return j;
}

Severity severity(const std::string& s) {
  if (s == "note") return Severity::note;
  return s == "warning" ? Severity::warning : Severity::error;
}

SourceLoc place(const Json& j) {
  return {text_at(j, "file"), int(integer_at(j, "line")), int(integer_at(j, "column"))};
}

Diagnostic diagnostic(const Json& j) {
  Diagnostic d;
  d.severity = severity(text_at(j, "severity"));
  d.kind = finding_kind(text_at(j, "kind"));
  d.where = place(j);
  d.message = text_at(j, "message");
  d.kernel = text_at(j, "kernel");
  d.block = maybe_dim(j, "block");
  d.thread = maybe_dim(j, "thread");
  for (const auto& r : array_at(j, "related"))
    d.related.push_back({place(r), text_at(r, "message"), maybe_dim(r, "block"), maybe_dim(r, "thread")});
  return d;
}

Json json(const CheckReport& c) {
  Json j = {{"checked", c.checked},
            {"max_abs", json_number(c.max_abs)},
            {"max_rel", json_number(c.max_rel)},
            {"tolerance", json_number(c.tolerance)},
            {"tolerance_note", c.tolerance_note},
            {"wrong", c.wrong}};
  Json& all = j["mismatches"] = Json::array();
  for (const auto& m : c.mismatches) {
    Json one = {{"buffer", m.buffer},
                {"index", m.index},
                {"got", json_number(m.got)},
                {"expected", json_number(m.expected)}};
    if (m.block) one["block"] = json(*m.block);
    if (m.thread) one["thread"] = json(*m.thread);
    all.push_back(std::move(one));
  }
  return j;
}

CheckReport check(const Json& j) {
  CheckReport c;
  c.checked = flag_at(j, "checked");
  c.max_abs = number_at(j, "max_abs");
  c.max_rel = number_at(j, "max_rel");
  c.tolerance = number_at(j, "tolerance");
  c.tolerance_note = text_at(j, "tolerance_note");
  c.wrong = integer_at(j, "wrong");
  for (const auto& m : array_at(j, "mismatches"))
    c.mismatches.push_back({text_at(m, "buffer"), integer_at(m, "index"), number_at(m, "got"),
                            number_at(m, "expected"), maybe_dim(m, "block"), maybe_dim(m, "thread")});
  return c;
}

Json json(const Timing& t) {
  return {{"value", json_number(t.value)},
          {"min", json_number(t.min)},
          {"max", json_number(t.max)},
          {"n", t.n},
          {"source", to_string(t.source)}};
}
Source source(const Json& j) {
  return text_at(j, "source") == "measured" ? Source::measured : Source::modelled;
}

Json json(const LaunchReport& l) {
  Json j = {{"kernel", l.kernel},
            {"grid", json(l.grid)},
            {"block", json(l.block)},
            {"dynamic_smem", l.dynamic_smem},
            {"static_smem", l.static_smem},
            {"registers", l.registers},
            {"stream", l.stream},
            {"start_us", json_number(l.start_us)},
            {"time_us", json_number(l.time_us)},
            {"source", to_string(l.source)},
            {"blocks_per_sm", l.blocks_per_sm},
            {"occupancy", json_number(l.occupancy)},
            {"occupancy_limiter", l.occupancy_limiter},
            {"waves", json_number(l.waves)},
            {"wave_utilization", json_number(l.wave_utilization)},
            {"tail_idle", json_number(l.tail_idle)},
            {"estimated", l.estimated},
            {"counters", json(l.counters)},
            {"bounds_us", json(l.bounds)}};
  if (!l.lines.empty()) {
    Json& all = j["lines"] = Json::array();
    for (const auto& s : l.lines)
      all.push_back({{"file", s.file}, {"line", s.line}, {"counters", json(s.counters)}});
  }
  if (!l.blocks.empty()) {
    Json& all = j["blocks"] = Json::array();
    for (const auto& b : l.blocks) {
      Json one = {{"block", b.block},
                  {"sm", b.sm},
                  {"start_us", json_number(b.start_us)},
                  {"end_us", json_number(b.end_us)}};
      if (!b.waiting.empty()) {
        Json& waits = one["waiting"] = Json::array();
        for (const auto& w : b.waiting) waits.push_back({json_number(w[0]), json_number(w[1])});
      }
      all.push_back(std::move(one));
    }
  }
  return j;
}

LaunchReport launch(const Json& j) {
  LaunchReport l;
  l.kernel = text_at(j, "kernel");
  l.grid = dim(j, "grid");
  l.block = dim(j, "block");
  l.dynamic_smem = uint32_t(integer_at(j, "dynamic_smem"));
  l.static_smem = uint32_t(integer_at(j, "static_smem"));
  l.registers = uint32_t(integer_at(j, "registers"));
  l.stream = int(integer_at(j, "stream"));
  l.start_us = number_at(j, "start_us");
  l.time_us = number_at(j, "time_us");
  l.source = source(j);
  l.blocks_per_sm = int(integer_at(j, "blocks_per_sm"));
  l.occupancy = number_at(j, "occupancy");
  l.occupancy_limiter = text_at(j, "occupancy_limiter");
  l.waves = number_at(j, "waves");
  l.wave_utilization = number_at(j, "wave_utilization");
  l.tail_idle = number_at(j, "tail_idle");
  l.estimated = flag_at(j, "estimated");
  l.counters = numbers(j, "counters");
  l.bounds = numbers(j, "bounds_us");
  for (const auto& s : array_at(j, "lines"))
    l.lines.push_back({text_at(s, "file"), int(integer_at(s, "line")), numbers(s, "counters")});
  for (const auto& b : array_at(j, "blocks")) {
    BlockSpan span{uint64_t(integer_at(b, "block")),
                   int(integer_at(b, "sm")),
                   number_at(b, "start_us"),
                   number_at(b, "end_us"),
                   {}};
    for (const auto& w : array_at(b, "waiting"))
      if (w.is_array() && w.size() == 2) span.waiting.push_back({as_number(w[0]), as_number(w[1])});
    l.blocks.push_back(std::move(span));
  }
  return l;
}

Json json(const WorkSpan& s) {
  Json j = {{"kind", to_string(s.kind)},
            {"label", s.label},
            {"start_us", json_number(s.start_us)},
            {"end_us", json_number(s.end_us)}};
  if (s.kind != WorkSpan::Kind::host) j["stream"] = s.stream;
  if (s.bytes > 0) j["bytes"] = json_number(s.bytes);
  if (!s.pinned) j["pinned"] = false;
  if (s.graph) j["graph"] = true;
  if (s.launch >= 0) j["launch"] = s.launch;
  return j;
}

WorkSpan span(const Json& j) {
  WorkSpan s;
  const std::string kind = text_at(j, "kind");
  for (auto k : {WorkSpan::Kind::host, WorkSpan::Kind::kernel, WorkSpan::Kind::up, WorkSpan::Kind::down,
                 WorkSpan::Kind::inside})
    if (kind == to_string(k)) s.kind = k;
  s.label = text_at(j, "label");
  s.start_us = number_at(j, "start_us");
  s.end_us = number_at(j, "end_us");
  s.stream = int(integer_at(j, "stream"));
  s.bytes = number_at(j, "bytes");
  s.pinned = !j.contains("pinned") || flag_at(j, "pinned");
  s.graph = flag_at(j, "graph");
  s.launch = j.contains("launch") ? int(integer_at(j, "launch")) : -1;
  return s;
}

Json json(const RunReport& r) {
  Json j = {{"who", r.who}, {"status", to_string(r.status)}, {"inputs_changed", r.inputs_changed}};
  if (r.at_hidden_place) j["at_hidden_place"] = true;
  Json& diagnostics = j["diagnostics"] = Json::array();
  for (const auto& d : r.diagnostics) diagnostics.push_back(json(d));
  j["check"] = json(r.check);
  j["compile_ms"] = json_number(r.compile_ms);
  j["wall_ms"] = json_number(r.wall_ms);
  j["time_us"] = json(r.time_us);
  j["end_to_end_us"] = json_number(r.end_to_end_us);
  j["allocations"] = r.allocations;
  if (!r.host.empty()) j["host"] = json(r.host);
  j["bytes"] = json_number(r.bytes);
  j["gbps"] = json_number(r.gbps);
  j["dram_gbps"] = json_number(r.dram_gbps);
  j["flops"] = json_number(r.flops);
  j["gflops"] = json_number(r.gflops);
  j["pct_of_peak_bandwidth"] = json_number(r.pct_of_peak_bandwidth);
  j["printed"] = r.printed;
  Json& launches = j["launches"] = Json::array();
  for (const auto& l : r.launches) launches.push_back(json(l));
  if (!r.timeline.empty()) {
    Json& spans = j["timeline"] = Json::array();
    for (const auto& w : r.timeline) spans.push_back(json(w));
  }
  Json& gates = j["gates"] = Json::array();
  for (const auto& g : r.gates) {
    gates.push_back({{"name", g.name},
                     {"value", json_number(g.value)},
                     {"op", g.op},
                     {"bound", json_number(g.bound)},
                     {"pass", g.pass},
                     {"words", g.words}});
    if (g.at_hidden_place) gates.back()["at_hidden_place"] = true;
  }
  return j;
}

Status status(const std::string& s) {
  for (Status x : {Status::pass, Status::gate_failed, Status::wrong, Status::compile_error, Status::finding,
                   Status::timeout, Status::crash})
    if (s == to_string(x)) return x;
  throw Error("the report has an unknown status '" + s + "'");
}

RunReport run(const Json& j) {
  RunReport r;
  r.who = text_at(j, "who");
  r.status = status(text_at(j, "status"));
  r.inputs_changed = flag_at(j, "inputs_changed");
  r.at_hidden_place = j.contains("at_hidden_place") && flag_at(j, "at_hidden_place");
  for (const auto& d : array_at(j, "diagnostics")) r.diagnostics.push_back(diagnostic(d));
  if (j.contains("check")) r.check = check(j["check"]);
  r.compile_ms = number_at(j, "compile_ms");
  r.wall_ms = number_at(j, "wall_ms");
  if (j.contains("time_us")) {
    const Json& t = j["time_us"];
    r.time_us = {number_at(t, "value"), number_at(t, "min"), number_at(t, "max"), int(integer_at(t, "n")),
                 source(t)};
  }
  r.end_to_end_us = number_at(j, "end_to_end_us");
  r.allocations = integer_at(j, "allocations");
  if (j.contains("host")) r.host = numbers(j, "host");
  r.bytes = number_at(j, "bytes");
  r.gbps = number_at(j, "gbps");
  r.dram_gbps = number_at(j, "dram_gbps");
  r.flops = number_at(j, "flops");
  r.gflops = number_at(j, "gflops");
  r.pct_of_peak_bandwidth = number_at(j, "pct_of_peak_bandwidth");
  r.printed = text_at(j, "printed");
  for (const auto& l : array_at(j, "launches")) r.launches.push_back(launch(l));
  for (const auto& w : array_at(j, "timeline")) r.timeline.push_back(span(w));
  for (const auto& g : array_at(j, "gates"))
    r.gates.push_back({text_at(g, "name"), number_at(g, "value"), number_at(g, "bound"), text_at(g, "op"),
                       flag_at(g, "pass"), text_at(g, "words"),
                       g.contains("at_hidden_place") && flag_at(g, "at_hidden_place")});
  return r;
}

DeviceKind device_kind(const std::string& s) {
  if (s == "cuda") return DeviceKind::cuda;
  return s == "recording" ? DeviceKind::recording : DeviceKind::simt;
}

}  // namespace

std::string to_json(const Report& r, int indent) {
  Json j = {{"schema", schema}, {"step", r.step}, {"seed", r.seed}};
  Json& size = j["size"] = Json::object();
  for (const auto& [k, v] : r.size) size[k] = v;
  const auto& d = r.device;
  Json& device = j["device"] = {{"name", d.name},
                                {"kind", to_string(d.kind)},
                                {"title", d.title},
                                {"sms", d.sms},
                                {"peak_gbps", json_number(d.peak_gbps)},
                                {"peak_gflops", json_number(d.peak_gflops)},
                                {"clock_mhz", json_number(d.clock_mhz)}};
  if (!d.model_version.empty()) device["model_version"] = d.model_version;
  if (!d.recorded_note.empty()) device["recorded_note"] = d.recorded_note;
  for (const auto& [k, v] : r.quantities) j["quantities"][k] = json_number(v);
  Json& runs = j["runs"] = Json::array();
  for (const auto& x : r.runs) runs.push_back(json(x));
  // What a program printed may be any bytes; JSON is UTF-8.
  return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Report report_from_json(const std::string& input) {
  try {
    const Json j = Json::parse(input);
    if (!j.is_object() || text_at(j, "schema") != schema)
      throw Error(std::string("this is no WarpDojo report: it has no \"schema\": \"") + schema + "\"");
    Report r;
    r.step = text_at(j, "step");
    if (auto it = j.find("seed"); it != j.end() && it->is_number_unsigned()) r.seed = it->get<uint64_t>();
    if (auto it = j.find("size"); it != j.end() && it->is_object())
      for (const auto& [k, v] : it->items()) r.size[k] = v.get<int64_t>();
    if (auto it = j.find("device"); it != j.end() && it->is_object()) {
      const Json& d = *it;
      r.device = {text_at(d, "name"),        device_kind(text_at(d, "kind")), text_at(d, "title"),
                  int(integer_at(d, "sms")), number_at(d, "peak_gbps"),       number_at(d, "peak_gflops"),
                  number_at(d, "clock_mhz"), text_at(d, "model_version"),     text_at(d, "recorded_note")};
    }
    if (auto it = j.find("quantities"); it != j.end() && it->is_object())
      for (const auto& [k, v] : it->items()) r.quantities[k] = number_at(*it, k.c_str());
    for (const auto& x : array_at(j, "runs")) r.runs.push_back(run(x));
    return r;
  } catch (const nlohmann::json::exception& e) {
    throw Error("this is no WarpDojo report: " + json_words(e, input));
  }
}

}  // namespace dojo
