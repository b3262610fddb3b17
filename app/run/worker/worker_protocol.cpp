#include "run/worker/worker_protocol.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text/json_words.hpp"
#include "run/worker/hex.hpp"

namespace dojo::run {
namespace {

using Json = nlohmann::json;

std::string line(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

const char* name(Who w) { return w == Who::student ? "student" : w == Who::reference ? "reference" : "both"; }
Who who(const std::string& s) {
  if (s == "student") return Who::student;
  if (s == "reference") return Who::reference;
  if (s == "both") return Who::both;
  throw Error("who is student, reference or both, not '" + s + "'");
}

Json plain(const Diagnostic& d) {
  return {{"severity", int(d.severity)}, {"kind", to_string(d.kind)}, {"file", d.where.file},
          {"line", d.where.line},        {"column", d.where.column},  {"message", d.message}};
}
Diagnostic diagnostic(const Json& j) {
  Diagnostic d;
  d.severity = Severity(j.at("severity").get<int>());
  d.kind = finding_kind(j.at("kind").get<std::string>());
  d.where = {j.at("file"), j.at("line"), j.at("column")};
  d.message = j.at("message");
  return d;
}

}  // namespace

std::string encode(const RunRequest& r, uint64_t id) {
  Json j = {{"request", "run"},
            {"id", id},
            {"step", r.step},
            {"student_file", r.student_file},
            {"who", name(r.who)},
            {"device", r.device},
            {"seed", r.seed},
            {"lines", r.lines},
            {"blocks", r.blocks},
            {"time_limit_s", r.time_limit_s},
            {"threads", r.threads},
            {"gates", r.gates},
            {"gate_draw", r.gate_draw},
            {"every_gate", r.every_gate},
            {"default_bounds", r.default_bounds},
            {"timing", r.timing},
            {"apart", r.apart},
            {"max_warp_instructions", r.max_warp_instructions}};
  if (r.trace.on)
    j["trace"] = {{"launch", r.trace.launch}, {"block", r.trace.block},           {"most", r.trace.most},
                  {"skip", r.trace.skip},     {"as_written", r.trace.as_written}, {"small", r.trace.small},
                  {"also", r.trace.also},     {"names", r.trace.names},           {"kernel", r.trace.kernel}};
  if (r.trace.on && r.trace.by_index)
    j["trace"]["index"] = {r.trace.index.x, r.trace.index.y, r.trace.index.z};
  if (r.program) j["program"] = true;
  if (r.code) j["code"] = true, j["code_counts"] = r.code_counts;
  j["size"] = Json::object();
  for (const auto& [k, v] : r.size) j["size"][k] = v;
  if (r.student_source) j["student_source"] = to_hex(*r.student_source);
  return line(j);
}

std::string encode(const PlayRequest& r, uint64_t id) {
  return line({{"request", "play"},
               {"id", id},
               {"file", r.file},
               {"device", r.device},
               {"args", r.args},
               {"time_limit_s", r.time_limit_s},
               {"lines", r.lines},
               {"blocks", r.blocks},
               {"timing", r.timing},
               {"apart", r.apart}});
}

std::string encode_cancel() { return line({{"request", "cancel"}}); }

WireRequest decode_request(const std::string& text) {
  try {
    const Json j = Json::parse(text);
    WireRequest w;
    w.id = j.value("id", uint64_t(0));
    const std::string kind = j.at("request");
    if (kind == "cancel") {
      w.kind = WireRequest::cancel;
    } else if (kind == "run") {
      RunRequest& r = w.run_;
      r.step = j.at("step");
      r.student_file = j.value("student_file", "");
      if (j.contains("student_source"))
        r.student_source = from_hex(j["student_source"].get_ref<const std::string&>());
      r.who = who(j.value("who", "both"));
      r.device = j.value("device", "");
      r.seed = j.value("seed", uint64_t(1));
      r.lines = j.value("lines", false);
      r.blocks = j.value("blocks", false);
      r.time_limit_s = j.value("time_limit_s", r.time_limit_s);
      r.threads = j.value("threads", 0);
      r.max_warp_instructions = j.value("max_warp_instructions", uint64_t(0));
      r.gates = j.value("gates", true);
      r.gate_draw = j.value("gate_draw", uint64_t(0));
      r.every_gate = j.value("every_gate", false);
      r.default_bounds = j.value("default_bounds", true);
      r.timing = j.value("timing", true);
      r.apart = j.value("apart", false);
      r.program = j.value("program", false);
      r.code = j.value("code", false);
      r.code_counts = j.value("code_counts", false);
      if (j.contains("trace")) {
        const Json& t = j["trace"];
        r.trace.on = true;
        r.trace.launch = t.value("launch", 0u);
        r.trace.block = t.value("block", uint64_t(0));
        r.trace.most = t.value("most", r.trace.most);
        r.trace.skip = t.value("skip", uint64_t(0));
        r.trace.as_written = t.value("as_written", false);
        r.trace.small = t.value("small", false);
        r.trace.also = t.value("also", 0);
        r.trace.names = t.value("names", false);
        r.trace.kernel = t.value("kernel", "");
        if (t.contains("index")) {
          r.trace.by_index = true;
          r.trace.index = {t["index"].at(0), t["index"].at(1), t["index"].at(2)};
        }
      }
      if (j.contains("size"))
        for (const auto& [k, v] : j["size"].items()) r.size[k] = v.get<int64_t>();
    } else if (kind == "play") {
      w.kind = WireRequest::play;
      PlayRequest& r = w.play_;
      r.file = j.at("file");
      r.device = j.value("device", r.device);
      r.args = j.value("args", r.args);
      r.time_limit_s = j.value("time_limit_s", r.time_limit_s);
      r.timing = j.value("timing", true);
      r.apart = j.value("apart", false);
      r.lines = j.value("lines", false);
      r.blocks = j.value("blocks", false);
    } else if (kind == "call") {
      w.kind = WireRequest::call;
      w.call_ = decode_call(text);
    } else {
      throw Error("unknown request '" + kind + "'");
    }
    return w;
  } catch (const Json::exception& e) {
    throw Error("this line is no request: " + json_words(e, text));
  }
}

std::string encode(const WorkerEvent& e, uint64_t id) {
  switch (e.kind) {
    case WorkerEvent::progress:
      return line({{"event", "progress"},
                   {"id", id},
                   {"who", e.at.who},
                   {"phase", e.at.phase},
                   {"fraction", e.at.fraction}});
    case WorkerEvent::printed:
      return line({{"event", "printed"}, {"id", id}, {"text", e.text}});
    case WorkerEvent::report:
      if (e.code)
        return "{\"event\":\"code\",\"id\":" + std::to_string(id) +
               ",\"exit_status\":" + std::to_string(e.exit_status) + ",\"code\":" + to_json(*e.code) + "}";
      if (e.steps)  // steps stand before the report, in letters that JSON needs not escape
        return "{\"event\":\"steps\",\"id\":" + std::to_string(id) +
               ",\"exit_status\":" + std::to_string(e.exit_status) + ",\"steps\":\"" +
               encode_trace(*e.steps) + "\",\"report\":" + to_json(e.report_) + "}";
      if (e.outputs)
        return "{\"event\":\"called\",\"id\":" + std::to_string(id) +
               ",\"exit_status\":" + std::to_string(e.exit_status) +
               ",\"outputs\":" + outputs_text(*e.outputs) + ",\"report\":" + to_json(e.report_) + "}";
      // The report is JSON text already.
      return "{\"event\":\"report\",\"id\":" + std::to_string(id) +
             ",\"exit_status\":" + std::to_string(e.exit_status) + ",\"report\":" + to_json(e.report_) + "}";
    default:
      return line({{"event", e.kind == WorkerEvent::died ? "died" : "failed"},
                   {"id", id},
                   {"exit_status", e.exit_status},
                   {"message", e.text}});
  }
}

std::optional<WorkerEvent> decode_event(const std::string& text, uint64_t* id) {
  try {
    // A report is cut out as text, so that it is parsed once only.
    constexpr std::string_view head = "{\"event\":\"report\",\"id\":", mark = ",\"report\":";
    constexpr std::string_view steps_head = "{\"event\":\"steps\",\"id\":", steps_mark = ",\"steps\":\"";
    WorkerEvent e;
    if (text.starts_with(steps_head)) {
      const size_t at = text.find(steps_mark),
                   end = at == std::string::npos ? at : text.find('"', at + steps_mark.size());
      if (end == std::string::npos || text.compare(end + 1, mark.size(), mark) != 0 || !text.ends_with('}'))
        return std::nullopt;
      const Json front = Json::parse(text.substr(0, at) + "}");
      *id = front.at("id");
      e.kind = WorkerEvent::report;
      e.exit_status = front.at("exit_status");
      e.steps = std::make_shared<StepTrace>(
          decode_trace(text.substr(at + steps_mark.size(), end - at - steps_mark.size())));
      const size_t from = end + 1 + mark.size();
      e.report_ = report_from_json(text.substr(from, text.size() - from - 1));
      return e;
    }
    if (text.starts_with(head)) {
      const size_t at = text.find(mark);
      if (at == std::string::npos || !text.ends_with('}')) return std::nullopt;
      const Json front = Json::parse(text.substr(0, at) + "}");
      *id = front.at("id");
      e.kind = WorkerEvent::report;
      e.exit_status = front.at("exit_status");
      e.report_ = report_from_json(text.substr(at + mark.size(), text.size() - at - mark.size() - 1));
      return e;
    }
    const Json j = Json::parse(text);
    const std::string kind = j.at("event");
    *id = j.at("id");
    if (kind == "progress") {
      e.at = {j.at("who"), j.at("phase"), j.at("fraction")};
    } else if (kind == "printed") {
      e.kind = WorkerEvent::printed;
      e.text = j.at("text");
    } else if (kind == "code") {
      e.kind = WorkerEvent::report;
      e.exit_status = j.at("exit_status");
      e.code = std::make_shared<CodeListing>(code_listing_from_json(j.at("code").dump()));
    } else if (kind == "called") {
      e.kind = WorkerEvent::report;
      e.exit_status = j.at("exit_status");
      e.outputs = std::make_shared<CallOutputs>(outputs_from_text(j.at("outputs").dump()));
      e.report_ = report_from_json(j.at("report").dump());
    } else if (kind == "failed" || kind == "died") {
      e.kind = kind == "died" ? WorkerEvent::died : WorkerEvent::failed;
      e.text = j.at("message");
      e.exit_status = j.at("exit_status");
    } else {
      return std::nullopt;
    }
    return e;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string encode(const CompileRequest& r, uint64_t id) {
  return line({{"compile", id},
               {"file", r.file},
               {"source", to_hex(r.source)},  // any bytes: comments need not be UTF-8
               {"arch", r.arch},
               {"defines", r.defines},
               {"standard", r.standard},
               {"debug", r.debug},
               {"program", r.program}});
}

std::optional<CompileRequest> decode_compile_request(const std::string& text, uint64_t* id) {
  try {
    const Json j = Json::parse(text);
    *id = j.at("compile");
    CompileRequest r;
    r.file = j.at("file");
    r.source = from_hex(j.at("source").get_ref<const std::string&>());
    r.arch = j.at("arch");
    r.defines = j.at("defines").get<std::vector<std::string>>();
    r.standard = j.at("standard");
    r.debug = j.at("debug");
    r.program = j.at("program");
    return r;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string encode(const Compiled& c, uint64_t id) {
  Json j = {{"compiled", id},
            {"ok", c.ok},
            {"ptx", c.ptx},
            {"ms", c.milliseconds},
            {"host_variables", c.host_variables},
            {"managed_variables", c.managed_variables},
            {"allocation_names", c.allocation_names}};
  j["diagnostics"] = Json::array();
  for (const auto& d : c.diagnostics) j["diagnostics"].push_back(plain(d));
  return line(j);
}

std::optional<Compiled> decode_compiled(const std::string& text, uint64_t* id) {
  try {
    const Json j = Json::parse(text);
    *id = j.at("compiled");
    Compiled c;
    c.ok = j.at("ok");
    c.ptx = j.at("ptx");
    c.milliseconds = j.at("ms");
    c.host_variables = j.at("host_variables").get<std::vector<std::string>>();
    c.managed_variables = j.at("managed_variables").get<std::vector<std::string>>();
    c.allocation_names = j.at("allocation_names").get<std::map<int, std::string>>();
    for (const auto& d : j.at("diagnostics")) c.diagnostics.push_back(diagnostic(d));
    return c;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace dojo::run
