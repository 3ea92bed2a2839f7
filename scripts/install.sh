#!/usr/bin/env bash
# Makes .venv hold exactly what requirements/all.lock says, and this checkout, editable. Does nothing when it does already.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

UV_VERSION=0.13.9
VENV=.venv
STAMP=$VENV/.installed
step="set-up"
fail() {
    echo "install: failed at '$step'. $1" >&2
    exit 1
}

# The place belongs to it: an environment that was moved with its checkout points to the old one.
wanted="$({ echo "$PWD $UV_VERSION"; cat requirements/all.lock pyproject.toml scripts/install.sh; } | sha256sum | cut -d' ' -f1)"
if [[ -x $VENV/bin/python && "$(cat "$STAMP" 2>/dev/null)" == "$wanted" ]]; then
    echo "install: $VENV is up to date"
    exit 0
fi

step="virtual environment"
if ! { [[ -x $VENV/bin/python ]] && "$VENV/bin/python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))'; }; then
    python=""
    for candidate in "${PYTHON:-}" python3.11 python3.12 python3; do
        [[ -n $candidate ]] || continue
        if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' 2>/dev/null; then
            python=$candidate
            break
        fi
    done
    [[ -n $python ]] || fail "It needs Python 3.11 or 3.12: install one, or name it: PYTHON=/path/to/python make install"
    echo "install: [1/4] virtual environment in $VENV, from $python"
    rm -rf "$VENV"
    "$python" -m venv "$VENV" || fail "Is the venv module of $python installed?"
fi

step="uv"
if ! "$VENV/bin/uv" --version 2>/dev/null | grep -q " $UV_VERSION"; then
    echo "install: [2/4] uv $UV_VERSION"
    "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$UV_VERSION" ||
        fail "pip could not get uv; look at its message above (network, proxy, PIP_INDEX_URL)"
fi

# uv does not read what pip is told.
[[ -n ${UV_FIND_LINKS:-} || -z ${PIP_FIND_LINKS:-} ]] || export UV_FIND_LINKS="${PIP_FIND_LINKS// /,}"
[[ -n ${UV_DEFAULT_INDEX:-} || -z ${PIP_INDEX_URL:-} ]] || export UV_DEFAULT_INDEX="$PIP_INDEX_URL"
[[ -n ${SSL_CERT_FILE:-} || -z ${PIP_CERT:-} ]] || export SSL_CERT_FILE="$PIP_CERT"
export VIRTUAL_ENV="$PWD/$VENV"

step="packages"
echo "install: [3/4] packages of requirements/all.lock"
"$VENV/bin/uv" pip install --quiet --require-hashes -r requirements/all.lock ||
    fail "uv could not install the locked packages; look at its message above (network, disk space)"

step="memplane"
echo "install: [4/4] memplane, editable"
"$VENV/bin/uv" pip install --quiet --no-deps --editable . || fail "Look at the message of the build above"

echo "$wanted" >"$STAMP"
echo "install: done"
