import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { encode } from 'jpeg-js'
import { encodePng } from '../raster.ts'
import type { Format } from '../types.ts'
import { jpeg } from './jpeg.ts'
import { png } from './png.ts'
import { tiff } from './tiff.ts'
import { webp } from './webp.ts'

// The same picture in every file, 48 × 32 pixels: white, with a black bar in the upper left quarter. Made with Pillow.
const PICTURES = {
  png_palette:
    'iVBORw0KGgoAAAANSUhEUgAAADAAAAAgAQMAAABuGmlfAAAABlBMVEX///8AAABVwtN+AAAAGUlEQVR42mNgwAP4//9nYGBggnDIpQYWAACZKw' +
    'Igh56BMgAAAABJRU5ErkJggg==',
  png_interlaced:
    'iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAAAAAEGuJRWAAAATUlEQVR42mP4DwYM/xkYwBSUh0IxYJVjgIpjcpAAPg5uA8gxDRcHTYIBDoiVwG' +
    'nU4JQg3YNUlBhiYUUtCepqYMAChr0G2gfrqAZqawAA5gUzFB13f/sAAAAASUVORK5CYII=',
  jpeg_on_its_side:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKF' +
    'E6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/wgALCAAwACABAREA/8QAFwABAQEBAAAAAAAAAAAAAAAAAAUEA//a' +
    'AAgBAQAAAAGmACZlupmW6y8t7//EABwQAAEEAwEAAAAAAAAAAAAAAAQAAxAzAhITMP/aAAgBAQABBQL0MQ18GIa+HmuqbH0zj//EABwQAAEEAw' +
    'EAAAAAAAAAAAAAAAIAARAREiEwgf/aAAgBAQAGPwLoCGQQy26pMWV+T//EABsQAAIDAAMAAAAAAAAAAAAAALHBABBBETBx/9oACAEBAAE/Iexy' +
    'hAtyhAv3ZnMzyy3/2gAIAQEAAAAQAARM/8QAHxAAAQMDBQAAAAAAAAAAAAAAEQEQYQBR8CAwMUHR/9oACAEBAAE/EN2sKWisKT+t0RKWq7N6CU' +
    'VOTL//2Q==',
  tiff_g4_two_pages:
    'SUkqABoAAAAmoMn8sR//////j/////8AEAEMAAABAwABAAAAMAAAAAEBAwABAAAAIAAAAAIBAwABAAAAAQAAAAMBAwABAAAABAAAAAYBAwABAA' +
    'AAAQAAABEBBAABAAAACAAAABYBAwABAAAAIAAAABcBBAABAAAAEgAAABoBBQABAAAAsAAAABsBBQABAAAAuAAAABwBAwABAAAAAQAAACgBAwAB' +
    'AAAAAgAAANoAAADIAAAAAQAAAMgAAAABAAAASUkqABoAAAAmoNX///////////////gAgAgMAAABAwABAAAAIAAAAAEBAwABAAAAMAAAAAIBAw' +
    'ABAAAAAQAAAAMBAwABAAAABAAAAAYBAwABAAAAAQAAABEBBAABAAAAyAAAABYBAwABAAAAMAAAABcBBAABAAAAEgAAABoBBQABAAAAcAEAABsB' +
    'BQABAAAAeAEAABwBAwABAAAAAQAAACgBAwABAAAAAgAAAAAAAADIAAAAAQAAAMgAAAABAAAA',
  tiff_lzw:
    'SUkqAGwAAACAP+BQOCQWDQeEQmFQuGQ2HQ+IRGJRODACLReMRmMxSERqPR6OQePyOLyGKySRyaCyiUyqByyPy6XzCNTKBTSazacRudTuSzagUG' +
    'hUOiUWjUekUmlUumU2nU+oVGpVOqVWGwEACQAAAQMAAQAAADAAAAABAQMAAQAAACAAAAACAQMAAQAAAAgAAAADAQMAAQAAAAUAAAAGAQMAAQAA' +
    'AAEAAAARAQQAAQAAAAgAAAAWAQMAAQAAACAAAAAXAQQAAQAAAGMAAAAcAQMAAQAAAAEAAAAAAAAA',
  tiff_deflate:
    'SUkqAC4AAAB4nO3OMQEAAAgDIPuXniGmHyQggRtT8PHx8fH5+wAAwAJTOZk6AAoAAAEDAAEAAAAwAAAAAQEDAAEAAAAgAAAAAgEDAAMAAACsAA' +
    'AAAwEDAAEAAAAIAAAABgEDAAEAAAACAAAAEQEEAAEAAAAIAAAAFQEDAAEAAAADAAAAFgEDAAEAAAAgAAAAFwEEAAEAAAAlAAAAHAEDAAEAAAAB' +
    'AAAAAAAAAAgACAAIAA==',
  webp_lossy:
    'UklGRkYAAABXRUJQVlA4IDoAAADQAwCdASowACAAPtFeqE4oJSQiKqgBABoJaQAAPZAKQTAZw6O9MQAA/vYC//vA1vv8H8vnQuvoAAAA',
  webp_lossless: 'UklGRjAAAABXRUJQVlA4TCMAAAAvL8AHAA8w//M///MfeFDTthFUBuWPtut3t0f0fwJkJzD0KwA=',
}
const FORMATS: Record<string, Format> = { png, jpeg, tiff, webp }
const bounds = { max_bytes: 1e8, max_pages: 100, max_inflated_bytes: 1e8, max_pixels: 4e7 }

