import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminCommand, doctorCommand, isImage, migrateCommand } from './operator-commands.ts'

test('where there is no npm, none is proposed, and nothing is run inside of what may have stopped', () => {
  const [here, there] = [false, true].map((is_image) => [
    migrateCommand(is_image),
    adminCommand(is_image),
    doctorCommand(is_image),
  ])

  assert.equal(isImage(), false)
  assert.deepEqual(here, ['npm run migrate', 'npm run admin --', 'npm run doctor'])
  assert.deepEqual(there, [
    'docker compose run --rm migrate',
    'docker compose run --rm octavo admin',
    'docker compose run --rm --no-deps octavo doctor',
  ])
})
