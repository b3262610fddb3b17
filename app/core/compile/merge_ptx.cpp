#include "core/compile/merge_ptx.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace dojo::compile_detail {
namespace {

constexpr std::string_view kStub = "__device_stub__";

struct Item {
  enum Kind { function, declaration, variable } kind = function;
  std::string name, text;
};

struct Text {
  std::string head;  ///< .version, .target, .address_size
  std::vector<Item> items;
  std::map<int, std::string> files;  ///< as in .file, folder included
};

bool word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

std::string first_word(std::string_view s) {
  size_t b = 0;
  while (b < s.size() && !word_char(s[b])) ++b;
  size_t e = b;
  while (e < s.size() && word_char(s[e])) ++e;
  return std::string(s.substr(b, e - b));
}

/// `.visible .func (.param .b32 r) NAME(`, `.entry NAME(`, `.global .align 4 .b8 NAME[16] = ...`.
std::string name_of(std::string_view s, bool function) {
  if (function) {
    size_t at = s.find(".entry");
    at = at == s.npos ? s.find(".func") + 5 : at + 6;
    const size_t open = s.find_first_not_of(" \t\n", at);
    if (open != s.npos && s[open] == '(') at = s.find(')', open) + 1;
    return first_word(s.substr(at));
  }
  const size_t end = std::min({s.find('['), s.find('='), s.find(';'), s.size()});
  size_t e = end;
  while (e > 0 && !word_char(s[e - 1])) --e;
  size_t b = e;
  while (b > 0 && word_char(s[b - 1])) --b;
  return std::string(s.substr(b, e - b));
}

/// `.file 1 "FOLDER" "NAME"` or `.file 1 "NAME"`; a folder "." stands for none.
std::string file_name(std::string_view l) {
  std::vector<std::string> quoted;
  for (size_t open = l.find('"'); open != l.npos;) {
    const size_t close = l.find('"', open + 1);
    if (close == l.npos) break;
    quoted.emplace_back(l.substr(open + 1, close - open - 1));
    open = l.find('"', close + 1);
  }
  if (quoted.empty()) return {};
  if (quoted.size() == 1 || quoted[0] == "." || quoted[1].starts_with("/")) return quoted.back();
  return quoted[0] + "/" + quoted[1];
}

Text read(const std::string& ptx) {
  Text t;
  for (size_t at = 0; at < ptx.size();) {
    const size_t end = std::min(ptx.find('\n', at), ptx.size());
    const std::string_view line = std::string_view(ptx).substr(at, end - at);
    const size_t start = line.find_first_not_of(" \t");
    const std::string_view l = start == line.npos ? std::string_view() : line.substr(start);
    size_t next = end + 1;
    if (l.starts_with(".version") || l.starts_with(".target") || l.starts_with(".address_size")) {
      t.head += std::string(l) + "\n";
    } else if (l.starts_with(".file")) {
      t.files[std::atoi(std::string(l.substr(5)).c_str())] = file_name(l);
    } else if (l.starts_with(".section")) {
      const size_t open = ptx.find('{', at), close = open == ptx.npos ? open : ptx.find('}', open);
      next = close == ptx.npos ? ptx.size() : close + 1;
    } else if (l.starts_with(".")) {
      Item i;
      const size_t semicolon = ptx.find(';', at), brace = ptx.find("\n{", at);
      const bool function = l.find(".func") != l.npos || l.find(".entry") != l.npos;
      size_t stop;
      if (function && brace < semicolon) {
        const size_t close = ptx.find("\n}", brace);
        stop = close == ptx.npos ? ptx.size() : close + 2;
      } else {
        i.kind = function ? Item::declaration : Item::variable;
        stop = semicolon == ptx.npos ? ptx.size() : semicolon + 1;
      }
      i.text = ptx.substr(at, stop - at);
      i.name = name_of(i.text, function);
      t.items.push_back(std::move(i));
      next = stop + 1;
    }
    at = next;
  }
  return t;
}

/// Replaces whole words by `renamed`.
template <class Renamed>
std::string rename_words(const std::string& text, Renamed renamed) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (!word_char(text[i])) {
      out += text[i++];
      continue;
    }
    size_t e = i;
    while (e < text.size() && word_char(text[e])) ++e;
    out += renamed(text.substr(i, e - i));
    i = e;
  }
  return out;
}

