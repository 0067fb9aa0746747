/** Plans of the demo university: one of medicine that waits to be taken, those before it, and a year in which there is none. */
import { sql } from 'kysely'
import { demoPart, insertNew, momentBefore } from '#demo/part.ts'
import { planBase, planChangeFigures, planChanges } from './plan.rules.ts'
import { readPlannedYear } from './read.server.ts'
import { solvePlan } from './solve.rules.ts'
import { yearProblem } from './year.rules.ts'

const SECONDS = 1

export default demoPart(['emtyaz_plans'], ['emtyaz_rotations'], async (tx) => {
  const { rows } = await sql<{ id: number }>`select id from emtyaz_years order by id`.execute(tx)
  for (const [n, { id: year_id }] of rows.entries()) {
    const year = await readPlannedYear(tx, year_id)
    const options = { kind: 'plan', keep: n === 0 } as const
    const { planned, figures, present, reasons } = solvePlan({ year, options, seconds: SECONDS, seed: 1 })
    const changes = planned && planChangeFigures(planChanges(year, yearProblem(year, options), planned))
    const found = {
      year_id,
      ...options,
      seconds: SECONDS,
      progress: 100,
      figures,
      present,
      changes,
      base: planBase(year),
    }
    // What was looked for before: taken, thrown away, ended by a fault; then what is there now.
    const before = n === 0 ? (['taken', 'discarded', 'failed'] as const) : []
    await insertNew(tx, 'emtyaz_plans', [
      ...before.map((state, i) => ({
        ...found,
        state,
        plan: null,
        reasons: [],
        created_at: momentBefore(60 - 10 * i),
        finished_at: momentBefore(60 - 10 * i),
        taken_at: state === 'taken' ? momentBefore(59) : null,
      })),
      {
        ...found,
        state: planned ? 'proposed' : 'none',
        plan: planned,
        reasons,
        created_at: momentBefore(1),
        finished_at: momentBefore(1),
        taken_at: null,
      },
    ])
  }
})
