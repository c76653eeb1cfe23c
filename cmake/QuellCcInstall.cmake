# quell_cc, installed alone: as a CMake package (find_package(quell_cc), target quell::cc) and for pkg-config (quell_cc).
#   cmake -B build -DQUELL_ONLY_CC=ON && cmake --build build && cmake --install build --component quell_cc
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What quell/cc's headers and sources use of the ground floor.
set(quell_cc_ground check ring rng time units)

foreach(target quell_base quell_cc)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)  # for controllers in shared libraries
  if(QUELL_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -ffat-lto-objects)  # for linkers without our compiler's plugin
  endif()
endforeach()
set_target_properties(quell_base PROPERTIES EXPORT_NAME base)
set_target_properties(quell_cc PROPERTIES EXPORT_NAME cc CXX_STANDARD 20)
target_compile_features(quell_cc INTERFACE cxx_std_20)

install(TARGETS quell_base quell_cc EXPORT quell_cc ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT quell_cc
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/quell/cc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/quell COMPONENT quell_cc
        FILES_MATCHING PATTERN "*.h" PATTERN "*_for_test.h" EXCLUDE PATTERN specimens EXCLUDE)
list(TRANSFORM quell_cc_ground REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/quell/base/\\1.h" OUTPUT_VARIABLE ground_headers)
install(FILES ${ground_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/quell/base COMPONENT quell_cc)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/quell_cc)
install(EXPORT quell_cc NAMESPACE quell:: FILE quell_ccConfig.cmake DESTINATION ${package_dir} COMPONENT quell_cc)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/quell_ccConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/quell_ccConfigVersion.cmake DESTINATION ${package_dir} COMPONENT quell_cc)

# Found from where the file lies, so that an installation can be moved.
file(RELATIVE_PATH QUELL_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_SOURCE_DIR}/cmake/quell_cc.pc.in ${CMAKE_BINARY_DIR}/quell_cc.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/quell_cc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT quell_cc)
