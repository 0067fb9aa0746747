/** What is said about course files, in threads: whoever sees the file may say something, and hears of answers. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { sql } from 'kysely'
import { courseFileCalls as calls, type CourseFileComment } from './course-file.contract.ts'
import { findCourseFile, TEAM } from './reach.server.ts'

/** Threads after each other, each with its answers; one that is settled is left out where only what is open is asked for. */
async function commentsOf(ctx: Ctx, id: number, open: boolean): Promise<CourseFileComment[]> {
  const { mine } = await findCourseFile(ctx, ctx.db, id)
  const { rows } = await sql<CourseFileComment>`
    select m.id, m.reply_to, ${refOrNull('p')} as part, m.text, (select ${refOrNull('u')} from users u where u.id = m.created_by) as by,
      m.created_at as at, m.settled_at, (select ${refOrNull('u')} from users u where u.id = m.settled_by) as settled_by,
      m.reply_to is null and (${mine}::boolean or m.created_by is not distinct from ${ctx.actor?.user_id ?? null}::int) as settles
    from course_file_comments m left join course_file_parts p on p.id = m.part_id
      join course_file_comments b on b.id = coalesce(m.reply_to, m.id)
    where m.course_file_id = ${id} and (not ${open}::boolean or b.settled_at is null)
    order by b.id desc, m.id`.execute(ctx.db)
  return rows
}

/** A thread of a course file within reach, held. @throws {Refusal} 404 */
async function holdThread(ctx: Ctx, tx: Tx, id: number): Promise<{ of: number; by: number | null; settled: boolean }> {
  const { rows } = await sql<{ of: number; by: number | null; settled: boolean }>`
    select course_file_id as of, created_by as by, settled_at is not null as settled from course_file_comments
    where id = ${id} and reply_to is null for update`.execute(tx)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  await findCourseFile(ctx, tx, row.of)
  return row
}

/** Who teaches, and everybody who said something in the thread, but for who says this. */
async function tell(ctx: Ctx, tx: Db | Tx, of: number, thread: number, text: string): Promise<void> {
  const { rows } = await sql<{ users: number[]; course: string; course_local: string }>`
    select array(select u from unnest(${sql.raw(TEAM)} || array(select m.created_by from course_file_comments m
        where ${thread} in (m.id, m.reply_to) and m.created_by is not null)) u where u is distinct from ${ctx.actor?.user_id ?? null}::int) as users,
      c.name as course, c.name_local as course_local
    from course_files t join offerings o on o.id = t.offering_id join courses c on c.id = o.course_id where t.id = ${of}`.execute(
    tx,
  )
  const { users, ...data } = firstRow(rows)
  await notify(tx as Tx, [...new Set(users)], {
    key: 'course-files.notice_comment',
    data: { ...data, text: text.slice(0, 200) },
    link: `/courseFile/${of}`,
  })
}

export const courseFileCommentHandlers: readonly Handled[] = [
  handle(calls.openComments, async (ctx, { params: { id } }) => ({ data: await commentsOf(ctx, id, true) })),
  handle(calls.comments, async (ctx, { params: { id } }) => ({ data: await commentsOf(ctx, id, false) })),
  handle(calls.comment, (ctx, { params: { id }, body: { text, part_id, reply_to } }) =>
    ctx.write(async (tx) => {
      await findCourseFile(ctx, tx, id)
      if (reply_to) {
        const thread = await sql<{
          of: number
          settled: boolean
        }>`select course_file_id as of, settled_at is not null as settled
          from course_file_comments where id = ${reply_to} and reply_to is null for update`.execute(tx)
        if (thread.rows[0]?.of !== id) throw refuse(422, 'reference_missing', undefined, 'reply_to')
        if (thread.rows[0].settled) throw refuse(409, 'course_file_comment_settled')
        if (part_id) throw refuse(422, 'course_file_comment_part', undefined, 'part_id')
      } else if (part_id) {
        const { rows } = await sql`select from course_file_parts where id = ${part_id} for share`.execute(tx)
        if (!rows.length) throw refuse(422, 'reference_missing', undefined, 'part_id')
      }
      const { rows } = await sql<{ id: number }>`
        insert into course_file_comments (course_file_id, part_id, reply_to, text, created_by)
        values (${id}, ${part_id ?? null}::int, ${reply_to ?? null}::int, ${text}, ${ctx.actor?.user_id ?? null}::int) returning id`.execute(
        tx,
      )
      const said = firstRow(rows)
      await tell(ctx, tx, id, reply_to ?? said.id, text)
      return { data: said }
    }),
  ),
  handle(calls.settleComment, (ctx, { params: { id }, body: { settled } }) =>
    ctx.write(async (tx) => {
      const { of, by, settled: was } = await holdThread(ctx, tx, id)
      const { mine } = await findCourseFile(ctx, tx, of)
      if (!mine && by !== (ctx.actor?.user_id ?? null)) throw refuse(403, 'course_file_comment_not_yours')
      if (was !== settled)
        await sql`update course_file_comments set settled_at = ${settled ? sql`now()` : null},
          settled_by = ${settled ? (ctx.actor?.user_id ?? null) : null}::int where id = ${id}`.execute(tx)
      return { data: { id } }
    }),
  ),
]
