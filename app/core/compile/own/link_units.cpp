#include "core/compile/own/link_units.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

#include "core/compile/front_end.hpp"
#include "core/compile/ptx_text.hpp"

namespace dojo::compile_detail {
namespace {

/// The linkage directive of an item: ".visible", ".weak", ".extern" or ".common"; empty for internal linkage.
std::string linkage(const PtxItem& i) {
  for (size_t at = i.text.find('.'); at < i.text.size();) {
    size_t end = at;
    while (end < i.text.size() && ptx_word_char(i.text[end])) ++end;
    const std::string word = i.text.substr(at, end - at);
    if (word == ".visible" || word == ".weak" || word == ".extern" || word == ".common") return word;
    if (word == i.name || word == ".param") break;
    at = end + 1;
  }
  return {};
}

/// A name that no other file has: a mangled unit2::NAME for a plain NAME, else NAME$unit2.
std::string own_name(const std::string& name, size_t unit) {
  const std::string number = std::to_string(unit + 1), space = "unit" + number;
  const bool plain = !name.starts_with("_Z") && name.find('$') == name.npos && !name.starts_with("__unnamed");
  if (!plain) return name + "$" + space;
  return "_ZN" + std::to_string(space.size()) + space + std::to_string(name.size()) + name + "E";
}

/// The name as the source writes it: demangled.
std::string written(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // "n" alone is a type to the demangler
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

/// Names from our standard headers' shims and the math library: every file has them.
bool of_our_headers(const std::string& name) {
  return name.starts_with("_ZSt") || name.starts_with("_ZNSt") || name.starts_with("__cudart");
}

struct Linker {
  std::vector<PtxText> texts;                               ///< by unit
  std::vector<std::map<std::string, std::string>> renamed;  ///< by unit: internal names to unique ones
  std::vector<std::map<int, int>> files;  ///< by unit: its .file numbers to the linked module's
  std::map<std::string, int> table;       ///< .file numbers of the linked module, by file name
  std::map<std::string, std::pair<size_t, std::string>> defined;  ///< by name: the defining unit, its linkage

  void number_files() {
    for (const PtxText& t : texts) {
      auto& map = files.emplace_back();
      for (const auto& [number, name] : t.files)
        map[number] = table.emplace(name, int(table.size()) + 1).first->second;
    }
  }

  void find_definitions(const std::vector<Unit>& units, std::vector<Diagnostic>* problems) {
    std::set<std::string> kept_apart;
    renamed.resize(texts.size());
    for (size_t u = 0; u < texts.size(); ++u)
      for (const PtxItem& i : texts[u].items) {
        const std::string how = linkage(i);
        if (how.empty()) {
          if (!kept_apart.insert(i.name).second || (u > 0 && defined.count(i.name)))
            if (i.kind != PtxItem::declaration && !renamed[u].count(i.name) && u > 0)
              renamed[u][i.name] = own_name(i.name, u);
          continue;
        }
        if (i.kind == PtxItem::declaration || how == ".extern") continue;
        const auto [at, fresh] = defined.emplace(i.name, std::pair(u, how));
        if (fresh || at->second.first == u || of_our_headers(i.name)) continue;
        if (at->second.second == ".visible" && how == ".visible")
          problems->push_back(compile_problem(units[u].file, 0,
                                              written(i.name) + " is defined here and in " +
                                                  units[at->second.first].file +
                                                  ": define it in one file, and declare it in the others"));
        else if (how == ".visible")
          at->second = {u, how};
      }
    // A file's own declaration of what it defines later goes by the new name too.
    for (size_t u = 0; u < texts.size(); ++u)
      for (PtxItem& i : texts[u].items) {
        i.text = renumber_lines(i.text, files[u]);
        if (renamed[u].empty()) continue;
        i.text = rename_words(i.text, [&](const std::string& w) {
          const auto at = renamed[u].find(w);
          return at == renamed[u].end() ? w : at->second;
        });
        if (const auto at = renamed[u].find(i.name); at != renamed[u].end()) i.name = at->second;
      }
  }

  std::string join(const std::vector<Unit>& units, std::vector<Diagnostic>* problems) {
    std::string declarations, variables, functions;
    std::set<std::string> declared, missing;
    for (size_t u = 0; u < texts.size(); ++u)
      for (PtxItem& i : texts[u].items) {
        const std::string how = linkage(i);
        const auto at = defined.find(i.name);
        if (i.kind == PtxItem::declaration) {
          if (!declared.insert(i.name).second) continue;
          if (how == ".extern" && at != defined.end())
            i.text.replace(i.text.find(".extern"), 7, at->second.second);
          declarations += i.text;
        } else if (how == ".extern") {  // a variable
          if (at != defined.end()) continue;
          // Dynamic shared memory has no definition.
          const bool shared = i.text.find(".shared") != i.text.npos;
          if (!shared && missing.insert(i.name).second)
            problems->push_back(compile_problem(
                units[u].file, 0, written(i.name) + " is declared extern, and none of the files defines it"));
          if (declared.insert(i.name).second) variables += i.text;
        } else if (at == defined.end() || at->second.first == u) {
          (i.kind == PtxItem::variable ? variables : functions) += i.text;
        }
      }
    std::string out = texts.front().head + "\n" + declarations + variables + functions;
    std::vector<std::string> names(table.size() + 1);
    for (const auto& [name, number] : table) names[size_t(number)] = name;
    for (size_t n = 1; n < names.size(); ++n)
      out += "\t.file\t" + std::to_string(n) + " \"" + names[n] + "\"\n";
    return out;
  }
};

bool is_definition(const PtxItem& i, const std::string& how) {
  return i.kind != PtxItem::declaration && !how.empty() && how != ".extern";
}

}  // namespace

bool is_device_runtime(const Unit& u) {
  if (u.ptx.find("__cudaCDP2") == u.ptx.npos) return false;
  const std::vector<PtxItem> items = read_ptx_text(u.ptx).items;
  return std::any_of(items.begin(), items.end(), [](const PtxItem& i) {
    return is_definition(i, linkage(i)) && i.name.starts_with("__cudaCDP2");
  });
}

bool need_each_other(const std::vector<Unit>& units) {
  if (units.size() < 2) return false;  // most programs: their text is not read once more
  std::set<std::string> defined, wanted;
  for (const Unit& u : units) {
    std::set<std::string> own, open;
    for (const PtxItem& i : read_ptx_text(u.ptx).items) {
      const std::string how = linkage(i);
      if (is_definition(i, how))
        own.insert(i.name);
      else if (how == ".extern" && i.text.find(".shared") == i.text.npos)
        open.insert(i.name);
    }
    for (const std::string& name : open)
      if (!own.count(name)) wanted.insert(name);
    defined.merge(own);
  }
  return std::any_of(wanted.begin(), wanted.end(),
                     [&](const std::string& n) { return defined.count(n) > 0; });
}

std::string link_units(const std::vector<Unit>& units, std::vector<Diagnostic>* problems) {
  Linker l;
  for (const Unit& u : units) l.texts.push_back(read_ptx_text(u.ptx));
  l.number_files();
  l.find_definitions(units, problems);
  return l.join(units, problems);
}

}  // namespace dojo::compile_detail
