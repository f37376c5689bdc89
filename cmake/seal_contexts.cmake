# Marks the classes of HEADER, the parser's contexts, that no other derives from as final. A dynamic_cast to one is then
# a comparison, where it was a walk through names of types; trees are made of these casts. A part that is of a base is
# of one of those that derive from it: where a rule has labels, its own class is left only where text does not parse.
cmake_minimum_required(VERSION 3.25)
file(READ ${HEADER} text)
string(REGEX MATCHALL "public [A-Za-z_]+Context {" bases "${text}")
string(REGEX REPLACE "class  ([A-Za-z_]+Context) : public" "class \\1 final : public" text "${text}")
list(REMOVE_DUPLICATES bases)
foreach(base ${bases})
  string(REGEX REPLACE "^public (.*) {$" "\\1" base "${base}")
  string(REPLACE "class ${base} final :" "class ${base} :" text "${text}")
endforeach()
set(parser anml::grammar::AnmlParser)
foreach(base ${bases})
  string(REGEX REPLACE "^public (.*) {$" "\\1" base "${base}")
  string(REGEX MATCHALL "class [A-Za-z_]+ final : public ${base} {" derived "${text}")
  if(NOT derived)
    continue()
  endif()
  list(TRANSFORM derived REPLACE "class ([A-Za-z_]+) .*" "dynamic_cast<${parser}::\\1*>(part)")
  list(JOIN derived " ||\n         " one_of)
  string(APPEND text "
namespace antlr4 {
inline bool is_${base}(tree::ParseTree* part)
{
  return ${one_of};
}
template <>
inline ${parser}::${base}* ParserRuleContext::getRuleContext<${parser}::${base}>(size_t i)
{
  for (tree::ParseTree* part : children)
    if (is_${base}(part) && i-- == 0) return static_cast<${parser}::${base}*>(part);
  return nullptr;
}
template <>
inline std::vector<${parser}::${base}*> ParserRuleContext::getRuleContexts<${parser}::${base}>()
{
  std::vector<${parser}::${base}*> parts;
  for (tree::ParseTree* part : children)
    if (is_${base}(part)) parts.push_back(static_cast<${parser}::${base}*>(part));
  return parts;
}
}
")
endforeach()
file(WRITE ${HEADER} "${text}")
