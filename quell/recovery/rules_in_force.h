// Which rules does this build follow? The right ones. For sources of this floor only, never for a header: the
// build of recovery that tests the laboratory (quell/faults) puts a file of the same name before this one.
#pragma once

#include "quell/recovery/rules.h"

namespace quell {
namespace rule = rules;
}
