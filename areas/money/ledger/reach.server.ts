/** How far the ledger is seen: all of it, or what concerns payers within reach; and what payers are called. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Access } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { isId, reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import type { ScopeParts, UnitPart } from '#kit/server/base/scope.ts'
import { sql, type RawBuilder } from 'kysely'

/** SQL: whether the student `alias` is within reach; of a payer without student, whether everything is. */
export const reachedStudent = (ctx: Ctx, access: Access, alias = 's'): RawBuilder<unknown> =>
  scopeCondition(ctx, access, studentReach(ctx, alias))

/**
 * How payers are bound to the university: as their students `student` are; applicants by the programs that they wish for or were
 * given; who works here by the faculty and department of the work, and to himself or herself; sponsors and guests to all of it.
 */
export function payerReach(ctx: Ctx, student = 's', payer = 'p'): ScopeParts {
  const of = studentReach(ctx, student)
  const applicant = sql.ref(`${payer}.applicant_id`)
  const staff = sql.ref(`${payer}.user_id`)
  const works =
    (part: UnitPart, column: 'faculty_id' | 'department_id'): UnitPart =>
    (ids) =>
      sql`(${typeof part === 'function' ? part(ids) : sql`coalesce(${part} = any(${[...ids]}::int[]), false)`}
      or ${staff} is not null and exists (select from users wu left join instructors wi on wi.user_id = wu.id and wi.removed_at is null
        where wu.id = ${staff} and coalesce(${sql.ref(`wu.${column}`)}, ${sql.ref(`wi.${column}`)}) = any(${[...ids]}::int[])))`
  const unit = (part: UnitPart, column: string): UnitPart => {
    const there = sql.ref(`ap.${column}`)
    return (
      ids,
    ) => sql`(${typeof part === 'function' ? part(ids) : sql`coalesce(${part} = any(${[...ids]}::int[]), false)`}
      or ${applicant} is not null and exists (select from programs ap where ${there} = any(${[...ids]}::int[])
        and (ap.id in (select w.program_id from applicant_preferences w where w.applicant_id = ${applicant})
          or ap.id = (select g.program_id from applicants g where g.id = ${applicant}))))`
  }
  return {
    ...of,
    faculty: works(unit(of.faculty, 'faculty_id'), 'faculty_id'),
    department: works(unit(of.department, 'department_id'), 'department_id'),
    bylaw: unit(of.bylaw, 'bylaw_id'),
    program: unit(of.program, 'id'),
    own: sql`(${of.own} or ${isId(staff, ctx.actor?.user_id)})`,
  }
}

/** SQL: whether the payer `payer`, whose student is `student`, is within reach. */
export const reachedPayer = (
  ctx: Ctx,
  access: Access | readonly PermissionKey[],
  student = 's',
  payer = 'p',
): RawBuilder<unknown> => scopeCondition(ctx, access, payerReach(ctx, student, payer))

/** SQL: what is joined to the payer `payer` so that lists find it by `PAYER_SEARCH`; its student stands under `s`. */
export const payerJoins = (payer = 'p'): RawBuilder<unknown> =>
  sql.raw(`left join applicants ap on ap.id = ${payer}.applicant_id left join users pw on pw.id = ${payer}.user_id
    left join instructors pt on pt.user_id = ${payer}.user_id and pt.removed_at is null left join guests pg on pg.id = ${payer}.guest_id`)
/** By what payers are found: a student, an applicant, who works here by the account or the record of who teaches, a guest. */
export const PAYER_SEARCH = [
  's.search_text',
  'ap.search_text',
  'pw.search_text',
  'pt.search_text',
  'pg.search_text',
] as const

/** Text of SQL: the number of who works here, `user` is the account: the staff number, else that of who teaches. */
export const staffCodeText = (user: string): string =>
  `coalesce(${user}.code, (select tc.code from instructors tc where tc.user_id = ${user}.id and tc.removed_at is null))`

/** Text of SQL: who the payer `payer` is where it is no student, as `otherPayerRef`; null of a student. */
export const otherPayerText = (payer = 'p'): string => `case when ${payer}.applicant_id is not null then
    (select json_build_object('id', g.id, 'code', g.code, 'name', coalesce(g.name, g.name_local, g.code), 'name_local', coalesce(g.name_local, g.name, g.code),
      'kind', 'applicant') from applicants g where g.id = ${payer}.applicant_id)
  when ${payer}.sponsor_id is not null then
    (select json_build_object('id', g.id, 'code', g.code, 'name', g.name, 'name_local', g.name_local, 'kind', 'sponsor') from sponsors g
      where g.id = ${payer}.sponsor_id)
  when ${payer}.user_id is not null then
    (select json_build_object('id', g.id, 'code', ${staffCodeText('g')}, 'name', g.name, 'name_local', g.name_local, 'kind', 'staff') from users g
      where g.id = ${payer}.user_id)
  when ${payer}.guest_id is not null then
    (select json_build_object('id', g.id, 'code', g.code, 'name', g.name, 'name_local', g.name_local, 'kind', 'guest') from guests g
      where g.id = ${payer}.guest_id) end`
/** SQL of the same. */
export const otherPayer = (payer = 'p'): RawBuilder<unknown> => sql.raw(otherPayerText(payer))

/** SQL: whether the entry `entry` concerns somebody within reach. */
export const reachedEntry = (ctx: Ctx, access: Access, entry: string): RawBuilder<unknown> =>
  reachesAll(ctx, access)
    ? sql`true`
    : sql`exists (select from ledger_postings rp join payers ry on ry.id = rp.payer_id left join students rs on rs.id = ry.student_id
        where rp.entry_id = ${sql.ref(entry)} and ${reachedPayer(ctx, access, 'rs', 'ry')})`

/** Books are the whole university's: a right over a part of it does not open them. @throws {Refusal} 403 */
export const requireWhole = (ctx: Ctx, key: PermissionKey): void => {
  if (!reachesAll(ctx, key)) throw refuse(403, 'not_allowed')
}
