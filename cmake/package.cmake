# What `cmake --install` leaves behind for find_package(troupe) and for pkg-config.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/troupe)
configure_package_config_file(cmake/troupeConfig.cmake.in troupeConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 every minor version may change the API.
write_basic_package_version_file(troupeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/troupeConfig.cmake ${PROJECT_BINARY_DIR}/troupeConfigVersion.cmake
        DESTINATION ${package_folder})
install(EXPORT troupe NAMESPACE troupe:: FILE troupeTargets.cmake DESTINATION ${package_folder})

# The libraries highest first, the order a static link needs. The prefix is found from the file's own folder,
# so the installed tree can be moved.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /prefix/${pkgconfig_folder} /prefix)
set(libraries ${TROUPE_LAYERS})
list(REVERSE libraries)
list(TRANSFORM libraries PREPEND -ltroupe_)
list(JOIN libraries " " libraries)
configure_file(cmake/troupe.pc.in troupe.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/troupe.pc DESTINATION ${pkgconfig_folder})
