/** The team of a thesis: who supervises, judges and observes, in order. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { holdThesis, mayThesis, touchThesis } from './reach.server.ts'
import { checkTeam, type TeamChange, type TeamFacts } from './team.rules.ts'
import type { ThesisJob, ThesisTie } from './thesis.rules.ts'
import { thesisCalls as calls } from './whole.contract.ts'

const KEYS = ['edit_thesis', 'discuss_thesis', 'register_thesis'] as const
async function judge(ctx: Ctx, tx: Tx, id: number, change: TeamChange): Promise<void> {
  const { rows } = await sql<TeamFacts>`select t.status,
      exists (select from thesis_discussions d where d.thesis_id = t.id and d.cancelled_at is null and d.result is null) as scheduled,
      ${mayThesis(ctx, 'edit_thesis', 'register_thesis')} as supervisors, ${mayThesis(ctx, 'discuss_thesis')} as committee
    from theses t where t.id = ${id}`.execute(tx)
  const reasons = checkTeam(firstRow(rows), change)
  if (reasons.length) throw new Refusal(409, reasons)
}
interface Member {
  thesis_id: number
  job: ThesisJob
  tie: ThesisTie
  share: number | null
  position: number
}
/** A member with the thesis held. @throws {Refusal} 404 */
async function holdMember(ctx: Ctx, tx: Tx, id: number): Promise<Member> {
  const { rows: of } = await sql<{ thesis_id: number }>`select thesis_id from thesis_members where id = ${id}`.execute(
    tx,
  )
  if (!of[0]) throw refuse(404, 'not_found')
  await holdThesis(ctx, tx, of[0].thesis_id, ...KEYS)
  const { rows } = await sql<Member>`select thesis_id, job, tie, share, position from thesis_members
    where id = ${id} and until_date is null for update`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

export const thesisTeamHandlers: readonly Handled[] = [
  handle(calls.addMember, (ctx, { body: { thesis_id, instructor_id, examiner_id, job, share = null, tie = 'none' } }) =>
    ctx.write(async (tx) => {
      await holdThesis(ctx, tx, thesis_id, ...KEYS)
      await judge(ctx, tx, thesis_id, { before: null, after: { job, share, tie } })
      if ((instructor_id == null) === (examiner_id == null))
        throw refuse(422, 'thesis_member_one', undefined, 'instructor_id')
      const table = sql.raw(instructor_id == null ? 'external_examiners' : 'instructors')
      const { rows: there } =
        await sql`select from ${table} where id = ${instructor_id ?? examiner_id} and removed_at is null for share`.execute(
          tx,
        )
      if (!there.length)
        throw refuse(422, 'reference_missing', undefined, instructor_id == null ? 'examiner_id' : 'instructor_id')
      const { rows } = await sql<{
        id: number
      }>`insert into thesis_members (thesis_id, instructor_id, examiner_id, job, share, tie, position)
        select ${thesis_id}, ${instructor_id ?? null}::int, ${examiner_id ?? null}::int, ${job}, ${share}::smallint, ${tie},
          coalesce(max(m.position), 0) + 1 from thesis_members m where m.thesis_id = ${thesis_id} and m.until_date is null returning id`.execute(
        tx,
      )
      await touchThesis(tx, thesis_id)
      return { data: firstRow(rows) }
    }),
  ),
  handle(calls.editMember, (ctx, { params: { id }, body }) =>
    ctx.write(async (tx) => {
      const member = await holdMember(ctx, tx, id)
      const after = {
        job: body.job ?? member.job,
        tie: body.tie ?? member.tie,
        share: body.share === undefined ? member.share : body.share,
      }
      await judge(ctx, tx, member.thesis_id, { before: member, after })
      await sql`update thesis_members set job = ${after.job}, tie = ${after.tie}, share = ${after.share}::smallint where id = ${id}`.execute(
        tx,
      )
      await touchThesis(tx, member.thesis_id)
      return { data: { id } }
    }),
  ),
  handle(calls.reorderMember, (ctx, { params: { id, order } }) =>
    ctx.write(async (tx) => {
      const { thesis_id } = await holdMember(ctx, tx, id)
      // The others close up around it.
      await sql`update thesis_members m set position = o.place from (
          select x.id, row_number() over (order by x.at, x.moved, x.place) as place from (
            select m.id, row_number() over (order by m.position, m.id) as place, m.id = ${id} as moved,
              case when m.id = ${id} then ${order}::numeric - 0.5 + case when row_number() over (order by m.position, m.id) < ${order}::int then 1 else 0 end
                else row_number() over (order by m.position, m.id) end as at
            from thesis_members m where m.thesis_id = ${thesis_id} and m.until_date is null) x) o
        where o.id = m.id and m.position <> o.place`.execute(tx)
      await touchThesis(tx, thesis_id)
      return { data: { id } }
    }),
  ),
  handle(calls.removeMember, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const member = await holdMember(ctx, tx, id)
      await judge(ctx, tx, member.thesis_id, { before: member, after: null })
      await sql`delete from thesis_members where id = ${id}`.execute(tx)
      await touchThesis(tx, member.thesis_id)
      return { data: { id } }
    }),
  ),
]
