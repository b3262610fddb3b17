#pragma once
// Who takes the course: a CSV with the columns id, name, email, section, extension.
#include <optional>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"

namespace dojo::grade {

struct Person {
  std::string id;  ///< as exports show it; unique
  std::string name, email, section;
  std::string extension;  ///< "2d", "36h", or a time; empty: none
};

struct Roster {
  std::vector<Person> people;
  bool empty() const { return people.empty(); }
  const Person* find(const std::string& id) const;
  /// How many have this name, its words in any order.
  size_t named(const std::string& name) const;
  /// Whom a name stands for: an id, an e-mail address or what stands before its '@', a name in any order of
  /// its words, with or without spaces. Null where none or several fit.
  const Person* match(const std::string& name, const std::string& id = {},
                      const std::string& email = {}) const;
};

/// Throws Error with the line: a column id is missing, an id is empty or there twice, an extension is no
/// time.
Roster read_roster(const std::string& file_name, const std::string& text);
Roster load_roster(const fs::path&);

}  // namespace dojo::grade
