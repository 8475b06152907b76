export type TextFormat = 'markdown' | 'text'

/** A text that is streamed while it is read. */
export interface StreamedText {
  /** Changes whenever the text may have changed. */
  revision: string
  /** The parts of the text in order. */
  parts(format: TextFormat): AsyncGenerator<string, void>
}
