#include "run/step/buffers.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/bytes.hpp"
#include "core/compile/source_names.hpp"
#include "core/error.hpp"
#include "run/step/poison.hpp"

namespace dojo::run {
namespace {

/// A host region with bytes, through which content goes to and from a device whose memory is its own.
struct Staging {
  AddressSpace& memory;
  Region* region;
  Staging(AddressSpace& m, uint64_t bytes) : memory(m), region(m.allocate(bytes, Owner::pinned, "staging")) {
    if (!region || !region->data)
      throw Error("not enough memory to stage " + std::to_string(bytes) + " bytes");
    region->initialized = true;
  }
  ~Staging() { memory.release(region->base); }
};

void write_buffer(Device& device, uint64_t address, const std::vector<std::byte>& data, uint64_t bytes,
                  bool defined) {
  Region* r = device.memory().find(address);
  if (r && r->data) {
    if (defined) {
      copy_bytes(r->data, data.data(), std::min<uint64_t>(bytes, data.size()));
      r->initialized = true;
    } else {
      std::memset(r->data, poison, bytes);  // stays undefined to the checks: reading it is a finding
    }
    return;
  }
  if (bytes == 0) return;
  if (!defined) {
    device.fill(address, poison, bytes, 0, true);
    return;
  }
  Staging s(device.memory(), bytes);
  copy_bytes(s.region->data, data.data(), std::min<uint64_t>(bytes, data.size()));
  if (!device.copy(address, s.region->base, bytes, 0, true).ok())
    throw Error("copying an input to the device failed", 71);
}

std::vector<std::string> buffer_names(const Job& job, const Compiled& compiled) {
  std::vector<std::string> names;
  for (const Buffer& b : job.instance->buffers) names.push_back(b.name);
  const SourceNames source = source_names_of(compiled.ptx);
  const auto& args = job.instance->args;
  const std::string& entry = job.launch ? job.launch->kernel : job.step->entry;
  const auto* f = source.function(entry, args.size(), std::numeric_limits<int>::max());
  for (size_t i = 0; f && i < args.size(); ++i)
    if (args[i].buffer >= 0 && size_t(args[i].buffer) < names.size() && !f->params[i].name.empty())
      names[size_t(args[i].buffer)] = f->params[i].name;
  return names;
}

}  // namespace

std::vector<std::byte> read_buffer(Device& device, const Placed& p) {
  Region* r = device.memory().find(p.address);
  if (!r || r->freed || p.bytes == 0) return {};
  if (r->data) return {r->data, r->data + p.bytes};
  std::vector<std::byte> out(p.bytes);
  Staging s(device.memory(), p.bytes);
  if (!device.copy(s.region->base, p.address, p.bytes, 0, true).ok()) return {};
  std::memcpy(out.data(), s.region->data, p.bytes);
  return out;
}

std::vector<Placed> place(const Job& job, const Compiled& compiled, Device& device) {
  const std::vector<std::string> names = buffer_names(job, compiled);
  std::vector<Placed> placed;
  for (const Buffer& b : job.instance->buffers) {
    Placed p;
    p.name = names[placed.size()];
    p.bytes = uint64_t(b.count()) * size_of(b.elem);
    const Owner owner = b.pinned ? Owner::pinned : b.host ? Owner::host_heap : Owner::device;
    if (b.host || p.bytes == 0) {
      // cudaMalloc(0) gives no address; a buffer of nothing still gets one, so that a kernel may compute with
      // it.
      if (Region* r = device.memory().allocate(p.bytes, owner, p.name)) p.address = r->base;
    } else if (!device.allocate(&p.address, p.bytes, owner, p.name, {}).ok()) {
      p.address = 0;
    }
    if (!p.address)
      throw Error("this size does not fit " + device.info().name + ": buffer '" + p.name + "' needs " +
                  std::to_string(p.bytes >> 20) + " MiB");
    write_buffer(device, p.address, b.data, p.bytes, b.role != Role::out);
    if (b.role == Role::in && !job.step->mutates_input)
      if (Region* r = device.memory().find(p.address)) r->read_only = true;
    placed.push_back(std::move(p));
  }
  return placed;
}

bool refill(const Job& job, const std::vector<Placed>& placed, Device& device) {
  const auto& buffers = job.instance->buffers;
  const auto fits = [&](const Placed& p, const Buffer& b) {
    const Region* r = device.memory().find(p.address);
    return r && !r->freed && p.bytes == uint64_t(b.count()) * size_of(b.elem);
  };
  if (!std::equal(placed.begin(), placed.end(), buffers.begin(), buffers.end(), fits)) return false;
  for (size_t i = 0; i < placed.size(); ++i)
    write_buffer(device, placed[i].address, buffers[i].data, placed[i].bytes, buffers[i].role != Role::out);
  return true;
}

std::vector<std::vector<std::byte>> arguments(const Instance& instance, const std::vector<Placed>& placed) {
  std::vector<std::vector<std::byte>> args;
  for (const Arg& a : instance.args) {
    std::vector<std::byte> bytes = a.value;
    if (a.buffer >= 0) {
      bytes.resize(8);
      std::memcpy(bytes.data(), &placed.at(size_t(a.buffer)).address, 8);
    }
    args.push_back(std::move(bytes));
  }
  return args;
}

}  // namespace dojo::run
