// Levels of the sandbox, weakest first.

const localLevels = ['process', 'seccomp', 'landlock', 'bubblewrap'] as const
/** `container`: another container without network, files and secrets, with at least Landlock inside. */
export const sandboxLevels = [...localLevels, 'container'] as const

export type SandboxLevel = (typeof sandboxLevels)[number]
/** Levels at which a process starts programs itself. */
export type LocalLevel = (typeof localLevels)[number]

export const isLocalLevel = (level: string): level is LocalLevel => localLevels.some((one) => one === level)

export const isBelow = (level: SandboxLevel, minimum: SandboxLevel): boolean =>
  sandboxLevels.indexOf(level) < sandboxLevels.indexOf(minimum)

export interface DetectedLevel<Level extends SandboxLevel = SandboxLevel> {
  level: Level
  /** Why bubblewrap is not used. */
  because: string | null
}

/** Null if the level is strong enough. */
export function findWeakness({ level, because }: DetectedLevel, minimum: SandboxLevel): string | null {
  if (!isBelow(level, minimum)) return null
  const reason = because === null ? '' : ` (bubblewrap: ${because})`
  return `SANDBOX_MINIMUM is ${minimum}, but this machine offers only '${level}'${reason}.`
}
