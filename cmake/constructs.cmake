# Makes of runtime/constructs.txt, in generated/constructs/ of the build:
#   record_lines.def         includes every .def
#   record_rows.h            a struct of each, to be included within a namespace
#   discipline_list.h        ANML_DISCIPLINES(X, ...): X(name, ...) for each; discipline_headers.h includes their headers
#   application_list.h       ANML_WORKLOADS(X, ...), ANML_SERVERS, and ANML_APPLICATIONS of both: X(name, ...) for each;
#                            application_headers.h includes their headers
set(constructs ${CMAKE_SOURCE_DIR}/runtime/constructs.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${constructs})
file(STRINGS ${constructs} lines REGEX "^[^#]")
foreach(line ${lines})
  if(NOT line MATCHES "^(discipline|workload|server) +([a-z0-9_]+)$")
    message(FATAL_ERROR "runtime/constructs.txt: `${line}` is not `kind name`")
  endif()
  set(kind ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(list application)
  set(folder app)
  if(kind STREQUAL "discipline")
    set(list discipline)
    set(folder net/queue)
  endif()
  string(APPEND ${kind}s " \\\n    X(${name} __VA_OPT__(, ) __VA_ARGS__)")
  if(EXISTS ${CMAKE_SOURCE_DIR}/runtime/${folder}/${name}.h)
    string(APPEND ${list}_headers "#include \"${folder}/${name}.h\"\n")
  endif()
  if(EXISTS ${CMAKE_SOURCE_DIR}/runtime/${folder}/${name}.def)
    string(APPEND record_lines "#include \"runtime/${folder}/${name}.def\"\n")
    string(APPEND record_rows "struct ${name} {\n#include \"runtime/${folder}/${name}.def\"\n};\n")
  endif()
endforeach()
set(generated ${CMAKE_BINARY_DIR}/generated/constructs)
file(CONFIGURE OUTPUT ${generated}/record_lines.def CONTENT "${record_lines}" @ONLY)
file(CONFIGURE OUTPUT ${generated}/record_rows.h CONTENT "${record_rows}" @ONLY)
foreach(list discipline application)
  file(CONFIGURE OUTPUT ${generated}/${list}_headers.h CONTENT "#pragma once\n${${list}_headers}" @ONLY)
endforeach()
file(CONFIGURE OUTPUT ${generated}/discipline_list.h CONTENT "#pragma once
#define ANML_DISCIPLINES(X, ...)${disciplines}
" @ONLY)
file(CONFIGURE OUTPUT ${generated}/application_list.h CONTENT "#pragma once
#define ANML_WORKLOADS(X, ...)${workloads}
#define ANML_SERVERS(X, ...)${servers}
#define ANML_APPLICATIONS(X, ...) ANML_WORKLOADS(X, __VA_ARGS__) ANML_SERVERS(X, __VA_ARGS__)
" @ONLY)
include_directories(${generated})
