// getopt of POSIX, without its order of arguments: options come before the first word that is none.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "dojo_stdio.hpp"
namespace std {  // whose variables are the host's
inline char* optarg = nullptr;
inline int optind = 1, opterr = 1, optopt = 0;
inline int __dojo_option_at = 1;  // within the word: -ab is -a -b
}  // namespace std
using std::optarg, std::opterr, std::optind, std::optopt, std::__dojo_option_at;

static inline int getopt(int argc, char* const* argv, const char* options) {
  if (optind >= argc) return -1;
  const char* word = argv[optind];
  if (__dojo_option_at == 1) {
    if (word[0] != '-' || word[1] == 0) return -1;
    if (word[1] == '-' && word[2] == 0) {
      ++optind;
      return -1;
    }
  }
  const char c = word[__dojo_option_at++];
  const char* known = c == ':' ? nullptr : strchr(options, c);
  const bool last = word[__dojo_option_at] == 0;
  auto next_word = [&] {
    ++optind;
    __dojo_option_at = 1;
  };
  if (!known) {
    optopt = c;
    if (opterr && options[0] != ':') fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], c);
    if (last) next_word();
    return '?';
  }
  optarg = nullptr;
  if (known[1] != ':') {
    if (last) next_word();
    return c;
  }
  if (!last) {
    optarg = const_cast<char*>(word) + __dojo_option_at;
    next_word();
    return c;
  }
  next_word();
  if (known[2] == ':') return c;
  if (optind < argc) {
    optarg = argv[optind++];
    return c;
  }
  optopt = c;
  if (opterr && options[0] != ':') fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], c);
  return options[0] == ':' ? ':' : '?';
}

struct option {
  const char* name;
  int has_arg;
  int* flag;
  int val;
};
#define no_argument 0
#define required_argument 1
#define optional_argument 2
static inline int getopt_long(int argc, char* const* argv, const char* options, const struct option* all, int* index) {
  if (optind >= argc || __dojo_option_at > 1 || strncmp(argv[optind], "--", 2) != 0 || argv[optind][2] == 0)
    return getopt(argc, argv, options);
  const char* word = argv[optind++] + 2;
  const char* equals = strchr(word, '=');
  const size_t n = equals ? size_t(equals - word) : strlen(word);
  for (int i = 0; all[i].name; ++i) {
    if (strlen(all[i].name) != n || strncmp(all[i].name, word, n) != 0) continue;
    if (index) *index = i;
    optarg = nullptr;
    if (all[i].has_arg && equals) optarg = const_cast<char*>(equals) + 1;
    else if (all[i].has_arg == required_argument && optind < argc) optarg = argv[optind++];
    else if (all[i].has_arg == required_argument) return '?';
    if (!all[i].flag) return all[i].val;
    *all[i].flag = all[i].val;
    return 0;
  }
  if (opterr) fprintf(stderr, "%s: unrecognized option '--%s'\n", argv[0], word);
  return '?';
}
static inline int getopt_long_only(int argc, char* const* argv, const char* options, const struct option* all, int* index) {
  if (optind >= argc || argv[optind][0] != '-' || argv[optind][1] == '-' || !argv[optind][1])
    return getopt_long(argc, argv, options, all, index);
  for (int i = 0; all[i].name; ++i) {
    const size_t n = strlen(all[i].name);
    const char* word = argv[optind] + 1;
    if (strncmp(word, all[i].name, n) != 0 || (word[n] && word[n] != '=')) continue;
    optarg = nullptr;
    ++optind;
    if (index) *index = i;
    if (all[i].has_arg && word[n] == '=') optarg = const_cast<char*>(word) + n + 1;
    else if (all[i].has_arg == required_argument && optind < argc) optarg = argv[optind++];
    else if (all[i].has_arg == required_argument) return '?';
    if (!all[i].flag) return all[i].val;
    *all[i].flag = all[i].val;
    return 0;
  }
  return getopt_long(argc, argv, options, all, index);
}
DOJO_SHIM_END
#endif
