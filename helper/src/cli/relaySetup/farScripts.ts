/**
 * What runs on the far machine, in its POSIX shell: fixed texts, which get names and fingerprints as arguments. One that changes something takes
 * back what it did when it can not go on.
 */

/** Where systemd has it, in both scopes; functions that all scripts share. */
const PLACES = `
export PATH="$PATH:/usr/sbin:/sbin" LC_ALL=C
service=firstscreen-relay.service
socket=firstscreen-relay.socket
places() {
    case $1 in
    package) library=/usr/lib/firstscreen-relay units=/lib/systemd/system state=/var/lib/firstscreen-relay ;;
    system) library=/usr/local/lib/firstscreen-relay units=/etc/systemd/system state=/var/lib/firstscreen-relay ;;
    user) library=$HOME/.local/lib/firstscreen-relay units=$HOME/.config/systemd/user state=$HOME/.local/lib/firstscreen-relay/state ;;
    *) echo "no such scope: $1" >&2; exit 2 ;;
    esac
    if [ "$1" = user ]; then
        export XDG_RUNTIME_DIR="\${XDG_RUNTIME_DIR:-/run/user/$(id -u)}"
        control() { systemctl --user "$@"; }
    else
        control() { systemctl "$@"; }
    fi
}
`;

/** What is sent and installed: the program, what starts it, and the directory of its libraries, which has the rights of everybody's files here. */
const PARTS = `
parts="firstscreen-relay launch node_modules"
put() {
    cp -R -- "$stage/$1" "$library/$1"
    chmod -R u=rwX,go=rX -- "$library/$1"
}
`;

/** Stops what was installed in a scope, and removes it. Fails where something of it stays. */
const UNINSTALL = `
uninstall() {
    control disable --now "$socket" "$service" >/dev/null 2>&1
    if [ -e "$library/lingers-for-us" ]; then loginctl disable-linger; fi
    rm -rf -- "$units/$service" "$units/$socket" "$library" "$state" || return 1
    # where systemd has moved it, for an account that is there only while the relay runs
    if [ "$1" = system ]; then rm -rf /var/lib/private/firstscreen-relay || return 1; fi
    if [ "$1" = user ]; then rmdir -- "$HOME/.config/systemd/user" "$HOME/.config/systemd" "$HOME/.config" "$HOME/.local/lib" "$HOME/.local" 2>/dev/null; fi
    control daemon-reload >/dev/null 2>&1
    return 0
}
`;

/** What is there: a line NAME=VALUE each. Changes nothing. */
export const PROBE_SCRIPT = `set -u
${PLACES}
is() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "$name=yes"; else echo "$name=no"; fi; }
echo "kernel=$(uname -s)"
echo "machine=$(uname -m)"
echo "uid=$(id -u)"
is systemd ls -d /run/systemd/system
for program in gzip tar perl podman docker; do is "$program" command -v "$program"; done
is sudo command -v sudo
is freeSudo sudo -n true
is bbr grep -qw bbr /proc/sys/net/ipv4/tcp_available_congestion_control
for scope in package system user; do
    places "$scope"
    if [ "$scope" = package ]; then mark=$library/firstscreen-relay; else mark=$units/$service; fi
    [ -e "$mark" ] || continue
    echo "relay=$scope"
    echo "release=$("$library/firstscreen-relay" --version 2>/dev/null)"
    echo "port=$(cat "$units/$socket" "/etc/systemd/system/$socket.d/"*.conf 2>/dev/null | sed -n 's/^ListenStream=\\(.*:\\)\\{0,1\\}\\([0-9]\\{1,\\}\\)$/\\2/p' | tail -n 1)"
    break
done
`;

/** A new directory, which only this user may enter. Arguments: STAGE. */
export const STAGE_SCRIPT = 'umask 077\nmkdir -- "$1"\n';

/** Arguments: STAGE. */
export const UNSTAGE_SCRIPT = 'rm -rf -- "$1"\n';

/** Installs what STAGE has, and starts it. Arguments: SCOPE STAGE. */
export const INSTALL_SCRIPT = `set -eu
${PLACES}${PARTS}${UNINSTALL}
places "$1"
stage=$2
for path in "$library" "$units/$service" "$units/$socket" "$state"; do
    if [ -e "$path" ]; then echo "$path is there already" >&2; exit 1; fi
done
scope=$1
trap 'status=$?; if [ "$status" -ne 0 ]; then set +e; uninstall "$scope"; fi; exit "$status"' EXIT
trap 'exit 1' HUP INT TERM
umask 022
mkdir -p -- "$library" "$units"
echo "$stage" > "$library/made-by"
if [ "$scope" = user ] && [ "$(loginctl show-user --property=Linger --value "$(id -un)" 2>/dev/null)" != yes ]; then
    if ! loginctl enable-linger; then
        echo "this user's programs may not run while he is away; as root there, run: loginctl enable-linger $(id -un); or take --system" >&2
        exit 1
    fi
    : > "$library/lingers-for-us"
fi
for name in $parts; do
    if [ -e "$stage/$name" ]; then put "$name"; fi
done
"$library/firstscreen-relay" fingerprint --directory "$stage/state" > "$library/fingerprint"
install -d -m 700 -- "$state"
install -m 600 -- "$stage/state/"* "$state/"
install -m 644 -- "$stage/$service" "$stage/$socket" "$units/"
# a manager that has just been started by the lingering is not there at once
tries=10
until control daemon-reload 2>/dev/null || [ "$tries" -eq 0 ]; do tries=$((tries - 1)); sleep 0.5; done
control daemon-reload
control enable --now "$socket" "$service"
sleep 1
control is-active --quiet "$socket" "$service" || { control status --no-pager --lines=5 "$service" >&2 || true; exit 1; }
`;

