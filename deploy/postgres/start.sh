#!/bin/sh
# Starts PostgreSQL with a password that the first start generates. The volume /database holds it, and the URL with it
# for the migrate service, which is the only other service that mounts the volume.
set -eu
umask 077
if [ ! -s /database/url ]; then
  password=${POSTGRES_PASSWORD:-$(od -An -v -N24 -tx1 /dev/urandom | tr -d ' \n')}
  printf '%s\n' "$password" >/database/password
  printf 'postgres://%s:%s@postgres:5432/%s\n' "$POSTGRES_USER" "$password" "$POSTGRES_DB" >/database/url.new
  # The user of Octavo's image.
  chown 10001 /database/url.new
  mv /database/url.new /database/url
fi
POSTGRES_PASSWORD=$(cat /database/password)
export POSTGRES_PASSWORD
exec docker-entrypoint.sh "$@"
