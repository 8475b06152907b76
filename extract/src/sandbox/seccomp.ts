// The seccomp filter of sandboxed processes: a classic BPF program, assembled here so that no compiler is needed.

import { absentCalls, deniedCalls, inspectedCalls } from './syscalls.ts'

/** Offsets in the kernel's `struct seccomp_data`. */
const NUMBER = 0
const CPU = 4
const lowWord = (argument: number) => 16 + 8 * argument

const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_ANY_BIT = 0x45
const JUMP_AT_LEAST = 0x35
const AND = 0x54
const RETURN = 0x06

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const fail = (errno: number) => 0x00050000 | errno
const EPERM = fail(1)
const ENOSYS = fail(38)

/** The second table of x86-64 call numbers, which would bypass every comparison below. */
const X32 = 0x40000000
const CLONE_THREAD = 0x10000
/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC. O_TMPFILE requires one of the first two. */
const WRITES = 0o1 | 0o2 | 0o100 | 0o1000
/** Puts characters into the input of a terminal that the process shares with its parent. */
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c

const cpus = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
} as const

type Instruction = readonly [code: number, if_true: number, if_false: number, value: number]

/** Null for a CPU whose call numbers are not listed. */
export function buildFilter(arch: string = process.arch): Buffer | null {
  if (arch !== 'x64' && arch !== 'arm64') return null
  const { audit, column } = cpus[arch]
  const program: Instruction[] = [
    [LOAD, 0, 0, CPU],
    [JUMP_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    ...(arch === 'x64' ? refuseIf(JUMP_AT_LEAST, X32, ENOSYS) : []),
    ...refuseAll(deniedCalls, column, EPERM),
    ...refuseAll(absentCalls, column, ENOSYS),
    ...inspect(inspectedCalls.clone[column], 0, [
      [JUMP_ANY_BIT, 1, 0, CLONE_THREAD],
      [RETURN, 0, 0, EPERM],
    ]),
    ...inspect(inspectedCalls.open[column], 1, refuseIf(JUMP_ANY_BIT, WRITES, EPERM)),
    ...inspect(inspectedCalls.openat[column], 2, refuseIf(JUMP_ANY_BIT, WRITES, EPERM)),
    // Limits of the process itself only.
    ...inspect(inspectedCalls.prlimit64[column], 0, [
      [JUMP_EQUAL, 1, 0, 0],
      [RETURN, 0, 0, EPERM],
    ]),
    ...inspect(inspectedCalls.ioctl[column], 1, [
      [AND, 0, 0, 0xffff],
      ...refuseIf(JUMP_EQUAL, TIOCSTI, EPERM),
      ...refuseIf(JUMP_EQUAL, TIOCLINUX, EPERM),
    ]),
    [RETURN, 0, 0, ALLOW],
  ]
  return assemble(program)
}

const refuseIf = (jump: number, value: number, answer: number): Instruction[] => [
  [jump, 0, 1, value],
  [RETURN, 0, 0, answer],
]

function refuseAll(
  calls: Readonly<Record<string, readonly [number, number | null]>>,
  column: 0 | 1,
  answer: number,
): Instruction[] {
  return Object.values(calls).flatMap((numbers) => {
    const number = numbers[column]
    return number === null ? [] : refuseIf(JUMP_EQUAL, number, answer)
  })
}

/** Runs `checks` on the argument of one call, then allows it; other calls skip them. */
function inspect(number: number | null, argument: number, checks: readonly Instruction[]): Instruction[] {
  if (number === null) return []
  return [[JUMP_EQUAL, 0, checks.length + 2, number], [LOAD, 0, 0, lowWord(argument)], ...checks, [RETURN, 0, 0, ALLOW]]
}

/** As `struct sock_filter` lies in memory on a little-endian CPU. */
function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, if_true, if_false, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(if_true, index * 8 + 2)
    bytes.writeUInt8(if_false, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  }
  return bytes
}
