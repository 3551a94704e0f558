#!/bin/sh
# Builds the Debian package of the driver: build-deb.sh PROGRAM OUTPUT-DIRECTORY. The program is a built firstscreen-driverd for this architecture.
set -eu
[ $# -eq 2 ] || { echo "E_PACKAGE_OPTION: usage: build-deb.sh PROGRAM OUTPUT-DIRECTORY" >&2; exit 2; }
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

install -D -m 755 "$program" "$tree/usr/sbin/firstscreen-driverd"
strip --strip-all "$tree/usr/sbin/firstscreen-driverd"
for unit in firstscreen-driver.service firstscreen-driver-wifi-restore.service firstscreen-driver-wifi-restore.timer; do
    install -D -m 644 "$here/$unit" "$tree/lib/systemd/system/$unit"
done
install -D -m 644 "$here/firstscreen-driverd.8" "$tree/usr/share/man/man8/firstscreen-driverd.8"
sh "$here/../../../scripts/packages/build-deb.sh" firstscreen-driver "$(dpkg --print-architecture)" "$here/debian" "$tree" "$2"
