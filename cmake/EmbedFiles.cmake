# quell_embed(TARGET NAMESPACE FUNCTION FILES...): bakes text files into TARGET as a function
# `std::span<const EmbeddedFile> NAMESPACE::FUNCTION()`, so that the program needs nothing beside itself.
# Run as a script (cmake -P) it is its own generator.
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" FILES "${FILES}")
  set(entries "")
  foreach(file IN LISTS FILES)
    file(READ ${file} content)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND entries "    {\"${name}\", R\"~embed~(${content})~embed~\"},\n")
  endforeach()
  file(WRITE ${OUTPUT}
"// Generated from text files by cmake/EmbedFiles.cmake.
#include \"quell/lab/embedded_file.h\"
namespace ${NAMESPACE} {
namespace {
constexpr EmbeddedFile kFiles[] = {
${entries}};
}
std::span<const EmbeddedFile> ${FUNCTION}() { return kFiles; }
}
")
  return()
endif()

set(QUELL_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(quell_embed TARGET NAMESPACE FUNCTION)
  set(output ${CMAKE_BINARY_DIR}/generated/${FUNCTION}.cc)
  string(REPLACE ";" "|" files "${ARGN}")  # a list does not survive the command line
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DOUTPUT=${output} -DNAMESPACE=${NAMESPACE} -DFUNCTION=${FUNCTION}
            -P ${QUELL_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${QUELL_EMBED_SCRIPT}
    COMMENT "Embedding ${FUNCTION}" VERBATIM)
  target_sources(${TARGET} PRIVATE ${output})
endfunction()
