// SPDX-License-Identifier: Apache-2.0
// The words of a GOAL text with their places.
#pragma once

#include <cstdint>
#include <string>

namespace tilefly::workload {

/// A line ends a statement, so ends of lines are tokens too.
enum class TokenKind { kWord, kNumber, kSign, kLineEnd, kEnd };

struct Token {
  TokenKind kind;
  std::string text;
  int line;
  int column;

  bool Is(const char* what) const { return (kind == TokenKind::kWord || kind == TokenKind::kSign) && text == what; }
};

class GoalScanner {
 public:
  /// Both must outlive the scanner.
  GoalScanner(const std::string& text, const std::string& name) : text_(text), name_(name) { NextToken(); }

  const Token& next() const { return next_; }
  /// Goes on; returns the token that was next.
  Token NextToken();
  /// Takes the token if it is this word or sign.
  bool TakeIf(const char* what);
  void Expect(const char* what);
  /// A number up to `most`; `what` says what it is, `of_minus` what else is to be said of a number below 0.
  std::int64_t Number(const char* what, std::int64_t most, const char* of_minus = "");
  /// An identifier.
  Token Identifier(const char* what);
  void ExpectLineEnd();
  /// Throws UsageError at the place of a token.
  [[noreturn]] void Fail(const Token& at, const std::string& reason) const;

 private:
  char Char(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void Step();
  bool SkipBlank();

  const std::string& text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
  Token next_{};
};

}  // namespace tilefly::workload
