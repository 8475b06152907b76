// RTF → blocks and breaks.

import { Unreadable } from '../types.ts'
import { Flow, isRunningText, Lines } from './flow.ts'
import { type Paragraph, PLAIN, type RtfLooks, Story } from './rtf-story.ts'
import { codePageOf, decodeBytes, SIGNS, type Token, tokensOf } from './rtf-tokens.ts'
import { FOOTERS, HEADERS, SEEN_THOUGH_STARRED, UNSEEN } from './rtf-words.ts'

const MAX_DEPTH = 256

type Destination =
  | 'text'
  | 'unseen'
  | 'info'
  | 'fonts'
  | 'styles'
  | 'title'
  | 'marker'
  | 'picture'
  | 'property'
  | 'property_name'

/** State local to a group; the outer group's state is restored at its end. */
interface Group {
  to: Destination
  story: Story
  font: number
  skip_after_unicode: number
  is_unseen: boolean
  paragraph: Paragraph
}

const damaged = () =>
  new Unreadable(
    'document_unreadable',
    'The file is damaged or incomplete. Open it in the program that created it, save it again and upload the new file.',
  )

export class RtfReader {
  readonly flow = new Flow()
  title = ''
  size = { width: 0, height: 0 }
  #code_page = 1252
  #default_font = -1
  readonly #fonts = new Map<number, { code_page: number | null; is_code: boolean }>()
  readonly #styles = new Map<number, { name: string; outline: number | null }>()
  readonly #running = new Set<string>()
  readonly #stack: Group[] = []
  #group: Group
  #section = this.flow.startSection()
  #section_count = 1
  #bytes = ''
  #to_skip = 0
  #is_starred = false
  #name = ''
  #is_first = false
  #property = { name: '', value: '' }

