import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageImage } from '../types.ts'
import { blocksOf } from './blocks.ts'
import { TESSERACT_LIMITS, withDoubts } from './doubts.ts'
import { parseHocr } from './hocr.ts'
import { findName, findTag } from './languages.ts'
import { parseOrientation } from './orientation.ts'
import { engineOf, type Orientation, type Recognizer } from './recognizer.ts'
import { isMostlyUnread, wordsOfLines } from './text-lines.ts'

const image: PageImage = {
  width: 4,
  height: 2,
  dpi: 150,
  pixels: Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7]),
  tilt: 0,
  rules: [],
}
const signal = new AbortController().signal
const GERMAN =
  'Der Mieter zahlt die Miete am ersten Tag eines jeden Monats und der Vermieter bestätigt den Eingang schriftlich'

/** Returns the given answers and records the requests. */
function recognizerOf(answers: Record<string, { text: string; confidence: number }>, found: Orientation | null = null) {
  const asked: string[] = []
  const recognizer: Recognizer = {
    id: 'told',
    version: '1',
    installed: ['deu', 'eng', 'osd', 'rus'],
    async recognize({ pixels }, names) {
      const key = `${names.join('+')} ${pixels[0]}`
      asked.push(key)
      const { text, confidence } = answers[key] ?? { text: '~', confidence: 0.3 }
      return {
        words: text.split(' ').map((word, i) => ({ text: word, x0: i, y0: 0, x1: i + 1, y1: 1, size: 1, confidence })),
        confidence,
      }
    },
    findOrientation: async () => {
      asked.push('orientation')
      return found
    },
    async close() {},
  }
  return { asked, engine: engineOf(recognizer) }
}

test('reads a page in English once', async () => {
  const { asked, engine } = recognizerOf({
    'eng 0': { text: 'The tenant pays the rent on the first day of each month', confidence: 0.95 },
  })

  const page = await engine.read(image, { languages: [], signal })

  assert.deepEqual(asked, ['eng 0'])
  assert.deepEqual(page.languages, ['en'])
})

test('reads a German-looking page again as German, and the next one as German at once', async () => {
  const { asked, engine } = recognizerOf({
    'eng 0': { text: GERMAN, confidence: 0.9 },
    'deu 0': { text: GERMAN, confidence: 0.95 },
  })

  const page = await engine.read(image, { languages: [], signal })
  const next = await engine.read(image, { languages: [], likely: page.languages, signal })

  assert.deepEqual(asked, ['eng 0', 'deu 0', 'deu 0'])
  assert.deepEqual([page.languages, next.languages], [['de'], ['de']])
})

test('drops a second result that is worse', async () => {
  const { engine } = recognizerOf({
    'eng 0': { text: GERMAN, confidence: 0.9 },
    'deu 0': { text: 'x', confidence: 0.7 },
  })

  assert.deepEqual((await engine.read(image, { languages: [], signal })).languages, ['en'])
})

test('detects script and orientation if the text is garbage', async () => {
  const upset = { 'rus+eng 7': { text: 'Договор', confidence: 0.9 } }
  const { asked, engine } = recognizerOf(upset, { script: 'Cyrillic', turn: 180 })

  const page = await engine.read(image, { languages: [], signal })

  assert.deepEqual(asked, ['eng 0', 'orientation', 'rus+eng 7'])
  assert.deepEqual([page.languages, page.turned, page.words[0]?.text], [['ru', 'en'], 180, 'Договор'])
})

const FOREIGN = 'DNMIIDTAI DOV DWI MIN 122 1T71 DTRN 22 7D INYI2'

test('refuses a page in a script without installed data and names the script if known', async () => {
  const answers = { 'eng 0': { text: FOREIGN, confidence: 0.2 } }
  const known = recognizerOf(answers, { script: 'Hebrew', turn: 0 })
  const unknown = recognizerOf(answers)

  await assert.rejects(known.engine.read(image, { languages: [], signal }), {
    message: 'its text is in the script Hebrew, which OCR for de, en, ru cannot read, or it is illegible',
  })
  await assert.rejects(unknown.engine.read(image, { languages: ['en'], signal }), {
    message: /is in a script, which OCR/,
  })
})

test('without orientation detection, tries other rotations of a garbled page', async () => {
  const upset = { 'eng 0': { text: FOREIGN, confidence: 0.2 }, 'eng 7': { text: GERMAN, confidence: 0.9 } }
  const { asked, engine } = recognizerOf(upset)

  const page = await engine.read(image, { languages: [], signal })

  assert.deepEqual(asked, ['eng 0', 'orientation', 'eng 7'])
  assert.deepEqual([page.turned, page.warnings], [180, []])
})

