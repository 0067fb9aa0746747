import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeNamed } from '#kit/server/base/registry.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ORDINARY, employeeReach } from './employees/employee.server.ts'
import { instructorReach } from './instructors/instructor.server.ts'

/** By what accounts are bound to the university, as they are served. */
export const accountReach = (ctx: Ctx) => scopeNamed('user')?.(ctx) ?? {}

/** A person by the record that people know (`t`): where it stands, its account, and who may open it. */
export const PERSON = {
  user: {
    table: 'users',
    account: sql`t.id`,
    opens: (ctx: Ctx): RawBuilder<unknown> =>
      sql`(${scopeCondition(ctx, 'access_users', accountReach(ctx))} or ${ORDINARY} and ${scopeCondition(ctx, 'show_employee', employeeReach(ctx))})`,
  },
  student: {
    table: 'students',
    account: sql`t.user_id`,
    opens: (ctx: Ctx): RawBuilder<unknown> => scopeCondition(ctx, 'show_students', studentReach(ctx)),
  },
  instructor: {
    table: 'instructors',
    account: sql`t.user_id`,
    opens: (ctx: Ctx): RawBuilder<unknown> => scopeCondition(ctx, 'show_instructor', instructorReach()),
  },
} as const
export type PersonKind = keyof typeof PERSON
