# Read by cpack for each kind of package.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_ANML_BINARY_DIR};anml;anml;/")
if(CPACK_GENERATOR STREQUAL "DEB")
  # Debian's libraries are there as packages, and its pages are compressed.
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_PRE_BUILD_SCRIPTS ${CPACK_ANML_PACKAGING}/debian/finish.cmake)
else()
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_ANML_BINARY_DIR};anml;bundled;/")
endif()
