# SPDX-License-Identifier: BSD-2-Clause
# plait_texts(output file...): a C source with the texts of files NAME.PLACE.inc, which are compiled at run time. A file
# without templates is the string pl_template_NAME_PLACE, without the SPDX line. Templates `void $NAME(void)`, whose names
# all files share, are entries of the table pl_templates, in the order of their names (codegen/text/template.h).
function(plait_texts output)
  set(source "#include <stddef.h>\n")
  set(names "")
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(FIND "${text}" "\nvoid $" at)
    if(at EQUAL -1)
      # REUSE-IgnoreStart
      string(REPLACE "/* SPDX-License-Identifier: BSD-2-Clause\n *" "/*" text "${text}")
      # REUSE-IgnoreEnd
      get_filename_component(name ${file} NAME)
      string(REGEX REPLACE "^(.*)\\.(.*)\\.inc$" "pl_template_\\1_\\2" name ${name})
      plait_text(source "extern const char ${name}[];\nconst char ${name}[]" "${text}")
    endif()
    while(NOT at EQUAL -1)
      math(EXPR at "${at} + 7")
      string(SUBSTRING "${text}" ${at} -1 text)
      string(FIND "${text}" "(void)\n{\n" head)
      string(FIND "${text}" "\n}\n" end)
      string(SUBSTRING "${text}" 0 ${head} name)
      math(EXPR begin "${head} + 9")
      math(EXPR length "${end} + 1 - ${begin}")
      string(SUBSTRING "${text}" ${begin} ${length} lines)
      if(name IN_LIST names)
        message(FATAL_ERROR "two templates are called ${name}")
      endif()
      list(APPEND names ${name})
      plait_text(source "static const char lines_${name}[]" "${lines}")
      string(FIND "${text}" "\nvoid $" at)
    endwhile()
  endforeach()
  list(SORT names)
  list(LENGTH names count)
  string(APPEND source "typedef struct pl_template { const char *name, *lines; } pl_template;\n"
    "extern const pl_template pl_templates[];\nextern const size_t pl_template_count;\n"
    "const size_t pl_template_count = ${count};\nconst pl_template pl_templates[] = {\n")
  foreach(name ${names})
    string(APPEND source "  {\"${name}\", lines_${name}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${source}};\n" @ONLY)
endfunction()

# Adds the definition of a string to the source in a variable.
function(plait_text variable definition text)
  string(HEX "${text}" hex)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  set(${variable} "${${variable}}${definition} = {${bytes}0};\n" PARENT_SCOPE)
endfunction()
