# cmake -Dprogram=… -Dexpected=… -P compare_output.cmake: run a program and compare what it prints, exactly.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET program FILENAME name)
set(actual ${name}.actual)

execute_process(COMMAND ${program} OUTPUT_FILE ${actual} RESULT_VARIABLE status)
execute_process(COMMAND diff -u ${expected} ${actual} RESULT_VARIABLE different)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${program} ended with ${status}")
endif()
if(different)
  message(FATAL_ERROR "${program} printed something else than ${expected}, see above. If that is right now, change the file.")
endif()