const pictureOf = (name: keyof typeof PICTURES) => Uint8Array.from(Buffer.from(PICTURES[name], 'base64'))

async function open(format: Format, bytes: Uint8Array) {
  return format.open(bytes, {
    claims: { media_type: null, file_name: null },
    media_type: format.media_types[0],
    bounds,
  })
}

async function draw(format: Format, bytes: Uint8Array, number = 1) {
  const image = await (await open(format, bytes)).image?.(number, 150)
  assert.ok(image)
  return image
}

const grey = (width: number, height: number) => ({ width, height, pixels: new Uint8Array(width * height).fill(200) })

for (const name of Object.keys(PICTURES) as (keyof typeof PICTURES)[]) {
  test(`reads an image the right way up: ${name}`, async () => {
    const image = await draw(FORMATS[name.split('_')[0] as string] as Format, pictureOf(name))

    const at = (x: number, y: number) =>
      image.pixels[Math.floor(y * image.height) * image.width + Math.floor(x * image.width)] as number
    assert.ok(image.width > image.height)
    assert.ok(at(0.28, 0.28) < 60, `ink ${at(0.28, 0.28)}`)
    for (const [x, y] of [
      [0.75, 0.28],
      [0.28, 0.75],
      [0.75, 0.75],
    ] as const)
      assert.ok(at(x, y) > 195, `paper ${at(x, y)}`)
  })
}

test('each TIFF directory is a page with its own size', async () => {
  const opened = await open(tiff, pictureOf('tiff_g4_two_pages'))

  const [first, second] = [await opened.page(1), await opened.page(2)]

  assert.equal(opened.page_count, 2)
  assert.deepEqual([first.width, first.height], [(48 / 200) * 72, (32 / 200) * 72])
  assert.deepEqual([second.width, second.height], [(32 / 200) * 72, (48 / 200) * 72])
  assert.deepEqual([first.needs_ocr, first.has_image, first.blocks], [true, true, []])
})

test('a page has the size of its resolution, or A4 if that is implausible', async () => {
  const sizeOf = async (width: number, dpi: number) => {
    const page = await (await open(png, encodePng({ ...grey(width, 100), dpi }))).page(1)
    return Math.round(page.width ?? 0)
  }

  assert.equal(await sizeOf(600, 150), 288)
  assert.equal(await sizeOf(2480, 10), Math.round((2480 / Math.round(2480 / 11.69)) * 72))
  assert.equal(await sizeOf(4000, 72), Math.round((4000 / Math.round(4000 / 11.69)) * 72))
})

