# What our own builds add. Nobody who uses the package sees any of it.
set(CMAKE_CXX_EXTENSIONS OFF)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers -Werror)

# An object must not say where it was built: the compiler cache then serves a clone in any folder.
# The cache passes paths relative to build/<preset>; a failed test then names its file from the root again.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -fmacro-prefix-map=../../=)

if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  add_compile_options(-Wshadow -Wno-missing-designated-field-initializers)  # g++'s -Wshadow objects to enum values
  add_link_options(-fuse-ld=lld)
endif()

find_package(GTest REQUIRED)
