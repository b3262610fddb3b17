#include "core/compile/own/host_tables.hpp"

#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "core/compile/ptx_text.hpp"

namespace dojo::compile_detail {
namespace {

constexpr std::string_view table_mark = "__cudart_";

/// Keys of `known` that occur in the text as whole words.
template <class Map>
std::set<std::string> words_known(const std::string& text, const Map& known) {
  std::set<std::string> found;
  split_words(
      text,
      [&](std::string word) {
        if (known.count(word)) found.insert(std::move(word));
      },
      [](const std::string&) {});
  return found;
}

}  // namespace

std::string with_host_tables(const std::string& ptx) {
  if (ptx.find(table_mark) == ptx.npos) return ptx;
  const PtxText text = read_ptx_text(ptx);
  std::map<std::string, const PtxItem*> functions;
  std::set<std::string> tables;
  for (const PtxItem& i : text.items) {
    if (i.kind == PtxItem::function) functions[i.name] = &i;
    if (i.kind == PtxItem::variable && i.name.starts_with(table_mark)) tables.insert(i.name);
  }
  std::map<std::string, std::set<std::string>> calls;
  std::set<std::string> kernels, by_kernels, readers;
  for (const auto& [name, item] : functions) {
    calls[name] = words_known(item->text, functions);
    if (item->text.substr(0, item->text.find('{')).find(".entry") != std::string::npos)
      kernels.insert(name);
    else if (!words_known(item->text, tables).empty())
      readers.insert(name);
  }
  std::vector<std::string> open(kernels.begin(), kernels.end());
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (!by_kernels.insert(name).second) continue;
    open.insert(open.end(), calls[name].begin(), calls[name].end());
  }
  // A caller of a reader is a reader too: its copy must call the copy. Kernels are never readers here: host
  // code launches them, and they read the device's table.
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, callees] : calls)
      for (const std::string& c : callees)
        more |= readers.count(c) && !kernels.count(name) && readers.insert(name).second;
  }
  std::set<std::string> copied = tables;
  bool host_reads = false;
  for (const std::string& r : readers) {
    if (by_kernels.count(r))
      copied.insert(r);
    else
      host_reads = true;
  }
  if (!host_reads) return ptx;

  const auto host_name = [&](const std::string& w) { return copied.count(w) ? w + "$host" : w; };
  std::string out = ptx;
  std::string copies;
  std::vector<std::pair<std::string, std::string>> changed;
  for (const PtxItem& i : text.items) {
    if (copied.count(i.name))
      copies += rename_words(i.text, host_name) + "\n";
    else if (i.kind == PtxItem::function && readers.count(i.name) && !by_kernels.count(i.name))
      changed.emplace_back(i.text, rename_words(i.text, host_name));
  }
  for (const auto& [before, after] : changed)
    if (const size_t at = out.find(before); at != out.npos) out.replace(at, before.size(), after);
  size_t at = out.find(".address_size");
  at = at == out.npos ? 0 : out.find('\n', at) + 1;
  out.insert(at, "\n" + copies);
  return out;
}

}  // namespace dojo::compile_detail
