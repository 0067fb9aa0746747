import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'
import { wishing } from '#areas/admission/applicants/applicant/flow.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import {
  bothNames,
  least,
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

const reach = (ctx: Ctx, key: PermissionKey) =>
  scopeCondition(ctx, key, {
    faculty: wishing('faculty_id')(),
    department: wishing('department_id')(),
    bylaw: wishing('bylaw_id')(),
    program: wishing('id')(),
  })
const OF_APPLICANT = sql`left join admissions a on a.id = t.admission_id left join programs gp on gp.id = t.program_id
  left join communities co on co.id = t.community_id left join certificate_types ct on ct.id = t.certificate_type_id`
const DIMENSIONS_OF_APPLICANT = {
  admission: sql`t.admission_id`,
  admission_type: sql`a.applicant_type`,
  application_state: sql`t.status`,
  given_program: sql`t.program_id`,
  given_faculty: sql`gp.faculty_id`,
  certificate: sql`t.certificate_type_id`,
  governorate: sql`t.community_id`,
  nationality: sql`t.nationality_id`,
  gender: sql`t.gender`,
  day: sql`(t.submitted_at at time zone (select university_zone()))::date`,
}
const FACTS: readonly RowFactSql[] = [
  { fact: 'status', of: sqlWordOf('t.status', APPLICANT_STATUSES) },
  { fact: 'certificate', of: bothNames('ct') },
  { fact: 'governorate', of: bothNames('co') },
  { fact: 'given_program', of: bothNames('gp') },
]
const APPLICANT_ROW = {
  to: sql`'/applicants/' || t.id`,
  code: sql`t.code`,
  name: sql`coalesce(t.name, t.code)`,
  name_local: sql`coalesce(t.name_local, t.name, t.code)`,
  order: sql`t.code, t.id`,
}
const SENT = sql`t.submitted_at is not null`
const GIVEN = sql`t.program_id is not null and t.status <> 'CANCELLED'`
const ADMITTED = sql`t.status in ('APPROVED', 'accepted')`

export const applicantSubject: SubjectSql<'applicant'> = subject('applicant', {
  from: sql`applicants t ${OF_APPLICANT}`,
  where: sql`t.removed_at is null`,
  reach,
  person: sql`t.id`,
  dimensions: DIMENSIONS_OF_APPLICANT,
  measures: {
    applicants: rows(),
    unfinished: rows(sql`t.status = 'INCOMPLETE'`),
    sent: rows(SENT),
    given_place: rows(GIVEN),
    admitted: rows(ADMITTED),
    admitted_share: share(rows(ADMITTED), rows(SENT)),
    mean_percentage: mean(sum(sql`t.percentage`), rows(sql`t.percentage is not null`)),
  },
  row: { ...APPLICANT_ROW, facts: FACTS },
})

const GOT = sql`t.program_id = w.program_id and t.status <> 'CANCELLED'`
/** Wishes of those who did not cancel; the first one is number 1. Distribution gives each one program. */
export const wishSubject: SubjectSql<'wish'> = subject('wish', {
  from: sql`applicant_preferences w join applicants t on t.id = w.applicant_id join programs p on p.id = w.program_id ${OF_APPLICANT}`,
  where: sql`t.removed_at is null and t.status <> 'CANCELLED'`,
  reach,
  person: sql`t.id`,
  dimensions: {
    ...DIMENSIONS_OF_APPLICANT,
    program: sql`w.program_id`,
    faculty: sql`p.faculty_id`,
    wish: sql`w.position + 1`,
  },
  measures: {
    wishes: rows(),
    first_wishes: rows(sql`w.position = 0`),
    wishers: people(),
    got_it: rows(GOT),
    got_share: share(rows(GOT), rows()),
    lowest: least(sql`t.percentage`, GOT),
  },
  row: {
    ...APPLICANT_ROW,
    order: sql`t.code, w.position`,
    facts: [{ fact: 'wish', of: sql`w.position + 1` }, { fact: 'program', of: bothNames('p') }, ...FACTS],
  },
})
