// How the program ends. Scripts branch on these, so they are never given another meaning.

export const exits = {
  fine: 0,
  failed: 1,
  wrong_usage: 2,
  not_found: 3,
  not_allowed: 4,
  unreachable: 5,
  interrupted: 130,
} as const

/** Ends the program with these words and without a stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly exit: number
  /** The next step for the user. */
  readonly hint: string | null

  constructor(message: string, exit: number, hint: string | null = null) {
    super(message)
    this.exit = exit
    this.hint = hint
  }
}

/** Ctrl-C, or a request from outside to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}
