# A layer is a folder of src/troupe: one static library, the headers it shows, and one test program made of
# the tests that stand beside the sources.
#
#   troupe_layer(runtime HEADERS troupe/runtime/system.hpp … LINKS troupe::core)
#
# HEADERS are the public ones. The others are installed too, because public templates include them, but the
# listing of the public API leaves them out.
function(troupe_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "HEADERS;LINKS")
  set(target troupe_${name})
  set(root ${PROJECT_SOURCE_DIR}/src)

  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(TRANSFORM layer_HEADERS PREPEND ${root}/)
  file(GLOB internal_headers CONFIGURE_DEPENDS *.hpp)
  list(FILTER internal_headers EXCLUDE REGEX "_test\\.hpp$")
  if(layer_HEADERS)
    list(REMOVE_ITEM internal_headers ${layer_HEADERS})
  endif()


  add_library(${target} STATIC ${sources})
  add_library(troupe::${name} ALIAS ${target})
  target_sources(${target} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${root} FILES ${layer_HEADERS}
    FILE_SET internal TYPE HEADERS BASE_DIRS ${root} FILES ${internal_headers})
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_link_libraries(${target} PUBLIC ${layer_LINKS})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    LINKER_LANGUAGE CXX
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON
    VERIFY_INTERFACE_HEADER_SETS ON)

  install(TARGETS ${target} EXPORT troupe FILE_SET HEADERS FILE_SET internal)

  file(GLOB tests CONFIGURE_DEPENDS *_test.cpp)
  if(TROUPE_DEVELOP AND tests)
    troupe_test_program(${name}_test SOURCES ${tests} LINKS troupe::${name})
  endif()
endfunction()
