#!/usr/bin/env bash
# Builds the page and serves it on this machine.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/setup.sh

usage="usage: bash web/serve.sh [--port N] [--build-only]"
port=${PORT:-8080}
serve=1
while [ $# -gt 0 ]; do
  case $1 in
    --port) port=${2:-} && shift ;;
    --port=*) port=${1#*=} ;;
    --build-only) serve="" ;;
    -h | --help) echo "$usage" && exit ;;
    *) stop "unknown option $1; $usage" ;;
  esac
  shift || stop "$usage"
done
case $port in
  '' | *[!0-9]*) stop "--port takes a number; $usage" ;;
esac

build_page
[ -n "$serve" ] || { say "built: web/dist" && exit; }
say "serving (Ctrl+C ends it; --port N takes another port):"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ "$port" != 0 ] && command -v xdg-open >/dev/null; then
  (sleep 1 && kill -0 $$ && xdg-open "http://127.0.0.1:$port/") >/dev/null 2>&1 &
fi
exec node web/server.mjs "$port"
