import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kindsKnown, PERMISSION_KEYS, PERMISSIONS } from '#access/permissions.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { BONDS, kindOf, KINDS } from '#access/reach.contract.ts'
import type { Kind } from '#access/reach.contract.ts'
import { SEEDED_ROLES } from '#access/roles.contract.ts'
import { callsOf } from '#kit/contract/index.ts'
import type { Call } from '#kit/contract/index.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { share } from './share.ts'
import { choicesOf, shapeOf } from './generate.ts'
import { testUniversity } from './university.ts'
import type { TestUniversity } from './university.ts'

/**
 * A right says which reaches it knows. Held by another one, it opens nothing: of every call of the product. What the reaches that
 * it knows let somebody see and change is tried in `every-call.test.ts`.
 */
const CALLS = AREAS.flatMap((area) => callsOf(area).map((call) => ({ area: area.name, call })))
const keysOf = ({ permission }: Call): readonly PermissionKey[] =>
  permission === 'public' || permission === 'signed_in' ? [] : ([permission].flat() as PermissionKey[])
/** Reaches that are nothing to a right, also not the own record. */
const strangeTo = (key: PermissionKey): Kind[] =>
  KINDS.filter((kind) => {
    const known = kindsKnown(key)
    return !known.has(kind) && !((kind === 'university' || kind === 'part') && known.has('own'))
  })

let u: TestUniversity
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  await u.database.pool.query(`insert into faculties (code, name, name_local) values ('F', 'Science', 'علوم')`)
})
afterAll(() => u?.close())

/** People who hold one right each, by one kind of reach. */
async function holders(pairs: readonly (readonly [PermissionKey, Kind])[]): Promise<Map<string, string>> {
  const { rows } = await u.database.pool.query<{ user_id: number; permission: string; kind: Kind }>(
    `with asked as (select a.*, 'holder ' || row_number() over () as n from jsonb_to_recordset($1::jsonb) a (permission text, kind text, reach text)),
      people as (insert into users (type, name, name_local) select 2, n, n from asked returning id, name as n),
      made as (insert into roles (key, name, name_local) select n, n, n from asked returning id, name as n),
      filled as (insert into role_permissions (role_id, permission, reach) select m.id, a.permission, a.reach from made m join asked a using (n)),
      given as (insert into role_assignments (user_id, role_id, scope_type, scope_id)
        select p.id, m.id, case when kind = 'part' then 'faculty' end, case when kind = 'part' then (select min(id) from faculties) end
        from people p join made m using (n) join asked a using (n))
     select p.id as user_id, a.permission, a.kind from people p join asked a using (n)`,
    [
      JSON.stringify(
        pairs.map(([permission, kind]) => ({
          permission,
          kind,
          reach: kind === 'part' || kind === 'university' ? 'scope' : kind,
        })),
      ),
    ],
  )
  u.auth.forget()
  const out = new Map<string, string>()
  for (const row of rows)
    out.set(
      `${row.permission} ${row.kind}`,
      (await createSession(u.database.pool, { user_id: row.user_id, ip: null })).token,
    )
  return out
}
/** The address of a call with something in every place. */
const addressOf = (call: Call): string =>
  call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(choicesOf(shapeOf(call.params)[name]!)[0] ?? 1))

describe('a right that is held by a reach it does not know', () => {
  it('opens no call', async () => {
    const tried = CALLS.flatMap(({ area, call }) =>
      keysOf(call).flatMap((key) => strangeTo(key).map((kind) => ({ area, call, key, kind }))),
    )
    expect(tried.length).toBeGreaterThan(2000)
    // Only those whose turn it is are made: thousands of people with a role each cost more than the calls.
    const today = share(tried, 5)
    const pairs = [...new Map(today.map(({ key, kind }) => [`${key} ${kind}`, [key, kind] as const])).values()]
    const tokens = await holders(pairs)
    const opened: string[] = []
    for (const { area, call, key, kind } of today) {
      const answer = await u.app.inject({
        method: call.method,
        url: `/api${addressOf(call)}`,
        headers: { authorization: `Bearer ${tokens.get(`${key} ${kind}`)}` },
        ...(call.method !== 'GET' && !call.upload && { payload: (call.example ?? {}) as object }),
      })
      if (answer.statusCode !== 403 || !/^(?:delete_)?not_allowed$/.test(answer.json().message))
        opened.push(`${area}: ${call.method} ${call.path} by ${key} (${kind}): ${answer.statusCode}`)
    }
    expect(opened).toEqual([])
  }, 900_000)
})

describe('what is said of rights', () => {
  it('every seeded role gives each right by a reach that the right knows', () => {
    expect(
      SEEDED_ROLES.flatMap(({ key, rights }) =>
        Object.entries(rights).flatMap(([permission, reach]) =>
          kindsKnown(permission).has(kindOf(reach, false)) ? [] : [`${key}: ${permission} (${reach})`],
        ),
      ),
    ).toEqual([])
  })

  it('a resource is reached by the bonds of its scope, and by those alone', () => {
    const strange = AREAS.flatMap((area) => area.resources).flatMap((r) => {
      const scope =
        r.scope === 'university' ? [] : BONDS.filter((bond) => (r.scope as readonly string[]).includes(bond))
      const keys = [...new Set(Object.values(r.permissions).flat())].filter((key): key is PermissionKey =>
        PERMISSIONS.has(key as PermissionKey),
      )
      return keys.flatMap((key) => {
        const known = BONDS.filter((bond) => kindsKnown(key).has(bond))
        // A right of the own record alone looks at nothing else.
        const own = [...kindsKnown(key)].join() === 'own' && scope.includes('own')
        return own || known.join() === scope.join()
          ? []
          : [`${r.name} ${key}: says ${known.join()}, looks at ${scope.join()}`]
      })
    })
    expect(strange).toEqual([])
  })

  it('says something of every key', () => {
    expect(PERMISSION_KEYS.filter((key) => kindsKnown(key).size === 0)).toEqual([])
  })
})
