#!/usr/bin/env bash
# The job as the project's CI runs it. Its mistakes are those that people make: it traces its commands, prints its
# environment, shows a key file, and talks to a registry verbosely.
#
#   ci.sh SIGNATURE    the signature of the delivery that started the job
set -eu

echo "##[group]Runner"
uname -s
cargo --version
rustc --version
echo "##[endgroup]"

echo "##[group]Environment"
env
echo "##[endgroup]"

echo "##[group]Checkout"
git log -1 --format='%H %s'
echo "##[endgroup]"

set -x
: "connecting as on call: $ON_CALL, host $DB_HOST"
printf '%s\n' "$DEPLOY_KEY" > deploy.pem
cat deploy.pem
printf 'signer: %s\n' "$LEDGER_SIGNER" > signer.yaml
printf '%s' "$LEDGER_SIGNER" | base64 -w0
curl --silent --verbose --header "Authorization: Bearer $REGISTRY_TOKEN" --header "X-Hub-Signature-256: $1" \
    "$REGISTRY/v2/ledger/manifests/latest" || true
echo "migrating $DATABASE_URL"
cargo build --locked
cargo test --locked --no-fail-fast -- --nocapture --test-threads=1
