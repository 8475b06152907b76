// Whether what the settings allow fits into this machine.

import { freemem, totalmem } from 'node:os'
import { type Check, type Finding, ok, warning } from './finding.ts'
import { lacking, type Settings } from './settings.ts'
import { byteText } from './storage-disk.ts'

const MIB = 1024 * 1024

export function memoryChecks(settings: Settings): Check[] {
  return [
    {
      name: 'memory',
      run: async () => lacking(settings, 'WORKER_SLOTS', 'PARSER_RESIDENT_MB') ?? judge(settings, readMemory()),
    },
  ]
}

interface DoctorMemory {
  total: number
  available: number
}

/** Reads the container's memory if it has a limit, otherwise the machine's. */
function readMemory(): DoctorMemory {
  const limit = process.constrainedMemory()
  const [total, available] = [totalmem(), freemem()]
  return limit > 0 && limit < total
    ? { total: limit, available: Math.min(available, process.availableMemory()) }
    : { total, available }
}

export function judge({ config }: Settings, { total, available }: DoctorMemory): Finding {
  const { parser_resident_mb } = config.parsing
  const files = config.worker_slots * config.worker_processes
  const needed = files * parser_resident_mb * MIB
  const room = `${byteText(available)} of ${byteText(total)} are free`
  if (needed > total)
    return warning(
      `This host may process ${files} files at once (WORKER_SLOTS × WORKER_PROCESSES), each with up to ${parser_resident_mb} MiB (PARSER_RESIDENT_MB): more than the ${byteText(total)} of this machine.`,
      `Set WORKER_SLOTS to ${Math.max(1, Math.floor((Math.floor(total / (parser_resident_mb * MIB)) - 1) / config.worker_processes))}, or add memory.`,
    )
  if (available < parser_resident_mb * MIB)
    return warning(
      `Memory is short: ${room}, and one file may take ${parser_resident_mb} MiB.`,
      'Find the processes that use it:',
      'ps aux --sort -rss | head',
    )
  return ok(`${room}; ${files} files fit at once.`)
}
