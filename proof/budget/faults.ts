// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

const RESERVE = 'store.insertReservation(tx, day, call, micros)'
const LEFT = 'const { day, left } = await store.findLeft(tx, call)'

export const faults: Proof['faults'] = {
  no_reservation: {
    what: 'a call is compared with what was spent, and nothing is set aside for it',
    plants: [change('reserve', RESERVE, 'void day')],
  },
  no_lock: {
    what: 'two calls may look at the same money at once',
    plants: [
      change(
        'LOCK_DAY',
        `insert into budget_days (tenant_id, day) values ($1, (clock_timestamp() at time zone 'utc')::date)
  on conflict (tenant_id, day) do update set spent_micros = budget_days.spent_micros returning day::text, spent_micros`,
        `select day::text, spent_micros from budget_days where tenant_id = $1 and day = (clock_timestamp() at time zone 'utc')::date`,
      ),
      // The window is there without it, and not always wide enough to be seen.
      change('reserve', LEFT, `${LEFT}\n    await new Promise((go) => setTimeout(go, 50))`),
    ],
  },
  never_released: {
    what: 'what was set aside stays so when the call has ended',
    plants: [change('pay', 'used)\n    release(tx, call)', 'used)\n    void release')],
  },
  never_spent: {
    what: 'what a call has cost is not counted',
    plants: [
      change('insertUsage', 'if (row.cost_micros > 0) tx.queue(SPEND', 'if (row.cost_micros < 0) tx.queue(SPEND'),
    ],
  },
}
