import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { STUDENT_STATUSES } from '#areas/records/students/student/student.contract.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import {
  PERSON_OF_STUDENT,
  bothNames,
  people,
  sqlWordOf,
  subject,
  type Sql,
  type SubjectSql,
} from '../figures/subject.server.ts'

/** Students as they stood on some days; where they belong today decides who reaches them. */
const asOf = (days: Sql): Sql => sql`(${days}) a (day)
  join student_standings z on z.from_day <= a.day and (z.until_day is null or z.until_day > a.day)
  join students s on s.id = z.student_id left join programs p on p.id = z.program_id left join terms et on et.id = s.entry_term_id`

export const standingSubject: SubjectSql<'standing'> = subject('standing', {
  from: asOf(sql`select university_today()`),
  asOf,
  where: sql`s.removed_at is null`,
  reach: (ctx, key) => scopeCondition(ctx, key, studentReach(ctx, 's')),
  person: PERSON_OF_STUDENT,
  dimensions: {
    as_of: sql`a.day`,
    faculty: sql`z.faculty_id`,
    department: sql`p.department_id`,
    program: sql`z.program_id`,
    level: sql`z.level`,
    status: sql`z.status`,
    gender: sql`s.gender`,
    nationality: sql`s.nationality_id`,
    cohort: sql`s.entry_term_id`,
  },
  measures: {
    students_then: people(sql`z.status = 'studying'`),
    people_then: people(),
  },
  row: {
    to: sql`'/students/' || s.id`,
    code: sql`s.code`,
    name: sql`s.name`,
    name_local: sql`s.name_local`,
    order: sql`a.day, s.code, s.id`,
    facts: [
      { fact: 'as_of', of: sql`a.day::text` },
      { fact: 'program', of: bothNames('p') },
      { fact: 'level', of: sql`z.level` },
      { fact: 'status', of: sqlWordOf('z.status', STUDENT_STATUSES) },
    ],
  },
})
