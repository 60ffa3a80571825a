// SPDX-License-Identifier: Apache-2.0
// Values as bytes, for other processes on machines of the same kind. A class with members of its own kind takes part by
// `template <class Archive> void Serialize(Archive& archive) { archive(one_, two_); }`
// which names every member once, for all directions; trivially copyable types are taken as they are. Numbers that are
// maxima are named by archive.Largest(...), so that adding takes the larger ones; minima by archive.Smallest(...).
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace tilefly {

using SavedBytes = std::vector<char>;

/// An archive of another kind. With it the templates ask whether a class has Serialize.
struct AnyArchive {
  template <typename... T>
  void operator()(T&...) {}
  template <typename... T>
  void Largest(T&...) {}
  template <typename... T>
  void Smallest(T&...) {}
};

template <typename T, typename = void>
struct HasSerialize : std::false_type {};
template <typename T>
struct HasSerialize<T, std::void_t<decltype(std::declval<T&>().Serialize(std::declval<AnyArchive&>()))>>
    : std::true_type {};

/// What is copied byte by byte; no reference is.
template <typename T>
inline constexpr bool kPlain = std::is_trivially_copyable_v<T>&& std::is_trivially_copy_assignable_v<T> &&
                               !std::is_pointer_v<T> && !HasSerialize<T>::value;

/// Appends values to bytes.
class Saver {
 public:
  explicit Saver(SavedBytes* bytes) : bytes_(*bytes) {}

  template <typename... T>
  void operator()(const T&... values) {
    (Save(values), ...);
  }
  template <typename... T>
  void Largest(const T&... values) {
    (Save(values), ...);
  }
  template <typename... T>
  void Smallest(const T&... values) {
    (Save(values), ...);
  }

 private:
  void Append(const void* from, std::size_t size) {
    const char* const first = static_cast<const char*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  template <typename T>
  void Save(const T& value) {
    if constexpr (kPlain<T>) {
      Append(&value, sizeof value);
    } else {
      const_cast<T&>(value).Serialize(*this);
    }
  }
  template <typename T>
  void SaveRange(const T& values) {
    using Value = typename T::value_type;
    Save(values.size());
    if constexpr (kPlain<Value>) {
      Append(values.data(), values.size() * sizeof(Value));
    } else {
      for (const Value& value : values) Save(value);
    }
  }
  template <typename T>
  void Save(const std::vector<T>& values) {
    SaveRange(values);
  }
  void Save(const std::string& text) { SaveRange(text); }
  template <typename K, typename V>
  void Save(const std::map<K, V>& values) {
    Save(values.size());
    for (const auto& [key, value] : values) operator()(key, value);
  }
  template <typename T>
  void Save(const std::deque<T>& values) {
    Save(values.size());
    for (const T& value : values) Save(value);
  }
  template <typename... T>
  void Save(const std::variant<T...>& one) {
    std::visit([&](const auto& value) { Save(value); }, one);
  }
  template <typename T, std::size_t N>
  void Save(const std::array<T, N>& values) {
    if constexpr (kPlain<T>) {
      Append(values.data(), sizeof values);
    } else {
      for (const T& value : values) Save(value);
    }
  }

  SavedBytes& bytes_;
};

/// Reads values in the order of their saving. Throws when there are none left.
class Loader {
 public:
  explicit Loader(const SavedBytes& bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  template <typename... T>
  void operator()(T&... values) {
    (Load(values), ...);
  }
  template <typename... T>
  void Largest(T&... values) {
    (Load(values), ...);
  }
  template <typename... T>
  void Smallest(T&... values) {
    (Load(values), ...);
  }
  template <typename T>
  T Get() {
    T value{};
    Load(value);
    return value;
  }
  bool AtEnd() const { return at_ == end_; }

 private:
  void Copy(void* to, std::size_t size) {
    if (size > static_cast<std::size_t>(end_ - at_)) throw std::runtime_error("archive: it ends too early");
    if (size > 0) std::memcpy(to, at_, size);
    at_ += size;
  }
  template <typename T>
  void Load(T& value) {
    if constexpr (kPlain<T>) {
      Copy(&value, sizeof value);
    } else {
      value.Serialize(*this);
    }
  }
  std::size_t Size() {
    const auto size = Get<std::size_t>();
    if (size > static_cast<std::size_t>(end_ - at_)) throw std::runtime_error("archive: it ends too early");
    return size;
  }
  template <typename T>
  void LoadRange(T& values) {
    using Value = typename T::value_type;
    const std::size_t size = Size();
    if constexpr (std::is_default_constructible_v<Value>) {
      values.resize(size);
    } else if (size != values.size()) {
      throw std::runtime_error("archive: another number of things");
    }
    if constexpr (kPlain<Value>) {
      Copy(values.data(), size * sizeof(Value));
    } else {
      for (Value& value : values) Load(value);
    }
  }
  template <typename T>
  void Load(std::vector<T>& values) {
    LoadRange(values);
  }
  void Load(std::string& text) { LoadRange(text); }
  template <typename K, typename V>
  void Load(std::map<K, V>& values) {
    values.clear();
    for (auto left = Get<std::size_t>(); left > 0; --left) {
      const K key = Get<K>();
      Load(values[key]);
    }
  }
  template <typename T>
  void Load(std::deque<T>& values) {
    values.resize(Size());
    for (T& value : values) Load(value);
  }
  /// The variant already holds a value of the type that was saved; the value is loaded into it.
  template <typename... T>
  void Load(std::variant<T...>& one) {
    std::visit([&](auto& value) { Load(value); }, one);
  }
  template <typename T, std::size_t N>
  void Load(std::array<T, N>& values) {
    if constexpr (kPlain<T>) {
      Copy(values.data(), sizeof values);
    } else {
      for (T& value : values) Load(value);
    }
  }

  const char* at_;
  const char* end_;
};

/// Adds what was saved to values of the same type: numbers are summed, of vectors element by element.
class Adder {
 public:
  explicit Adder(const SavedBytes& bytes) : loader_(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (Add(values), ...);
  }
  template <typename... T>
  void Largest(T&... values) {
    (Raise(&values), ...);
  }
  template <typename... T>
  void Smallest(T&... values) {
    ((values = std::min(values, loader_.Get<T>())), ...);
  }

 private:
  template <typename T>
  void Add(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      value += loader_.Get<T>();
    } else {
      value.Serialize(*this);
    }
  }
  template <typename T>
  void Add(std::vector<T>& values) {
    const auto size = loader_.Get<std::size_t>();
    if (size > values.size()) values.resize(size);
    for (std::size_t i = 0; i < size; ++i) Add(values[i]);
  }
  template <typename K, typename V>
  void Add(std::map<K, V>& values) {
    for (auto left = loader_.Get<std::size_t>(); left > 0; --left) {
      const K key = loader_.Get<K>();
      Add(values[key]);
    }
  }
  template <typename T, std::size_t N>
  void Add(std::array<T, N>& values) {
    for (T& value : values) Add(value);
  }

  template <typename T>
  void Raise(T* value) {
    *value = std::max(*value, loader_.Get<T>());
  }
  template <typename T>
  void Raise(std::vector<T>* values) {
    const auto others = loader_.Get<std::vector<T>>();
    if (others.size() != values->size()) throw std::runtime_error("archive: maxima of different things");
    for (std::size_t i = 0; i < others.size(); ++i) (*values)[i] = std::max((*values)[i], others[i]);
  }

  Loader loader_;
};

/// Adds `value` to `*sum`, each member by its kind; both hold the same members in the same order.
template <typename T>
void AddTo(T* sum, const T& value) {
  SavedBytes bytes;
  Saver save(&bytes);
  save(value);
  Adder adder(bytes);
  adder(*sum);
}

}  // namespace tilefly
