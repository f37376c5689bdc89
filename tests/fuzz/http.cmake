# The fuzzer of what is read of HTTP from real hosts. As a test it runs its seeds, and goes on for a few seconds.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(RUNTIME ${CMAKE_SOURCE_DIR}/runtime)
  add_executable(http_fuzz http_fuzz.cpp ${CMAKE_SOURCE_DIR}/tests/unit/runtime/image_builder.cpp
    ${RUNTIME}/app/http_response.cpp ${RUNTIME}/app/http_request.cpp ${RUNTIME}/app/path_index.cpp)
  target_link_libraries(http_fuzz PRIVATE anml_runtime)
  target_compile_options(http_fuzz PRIVATE -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
  target_link_options(http_fuzz PRIVATE -fsanitize=fuzzer,address,undefined LINKER:-z,muldefs)  # its own come first
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/http_found)  # new inputs go to the first folder, not to the seeds
  add_test(NAME http_fuzz COMMAND http_fuzz -max_total_time=${ANML_FUZZ_SECONDS} -max_len=2048 -seed=1 -timeout=20
    -dict=${CMAKE_CURRENT_SOURCE_DIR}/http.dict ${CMAKE_CURRENT_BINARY_DIR}/http_found
    ${CMAKE_CURRENT_SOURCE_DIR}/http_seeds)
  set_tests_properties(http_fuzz PROPERTIES LABELS fuzz TIMEOUT 300)
endif()
