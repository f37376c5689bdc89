# Marks the classes of HEADER, the parser's contexts, that no other derives from as final. A dynamic_cast to one is then
# a comparison, where it was a walk through names of types; trees are made of these casts.
cmake_minimum_required(VERSION 3.25)
file(READ ${HEADER} text)
string(REGEX MATCHALL "public [A-Za-z_]+Context {" bases "${text}")
string(REGEX REPLACE "class  ([A-Za-z_]+Context) : public" "class \\1 final : public" text "${text}")
list(REMOVE_DUPLICATES bases)
foreach(base ${bases})
  string(REGEX REPLACE "^public (.*) {$" "\\1" base "${base}")
  string(REPLACE "class ${base} final :" "class ${base} :" text "${text}")
endforeach()
file(WRITE ${HEADER} "${text}")
