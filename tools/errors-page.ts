// The page of error codes. `doc_url` of every error body points at one of its anchors, so the anchors are the codes.

import { detailMeanings, errorCodes } from '../contract/src/errors.ts'

const example = {
  code: 'validation_error',
  message: 'The request body contains values that are not allowed.',
  details: [
    {
      field: 'title',
      location: 'body',
      code: 'too_long',
      message: 'Must have at most 300 characters.',
      pointer: '/title',
    },
  ],
  request_id: 'req_01h455vb4pex5vsknk084sn02q',
  doc_url: 'https://octavo.example.com/errors#validation_error',
}

export function printErrorsPage(): string {
  const codes = Object.entries(errorCodes)
  const sections = codes.map(([code, { status, when, remedy }]) =>
    [`### ${code}`, '', `Status ${status}. ${when}`, '', `**To fix it:** ${remedy}`, ''].join('\n'),
  )
  return [
    '<!-- Written by `npm run openapi` from contract/src/errors.ts. -->',
    '',
    '# Errors',
    '',
    'Every response with a status of 400 or higher has the same body. Branch on `code`; `message` is for people and can change at any time.',
    'New codes may be added: treat an unknown code like others with the same status.',
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
    'Each entry of `details` names one field, parameter, header or limit and what is wrong with it.',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...Object.entries(detailMeanings).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    '',
  ].join('\n')
}