  constructor() {
    this.#group = {
      to: 'text',
      story: new Story('body', this.flow),
      font: -1,
      skip_after_unicode: 1,
      is_unseen: false,
      paragraph: PLAIN,
    }
  }

  read(text: string): void {
    const body = this.#group.story
    for (const token of tokensOf(text)) {
      this.#take(token)
      if (token.type === 'close' && this.#stack.length === 0) {
        body.endParagraph(this.#group.paragraph, this.#looks, true)
        body.endTable()
        return
      }
    }
    throw damaged()
  }

  get #looks(): RtfLooks {
    return { styles: this.#styles, is_code_told: !this.#fonts.get(this.#default_font)?.is_code }
  }

  #take(token: Token): void {
    if (token.type === 'bytes') return this.#takeBytes(token.bytes)
    if (token.type === 'word' && this.#to_skip > 0 && !/^[a-z]/i.test(token.word)) {
      this.#to_skip--
      return
    }
    this.#flushBytes()
    this.#to_skip = 0
    if (token.type === 'open') {
      if (this.#stack.length >= MAX_DEPTH) throw damaged()
      this.#stack.push(this.#group)
      this.#group = { ...this.#group }
      this.#is_first = true
    } else if (token.type === 'close') this.#close()
    else this.#word(token.word, token.number)
  }

  #takeBytes(bytes: string): void {
    const kept = this.#to_skip > 0 ? bytes.slice(this.#to_skip) : bytes
    this.#to_skip = Math.max(0, this.#to_skip - bytes.length)
    if (kept !== '') this.#is_first = false
    this.#bytes += kept
  }

  #flushBytes(): void {
    const { to } = this.#group
    if (to === 'unseen' || to === 'picture') this.#bytes = ''
    if (this.#bytes === '') return
    const code_page = this.#fonts.get(this.#group.font)?.code_page ?? this.#code_page
    const text = decodeBytes(this.#bytes, code_page)
    this.#bytes = ''
    this.#text(text)
  }

  #text(text: string): void {
    const { to, story, is_unseen, font } = this.#group
    if (to === 'title') this.title += text
    else if (to === 'fonts' || to === 'styles') this.#name += text
    else if (to === 'marker') story.marker += text
    else if (to === 'property') this.#property.value += text
    else if (to === 'property_name') this.#property.name += text
    else if (to === 'text' && !is_unseen) story.write(text, this.#fonts.get(font)?.is_code === true)
  }

  #close(): void {
    const ended = this.#group
    const outer = this.#stack.pop()
    if (!outer) throw damaged()
    this.#group = outer
    this.#is_first = false
    if (ended.to === 'fonts') this.#endFont(ended.font)
    if (ended.to === 'styles' && outer.to === 'styles') this.#endStyle(ended.paragraph)
    if (ended.to === 'picture' && outer.to === 'text') outer.story.after.push({ type: 'figure', text: '' })
    if (ended.to === 'property' && outer.to === 'text') this.#endProperty(outer.story)
    if (ended.story !== outer.story) this.#endStory(ended.story, outer.story, ended)
  }

  #endFont(font: number): void {
    if (/courier|mono|consolas|menlo/i.test(this.#name)) {
      const known = this.#fonts.get(font)
      this.#fonts.set(font, { code_page: known?.code_page ?? null, is_code: true })
    }
    this.#name = ''
  }

  #endStyle({ style, outline }: Paragraph): void {
    const name = this.#name.replace(/;\s*$/, '').trim()
    this.#name = ''
    const level = /^heading ([1-9])$/i.exec(name)?.[1]
    this.#styles.set(style, { name, outline: level === undefined ? outline : Number(level) })
  }

  /** A shape without a box for its text keeps it as a property. */
  #endProperty(story: Story): void {
    const { name, value } = this.#property
    if (name.trim() === 'gtextUNICODE' && value.trim() !== '')
      story.after.push({ type: 'paragraph', text: value.trim() })
  }

  #endStory(story: Story, outer: Story, { paragraph }: Group): void {
    story.endParagraph(paragraph, this.#looks, true)
    story.endTable()
    if (!(story.sink instanceof Lines)) return
    const { text } = story.sink
    if (text === '') return
    const { kind } = story
    if (kind === 'endnote') this.flow.addLast({ type: 'paragraph', text })
    else if (kind === 'footnote') outer.sink.addNote({ type: 'paragraph', text })
    else if (kind === 'box') outer.after.push({ type: 'paragraph', text })
    else if ((kind === 'header' || kind === 'footer') && isRunningText(text) && !this.#running.has(`${kind} ${text}`)) {
      this.#running.add(`${kind} ${text}`)
      this.#section[kind].push({ type: kind, text })
    }
  }

  #word(word: string, number: number | null): void {
    if (word === '*') {
      this.#is_starred = true
      return
    }
    const is_starred = this.#is_starred
    this.#is_starred = false
    const is_first = this.#is_first
    this.#is_first = false
    if (is_starred && !SEEN_THOUGH_STARRED.has(word)) this.#group.to = 'unseen'
    else if (is_first && this.#startDestination(word)) return
    else if (this.#group.to === 'unseen' || this.#group.to === 'picture') return
    else if (word === 'u') this.#unicode(number ?? 0)
    else if (
      !this.#characterWord(word, number) &&
      !this.#paragraphWord(word, number) &&
      !this.#group.story.tableWord(word, number ?? 0)
    )
      this.#documentWord(word, number)
  }

  #startDestination(word: string): boolean {
    const group = this.#group
    if (group.to === 'unseen') return true
    if (UNSEEN.has(word)) group.to = 'unseen'
    else if (word === 'fonttbl') group.to = 'fonts'
    else if (word === 'stylesheet') group.to = 'styles'
    else if (word === 'info') group.to = 'info'
    else if (word === 'title' && group.to === 'info') group.to = 'title'
    else if (word === 'pict') group.to = 'picture'
    else if (word === 'sp') {
      group.to = 'property'
      this.#property = { name: '', value: '' }
    } else if (word === 'sn') group.to = 'property_name'
    else if (word === 'listtext' || word === 'pntext') group.to = 'marker'
    else if (word === 'footnote') this.#startStory('footnote')
    else if (word === 'shptxt') this.#startStory('box')
    else if (HEADERS.has(word)) this.#startStory('header')
    else if (FOOTERS.has(word)) this.#startStory('footer')
    else return false
    return true
  }

  #startStory(kind: Story['kind']): void {
    this.#group.story = new Story(kind, new Lines(null))
    this.#group.paragraph = PLAIN
    this.#group.to = 'text'
  }

  #unicode(number: number): void {
    this.#text(String.fromCharCode(number < 0 ? number + 65_536 : number))
    this.#to_skip = this.#group.skip_after_unicode
  }

  #characterWord(word: string, number: number | null): boolean {
    const group = this.#group
    const sign = SIGNS[word]
    if (sign !== undefined) this.#text(sign)
    else if (word === 'uc') group.skip_after_unicode = Math.min(10, Math.max(0, number ?? 1))
    else if (word === 'f') group.font = number ?? -1
    else if (word === 'plain') {
      group.font = this.#default_font
      group.is_unseen = false
    } else if (word === 'v' || word === 'deleted') group.is_unseen = number !== 0
    else if (word === 'fcharset') this.#setFont({ code_page: codePageOf(number ?? 0) })
    else if (word === 'fmodern' && group.to === 'fonts') this.#setFont({ is_code: true })
    else return false
    return true
  }

  #setFont(known: { code_page?: number | null; is_code?: boolean }): void {
    const before = this.#fonts.get(this.#group.font) ?? { code_page: null, is_code: false }
    this.#fonts.set(this.#group.font, { ...before, ...known })
  }

  #paragraphWord(word: string, number: number | null): boolean {
    const group = this.#group
    const set = (change: Partial<Paragraph>): void => {
      group.paragraph = { ...group.paragraph, ...change }
    }
    if (word === 'par' || word === '\n' || word === '\r') group.story.endParagraph(group.paragraph, this.#looks, false)
    else if (word === 'pard') group.paragraph = PLAIN
    else if (word === 's') set({ style: number ?? 0 })
    else if (word === 'outlinelevel') set({ outline: (number ?? 9) < 9 ? (number ?? 0) + 1 : null })
    else if (word === 'ls') set({ list: number ?? 0 })
    else if (word === 'ilvl') set({ level: Math.min(8, Math.max(0, number ?? 0)) })
    else if (word === 'li') set({ indent: number ?? 0 })
    else if (word === 'fi') set({ first: number ?? 0 })
    else if (word === 'pagebb') set({ breaks_before: number !== 0 })
    else if (word === 'intbl') set({ in_table: true })
    else return false
    return true
  }

  #documentWord(word: string, number: number | null): void {
    const { story, paragraph } = this.#group
    if (word === 'page' || word === 'softpage') {
      story.endParagraph(paragraph, this.#looks, true)
      story.endTable()
      story.sink.breakPage(word === 'page' ? 'always' : 'rendered')
    } else if (word === 'sect') {
      story.endParagraph(paragraph, this.#looks, true)
      story.endTable()
      this.#section = this.flow.startSection()
      this.#section_count++
      this.#section.break = 'always'
    } else if (word === 'sectd' && this.#section_count > 1) this.#section.break = 'always'
    else if (word === 'sbknone' || word === 'sbkcol') this.#section.break = 'none'
    else if (word === 'ansicpg') this.#code_page = number ?? 1252
    else if (word === 'ftnalt' && story.kind === 'footnote') story.kind = 'endnote'
    else if (word === 'pgwsxn' || word === 'pghsxn') this.#sectionSize(word, number ?? 0)
    else if (word === 'mac') this.#code_page = 10_000
    else if (word === 'deff') this.#default_font = number ?? -1
    else if (word === 'paperw') this.size.width = (number ?? 0) / 20
    else if (word === 'paperh') this.size.height = (number ?? 0) / 20
  }

  #sectionSize(word: string, twentieths: number): void {
    const size = this.#section.size ?? { ...this.size }
    this.#section.size = word === 'pgwsxn' ? { ...size, width: twentieths / 20 } : { ...size, height: twentieths / 20 }
  }
}
