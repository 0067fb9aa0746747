import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { ownAcademicRecord } from '../record/academic-record.server.ts'
import { students } from '../student/student.server.ts'
import { shareCalls as calls } from './share.contract.ts'
import type { RecordShare, SharePart } from './share.contract.ts'
import { sendShareLink } from './links.server.ts'
import { judgeShare } from './share.rules.ts'
import { OPEN, TODAY, shownOf } from './shown.server.ts'

const columns: RawBuilder<unknown> = sql`s.id, s.name, s.email, s.language, s.parts, s.last_day::text as last_day, s.created_at,
  s.ended_at, coalesce(s.ended_why, case when s.last_day >= ${TODAY} then 'open' else 'over' end) as state`

const listOf = (ctx: Ctx, student: number, most: number) =>
  cutRows<RecordShare>(
    ctx.db,
    sql`select ${columns} from record_shares s where s.student_id = ${student} order by s.ended_at is not null, s.id desc`,
    most,
  )

/** Nobody but the student: not who is logged in as one, and not by a delegation. */
function ownStudent(ctx: Ctx): number {
  const actor = actorIn(ctx)
  if (actor.impersonator_id !== null) throw refuse(403, 'not_allowed')
  return ownAcademicRecord(ctx).id
}

// --- The student ----------------------------------------------------------------------------------------------------

const addShare = handle(calls.addShare, async (ctx, { body }) => {
  const student = ownStudent(ctx)
  const parts = [...new Set(body.parts)]
  const data = await ctx.write(
    async (tx) => {
      // Held first: who is blocked at the same moment has opened nothing afterwards, and what is read now is what stands.
      await sql`select from students where id = ${student} for update`.execute(tx)
      const { rows: found } = await sql<{
        studying: boolean
        own: (string | null)[]
        today: string
        open: number
        twice: boolean
      }>`
        select t.status in ('studying', 'suspended') and t.blocked_at is null and t.removed_at is null as studying,
          array[t.email, (select email from users where id = t.user_id)] as own, ${TODAY}::text as today,
          (select count(*)::int from record_shares s where s.student_id = t.id and ${OPEN}) as open,
          exists (select from record_shares s where s.student_id = t.id and s.email = ${body.email} and ${OPEN}) as twice
        from students t where t.id = ${student}`.execute(tx)
      const reasons = judgeShare({ ...found[0]!, email: body.email, last_day: body.last_day })
      if (reasons.length) throw new Refusal(422, reasons)
      // One that has run out by its day makes room for the new one.
      await sql`update record_shares s set ended_at = now(), ended_why = 'over'
        where s.student_id = ${student} and s.email = ${body.email} and s.ended_at is null and not (${OPEN})`.execute(
        tx,
      )
      const { rows } = await sql<RecordShare>`
        with s as (insert into record_shares (student_id, name, email, language, parts, last_day)
          values (${student}, ${body.name}, ${body.email}, ${body.language}, ${parts}::text[], ${body.last_day}) returning *)
        select ${columns} from s`.execute(tx)
      const [share] = rows
      const about = { change: 'given', share: share!.id, name: body.name, parts, last_day: body.last_day }
      await ctx.services.security.write(ctx, { kind: 'share', subject_id: actorIn(ctx).user_id, data: about }, tx)
      await ctx.services.jobs.send(tx, sendShareLink, { email: body.email, share: share!.id }, { actor: null })
      return share!
    },
    { reason: 'let somebody see parts of the own study' },
  )
  return { data }
})

const endShare = handle(calls.endShare, async (ctx, { params: { id } }) => {
  const student = ownStudent(ctx)
  await ctx.write(async (tx) => {
    const { rows } = await sql<{ ended: boolean; name: string }>`
      select s.ended_at is not null as ended, s.name from record_shares s
      where s.id = ${id} and s.student_id = ${student} for update`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    if (rows[0].ended) throw refuse(409, 'share_over')
    await sql`update record_shares set ended_at = now(), ended_why = 'student' where id = ${id}`.execute(tx)
    const data = { change: 'ended', share: id, name: rows[0].name }
    await ctx.services.security.write(ctx, { kind: 'share', subject_id: actorIn(ctx).user_id, data }, tx)
  })
  return { id }
})

const previewShare = handle(calls.previewShare, async (ctx, { params: { id } }) => {
  const { rows } = await sql<{ id: number; parts: SharePart[]; last_day: string }>`
    select s.id, s.parts, s.last_day::text as last_day from record_shares s
    where s.id = ${id} and s.student_id = ${ownAcademicRecord(ctx).id}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { data: await shownOf(ctx, rows[0]) }
})

// --- Staff ----------------------------------------------------------------------------------------------------------

const sharesOf = handle(calls.sharesOf, async (ctx, { params: { id }, query: { most } }) => {
  await students.get(ctx, ctx.db, id, 'edit_students')
  return listOf(ctx, id, most)
})

const endSharesOf = handle(calls.endSharesOf, (ctx, { params: { id }, body: { reason } }) =>
  ctx.write(
    async (tx) => {
      await students.lock(ctx, tx, id, { access: 'edit_students' })
      const { rows } = await sql<{ user_id: number | null; count: number }>`
        with ended as (update record_shares s set ended_at = now(), ended_why = 'staff'
          where s.student_id = ${id} and s.ended_at is null returning s.id)
        select t.user_id, (select count(*)::int from ended) as count from students t where t.id = ${id}`.execute(tx)
      const { user_id, count } = firstRow(rows)
      if (count && user_id) {
        const data = { change: 'ended_by_staff', count, reason }
        await ctx.services.security.write(ctx, { kind: 'share', subject_id: user_id, data }, tx)
        await notify(tx, [user_id], { key: 'students.notice_share_ended', data: { reason }, link: '/profile/shares' })
      }
      return { ended: count }
    },
    { reason },
  ),
)

export const shareHandlers: readonly Handled[] = [
  handle(calls.shares, (ctx, { query: { most } }) => listOf(ctx, ownAcademicRecord(ctx).id, most)),
  addShare,
  endShare,
  previewShare,
  sharesOf,
  endSharesOf,
]
