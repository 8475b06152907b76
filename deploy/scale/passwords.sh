#!/bin/sh
# Prints the passwords of compose.scale.yaml, newly generated: sh deploy/scale/passwords.sh >>.env
set -eu
random() { od -An -v -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }
echo "OCTAVO_SECRETS=1:$(random 32)"
for name in POSTGRES_PASSWORD APP_PASSWORD SYSTEM_PASSWORD VALKEY_PASSWORD S3_PASSWORD; do
  echo "$name=$(random 24)"
done
