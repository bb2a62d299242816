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
  for project in tests/js tests/e2e web; do
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

# A file that passed is not read again until it, a header, a table or a rule has changed.
tidy_file() {
  local stamp checks=-bugprone-suspicious-include
  [ -n "${analyze:-}" ] || checks=$checks,-clang-analyzer-*$rare_checks
  # A batch of dialects is a list of includes by absolute path.
  stamp=build/tidy/$( (echo "$tidy_rules $checks" && cat "$1" &&
    sed -n 's/^#include "\(\/.*\)"/\1/p' "$1" | xargs -r cat) | checksum)
  [ ! -e "$stamp" ] || return 0
  echo "clang-tidy $1"
  # What the standard library does inside takes most of the analyser's time and is not ours.
  clang-tidy --quiet -p build/native --checks="$checks" --extra-arg=-Xclang --extra-arg=-analyzer-config \
    --extra-arg=-Xclang --extra-arg=c++-stdlib-inlining=false "$1" 2>/dev/null || return
  touch "$stamp"
}

check_tidy() {
  install_missing clang-tidy=clang-tidy
  build_native ridgepoint_tables
  say "clang-tidy${analyze:+ with the analyser} ..."
  mkdir -p build/tidy
  tidy_rules=$( (clang-tidy --version && cat .clang-tidy build/native/compile_commands.json &&
    find core build/native/tables \( -name '*.hpp' -o -name '*.inc' \) -print0 | sort -z |
    xargs -0 cat) | checksum)
  export tidy_rules
  export -f tidy_file checksum
  # shellcheck disable=SC2016
  {
    find build/native/core -name 'unity_*.cxx' -print0
    find core -name '*.cpp' -not -path '*/dialects/*' -print0
  } | xargs -0 -n 1 -P "$(cores)" bash -c 'tidy_file "$1"' -
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
    analyze) analyze=1 && export analyze && check_tidy ;;
    *) stop "unknown check $check: format, biome, types, tidy, analyze" ;;
  esac
done
