#!/usr/bin/env bash
# Measures speed and size, and judges nothing: `bash tests/bench.sh`.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/setup.sh

build_native evaluate_lines
build_page
install_missing chromium=chromium
CHROMIUM=$(find_chromium)
export CHROMIUM
say "measuring ..."
node tests/bench/calls.mjs build/native/tests/evaluate_lines
node tests/bench/sizes.mjs
node tests/bench/page.mjs
