// Prompt for extracting values from a text by a schema.

export const ANALYSIS_VERSION = '1'

export function extractionTask({ instructions, is_part }: { instructions: string | null; is_part: boolean }): string {
  const lines = [
    'Read values out of the text below. `data` holds them as its schema says; `evidence` says where each of them stands.',
    'Take only what the text says. What it does not say is null where the schema allows null, and is left out where it is not required.',
    'Numbers are numbers, without units and without separators of thousands. A date is written as YYYY-MM-DD where its format is `date`.',
    'For each value give one entry of `evidence`: `path` is the JSON Pointer of the value within `data`, such as /total or /items/0/price;',
    '`quote` is a short piece of the text, copied to the letter, in which the value stands.',
    ...(is_part ? ['The text is one part of a longer document: leave out what this part does not say.'] : []),
    ...(instructions === null ? [] : [`Who asks says besides: ${instructions}`]),
  ]
  return lines.join('\n')
}

export interface ExtractedFields {
  data: unknown
  evidence: { path: string; quote: string }[]
}
