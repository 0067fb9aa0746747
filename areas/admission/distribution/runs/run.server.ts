/** Runs: previewed by a job, compared, confirmed on what they stood on. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { newToken } from '#kit/server/identity/sessions.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { WorkerPool } from '#kit/server/workers/pool.ts'
import { admissionState } from '#areas/admission/admissions/admissions/admission.server.ts'
import type { DistributionInput } from '../input.rules.ts'
import type { Distributed } from './distribute.rules.ts'
import { readInput } from './input.server.ts'
import { writeRun } from './write.server.ts'
import {
  distributionRunCalls as calls,
  distributionFlow,
  distributionRun,
  distributionSteps,
  type RunFacts,
} from './run.contract.ts'

/** A million applicants take a few seconds; their columns lie outside the heap. */
const pool = new WorkerPool<DistributionInput, Distributed>(new URL('./distribute.worker.ts', import.meta.url), {
  size: 1,
  timeMs: 10 * 60_000,
  heapMb: 2048,
})

/** The lot of an admission, drawn when it is first needed. */
async function lotSeed(tx: Tx, admission_id: number): Promise<string> {
  const { rows } = await sql<{
    lot_seed: string
  }>`update admissions set lot_seed = coalesce(lot_seed, ${newToken().token.slice(0, 32)})
    where id = ${admission_id} and removed_at is null returning lot_seed`.execute(tx)
  if (!rows[0]) throw refuse(422, 'not_found', {}, 'admission_id')
  return rows[0].lot_seed
}

/** Makes a preview. */
export const distributeJob = defineJob({
  name: 'distribute-applicants',
  async run(ctx, { admission_id }: { admission_id: number }, progress) {
    return ctx.write(async (tx) => {
      // Two at the same moment are made one after the other.
      await sql`select pg_advisory_xact_lock(25116, ${admission_id})`.execute(tx)
      const seed = await lotSeed(tx, admission_id)
      const read = await readInput(tx, admission_id, seed, () => progress(20))
      if (read.input.applicants === 0) throw refuse(409, 'distribution_nobody_waits')
      await progress(40)
      const found = await pool.run(read.input)
      await progress(60)
      const id = await writeRun(tx, ctx.actor?.user_id ?? null, admission_id, seed, read, found, progress)
      await distributionWorkflow.begin(ctx, tx, id, 'previewed', { action: 'distribute' })
      return { id }
    })
  },
})

/** More applicants than these are confirmed by a job. */
const AT_ONCE = 2000

export const distributionWorkflow = serveWorkflow(distributionFlow, distributionSteps, {
  table: 'distribution_runs',
  // A seat in one faculty depends on those of all others: a right that is bound to a part decides nothing here.
  scope: () => ({}),
  seen: ['access_distribution'],
  nameOf: 't.code',
  // Whoever lets the program distribute has decided nothing yet.
  enteredByOfficer: true,
  facts: async (_ctx, tx, ids) => {
    const { rows } = await sql<
      RunFacts & { id: number }
    >`select t.id, ${sql.raw(admissionState('a'))} = 'open' as open, t.assigned,
        exists (select from distribution_runs o where o.admission_id = t.admission_id and o.round = t.round and o.status = 'confirmed' and o.id <> t.id) as over,
        (select count(*)::int from distribution_places p join applicants g on g.id = p.applicant_id where p.run_id = t.id and t.status = 'confirmed'
          and p.program_id is not null and (g.status <> 'DISTRIBUATION_REQUIRED' or g.program_id is distinct from p.program_id)) as moved
      from distribution_runs t join admissions a on a.id = t.admission_id where t.id = any(${[...ids]}::int[])`.execute(
      tx,
    )
    return new Map(rows.map(({ id, ...facts }) => [id, facts]))
  },
  state: {
    read: 't.status',
    write: async (_ctx, tx, moved) => {
      for (const { id, to } of moved)
        await sql`update distribution_runs set status = ${to}, confirmed_at = ${to === 'confirmed' ? sql`now()` : null} where id = ${id}`.execute(
          tx,
        )
    },
  },
  heavy: async (_ctx, tx, id) => {
    const { rows } = await sql<{
      many: boolean
    }>`select applicants > ${AT_ONCE} as many from distribution_runs where id = ${id}`.execute(tx)
    return firstRow(rows).many
  },
  effect: async (_ctx, tx, moved) => {
    for (const { id, action } of moved) {
      if (action === 'confirm') await giveSeats(tx, id)
      if (action === 'take_back') await takeSeatsBack(tx, id)
      // Nobody looks at a preview that was discarded; a million places are a lot.
      if (action === 'discard') await sql`delete from distribution_places where run_id = ${id}`.execute(tx)
    }
  },
})

