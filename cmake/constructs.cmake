# Makes of runtime/constructs.txt, in generated/constructs/ of the build:
#   record_lines.def         includes every .def
#   record_rows.h            a struct of each, to be included within a namespace
#   disciplines.def          ANML_DISCIPLINE(name, service) for each; discipline_headers.h includes their headers
#   discipline_parameters.h  of each, in a namespace of its name, the struct Parameters, and what makes it of a record's
#                            numbers; to be included within a namespace (net/queue/parameters.h)
#   middleboxes.def          ANML_MIDDLEBOX(name) for each; middlebox_headers.h includes their headers
#   application_list.h       ANML_WORKLOADS(X, ...), ANML_SERVERS, and ANML_APPLICATIONS of these and speakers: X(name, ...) for each;
#                            application_headers.h includes their headers
set(constructs ${CMAKE_SOURCE_DIR}/runtime/constructs.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${constructs})
file(STRINGS ${constructs} lines REGEX "^[^#]")
file(GLOB_RECURSE construct_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/runtime
  ${CMAKE_SOURCE_DIR}/runtime/*.h ${CMAKE_SOURCE_DIR}/runtime/*.def)
# The path of FILE, in or below `folder`, or nothing.
function(find_construct_file result folder file)
  set(found ${construct_files})
  list(FILTER found INCLUDE REGEX "^${folder}/([a-z0-9_]+/)*${file}$")
  list(LENGTH found count)
  if(count GREATER 1)
    message(FATAL_ERROR "runtime/constructs.txt: which of ${found} is meant?")
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
foreach(line ${lines})
  if(line MATCHES "^discipline +([a-z0-9_]+) +(admission|dequeue)$")
    set(name ${CMAKE_MATCH_1})
    set(list discipline)
    set(folder net/queue)
    string(APPEND disciplines "ANML_DISCIPLINE(${name}, ${CMAKE_MATCH_2})\n")
    find_construct_file(fields ${folder} ${name}[.]def)
    set(fields "#include \"${fields}\"")
    string(APPEND parameters "namespace ${name} {\nstruct Parameters {\n#define ANML_FIELD(kind, name) field::kind name;\n"
      "#define ANML_CHOICE(Enumeration, name, ...) enum class Enumeration : std::uint32_t { __VA_ARGS__ }; Enumeration name;\n"
      "${fields}\n#undef ANML_CHOICE\n#undef ANML_FIELD\n};\ninline Parameters parameters_of(FieldReader fields)\n{\n    return {\n"
      "#define ANML_FIELD(kind, name) fields.kind(),\n"
      "#define ANML_CHOICE(Enumeration, name, ...) fields.choice<Parameters::Enumeration>(),\n"
      "${fields}\n#undef ANML_CHOICE\n#undef ANML_FIELD\n    };\n}\n}\n")
  elseif(line MATCHES "^middlebox +([a-z0-9_]+)$")
    set(name ${CMAKE_MATCH_1})
    set(list middlebox)
    set(folder net/middlebox)
    string(APPEND middleboxes "ANML_MIDDLEBOX(${name})\n")
  elseif(line MATCHES "^(workload|server|speaker) +([a-z0-9_]+)$")
    set(name ${CMAKE_MATCH_2})
    set(list application)
    set(folder app)
    string(APPEND ${CMAKE_MATCH_1}s " \\\n    X(${name} __VA_OPT__(, ) __VA_ARGS__)")
  elseif(line MATCHES "^settings +([a-z0-9_]+) +([a-z0-9_/]+)$")
    set(name ${CMAKE_MATCH_1})
    set(list settings)
    set(folder ${CMAKE_MATCH_2})
  else()
    message(FATAL_ERROR "runtime/constructs.txt: `${line}` is none of what its head describes")
  endif()
  find_construct_file(header ${folder} ${name}[.]h)
  if(header)
    string(APPEND ${list}_headers "#include \"${header}\"\n")
  endif()
  find_construct_file(fields ${folder} ${name}[.]def)
  if(fields)
    string(APPEND record_lines "#include \"runtime/${fields}\"\n")
    string(APPEND record_rows "struct ${name} {\n#include \"runtime/${fields}\"\n};\n")
  endif()
endforeach()
set(generated ${CMAKE_BINARY_DIR}/generated/constructs)
file(CONFIGURE OUTPUT ${generated}/record_lines.def CONTENT "${record_lines}" @ONLY)
file(CONFIGURE OUTPUT ${generated}/record_rows.h CONTENT "${record_rows}" @ONLY)
foreach(list discipline middlebox application)
  file(CONFIGURE OUTPUT ${generated}/${list}_headers.h CONTENT "#pragma once\n${${list}_headers}" @ONLY)
endforeach()
file(CONFIGURE OUTPUT ${generated}/disciplines.def CONTENT "${disciplines}" @ONLY)
file(CONFIGURE OUTPUT ${generated}/middleboxes.def CONTENT "${middleboxes}" @ONLY)
file(CONFIGURE OUTPUT ${generated}/discipline_parameters.h CONTENT "${parameters}" @ONLY)
file(CONFIGURE OUTPUT ${generated}/application_list.h CONTENT "#pragma once
#define ANML_WORKLOADS(X, ...)${workloads}
#define ANML_SERVERS(X, ...)${servers}
#define ANML_APPLICATIONS(X, ...) ANML_WORKLOADS(X, __VA_ARGS__) ANML_SERVERS(X, __VA_ARGS__)${speakers}
" @ONLY)
include_directories(${generated})
