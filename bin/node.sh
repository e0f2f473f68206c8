#!/bin/sh
# The Node that came along as a package, whatever `node` is on this machine: the npm of Debian 12 makes no link to it in
# node_modules/.bin. It takes this process's place, so that signals reach it once.
case $(uname -m) in
  aarch64) arch=arm64 ;;
  *) arch=x64 ;;
esac
own=$(dirname "$0")/../node_modules/node-linux-$arch/bin
if [ -x "$own/node" ]; then
  PATH=$(cd "$own" && pwd):$PATH
  export PATH
fi
# Else each of a dozen threads keeps freed memory of its own, which few of them ask for again: 8 MB of an idle host.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
# Else the threshold grows with the largest block, and the start's freed memory stays: 5 MB of an idle host.
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
exec node "$@"
