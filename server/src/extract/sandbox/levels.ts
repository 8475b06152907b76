// Levels of the sandbox, weakest first.

export const sandboxLevels = ['process', 'seccomp', 'landlock', 'bubblewrap'] as const

export type SandboxLevel = (typeof sandboxLevels)[number]

export const isBelow = (level: SandboxLevel, minimum: SandboxLevel): boolean =>
  sandboxLevels.indexOf(level) < sandboxLevels.indexOf(minimum)

export interface DetectedLevel {
  level: SandboxLevel
  /** Why bubblewrap is not used. */
  because: string | null
}

/** Null if the level is strong enough. */
export function findWeakness({ level, because }: DetectedLevel, minimum: SandboxLevel): string | null {
  if (!isBelow(level, minimum)) return null
  return `SANDBOX_MINIMUM is ${minimum}, but this machine offers only '${level}' (bubblewrap: ${because}).`
}
