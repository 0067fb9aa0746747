import { firstRow } from '#db/rows.ts'
import { Refusal, type Reason } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { emptied } from '../emptied.server.ts'
import { checkResearchPlan, type ResearchStage } from '../research-plan.rules.ts'
import { program } from './program.contract.ts'

/** The workings of programs. */
export const programs = workings(program, {
  scope: {
    faculty: () => sql`t.faculty_id`,
    department: () => sql`t.department_id`,
    bylaw: () => sql`t.bylaw_id`,
    program: () => sql`t.id`,
  },
  /** A new program takes over the requirement lists of its bylaw. */
  async afterWrite(_ctx, tx, id, merged, current) {
    if (current && current.bylaw_id === merged.bylaw_id) return
    await sql`insert into program_requirements (program_id, type, course_id)
      select ${id}::int, type, course_id from bylaw_requirements where bylaw_id = ${merged.bylaw_id} on conflict do nothing`.execute(
      tx,
    )
  },
  async beforeWrite(_ctx, tx, merged, current) {
    emptied(merged, { min_credit_hours: 0, semesters: 8, study_level: 'undergraduate' })
    const { rows } = await sql<{ bylaw: boolean; department: boolean; students: number }>`
      select exists (select from bylaws b where b.id = ${merged.bylaw_id}::int and b.faculty_id <> ${merged.faculty_id}::int) as bylaw,
        exists (select from departments d where d.id = ${merged.department_id ?? null}::int and d.faculty_id <> ${merged.faculty_id}::int) as department,
        (select count(*)::int from students s where s.program_id = ${current?.id ?? null}::int and s.removed_at is null) as students`.execute(
      tx,
    )
    const { bylaw, department, students } = firstRow(rows)
    const reasons: Reason[] = []
    if (bylaw) reasons.push({ field: 'bylaw_id', code: 'bylaw_other_faculty' })
    if (department) reasons.push({ field: 'department_id', code: 'department_other_faculty' })
    if (students && current?.bylaw_id !== merged.bylaw_id) {
      reasons.push({ field: 'bylaw_id', code: 'program_has_students', data: { count: students } })
    }
    reasons.push(
      ...checkResearchPlan((merged.research_plan ?? []) as ResearchStage[], {
        postgraduate: merged.study_level === 'postgraduate',
        semesters: Number(merged.semesters ?? 8),
      }),
    )
    if (reasons.length) throw new Refusal(422, reasons)
  },
})
