// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

const SERVICE = 'server/src/usage/usage.service.ts'
const STORE = 'server/src/usage/usage.store.ts'
const RESERVE = 'store.insertReservation(tx, day, call, micros)'
const LEFT = 'const { day, left } = await store.findLeft(tx, call)'

export const faults: Proof['faults'] = {
  no_reservation: {
    what: 'a call is compared with what was spent, and nothing is set aside for it',
    plants: [{ file: SERVICE, find: RESERVE, replace: 'void day' }],
  },
  no_lock: {
    what: 'two calls may look at the same money at once',
    plants: [
      {
        file: STORE,
        find: `insert into budget_days (tenant_id, day) values ($1, (clock_timestamp() at time zone 'utc')::date)
  on conflict (tenant_id, day) do update set spent_micros = budget_days.spent_micros returning day::text, spent_micros`,
        replace: `select day::text, spent_micros from budget_days where tenant_id = $1 and day = (clock_timestamp() at time zone 'utc')::date`,
      },
      // The window is there without it, and not always wide enough to be seen.
      { file: SERVICE, find: LEFT, replace: `${LEFT}\n    await new Promise((go) => setTimeout(go, 50))` },
    ],
  },
  never_released: {
    what: 'what was set aside stays so when the call has ended',
    plants: [
      {
        file: 'server/src/outcomes/model-calls.ts',
        find: 'used)\n    release(tx, call)',
        replace: 'used)\n    void release',
      },
    ],
  },
  never_spent: {
    what: 'what a call has cost is not counted',
    plants: [
      {
        file: STORE,
        find: 'if (row.cost_micros > 0) tx.queue(SPEND',
        replace: 'if (row.cost_micros < 0) tx.queue(SPEND',
      },
    ],
  },
}
