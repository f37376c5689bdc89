# Files as data: `target` has a function that returns them, which `header` declares; ARGN is a list of NAME=PATH.
function(anml_embed target header function)
  string(REPLACE ";" "|" files "${ARGN}")
  string(REGEX REPLACE "[^;]*=" "" paths "${ARGN}")
  set(output ${CMAKE_BINARY_DIR}/generated/${function}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DHEADER=${header} -DFUNCTION=${function} -DOUTPUT=${output}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake COMMENT "Embedding the files of ${target}" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
