# A program of GoogleTest tests, each known to ctest by its own name.
#
#   troupe_test_program(core_test SOURCES … LINKS troupe::core [LABEL interleave] [TIMEOUT 600] [SERIAL])
#
# Suites whose name ends in `Threads` are labelled `concurrency`: the tsan preset runs those. A program with a
# LABEL of its own carries only that. A SERIAL one has the machine to itself.
include(GoogleTest)

function(troupe_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "SERIAL" "LABEL;TIMEOUT" "SOURCES;LINKS")
  if(NOT program_TIMEOUT)
    set(program_TIMEOUT 120)
  endif()

  add_executable(${name} ${program_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_23)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${program_LINKS} GTest::gmock_main)

  if(program_LABEL)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
      PROPERTIES TIMEOUT ${program_TIMEOUT} RUN_SERIAL ${program_SERIAL} LABELS ${program_LABEL})
  else()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_FILTER "*Threads.*"
      PROPERTIES TIMEOUT ${program_TIMEOUT} LABELS concurrency)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_FILTER "-*Threads.*"
      PROPERTIES TIMEOUT ${program_TIMEOUT})
  endif()
endfunction()
