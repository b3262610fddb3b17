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

#include "core/compile/ptx_text.hpp"

namespace dojo::compile_detail {
namespace {

constexpr std::string_view kStub = "__device_stub__";

/// The kernel of a stub: its name without __device_stub__, and with the length of what is left before it.
std::string kernel_of(const std::string& stub) {
  const size_t at = stub.find(kStub);
  size_t b = at;
  while (b > 0 && std::isdigit(static_cast<unsigned char>(stub[b - 1]))) --b;
  const std::string length =
      b == at ? "" : std::to_string(std::atoi(stub.substr(b, at - b).c_str()) - int(kStub.size()));
  return stub.substr(0, b) + length + stub.substr(at + kStub.size());
}

bool calls_pointers(const std::string& text) { return text.find(".callprototype") != text.npos; }

/// As in the text, a stub's address is a `mov`; a call of it keeps its name, and so do its parameters, whose
/// addresses unoptimised code takes, too.
std::string with_kernel_addresses(const std::string& text) {
  if (calls_pointers(text)) return text;
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool address = line.find(kStub) != line.npos && line.find("mov.") != line.npos;
    out += address ? rename_words(line,
                                  [](const std::string& w) {
                                    const bool stub = w.find(kStub) != w.npos && w.find("_param_") == w.npos;
                                    return stub ? kernel_of(w) : w;
                                  })
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
  const PtxText device = read_ptx_text(kernels), other = read_ptx_text(host);
  std::map<std::string, int> table;
  const auto numbers = [&](const PtxText& t) {
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
  for (const PtxItem& i : device.items) {
    known.insert(i.name);
    if (i.kind != PtxItem::declaration) defined.insert(i.name);
    std::string text = i.text;
    if (i.kind == PtxItem::variable) {
      // A constant that both sides use is one variable on each; what the host part has of a device variable
      // is nothing but its name.
      if (text.find(".visible") == text.npos && text.find(".extern") == text.npos) apart.insert(i.name);
      const size_t space = text.find(".global");
      if (space != text.npos && std::find(managed.begin(), managed.end(), i.name) != managed.end())
        text.insert(space + 7, " .attribute(.managed)");
    }
    out += renumber_lines(text, device_files);
  }
  std::string calls, pointers;  // of stubs that were not inlined
  for (const PtxItem& i : other.items)
    if (i.kind == PtxItem::function && i.name.find(kStub) == i.name.npos)
      (calls_pointers(i.text) ? pointers : calls) += i.text;
  const auto of_the_file = [&](const std::string& name) {
    return std::any_of(host_variables.begin(), host_variables.end(), [&](const std::string& v) {
      return name == v || name.find(std::to_string(v.size()) + v) != name.npos;
    });
  };
  std::set<std::string> own_variables;
  for (const PtxItem& i : other.items) {
    if (i.kind != PtxItem::variable || i.text.find(".visible") != i.text.npos) continue;
    // A name that is not mangled is the compiler's own, of a table that it made ("constinit").
    const bool made = !i.name.starts_with("_Z") && i.text.find(".extern") == i.text.npos;
    const bool of_host = made || (i.name.starts_with("_ZL") && !of_the_file(i.name));
    if (apart.count(i.name) || (!known.count(i.name) && of_host)) own_variables.insert(i.name);
  }
  const auto own_name = [&](const std::string& w) { return own_variables.count(w) ? w + "$host" : w; };
  for (const PtxItem& i : other.items) {
    const bool stub = i.name.find(kStub) != i.name.npos;
    if (stub && calls.find("\t" + i.name + ",") == calls.npos && pointers.find(i.name) == pointers.npos)
      continue;
    if (own_name(i.name) == i.name && known.count(i.name) &&
        (i.kind != PtxItem::function || defined.count(i.name)))
      continue;
    std::string text = i.text;
    // clang declares the two dim3 of its own call with 8 bytes each, and passes 12.
    if (i.kind == PtxItem::declaration && i.name == "cudaLaunchKernel")
      for (const char* parameter : {"cudaLaunchKernel_param_1", "cudaLaunchKernel_param_2"})
        if (const size_t at = text.find(".b64 " + std::string(parameter)); at != text.npos)
          text.replace(at, 5 + std::strlen(parameter), ".align 4 .b8 " + std::string(parameter) + "[12]");
    if (stub && text.find(".entry") != text.npos) text.replace(text.find(".entry"), 6, ".func");
    out += renumber_lines(with_kernel_addresses(rename_words(text, own_name)), host_files);
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
  for (const PtxItem& i : read_ptx_text(ptx).items)
    if (i.kind == PtxItem::function && i.text.find(".entry") == i.text.npos) functions.insert(i.name);
  return rename_words(ptx, [&](const std::string& w) { return functions.count(w) ? w + "$device" : w; });
}

std::string merge_targets(const std::string& device, const std::string& host) {
  std::string out = name_device_functions(device);
  const PtxText kernels = read_ptx_text(out), other = read_ptx_text(host);
  std::set<std::string> known;
  for (const PtxItem& i : kernels.items) known.insert(i.name);

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
    if (fresh) files += "\t.file\t" + std::to_string(++last) + " \"" + name + "\"\n";
    numbers[number] = at->second;
  }
  // Names that the compiler made up (strings) mean something else in either text.
  const auto own_name = [](const std::string& w) {
    return w.starts_with("$str") || w.starts_with("__unnamed") ? w + "$host" : w;
  };
  std::string more;
  for (const PtxItem& i : other.items) {
    const bool entry = i.kind != PtxItem::variable && i.text.find(".entry") != i.text.npos;
    const bool there = known.count(i.name) && own_name(i.name) == i.name;
    if (!entry && !there) more += renumber_lines(rename_words(i.text, own_name), numbers);
  }
  size_t at = std::min(out.find("\n\t.file"), out.find("\n\t.section"));
  if (at == out.npos) at = out.size();
  out.insert(at, "\n" + more);
  return out + files;
}

}  // namespace dojo::compile_detail
