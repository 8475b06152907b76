// Commands to show to the operator: for a checkout, or for a container.

import { existsSync } from 'node:fs'

/** The image has the code and not what it is developed with: neither tools nor npm. */
export const isImage = (): boolean => !existsSync(new URL('../../../tools/', import.meta.url))

/** `is_image` is given only by who asks for the other place. */
export const migrateCommand = (is_image = isImage()): string =>
  is_image ? 'docker compose run --rm migrate' : 'npm run migrate'
export const adminCommand = (is_image = isImage()): string =>
  is_image ? 'docker compose run --rm octavo admin' : 'npm run admin --'
/** Also where nothing runs that one could go into. */
export const doctorCommand = (is_image = isImage()): string =>
  is_image ? 'docker compose run --rm --no-deps octavo doctor' : 'npm run doctor'
