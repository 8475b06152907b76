import assert from 'node:assert/strict'
import { test } from 'node:test'
import { across, cellsIn, down, layout, line, lines, PROSE, rtlLine, texts } from './testing.ts'
import type { Word } from './types.ts'

test('reads columns one after another, below the block above both', () => {
  const left = PROSE.map((text, row) => (row === 0 ? `Left ${text.slice(5)}` : text))
  const right = PROSE.map((text, row) => (row === 0 ? `Right ${text.slice(6)}` : text))
  const heading = line(60, 60, 'A heading over the whole width of the page', { size: 20 })
  const blocks = layout([...lines(320, 106, right), ...heading, ...lines(50, 100, left)])

  assert.deepEqual(
    blocks.map(({ type, text }) => [type, text.split(' ')[0]]),
    [
      ['heading', 'A'],
      ['paragraph', 'Left'],
      ['paragraph', 'Right'],
    ],
  )
})

test('reads three columns from left to right', () => {
  const column = (name: string) => [`${name} is the word that it begins`, ...PROSE.slice(1)]
  const blocks = layout([
    ...lines(400, 100, column('Three')),
    ...lines(220, 100, column('Two')),
    ...lines(40, 100, column('One')),
  ])

  assert.deepEqual(
    blocks.map(({ text }) => text.split(' ')[0]),
    ['One', 'Two', 'Three'],
  )
})

test('joins words hyphenated at a line end and keeps the hyphens of compounds', () => {
  const blocks = layout(
    lines(50, 100, [
      'All of this was a great surprise to the organi-',
      'sation, which had made a well-',
      'known promise to the coast-',
      'Guard of 1990-',
      '1995 and to state-of-the-',
      'art or up\u2010to\u2010',
      'date others.',
    ]),
  )

  assert.deepEqual(texts(blocks), [
    'paragraph: All of this was a great surprise to the organisation, which had made a well-known promise to the coast-Guard of 1990-1995 and to state-of-the-art or up\u2010to\u2010date others.',
  ])
})

test('a larger gap, an indent or a short line starts a paragraph', () => {
  const long = 'This line is as long as the lines of the paragraph are here'
  const words = [
    ...line(50, 100, long),
    ...line(50, 113, 'and it ends early.'),
    ...line(50, 126, `Now ${long}`),
    ...line(65, 139, `So ${long.slice(3)}`),
    ...line(50, 152, long),
    ...line(50, 185, long),
  ]

  assert.deepEqual(
    layout(words).map(({ text }) => text.split(' ')[0]),
    ['This', 'Now', 'So', 'This'],
  )
})

test('heading levels follow size and weight, below the title', () => {
  const words = [
    ...line(50, 60, 'The title', { size: 24 }),
    ...line(50, 110, 'First chapter', { size: 16 }),
    ...lines(50, 140, PROSE),
    ...line(50, 220, 'A bold line', { is_bold: true }),
    ...lines(50, 240, PROSE),
  ]

  const blocks = layout(words, [], { is_first_page: true })
  assert.deepEqual(
    blocks.map(({ type, level }) => [type, level]),
    [
      ['title', undefined],
      ['heading', 1],
      ['paragraph', undefined],
      ['heading', 2],
      ['paragraph', undefined],
    ],
  )
})

test('levels start at 1 on each page, and none of several equally large headings is the title', () => {
  const words = [
    ...line(50, 60, 'Part one', { size: 16 }),
    ...lines(50, 90, PROSE),
    ...line(50, 180, 'Part two', { size: 16 }),
    ...lines(50, 210, PROSE),
    ...line(50, 300, '1.2.3 Numbered', { size: 13 }),
  ]
  const expected = [
    ['heading', 1],
    ['paragraph', undefined],
    ['heading', 1],
    ['paragraph', undefined],
    ['heading', 3],
  ]

  for (const is_first_page of [true, false])
    assert.deepEqual(
      layout(words, [], { is_first_page }).map(({ type, level }) => [type, level]),
      expected,
    )
})

test('levels of list items follow their indent', () => {
  const words = [
    ...line(50, 100, '• The first item is so long that it'),
    ...line(58, 113, 'goes on in another line'),
    ...line(70, 126, '– an item below it'),
    ...line(50, 139, '• The second item'),
    ...line(50, 165, '1. one'),
    ...line(50, 178, '2. two'),
  ]

  assert.deepEqual(
    layout(words).map(({ type, level, text }) => [type, level, text]),
    [
      ['list_item', 1, 'The first item is so long that it goes on in another line'],
      ['list_item', 2, 'an item below it'],
      ['list_item', 1, 'The second item'],
      ['list_item', 1, '1. one'],
      ['list_item', 1, '2. two'],
    ],
  )
})

test('separate lines at the top and bottom are header and footer', () => {
  const words = [...line(50, 30, 'Report of the year'), ...lines(50, 100, PROSE), ...line(290, 770, '17')]

  assert.deepEqual(
    layout(words).map(({ type, text }) => [type, text.split(' ')[0]]),
    [
      ['header', 'Report'],
      ['paragraph', 'The'],
      ['footer', '17'],
    ],
  )
})

