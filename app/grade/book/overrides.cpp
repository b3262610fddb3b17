#include "grade/book/overrides.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/error.hpp"
#include "core/files/toml_file.hpp"
#include "grade/book/calendar.hpp"
#include "grade/book/toml_time.hpp"

namespace dojo::grade {
namespace {

class OverridesFile : TomlFile {
 public:
  OverridesFile(const fs::path& file, const Catalog& catalog, const Course& course)
      : TomlFile(file), catalog_(catalog), course_(course) {}

  Overrides overrides() {
    const toml::table& t = root();
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

  const Catalog& catalog_;
  const Course& course_;
};

}  // namespace

Overrides load_overrides(const fs::path& file, const Catalog& catalog, const Course& course) {
  return OverridesFile(file, catalog, course).overrides();
}

}  // namespace dojo::grade