/// The kernel of a stub: its name without __device_stub__, and with the length of what is left before it.
std::string kernel_of(const std::string& stub) {
  const size_t at = stub.find(kStub);
  size_t b = at;
  while (b > 0 && std::isdigit(static_cast<unsigned char>(stub[b - 1]))) --b;
  const std::string length =
      b == at ? "" : std::to_string(std::atoi(stub.substr(b, at - b).c_str()) - int(kStub.size()));
  return stub.substr(0, b) + length + stub.substr(at + kStub.size());
}

/// Line marks with another table's numbers; those of quiet files are dropped.
std::string renumber(const std::string& text, const std::map<int, int>& files) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const size_t start = line.find_first_not_of(" \t");
    if (start != line.npos && line.substr(start).starts_with(".loc\t")) {
      int file = 0, row = 0, column = 0;
      std::sscanf(std::string(line.substr(start)).c_str(), ".loc %d %d %d", &file, &row, &column);
      // Line 0: code that the compiler moved or joined. It stays with what stands before it.
      if (const auto known = files.find(file); known != files.end() && row > 0)
        out += "\t.loc\t" + std::to_string(known->second) + " " + std::to_string(row) + " " +
               std::to_string(column) + "\n";
    } else {
      out += line;
      out += '\n';
    }
    at = end + 1;
  }
  return out;
}

bool calls_pointers(const std::string& text) { return text.find(".callprototype") != text.npos; }

