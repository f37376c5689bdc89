# Links bitcode modules into one that offers only what the module of ENTRY defines, and simplifies it.
string(REPLACE "," ";" MODULES "${MODULES}")
get_filename_component(folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE printed)
  set(printed "${printed}" PARENT_SCOPE)
endfunction()

set(entry ${MODULES})
list(FILTER entry INCLUDE REGEX "/${ENTRY}\\.[a-z]+$")
run(${NM} --extern-only --defined-only --format=posix ${entry})
string(REGEX MATCHALL "[^\n ]+ T " symbols "${printed}")
if(NOT symbols)
  message(FATAL_ERROR "${ENTRY} defines no function")
endif()
string(REPLACE " T " "" symbols "${symbols}")
list(JOIN symbols "," symbols)

run(${LINK} -o ${OUTPUT}.linked ${MODULES})
run(${OPT} "-passes=internalize,globaldce,lto-pre-link<O2>" -internalize-public-api-list=${symbols}
    -o ${OUTPUT}.tmp ${OUTPUT}.linked)
file(REMOVE ${OUTPUT}.linked)
file(RENAME ${OUTPUT}.tmp ${OUTPUT})
