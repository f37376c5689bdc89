# The packet fuzzer. The code that meets untrusted bytes is compiled into it with coverage and sanitizers; the rest of the
# runtime is linked as it is. As a test it runs its seeds and a fixed number of mutations of them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT ANML_SANITIZE)
  set(RUNTIME ${CMAKE_SOURCE_DIR}/runtime)
  add_executable(packet_fuzz packet_fuzz.cpp ${CMAKE_SOURCE_DIR}/tests/unit/runtime/image_builder.cpp
    ${RUNTIME}/wire/checksum.cpp ${RUNTIME}/wire/icmp_messages.cpp ${RUNTIME}/wire/offloads.cpp
    ${RUNTIME}/wire/packet_codec.cpp ${RUNTIME}/io/gateway.cpp)
  target_link_libraries(packet_fuzz PRIVATE anml_runtime)
  target_compile_options(packet_fuzz PRIVATE -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
  target_link_options(packet_fuzz PRIVATE -fsanitize=fuzzer,address,undefined LINKER:-z,muldefs)  # its own come first
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/packet_found)  # new inputs go to the first folder, not to the seeds
  add_test(NAME packet_fuzz COMMAND packet_fuzz -runs=5000 -max_len=4096 -seed=1 -timeout=20
    ${CMAKE_CURRENT_BINARY_DIR}/packet_found ${CMAKE_CURRENT_SOURCE_DIR}/packet_seeds)
  set_tests_properties(packet_fuzz PROPERTIES LABELS fuzz TIMEOUT 300)
endif()
