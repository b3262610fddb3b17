// What `throw`, `try` and `catch` in a whole program become (core/compile/own/exceptions.hpp, handlers.hpp,
// cleanups.hpp).
#pragma once
#ifdef __CUDACC_RTC__

struct __dojo_Exception {
  const char* type;  // __dojo_type() of it
  const void* object;
  const char* what;
  const void* (*as)(const void* object, const char* type);  // its base of that type, or null
};
DOJO_C int __dojo_try();
DOJO_C void __dojo_end_try();
DOJO_C void __dojo_escape(const void*);
DOJO_C void __dojo_throw(const __dojo_Exception*) __attribute__((noreturn));
DOJO_C void __dojo_not_thrown() __attribute__((noreturn));
DOJO_C const __dojo_Exception* __dojo_thrown();  // the last one
// Handlers that have begun and not ended, the innermost last, and what each has.
DOJO_C void __dojo_caught(const __dojo_Exception*);
DOJO_C void __dojo_end_catch();
DOJO_C const __dojo_Exception* __dojo_handled();  // what the innermost has; null: there is none

// A variable whose destructor runs when an exception leaves its block. The interpreter keeps a list of these.
struct __dojo_Entry {
  void* object;
  void (*destroy)(void*);
};
DOJO_C void __dojo_cleanup(const __dojo_Entry*);
DOJO_C void __dojo_end_cleanup();
DOJO_C const __dojo_Entry* __dojo_next_cleanup();  // off the list; null: none since the try block began
template <class _T, bool destroyed = __is_class(_T) && !__has_trivial_destructor(_T)> struct __dojo_CleanupOf {
  template <class _X> __dojo_CleanupOf(_X&) {}
};
template <class _T> struct __dojo_CleanupOf<_T, true> {
  __dojo_Entry entry;
  static void destroy(void* t) { static_cast<_T*>(t)->~_T(); }
  __dojo_CleanupOf(const _T& t) : entry{(void*)__builtin_addressof(t), &destroy} { __dojo_cleanup(&entry); }
  ~__dojo_CleanupOf() { __dojo_end_cleanup(); }
};
template <class _T, size_t n> struct __dojo_CleanupOf<_T[n], false> {
  __dojo_Entry entry;
  static void destroy(void* t) {
    for (size_t i = n; i-- > 0;) static_cast<_T*>(t)[i].~_T();
  }
  __dojo_CleanupOf(const _T (&t)[n]) : entry{(void*)&t, &destroy} { __dojo_cleanup(&entry); }
  ~__dojo_CleanupOf() { __dojo_end_cleanup(); }
};
template <class _T> struct __dojo_changeable {
  typedef _T type;
};
template <class _T> struct __dojo_changeable<const _T> {
  typedef _T type;
};
template <class _T> using __dojo_Cleanup = __dojo_CleanupOf<typename __dojo_changeable<_T>::type>;

[[noreturn]] inline void __dojo_raise(const __dojo_Exception* e) {
  while (const __dojo_Entry* const next = __dojo_next_cleanup()) next->destroy(next->object);
  __dojo_throw(e);
}
[[noreturn]] inline void __dojo_go_on() { __dojo_raise(__dojo_thrown()); }
[[noreturn]] inline void __dojo_again() {
  const __dojo_Exception* const e = __dojo_handled();
  if (!e) __dojo_not_thrown();
  __dojo_raise(e);
}

template <class _T> const char* __dojo_type() { return __PRETTY_FUNCTION__; }
template <class _T> struct __dojo_bare {
  typedef _T type;
};
template <class _T> struct __dojo_bare<const _T> : __dojo_bare<_T> {};
template <class _T> struct __dojo_bare<_T&> : __dojo_bare<_T> {};
template <class _T> struct __dojo_bare<_T&&> : __dojo_bare<_T> {};
inline bool __dojo_same_name(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

template <class _A, class _B> struct __dojo_differ {
  static constexpr bool value = true;
};
template <class _A> struct __dojo_differ<_A, _A> {
  static constexpr bool value = false;
};
// A class and those that it comes from. A class that names none has its base's list, in which that base comes first.
template <class... _T> struct __dojo_Bases {};
struct __dojo_As {
  template <class _T> static const void* object(const void* t, const char* type) {
    if (__dojo_same_name(type, __dojo_type<_T>())) return t;
    return bases<_T>(static_cast<const _T*>(t), type, 0);
  }
  template <class _T> static auto bases(const _T* t, const char* type, int) -> decltype((typename _T::__dojo_bases*)nullptr, (const void*)nullptr) {
    return each(t, type, (typename _T::__dojo_bases*)nullptr);
  }
  template <class _T> static const void* bases(const void*, const char*, long) { return nullptr; }
  template <class _T, class... _B> static const void* each(const _T* t, const char* type, __dojo_Bases<_B...>*) {
    const void* found = nullptr;
    (void)((found = one<_B>(t, t, type, 0)) || ...);
    return found;
  }
  // A base that is there twice has no address.
  template <class _B, class _T> static auto one(const _T* t, const void*, const char* type, int)
      -> decltype((const void*)static_cast<const _B*>(t)) {
    if constexpr (__dojo_differ<_B, _T>::value) return object<_B>(static_cast<const _B*>(t), type);
    return nullptr;
  }
  template <class _B> static const void* one(const void*, const void*, const char*, long) { return nullptr; }
};

struct __dojo_Thrown {
  template <class _T> static auto text(const _T& t, int) -> decltype((const char*)t.what()) { return t.what(); }
  static const char* text(const char* t, int) { return t; }
  template <class _T> static const char* text(const _T&, long) { return nullptr; }
  template <class _T> static const __dojo_Exception* made(const _T& t) {
    const _T* const copy = new _T(t);
    return new __dojo_Exception{__dojo_type<_T>(), copy, text(*copy, 0), &__dojo_As::object<_T>};
  }
  template <class _T> [[noreturn]] static void go(const _T& t) { __dojo_raise(made(t)); }
  template <class _T> [[noreturn]] void operator=(const _T& t) { go(t); }
  [[noreturn]] void operator=(const char* t) { go(t); }
};
#define _dthr __dojo_Thrown() =
#define _dret __dojo_again()
struct __dojo_Guard {
  ~__dojo_Guard() { __dojo_end_try(); }
};
struct __dojo_Caught {
  __dojo_Caught() { __dojo_caught(__dojo_thrown()); }
  ~__dojo_Caught() { __dojo_end_catch(); }
};
template <class _T> void __dojo_keep(const _T& t) { __dojo_escape((const void*)&t); }
// Can a handler of this type have what was thrown?
template <class _T> bool __dojo_is() {
  const __dojo_Exception* const e = __dojo_thrown();
  return e->as(e->object, __dojo_type<typename __dojo_bare<_T>::type>());
}
template <class _T> _T __dojo_get() {
  typedef typename __dojo_bare<_T>::type _E;
  const __dojo_Exception* const e = __dojo_thrown();
  return *const_cast<_E*>(static_cast<const _E*>(e->as(e->object, __dojo_type<_E>())));
}

#endif
