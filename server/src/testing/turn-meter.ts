// Preloaded into a server process (`--import`): measures the CPU time that the main thread spends in one turn of the
// event loop. CPU time, unlike wall-clock time, does not depend on other programs on the machine.

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let longest_ms = 0
let total_ms = usedMs()
let last_ms = total_ms

// A timer that is due fires once in each turn, so two firings enclose at least one whole turn.
function sample(): void {
  const now_ms = usedMs()
  longest_ms = Math.max(longest_ms, now_ms - last_ms)
  last_ms = now_ms
  setTimeout(sample, 1).unref()
}
sample()

/** A message asks for the longest turn and the CPU time since the previous message. */
process.on('message', () => {
  sampleNow()
  process.send?.({ longest_ms, total_ms: last_ms - total_ms })
  longest_ms = 0
  total_ms = last_ms
})
process.channel?.unref()

function sampleNow(): void {
  const now_ms = usedMs()
  longest_ms = Math.max(longest_ms, now_ms - last_ms)
  last_ms = now_ms
}
