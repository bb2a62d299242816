# shellcheck shell=bash
# Finds or installs what a script needs, and builds the parts. Sourced by web/serve.sh and by the
# scripts in tests/ after they have changed to the root of the repository.

say() { printf '== %4d s  %s\n' "$SECONDS" "$*"; }

stop() {
  printf 'ridgepoint: %s\n' "$*" >&2
  exit 1
}

cores() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# --- What must be on the machine -------------------------------------------------------------------

find_chromium() {
  local name
  for name in "${CHROMIUM:-chromium}" chromium google-chrome google-chrome-stable; do
    command -v "$name" && return
  done
  return 1
}

find_firefox() {
  local name
  for name in "${FIREFOX:-firefox-esr}" firefox-esr firefox; do
    command -v "$name" && return
  done
  return 1
}

# A name with a slash is a header, every other one a command.
has() {
  local root
  case $1 in
    */*)
      for root in /usr/include /usr/local/include; do
        [ -e "$root/$1" ] && return
      done
      return 1
      ;;
    chromium) find_chromium >/dev/null ;;
    firefox-esr) find_firefox >/dev/null ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

# `install_missing cmake=cmake ninja=ninja-build`: what must be there, and the Debian package of it.
install_missing() {
  local pair packages="" root=""
  for pair in "$@"; do
    has "${pair%%=*}" || packages="$packages ${pair#*=}"
  done
  [ -n "$packages" ] || return 0
  if ! command -v apt-get >/dev/null; then
    stop "this system has no apt-get, so install these by hand and run this again" \
      "(the names are Debian's):$packages"
  fi
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      stop "there is no sudo, so run this as root and then start again: apt-get install$packages"
    root=sudo
  fi
  say "installing with apt-get:$packages ..."
  mkdir -p build
  # The first try fails where the package lists are missing (a fresh container) or out of date.
  # shellcheck disable=SC2086
  apt_install $root $packages ||
    { $root apt-get update -qq >>build/apt.log 2>&1 && apt_install $root $packages; } ||
    { tail -n 5 build/apt.log >&2 && stop "apt-get could not install:$packages (build/apt.log)"; }
  hash -r
  for pair in "$@"; do
    has "${pair%%=*}" ||
      stop "${pair%%=*} is still missing after installing ${pair#*=}; install it by hand"
  done
}

apt_install() {
  local root=""
  if [ "$1" = sudo ]; then root=sudo && shift; fi
  $root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >>build/apt.log 2>&1 </dev/null
}

need_node() {
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    stop "node and npm are missing: install Node.js 20 or newer"
  fi
  [ "$(node -p 'Number.parseInt(process.versions.node)')" -ge 20 ] ||
    stop "node $(node --version) is too old: install Node.js 20 or newer"
}

need_build_tools() {
  install_missing cmake=cmake ninja=ninja-build nlohmann/json.hpp=nlohmann-json3-dev
}

need_npm_packages() {
  need_node
  local installed=node_modules/.package-lock.json
  if [ ! -f $installed ] || [ package-lock.json -nt $installed ]; then
    # npm empties what a link leads to, which is another checkout's.
    [ ! -L node_modules ] || stop "node_modules is a link to packages that are not these: remove it"
    say "npm ci ..."
    npm ci --loglevel=error --no-progress </dev/null
    touch $installed
  fi
}

# --- Building --------------------------------------------------------------------------------------

# The CMake toolchain file that came with the emcc on PATH.
emscripten_toolchain() {
  local beside root file
  beside=$(dirname "$(readlink -f "$(command -v emcc)")")
  for root in "$beside" "$beside/../libexec" "$(em-config EMSCRIPTEN_ROOT 2>/dev/null)"; do
    file=$root/cmake/Modules/Platform/Emscripten.cmake
    if [ -f "$file" ]; then
      echo "$file"
      return
    fi
  done
  stop "no Emscripten.cmake was found beside $(command -v emcc)"
}

# `configure <folder> <toolchain file or nothing> NAME=VALUE...`: only where that is not done yet,
# for the build itself notices changed CMake files.
configure() {
  local folder=$1 toolchain=$2 log=$1/configure.log options=(-G Ninja) setting
  shift 2
  set -- ${toolchain:+"CMAKE_TOOLCHAIN_FILE=$toolchain"} "$@"
  if cached "$folder" CMAKE_HOME_DIRECTORY="$PWD" CMAKE_GENERATOR=Ninja; then
    if [ -f "$folder/build.ninja" ] && cached "$folder" "$@"; then return; fi
  else
    rm -rf "$folder" # a tree that was moved here, or half of one
  fi
  if [ -n "$toolchain" ] && ! cached "$folder" CMAKE_TOOLCHAIN_FILE="$toolchain"; then
    rm -rf "$folder" # CMake keeps the compiler that it first found
  fi
  mkdir -p "$folder"
  for setting in "$@"; do options+=("-D$setting"); done
  cmake -S . -B "$folder" "${options[@]}" >"$log" 2>&1 || { cat "$log" >&2 && stop "cmake failed"; }
}

# `cached <folder> NAME=VALUE...`: whether the folder was configured so.
cached() {
  local folder=$1 setting
  shift
  for setting in "$@"; do
    grep -q "^${setting%%=*}:[A-Z]*=${setting#*=}\$" "$folder/CMakeCache.txt" 2>/dev/null || return
  done
}

# The tool that compiles facts to tables, once for all builds.
build_table_tool() {
  table_tool=$PWD/build/tables/core/data/compile_tables
  [ -z "${table_tool_is_built:-}" ] || return 0
  need_build_tools
  install_missing clang++=clang # its precompiled headers halve the time
  say "building the table tool ..."
  configure build/tables "" CMAKE_BUILD_TYPE=Debug CMAKE_CXX_FLAGS_DEBUG=-g0 \
    CMAKE_CXX_COMPILER="$(command -v clang++)" RIDGEPOINT_TESTS=OFF
  cmake --build build/tables --target compile_tables
  table_tool_is_built=1
}

# `build_native` with the tests; `build_native <target>` that alone.
build_native() {
  local target=${1:-all}
  [ "${native_is_built:-}" != "$target" ] || return 0
  need_build_tools
  install_missing c++=g++ catch2/catch.hpp=catch2
  build_table_tool
  say "building native ..."
  configure build/native "" CMAKE_BUILD_TYPE=Release RIDGEPOINT_COMPILE_TABLES="$table_tool"
  cmake --build build/native --target "$target"
  native_is_built=$target
}

build_sanitized() {
  [ -z "${sanitized_is_built:-}" ] || return 0
  need_build_tools
  install_missing c++=g++ catch2/catch.hpp=catch2
  install_missing clang++=clang # compiles instrumented code in half the time
  build_table_tool
  say "building with AddressSanitizer and UndefinedBehaviorSanitizer ..."
  configure build/sanitize "" CMAKE_BUILD_TYPE=Debug CMAKE_CXX_FLAGS_DEBUG=-g1 \
    CMAKE_CXX_COMPILER="$(command -v clang++)" RIDGEPOINT_SANITIZE=ON \
    RIDGEPOINT_COMPILE_TABLES="$table_tool"
  cmake --build build/sanitize
  sanitized_is_built=1
}

# `build_wasm` with the tests; `build_wasm modules` the modules alone, which needs no Catch2;
# `build_wasm simulate_speed` that program.
build_wasm() {
  local tests=ON target=${1:-all} built=${wasm_is_built:-} toolchain
  [ "$built" != "$target" ] || return 0
  [ "$built" != all ] || [ "$target" != modules ] || return 0
  if [ "$target" = modules ]; then
    cached build/wasm RIDGEPOINT_TESTS=ON || tests=OFF
  fi
  need_node
  need_build_tools
  install_missing emcc=emscripten
  if [ $tests = ON ]; then install_missing catch2/catch.hpp=catch2; fi
  toolchain=$(emscripten_toolchain)
  build_table_tool
  say "building wasm ..."
  configure build/wasm "$toolchain" CMAKE_BUILD_TYPE=Release RIDGEPOINT_TESTS=$tests \
    RIDGEPOINT_COMPILE_TABLES="$table_tool"
  if [ "$target" = simulate_speed ]; then
    cmake --build build/wasm --target simulate_speed
    return
  fi
  # The linker writes two files and Ninja knows of one.
  [ -f wasm/dist/ridgepoint.wasm ] || rm -f wasm/dist/ridgepoint.mjs
  cmake --build build/wasm --target "${target/#modules/ridgepoint_modules}"
  [ -f wasm/dist/ridgepoint.wasm ] || stop "the build left no wasm/dist/ridgepoint.wasm"
  wasm_is_built=$target
}

build_page() {
  build_wasm modules
  need_npm_packages
  local built=web/dist/index.html newer
  if [ -f $built ]; then
    newer=$(find package-lock.json LICENSE core/data/accuracy web/*.html web/package.json web/vite*.ts \
      web/plugins web/notices web/src web/public wasm/package.json wasm/*.mjs wasm/lib wasm/dist -newer $built -print -quit)
    [ -n "$newer" ] || return 0
  fi
  say "building the page ..."
  npm run --silent build -w web -- --logLevel error
}