test('a ruled grid is a table, and a missing rule makes a spanning cell', () => {
  const rules = [across(100, 50, 350), across(130, 150, 350), across(160, 50, 350), across(190, 50, 350)]
  rules.push(down(50, 100, 190), down(150, 100, 190), down(250, 130, 190), down(350, 100, 190))
  const words = [
    ...line(60, 125, 'Both rows'),
    ...line(180, 110, 'Over two'),
    ...line(160, 140, 'a'),
    ...line(260, 140, 'b'),
    ...line(60, 170, 'c'),
    ...line(260, 164, 'two'),
    ...line(260, 176, 'lines'),
  ]

  const [block] = layout(words, rules)
  assert.deepEqual(cellsIn(block?.table), [
    '1,1 2x1 Both rows',
    '1,2 1x2 Over two',
    '2,2 1x1 a',
    '2,3 1x1 b',
    '3,1 1x1 c',
    '3,2 1x1 ',
    '3,3 1x1 two lines',
  ])
  assert.deepEqual(
    block?.bbox,
    [50 / 600, 100 / 800, 350 / 600, 190 / 800].map((part) => Math.round(part * 1e5) / 1e5),
  )
})

test('aligned gaps form a table with empty, two-line and spanning cells', () => {
  const words = [
    ...line(50, 100, 'Item'),
    ...line(230, 100, 'Both prices'),
    ...line(50, 120, 'Apples from the'),
    ...line(200, 120, '12.50'),
    ...line(300, 120, '13.00'),
    ...line(50, 132, 'garden'),
    ...line(50, 152, 'Pears'),
    ...line(200, 152, '9.10'),
    ...line(50, 172, 'Plums'),
    ...line(200, 172, '7.25'),
    ...line(300, 172, '8.00'),
    ...line(50, 192, 'Nuts'),
    ...line(200, 192, '1.00'),
    ...line(300, 192, '2.00'),
  ]

  const [block] = layout(words)
  assert.deepEqual(cellsIn(block?.table), [
    '1,1 1x1 Item',
    '1,2 1x2 Both prices',
    '2,1 1x1 Apples from the garden',
    '2,2 1x1 12.50',
    '2,3 1x1 13.00',
    '3,1 1x1 Pears',
    '3,2 1x1 9.10',
    '3,3 1x1 ',
    '4,1 1x1 Plums',
    '4,2 1x1 7.25',
    '4,3 1x1 8.00',
    '5,1 1x1 Nuts',
    '5,2 1x1 1.00',
    '5,3 1x1 2.00',
  ])
})

test('rules between rows separate rows of several lines', () => {
  const rules = [100, 120, 152, 172].map((y) => across(y, 50, 400))
  const words = [
    ...line(50, 105, 'Name'),
    ...line(200, 105, 'What it is'),
    ...line(50, 124, 'Harbour'),
    ...line(200, 124, 'Where the ships of the'),
    ...line(200, 137, 'town are built'),
    ...line(50, 157, 'Mill'),
    ...line(200, 157, 'Flour'),
  ]

  const [block] = layout(words, rules)
  assert.equal(block?.text, 'Name\tWhat it is\nHarbour\tWhere the ships of the town are built\nMill\tFlour')
})

test('prose, lists and framed text are not tables', () => {
  const numbered = ['1.', '2.', '3.', '4.'].flatMap((marker, row) => [
    ...line(50, 300 + row * 14, marker),
    ...line(75, 300 + row * 14, 'an item of the list'),
  ])
  const frame = [across(90, 40, 400), across(170, 40, 400), down(40, 90, 170), down(400, 90, 170)]
  const blocks = layout([...lines(50, 100, PROSE), ...numbered], frame)

  assert.deepEqual(
    blocks.map(({ type }) => type),
    ['paragraph', 'list_item', 'list_item', 'list_item', 'list_item'],
  )
})

test('reads right-to-left text in order, with left-to-right text inside it', () => {
  // Placed from right to left; the two English words read from left to right.
  const words = [...rtlLine(500, 100, 'שלום עולם words two ועוד'), ...rtlLine(500, 113, 'סוף 2024')]
  const blocks = layout(words)

  assert.deepEqual(texts(blocks), ['paragraph: שלום עולם two words ועוד סוף 2024'])
})