test('ignores stray strokes and warns about a page without text unless it is blank', async () => {
  const { engine } = recognizerOf({ 'eng 0': { text: 'il |', confidence: 0.2 } })
  const blank = { ...image, pixels: new Uint8Array(8).fill(255) }
  const read = (page: PageImage) => engine.read(page, { languages: [], signal })

  assert.deepEqual((await read(image)).words, [])
  assert.deepEqual((await read(image)).warnings, ['No text was recognized in the image of this page.'])
  assert.deepEqual((await read(blank)).warnings, [])
})

test('warns about uncertain numbers and much uncertain text', () => {
  const word = (text: string, confidence: number) => ({ text, x0: 0, y0: 0, x1: 1, y1: 1, size: 1, confidence })
  const warningsOf = (...words: ReturnType<typeof word>[]) =>
    withDoubts({ words, confidence: 0.8, languages: ['en'], turned: 0 }, image, {
      limits: TESSERACT_LIMITS,
      script: null,
      available: ['en'],
    }).warnings

  assert.deepEqual(warningsOf(word('Discount', 0.9), word('97%', 0.9), word('of', 0.3)), [])
  assert.deepEqual(warningsOf(word('Discount on everything', 0.9), word('7%', 0.4)), [
    "Uncertain numbers: '7%'. Compare them with the image.",
  ])
  assert.deepEqual(warningsOf(word('clear', 0.9), word('murky', 0.4)), [
    'About 50% of the recognized text is uncertain. Compare it with the image.',
  ])
})

test('uses exactly the requested languages', async () => {
  const { asked, engine } = recognizerOf({ 'rus+deu 0': { text: 'Ja', confidence: 0.9 } })

  const page = await engine.read(image, { languages: ['ru', 'de-AT'], signal })

  assert.deepEqual(asked, ['rus+deu 0'])
  assert.deepEqual(page.languages, ['ru', 'de'])
})

test('parses Tesseract output into words with positions, sizes and confidence', () => {
  const hocr = `<div class='ocr_page' title='image "stdin"; bbox 0 0 1240 1754; ppageno 0'>
   <span class='ocr_header' id='line_1_1' title="bbox 184 187 661 219; baseline 0 -7; x_size 31.5; x_descenders 7; x_ascenders 7">
    <span class='ocrx_word' id='word_1_1' title='bbox 184 187 395 219; x_wconf 96'><strong>A&amp;B</strong></span>
    <span class='ocrx_word' id='word_1_2' title='bbox 400 187 395 219; x_wconf 96'>no width</span>
    <span class='ocrx_word' id='word_1_3' title='bbox 410 187 661 219; x_wconf 50' lang='fra' dir='ltr'>d&#39;été</span>
    <span class='ocrx_word' id='word_1_4' title='bbox 670 187 680 219; x_wconf 0'> </span>
    <span class='ocrx_word' id='word_1_5' title='bbox 690 200 692 202; x_wconf 79'>-</span>
    <span class='ocrx_word' id='word_1_6' title='bbox 700 210 703 213; x_wconf 40'>.</span>
    <span class='ocrx_word' id='word_1_7' title='bbox 710 210 713 213; x_wconf 90'>يد</span>
   </span>`

  const { words, confidence } = parseHocr(hocr)

  assert.deepEqual(words, [
    { text: 'A&B', x0: 184, y0: 187, x1: 395, y1: 219, size: 31.5, confidence: 0.96, line: { y0: 187.5, y1: 219 } },
    { text: "d'été", x0: 410, y0: 187, x1: 661, y1: 219, size: 31.5, confidence: 0.5, line: { y0: 187.5, y1: 219 } },
    { text: '.', x0: 700, y0: 210, x1: 703, y1: 213, size: 31.5, confidence: 0.4, line: { y0: 187.5, y1: 219 } },
    { text: 'يد', x0: 710, y0: 210, x1: 713, y1: 213, size: 31.5, confidence: 0.9, line: { y0: 187.5, y1: 219 } },
  ])
  assert.equal(confidence, (3 * 0.96 + 5 * 0.5 + 0.4 + 2 * 0.9) / 11)
})

test('full-width characters extend to the next one in their line unless it is far away', () => {
  const word = (x0: number, x1: number, text: string) =>
    `<span class='ocrx_word' title='bbox ${x0} 100 ${x1} 120; x_wconf 90'>${text}</span>`
  const begin = `<span class='ocr_line' title="bbox 100 100 400 120; baseline 0 -2; x_size 20; x_descenders 2; x_ascenders 2">`
  const hocr = `${begin}${word(100, 130, '山谷')}${word(150, 160, '里')}${word(300, 320, '铺')}</span>${begin}${word(330, 340, '年')}</span>`

  assert.deepEqual(
    parseHocr(hocr).words.map(({ x0, x1 }) => [x0, x1]),
    [
      [100, 150],
      [150, 160],
      [300, 320],
      [330, 340],
    ],
  )
})

