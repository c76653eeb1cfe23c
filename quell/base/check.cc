#include "quell/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace quell {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: quell is wrong here: %s does not hold\n", file, line, condition);
  std::abort();
}

}  // namespace quell
