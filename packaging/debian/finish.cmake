# Makes of what cmake installed what Debian's policy wants: compressed manual pages and changelogs.
set(root ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${root}/${CPACK_ANML_DOC})
function(compress)
  execute_process(COMMAND gzip -9n ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(GLOB manuals ${root}/share/man/man*/*)
compress(${manuals})
configure_file(${doc}/CHANGELOG.md ${doc}/changelog COPYONLY)  # README.md leads to the page
configure_file(${CPACK_ANML_PACKAGING}/debian/changelog ${doc}/changelog.Debian COPYONLY)
compress(${doc}/changelog ${doc}/changelog.Debian)
file(MAKE_DIRECTORY ${root}/share/lintian/overrides)
configure_file(${CPACK_ANML_PACKAGING}/debian/lintian-overrides ${root}/share/lintian/overrides/anml COPYONLY)
# Debian's zsh looks in its vendors' folder.
file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
