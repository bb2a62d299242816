#!/usr/bin/env bash
# Makes what a release holds, in build/release: the site, the offline copy, the npm package, and
# their checksums. RIDGEPOINT_SITE tells where the site will be, for the pictures of links to it.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/setup.sh

release=build/release
[ $# = 0 ] || stop "usage: bash web/release.sh"

[ -z "${RIDGEPOINT_SITE:-}" ] || rm -f web/dist/index.html # the address is inside the page
build_page
version=$(node -p 'require("./wasm/package.json").version')
rm -rf $release
mkdir -p $release
tar -C web/dist -czf "$release/ridgepoint-site-$version.tar.gz" .
cp web/dist/ridgepoint-offline.html "$release/ridgepoint-offline-$version.html"
npm pack --silent --workspace wasm --pack-destination $release >/dev/null
checksums() { if command -v sha256sum >/dev/null; then sha256sum -- *; else shasum -a 256 -- *; fi; }
(cd $release && checksums >../SHA256SUMS && mv ../SHA256SUMS .)
say "made in $release:"
ls -l $release
