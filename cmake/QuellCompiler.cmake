# Flags that every target shares: warnings are errors, floating point is reproducible (one seed, one digest).
add_library(quell_options INTERFACE)
target_compile_options(quell_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  -ffp-contract=off -fno-strict-aliasing)

set(QUELL_SANITIZE "" CACHE STRING "Sanitizers: address,undefined | thread | fuzzer-no-link,address,undefined")
if(QUELL_SANITIZE)
  target_compile_options(quell_options INTERFACE -fsanitize=${QUELL_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(quell_options INTERFACE -fsanitize=${QUELL_SANITIZE})
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlaps and null pointers in inlined std::string and std::vector code where there are none.
  target_compile_options(quell_options INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-dangling-pointer)
  # At -O2, and with sanitizers, also unset members in moved std::variant, std::function and std::string temporaries.
  # A plain debug build keeps the warning.
  if(QUELL_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(quell_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

option(QUELL_LTO "Link-time optimisation" OFF)
if(QUELL_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
