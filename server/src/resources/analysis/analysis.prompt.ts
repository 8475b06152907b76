// Prompt for extracting values from a text by a schema.

export const ANALYSIS_VERSION = '2'

export function extractionTask({ instructions, is_part }: { instructions: string | null; is_part: boolean }): string {
  const lines = [
    'Extract values from the text below. Put them into `data`, which follows its schema, and their sources into `evidence`.',
    'Use only values that are in the text. If a value is missing, write null where the schema allows it; otherwise leave the field out if it is not required.',
    'Write numbers without units and without thousands separators. Write a date as YYYY-MM-DD if its format is `date`.',
    'Add one entry to `evidence` for each value: `path` is the JSON Pointer of the value in `data`, such as /total or /items/0/price;',
    '`quote` is a short part of the text that contains the value, copied exactly.',
    ...(is_part ? ['The text is one part of a longer document: leave out values that are not in this part.'] : []),
    ...(instructions === null ? [] : [`Further instructions: ${instructions}`]),
  ]
  return lines.join('\n')
}

export interface ExtractedFields {
  data: unknown
  evidence: { path: string; quote: string }[]
}