test('renders a page at 300 dpi at most, and a small one at 200', async () => {
  const fine = await draw(png, encodePng({ ...grey(1200, 800), dpi: 600 }))
  const coarse = await draw(png, encodePng({ ...grey(100, 50), dpi: 100 }))

  assert.deepEqual([fine.width, fine.height, fine.dpi], [600, 400, 300])
  assert.deepEqual([coarse.width, coarse.height, coarse.dpi], [200, 100, 200])
})

test('refuses an image that is too large by its header', async () => {
  const large_png = encodePng(grey(8, 8))
  new DataView(large_png.buffer, large_png.byteOffset).setUint32(16, 64_000)
  new DataView(large_png.buffer, large_png.byteOffset).setUint32(20, 64_000)
  const large_jpeg = Uint8Array.from(encode({ ...grey(8, 8), data: new Uint8Array(256) }).data)
  large_jpeg.set([0xfa, 0, 0xfa, 0], large_jpeg.findIndex((byte, i) => byte === 0xff && large_jpeg[i + 1] === 0xc0) + 5)
  const large_tiff = tiffOf(64_000, 64_000)
  const large_webp = Uint8Array.from([
    ...Buffer.from('RIFF....WEBPVP8X'),
    10,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0xff,
    0xff,
    0,
    0xff,
    0xff,
    0,
  ])

  for (const [format, bytes] of [
    [png, large_png],
    [jpeg, large_jpeg],
    [tiff, large_tiff],
    [webp, large_webp],
  ] as const) {
    await assert.rejects(open(format, bytes), {
      code: 'document_too_large',
      message: /^6\d,\d{3} × 6\d,\d{3} pixels exceed the limit of 40,000,000/,
    })
  }
})

test('reports a damaged image', async () => {
  for (const name of ['png_palette', 'tiff_lzw', 'webp_lossless', 'tiff_deflate'] as const) {
    const bytes = pictureOf(name)
    const format = FORMATS[name.split('_')[0] as string] as Format
    for (const part of [bytes.slice(0, bytes.length / 2), bytes.slice(0, 20)])
      await assert.rejects(draw(format, part), { code: 'document_unreadable' }, `${name} ${part.length}`)
  }
  await assert.rejects(draw(jpeg, pictureOf('jpeg_on_its_side').slice(0, 150)), { code: 'document_unreadable' })
})

test('refuses a PNG that inflates beyond its header', async () => {
  const header = encodePng(grey(8, 8)).subarray(0, 33)
  const data = deflateSync(new Uint8Array(50_000_000))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const bomb = Uint8Array.from(Buffer.concat([header, length, Buffer.from('IDAT'), data, Buffer.alloc(4)]))

  await assert.rejects(draw(png, bomb), { code: 'document_unreadable' })
})

test('reads TIFF directories that form a cycle once', async () => {
  const ring = tiffOf(8, 8)
  new DataView(ring.buffer).setUint32(ring.length - 4, 8, true)

  assert.equal((await open(tiff, ring)).page_count, 1)
})

test('refuses an animation and says how to convert it', async () => {
  const chunk = [...Buffer.from('ANIM'), 6, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  await assert.rejects(open(webp, Uint8Array.from([...Buffer.from('RIFF....WEBP'), ...chunk])), {
    message: /animation.*Save one frame/,
  })
})

/** One directory with a width and a height, and nothing behind it. */
function tiffOf(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(8 + 2 + 24 + 4)
  const view = new DataView(bytes.buffer)
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0])
  for (const [i, [tag, value]] of [
    [256, width],
    [257, height],
  ].entries()) {
    view.setUint16(10 + i * 12, tag as number, true)
    view.setUint16(12 + i * 12, 4, true)
    view.setUint32(14 + i * 12, 1, true)
    view.setUint32(18 + i * 12, value as number, true)
  }
  return bytes
}
