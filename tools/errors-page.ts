// The page of error codes. `doc_url` of every error body points at one of its anchors, so the anchors are the codes.

import { type DetailCode, detailCodes, errorCodes } from '../contract/src/errors.ts'

const meanings: Record<DetailCode, string> = {
  required: 'The field is missing.',
  invalid_type: 'The value has another JSON type than the field.',
  unknown_field: 'There is no such field or parameter.',
  not_allowed_value: 'The value is not one of those that are allowed.',
  too_short: 'The text has too few characters.',
  too_long: 'The text has too many characters.',
  too_few_items: 'The list or map has too few entries.',
  too_many_items: 'The list or map has too many entries.',
  duplicate_items: 'An entry of the list occurs twice.',
  too_small: 'The number is below the minimum.',
  too_large: 'The number is above the maximum.',
  not_multiple_of: 'The number is not a multiple of the step.',
  invalid_format: 'The text does not have the form that is needed, such as that of a time.',
  reference_not_found: 'The id names nothing that you can see.',
  immutable: 'The field can only be set at creation.',
  inconsistent: 'The field contradicts another one.',
  capability_missing: 'This server has no part that can do this.',
  taken: 'The value must be unique and belongs to another resource; its `id` is given where you may see it.',
  quota_exceeded: 'The limit with this name is exceeded.',
  repeated: 'The parameter may be given once only.',
  too_many_errors: 'There are more errors than are listed.',
}

const example = {
  code: 'validation_error',
  message: 'The title is too long.',
  details: [{ field: 'title', location: 'body', code: 'too_long', message: 'Must have at most 300 characters.', pointer: '/title' }],
  request_id: 'req_01h455vb4pex5vsknk084sn02q',
  doc_url: 'https://octavo.example.com/errors#validation_error',
}

export function printErrorsPage(): string {
  const codes = Object.entries(errorCodes)
  const sections = codes.map(([code, { status, when, remedy }]) =>
    [`### ${code}`, '', `Status ${status}. ${when}`, '', `**What to do:** ${remedy}`, ''].join('\n'),
  )
  return [
    '<!-- Written by `npm run openapi` from contract/src/errors.ts. -->',
    '',
    '# Errors',
    '',
    'Every answer with a status of 400 or more has the same body. Branch on `code`; `message` is for people and can change at any time.',
    'New codes can be added: treat one that you do not know like others of its status.',
    '',
    '```json',
    JSON.stringify(example, null, 2),
    '```',
    '',
    '## Codes',
    '',
    '| Status | Code |',
    '|---|---|',
    ...codes.map(([code, { status }]) => `| ${status} | [\`${code}\`](#${code}) |`),
    '',
    ...sections,
    '## Codes in details',
    '',
    'Each entry of `details` names one field, parameter, header or limit, and says what is wrong with it.',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...detailCodes.map((code) => `| \`${code}\` | ${meanings[code]} |`),
    '',
  ].join('\n')
}
