import type { SandboxLevel } from '../../extract/src/sandbox/levels.ts'

export interface SandboxMeasurement {
  detected: SandboxLevel
  /** Everything that hostile code reached at each level that runs here. */
  reached: Partial<Record<SandboxLevel, string[]>>
}
