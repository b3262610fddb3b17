#include "core/native/native_run.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace dojo {
namespace {
using PlainJson = nlohmann::json;

PlainJson parsed_native(const std::string& text) {
  PlainJson j = PlainJson::parse(text, nullptr, false);
  if (j.is_discarded() || !j.is_object()) throw Error("no valid JSON between exec and its program", 71);
  return j;
}
}  // namespace

std::string to_json(const NativeRunOptions& o) {
  return PlainJson{{"device", o.device},         {"only", o.only},     {"skip", o.skip},
                   {"count", o.count},           {"sample", o.sample}, {"sample_blocks", o.sample_blocks},
                   {"memory_gib", o.memory_gib}, {"checks", o.checks}, {"timing", o.timing},
                   {"lines", o.lines},           {"leaks", o.leaks},   {"result_folder", o.result_folder}}
      .dump();
}

NativeRunOptions native_options_from_json(const std::string& text) {
  try {
    const PlainJson j = parsed_native(text);
    NativeRunOptions o;
    o.device = j.value("device", o.device);
    o.only = j.value("only", o.only);
    o.skip = j.value("skip", o.skip);
    o.count = j.value("count", o.count);
    o.sample = j.value("sample", o.sample);
    o.sample_blocks = j.value("sample_blocks", o.sample_blocks);
    o.memory_gib = j.value("memory_gib", o.memory_gib);
    o.checks = j.value("checks", o.checks);
    o.timing = j.value("timing", o.timing);
    o.lines = j.value("lines", o.lines);
    o.leaks = j.value("leaks", o.leaks);
    o.result_folder = j.value("result_folder", o.result_folder);
    return o;
  } catch (const PlainJson::exception& e) {
    throw Error(std::string("exec's options: ") + e.what(), 71);
  }
}

std::string to_json(const NativeRunResult& r) {
  PlainJson kernels = PlainJson::array();
  for (const KernelSum& k : r.kernels)
    kernels.push_back({{"kernel", k.kernel},
                       {"launches", k.launches},
                       {"in_detail", k.in_detail},
                       {"time_us", k.time_us},
                       {"bounds", k.bounds},
                       {"counters", k.counters}});
  return PlainJson{{"report", PlainJson::parse(to_json(r.report))},
                   {"kernels", std::move(kernels)},
                   {"launches", r.launches},
                   {"in_part", r.in_part},
                   {"repeats", r.repeats},
                   {"passed_over", r.passed_over}}
      .dump(-1, ' ', false, PlainJson::error_handler_t::replace);
}

NativeRunResult native_result_from_json(const std::string& text) {
  try {
    const PlainJson j = parsed_native(text);
    NativeRunResult r;
    r.report = report_from_json(j.at("report").dump());
    for (const PlainJson& k : j.at("kernels"))
      r.kernels.push_back({k.at("kernel"), k.at("launches"), k.at("time_us"), k.at("bounds").get<Bounds>(),
                           k.at("in_detail"), k.at("counters").get<Counters>()});
    r.launches = j.at("launches");
    r.in_part = j.at("in_part");
    r.repeats = j.at("repeats");
    r.passed_over = j.at("passed_over");
    return r;
  } catch (const PlainJson::exception& e) {
    throw Error(std::string("the result of the program: ") + e.what(), 71);
  }
}

}  // namespace dojo
