#!/bin/sh
# Runs a command of this project with everything it needs in place: with-setup.sh COMMAND [ARGUMENT...]
# The command runs in the root of the checkout, with Node 24 (node_modules/.bin/node) and a usable Go in PATH.
# With nothing to set up this costs well under a second. docs/development.md says what is set up.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
cd "$root"
: "${HOME:=$(eval "echo ~$(id -un)")}"
export HOME

# npm puts node_modules/.bin first in PATH. The set-up may have to replace what is there, so it runs on the machine's own Node.
outer_path=
set -f
old_ifs=$IFS
IFS=:
for entry in $PATH; do
  case $entry in
    '' | */node_modules/.bin) ;;
    *) outer_path=${outer_path:+$outer_path:}$entry ;;
  esac
done
IFS=$old_ifs
set +f

if ! setup_node=$(PATH=$outer_path command -v node); then
  echo 'E_SETUP_NODE: could not start the set-up: there is no node in PATH. Install Node.js 18 or newer with npm (Debian: apt-get install nodejs npm), then run this again.' >&2
  exit 2
fi
PATH=$outer_path "$setup_node" scripts/setup.mjs

go_directory=
if [ -s build/setup/go-directory ]; then
  go_directory=$(cat build/setup/go-directory)
fi
PATH=$root/node_modules/.bin:${go_directory:+$go_directory:}$outer_path
export PATH
if [ $# -gt 0 ]; then
  exec "$@"
fi
