// Input of the layout analysis: words and straight lines of one page, from a text layer or from OCR.

import type { Rule } from '../types.ts'

/** In units of the page (points or pixels, it makes no difference), origin at the top left. */
export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

/** Text between two spaces, in logical order: right-to-left words begin at their right. */
export interface Word extends Box {
  text: string
  /** Height of the font: that of the em, or of the line for OCR. */
  size: number
  is_bold?: boolean
  is_italic?: boolean
  /** All letters are of one width. */
  is_mono?: boolean
  /** 0 to 1. */
  confidence?: number
  /** Top and bottom of its line, where its own box is that of its ink: a comma is as high as the words beside it. */
  line?: { y0: number; y1: number }
  /**
   * Whether a space precedes it. If omitted, a space is assumed, except between two characters of a script that is
   * written without spaces.
   */
  space_before?: boolean
}

/** A field of a form that can be filled in. */
export interface FormField extends Box {
  /** The name that the file gives it. */
  name: string
  value: string
  /** A checkbox or a radio button. */
  is_box: boolean
}

export interface PageFrame {
  width: number
  height: number
  /** Horizontal and vertical lines; others are ignored. */
  rules: readonly Rule[]
  /** Filled areas, such as the backgrounds of cells. */
  fills?: readonly Box[]
  images?: readonly Box[]
  /** Curves and slanted lines. */
  drawings?: readonly Box[]
  /** Rectangles that are drawn as a whole. */
  frames?: readonly Box[]
  form?: readonly FormField[]
}

/** A place at the top or bottom of pages, as a part of their height. */
export interface EdgePlace {
  edge: 'top' | 'bottom'
  y: number
}

/** Findings from a sample of a document's pages. */
export interface Survey {
  /** The size of most text. */
  body: number
  /** Sizes of headings, largest first. */
  heading_sizes: readonly number[]
  /** The level of headings with a single number, such as "3 Methods"; null if there are none. */
  numbered_level: number | null
  /** Texts that repeat, and the first page that has each. */
  repeated: readonly (EdgePlace & { text: string; page: number })[]
  /** Rows with the page number: its value minus the number of the page in the file. */
  page_numbers: readonly (EdgePlace & { offset: number })[]
}

export interface LayoutOptions {
  /** The largest text near its top may be the title of the document. */
  is_first_page?: boolean
  /** Findings from other pages of the document, and the number of this page. */
  survey?: Survey | null
  page_number?: number
}
