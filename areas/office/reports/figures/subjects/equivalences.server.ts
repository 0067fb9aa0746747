import { sql } from 'kysely'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import { DIMENSIONS } from '../dimensions.contract.ts'
import { bothNames, people, rows, share, subject, sum, sqlWordOf, type SubjectSql } from '../subject.server.ts'

const DECISION = `case when not e.decided then 'open' when e.state = 'none' then 'refused' else 'accepted' end`
const ORIGIN = `coalesce(x.kind, 'internal')`
/** What is theirs is written again where it counts as several courses: it is counted once. */
const THEIRS = sql`e.split_of is null`
const is = (decision: string) => sql`${THEIRS} and ${sql.raw(`(${DECISION})`)} = ${sql.lit(decision)}`
const ACCEPTED = is('accepted')

/**
 * Lines of equivalences of transfers that were not given up: a course from another university, from abroad, or from the program
 * that a student leaves. As lists of transfers reach them: courses from elsewhere by the student, or by the program for which
 * somebody applies; a move within the university by both sides.
 */
export const equivalenceSubject: SubjectSql<'equivalence'> = subject('equivalence', {
  from: sql`equivalences e left join external_transfers x on x.id = e.external_transfer_id
    left join internal_transfers i on i.id = e.internal_transfer_id left join students s on s.id = coalesce(x.student_id, i.student_id)
    left join applicants a on a.id = x.applicant_id left join programs p on p.id = coalesce(x.program_id, i.program_id)
    left join programs sp on sp.id = s.program_id left join programs fp on fp.id = i.from_program_id
    left join universities_list un on un.id = x.university_id left join terms rt on rt.id = coalesce(x.term_id, i.term_id)
    left join courses c on c.id = e.course_id`,
  where: sql`coalesce(x.removed_at, i.removed_at) is null and coalesce(x.status, i.status) not in ('deleted', 'rejected', 'cancelled')`,
  reach: (ctx, key) => {
    const unit = (theirs: string, ours: string, from: string) => (ids: readonly number[]) =>
      sql`coalesce(case when x.id is null then ${sql.raw(ours)} = any(${[...ids]}::int[]) or ${sql.raw(from)} = any(${[...ids]}::int[])
        else coalesce(${sql.raw(theirs)}, ${sql.raw(ours)}) = any(${[...ids]}::int[]) end, false)`
    return scopeCondition(ctx, key, {
      faculty: unit('s.faculty_id', 'p.faculty_id', 'i.from_faculty_id'),
      department: unit('sp.department_id', 'p.department_id', 'fp.department_id'),
      bylaw: unit('s.bylaw_id', 'p.bylaw_id', 'fp.bylaw_id'),
      program: unit('s.program_id', 'p.id', 'fp.id'),
      own: isId(sql`s.id`, ctx.actor?.student_id),
      advised: isId(sql`s.advisor_id`, ctx.actor?.instructor_id),
    })
  },
  person: sql`coalesce(s.user_id, -s.id, -1000000000 - a.id)`,
  dimensions: {
    origin: sql.raw(ORIGIN),
    university: sql`x.university_id`,
    faculty: sql`p.faculty_id`,
    program: sql`p.id`,
    term: sql`rt.id`,
    year: sql`rt.year_id`,
    decision: sql.raw(DECISION),
    course: sql`e.course_id`,
    gender: sql`coalesce(s.gender, a.gender)`,
    nationality: sql`coalesce(s.nationality_id, a.nationality_id)`,
  },
  measures: {
    courses_asked: rows(THEIRS),
    courses_accepted: rows(ACCEPTED),
    courses_refused: rows(is('refused')),
    courses_open: rows(is('open')),
    accepted_share: share(rows(ACCEPTED), rows(sql`${THEIRS} and e.decided`)),
    hours_brought: sum(sql`e.source_hours`, THEIRS),
    hours_accepted: sum(sql`e.credit_hours`, sql`e.decided`),
    moved_students: people(),
  },
  row: {
    to: sql`case when x.id is null then '/students/' || i.student_id || '/transfer/' || i.id
      when x.student_id is null then '/applicants/' || a.id else '/students/' || x.student_id || '/external_transfer/' || x.id end`,
    code: sql`coalesce(s.code, a.code)`,
    name: sql`coalesce(s.name, a.name, a.code)`,
    name_local: sql`coalesce(s.name_local, a.name_local, a.code)`,
    order: sql`coalesce(s.code, a.code), e.id`,
    facts: [
      { fact: 'origin', of: sqlWordOf(`(${ORIGIN})`, DIMENSIONS.origin.choices) },
      { fact: 'university', of: bothNames('un') },
      { fact: 'course_there', of: sql`e.source_code || ' · ' || e.source_name` },
      { fact: 'hours_brought', of: sql`e.source_hours` },
      { fact: 'decision', of: sqlWordOf(`(${DECISION})`, DIMENSIONS.decision.choices) },
      { fact: 'counts_as', of: bothNames('c') },
      { fact: 'hours_accepted', of: sql`e.credit_hours` },
    ],
  },
})
