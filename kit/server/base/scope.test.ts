import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from './context.ts'
import { requireReach, scopeCondition } from './scope.ts'
import { testActor } from '../testing.ts'
import type { TestReach } from '../testing.ts'

/** The text of a condition, as the database would be asked. */
const db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (on) => new PostgresIntrospector(on),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const parts = { faculty: sql.ref('t.faculty_id'), taught: sql`taught_by_me` }
const asked = (reach: TestReach | null, of: typeof parts | 'university' = parts): string => {
  const actor = testActor(reach === null ? {} : { access_students: reach })
  return scopeCondition({ system: null, actor } as Ctx, ['access_students'], of).compile(db).sql
}

test('who holds no key reaches nothing, whatever the rows are bound to, and nobody signed in nothing', () => {
  expect(asked(null)).toBe('false')
  expect(asked(null, 'university')).toBe('false')
  const nobody = { system: null, actor: null } as Ctx
  expect(scopeCondition(nobody, ['access_students'], parts).compile(db).sql).toBe('false')
})
test('a key reaches what it names; where it names nothing that rows are bound to, nothing', () => {
  expect(asked('all')).toBe('true')
  expect(asked({ faculty: [1, 2] })).toBe('(("t"."faculty_id" = any($1::int[]) and "t"."faculty_id" is not null))')
  expect(asked('taught')).toBe('(taught_by_me)')
  expect(asked({ program: [3] })).toBe('false')
  expect(asked('advised')).toBe('false')
  // A part of the university is enough for what belongs to all of it.
  expect(asked({ faculty: [1] }, 'university')).toBe('true')
})

test('who holds none of the rights, does not reach the part, or is nobody is refused, each in its way', () => {
  const demand = (actor: Ctx['actor'], at?: Parameters<typeof requireReach>[2]) => () =>
    requireReach({ system: null, actor } as Ctx, 'access_students', at)
  const refused = (asked: () => void): unknown => {
    try {
      asked()
      return null
    } catch (error) {
      const { status, reasons } = error as { status: number; reasons: readonly { code: string }[] }
      return [status, ...reasons.map(({ code }) => code)]
    }
  }
  expect(refused(demand(null))).toEqual([401, 'not_signed_in'])
  expect(refused(demand(testActor({})))).toEqual([403, 'not_allowed'])
  const some = testActor({ access_students: { faculty: [1] } })
  expect(refused(demand(some))).toBeNull()
  expect(refused(demand(some, { faculty: 1 }))).toBeNull()
  for (const at of [{ faculty: 2 }, { faculty: null }, { program: 1 }, {}])
    expect(refused(demand(some, at))).toEqual([403, 'not_allowed'])
  expect(refused(demand(testActor({ access_students: 'all' }), { faculty: 2 }))).toBeNull()
})
