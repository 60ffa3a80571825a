# SPDX-License-Identifier: Apache-2.0
# Comments of a header as Doxygen takes them: the lines at the top describe the file, and in the headers in C a comment
# belongs to what follows, or at the end of a line to what stands before.
1s|^// SPDX.*|/// @file|
1s|^/\* SPDX.*||
2s|^/\*$|/** @file|
2,/^[^\/]|^$/{
  s|^// |/// |
  s|^//$|///|
}
s|^/\*( \|$)|/**\1|
s|([;,]) +/\* |\1 /**< |
