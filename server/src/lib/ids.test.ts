import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findUuid, floorUuid, NO_UUID, newId, newUuid, timeOfUuid, toId, uuid, uuidOf } from './ids.ts'

// The vectors of the TypeID specification.
const VALID: [id: string, uuid: string][] = [
  ['00000000000000000000000000', '00000000-0000-0000-0000-000000000000'],
  ['00000000000000000000000001', '00000000-0000-0000-0000-000000000001'],
  ['0000000000000000000000000a', '00000000-0000-0000-0000-00000000000a'],
  ['0000000000000000000000000g', '00000000-0000-0000-0000-000000000010'],
  ['00000000000000000000000010', '00000000-0000-0000-0000-000000000020'],
  ['7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['0123456789abcdefghjkmnpqrs', '0110c853-1d09-52d8-d73e-1194e95b5f19'],
  ['01h455vb4pex5vsknk084sn02q', '01890a5d-ac96-774b-bcce-b302099a8057'],
]
const INVALID: [name: string, id: string][] = [
  ['an upper-case suffix', 'doc_0123456789ABCDEFGHJKMNPQRS'],
  ['an upper-case prefix', 'DOC_01h455vb4pex5vsknk084sn02q'],
  ['a suffix that is too short', 'doc_1234567890123456789012345'],
  ['a suffix that is too long', 'doc_123456789012345678901234567'],
  ['a space in the suffix', 'doc_1234567890123456789012345 '],
  ['a hyphen in the suffix', 'doc_123456789-0123456789-01234'],
  ['letters that the alphabet leaves out', 'doc_ooooooiiiiiiuuuuuuulllllll'],
  ['ambiguous letters', 'doc_i23456789ol23456789oi23456'],
  ['a suffix over 128 bits', 'doc_8zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['no prefix', '_01h455vb4pex5vsknk084sn02q'],
  ['no separator', 'doc01h455vb4pex5vsknk084sn02qa'],
  ['another prefix', 'proj_01h455vb4pex5vsknk084sn02q'],
  ['a second separator', 'doc__1h455vb4pex5vsknk084sn02q'],
  ['an empty text', ''],
  ['a character beyond ASCII', 'doc_01h455vb4pex5vsknk084sn02é'],
]

test('the test vectors of the TypeID specification hold in both directions', () => {
  for (const [suffix, value] of VALID) {
    assert.equal(toId('doc', value), `doc_${suffix}`)
    assert.equal(findUuid('doc', `doc_${suffix}`), value)
  }
})

for (const [name, id] of INVALID) {
  test(`rejects an id with ${name}`, () => {
    assert.equal(findUuid('doc', id), null)
    assert.equal(uuidOf('doc', id), NO_UUID)
  })
}

test('every uuid round-trips through its id', () => {
  fc.assert(fc.property(fc.uuid(), (value) => findUuid('page', toId('page', value)) === value))
})

test('rejects any text that is not a valid id', () => {
  fc.assert(fc.property(fc.string(), (text) => uuid(text) === NO_UUID))
  assert.equal(uuid('doc_01h455vb4pex5vsknk084sn02q'), '01890a5d-ac96-774b-bcce-b302099a8057')
  assert.equal(uuid('xyz_01h455vb4pex5vsknk084sn02q'), NO_UUID)
})

test('ids ascend, even within one millisecond and when the clock goes back', () => {
  const now = Date.now() + 1_000
  const made = Array.from({ length: 10_000 }, (_, i) => newUuid(now - (i % 3)))

  assert.deepEqual(made, made.toSorted())
  assert.equal(new Set(made).size, made.length)
})

test('an id is a version 7 uuid that contains its time', () => {
  const time = Date.now() + 60_000
  const value = newUuid(time)

  assert.match(value, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(timeOfUuid(value).getTime(), time)
  assert.match(newId('key'), /^key_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
})

test('the floor of a time is below every id of its millisecond and above every earlier id', () => {
  const time = Date.now() + 120_000

  assert.ok(floorUuid(new Date(time)) < newUuid(time))
  assert.ok(floorUuid(new Date(time + 60_000)) > newUuid(time))
  assert.equal(floorUuid(new Date(-1)), NO_UUID)
  assert.equal(timeOfUuid(floorUuid(new Date('9999-12-31T23:59:59.999Z'))).toISOString(), '9999-12-31T23:59:59.999Z')
})
