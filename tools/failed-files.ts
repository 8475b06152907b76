// A test reporter that prints the path of each file with a failed test, one per line.

import type { TestEvent } from 'node:test/reporters'

// Node loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Set<string>()
  for await (const { type, data } of events) if (type === 'test:fail' && data.file) files.add(data.file)
  yield [...files].join('\n')
}
