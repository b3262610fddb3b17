#include "grade/book/overrides.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "grade/book/calendar.hpp"
#include "grade/book/toml_time.hpp"

namespace dojo::grade {
namespace {

class OverridesFile {
 public:
  OverridesFile(const fs::path& file, const Catalog& catalog, const Course& course)
      : file_(file), catalog_(catalog), course_(course) {}

  Overrides read() {
    toml::table t;
    if (std::error_code ec; !fs::exists(file_, ec)) throw Error("there is no " + file_.string());
    try {
      t = toml::parse_file(file_.string());
    } catch (const toml::parse_error& e) {
      throw Error(file_.string() + ":" + std::to_string(e.source().begin.line) + ": " + toml_words);
    }
    Overrides o;
    only(t, {"student", "adjust"});
    for (const toml::table* s : tables(t, "student")) {
      only(*s, {"id", "extension", "submitted", "excused"});
      const std::string id = text(*s, "id");
      if (o.students.count(id)) refuse(s, "'" + id + "' is there twice: one [[student]] holds all of it");
      StudentOverride& into = o.students[id];
      into.extension = time_text(*s, "extension", "an extension is 2d, 36h, or 2026-10-23T12:00");
      into.submitted = time_text(*s, "submitted", "submitted is a time: 2026-10-20T21:03");
      if (!into.extension.empty() && !read_span(into.extension) && !read_time(into.extension))
        refuse(s->get("extension"), "an extension is 2d, 36h, or 2026-10-23T12:00");
      if (!into.submitted.empty() && !read_time(into.submitted))
        refuse(s->get("submitted"), "submitted is a time: 2026-10-20T21:03");
      if (const toml::array* steps = (*s)["excused"].as_array())
        for (const auto& step : *steps) into.excused.push_back(step_in(step));
      else if (s->get("excused"))
        refuse(s->get("excused"), "excused is a list of steps: excused = [\"reduce/5\"]");
    }
    for (const toml::table* a : tables(t, "adjust")) {
      only(*a, {"id", "step", "points", "set", "comment"});
      Adjustment made;
      made.student = text(*a, "id");
      text(*a, "step");
      made.step = step_in(*a->get("step"));
      made.points = points(*a, "points");
      made.set = points(*a, "set");
      made.comment = text(*a, "comment");
      if (made.points.has_value() == made.set.has_value())
        refuse(a, "an [[adjust]] has either points (added) or set (instead)");
      o.adjustments.push_back(std::move(made));
    }
    return o;
  }

 private:
  [[noreturn]] void refuse(const toml::node* at, const std::string& what) const {
    const auto line = at ? at->source().begin.line : 0;
    throw Error(file_.string() + (line ? ":" + std::to_string(line) : "") + ": " + what);
  }
  void only(const toml::table& t, std::initializer_list<const char*> keys) const {
    std::string known;
    for (const char* k : keys) known += (known.empty() ? "" : ", ") + std::string(k);
    for (const auto& [name, value] : t)
      if (std::none_of(keys.begin(), keys.end(), [&](const char* k) { return name.str() == k; }))
        refuse(&value, "there is no '" + std::string(name.str()) + "' here; there are " + known);
  }
  std::vector<const toml::table*> tables(const toml::table& t, const char* key) const {
    std::vector<const toml::table*> all;
    const toml::node* n = t.get(key);
    if (!n) return all;
    const toml::array* list = n->as_array();
    if (!list) refuse(n, std::string("write [[") + key + "]], once for each");
    for (const auto& e : *list)
      if (const toml::table* one = e.as_table())
        all.push_back(one);
      else
        refuse(&e, std::string("write [[") + key + "]], once for each");
    return all;
  }
  std::string text(const toml::table& t, const char* key) const {
    const auto v = t[key].value<std::string>();
    if (!v || v->empty()) refuse(t.get(key) ? t.get(key) : &t, std::string(key) + " is missing, or no text");
    return *v;
  }
  /// A text in quotes, or one of TOML's own times.
  std::string time_text(const toml::table& t, const char* key, const char* what) const {
    const toml::node* n = t.get(key);
    if (!n) return {};
    const std::optional<std::string> text = grade::time_text(*n);
    if (!text) refuse(n, what);
    return *text;
  }
  std::optional<double> points(const toml::table& t, const char* key) const {
    const toml::node* n = t.get(key);
    if (!n) return std::nullopt;
    const auto v = n->is_number() ? n->value<double>() : std::nullopt;
    if (!v || !(std::abs(*v) <= most_points) || (*v < 0 && std::string(key) == "set"))
      refuse(n, std::string(key) + " is a number of points");
    return v;
  }
  std::string step_in(const toml::node& n) const {
    const auto name = n.value<std::string>();
    if (!name) refuse(&n, "a step is a text: \"reduce/5\"");
    std::string id;
    try {
      id = catalog_.find(*name).id();
    } catch (const Error& e) {
      refuse(&n, e.what());
    }
    if (std::none_of(course_.steps.begin(), course_.steps.end(), [&](const auto& c) { return c.step == id; }))
      refuse(&n, id + " is no step of the course");
    return id;
  }

  const fs::path& file_;
  const Catalog& catalog_;
  const Course& course_;
};

}  // namespace

Overrides load_overrides(const fs::path& file, const Catalog& catalog, const Course& course) {
  return OverridesFile(file, catalog, course).read();
}

}  // namespace dojo::grade
