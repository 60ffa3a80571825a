// SPDX-License-Identifier: Apache-2.0
#include "workload/goal_scanner.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "support/errors.h"

namespace tilefly::workload {
namespace {

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string Shown(const Token& token) {
  if (token.kind == TokenKind::kLineEnd) return "the end of the line";
  if (token.kind == TokenKind::kEnd) return "the end of the file";
  return "'" + token.text + "'";
}

}  // namespace

void GoalScanner::Step() {
  if (Char() == '\n') {
    ++line_;
    column_ = 0;
  }
  ++at_;
  ++column_;
}

/// Skips a blank or a comment; false: there is none.
bool GoalScanner::SkipBlank() {
  if (Char() == ' ' || Char() == '\t' || Char() == '\r') {
    Step();
    return true;
  }
  if (Char() == '/' && Char(1) == '/') {
    while (at_ < text_.size() && Char() != '\n') Step();
    return true;
  }
  if (Char() != '/' || Char(1) != '*') return false;
  const Token begin{TokenKind::kSign, "/*", line_, column_};
  Step();
  Step();
  while (Char() != '*' || Char(1) != '/') {
    if (at_ >= text_.size()) Fail(begin, "a comment without end; close it by */");
    Step();
  }
  Step();
  Step();
  return true;
}

Token GoalScanner::NextToken() {
  const Token taken = next_;
  while (SkipBlank()) {
  }
  next_ = {TokenKind::kEnd, "", line_, column_};
  if (at_ >= text_.size()) return taken;
  const std::size_t from = at_;
  if (Char() == '\n') {
    next_.kind = TokenKind::kLineEnd;
    Step();
  } else if (IsLetter(Char()) || Char() == '_') {
    next_.kind = TokenKind::kWord;
    while (IsLetter(Char()) || IsDigit(Char()) || Char() == '_') Step();
  } else if (IsDigit(Char())) {
    next_.kind = TokenKind::kNumber;
    while (IsDigit(Char())) Step();
  } else {
    next_.kind = TokenKind::kSign;
    Step();
  }
  next_.text = text_.substr(from, at_ - from);
  return taken;
}

bool GoalScanner::TakeIf(const char* what) {
  if (!next_.Is(what)) return false;
  NextToken();
  return true;
}

void GoalScanner::Expect(const char* what) {
  if (!TakeIf(what)) Fail(next_, fmt::format("{} where '{}' is to stand", Shown(next_), what));
}

std::int64_t GoalScanner::Number(const char* what, std::int64_t most, const char* of_minus) {
  if (next_.Is("-")) Fail(next_, fmt::format("{} is to be a whole number, 0 to {}{}", what, most, of_minus));
  if (next_.kind != TokenKind::kNumber)
    Fail(next_, fmt::format("{} where {} is to stand, a whole number", Shown(next_), what));
  std::int64_t value = 0;
  const char* const end = next_.text.data() + next_.text.size();
  if (std::from_chars(next_.text.data(), end, value).ec != std::errc{} || value > most)
    Fail(next_, fmt::format("{}: {} is more than {}", what, next_.text, most));
  NextToken();
  return value;
}

Token GoalScanner::Identifier(const char* what) {
  if (next_.kind != TokenKind::kWord) Fail(next_, fmt::format("{} where {} is to stand", Shown(next_), what));
  return NextToken();
}

void GoalScanner::ExpectLineEnd() {
  if (next_.kind != TokenKind::kLineEnd && next_.kind != TokenKind::kEnd && !next_.Is("}"))
    Fail(next_, fmt::format("{} where the line is to end", Shown(next_)));
}

void GoalScanner::Fail(const Token& at, const std::string& reason) const {
  throw UsageError(fmt::format("{}:{}:{}: {}", name_, at.line, at.column, reason));
}

}  // namespace tilefly::workload