/**
 * Gives everybody of a run the seat that it shows. Applicants, seats and formula are held, and must be what the run stood on.
 *
 * @throws {Refusal} 409 `distribution_outdated`
 */
async function giveSeats(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{
    admission_id: number
    lot_seed: string
    input_hash: Buffer
  }>`select admission_id, lot_seed, input_hash
    from distribution_runs where id = ${id}`.execute(tx)
  const { admission_id, lot_seed, input_hash } = firstRow(rows)
  await sql`select from admissions where id = ${admission_id} for no key update`.execute(tx)
  await sql`select from admission_programs where admission_id = ${admission_id} order by id for no key update`.execute(
    tx,
  )
  await sql`select from applicants where admission_id = ${admission_id} and status = 'DISTRIBUATION_REQUIRED' order by id for no key update`.execute(
    tx,
  )
  const { hash } = await readInput(tx, admission_id, lot_seed)
  if (!hash.equals(input_hash)) throw refuse(409, 'distribution_outdated')
  await portions(tx, id, ({ from, until }) =>
    sql`update applicants t set program_id = p.program_id from distribution_places p
      where p.run_id = ${id} and p.applicant_id between ${from} and ${until} and t.id = p.applicant_id and p.program_id is not null`.execute(
      tx,
    ),
  )
}

/** Applicants who are changed by one statement: what the log keeps of them is held in memory until it ends. */
const PORTION = 20_000
/** The applicants of a run, some at a time, by their ids. */
async function portions(
  tx: Tx,
  id: number,
  work: (ids: { readonly from: number; readonly until: number }) => Promise<unknown>,
): Promise<void> {
  const { rows } = await sql<{
    from: number
    until: number
  }>`select min(applicant_id) as from, max(applicant_id) as until from (select applicant_id,
        (row_number() over (order by applicant_id) - 1) / ${PORTION}::int as portion from distribution_places where run_id = ${id}) x
      group by portion order by portion`.execute(tx)
  for (const ids of rows) await work(ids)
}

/** Takes back every seat of a run. Whoever has gone on with one meanwhile, or has another, stops it. @throws {Refusal} 409 */
async function takeSeatsBack(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ given: number }>`select count(*)::int as given from distribution_places
    where run_id = ${id} and program_id is not null`.execute(tx)
  const { given } = firstRow(rows)
  let back = 0
  await portions(tx, id, async ({ from, until }) => {
    const { numAffectedRows } = await sql`update applicants t set program_id = null
      from distribution_places p where p.run_id = ${id} and p.applicant_id between ${from} and ${until} and t.id = p.applicant_id
        and t.program_id = p.program_id and t.status = 'DISTRIBUATION_REQUIRED'`.execute(tx)
    back += Number(numAffectedRows ?? 0)
  })
  if (back < given) throw refuse(409, 'distribution_seats_offered', { count: given - back })
}

const runs = workings(distributionRun, {
  search: ['fold_text(t.code)'],
  lookups: ['admission_id'],
  flow: distributionWorkflow,
})

export const distributionRunHandlers: readonly Handled[] = [
  ...runs.handlers,
  ...distributionWorkflow.handlers,
  handle(calls.distribute, (ctx, { body: { admission_id } }) => {
    // A seat in one faculty depends on those of all others.
    if (!reachesAll(ctx, 'distribute_applicants')) throw refuse(403, 'not_allowed')
    return ctx.write(async (tx) => {
      const { rows } = await sql<{
        waiting: boolean
      }>`select exists (select from applicants t where t.admission_id = a.id
          and t.status = 'DISTRIBUATION_REQUIRED' and t.program_id is null and t.removed_at is null) as waiting
        from admissions a where a.id = ${admission_id} and a.removed_at is null`.execute(tx)
      if (!rows[0]) throw refuse(422, 'not_found', {}, 'admission_id')
      if (!rows[0].waiting) throw refuse(409, 'distribution_nobody_waits')
      if (await ctx.services.jobs.underWay(tx, distributeJob, { admission_id }))
        throw refuse(409, 'distribution_under_way')
      const { actor, lang } = ctx
      return { data: { job_id: await ctx.services.jobs.send(tx, distributeJob, { admission_id }, { actor, lang }) } }
    })
  }),
]
