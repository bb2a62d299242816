#!/usr/bin/env bash
# Measures speed and size, and judges nothing: `bash tests/bench.sh`; `bash tests/bench.sh page` the
# page alone, as the table in the README; `bash tests/bench.sh simulate` the simulator alone.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/setup.sh

bench_simulate() {
  build_native simulate_speed
  build_wasm simulate_speed
  node tests/bench/simulate.mjs build/native/tests/simulate_speed build/wasm/tests/simulate_speed.cjs
}

if [ "${1:-}" = simulate ]; then
  bench_simulate
  exit
fi
case ${1:-all} in
  all) build_native evaluate_lines ;;
  page) ;;
  *) stop "usage: bash tests/bench.sh [page|simulate]" ;;
esac
build_page
install_missing chromium=chromium
CHROMIUM=$(find_chromium)
export CHROMIUM
say "measuring ..."
if [ "${1:-all}" = all ]; then
  node tests/bench/calls.mjs build/native/tests/evaluate_lines
  node tests/bench/sizes.mjs
  bench_simulate
fi
node tests/bench/page.mjs
