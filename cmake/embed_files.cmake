# Writes a C++ file that holds files as strings: FILES is a list of NAME=PATH, separated by |, FUNCTION returns them, and
# HEADER declares it.
string(REPLACE "|" ";" entries "${FILES}")
set(out "#include \"${HEADER}\"\n\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"  // the standard promises 64 KB only\n\nnamespace anml {\n\nstatic const EmbeddedFile kFiles_${FUNCTION}[] = {\n")
foreach(entry ${entries})
  string(REGEX REPLACE "=.*" "" name ${entry})
  string(REGEX REPLACE "^[^=]*=" "" path ${entry})
  file(READ ${path} text)
  string(APPEND out "    {\"${name}\", R\"ANML_FILE(${text})ANML_FILE\"},\n")
endforeach()
string(APPEND out "};\n\nstd::span<const EmbeddedFile> ${FUNCTION}() { return kFiles_${FUNCTION}; }\n\n}  // namespace anml\n")
file(WRITE ${OUTPUT} "${out}")
