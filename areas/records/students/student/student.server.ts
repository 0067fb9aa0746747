import { sql } from 'kysely'
import { dayOf } from '#kit/contract/day.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { asks } from '#kit/server/base/hears.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { Served } from '#kit/server/resource/served.ts'
import { nameLineProblems, partsFollow } from '#areas/people/people/names/follow.server.ts'
import { tellWhoseEmail } from '#areas/people/people/taken-email.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { personProblems } from './person.rules.ts'
import type { StudentPerson } from './person.rules.ts'
import { asSecondRecord, secondRecordsIn } from './second-record.server.ts'
import { student } from './student.contract.ts'
import { studyProblems, type Study, type StudyFacts } from './study.rules.ts'

const SCOPE = {
  faculty: (ctx: Ctx) => studentReach(ctx).faculty,
  department: (ctx: Ctx) => studentReach(ctx).department,
  bylaw: (ctx: Ctx) => studentReach(ctx).bylaw,
  program: (ctx: Ctx) => studentReach(ctx).program,
  own: (ctx: Ctx) => studentReach(ctx).own,
  taught: (ctx: Ctx) => studentReach(ctx).taught,
  advised: (ctx: Ctx) => studentReach(ctx).advised,
}

/** What the degree of a student still lacks: the plan of studies answers, which reads students. Who came with a degree is not asked. */
export const degreeReasons = asks<[ctx: Ctx, id: number], Reason[]>('student.degree', () => [])

/** Students, with the pieces that the record, the sections and the papers build on. The table is `t`. */
export const students: Served<typeof student> = workings(student, {
  scope: SCOPE,
  advisor: '(select i.user_id from instructors i where i.id = t.advisor_id)',
  // A student is bound to the bylaw of the program at entry, and stays on it. Whoever has not registered for anything
  // yet may still be put right; later the program changes by a transfer or a specialisation.
  beforeWrite: async (ctx, tx, merged, current) => {
    const reasons: Reason[] = [...personProblems(merged, current as StudentPerson | null, dayOf())]
    let bylaw_id: number | undefined
    const moves = !current || current.program_id !== merged.program_id || current.faculty_id !== merged.faculty_id
    if (moves || current.level !== merged.level) {
      const { rows } = await sql<StudyFacts & { faculty_id: number; bylaw_id: number }>`
        select p.faculty_id, p.bylaw_id, exists (select from registrations r where r.student_id = x.id) as started,
          exists (select from student_terms t where t.student_id = x.id)
            or exists (select from student_years y where y.student_id = x.id) as level_decided,
          array(select l.level::int from bylaw_levels l where l.bylaw_id = coalesce(${moves ? null : (current?.bylaw_id ?? null)}::int, p.bylaw_id)
            order by 1) as levels
        from programs p cross join (select ${current?.id ?? null}::int as id) x where p.id = ${merged.program_id} and p.removed_at is null`.execute(
        tx,
      )
      const [program] = rows
      if (!program) reasons.push({ field: 'program_id', code: 'reference_missing' })
      else {
        if (program.faculty_id !== merged.faculty_id)
          reasons.push({ field: 'program_id', code: 'program_of_other_faculty' })
        if (moves && !program.started) ({ bylaw_id } = program)
        reasons.push(...studyProblems(merged, current as Study | null, program))
      }
    }
    if (reasons.length) throw new Refusal(422, reasons)
    const person = current ? {} : await asSecondRecord(ctx, tx, merged)
    if (!current || merged.email !== current.email)
      await tellWhoseEmail(ctx, tx, { kind: 'student', id: current?.id ?? null, account: person.user_id }, merged.email)
    const names = await partsFollow(tx, 'students', merged, current)
    return { ...names, ...person, ...(bylaw_id !== undefined && { bylaw_id }) }
  },
  beforeLines: secondRecordsIn,
  lineProblems: nameLineProblems,
  beforeRemove: async (_ctx, tx, id) => {
    const { rows } = await sql`select from registrations where student_id = ${id} limit 1`.execute(tx)
    if (rows.length) throw refuse(409, 'student_has_registrations')
  },
})
