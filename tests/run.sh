#!/usr/bin/env bash
# Builds everything and runs every check: `bash tests/run.sh`, or `--only <stage>` for one stage and
# what it needs. The last line counts the Catch2 cases (natively under the sanitizers, and as wasm)
# and the vitest tests; a stage that fails without a failed test counts as one.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/setup.sh

stages="native wasm format biome types parity js page e2e tidy"
results=build/results

# The tests run natively under AddressSanitizer and UBSan: once, for both.
stage_native() {
  build_sanitized
  run_ctest sanitize
}

stage_wasm() {
  build_wasm
  run_ctest wasm
}

stage_format() { bash tests/lint.sh format; }
stage_biome() { bash tests/lint.sh biome; }
stage_types() { bash tests/lint.sh types; }
# In a whole run clang-tidy has been at work since the start, on what the other stages left idle.
stage_tidy() {
  if [ -z "${tidy_at_work:-}" ]; then
    bash tests/lint.sh tidy
    return
  fi
  local passed=0
  renice -n 0 -g "$tidy_at_work" >/dev/null 2>&1 || true
  wait "$tidy_at_work" || passed=$?
  tidy_at_work=""
  cat build/tidy.log
  return $passed
}

start_tidy() {
  # All that the stages install, for two of them at once would be in each other's way.
  need_build_tools
  install_missing c++=g++ catch2/catch.hpp=catch2 clang++=clang emcc=emscripten \
    clang-format=clang-format clang-tidy=clang-tidy chromium=chromium firefox-esr=firefox-esr \
    openssl=openssl sphinx-build=python3-sphinx
  build_table_tool
  mkdir -p build
  setsid nice -n 19 bash tests/lint.sh tidy >build/tidy.log 2>&1 </dev/null &
  tidy_at_work=$!
}

# Requests through both builds must give the same bytes.
stage_parity() {
  build_sanitized
  build_wasm
  need_npm_packages
  node tests/parity.mjs build/sanitize/tests/evaluate_lines
}

stage_js() {
  build_wasm
  need_npm_packages
  run_vitest js
}

stage_page() { build_page; }

stage_e2e() {
  build_page
  install_missing chromium=chromium firefox-esr=firefox-esr openssl=openssl sphinx-build=python3-sphinx
  CHROMIUM=$(find_chromium)
  FIREFOX=$(find_firefox)
  export CHROMIUM FIREFOX
  run_vitest e2e
}

run_ctest() {
  say "Catch2 ($1) ..."
  ctest --test-dir "build/$1" --parallel "$(cores)" --output-on-failure --test-output-size-passed 1000000 \
    --output-junit "$PWD/$results/$1.xml"
}

run_vitest() {
  say "vitest ($1) ..."
  npm run --silent "test:$1" -- --reporter=default --reporter=json \
    --outputFile.json="$results/$1.json" </dev/null
}

only=""
while [ $# -gt 0 ]; do
  case $1 in
    --only) only=${2:-} && shift ;;
    --only=*) only=${1#*=} ;;
    *) stop "usage: bash tests/run.sh [--only <stage>]; stages: $stages" ;;
  esac
  shift || stop "--only takes one of: $stages"
done
case " $stages " in
  *" ${only:-native} "*) ;;
  *) stop "unknown stage $only; stages: $stages" ;;
esac

need_node
mkdir -p $results
rm -rf "${results:?}"/*
stage=""
passed=""

finish() {
  local status=$?
  trap - EXIT
  if [ -n "${tidy_at_work:-}" ]; then kill -- "-$tidy_at_work" 2>/dev/null || true; fi
  if [ -n "$passed" ]; then
    say "all stages passed: ${only:-$stages}"
    node tests/counts.mjs $results
    exit
  fi
  say "FAILED: $stage (bash tests/run.sh --only $stage)"
  node tests/counts.mjs $results --stage-failed
  exit $((status ? status : 1))
}
trap finish EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

if [ -z "$only" ]; then
  stage=install
  start_tidy
fi
for stage in ${only:-$stages}; do
  say "--- $stage"
  "stage_$stage"
done
passed=1
