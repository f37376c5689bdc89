# The parser fuzzer, in builds with AddressSanitizer. The front end is compiled into it with coverage; ANTLR's generated
# code is linked as it is.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND ANML_SANITIZE MATCHES "address")
  set(COMPILER ${CMAKE_SOURCE_DIR}/compiler)
  file(GLOB front_end CONFIGURE_DEPENDS ${COMPILER}/syntax/*.cpp)
  # The front end first, and the others apart: the files that are compiled together are those of the library.
  set(others parse_fuzz.cpp ${COMPILER}/source/imports.cpp ${COMPILER}/source/render.cpp
    ${COMPILER}/source/render_human.cpp)
  set_source_files_properties(${others} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  add_executable(parse_fuzz ${front_end} ${others})
  add_dependencies(parse_fuzz anml_syntax)  # generates the lexer and parser
  target_include_directories(parse_fuzz SYSTEM PRIVATE ${ANTLR4_INCLUDE} ${CMAKE_BINARY_DIR}/generated/grammar)
  target_link_libraries(parse_fuzz PRIVATE anml_syntax)
  target_compile_options(parse_fuzz PRIVATE -fsanitize=fuzzer)
  target_link_options(parse_fuzz PRIVATE -fsanitize=fuzzer LINKER:-z,muldefs)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/parse_found)  # new inputs go to the first folder, not to the seeds
  add_test(NAME fuzz_parse COMMAND parse_fuzz -max_total_time=${ANML_FUZZ_SECONDS} -max_len=4096 -timeout=10 -seed=1
    -dict=${CMAKE_CURRENT_SOURCE_DIR}/parse.dict ${CMAKE_CURRENT_BINARY_DIR}/parse_found
    ${CMAKE_CURRENT_SOURCE_DIR}/parse_seeds ${CMAKE_SOURCE_DIR}/examples/paper-wan ${CMAKE_SOURCE_DIR}/tests/file/syntax)
  set_tests_properties(fuzz_parse PROPERTIES LABELS fuzz TIMEOUT 300)
endif()
