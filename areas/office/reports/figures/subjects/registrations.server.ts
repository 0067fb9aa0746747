import { ATTEMPTS, REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import { attemptFlags, flag, mainFlags, mainMask } from '#areas/common/academics/status.rules.ts'
import { taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql, type RawBuilder } from 'kysely'
import { registeredMask, requestMask } from '../../overview/overview.server.ts'
import {
  PERSON_OF_STUDENT,
  bothNames,
  mean,
  people,
  rows,
  share,
  subject,
  sum,
  sqlWordOf,
  type SubjectSql,
} from '../subject.server.ts'
import { PROGRAM_FACT } from './students.server.ts'

const has = (mask: bigint): RawBuilder<unknown> => sql`r.status & ${sql.raw(String(mask))} <> 0`
const REGISTERED = has(registeredMask)
const attemptMask = attemptFlags.reduce((bits, name) => bits | flag[name], 0n)
/** The name of the one flag of several that is set. */
const named = (names: readonly (keyof typeof flag)[], mask: bigint): string =>
  `case r.status & ${mask} ${names.map((name) => `when ${flag[name]} then '${name}'`).join(' ')} end`
const STATE = named(mainFlags, mainMask)
const ATTEMPT = named(attemptFlags, attemptMask)
/** Results that are out: before, nobody but control knows them. */
const OUT = sql`o.control_status in ('Published', 'Frozen')`
const PASSED = sql`r.passed and ${OUT}`
const FAILED = sql`not r.passed and ${OUT}`
/** Added after the registration: the first step was a request to add. */
const ADDED = sql`exists (select from registration_history h where h.registration_id = r.id and h.action = 'add')`
const LOST = has(flag.Dropped | flag.Withdrawn | flag.ForcedWithdrawn | flag.Excused)

/** Registrations of students; who was merged or removed is none. Names of tables stand as in the other subjects. */
export const registrationSubject: SubjectSql<'registration'> = subject('registration', {
  from: sql`registrations r join students s on s.id = r.student_id left join programs p on p.id = s.program_id
    left join offerings o on o.id = r.offering_id left join terms rt on rt.id = r.term_id left join courses c on c.id = r.course_id`,
  where: sql`s.removed_at is null`,
  reach: (ctx, key) =>
    scopeCondition(ctx, key, { ...studentReach(ctx, 's'), taught: taughtBy(ctx.actor?.instructor_id ?? null, 'o') }),
  person: PERSON_OF_STUDENT,
  owned: {
    from: sql`registrations r left join offerings o on o.id = r.offering_id left join terms rt on rt.id = r.term_id`,
    by: sql`r.student_id`,
    owners: sql`students s on s.id = g.owner left join programs p on p.id = s.program_id`,
    own: ['term', 'year', 'state', 'attempt'],
    alone: ['course'],
  },
  dimensions: {
    faculty: sql`s.faculty_id`,
    department: sql`p.department_id`,
    program: sql`s.program_id`,
    bylaw: sql`s.bylaw_id`,
    level: sql`s.level`,
    gender: sql`s.gender`,
    nationality: sql`s.nationality_id`,
    term: sql`r.term_id`,
    year: sql`rt.year_id`,
    course: sql`r.course_id`,
    state: sql.raw(STATE),
    attempt: sql.raw(ATTEMPT),
  },
  measures: {
    registered: rows(REGISTERED),
    registered_students: people(REGISTERED),
    hours: sum(sql`r.credit_hours`, REGISTERED),
    load: mean(sum(sql`r.credit_hours`, REGISTERED), people(REGISTERED)),
    requested: rows(has(requestMask)),
    passed: rows(PASSED),
    failed: rows(FAILED),
    pass_share: share(rows(PASSED), rows(sql`r.passed is not null and ${OUT}`)),
    added: rows(ADDED),
    dropped: rows(has(flag.Dropped)),
    withdrawn: rows(has(flag.Withdrawn | flag.ForcedWithdrawn)),
    excused: rows(has(flag.Excused)),
    lost_share: share(rows(LOST), rows()),
  },
  row: {
    to: sql`'/students/' || s.id`,
    code: sql`s.code`,
    name: sql`s.name`,
    name_local: sql`s.name_local`,
    order: sql`s.code, c.code, r.id`,
    facts: [
      { fact: 'course', of: bothNames('c') },
      { fact: 'term', of: bothNames('rt') },
      { fact: 'credit_hours', of: sql`r.credit_hours` },
      { fact: 'status', of: sqlWordOf(`(${STATE})`, REGISTRATION_STATES) },
      { fact: 'attempt', of: sqlWordOf(`(${ATTEMPT})`, ATTEMPTS) },
      PROGRAM_FACT,
    ],
  },
})
