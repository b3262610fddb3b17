#include "cli/usage.hpp"

#include <fmt/format.h>

#include <map>

#include "core/text/nearest.hpp"

namespace dojo::cli {
namespace {

/// The call that was being parsed: the last subcommand that was given, else the program itself.
const CLI::App& call_of(const CLI::App& root) {
  const CLI::App* call = &root;
  while (!call->get_subcommands().empty()) call = call->get_subcommands().front();
  return *call;
}

/// As it is typed behind the program's name: "new lab".
std::string name_of(const CLI::App& call, const CLI::App& root) {
  const CLI::App* above = call.get_parent();
  return (above && above != &root ? name_of(*above, root) + " " : "") + call.get_name();
}

/// The option that a message of the parser names ("--who: …", "STEP is required", "… convert: --seed = x"),
/// or null.
const CLI::Option* option_in(const CLI::App& call, const std::string& message) {
  const CLI::Option* found = nullptr;
  size_t longest = 0;
  for (const CLI::Option* o : call.get_options()) {
    const std::string name = o->get_name();
    if (message.find(name) != std::string::npos && name.size() > longest) found = o, longest = name.size();
  }
  return found;
}

/// Of a call that needs a further word: which one was given, and which there are.
std::string words_of_parts(const CLI::App& root, const std::string& call,
                           const std::vector<const CLI::App*>& parts) {
  const std::vector<std::string> rest = root.remaining(true);
  std::string known;
  for (const CLI::App* p : parts)
    known +=
        (known.empty() ? "" : "; ") + fmt::format("`{} {}`: {}", call, p->get_name(), p->get_description());
  const std::string given = rest.empty() ? "" : rest.front();
  const std::string wrong =
      given.empty() ? call + " needs a further word" : "there is no `" + call + " " + given + "`";
  const std::string by_hand =
      call == "new" && given == "step" ? ". A step is added by hand, as docs/adding-a-lab.md describes" : "";
  return wrong + ". There is " + known + by_hand;
}

}  // namespace

std::string full_device_name(const std::string& name) {
  if (name.empty() || name.find(':') != std::string::npos) return name;
  return name == "cuda" ? "cuda:0" : "simt:" + name;
}

std::string usage_words(const CLI::App& root, const CLI::ParseError& e) {
  const CLI::App& call = call_of(root);
  const std::string message = e.what();
  const std::string help =
      &call == &root ? " (warpdojo --help)" : " (warpdojo " + name_of(call, root) + " --help)";
  if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
    const std::vector<std::string> rest = root.remaining(true);
    const std::string word = rest.empty() ? "" : rest.front();
    std::vector<std::string> known;
    if (word.starts_with("-"))
      for (const CLI::Option* o : call.get_options()) known.push_back(o->get_name());
    else if (&call == &root)
      for (const CLI::App* c : root.get_subcommands({})) known.push_back(c->get_name());
    // What people call our calls elsewhere.
    static const std::map<std::string, std::string> others{
        {"check", "run"}, {"verify", "run"}, {"next", "watch"}, {"start", "watch"}, {"status", "list"}};
    const auto other = &call == &root ? others.find(word) : others.end();
    const std::string nearest = other != others.end() ? other->second : nearest_word(word, known);
    return (&call == &root && !word.starts_with("-")
                ? "there is no call '" + word + "'"
                : "'" + word + "' is one argument too many, or misspelt") +
           (nearest.empty() ? "" : "; the nearest is '" + nearest + "'") + help;
  }
  if (const auto parts = call.get_subcommands({}); &call != &root && !parts.empty())
    return words_of_parts(root, call.get_name(), parts) + help;
  const CLI::Option* option = option_in(call, message);
  const std::string name = option ? option->get_name() : "an argument";
  const std::string takes =
      option && !option->get_description().empty() ? ": " + option->get_description() : "";
  if (dynamic_cast<const CLI::RequiredError*>(&e)) return name + " is missing" + takes + help;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&e)) {
    const bool flag = option && option->get_items_expected_max() == 0;
    return name + (flag ? " takes no value" : " needs a value") + takes + help;
  }
  // Our own validators speak for themselves: they quote the value. Others only tell that it doesn't fit.
  const size_t colon = message.find(": ");
  if (option && colon != std::string::npos && message.compare(colon + 2, 1, "'") == 0) return message + help;
  if (!option) return "this is no call that warpdojo understands" + help;
  std::string given;
  if (!option->results().empty()) given = option->results().front();
  const std::string range = " not in range ";
  if (const size_t at = message.find(range); at != std::string::npos)
    return "'" + given + "' does not fit " + name + ", which takes " + message.substr(at + range.size()) +
           takes + help;
  return "'" + given + "' does not fit " + name + takes + help;
}

}  // namespace dojo::cli
