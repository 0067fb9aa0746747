/** The report of an offering: figures are filled from what is known of it, and who taught it adds what only a person knows. */
import type { Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { OPEN_STATES } from '../files/course-file.rules.ts'
import { findCourseFile, holdToFill } from '../files/reach.server.ts'
import { figuresNow, reportsOf } from './read.server.ts'
import { offeringReportCalls as calls, type OfferingReport } from './report.contract.ts'

async function shownReport(ctx: Ctx, db: Ctx['db'] | Tx, id: number): Promise<OfferingReport> {
  const { status, mine } = await findCourseFile(ctx, db, id)
  const { rows } = await sql<Pick<OfferingReport, 'figures' | 'filled_at' | 'filled_by' | 'questions'>>`
    select p.figures, p.filled_at, (select ${refOrNull('u')} from users u where u.id = p.filled_by) as filled_by,
      coalesce((select json_agg(json_build_object('id', q.id, 'name', q.name, 'name_local', q.name_local, 'code', q.code,
          'is_optional', q.is_optional, 'answer', a.answer) order by q.position, q.id)
        from offering_report_questions q left join offering_report_answers a on a.question_id = q.id and a.report_id = p.id
        where q.removed_at is null or a.id is not null), '[]') as questions
    from course_files t left join offering_reports p on p.course_file_id = t.id where t.id = ${id}`.execute(db)
  const [row] = rows
  const stands = (await reportsOf(db, [id])).get(id)
  if (!row || !stands) throw refuse(404, 'not_found')
  return {
    id,
    ...row,
    changed: [...stands.changed],
    published: stands.published,
    mine: mine && OPEN_STATES.has(status),
  }
}

export const offeringReportHandlers: readonly Handled[] = [
  handle(calls.reportQuestions, async (ctx, { body: { id } }) => ({ data: await shownReport(ctx, ctx.db, id) })),
  handle(calls.fillReport, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const { offering_id } = await holdToFill(ctx, tx, id)
      // Before, they would be those of marks that control has not seen.
      if (!(await reportsOf(tx, [id])).get(id)?.published) throw refuse(409, 'offering_report_marks_open')
      const figures = (await figuresNow(tx, [offering_id])).get(offering_id)
      await sql`insert into offering_reports (course_file_id, figures, filled_by)
        values (${id}, ${JSON.stringify(figures)}::jsonb, ${ctx.actor?.user_id ?? null}::int)
        on conflict (course_file_id) do update set figures = excluded.figures, filled_at = now(), filled_by = excluded.filled_by`.execute(
        tx,
      )
      return { data: await shownReport(ctx, tx, id) }
    }),
  ),
  handle(calls.answerReport, (ctx, { body: { id, answers } }) =>
    ctx.write(async (tx) => {
      await holdToFill(ctx, tx, id)
      const { rows } = await sql<{
        id: number
      }>`select id from offering_reports where course_file_id = ${id} for update`.execute(tx)
      const report = rows[0]?.id
      if (report === undefined) throw refuse(409, 'offering_report_not_filled')
      const { rows: known } = await sql<{ id: number }>`select id from offering_report_questions
        where id = any(${answers.map((one) => one.question_id)}::int[]) and removed_at is null for share`.execute(tx)
      const ids = new Set(known.map((one) => one.id))
      const unknown = answers.filter(({ question_id }) => !ids.has(question_id))
      if (unknown.length || ids.size < answers.length)
        throw new Refusal(422, [{ field: 'answers', code: 'offering_report_question' }])
      await sql`delete from offering_report_answers a using jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as x (question_id int, answer text)
        where a.report_id = ${report} and a.question_id = x.question_id and x.answer is null`.execute(tx)
      await sql`insert into offering_report_answers (report_id, question_id, answer)
        select ${report}::int, x.question_id, x.answer from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as x (question_id int, answer text)
        where x.answer is not null
        on conflict (report_id, question_id) do update set answer = excluded.answer
          where offering_report_answers.answer <> excluded.answer`.execute(tx)
      return { data: await shownReport(ctx, tx, id) }
    }),
  ),
]
