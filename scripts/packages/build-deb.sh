#!/bin/sh
# Builds a Debian package of a tree of files: build-deb.sh NAME ARCHITECTURE DEBIAN-DIRECTORY TREE OUTPUT-DIRECTORY
#
# TREE has the files as they will be installed, and is changed: pages of the manual are compressed, documents and
# DEBIAN/ are added from DEBIAN-DIRECTORY (control.in, copyright, lintian-overrides, maintainer scripts). What is under
# /etc is configuration. The same tree and commit make the same package, whoever builds it and when. DEB_LEVEL is that
# of xz (6), and of archives (buildPackages.ts).
set -eu
export LC_ALL=C
[ $# -eq 5 ] || { echo "E_PACKAGE_OPTION: usage: build-deb.sh NAME ARCHITECTURE DEBIAN-DIRECTORY TREE OUTPUT-DIRECTORY" >&2; exit 2; }
name=$1
architecture=$2
debian=$(realpath "$3")
tree=$(realpath "$4")
mkdir -p "$5"
output=$(realpath "$5")
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/package.json")
# dated by the commit
: "${SOURCE_DATE_EPOCH:=$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH
umask 022

documents=$tree/usr/share/doc/$name
install -D -m 644 "$debian/copyright" "$documents/copyright"
if [ -e "$debian/lintian-overrides" ]; then
  install -D -m 644 "$debian/lintian-overrides" "$tree/usr/share/lintian/overrides/$name"
fi
cat > "$documents/changelog" <<END
$name ($version) unstable; urgency=medium

  * See CHANGELOG.md of the project.

 -- Firstscreen developers <developers@firstscreen.org>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
find "$tree/usr/share/man" "$documents" -type f ! -name copyright -exec gzip -9n {} +

mkdir "$tree/DEBIAN"
for script in preinst postinst prerm postrm; do
  if [ -e "$debian/$script" ]; then install -m 755 "$debian/$script" "$tree/DEBIAN/"; fi
done
cd "$tree"
if [ -d etc ]; then find etc -type f | sort | sed 's|^|/|' > DEBIAN/conffiles; fi
# of every file that is no configuration
find . -path ./DEBIAN -prune -o -path ./etc -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum > DEBIAN/md5sums
# in KiB, each file rounded up, whatever file system it is on now
size=$(find . -path ./DEBIAN -prune -o -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/" "$debian/control.in" > DEBIAN/control
chmod 644 DEBIAN/control DEBIAN/md5sums
find . -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group -Zxz -z"${DEB_LEVEL:-6}" --build . "$output/${name}_${version}_${architecture}.deb"
