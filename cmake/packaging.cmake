# What is installed beside the compiler and its runtime, and what cpack makes of an installation: a tarball that is
# used where it is unpacked, and a package of Debian's. scripts/package makes both, scripts/wheel a wheel.
set(doc ${CMAKE_INSTALL_DATADIR}/doc/anml)
install(CODE "set(SOURCE [[${CMAKE_SOURCE_DIR}]])\nset(DOC [[${doc}]])")
install(SCRIPT cmake/install_docs.cmake)

set(editors ${CMAKE_INSTALL_DATADIR}/anml/editors)
install(FILES editors/README.md DESTINATION ${editors})
install(DIRECTORY editors/emacs editors/helix editors/neovim editors/textmate editors/tree-sitter-anml editors/vscode
  DESTINATION ${editors} PATTERN ".clang-format" EXCLUDE PATTERN "node_modules" EXCLUDE PATTERN "dist" EXCLUDE)
# Where `npm run package` was said there.
install(FILES editors/vscode/dist/anml.vsix DESTINATION ${editors}/vscode/dist OPTIONAL)

# The terms of all that is in anmlc and in emulators: ours, and those of Debian's packages whose static libraries or
# headers these are made of.
install(FILES packaging/debian/copyright DESTINATION ${doc})
install(FILES LICENSE RENAME anml.txt DESTINATION ${doc}/terms)
foreach(file graphology/LICENSE.txt graphology/LICENSE.graphology-utils.txt sigma/LICENSE.txt sigma/LICENSE.events.txt uplot/LICENSE world-atlas/LICENSE)
  string(REGEX REPLACE "/LICENSE|[.]txt$" "" name ${file})
  install(FILES third_party/${file} RENAME ${name}.txt DESTINATION ${doc}/terms)
endforeach()
foreach(package llvm-19-dev liblld-19-dev libantlr4-runtime-dev libmetis5 libtbb12 libmd4c0 libtomlplusplus-dev libfmt-dev libpugixml-dev libyaml-cpp-dev libprotobuf-dev zlib1g-dev libzstd-dev
    libcli11-dev nlohmann-json3-dev librandom123-dev libpcap0.8-dev libnghttp2-dev libssl-dev libstdc++-12-dev libgcc-12-dev libc6-dev)
  if(EXISTS /usr/share/doc/${package}/copyright)
    install(FILES /usr/share/doc/${package}/copyright RENAME ${package}.txt DESTINATION ${doc}/terms)
  endif()
endforeach()

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME anml)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The ANML maintainers <maintainers@users.noreply.a-seed-25cccf98.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler for emulators of IP networks")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/packaging/cpack.cmake)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 1)  # more would make other bytes
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libarchive13)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "ANML is a language for IP networks. Its compiler, anmlc, turns a text into one
executable, which simulates the network as fast as possible, or emulates it in
real time, with real hosts and servers attached. Nothing else is needed to make
one: the linker and the parts of emulators are in this package.")
set(CPACK_ANML_PACKAGING ${CMAKE_SOURCE_DIR}/packaging)
set(CPACK_ANML_DOC ${doc})
set(CPACK_ANML_BINARY_DIR ${CMAKE_BINARY_DIR})
include(CPack)
