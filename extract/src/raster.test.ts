import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from './formats/png.ts'
import { type Grey, scaleGrey } from './grey.ts'
import { cleanNoise, noiseOf } from './noise.ts'
import { encodePng, findTilt, toPageImage, turn } from './raster.ts'
import { findRules } from './rules.ts'

const DPI = 150
const paper = (width: number, height: number): Grey => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(255),
})

function fill(grey: Grey, [x0, y0, x1, y1]: readonly [number, number, number, number], value = 0): Grey {
  for (let y = y0; y < y1; y++) grey.pixels.fill(value, y * grey.width + x0, y * grey.width + x1)
  return grey
}

/** Lines of marks about as wide as letters, with gaps between words. */
function pageOfText(): Grey {
  const page = paper(1240, 1754)
  for (let line = 0; line < 40; line++) {
    for (let x = 130; x < 1100; x += 13)
      if ((x + line * 5) % 7 !== 0) fill(page, [x, 150 + line * 32, x + 8, 150 + line * 32 + 14])
  }
  return page
}

for (const degrees of [-4.6, -1.3, 0.4, 2.7]) {
  test(`straightens a page tilted by ${degrees}°`, () => {
    const page = toPageImage(turn(pageOfText(), -degrees), DPI)

    assert.ok(Math.abs(page.tilt - degrees) <= 0.06, `tilt ${page.tilt}`)
    assert.equal(findTilt(page), 0)
  })
}

test('leaves an upright page unchanged', () => {
  const text = pageOfText()

  const page = toPageImage(text, DPI)

  assert.equal(page.tilt, 0)
  assert.equal(page.pixels, text.pixels)
})

test('an empty page has no tilt and no rules', () => {
  assert.deepEqual(toPageImage(paper(300, 400), DPI), { ...paper(300, 400), dpi: DPI, tilt: 0, rules: [] })
})

test('straightening does not cut off text in a corner', () => {
  const inkOf = ({ pixels }: Grey) => pixels.reduce((sum, value) => sum + 255 - value, 0)
  const page = fill(fill(paper(600, 400), [1, 1, 60, 20]), [540, 380, 599, 399])

  const turned = turn(page, 5)

  assert.ok(turned.height > page.height)
  assert.ok(Math.abs(inkOf(turned) / inkOf(page) - 1) < 0.02)
})

test('finds the rules of a table and ignores lines of text', () => {
  const page = pageOfText()
  for (const y of [1500, 1560, 1620]) fill(page, [200, y, 1001, y + 2])
  for (const x of [200, 600, 1000]) fill(page, [x, 1500, x + 1, 1622], 190)

  const rules = findRules(page, DPI).map(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1].map(Math.round))

  const level = rules.filter(([, y0, , y1]) => y0 === y1)
  const upright = rules.filter(([x0, , x1]) => x0 === x1)
  assert.equal(rules.length, 6)
  assert.deepEqual(
    level.map(([x0, y0, x1]) => [x0, y0, x1]).sort((a, b) => (a[1] as number) - (b[1] as number)),
    [
      [200, 1501, 1001],
      [200, 1561, 1001],
      [200, 1621, 1001],
    ],
  )
  assert.deepEqual(
    upright.map(([x0]) => x0).sort((a, b) => (a as number) - (b as number)),
    [201, 601, 1001],
  )
  for (const [, y0, , y1] of upright) assert.ok((y1 as number) - (y0 as number) >= 118)
})

test('a dark area or a short stroke is not a rule', () => {
  const page = fill(fill(paper(800, 800), [100, 100, 700, 200]), [100, 400, 140, 402])

  assert.deepEqual(findRules(page, DPI), [])
})

test('removes specks and leaves clean text unchanged', () => {
  const clean = pageOfText()
  const speckled: Grey = { ...clean, pixels: clean.pixels.slice() }
  for (let i = 4000; i < speckled.pixels.length; i += 197) speckled.pixels[i] = 255 - (speckled.pixels[i] as number)

  const cleaned = cleanNoise(speckled)

  assert.equal(cleanNoise(clean), clean)
  assert.ok(noiseOf(speckled).specks > 0.001)
  assert.equal(noiseOf(cleaned).specks, 0)
  let different = 0
  for (let i = 0; i < clean.pixels.length; i++) if (clean.pixels[i] !== cleaned.pixels[i]) different++
  assert.ok(different / clean.pixels.length < 0.001, `${different}`)
})

test('scaling down averages, and scaling up keeps flat areas flat', () => {
  const board = paper(4, 4)
  for (let i = 0; i < 16; i++) board.pixels[i] = (i + Math.floor(i / 4)) % 2 === 0 ? 0 : 200

  assert.deepEqual([...scaleGrey(board, 2, 2).pixels], [100, 100, 100, 100])
  assert.ok(scaleGrey(fill(paper(5, 5), [0, 0, 5, 5], 77), 17, 13).pixels.every((value) => value === 77))
})

test('a stored page round-trips unchanged', async () => {
  const page = fill(pageOfText(), [3, 3, 200, 90], 140)
  const bounds = { max_bytes: 1e8, max_pages: 10, max_inflated_bytes: 1e8, max_pixels: 1e7 }

  const bytes = encodePng({ ...page, dpi: DPI })

  const opened = await png.open(bytes, {
    claims: { media_type: null, file_name: null },
    media_type: 'image/png',
    bounds,
  })
  const again = await opened.image?.(1, DPI)
  assert.equal(again?.dpi, DPI)
  assert.deepEqual(again?.pixels, page.pixels)
})