/// As in the text, a stub's address is a `mov`; a call of it keeps its name.
std::string with_kernel_addresses(const std::string& text) {
  if (calls_pointers(text)) return text;
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool address = line.find(kStub) != line.npos && line.find("mov.") != line.npos;
    out += address
               ? rename_words(line,
                              [](const std::string& w) { return w.find(kStub) == w.npos ? w : kernel_of(w); })
               : line;
    out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string merge_ptx(const std::string& kernels, const std::string& host,
                      const std::vector<std::string>& quiet_folders, const std::vector<std::string>& managed,
                      const std::vector<std::string>& host_variables) {
  const Text device = read(kernels), other = read(host);
  std::map<std::string, int> table;
  const auto numbers = [&](const Text& t) {
    std::map<int, int> map;
    for (const auto& [number, name] : t.files) {
      if (std::any_of(quiet_folders.begin(), quiet_folders.end(),
                      [&name = name](const std::string& f) { return name.starts_with(f + "/"); }))
        continue;
      map[number] = table.emplace(name, int(table.size()) + 1).first->second;
    }
    return map;
  };
  const std::map<int, int> device_files = numbers(device), host_files = numbers(other);

  std::string out = device.head;
  std::set<std::string> known, defined, apart;
  for (const Item& i : device.items) {
    known.insert(i.name);
    if (i.kind != Item::declaration) defined.insert(i.name);
    std::string text = i.text;
    if (i.kind == Item::variable) {
      // A constant that both sides use is one variable on each; what the host part has of a device variable
      // is nothing but its name.
      if (text.find(".visible") == text.npos && text.find(".extern") == text.npos) apart.insert(i.name);
      const size_t space = text.find(".global");
      if (space != text.npos && std::find(managed.begin(), managed.end(), i.name) != managed.end())
        text.insert(space + 7, " .attribute(.managed)");
    }
    out += renumber(text, device_files);
  }
  std::string calls, pointers;  // of stubs that were not inlined
  for (const Item& i : other.items)
    if (i.kind == Item::function && i.name.find(kStub) == i.name.npos)
      (calls_pointers(i.text) ? pointers : calls) += i.text;
  const auto of_the_file = [&](const std::string& name) {
    return std::any_of(host_variables.begin(), host_variables.end(), [&](const std::string& v) {
      return name == v || name.find(std::to_string(v.size()) + v) != name.npos;
    });
  };
  std::set<std::string> own_variables;
  for (const Item& i : other.items) {
    if (i.kind != Item::variable || i.text.find(".visible") != i.text.npos) continue;
    // A name that is not mangled is the compiler's own, of a table that it made ("constinit").
    const bool made = !i.name.starts_with("_Z") && i.text.find(".extern") == i.text.npos;
    const bool of_host = made || (i.name.starts_with("_ZL") && !of_the_file(i.name));
    if (apart.count(i.name) || (!known.count(i.name) && of_host)) own_variables.insert(i.name);
  }
  const auto own_name = [&](const std::string& w) { return own_variables.count(w) ? w + "$host" : w; };
  for (const Item& i : other.items) {
    const bool stub = i.name.find(kStub) != i.name.npos;
    if (stub && calls.find("\t" + i.name + ",") == calls.npos && pointers.find(i.name) == pointers.npos)
      continue;
    if (own_name(i.name) == i.name && known.count(i.name) &&
        (i.kind != Item::function || defined.count(i.name)))
      continue;
    std::string text = i.text;
    // clang declares the two dim3 of its own call with 8 bytes each, and passes 12.
    if (i.kind == Item::declaration && i.name == "cudaLaunchKernel")
      for (const char* parameter : {"cudaLaunchKernel_param_1", "cudaLaunchKernel_param_2"})
        if (const size_t at = text.find(".b64 " + std::string(parameter)); at != text.npos)
          text.replace(at, 5 + std::strlen(parameter), ".align 4 .b8 " + std::string(parameter) + "[12]");
    if (stub && text.find(".entry") != text.npos) text.replace(text.find(".entry"), 6, ".func");
    out += renumber(with_kernel_addresses(rename_words(text, own_name)), host_files);
  }
  std::vector<std::string> files(table.size() + 1);
  for (const auto& [name, number] : table) files[size_t(number)] = name;
  for (size_t n = 1; n < files.size(); ++n)
    out += "\t.file\t" + std::to_string(n) + " \"" + files[n] + "\"\n";
  return out;
}

std::string kernel_of_stub(const std::string& name) {
  return name.find(kStub) == name.npos ? std::string() : kernel_of(name);
}

std::string name_device_functions(const std::string& ptx) {
  std::set<std::string> functions;
  for (const Item& i : read(ptx).items)
    if (i.kind == Item::function && i.text.find(".entry") == i.text.npos) functions.insert(i.name);
  return rename_words(ptx, [&](const std::string& w) { return functions.count(w) ? w + "$device" : w; });
}

std::string merge_targets(const std::string& device, const std::string& host) {
  std::string out = name_device_functions(device);
  const Text kernels = read(out), other = read(host);
  std::set<std::string> known;
  for (const Item& i : kernels.items) known.insert(i.name);

  std::map<std::string, int> table;
  int last = 0;
  for (const auto& [number, name] : kernels.files) {
    table.emplace(name, number);
    last = std::max(last, number);
  }
  std::string files;
  std::map<int, int> numbers;
  for (const auto& [number, name] : other.files) {
    const auto [at, fresh] = table.emplace(name, last + 1);
    if (fresh) files += "\t.file\t" + std::to_string(++last) + " " + name + "\n";
    numbers[number] = at->second;
  }
  // Names that the compiler made up (strings) mean something else in either text.
  const auto own_name = [](const std::string& w) {
    return w.starts_with("$str") || w.starts_with("__unnamed") ? w + "$host" : w;
  };
  std::string more;
  for (const Item& i : other.items) {
    const bool entry = i.kind != Item::variable && i.text.find(".entry") != i.text.npos;
    const bool there = known.count(i.name) && own_name(i.name) == i.name;
    if (!entry && !there) more += renumber(rename_words(i.text, own_name), numbers);
  }
  size_t at = std::min(out.find("\n\t.file"), out.find("\n\t.section"));
  if (at == out.npos) at = out.size();
  out.insert(at, "\n" + more);
  return out + files;
}

}  // namespace dojo::compile_detail
