#include "run/step/second_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "simt/state/element_names.hpp"

namespace dojo::run {
namespace {

constexpr size_t names_told = 3;

bool is_variable(const Region& r) {
  const bool of_file =
      r.owner == Owner::device_global || r.owner == Owner::managed || r.owner == Owner::host_global;
  return of_file && !r.freed && r.data && !r.name.empty();
}

}  // namespace

KeptVariables::KeptVariables(const AddressSpace& memory) {
  for (const auto& r : memory.regions())
    if (is_variable(*r)) bytes_[r->base].assign(r->data, r->data + r->size);
}

std::vector<std::string> KeptVariables::changed(AddressSpace& memory) const {
  std::vector<const Region*> regions;
  for (const auto& [address, before] : bytes_) {
    const std::byte* now = memory.at(address, before.size());
    if (now && !std::equal(before.begin(), before.end(), now)) regions.push_back(memory.find(address));
  }
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region* a, const Region* b) { return a->size < b->size; });
  std::vector<std::string> names;
  for (const Region* r : regions) names.push_back(simt::plain_name(r->name));
  return names;
}

Diagnostic second_call_wrong(const Job& job, const std::vector<std::string>& changed) {
  Diagnostic d;
  d.severity = Severity::note;  // the check has failed the run already
  d.kind = FindingKind::second_call;
  d.where = {job.shown_file, 0, 0};
  d.message = job.step->entry + "() is right when it is called once, and wrong when it is called again.";
  std::string names;
  for (size_t i = 0; i < std::min(changed.size(), names_told); ++i)
    names += (i == 0 ? "" : ", ") + changed[i];
  if (changed.size() > names_told) names += fmt::format(", and {} more", changed.size() - names_told);
  d.message += " The first call changes variables of the file (" + names +
               "). Set them back before the call ends, or at the start of each call.";
  return d;
}

void name_second_call(Diagnostic& d, const Job& job) {
  d.message += " (in a second call of " + job.step->entry + "())";
}

}  // namespace dojo::run
