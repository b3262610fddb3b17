#include "run/student_progress.hpp"

#include <nlohmann/json.hpp>

#include "core/paths.hpp"
#include "run/reference_cache.hpp"

namespace dojo::run {
namespace {
using Json = nlohmann::json;

Json read_object(const fs::path& file) {
  const auto text = file.empty() ? std::nullopt : read_file(file);
  if (!text) return Json::object();
  Json j = Json::parse(*text, nullptr, false);
  if (j.is_object()) return j;
  std::error_code ec;
  fs::rename(file, file.string() + ".broken", ec);
  return Json::object();
}
}  // namespace

StudentProgress StudentProgress::load() {
  const fs::path folder = data_folder();
  return load(folder.empty() ? fs::path{} : folder / "progress.json");
}

StudentProgress StudentProgress::load(const fs::path& file) {
  StudentProgress p(file);
  const Json j = read_object(file);
  if (auto steps = j.find("steps"); steps != j.end() && steps->is_object())
    for (const auto& [id, v] : steps->items()) {
      if (!v.is_object()) continue;
      Entry& e = p.steps_[id];
      if (auto s = v.find("state"); s != v.end() && s->is_string()) e.state = *s;
      if (e.state != "passed" && e.state != "failed") e.state = "new";
      if (auto h = v.find("hints"); h != v.end() && h->is_number_integer()) e.hints = *h;
      if (auto r = v.find("runs"); r != v.end() && r->is_number_integer()) e.runs = *r;
    }
  return p;
}

std::string StudentProgress::state(const std::string& id) const {
  auto it = steps_.find(id);
  return it == steps_.end() ? "new" : it->second.state;
}

int StudentProgress::hints(const std::string& id) const {
  auto it = steps_.find(id);
  return it == steps_.end() ? 0 : it->second.hints;
}

bool StudentProgress::note_run(const std::string& id, Status status) {
  Entry& e = steps_[id];
  ++e.runs;
  if (status == Status::pass)
    e.state = "passed";
  else if (e.state != "passed")
    e.state = "failed";
  return save(id);
}

bool StudentProgress::note_hints(const std::string& id, int shown) {
  steps_[id].hints = shown;
  return save(id);
}

bool StudentProgress::save(const std::string& id) {
  if (file_.empty()) return false;
  Json j = read_object(file_);
  if (!j.contains("steps") || !j["steps"].is_object()) j["steps"] = Json::object();
  Json& v = j["steps"][id];
  if (!v.is_object()) v = Json::object();
  const Entry& e = steps_[id];
  v["state"] = e.state;
  v["hints"] = e.hints;
  v["runs"] = e.runs;
  return write_atomically(file_, j.dump(1) + "\n");
}

}  // namespace dojo::run
