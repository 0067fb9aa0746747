import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'
import { firstRow } from '#db/rows.ts'
import { distributed } from './runs/distribute.rules.ts'
import { readInput } from './runs/input.server.ts'
import { writeRun } from './runs/write.server.ts'

/** Previews of admissions that are over, made as officers make them; one was confirmed and taken back. */
export default demoPart(['distribution_runs', 'distribution_mails'], ['applicant_degrees'], async (tx) => {
  const { id: officer } = firstRow(
    (await sql<{ id: number }>`select id from users where email like 'admission@%' order by id limit 1`.execute(tx))
      .rows,
  )
  const run = async (admission: number): Promise<number> => {
    const seed = `demo lot of admission ${admission}`
    await sql`update admissions set lot_seed = ${seed} where id = ${admission}`.execute(tx)
    const read = await readInput(tx, admission, seed)
    const id = await writeRun(tx, officer, admission, seed, read, distributed(read.input))
    await sql`insert into step_history (workflow, record_id, actor_id, action, to_state) values ('distribution', ${id}, ${officer}, 'distribute', 'previewed')`.execute(
      tx,
    )
    return id
  }
  const discarded = await run(8)
  await sql`update distribution_runs set status = 'discarded' where id = ${discarded}`.execute(tx)
  // It was taken back after whoever had no seat in it had been told.
  for (const [action, from, to, reason] of [
    ['confirm', 'previewed', 'confirmed', null],
    ['take_back', 'confirmed', 'discarded', 'A mark of the certificate was entered wrongly.'],
  ])
    await sql`insert into step_history (workflow, record_id, actor_id, action, from_state, to_state, reason)
      values ('distribution', ${discarded}, ${officer}, ${action}, ${from}, ${to}, ${reason})`.execute(tx)
  await sql`insert into distribution_mails (run_id, applicant_id, kind, tries, begun_at, sent_at)
    select run_id, applicant_id, kind, 1, now(), now() from distribution_places, unnest(array['no_seat', 'withdrawn']) as kind
    where run_id = ${discarded} and program_id is null`.execute(tx)
  for (const admission of [8, 2, 8, 2]) await run(admission)
})