test('right-to-left text may be left-aligned, and its lists are not tables', () => {
  const setLeft = (y: number, text: string): Word[] => {
    const own = rtlLine(0, y, text)
    const shift = 50 - Math.min(...own.map(({ x0 }) => x0))
    return own.map((word) => ({ ...word, x0: word.x0 + shift, x1: word.x1 + shift }))
  }
  const item = (y: number, text: string): Word[] => {
    const own = setLeft(y, text)
    const right = Math.max(...own.map(({ x1 }) => x1)) + 20
    return [...own, { text: '•', x0: right, y0: y, x1: right + 4, y1: y + 10, size: 10 }]
  }
  const words = [
    ...setLeft(100, 'בראשית ברא אלהים את השמים ואת הארץ והארץ'),
    ...setLeft(113, 'היתה תהו ובהו וחשך על פני תהום ורוח אלהים מרחפת'),
    ...setLeft(126, 'על פני המים ויאמר'),
    ...item(160, 'ספר ראשון'),
    ...item(173, 'ספר אחר גדול'),
    ...item(186, 'עוד'),
  ]

  assert.deepEqual(
    layout(words).map(({ type, text, level }) => [type, text.split(' ').length, level]),
    [
      ['paragraph', 22, undefined],
      ['list_item', 2, 1],
      ['list_item', 3, 1],
      ['list_item', 1, 1],
    ],
  )
})

test('the first column of a right-to-left table is the rightmost one', () => {
  const rules = [
    across(100, 50, 250),
    across(120, 50, 250),
    across(140, 50, 250),
    down(50, 100, 140),
    down(150, 100, 140),
    down(250, 100, 140),
  ]
  const words = [
    ...rtlLine(245, 105, 'שם'),
    ...rtlLine(145, 105, 'כמות'),
    ...rtlLine(245, 125, 'תפוח'),
    ...rtlLine(145, 125, '12'),
  ]

  assert.equal(layout(words, rules)[0]?.text, 'שם\tכמות\nתפוח\t12')
})

test('adds no spaces in scripts without spaces', () => {
  const signs = (y: number, text: string): Word[] =>
    [...text].map((sign, index) => ({
      text: sign,
      x0: 50 + index * 10,
      y0: y,
      x1: 60 + index * 10,
      y1: y + 10,
      size: 10,
    }))
  const blocks = layout([...signs(100, '人工智能是计算机科学的一个分支它'), ...signs(114, '企图了解智能')])

  assert.deepEqual(texts(blocks), ['paragraph: 人工智能是计算机科学的一个分支它企图了解智能'])
})

test('the empty half of a full-width character is not a column gap', () => {
  // As far as ink goes: the full stop and the comma end in the first half of their squares.
  const phrases = (y: number, texts: readonly string[]): Word[] => {
    let at = 50
    return texts.map((text) => {
      const x0 = at
      at += text.length * 10
      return { text, x0, y0: y, x1: at - 7.3, y1: y + 10, size: 10 }
    })
  }
  const words = [
    ...phrases(100, ['帳面には鉛筆で。', '観測は一日に四回、']),
    ...phrases(115, ['靴についた砂は、', '落としましょうね。']),
  ]

  const blocks = layout([...words, ...phrases(130, ['猫は温度計の上。', '寝かせないこと。'])])
  assert.deepEqual(texts(blocks), [
    'paragraph: 帳面には鉛筆で。観測は一日に四回、靴についた砂は、落としましょうね。猫は温度計の上。寝かせないこと。',
  ])
})

test('words stay in their given line, however small their ink is', () => {
  const told = (y: number, text: string) => line(50, y, text).map((word) => ({ ...word, line: { y0: y, y1: y + 10 } }))
  const low = (word: Word): Word => (word.text === ',' ? { ...word, y0: word.y0 + 9, y1: word.y1 + 3 } : word)
  const words = [...told(100, 'one , two'), ...told(112, 'three , four')].map(low)

  assert.deepEqual(texts(layout(words)), ['paragraph: one , two three , four'])
})

test('boxes stay within the page even if words lie outside', () => {
  const words: Word[] = [
    { text: 'wide', x0: -50, y0: 780, x1: 900, y1: 830, size: 50 },
    { text: 'gone', x0: 700, y0: 10, x1: 720, y1: 20, size: 10 },
  ]

  const blocks = layout(words)
  assert.deepEqual(texts(blocks).join(), 'paragraph: wide')
  assert.deepEqual(blocks[0]?.bbox, [0, 0.975, 1, 1])
})

test('lays out twenty thousand words and lines quickly', () => {
  const words = Array.from(
    { length: 20_000 },
    (_, index) => line((index * 37) % 590, (index * 13) % 790, 'word')[0],
  ).filter((word) => word !== undefined)
  const rules = Array.from({ length: 20_000 }, (_, index) =>
    index % 2 === 0 ? across((index * 7) % 800, 0, 600) : down((index * 11) % 600, 0, 800),
  )
  const start = performance.now()
  layout(words, rules)

  assert.ok(performance.now() - start < 20_000, `${performance.now() - start} ms`)
})

test('gives up on rows that form no table, instead of trying again from each of them', () => {
  const words = Array.from({ length: 1_500 }, (_, index) => {
    const place = { y0: index / 2, y1: index / 2 + 0.4, size: 0.4 }
    return [...line(100, 0, '$'), ...line(300, 0, '12')].map((word) => ({ ...word, ...place }))
  }).flat()
  const start = process.cpuUsage()
  layout(words, [])
  const { user } = process.cpuUsage(start)

  assert.ok(user < 10_000_000, `${user / 1_000} ms`)
})
