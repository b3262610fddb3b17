// Reads labs/*/lab.toml (docs/adding-a-lab.md describes the format). Nothing in a file can crash the load: a
// lab that is wrong is left out and reported with file, line and what is wrong.
#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/gates/gate.hpp"
#include "core/gates/gate_parse.hpp"
#include "core/labs/lab.hpp"
#include "core/labs/toml_reader.hpp"
#include "core/text/error_words.hpp"

namespace dojo {
namespace {

using namespace lab_toml;

Curve read_curve(const toml::node* n) {
  if (!n->is_table()) broken(n, "'curve' must be a table");
  Reader r(*n->as_table(), "'curve'");
  Curve c;
  r.demand("extents", c.extents);
  r.demand("values", c.values);
  r.read("volume", c.volume);
  r.read("other", c.other);
  r.read("y", c.y);
  r.read("label", c.label);
  r.finish();
  if (c.extents.empty() || c.values.empty()) broken(n, "'curve' needs extents and values");
  if ((c.volume > 0) == c.other.empty()) broken(n, "'curve' needs 'volume' and 'other' together");
  return c;
}

constexpr const char* time_words =
    "Too slow beside the reference, in modelled time. All warps of all SMs should work. "
    "`warpdojo explain` names what the run waits for.";

/// What `time_factor` asks of a step with no gate of its own on the time: time_us <= 2 * reference(self).
void add_time_gate(Step& s) {
  if (s.time_factor == 0 || std::any_of(s.gates.begin(), s.gates.end(), [](const GateDef& g) {
        const auto names = gates::bounded_above(g.expr);
        return std::find(names.begin(), names.end(), "time_us") != names.end();
      }))
    return;
  std::ostringstream expr;
  expr << "time_us <= " << s.time_factor << " * reference(self)";
  s.gates.push_back({.expr = expr.str(), .words = time_words});
}

/// Keys that a step may have and [defaults] may set for all.
void read_common(Reader& r, Step& s) {
  r.read("device", s.device);
  r.read("size", s.size);
  r.read("gpu_size", s.gpu_size);
  r.read("gate_size", s.gate_size);
  r.read("check_size", s.check_size);
  r.read("also_check", s.also_check);
  r.read("entry", s.entry);
  r.read("arch", s.arch);
  r.read("gpu_arch", s.gpu_arch);
  r.read("picture", s.picture);
  r.read("params", s.params);
  r.read("options", s.options);
  std::vector<std::string> unbounded;
  r.read("unbounded", unbounded);
  for (const std::string& bound : unbounded) {
    if (bound != "time" && bound != "host" && bound != "copies" && bound != "paths" && bound != "work")
      broken(r.get("unbounded"),
             "'unbounded' is a list of \"time\", \"host\", \"copies\", \"paths\" and \"work\"");
    s.options["unbounded"] += bound + " ";
  }
  r.read("time_factor", s.time_factor);
  r.read("mutates_input", s.mutates_input);
  r.read("open", s.open);
  if (const toml::node* curve = r.get("curve")) s.curve = read_curve(curve);
}

void read_prediction(const toml::node* n, Prediction& p) {
  if (!n) return;
  if (!n->is_table()) broken(n, "'prediction' must be a table");
  Reader r(*n->as_table(), "[step.prediction]");
  r.demand("question", p.question);
  r.read("counter", p.counter);
  r.read("tolerance", p.tolerance);
  r.read("choices", p.choices);
  r.read("explain", p.explain);
  if (const toml::node* a = r.get("answer")) {
    // A number is as good as a text here.
    if (a->is_string())
      p.answer = *a->value<std::string>();
    else if (a->is_integer())
      p.answer = std::to_string(*a->value<int64_t>());
    else if (a->is_number())
      p.answer = std::to_string(*a->value<double>());
    else
      broken(a, "'answer' must be a text or a number");
  }
  r.finish();
  if (p.answer.empty() == p.counter.empty()) broken(n, "a prediction needs either 'answer' or 'counter'");
}

/// { m = 24 } or { m = "20..60/4" }.
std::map<std::string, gates::Range> read_ranges(const toml::node& n) {
  if (!n.is_table()) broken(&n, "'size' must look like { n = 1024 }");
  std::map<std::string, gates::Range> out;
  for (const auto& [k, v] : *n.as_table()) {
    const std::string text = v.is_string()    ? *v.value<std::string>()
                             : v.is_integer() ? std::to_string(*v.value<int64_t>())
                                              : "";
    if (!gates::parse_range(text, out[std::string(k.str())]))
      broken(&v, "a gate's size has whole numbers, and ranges like \"20..60/4\"");
  }
  return out;
}

/// A gate of a step whose size and params are read already: the gate's own size names some of them.
GateDef read_gate(const toml::table& g, const Step& s) {
  Reader gr(g, "[[step.gates]]");
  GateDef def;
  gr.demand("expr", def.expr);
  gr.read("words", def.words);
  gr.read("weight", def.weight);
  gates::Place place;
  if (const toml::node* size = gr.get("size")) place.size = read_ranges(*size);
  if (const toml::node* device = gr.get("device"); device && device->is_array())
    gr.read("device", place.devices);
  else if (device)
    gr.demand("device", place.devices.emplace_back());
  gr.finish();
  if (!(def.weight >= 0)) broken(gr.get("weight"), "a gate's weight is a number, 0 or more");
  def.expr += gates::to_string(place);
  if (auto wrong = lint_gate(def.expr); !wrong.empty()) broken(gr.get("expr"), wrong);
  for (const auto& [extent, values] : gates::parse_gate(def.expr).place.size)
    if (!s.size.count(extent) && !s.params.count(extent))
      broken(&g, "a gate's size has '" + extent + "', which is no extent of the step and none of its params");
  return def;
}

Published read_published(const toml::table& p) {
  Reader pr(p, "[[step.published]]");
  Published pub;
  pr.demand("what", pub.what);
  pr.demand("value", pub.value);
  pr.read("gpu", pub.gpu);
  pr.read("source", pub.source);
  pr.read("time_us", pub.time_us);
  pr.read("gbps", pub.gbps);
  pr.read("note", pub.note);
  pr.read("size", pub.size);
  pr.finish();
  // `gpu` names it: a source that repeats the words is shortened.
  const std::string unknown = "GPU not stated", twice = ", " + unknown;
  if (pub.gpu.empty()) pub.gpu = unknown;
  if (const size_t at = pub.source.find(twice); pub.gpu == unknown && at != std::string::npos)
    pub.source.erase(at, twice.size());
  return pub;
}

Step read_step(const toml::table& t, const Step& defaults, const fs::path& folder, const std::string& lab) {
  Step s = defaults;
  s.lab = lab;
  Reader r(t, "[[step]]");
  r.demand("file", s.file);
  static const std::regex shape("([0-9]+)-([a-z0-9-]+)\\.cu");
  std::smatch m;
  if (!std::regex_match(s.file, m, shape))
    broken(r.get("file"),
           "file '" + s.file + "' must look like 5-sequential.cu (number, name in lower case)");
  s.number = std::stoi(m[1]);
  s.name = m[2];
  r.demand("title", s.title);
  bool compared = false;
  r.read("compared", compared);
  r.read("hints", s.hints);
  read_common(r, s);
  read_prediction(r.get("prediction"), s.prediction);
  for (const toml::table* g : tables(r.get("gates"), "gates")) s.gates.push_back(read_gate(*g, s));
  for (const auto& [extent, value] : s.check_size)
    if (!s.size.count(extent) && !s.params.count(extent))
      broken(r.get("file"),
             "check_size has '" + extent + "', which is no extent of the step and none of its params");
  for (Size& also : s.also_check) {
    for (const auto& [extent, value] : also)
      if (!s.check_size.count(extent))
        broken(r.get("file"), "also_check has '" + extent + "', which is no extent of check_size");
    also.insert(s.check_size.begin(), s.check_size.end());
  }
  add_time_gate(s);
  for (const toml::table* p : tables(r.get("published"), "published"))
    s.published.push_back(read_published(*p));
  r.finish();
  if (s.entry.empty()) broken(&t, "step '" + s.file + "' needs 'entry', the host function to call");
  if (s.size.empty()) broken(&t, "step '" + s.file + "' needs 'size'");
  if (s.gpu_size.empty()) s.gpu_size = s.size;
  if (s.gate_size.empty()) s.gate_size = s.size;
  std::error_code ec;
  // A file that a student deleted does not hide the lab; a name that no file of the step has is misspelt.
  if (!compared && !fs::exists(folder / s.file, ec) &&
      !fs::exists(folder / (s.file.substr(0, s.file.size() - 3) + ".md"), ec))
    broken(&t, "step '" + s.file + "': the file is missing from " + folder.filename().string());
  s.brief = read_or_empty(folder / (s.file.substr(0, s.file.size() - 3) + ".md"));
  return s;
}

Lab read_lab(const fs::path& root, const fs::path& folder) {
  const toml::table t = toml::parse_file((folder / "lab.toml").string());
  Lab lab;
  Reader r(t, "lab.toml");
  r.demand("name", lab.name);
  r.demand("title", lab.title);
  r.demand("order", lab.order);
  lab.problem = lab.name;
  r.read("problem", lab.problem);
  lab.folder = folder;
  lab.reference = root / "reference" / folder.filename();
  lab.brief = read_or_empty(folder / "brief.md");
  Step defaults;
  defaults.device = "simt:h100";
  defaults.arch = "compute_75";
  if (const toml::node* d = r.get("defaults")) {
    if (!d->is_table()) broken(d, "'defaults' must be a table");
    Reader dr(*d->as_table(), "[defaults]");
    read_common(dr, defaults);
    dr.finish();
  }
  const toml::node* steps = r.get("step");
  if (!steps) broken(&t, "the lab has no [[step]]");
  std::set<std::string> names;
  std::string before;
  for (const toml::table* one : tables(steps, "step")) {
    Step s = read_step(*one, defaults, folder, lab.name);
    s.before = std::exchange(before, s.file);
    if (!names.insert(s.name).second) broken(one, "two steps are named '" + s.name + "'");
    const bool compared = (*one)["compared"].value_or(false);
    (compared ? lab.compared : lab.steps).push_back(std::move(s));
  }
  if (lab.steps.empty()) broken(steps, "every [[step]] is 'compared': the lab has none to solve");
  r.finish();
  return lab;
}

}  // namespace

Catalog load_catalog(const fs::path& root) {
  Catalog c;
  c.root = fs::absolute(root).lexically_normal();
  const fs::path labs = c.root / "labs";
  std::error_code ec;
  if (!fs::is_directory(labs, ec))
    throw Error("no labs folder in " + c.root.string() +
                "; start warpdojo in a checkout, or set WARPDOJO_ROOT");
  std::vector<fs::path> folders;
  for (const auto& e : fs::directory_iterator(labs, ec))
    if (fs::exists(e.path() / "lab.toml", ec)) folders.push_back(e.path());
  std::sort(folders.begin(), folders.end());
  for (const auto& folder : folders) {
    const std::string file = fs::relative(folder / "lab.toml", c.root, ec).string();
    auto report = [&](int line, int column, std::string what) {
      c.problems.push_back(
          {.kind = FindingKind::lab, .where = {file, line, column}, .message = std::move(what)});
    };
    try {
      Lab lab = read_lab(c.root, folder);
      if (c.find_lab(lab.name))
        report(1, 1, "another lab is already named '" + lab.name + "'");
      else
        c.labs.push_back(std::move(lab));
    } catch (const Broken& b) {
      report(b.line, b.column, b.what);
    } catch (const toml::parse_error& e) {
      report(int(e.source().begin.line), int(e.source().begin.column), toml_words);
    } catch (const std::exception& e) {
      report(1, 1, error_words(e));
    }
  }
  std::stable_sort(c.labs.begin(), c.labs.end(),
                   [](const Lab& a, const Lab& b) { return a.order < b.order; });
  return c;
}

}  // namespace dojo
