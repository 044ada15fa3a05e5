# SPDX-License-Identifier: BSD-2-Clause
# Run by cpack between installation and packaging (PlaitPackages.cmake): what Debian's policy wants of the installed files.

set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(library ${CPACK_TEMPORARY_DIRECTORY}/library/usr)
set(tools ${CPACK_TEMPORARY_DIRECTORY}/tools/usr)

# Modules are no libraries to link with, and those of two versions may be installed together. They are beside the library,
# which a link names in the public folder.
set(public ${library}/${CPACK_PLAIT_LIBDIR})
set(private plait-${CPACK_PLAIT_INTERFACE})
file(GLOB modules RELATIVE ${public} ${public}/libplait-*.so)
set(file libplait.so.${CPACK_PACKAGE_VERSION})
file(MAKE_DIRECTORY ${public}/${private})
foreach(name ${file} ${modules})
  file(RENAME ${public}/${name} ${public}/${private}/${name})
  file(RPATH_REMOVE FILE ${public}/${private}/${name})
endforeach()
file(CREATE_LINK ${private}/${file} ${public}/${file} SYMBOLIC)
file(RPATH_REMOVE FILE ${tools}/bin/plait) # the dynamic linker knows the public folder

function(compress file)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Debian's zsh leaves site-functions to the administrator.
file(RENAME ${tools}/share/zsh/site-functions ${tools}/share/zsh/vendor-completions)

compress(${tools}/share/man/man1/plait.1)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH
foreach(component library development tools)
  string(TOUPPER ${component} COMPONENT)
  set(package ${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME})
  set(folder ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share/doc/${package})
  file(WRITE ${folder}/changelog.Debian
    "plait (${version}) unstable; urgency=medium\n\n  * Version ${CPACK_PACKAGE_VERSION}; see CHANGELOG.md of the sources.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  compress(${folder}/changelog.Debian)
  file(COPY_FILE ${CPACK_PLAIT_SOURCE}/LICENSE ${folder}/copyright)
endforeach()
