# The fuzzers of the readers of foreign graphs, one for each format. The readers and what understands their graphs are
# compiled once, with coverage and sanitizers; the rest of the compiler is linked as it is. As tests they replay the kept
# corpus and go on for ANML_FUZZ_SECONDS each. A build with sanitizers would repeat them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT ANML_SANITIZE)
  find_package(pugixml REQUIRED)
  find_package(yaml-cpp REQUIRED)
  find_package(nlohmann_json REQUIRED)
  file(GLOB import_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/compiler/import/*.cpp)
  add_library(import_fuzz_readers OBJECT ${import_sources})
  target_include_directories(import_fuzz_readers PRIVATE ${CMAKE_SOURCE_DIR}/compiler ${CMAKE_SOURCE_DIR})
  target_compile_options(import_fuzz_readers PRIVATE -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_link_libraries(import_fuzz_readers PRIVATE anml_fmt pugixml::pugixml yaml-cpp nlohmann_json::nlohmann_json)
  foreach(format graphml gml json dot as-rel containerlab)
    set(target import_fuzz_${format})
    set(seeds ${CMAKE_CURRENT_SOURCE_DIR}/import_seeds/${format})
    set(found ${CMAKE_CURRENT_BINARY_DIR}/import_found/${format})  # new inputs go there, not to the seeds
    add_executable(${target} import_fuzz.cpp $<TARGET_OBJECTS:import_fuzz_readers>)
    target_compile_definitions(${target} PRIVATE ANML_FUZZ_FORMAT="${format}")
    target_link_libraries(${target} PRIVATE anml_format anml_elaborate pugixml::pugixml yaml-cpp)
    target_compile_options(${target} PRIVATE -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer,address,undefined)
    file(MAKE_DIRECTORY ${found})
    add_test(NAME ${target} COMMAND ${target} -max_total_time=${ANML_FUZZ_SECONDS} -max_len=4096 -timeout=10 -rss_limit_mb=2048 -seed=1
      -dict=${CMAKE_CURRENT_SOURCE_DIR}/import.dict ${found} ${seeds})
    set_tests_properties(${target} PROPERTIES LABELS fuzz TIMEOUT 300)
  endforeach()

  # Traces are no graphs: their reader is the compiler's, and comes first, so that the library's is not taken.
  set(found ${CMAKE_CURRENT_BINARY_DIR}/import_found/mahimahi)
  add_executable(trace_fuzz trace_fuzz.cpp ${CMAKE_SOURCE_DIR}/compiler/base/link_trace.cpp
    $<TARGET_OBJECTS:import_fuzz_readers>)
  target_link_libraries(trace_fuzz PRIVATE anml_format anml_elaborate pugixml::pugixml yaml-cpp)
  target_compile_options(trace_fuzz PRIVATE -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
  target_link_options(trace_fuzz PRIVATE -fsanitize=fuzzer,address,undefined LINKER:-z,muldefs)
  file(MAKE_DIRECTORY ${found})
  add_test(NAME trace_fuzz COMMAND trace_fuzz -max_total_time=${ANML_FUZZ_SECONDS} -max_len=4096 -timeout=10 -rss_limit_mb=2048 -seed=1
    ${found} ${CMAKE_CURRENT_SOURCE_DIR}/import_seeds/mahimahi)
  set_tests_properties(trace_fuzz PROPERTIES LABELS fuzz TIMEOUT 300)
endif()
