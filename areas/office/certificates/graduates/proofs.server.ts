/** Pictures of identity cards are not kept for longer than they are needed. */
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { sql } from 'kysely'

/** Days after which the picture of a request that was decided is let go: for so long a decision may be asked about. */
const DAYS = 30
const AT_ONCE = 500

/** Lets pictures go of requests that were decided long enough ago. */
export const letGraduateProofsGo = defineJob<Record<string, never>, { gone: number }>({
  name: 'graduate-proofs',
  cron: '50 2 * * *',
  retries: 3,
  async run(ctx) {
    const hashes = await ctx.write(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        with due as (select t.id, t.proof_file_id from graduate_requests t where t.proof_file_id is not null and t.status <> 'to_check'
          and exists (select from step_history h where h.workflow = 'graduate_request' and h.record_id = t.id and h.to_state = t.status
            and h.at < now() - make_interval(days => ${DAYS})) order by t.id limit ${AT_ONCE} for update of t),
        let_go as (update graduate_requests t set proof_file_id = null from due d where t.id = d.id returning t.id)
        select d.proof_file_id as id from due d join let_go g on g.id = d.id`.execute(tx)
      const { rows: gone } = await sql<{
        hash: string
      }>`delete from files f where f.id = any(${rows.map(({ id }) => id)}::int[])
        returning f.hash`.execute(tx)
      return gone.map(({ hash }) => hash)
    })
    if (hashes.length) await ctx.services.files.sweep(hashes)
    return { gone: hashes.length }
  },
})
