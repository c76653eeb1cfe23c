# The report page (quell/lab/report.h) carries its style, its scripts and the packaged dygraphs inside the program; the
# library itself is never committed.
find_file(DYGRAPHS_JS dygraph.min.js NO_DEFAULT_PATH
          PATHS /usr/share/javascript/dygraphs /usr/share/nodejs/dygraphs/dist
          DOC "The minified dygraphs library (Debian: libjs-dygraphs)")
if(NOT DYGRAPHS_JS)
  message(FATAL_ERROR "dygraph.min.js not found: install libjs-dygraphs, or set DYGRAPHS_JS to the file")
endif()
file(GLOB report_assets CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/quell/lab/assets/*)
quell_embed(quell_lab quell::lab report_files ${report_assets} ${DYGRAPHS_JS})
