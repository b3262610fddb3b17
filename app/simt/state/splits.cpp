// Splits of a warp: divergence, reconvergence at post-dominators, calls and exits.
#include "simt/state/splits.hpp"

#include <algorithm>

#include "simt/state/barriers.hpp"
#include "simt/state/frames.hpp"

namespace dojo::simt {

void load_conv(Exec& x) {
  if (x.conv < 0) {
    x.conv_at = nullptr;
    x.conv_frame = nullptr;
  } else {
    const Conv& c = x.warp->convs[size_t(x.conv)];
    x.conv_at = c.at;
    x.conv_frame = c.frame;
  }
}

void load_split(Exec& x, Warp& w, int i) {
  Split& s = w.splits[size_t(i)];
  x.warp = &w;
  x.split = i;
  x.frame = s.frame;
  x.r = s.frame->r;
  x.conv = s.conv;
  x.live = w.live;
  x.sig = w.sig;
  x.executed = w.executed;
  x.set_mask(s.mask);
  load_conv(x);
}

namespace {

int new_conv(Warp& w) {
  for (size_t i = 0; i < w.convs.size(); ++i)
    if (!w.convs[i].used) return int(i);
  w.convs.emplace_back();
  return int(w.convs.size() - 1);
}

void remove_split(Warp& w, int i) { w.splits.erase(w.splits.begin() + i); }

void add_split(Warp& w, uint32_t mask, const Inst* pc, Frame* frame, int conv) {
  Split s;
  s.mask = mask;
  s.pc = pc;
  s.frame = frame;
  s.conv = conv;
  w.splits.push_back(s);
}

/// After lanes left: meeting points that no other lane reaches let their lanes go.
void settle(Warp& w) {
  for (size_t i = 0; i < w.convs.size(); ++i) {
    Conv& c = w.convs[i];
    if (!c.used) continue;
    if (c.expected == 0) {
      c.used = false;
    } else if (c.arrived == c.expected) {
      add_split(w, c.arrived, c.at, c.frame, c.parent);
      c.used = false;
    }
  }
}

/// Lanes leave the meeting points from `from` up to (without) `to`.
void leave(Warp& w, uint32_t lanes, int from, int to) {
  for (int c = from; c >= 0 && c != to; c = w.convs[size_t(c)].parent) {
    w.convs[size_t(c)].expected &= ~lanes;
    w.convs[size_t(c)].arrived &= ~lanes;
  }
}

}  // namespace

/// The running lanes come to p, where they meet others.
const Inst* reconverge(const Inst* p, Exec& x) {
  Warp& w = *x.warp;
  while (p == x.conv_at && x.frame == x.conv_frame) {
    Conv& c = w.convs[size_t(x.conv)];
    c.arrived |= x.mask;
    if (c.arrived != c.expected) {
      w.sig = x.sig;
      w.executed = x.executed;
      remove_split(w, x.split);
      x.split = -1;
      return nullptr;
    }
    uint32_t all = c.expected;
    x.conv = c.parent;
    c.used = false;
    x.set_mask(all);
    load_conv(x);
  }
  return p;
}

void open_meeting(Exec& x, const Inst* meet) {
  if (!meet || (meet == x.conv_at && x.frame == x.conv_frame)) return;
  Warp& w = *x.warp;
  const int i = new_conv(w);
  w.convs[size_t(i)] = {meet, x.frame, x.mask, 0, x.conv, true};
  x.conv = i;
  load_conv(x);
}

const Inst* diverge(const Inst* p, Exec& x, uint32_t taken, const Inst* taken_to, const Inst* fall_to,
                    const Inst* meet) {
  (void)p;
  Warp& w = *x.warp;
  const uint32_t fall = x.mask & ~taken;
  open_meeting(x, meet);
  if (meet && taken_to == meet) {
    w.convs[size_t(x.conv)].arrived |= taken;
  } else if (meet && fall_to == meet) {
    w.convs[size_t(x.conv)].arrived |= fall;
    x.set_mask(taken);
    return taken_to;
  } else {
    add_split(w, taken, taken_to, x.frame, x.conv);
  }
  x.set_mask(fall);
  return fall_to;
}

const Inst* await_conditions(Exec& x, uint32_t lanes, const Inst* body, const Inst* next) {
  open_meeting(x, body);
  x.warp->convs[size_t(x.conv)].arrived |= lanes;
  x.set_mask(x.mask & ~lanes);
  return next;
}

bool meets_at(const Exec& x, const std::vector<uint32_t>& blocks) {
  if (x.conv < 0 || x.frame != x.conv_frame) return false;
  return std::find(blocks.begin(), blocks.end(), uint32_t(x.conv_at->target)) != blocks.end();
}

bool give_up_meetings(Exec& x, uint32_t lanes, const Inst* to, const std::vector<uint32_t>& blocks,
                      const Inst* meet) {
  Warp& w = *x.warp;
  // Meetings of inner branches come first in the chain: those given up lie together.
  int last = x.conv, outer = x.conv;
  while (outer >= 0 && w.convs[size_t(outer)].frame == x.frame &&
         std::find(blocks.begin(), blocks.end(), uint32_t(w.convs[size_t(outer)].at->target)) != blocks.end())
    last = outer, outer = w.convs[size_t(outer)].parent;
  const auto is_there = [&] {
    return outer >= 0 && w.convs[size_t(outer)].at == meet && w.convs[size_t(outer)].frame == x.frame;
  };
  if (meet && !is_there()) {  // those that stay come there later
    const int i = new_conv(w);
    w.convs[size_t(i)] = {meet, x.frame, w.convs[size_t(last)].expected, 0, outer, true};
    w.convs[size_t(last)].parent = outer = i;
  }
  leave(w, lanes, x.conv, outer);
  if (meet && to == meet)
    w.convs[size_t(outer)].arrived |= lanes;
  else
    add_split(w, lanes, to, x.frame, outer);
  if (lanes == x.mask) {
    w.sig = x.sig;
    w.executed = x.executed;
    remove_split(w, x.split);
    x.split = -1;
  } else {
    x.set_mask(x.mask & ~lanes);
  }
  settle(w);
  return x.split >= 0;
}

const Inst* suspend(const Inst* p, Exec& x, Wait wait) {
  Warp& w = *x.warp;
  Split& s = w.splits[size_t(x.split)];
  s.mask = x.mask;
  s.pc = p;
  s.frame = x.frame;
  s.conv = x.conv;
  s.wait = wait;
  w.sig = x.sig;
  w.executed = x.executed;
  return nullptr;
}

const Inst* exit_lanes(Exec& x) {
  Warp& w = *x.warp;
  const uint32_t gone = x.mask;
  w.sig = x.sig;
  w.executed = x.executed;
  w.live &= ~gone;
  x.live = w.live;
  x.block->live_threads -= uint32_t(std::popcount(gone));
  remove_split(w, x.split);
  x.split = -1;
  for (Frame* f = x.frame; f && f->parent;) {
    Frame* up = f->parent;
    f->lanes &= ~gone;
    if (!f->lanes) drop_frame(x, f);
    f = up;
  }
  if (w.live) {
    for (Conv& c : w.convs)
      if (c.used) c.expected &= ~gone, c.arrived &= ~gone;
    settle(w);
  } else {
    for (Conv& c : w.convs) c.used = false;
  }
  check_barriers(x, *x.block);
  return nullptr;
}

namespace {

/// Are two activations the same call, made by lanes one after the other?
bool same_call(const Frame* a, const Frame* b) {
  for (; a != b; a = a->parent, b = b->parent)
    if (a->code != b->code || a->call != b->call || !a->parent || !b->parent) return false;
  return true;
}
/// Lanes of one activation join another of the same call; behind it they meet at `conv`.
void join_frames(Exec& x, Frame* to, Frame* from, uint32_t lanes, int conv) {
  while (to != from) {
    Frame* up = from->parent;
    copy_lanes(*from, *to, lanes);
    to->lanes |= lanes;
    to->conv = conv;
    from->lanes &= ~lanes;
    if (!from->lanes) drop_frame(x, from);
    to = to->parent;
    from = up;
  }
}

}  // namespace

bool gather_lanes(const Inst* p, Exec& x, uint32_t need) {
  Warp& w = *x.warp;
  need &= w.live;
  if (!(need & ~x.mask)) return true;
  uint32_t here = x.mask;
  for (size_t i = 0; i < w.splits.size(); ++i) {
    Split& s = w.splits[i];
    if (int(i) != x.split && s.wait == Wait::lanes && s.pc == p && (s.mask & need) &&
        same_call(x.frame, s.frame))
      here |= s.mask;
  }
  if (need & ~here) {
    suspend(p, x, Wait::lanes);
    w.splits[size_t(x.split)].need = need;
    return false;
  }
  // All are here: they go on as one.
  for (size_t i = w.splits.size(); i-- > 0;) {
    Split& s = w.splits[i];
    if (int(i) == x.split || s.wait != Wait::lanes || s.pc != p || !(s.mask & need) ||
        !same_call(x.frame, s.frame))
      continue;
    int common = s.conv;
    if (s.conv != x.conv) {
      std::vector<int> mine{-1};
      for (int c = x.conv; c >= 0; c = w.convs[size_t(c)].parent) mine.push_back(c);
      while (common >= 0 && std::find(mine.begin(), mine.end(), common) == mine.end())
        common = w.convs[size_t(common)].parent;
      leave(w, s.mask, s.conv, common);
      leave(w, x.mask, x.conv, common);
    }
    x.conv = common;
    join_frames(x, x.frame, s.frame, s.mask, common);
    const uint32_t lanes = s.mask;
    remove_split(w, int(i));
    if (int(i) < x.split) --x.split;
    x.set_mask(x.mask | lanes);
  }
  settle(w);
  load_conv(x);
  return true;
}

const Inst* return_lanes(const Inst* p, Exec& x) {
  (void)p;
  Warp& w = *x.warp;
  Frame* f = x.frame;
  const CallSite& site = f->parent->code->calls[size_t(f->call->target)];
  for (size_t i = 0; i < site.results.size() && i < f->code->results.size(); ++i) {
    const ParamArea &from = f->code->results[i], &to = site.results[i];
    const uint32_t n = std::min(from.bytes, to.bytes);
    DOJO_FOR_LANES(l, x.mask)
    std::memcpy(f->parent->r + to.offset + l * to.stride, f->r + from.offset + l * from.stride, n);
  }
  const Inst* next = f->call + 1;
  if (x.conv != f->conv) leave(w, x.mask, x.conv, f->conv);
  x.conv = f->conv;
  x.frame = f->parent;
  x.r = x.frame->r;
  f->lanes &= ~x.mask;
  if (!f->lanes) drop_frame(x, f);
  settle(w);
  load_conv(x);
  return next;
}

const Inst* call_device(const Inst* p, Exec& x, const Code& callee, const CallSite& site) {
  Warp& w = *x.warp;
  Frame* f = new_frame(x, callee);
  f->parent = x.frame;
  f->call = p;
  f->lanes = x.mask;
  f->local_base = x.frame->local_end();
  for (size_t i = 0; i < site.args.size() && i < callee.params.size(); ++i) {
    const ParamArea &from = site.args[i], &to = callee.params[i];
    const uint32_t n = std::min(from.bytes, to.bytes);
    DOJO_FOR_LANES(l, x.mask)
    std::memcpy(f->r + to.offset + l * to.stride, x.r + from.offset + l * from.stride, n);
  }
  int c = new_conv(w);
  w.convs[size_t(c)] = {p + 1, x.frame, x.mask, 0, x.conv, true};
  f->conv = c;
  x.conv = c;
  x.frame = f;
  x.r = f->r;
  load_conv(x);
  return callee.insts.data();
}

bool loosen(Exec& x, Warp& w) {
  (void)x;
  const auto depth = [&](int i) {
    int n = 0;
    for (; i >= 0; i = w.convs[size_t(i)].parent) ++n;
    return n;
  };
  // The innermost meeting point at which lanes wait; of several the last.
  int at = -1;
  for (int i = 0; i < int(w.convs.size()); ++i)
    if (w.convs[size_t(i)].used && w.convs[size_t(i)].arrived && (at < 0 || depth(i) >= depth(at))) at = i;
  if (at < 0) return false;
  Conv& c = w.convs[size_t(at)];
  const uint32_t lanes = c.arrived;
  c.expected &= ~lanes;
  c.arrived = 0;
  add_split(w, lanes, c.at, c.frame, c.parent);
  if (!c.expected) c.used = false;
  return true;
}

}  // namespace dojo::simt
