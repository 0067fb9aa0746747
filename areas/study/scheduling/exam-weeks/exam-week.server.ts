/** Exam weeks: who keeps them, and where timetables and calendars show them. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { EXAM_WORDS } from '#areas/common/academics/exam-words.contract.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { examWeek } from './exam-week.contract.ts'
import { examWeekReasons, type ExamWeekFacts, type WantedExamWeek } from './exam-week.rules.ts'

/** Open timetables are read again. */
const tellTimetables = (ctx: Ctx, tx: Tx): Promise<void> =>
  ctx.services.events.publish('all', { type: 'timetable', data: { meetings: [] } }, tx)

export const examWeekHandlers: readonly Handled[] = serveResource(examWeek, {
  scope: { faculty: () => sql`t.faculty_id` },
  common: sql`t.faculty_id is null`,
  async beforeWrite(_ctx, tx, merged, current) {
    const wanted = merged as unknown as WantedExamWeek & { term_id: number }
    // Two who add a week of one term at a time see each other.
    const { rows } = await sql<
      ExamWeekFacts['term']
    >`select start_date::text, end_date::text, name, name_local from terms
      where id = ${wanted.term_id} and removed_at is null for no key update`.execute(tx)
    const [term] = rows
    if (!term) throw refuse(422, 'not_found', undefined, 'term_id')
    const { rows: others } =
      await sql<WantedExamWeek>`select start_date::text, end_date::text, faculty_id, level from exam_weeks
      where term_id = ${wanted.term_id} and removed_at is null and id is distinct from ${current?.id ?? null}::int`.execute(
        tx,
      )
    const reasons = examWeekReasons(
      { ...wanted, faculty_id: wanted.faculty_id ?? null, level: wanted.level ?? null },
      { term, others },
    )
    if (reasons.length) throw new Refusal(422, reasons)
  },
  afterWrite: (ctx, tx) => tellTimetables(ctx, tx),
})

const wordsOf = (column: 0 | 1) =>
  sql.raw(
    `case w.kind ${Object.entries(EXAM_WORDS)
      .map(([kind, label]) => `when '${kind}' then '${label[column]}'`)
      .join(' ')} end`,
  )
/** An exam week (`w`) as a day of a calendar, of the layer of its exams. */
const examWeekJson = sql`json_build_object('id', w.id, 'layer', 'exams',
  'name', 'Exam week: ' || ${wordsOf(0)} || case when w.level is null then '' else ', level ' || w.level end,
  'name_local', 'أسبوع امتحانات: ' || ${wordsOf(1)} || case when w.level is null then '' else '، المستوى ' || w.level end,
  'from', w.start_date, 'to', w.end_date, 'start_time', null, 'end_time', null, 'no_teaching', true, 'colour', 'amber',
  'exam_week', json_build_object('kind', w.kind, 'level', w.level))`

/** Rows `day` of the exam weeks (`w`) between two days for which a condition holds. */
export const examWeekDays = (from: RawBuilder<unknown>, to: RawBuilder<unknown>, which: RawBuilder<unknown>) => sql`
  select ${examWeekJson} as day, w.start_date, w.end_date, w.id from exam_weeks w
  where w.removed_at is null and w.start_date <= ${to} and w.end_date >= ${from} and ${which}`

/** Whether an exam week (`w`) covers an offering. */
const coversOffering = (alias: string): RawBuilder<unknown> =>
  sql.raw(`(w.term_id = ${alias}.term_id and (w.faculty_id is null or w.faculty_id = ${alias}.faculty_id)
    and (w.level is null or w.level = ${alias}.level))`)

/** Exam weeks (`w`) of the whole university, and those that cover one of some offerings. */
export const weeksOf = (
  offerings: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`((w.faculty_id is null and w.level is null)
  or exists (select from offerings wo where ${coversOffering('wo')} and wo.id in (${offerings})))`

/** SQL of the offerings whose meetings are an account's own, as student or as instructor. */
export const ownWeeks = (user: number): RawBuilder<unknown> => sql`
  select coalesce(o.linked_offering_id, o.id) from students s join registrations r on r.student_id = s.id
      and r.status & ${String(loadMask)}::bigint <> 0 join offerings o on o.id = r.offering_id
    where s.user_id = ${user} and s.removed_at is null
  union all
  select m.offering_id from instructors i join offering_slot_instructors si on si.instructor_id = i.id
      join offering_slots m on m.id = si.offering_slot_id
    where i.user_id = ${user} and i.removed_at is null`
