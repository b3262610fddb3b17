#include "core/code_listing.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/report.hpp"
#include "core/text/json_words.hpp"

namespace dojo {
namespace {
using Json = nlohmann::ordered_json;

Json json(const CodeListing::Instruction& i) {
  Json j = {{"text", i.text}, {"line", i.line}, {"at", i.at}};
  if (!i.label.empty()) j["label"] = i.label;
  if (!i.other.empty()) j["other"] = i.other;
  if (i.ptx >= 0) j["ptx"] = i.ptx;
  if (i.executed >= 0) j["executed"] = i.executed;
  return j;
}

CodeListing::Instruction instruction(const Json& j) {
  CodeListing::Instruction i;
  i.text = j.at("text");
  i.line = j.at("line");
  i.at = j.at("at");
  i.label = j.value("label", "");
  i.other = j.value("other", "");
  i.ptx = j.value("ptx", -1);
  i.executed = j.value("executed", int64_t(-1));
  return i;
}

std::string bytes(int n, const char* of) { return std::to_string(n) + (n == 1 ? " byte" : " bytes") + of; }

}  // namespace

const CodeListing::Function* CodeListing::find(const std::string& mangled) const {
  for (const auto& f : functions)
    if (f.mangled == mangled) return &f;
  return nullptr;
}

std::string to_json(const CodeListing& c, int indent) {
  Json j = {
      {"schema", "warpdojo/code/1"}, {"file", c.file}, {"ptx_target", c.target}, {"machine", c.machine}};
  if (!c.no_machine_code.empty()) j["no_machine_code"] = c.no_machine_code;
  j["disassembler"] = c.disassembler;
  if (!c.no_disassembler.empty()) j["no_disassembler"] = c.no_disassembler;
  j["ran"] = c.ran;
  if (!c.not_ran.empty()) j["not_ran"] = c.not_ran;
  j["functions"] = Json::array();
  for (const auto& f : c.functions) {
    Json one = {{"name", f.name}, {"mangled", f.mangled}, {"kernel", f.kernel}};
    if (f.kernel) {
      const KernelResources& r = f.resources;
      one["resources"] = {{"registers", r.registers},      {"static_smem", r.static_smem},
                          {"local_bytes", r.local_bytes},  {"spill_stores", f.spills.stores},
                          {"spill_loads", f.spills.loads}, {"const_bytes", r.const_bytes},
                          {"estimated", r.estimated}};
    }
    for (const auto& [key, list] : {std::pair{"ptx", &f.ptx}, {"sass", &f.sass}}) {
      Json& all = one[key] = Json::array();
      for (const auto& i : *list) all.push_back(json(i));
    }
    j["functions"].push_back(std::move(one));
  }
  j["diagnostics"] = Json::array();
  for (const auto& d : c.diagnostics)
    j["diagnostics"].push_back({{"severity", to_string(d.severity)},
                                {"kind", to_string(d.kind)},
                                {"file", d.where.file},
                                {"line", d.where.line},
                                {"column", d.where.column},
                                {"message", d.message}});
  return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}

CodeListing code_listing_from_json(const std::string& text) {
  try {
    const Json j = Json::parse(text);
    CodeListing c;
    c.file = j.at("file");
    c.target = j.at("ptx_target");
    c.machine = j.at("machine");
    c.no_machine_code = j.value("no_machine_code", "");
    c.disassembler = j.at("disassembler");
    c.no_disassembler = j.value("no_disassembler", "");
    c.ran = j.at("ran");
    c.not_ran = j.value("not_ran", "");
    for (const auto& one : j.at("functions")) {
      CodeListing::Function f;
      f.name = one.at("name");
      f.mangled = one.at("mangled");
      f.kernel = one.at("kernel");
      if (one.contains("resources")) {
        const Json& r = one["resources"];
        f.resources = {r.at("registers"), r.at("static_smem"), r.at("local_bytes"), r.at("const_bytes"),
                       r.at("estimated")};
        f.spills = {r.at("spill_stores"), r.at("spill_loads")};
      }
      for (const auto& i : one.at("ptx")) f.ptx.push_back(instruction(i));
      for (const auto& i : one.at("sass")) f.sass.push_back(instruction(i));
      c.functions.push_back(std::move(f));
    }
    for (const auto& one : j.at("diagnostics")) {
      Diagnostic d;
      const std::string severity = one.at("severity");
      d.severity = severity == "note"      ? Severity::note
                   : severity == "warning" ? Severity::warning
                                           : Severity::error;
      d.kind = finding_kind(one.at("kind").get<std::string>());
      d.where = {one.at("file"), one.at("line"), one.at("column")};
      d.message = one.at("message");
      c.diagnostics.push_back(std::move(d));
    }
    return c;
  } catch (const nlohmann::json::exception& e) {
    throw Error("this is no listing of code: " + json_words(e, text));
  }
}

std::string resources_text(const CodeListing::Function& f) {
  const KernelResources& r = f.resources;
  std::string s = std::to_string(r.registers) + (r.registers == 1 ? " register" : " registers") +
                  " per thread" + (r.estimated ? " (estimated)" : "");
  s += ", " + (r.static_smem ? bytes(r.static_smem, " of static shared memory") : "no static shared memory");
  if (r.estimated) return s;
  s += f.spills.stores || f.spills.loads ? ", spills: " + bytes(f.spills.stores, " stored") + " and " +
                                               bytes(f.spills.loads, " loaded again")
                                         : ", no spills";
  if (r.local_bytes) s += ", " + bytes(r.local_bytes, " of stack");
  return s;
}

}  // namespace dojo
