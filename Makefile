# The one front door. `make` says what there is.
export CMAKE_BUILD_PARALLEL_LEVEL := $(shell nproc)
export CTEST_PARALLEL_LEVEL := $(shell nproc)

define help
make run       install what is missing, build the examples and play a guided tour of them
make test      install what is missing, build with sanitizers and run every test
make check     the style checks, and clang-tidy on every file
make format    lay out every C++ file
make coverage  report which lines of core and runtime the tests reach
make bench     measure against other actor systems; QUICK=1 takes minutes, CASE=ring is one case, SYSTEMS=go,tokio some
make clean     remove build/

One preset by hand: cmake --preset dev && cmake --build --preset dev && ctest --preset dev
Presets: dev tsan release gcc mcu-host coverage, each built in build/<preset>.
endef

.PHONY: help run test check format coverage bench clean
help:
	$(info $(help))@:

run:
	@scripts/install
	@scripts/build release
	@scripts/tour

test:
	@start=$$(date +%s) && scripts/install && scripts/build dev && ctest --preset dev \
	  && echo "make test: every test passed, $$(( $$(date +%s) - start )) s in all"

check:
	@scripts/install
	@scripts/build dev
	@scripts/check
	@scripts/format --check
	@scripts/tidy --all

format:
	@scripts/install
	@scripts/format

coverage:
	@scripts/install
	@scripts/coverage

bench:
	@scripts/install
	@bench/run

clean:
	rm -rf build
