// Clients that never rest: each writes one thing after another, and sends some of it twice.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../lib/random.ts'
import type { Ack, CrashKind, Entry, Ledger, Write } from './ledger.ts'
import { persist, type Sender } from './send.ts'
import { uploadFile } from './uploads.ts'
import { chooseWrite, learn, newDesk } from './writes.ts'

const REPEATED_SHARE = 0.15
const LATER_MS = 4_000

export interface Client {
  name: string
  sender: Sender
  random: Random
  /** Kinds that it does not write. */
  excluded?: ReadonlySet<CrashKind>
}

/** Runs until `end`, and then until the last repetition is answered. */
export async function work(client: Client, ledger: Ledger, end: AbortSignal): Promise<void> {
  const { name, sender, random } = client
  const desk = newDesk()
  const later: Promise<void>[] = []
  for (let number = 0; !end.aborted; number++) {
    const chosen = chooseWrite(random, desk, `${name}-${number}`)
    if (client.excluded?.has(chosen.kind)) continue
    const write = chosen.kind === 'begin' ? await uploadFile(client, ledger, chosen) : chosen
    if (!write) continue
    const first = random.whole(0, 1)
    const repeat = random.next() < REPEATED_SHARE ? random.one(['now', 'later'] as const) : null
    const wait_ms = random.between(0, LATER_MS)
    const twin = repeat === 'now' ? persist(sender, write, first + 1) : null
    const ack = await persist(sender, write, first)
    const entry = settle(ledger, write, sender.secret, ack)
    if (entry) learn(desk, write, ack!.body)
    if (twin) addRepeat(ledger, { write, secret: sender.secret, entry }, await twin)
    if (repeat === 'later') {
      later.push(
        sleep(wait_ms).then(async () =>
          addRepeat(ledger, { write, secret: sender.secret, entry }, await persist(sender, write, first + 1)),
        ),
      )
    }
  }
  await Promise.all(later)
}

function settle(ledger: Ledger, write: Write, secret: string, ack: Ack | null): Entry | null {
  if (!ack) {
    ledger.unanswered.push(`${write.kind} ${write.marker}`)
    return null
  }
  // A 404 means that an earlier attempt, whose answer was lost, or the twin already removed it.
  if (ack.status < 300 || (write.kind === 'remove' && ack.status === 404)) return ledger.add(write, secret, ack)
  ledger.refuse(write, ack)
  return null
}

function addRepeat(
  ledger: Ledger,
  { write, secret, entry }: { write: Write; secret: string; entry: Entry | null },
  ack: Ack | null,
): void {
  if (!ack) ledger.unanswered.push(`${write.kind} ${write.marker}, again`)
  else if (entry) ledger.addRepeat(entry, ack)
  // The twin may have come first: then the effect is acknowledged by it.
  else if (ack.status < 300) ledger.add(write, secret, ack)
}