test('maps language names in both directions', () => {
  assert.deepEqual(['de', 'de-AT', 'zh', 'zh-TW', 'zh-Hant', 'xx'].map(findName), [
    'deu',
    'deu',
    'chi_sim',
    'chi_tra',
    'chi_tra',
    undefined,
  ])
  assert.deepEqual(['deu', 'chi_sim', 'chi_tra', 'osd'].map(findTag), ['de', 'zh', 'zh-Hant', undefined])
})

test('ignores an orientation that Tesseract only guesses', () => {
  const answer = (confidence: number) =>
    `Page number: 0\nOrientation in degrees: 180\nRotate: 180\nOrientation confidence: ${confidence}\nScript: Latin\nScript confidence: 3.3\n`

  assert.deepEqual(parseOrientation(answer(8)), { script: 'Latin', turn: 180 })
  assert.deepEqual(parseOrientation(answer(0.2)), { script: 'Latin', turn: 0 })
  assert.equal(parseOrientation('Too few characters. Skipping this page'), null)
})

test('splits a line without words by the width of its letters', () => {
  const words = wordsOfLines({
    lines: [{ text: 'ab cde', box: { x: 10, y: 5, width: 60, height: 20 }, confidence: 0.9 }],
  })

  assert.deepEqual(
    words.map(({ text, x0, x1 }) => [text, x0, x1]),
    [
      ['ab', 10, 30],
      ['cde', 40, 70],
    ],
  )
})

test('blocks of a rotated page lie where its ink is', () => {
  const word = { text: 'Word', x0: 10, y0: 20, x1: 60, y1: 40, size: 20, confidence: 0.9 }
  const bboxOf = (turned: 0 | 90 | 180 | 270) => {
    const sideways = turned === 90 || turned === 270
    const size = sideways ? { width: 200, height: 100 } : { width: 100, height: 200 }
    const { blocks } = blocksOf({ words: [word], confidence: 0.9, turned }, { ...size, rules: [] })
    return blocks[0]?.bbox?.map((value) => Math.round(value * 100) / 100)
  }

  assert.deepEqual(bboxOf(0), [0.1, 0.1, 0.6, 0.2])
  assert.deepEqual(bboxOf(90), [0.1, 0.4, 0.2, 0.9])
  assert.deepEqual(bboxOf(180), [0.4, 0.8, 0.9, 0.9])
  assert.deepEqual(bboxOf(270), [0.8, 0.1, 0.9, 0.6])
})

test('drops lines with far fewer letters than fit', () => {
  const line = (text: string, width: number) => ({ text, box: { x: 0, y: 0, width, height: 20 }, confidence: 0.99 })

  assert.equal(isMostlyUnread([line('A woman is dancing.', 180), line('女性が踊っています。', 200)]), false)
  assert.equal(isMostlyUnread([line(' .', 180), line('  .', 300), line('2026', 40)]), true)
  assert.equal(isMostlyUnread([]), false)
})

test('a block has the confidence of its words', () => {
  const word = (text: string, y0: number, confidence: number) => ({
    text,
    x0: 10,
    y0,
    x1: 90,
    y1: y0 + 10,
    size: 10,
    confidence,
  })
  const words = [word('Above', 10, 0.9), word('Below', 80, 0.5)]

  const { blocks } = blocksOf({ words, confidence: 0.7, turned: 0 }, { width: 100, height: 100, rules: [] })

  assert.deepEqual(
    blocks.map(({ text, confidence }) => [text, confidence]),
    [
      ['Above', 0.9],
      ['Below', 0.5],
    ],
  )
})

test('a ruled line recognized as a bar is not a word', () => {
  const word = (text: string, x0: number, x1: number) => ({ text, x0, y0: 20, x1, y1: 40, size: 20, confidence: 0.9 })
  const words = [word('wire', 10, 60), word('|', 68, 72), word('78|', 80, 122), word('a|b', 140, 170)]
  const page = { words, confidence: 0.9, languages: ['en'], turned: 0 as const }
  const textOf = (rules: PageImage['rules']) =>
    blocksOf(page, { width: 200, height: 100, rules })
      .blocks.map((block) => block.text)
      .join(' ')

  assert.match(textOf([]), /\|.*78\|/)
  assert.doesNotMatch(textOf([70, 120].map((x) => ({ x0: x, y0: 0, x1: x, y1: 100 }))), /\| |78\|/)
  assert.match(textOf([70, 120].map((x) => ({ x0: x, y0: 0, x1: x, y1: 100 }))), /wire[\s\S]*78[\s\S]*a\|b/)
})
