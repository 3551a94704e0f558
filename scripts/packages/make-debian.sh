#!/bin/sh
# A Debian in a folder, as debootstrap makes it and nothing besides: make-debian.sh SUITE [PACKAGE...]
#
# Prints the folder, in build/debian. It is made once, also when several want it at the same time, and whoever changes
# one changes a copy. For root alone.
set -eu
umask 022
suite=$1
shift
cache=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)/build/debian
packages=$(IFS=,; echo "$*")
base=$cache/$suite${packages:+,$packages}
mkdir -p "$cache"
exec 9>"$base.lock"
flock 9
if [ ! -e "$base" ]; then
  rm -rf "$base.new"
  # in a mount namespace of its own: what debootstrap mounts goes with it, also when it is killed
  unshare --mount debootstrap --variant=minbase ${packages:+"--include=$packages"} "$suite" "$base.new" http://deb.debian.org/debian 9>&- >&2
  mv "$base.new" "$base"
fi
echo "$base"
