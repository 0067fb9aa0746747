import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { STUDENT_STATUSES } from '#areas/records/students/student/student.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import {
  FOREIGN,
  PERSON_OF_STUDENT,
  bothNames,
  mean,
  people,
  rows,
  share,
  subject,
  sum,
  sqlWordOf,
  type RowFactSql,
  type SubjectSql,
} from '../subject.server.ts'

const reach = (ctx: Ctx, key: PermissionKey) => scopeCondition(ctx, key, studentReach(ctx, 's'))
/** Students with what they are told apart by; the decision on their status, where there is one. */
const FROM = sql`students s left join programs p on p.id = s.program_id left join bylaws bl on bl.id = s.bylaw_id
  left join countries n on n.id = s.nationality_id left join terms et on et.id = s.entry_term_id
  left join student_status_decisions d on d.id = s.status_decision_id`
const DIMENSIONS_OF_STUDENT = {
  faculty: sql`s.faculty_id`,
  department: sql`p.department_id`,
  program: sql`s.program_id`,
  bylaw: sql`s.bylaw_id`,
  level: sql`s.level`,
  status: sql`s.status`,
  gender: sql`s.gender`,
  nationality: sql`s.nationality_id`,
  cohort: sql`s.entry_term_id`,
} as const
export const PROGRAM_FACT: RowFactSql = { fact: 'program', of: bothNames('p') }
const LEVEL_FACT: RowFactSql = { fact: 'level', of: sql`s.level` }
const STATUS_FACT: RowFactSql = { fact: 'status', of: sqlWordOf('s.status', STUDENT_STATUSES) }
export const NATIONALITY_FACT: RowFactSql = { fact: 'nationality', of: bothNames('n') }
const COHORT_FACT: RowFactSql = { fact: 'cohort', of: bothNames('et') }
export const STUDENT_ROW = {
  to: sql`'/students/' || s.id`,
  code: sql`s.code`,
  name: sql`s.name`,
  name_local: sql`s.name_local`,
  order: sql`s.code, s.id`,
}
const STUDYING = sql`s.status = 'studying'`
/** Who is no student any more, without a degree. */
const GONE = sql`s.status in ('withdrawn', 'transferred', 'dismissed')`
/** Entered in the academic year of the current term. */
const NEW = sql`et.year_id = (select c.year_id from terms c where c.id = ${currentTermId()})`

export const studentSubject: SubjectSql<'student'> = subject('student', {
  from: FROM,
  where: sql`s.removed_at is null`,
  reach,
  person: PERSON_OF_STUDENT,
  dimensions: DIMENSIONS_OF_STUDENT,
  measures: {
    students: people(STUDYING),
    people: people(),
    new_students: people(sql`${STUDYING} and ${NEW}`),
    warned: people(sql`${STUDYING} and s.warnings > 0`),
    left: people(GONE),
    mean_gpa: mean(sum(sql`s.gpa`, STUDYING), rows(sql`${STUDYING} and s.gpa is not null`)),
  },
  row: { ...STUDENT_ROW, facts: [PROGRAM_FACT, LEVEL_FACT, STATUS_FACT, COHORT_FACT] },
})

export const foreignerSubject: SubjectSql<'foreigner'> = subject('foreigner', {
  from: FROM,
  where: sql`s.removed_at is null and ${FOREIGN}`,
  reach,
  person: PERSON_OF_STUDENT,
  dimensions: DIMENSIONS_OF_STUDENT,
  measures: {
    foreigners: people(STUDYING),
    foreign_new: people(sql`${STUDYING} and ${NEW}`),
    foreign_women: people(sql`${STUDYING} and s.gender = 2`),
    foreign_graduates: people(sql`s.status = 'graduated'`),
  },
  row: { ...STUDENT_ROW, facts: [NATIONALITY_FACT, PROGRAM_FACT, LEVEL_FACT, STATUS_FACT] },
})

/** Years from the first day of the entry term to the decision, begun ones counted whole. */
const YEARS_NEEDED = sql`ceil((d.decided_on - et.start_date) / 365.25)::int`
const IN_TIME = sql`${YEARS_NEEDED} <= ceil(p.semesters / 2.0)`
/** What the GPA is called by the letters of the bylaw: the best one whose points it reaches. */
const RATING = sql`(select g.letter from grade_types y join grade_ranges g on g.grade_type_id = y.id
  where y.bylaw_id = s.bylaw_id and y.kind = 'letter' and g.points <= s.gpa order by g.points desc, g.letter limit 1)`

export const graduateSubject: SubjectSql<'graduate'> = subject('graduate', {
  from: FROM,
  where: sql`s.removed_at is null and s.status = 'graduated'`,
  reach,
  person: PERSON_OF_STUDENT,
  dimensions: {
    ...DIMENSIONS_OF_STUDENT,
    graduation_year: sql`(select y.id from years y where y.removed_at is null and y.start_date <= d.decided_on
      order by y.start_date desc limit 1)`,
    years_needed: YEARS_NEEDED,
    rating: RATING,
  },
  measures: {
    graduates: people(),
    mean_years: mean(sum(YEARS_NEEDED), rows(sql`${YEARS_NEEDED} is not null`)),
    in_time: people(IN_TIME),
    in_time_share: share(people(IN_TIME), people(sql`${YEARS_NEEDED} is not null`)),
    graduates_gpa: mean(sum(sql`s.gpa`), rows(sql`s.gpa is not null`)),
  },
  row: {
    ...STUDENT_ROW,
    facts: [
      PROGRAM_FACT,
      COHORT_FACT,
      { fact: 'graduated_on', of: sql`d.decided_on::text` },
      { fact: 'years_needed', of: YEARS_NEEDED },
    ],
  },
})

/** A year after the first day of the entry term has passed: before, nobody knows who is still here then. */
const OLD_ENOUGH = sql`et.start_date + 365 <= (select university_today())`
/** The status did not end, but by graduating, within that year. */
const STAYED = sql`${OLD_ENOUGH} and not (${GONE} and d.decided_on < et.start_date + 365)`

export const cohortSubject: SubjectSql<'cohort'> = subject('cohort', {
  from: FROM,
  where: sql`s.removed_at is null and s.entry_term_id is not null`,
  reach,
  person: PERSON_OF_STUDENT,
  dimensions: { ...DIMENSIONS_OF_STUDENT, year: sql`et.year_id` },
  measures: {
    entered: people(),
    after_a_year: people(STAYED),
    retention: share(people(STAYED), people(OLD_ENOUGH)),
    still_here: people(sql`s.status in ('studying', 'suspended')`),
    completed: people(sql`s.status = 'graduated'`),
    gone: people(GONE),
    completion: share(people(sql`s.status = 'graduated'`), people()),
  },
  row: { ...STUDENT_ROW, facts: [PROGRAM_FACT, COHORT_FACT, LEVEL_FACT, STATUS_FACT] },
})
