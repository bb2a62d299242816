#!/usr/bin/env bash
# Format, lint and types: `bash tests/lint.sh [format] [biome] [types] [tidy]`, all without a name.
# `bash tests/lint.sh analyze` adds the static analyser to clang-tidy, which takes three times as long.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/setup.sh

check_format() {
  install_missing clang-format=clang-format
  say "clang-format ..."
  find core wasm/src tests \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
    xargs -0 clang-format --dry-run -Werror
}

check_biome() {
  need_npm_packages
  say "biome ..."
  npm run --silent lint
}

check_types() {
  need_npm_packages
  say "types ..."
  local project
  for project in tests/js tests/e2e web web/plugins; do
    npx tsc -p $project/tsconfig.json
  done
}

checksum() {
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

# Matching every check against the headers that a file reads is what takes the time. These look for
# faults in what this code does not have (C's memory and strings, POSIX, threads, virtual functions,
# exceptions, Objective-C): `analyze` runs them too.
rare_checks=$(printf -- ',-%s' bugprone-{bad-signal-to-kill-thread,dynamic-static-initializers} \
  bugprone-{fold-init-type,forward-declaration-namespace,lambda-function-name} \
  bugprone-{misplaced-operator-in-strlen-in-alloc,misplaced-pointer-arithmetic-in-alloc} \
  bugprone-{multiple-statement-macro,no-escape,not-null-terminated-result,parent-virtual-call} \
  bugprone-{posix-return,reserved-identifier,signal-handler,spuriously-wake-up-functions} \
  bugprone-{shared-ptr-array-mismatch,string-literal-with-embedded-nul,stringview-nullptr} \
  bugprone-{suspicious-memory-comparison,suspicious-memset-usage,suspicious-string-compare} \
  bugprone-{terminating-continue,throw-keyword-missing,undefined-memory-manipulation} \
  bugprone-{undelegated-constructor,unhandled-exception-at-new,unhandled-self-assignment} \
  bugprone-{virtual-near-miss,assert-side-effect,exception-escape,copy-constructor-init} \
  misc-{misplaced-const,new-delete-overloads,non-copyable-objects,static-assert} \
  misc-{throw-by-value-catch-by-reference,unconventional-assign-operator} \
  misc-{uniqueptr-reset-release,unused-alias-decls} \
  performance-{no-int-to-ptr,type-promotion-in-math-fn,noexcept-move-constructor} \
  modernize-use-override readability-redundant-{function-ptr-dereference,preprocessor})
export rare_checks

# A file that passed is not read again until it, a header, a table or a rule has changed. What passed
# elsewhere stands in tests/tidy.lock, by the sum of all that it depends on: `bash tests/lint.sh lock`
# reads what is not there and writes the file anew.
tidy_checks() {
  local checks=-bugprone-suspicious-include
  [ -n "${analyze:-}" ] || checks=$checks,-clang-analyzer-*$rare_checks
  echo "$checks"
}

# A batch of dialects is a list of includes by absolute path.
tidy_sum() {
  (echo "$tidy_rules $(tidy_checks)" && sed "s#$PWD##g" "$1" &&
    sed -n 's/^#include "\(\/.*\)"/\1/p' "$1" | xargs -r cat) | checksum
}

tidy_file() {
  local sum
  sum=$(tidy_sum "$1")
  if [ -e "build/tidy/$sum" ] || grep -qs "^$sum " tests/tidy.lock; then return 0; fi
  echo "clang-tidy $1"
  # What the standard library does inside takes most of the analyser's time and is not ours.
  clang-tidy --quiet -p build/native --checks="$(tidy_checks)" --extra-arg=-Xclang \
    --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=c++-stdlib-inlining=false "$1" \
    2>/dev/null || return
  touch "build/tidy/$sum"
}

tidied_files() {
  find build/native/core -name 'unity_*.cxx' -print0
  find core -name '*.cpp' -not -path '*/dialects/*' -print0
}

prepare_tidy() {
  install_missing clang-tidy=clang-tidy
  build_native ridgepoint_tables
  mkdir -p build/tidy
  tidy_rules=$( (clang-tidy --version | grep -o 'LLVM version.*' && cat .clang-tidy &&
    cat build/native/compile_commands.json &&
    find core build/native/tables \( -name '*.hpp' -o -name '*.inc' \) -print0 | LC_ALL=C sort -z |
    xargs -0 cat) | sed "s#$PWD##g" | checksum)
  export tidy_rules
  export -f tidy_checks tidy_sum tidy_file checksum
}

check_tidy() {
  prepare_tidy
  say "clang-tidy${analyze:+ with the analyser} ..."
  # shellcheck disable=SC2016
  tidied_files | xargs -0 -n 1 -P "$(cores)" bash -c 'tidy_file "$1"' -
}

write_tidy_lock() {
  prepare_tidy
  tidied_files | while IFS= read -r -d '' file; do
    echo "$(tidy_sum "$file") $file"
  done | LC_ALL=C sort -k 2 >build/tidy.lock
  mv build/tidy.lock tests/tidy.lock
}

for check in "${@:-all}"; do
  case $check in
    all)
      check_format
      check_biome
      check_types
      check_tidy
      ;;
    format | biome | types | tidy) "check_$check" ;;
    lock) check_tidy && write_tidy_lock ;;
    analyze) analyze=1 && export analyze && check_tidy ;;
    *) stop "unknown check $check: format, biome, types, tidy, lock, analyze" ;;
  esac
done
