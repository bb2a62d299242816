#!/usr/bin/env bash
# Fuzzes the readers under AddressSanitizer and UBSan: `bash tests/fuzz.sh [seconds] [target]`,
# 600 seconds and every target unless told. Seeds are the fixtures; what was found stays in
# build/fuzz/<target>.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/setup.sh

seconds=${1:-600}
targets=${2:-config}

install_missing cmake=cmake ninja=ninja-build clang++=clang nlohmann/json.hpp=nlohmann-json3-dev
cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=Release -DRIDGEPOINT_FUZZ=ON \
  -DCMAKE_CXX_COMPILER=clang++ >build/fuzz.log
for target in $targets; do
  say "building ${target}_fuzz ..."
  cmake --build build/fuzz --target "${target}_fuzz" -j "$(cores)" >>build/fuzz.log
  mkdir -p "build/fuzz/$target/seeds" "build/fuzz/$target/found"
  cp tests/fixtures/configs/*.json "build/fuzz/$target/seeds/"
  say "fuzzing $target for $seconds s ..."
  "build/fuzz/tests/${target}_fuzz" -max_total_time="$seconds" -max_len=20000 -timeout=25 \
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="build/fuzz/$target/" \
    "build/fuzz/$target/found" "build/fuzz/$target/seeds"
done
say "nothing found"
