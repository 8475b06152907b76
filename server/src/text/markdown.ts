import type { Block } from '@octavo/contract'
import { markdownOf } from './blocks.ts'
import { inThread } from './thread.ts'

/** Shorter texts take less time than the way to the thread and back. */
const MAX_INLINE_CHARACTERS = 16_384
const markdownInThread = inThread<typeof markdownOf>(new URL('./blocks.ts', import.meta.url), 'markdownOf')

/** `text`: of the same page. */
export const renderMarkdown = async ({ text, blocks }: { text: string; blocks: Block[] }): Promise<string> =>
  text.length <= MAX_INLINE_CHARACTERS ? markdownOf(blocks) : markdownInThread(blocks)
