import { sql } from 'kysely'
import { refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { isId } from '#kit/server/base/scope.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import type { Served } from '#kit/server/resource/served.ts'
import { accountStateSql } from '../account/account.server.ts'
import { nameLineProblems, partsFollow } from '../names/follow.server.ts'
import { tellWhoseEmail } from '../taken-email.server.ts'
import { instructor } from './instructor.contract.ts'

/**
 * How instructors are bound to the university, for queries in which they stand under `alias`: by faculty and department,
 * and to a program or bylaw as members of the faculty that runs it, from whom its teams are made.
 */
export const instructorReach = (alias = 't') => {
  const faculty = sql.ref(`${alias}.faculty_id`)
  return {
    faculty,
    department: sql.ref(`${alias}.department_id`),
    bylaw: (ids: readonly number[]) =>
      sql`${faculty} in (select b.faculty_id from bylaws b where b.id = any(${ids}::int[]))`,
    program: (ids: readonly number[]) =>
      sql`${faculty} in (select p.faculty_id from programs p where p.id = any(${ids}::int[]))`,
  } satisfies ScopeParts
}

/** Instructors. The table is `t`. */
export const instructors: Served<typeof instructor> = workings(instructor, {
  scope: {
    faculty: () => instructorReach().faculty,
    department: () => instructorReach().department,
    bylaw: () => instructorReach().bylaw,
    program: () => instructorReach().program,
    own: (ctx) => isId(sql`t.user_id`, ctx.actor?.user_id),
  },
  computed: {
    account_id: 't.user_id',
    account_state: accountStateSql('t.user_id'),
    last_login_at: '(select l.last_login_at from last_logins l where l.user_id = t.user_id)',
    blocked_at: '(select u.blocked_at from users u where u.id = t.user_id)',
  },
  lookups: ['faculty_id'],
  abilities: { documents: { permission: 'show_instructorDocument' } },
  beforeWrite: async (ctx, tx, merged, current) => {
    if (!current || merged.email !== current.email)
      await tellWhoseEmail(ctx, tx, { kind: 'instructor', id: current?.id ?? null }, merged.email)
    const names = await partsFollow(tx, 'instructors', merged, current)
    if (!merged.department_id) return names
    const { rows } = await sql`select from departments
      where id = ${merged.department_id} and faculty_id = ${merged.faculty_id}`.execute(tx)
    if (!rows.length) throw refuse(422, 'department_of_other_faculty', {}, 'department_id')
    return names
  },
  lineProblems: nameLineProblems,
})
