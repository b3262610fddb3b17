#include "grade/intake/roster.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "grade/book/calendar.hpp"
#include "grade/intake/csv.hpp"
#include "grade/intake/layout.hpp"
#include "grade/row.hpp"

namespace dojo::grade {
namespace {

/// The words of a name in alphabetical order: "Doe, Jane" and "jane-doe" are one.
std::vector<std::string> name_words(const std::string& name) {
  std::vector<std::string> words(1);
  for (char c : plain_name(name))
    if (c == '-')
      words.emplace_back();
    else
      words.back() += c;
  std::sort(words.begin(), words.end());
  return words;
}

/// "doejane" from "Jane Doe", as Canvas writes names: any order of the words, joined.
bool joined_from(const std::string& joined, const std::string& name) {
  auto words = name_words(name);
  if (words.size() > 5) return false;
  do {
    std::string all;
    for (const auto& w : words) all += w;
    if (all == joined) return true;
  } while (std::next_permutation(words.begin(), words.end()));
  return false;
}

std::string before_at(const std::string& email) { return email.substr(0, email.find('@')); }

}  // namespace

const Person* Roster::find(const std::string& id) const {
  for (const Person& p : people)
    if (p.id == id) return &p;
  return nullptr;
}

size_t Roster::named(const std::string& name) const {
  const auto words = name_words(name);
  return size_t(std::count_if(people.begin(), people.end(), [&](const Person& p) {
    return !p.name.empty() && name_words(p.name) == words;
  }));
}

const Person* Roster::match(const std::string& name, const std::string& id, const std::string& email) const {
  const auto only = [&](auto fits) -> const Person* {
    const Person* found = nullptr;
    for (const Person& p : people)
      if (fits(p)) {
        if (found) return nullptr;
        found = &p;
      }
    return found;
  };
  const std::string plain = plain_name(name);
  if (!email.empty())
    if (const Person* p = only([&](const Person& q) { return plain_name(q.email) == plain_name(email); }))
      return p;
  for (const std::string& key : {id, name})
    if (!key.empty())
      if (const Person* p = only([&](const Person& q) { return q.id == key; })) return p;
  if (const Person* p = only([&](const Person& q) { return !name.empty() && q.name == name; })) return p;
  if (plain.empty()) return nullptr;
  if (const Person* p = only([&](const Person& q) { return plain_name(q.id) == plain; })) return p;
  if (const Person* p = only([&](const Person& q) {
        return !q.email.empty() && (plain_name(q.email) == plain || plain_name(before_at(q.email)) == plain);
      }))
    return p;
  const auto words = name_words(name);
  if (const Person* p = only([&](const Person& q) { return !q.name.empty() && name_words(q.name) == words; }))
    return p;
  return only([&](const Person& q) { return !q.name.empty() && joined_from(plain, q.name); });
}

Roster read_roster(const std::string& file_name, const std::string& text) {
  const CsvTable t(file_name, text, {"id", "name", "email", "section", "extension"}, {"id"});
  Roster r;
  std::set<std::string> seen;
  for (size_t i = 0; i < t.size(); ++i) {
    const auto refuse = [&](const std::string& what) {
      throw Error(file_name + ":" + std::to_string(t.line(i)) + ": " + what);
    };
    Person p{clean_text(t.at(i, "id"), 200), clean_text(t.at(i, "name"), 200),
             clean_text(t.at(i, "email"), 200), clean_text(t.at(i, "section"), 200), t.at(i, "extension")};
    if (p.id.empty()) refuse("a student needs an id");
    if (!seen.insert(p.id).second) refuse("the id '" + p.id + "' is there twice");
    if (!p.extension.empty() && !read_span(p.extension) && !read_time(p.extension))
      refuse("'" + p.extension + "' is no extension: 2d, 36h, or 2026-10-23T12:00");
    r.people.push_back(std::move(p));
  }
  if (r.people.empty())
    throw Error(file_name + ": no student; the first line is id,name,email,section,extension");
  return r;
}

Roster load_roster(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) throw Error("cannot read " + file.string());
  return read_roster(file.string(), *text);
}

}  // namespace dojo::grade
