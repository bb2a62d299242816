#!/usr/bin/env bash
# Every measured start of the corpus against the estimate: `bash tests/accuracy.sh [--rows] [engine …]`
# prints the error tables, writes core/data/accuracy/<engine>.json, and in rows/ every start as compact
# facts, which the accuracy page works out again. Without the corpus (beside the repository, or where
# RIDGEPOINT_SHARED says) it skips, by name. `bash tests/accuracy.sh speed` holds measured speeds against
# the simulator, and writes the README's table of them.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/setup.sh

build_wasm modules
need_npm_packages
# Speeds are a corpus and a table of their own: `bash tests/accuracy.sh speed`.
if [ "${1:-}" = speed ]; then
  shift
  node tests/accuracy/speed_simulated.mjs --write core/data/accuracy/speed.json "$@"
  node tests/accuracy/speed_readme.mjs
  exit
fi
node tests/accuracy/main.mjs --write core/data/accuracy "$@"
