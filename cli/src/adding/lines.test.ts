import assert from 'node:assert/strict'
import { test } from 'node:test'
import { widthOf } from '../width.ts'
import { boardLines } from './lines.ts'
import { newTask, type Task } from './task.ts'

const task = (name: string, more: Partial<Task>): Task => ({ ...newTask(name, name), ...more })
const progress = (completed: number, total: number) => ({ unit: 'pages', completed, failed: 0, total })
const tasks = [
  task('done.pdf', { phase: 'ready' }),
  task('torn.pdf', { phase: 'failed' }),
  task('large.pdf', { phase: 'sending', size_bytes: 4_000_000, sent_bytes: 1_000_000 }),
  task('第三四半期の売上報告書と今後の見通しについての長い名前.pdf', { phase: 'reading', progress: progress(30, 40) }),
  task('next.pdf', { phase: 'queued' }),
  task('later.pdf', { phase: 'waiting' }),
]
const barOf = (line: string): number => (line.match(/█/g)?.length ?? 0) / (line.match(/[█░]/g)?.length ?? 1)

test('shows a line for each file in progress and one total line', () => {
  const lines = boardLines(tasks, { columns: 80, rows: 20 }, false)

  assert.equal(lines.length, 4)
  assert.match(lines[0]!, /^. large\.pdf .*sent 25% of 4\.0 MB$/)
  assert.match(lines[1]!, /^. 第.*….*\.pdf .*reading 30\/40 pages$/)
  assert.match(lines[2]!, /^. next\.pdf .*waiting$/)
  assert.match(lines[3]!, /all files .*2 of 6, 1 failed$/)
  assert.deepEqual(
    [0, 1, 2].map((i) => Math.round(barOf(lines[i]!) * 4)),
    [1, 3, 0],
  )
})

test('lines fit the terminal width and never wrap', () => {
  for (const columns of [20, 40, 60, 80, 100, 120, 200])
    for (const line of boardLines(tasks, { columns, rows: 20 }, false))
      assert.ok(widthOf(line) < columns, `${columns}: ${line}`)
})

test('a short terminal shows no more lines than it has rows', () => {
  const many = Array.from({ length: 30 }, (_, i) => task(`${i}.pdf`, { phase: 'reading' }))

  assert.equal(boardLines(many, { columns: 80, rows: 10 }, false).length, 10)
})

test('the board shows that it is stopping after Ctrl-C', () => {
  assert.match(boardLines(tasks, { columns: 80, rows: 20 }, true).at(-1)!, /Stopping/)
})
