// How the same thing is done here: beside a checkout, or from outside of the container that this runs in.

import { existsSync } from 'node:fs'
import type { Address } from './address.ts'
import { isImage } from './operator-commands.ts'

export const isContainer = (): boolean => isImage() || existsSync('/.dockerenv') || existsSync('/run/.containerenv')

/** The database is a service of the same stack: there its host has a name without dots. */
const isService = ({ host }: Address): boolean =>
  isImage() && !host.includes('.') && !host.includes(':') && host !== 'localhost'

/** As someone who may do everything in the database. */
export const psql = (address: Address, owner: string, statement: string): string =>
  isService(address)
    ? `docker compose exec ${address.host} psql -U ${owner} -d ${address.database} -c '${statement}'`
    : `psql -h ${address.host} -p ${address.port} -U postgres -d ${address.database} -c '${statement}'`

export const lookForServer = (address: Address): string[] =>
  isService(address)
    ? [`docker compose ps ${address.host}`, `docker compose logs ${address.host}`]
    : [`pg_isready -h ${address.host} -p ${address.port}`]

/** Restarts a single-process installation. */
export const startAgain = (): string => (isImage() ? 'docker compose restart octavo' : 'npm start')
/** Starts the worker of an installation with separate processes. */
export const startWorker = (): string =>
  isImage() ? 'docker compose -f compose.scale.yaml up -d worker' : 'npm run worker'