/**
 * Stops the relay, and removes what INSTALL_SCRIPT has made, as often as one likes; a package is stopped only. With a STAGE only where it was
 * installed, or started, from there. Arguments: SCOPE [STAGE].
 */
export const REMOVE_SCRIPT = `set -u
${PLACES}${UNINSTALL}
places "$1"
if [ $# -gt 1 ]; then
    if [ "$1" = package ]; then [ -e "$2/enabled-by-us" ] || exit 0; else [ "$(cat "$library/made-by" 2>/dev/null)" = "$2" ] || exit 0; fi
fi
if [ "$1" = package ]; then control disable --now "$socket" "$service" >/dev/null 2>&1; exit 0; fi
uninstall "$1"
`;

/** A program that does not run here says so itself. Arguments: STAGE. */
export const VERSION_SCRIPT = `set -eu
echo "version=$("$1/firstscreen-relay" --version)"
`;

/** Arguments: STAGE LISTEN. */
export const INIT_SCRIPT = `set -eu
echo "fingerprint=$("$1/firstscreen-relay" init --listen "$2" --directory "$1/state")"
`;

/** Arguments: STAGE NAME FINGERPRINT. */
export const STAGED_ALLOW_SCRIPT = `set -eu
"$1/firstscreen-relay" allow --directory "$1/state" "$2" "$3"
`;

/** Starts the relay of a package. Arguments: STAGE. */
export const START_PACKAGE_SCRIPT = `set -eu
${PLACES}
places package
if ! control is-enabled --quiet "$service"; then : > "$1/enabled-by-us"; fi
control enable --now "$socket" "$service"
tries=20
until [ -e "$state/relay.json" ] || [ "$tries" -eq 0 ]; do tries=$((tries - 1)); sleep 0.5; done
echo "fingerprint=$("$library/firstscreen-relay" fingerprint --directory "$state")"
`;

/** Puts the program of STAGE in the place of the one that runs, which is kept beside it. Arguments: SCOPE STAGE. */
export const UPDATE_SCRIPT = `set -eu
${PLACES}${PARTS}
places "$1"
stage=$2
umask 022
if [ -e "$library/before" ]; then rm -rf -- "$library/before"; fi
mkdir -- "$library/before"
for name in $parts; do
    [ -e "$stage/$name" ] || continue
    if [ -e "$library/$name" ]; then mv -- "$library/$name" "$library/before/$name"; else : > "$library/before/no-$name"; fi
    put "$name"
done
control restart "$service"
sleep 1
control is-active --quiet "$service" || { control status --no-pager --lines=5 "$service" >&2 || true; exit 1; }
`;

/** Takes UPDATE_SCRIPT back, as far as it has come. Arguments: SCOPE. */
export const TAKE_BACK_UPDATE_SCRIPT = `set -eu
${PLACES}${PARTS}
places "$1"
[ -e "$library/before" ] || exit 0
for name in $parts; do
    if [ -e "$library/before/$name" ]; then
        rm -rf -- "$library/$name"
        mv -- "$library/before/$name" "$library/$name"
    elif [ -e "$library/before/no-$name" ]; then
        rm -rf -- "$library/$name"
        rm -- "$library/before/no-$name"
    fi
done
rmdir -- "$library/before"
control restart "$service"
`;

/** What UPDATE_SCRIPT has kept is needed no more. Arguments: SCOPE. */
export const END_UPDATE_SCRIPT = `set -eu
${PLACES}
places "$1"
rm -rf -- "$library/before"
`;

/** As it was written at the installation, for everybody to read. Arguments: SCOPE. */
export const FINGERPRINT_SCRIPT = `set -eu
${PLACES}
places "$1"
echo "fingerprint=$(cat "$library/fingerprint")"
`;

/** Arguments: SCOPE NAME FINGERPRINT STAGE. */
export const ALLOW_SCRIPT = `set -eu
${PLACES}
places "$1"
if "$library/firstscreen-relay" status --directory "$state" | grep -q -F -x -e "  $2 $3"; then exit 0; fi
: > "$4/allowed-by-us"
"$library/firstscreen-relay" allow --directory "$state" "$2" "$3"
`;

/** Takes ALLOW_SCRIPT back. Arguments: SCOPE NAME FINGERPRINT STAGE. */
export const REVOKE_SCRIPT = `set -eu
${PLACES}
places "$1"
[ -e "$4/allowed-by-us" ] || exit 0
"$library/firstscreen-relay" status --directory "$state" | grep -q -F -x -e "  $2 $3" || exit 0
"$library/firstscreen-relay" revoke --directory "$state" "$2"
`;

/** The same, and the relay goes with the last one; it stays where nobody can say who is on its list. Arguments: SCOPE NAME. */
export const LEAVE_SCRIPT = `set -eu
${PLACES}
places "$1"
# what an earlier removal has left serves nobody
if [ ! -e "$library/firstscreen-relay" ]; then echo others=no; exit 0; fi
clients=$("$library/firstscreen-relay" status --directory "$state")
if echo "$clients" | grep -q -F -e "  $2 "; then
    "$library/firstscreen-relay" revoke --directory "$state" "$2"
    clients=$("$library/firstscreen-relay" status --directory "$state")
fi
if echo "$clients" | grep '^  '; then echo others=yes; else echo others=no; fi
`;
