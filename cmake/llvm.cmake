# LLVM and its linker, lld, as static libraries, of which a program takes what it uses: `anml_llvm` and `anml_lld`. A
# shared LLVM would have to be there wherever anmlc runs, in this version, and takes longer to load.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-19)
find_package(LLVM 19.1 REQUIRED CONFIG)
find_library(LLD_ELF liblldELF.a HINTS ${LLVM_LIBRARY_DIRS} REQUIRED)
find_library(LLD_COMMON liblldCommon.a HINTS ${LLVM_LIBRARY_DIRS} REQUIRED)
find_library(Z_STATIC libz.a REQUIRED)
find_library(ZSTD_STATIC libzstd.a REQUIRED)
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${Z_STATIC};${ZSTD_STATIC};LLVMDemangle")
set_target_properties(LLVMExtensions PROPERTIES INTERFACE_LINK_LIBRARIES LLVMSupport)  # see absent_extensions.cpp

add_library(anml_llvm INTERFACE)
llvm_map_components_to_libnames(llvm_libraries ${LLVM_NATIVE_ARCH} passes linker bitreader)
target_link_libraries(anml_llvm INTERFACE ${llvm_libraries})
target_include_directories(anml_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(anml_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})

# lld asks for every processor that LLVM was built for. Those that are not this one answer that they have nothing.
set(absent "")
foreach(target ${LLVM_TARGETS_TO_BUILD})
  if(NOT target STREQUAL LLVM_NATIVE_ARCH)
    foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
      string(APPEND absent "void LLVMInitialize${target}${part}(void) {}\n")
    endforeach()
  endif()
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/absent_targets.c CONTENT "${absent}" @ONLY)
add_library(anml_lld STATIC ${CMAKE_BINARY_DIR}/generated/absent_targets.c ${CMAKE_SOURCE_DIR}/cmake/parts/absent_extensions.cpp)
llvm_map_components_to_libnames(lld_libraries lto debuginfodwarf option object binaryformat bitwriter)
target_link_libraries(anml_lld PUBLIC ${LLD_ELF} ${LLD_COMMON} ${lld_libraries} anml_llvm)
