#include "grade/similarity.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/compile/tokens.hpp"
#include "core/fingerprint.hpp"

namespace dojo::grade {
namespace {

using compile_detail::Token;
using compile_detail::TokenKind;

/// Words that say what a program does, whatever a student calls things.
bool fixed_word(const std::string& s) {
  static const std::set<std::string> words = {
      "if",        "else",     "for",      "while",   "do",       "return",   "break", "continue",
      "switch",    "case",     "default",  "struct",  "template", "typename", "const", "constexpr",
      "static",    "unsigned", "int",      "float",   "double",   "long",     "short", "char",
      "bool",      "void",     "size_t",   "sizeof",  "auto",     "true",     "false", "nullptr",
      "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "x",        "y",     "z",
      "w",         "dim3",     "float4",   "float2",  "int4",     "uint4",    "half",  "half2",
      "pragma",    "unroll",   "extern"};
  if (words.count(s) > 0) return true;
  for (const char* prefix : {"__", "cuda", "atomic", "cub", "asm"})
    if (s.rfind(prefix, 0) == 0) return true;
  return false;
}

/// The longest run of lines that two files share, gaps of two lines allowed: passages that lie apart in one
/// file are separate.
void longest_passage(const std::vector<std::pair<Fingerprint, Fingerprint>>& common, Pair& p) {
  auto sorted = common;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first.first_line < b.first.first_line; });
  int best = 0;
  for (size_t i = 0; i < sorted.size();) {
    int a0 = sorted[i].first.first_line, a1 = sorted[i].first.last_line;
    int b0 = sorted[i].second.first_line, b1 = sorted[i].second.last_line;
    size_t j = i + 1;
    for (; j < sorted.size() && sorted[j].first.first_line <= a1 + 2 &&
           sorted[j].second.first_line <= b1 + 2 && sorted[j].second.last_line >= b0 - 2;
         ++j) {
      a1 = std::max(a1, sorted[j].first.last_line);
      b0 = std::min(b0, sorted[j].second.first_line);
      b1 = std::max(b1, sorted[j].second.last_line);
    }
    if (a1 - a0 + 1 > best) best = a1 - a0 + 1, p.a_first = a0, p.a_last = a1, p.b_first = b0, p.b_last = b1;
    i = j;
  }
}

}  // namespace

std::vector<Fingerprint> prints_of(const std::string& source, int k, int w) {
  const auto file = compile_detail::tokenize(source);
  std::vector<Fingerprint> runs, kept;
  std::vector<uint64_t> words;
  for (const Token& t : file.tokens) {
    const bool own_name = t.kind == TokenKind::identifier && !fixed_word(t.text);
    words.push_back(fingerprint(own_name ? std::string("name") : t.text));
  }
  const size_t length = size_t(std::max(1, k));
  for (size_t i = 0; i + length <= words.size(); ++i) {
    uint64_t h = fingerprint({});
    for (size_t j = 0; j < length; ++j) h = (h ^ words[i + j]) * 1099511628211ull, h ^= h >> 29;
    runs.push_back({h, file.tokens[i].line, file.tokens[i + length - 1].line});
  }
  const auto less = [](const Fingerprint& a, const Fingerprint& b) { return a.hash < b.hash; };
  for (size_t i = 0; i < runs.size(); ++i) {
    const size_t end = std::min(runs.size(), i + size_t(w));
    kept.push_back(*std::min_element(runs.begin() + long(i), runs.begin() + long(end), less));
  }
  std::stable_sort(kept.begin(), kept.end(), less);
  kept.erase(std::unique(kept.begin(), kept.end(),
                         [](const Fingerprint& a, const Fingerprint& b) { return a.hash == b.hash; }),
             kept.end());
  return kept;
}

std::vector<uint64_t> fingerprints(const std::string& source, int k, int w) {
  std::vector<uint64_t> all;
  for (const Fingerprint& f : prints_of(source, k, w)) all.push_back(f.hash);
  return all;
}

double similarity(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  std::vector<uint64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  const size_t all = a.size() + b.size() - common.size();
  return all ? double(common.size()) / double(all) : 0;
}

std::vector<Pair> pairs_alike(std::vector<Document> documents, const std::vector<uint64_t>& given,
                              double least, size_t fewest) {
  std::unordered_map<uint64_t, std::set<std::string>> holders;
  for (const Document& d : documents)
    for (const Fingerprint& f : d.prints) holders[f.hash].insert(d.student);
  std::set<std::string> people;
  for (const Document& d : documents) people.insert(d.student);
  const size_t common = std::max<size_t>(8, people.size() / 5);
  const std::set<uint64_t> known(given.begin(), given.end());
  for (Document& d : documents)
    std::erase_if(d.prints, [&](const Fingerprint& f) {
      return known.count(f.hash) > 0 || holders[f.hash].size() > common;
    });
  std::erase_if(documents, [&](const Document& d) { return d.prints.size() < fewest; });

  // Only files that share a fingerprint are compared.
  std::unordered_map<uint64_t, std::vector<std::pair<size_t, const Fingerprint*>>> where;
  for (size_t i = 0; i < documents.size(); ++i)
    for (const Fingerprint& f : documents[i].prints) where[f.hash].emplace_back(i, &f);
  std::map<std::pair<size_t, size_t>, std::vector<std::pair<Fingerprint, Fingerprint>>> shared;
  for (const auto& [hash, at] : where)
    for (size_t i = 0; i < at.size(); ++i)
      for (size_t j = i + 1; j < at.size(); ++j)
        if (documents[at[i].first].student != documents[at[j].first].student)
          shared[{at[i].first, at[j].first}].emplace_back(*at[i].second, *at[j].second);
  std::vector<Pair> pairs;
  for (const auto& [which, both] : shared) {
    const Document &a = documents[which.first], &b = documents[which.second];
    const double share = double(both.size()) / double(std::min(a.prints.size(), b.prints.size()));
    if (share < least) continue;
    Pair p{a.step, a.student, b.student, share, a.step == b.step ? std::string() : b.step};
    longest_passage(both, p);
    pairs.push_back(std::move(p));
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) {
    return std::tie(y.share, x.step, x.a, x.b) < std::tie(x.share, y.step, y.a, y.b);
  });
  return pairs;
}

}  // namespace dojo::grade
