#!/bin/sh
# Builds the Debian package of the driver: build-deb.sh PROGRAM OUTPUT-DIRECTORY. The program is a built firstscreen-driverd for this architecture.
set -eu
[ $# -eq 2 ] || { echo "E_PACKAGE_OPTION: usage: build-deb.sh PROGRAM OUTPUT-DIRECTORY" >&2; exit 2; }
program=$(realpath "$1")
mkdir -p "$2"
output=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/package.json")
architecture=$(dpkg --print-architecture)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"

install -D -m 755 "$program" "$tree/usr/sbin/firstscreen-driverd"
strip --strip-all "$tree/usr/sbin/firstscreen-driverd"
install -D -m 644 "$here/firstscreen-driver.service" "$tree/lib/systemd/system/firstscreen-driver.service"
install -D -m 644 "$here/firstscreen-driverd.8" "$tree/usr/share/man/man8/firstscreen-driverd.8"
install -D -m 644 "$here/debian/copyright" "$tree/usr/share/doc/firstscreen-driver/copyright"
install -D -m 644 "$here/debian/lintian-overrides" "$tree/usr/share/lintian/overrides/firstscreen-driver"
# dated by the commit, so that the same commit makes the same package
epoch=$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)
cat > "$tree/usr/share/doc/firstscreen-driver/changelog" <<END
firstscreen-driver ($version) unstable; urgency=medium

  * See CHANGELOG.md of the project.

 -- Firstscreen developers <developers@firstscreen.org>  $(LC_ALL=C date -u -R -d "@$epoch")
END
chmod 644 "$tree/usr/share/doc/firstscreen-driver/changelog"
gzip -9n "$tree/usr/share/man/man8/firstscreen-driverd.8" "$tree/usr/share/doc/firstscreen-driver/changelog"

mkdir "$tree/DEBIAN"
size=$(du -sk --exclude=DEBIAN "$tree" | cut -f 1)
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/" "$here/debian/control.in" > "$tree/DEBIAN/control"
install -m 755 "$here/debian/postinst" "$here/debian/prerm" "$here/debian/postrm" "$tree/DEBIAN/"
(cd "$tree" && find usr lib -type f -exec md5sum {} + > DEBIAN/md5sums)
SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group --build "$tree" "$output/firstscreen-driver_${version}_${architecture}.deb"
