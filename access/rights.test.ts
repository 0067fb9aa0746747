import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, emptyTables } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { PERMISSION_KEYS, PERMISSIONS, kindsKnown } from './permissions.contract.ts'
import { covers, rightsOf, seedRoles } from './rights.server.ts'
import type { Rights } from './rights.server.ts'
import { SEEDED_ROLES } from './roles.contract.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await emptyTables(database.db)
  await database.db.transaction().execute(seedRoles)
})

const user = async (fields: Record<string, unknown> = {}): Promise<number> => {
  const { type = 2, ...rest } = fields
  const columns = Object.keys(rest)
  const { rows } = await database.pool.query(
    `insert into users (type, name, name_local${columns.map((c) => `, ${c}`).join('')})
     values ($1, 'A', 'أ'${columns.map((_, i) => `, $${i + 2}`).join('')}) returning id`,
    [type, ...Object.values(rest)],
  )
  return rows[0].id
}
const assign = (
  userId: number,
  role: string,
  scope: [string, number] | null = null,
  from: string | null = null,
  to: string | null = null,
) =>
  database.pool.query(
    `insert into role_assignments (user_id, role_id, scope_type, scope_id, valid_from, valid_to)
     select $1, id, $3, $4, university_today() + $5::integer, university_today() + $6::integer from roles where key = $2`,
    [userId, role, scope?.[0] ?? null, scope?.[1] ?? null, from, to],
  )
const rights = (userId: number): Promise<Rights> => database.db.transaction().execute((tx) => rightsOf(tx, userId))

test('the seeded roles are written once and what the university changed stays', async () => {
  const { rows } = await database.pool.query<{ key: string; n: number }>(
    'select key, (select count(*)::int from role_permissions where role_id = r.id) as n from roles r',
  )
  expect(Object.fromEntries(rows.map((r) => [r.key, r.n]))).toEqual(
    Object.fromEntries(SEEDED_ROLES.map((r) => [r.key, Object.keys(r.rights).length])),
  )
  await database.pool.query(`delete from role_permissions where role_id = (select id from roles where key = 'dean')`)
  await database.pool.query(`delete from roles where key = 'cashier'`)
  expect(await database.db.transaction().execute(seedRoles)).toEqual(['cashier'])
  const dean = await database.pool.query(
    `select from role_permissions where role_id = (select id from roles where key = 'dean')`,
  )
  expect(dean.rowCount).toBe(0)
})

test.each(SEEDED_ROLES.map((r) => r.key))(
  'the role %s gives what is written, everywhere or within a faculty',
  async (key) => {
    const role = SEEDED_ROLES.find((r) => r.key === key)!
    const [everywhere, within] = [await user(), await user()]
    await assign(everywhere, key)
    await assign(within, key, ['faculty', 7])
    const [all, some] = [await rights(everywhere), await rights(within)]
    expect([...all.keys()].toSorted()).toEqual(Object.keys(role.rights).toSorted())
    for (const [permission, reach] of Object.entries(role.rights)) {
      const [a, s] = [all.get(permission as never)!, some.get(permission as never)]
      // What belongs to the university alone has no share for a faculty.
      if (reach === 'scope' && !kindsKnown(permission).has('part')) {
        expect([a.all, s?.all ?? false, s?.faculty ?? []]).toEqual([true, false, []])
        continue
      }
      expect([a.all, a.own, a.taught, a.advised, a.supervised]).toEqual([
        reach === 'scope',
        reach === 'own',
        reach === 'taught',
        reach === 'advised',
        reach === 'supervised',
      ])
      expect([s!.all, s!.faculty]).toEqual([false, reach === 'scope' ? [7] : []])
    }
  },
)

test('roles, direct rights and access entries unite', async () => {
  const id = await user()
  await assign(id, 'faculty_registrar', ['faculty', 1])
  await assign(id, 'faculty_registrar', ['faculty', 2])
  await assign(id, 'instructor')
  await database.pool.query(
    `insert into access_entries (user_id, permission, scope_type, scope_id) values ($1, 'show_students', 'program', 9), ($1, 'show_mark', 'bylaw', 4)`,
    [id],
  )
  await database.pool.query(
    `insert into user_permissions (user_id, permission) values ($1, 'access_logs'), ($1, 'no_longer_a_key')`,
    [id],
  )
  const held = await rights(id)
  expect(held.get('show_students')).toEqual({
    all: false,
    faculty: [1, 2],
    department: [],
    bylaw: [],
    program: [9],
    own: false,
    taught: true,
    advised: false,
    supervised: false,
  })
  expect(held.get('show_mark')).toMatchObject({ all: false, bylaw: [4] })
  expect(held.get('access_logs')).toMatchObject({ all: true })
  expect(held.has('no_longer_a_key' as never)).toBe(false)
  expect(held.has('remove_students')).toBe(false)
})

test('validity counts by day, both ends included', async () => {
  const cases: [from: string | null, to: string | null, holds: boolean][] = [
    [null, null, true],
    ['0', '0', true],
    ['-3', '-1', false],
    ['1', null, false],
    [null, '-1', false],
    ['-1', null, true],
    [null, '0', true],
  ]
  for (const [from, to, holds] of cases) {
    const [byRole, byEntry] = [await user(), await user()]
    await assign(byRole, 'cashier', null, from, to)
    await database.pool.query(
      `insert into access_entries (user_id, permission, scope_type, scope_id, valid_from, valid_to)
       values ($1, 'show_students', 'faculty', 3, university_today() + $2::integer, university_today() + $3::integer)`,
      [byEntry, from, to],
    )
    expect([from, to, (await rights(byRole)).has('show_students')]).toEqual([from, to, holds])
    expect([from, to, (await rights(byEntry)).has('show_students')]).toEqual([from, to, holds])
  }
})

test('a day begins at the university’s midnight', async () => {
  // At any moment one of these two has another day than the session has.
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Midway']) {
    await database.pool.query(
      `insert into settings (key, value) values ('time_zone', to_jsonb($1::text)) on conflict (key) do update set value = excluded.value`,
      [zone],
    )
    const { rows } = await database.pool.query<{ today: string }>(
      `select (now() at time zone $1)::date::text as today`,
      [zone],
    )
    const [from, until] = [await user(), await user()]
    for (const [who, first, last] of [
      [from, 0, 5],
      [until, 1, 5],
    ] as const)
      await database.pool.query(
        `insert into access_entries (user_id, permission, scope_type, scope_id, valid_from, valid_to)
         values ($1, 'show_students', 'faculty', 3, $2::date + $3::integer, $2::date + $4::integer)`,
        [who, rows[0]!.today, first, last],
      )
    expect([zone, (await rights(from)).has('show_students'), (await rights(until)).has('show_students')]).toEqual([
      zone,
      true,
      false,
    ])
  }
  await database.pool.query(`delete from settings where key = 'time_zone'`)
})

test('students and applicants hold their role by being one; a removed role gives nothing', async () => {
  const student = await user({ type: 3 })
  expect((await rights(student)).get('access_student')).toMatchObject({ own: true, all: false })
  expect((await rights(await user({ type: 4 }))).size).toBe(0)
  await database.pool.query(`update roles set removed_at = now() where key = 'student'`)
  expect((await rights(student)).size).toBe(0)
})

test('super admins and root hold everything, removed people nothing', async () => {
  for (const flag of ['is_super_admin', 'is_root']) {
    const held = await rights(await user({ [flag]: true }))
    expect(held.size).toBe(PERMISSION_KEYS.length)
    expect(held.get('assign_super_admin')?.all).toBe(true)
  }
  const gone = await user({ is_root: true, removed_at: new Date() })
  expect((await rights(gone)).size).toBe(0)
  expect((await rights(123_456_789)).size).toBe(0)
})

test('a right that came with a newer program is added once to roles that are there already', async () => {
  const cashier = async () => (await rights(who)).has('access_slot')
  const who = await user()
  await assign(who, 'cashier')
  const { pool } = database
  // The university takes a right away; the next start leaves it so.
  await pool.query(`delete from role_permissions where permission = 'access_slot'`)
  await database.db.transaction().execute(seedRoles)
  expect(await cashier()).toBe(false)
  // As if the permission were new: it comes to the roles that have it, once.
  await pool.query(`delete from seeded_permissions where permission = 'access_slot'`)
  await database.db.transaction().execute(seedRoles)
  expect(await cashier()).toBe(true)
  await pool.query(`delete from role_permissions where permission = 'access_slot'`)
  await database.db.transaction().execute(seedRoles)
  expect(await cashier()).toBe(false)
})

test('every permission is called something in English and Arabic', () => {
  const poor = [...PERMISSIONS].filter(([, [en, ar]]) => !/[a-z]/i.test(en) || !/\p{Script=Arabic}/u.test(ar))
  expect(poor).toEqual([])
})

test('people with the same rights share them', async () => {
  const [one, other] = [await user({ type: 3 }), await user({ type: 3 })]
  expect(await rights(one)).toBe(await rights(other))
})

test('who covers whom', async () => {
  const of = async (role: string, scope: [string, number] | null = null): Promise<Rights> => {
    const id = await user()
    await assign(id, role, scope)
    return rights(id)
  }
  const [admin, registrar, faculty1, faculty2, student] = [
    await of('admin'),
    await of('registrar'),
    await of('faculty_registrar', ['faculty', 1]),
    await of('faculty_registrar', ['faculty', 2]),
    await rights(await user({ type: 3 })),
  ]
  expect(covers(admin, registrar)).toBe(true)
  expect(covers(registrar, admin)).toBe(false)
  expect(covers(registrar, faculty1)).toBe(true)
  expect(covers(faculty1, faculty2)).toBe(false)
  expect(covers(faculty1, faculty1)).toBe(true)
  expect(covers(faculty1, student)).toBe(true)
  expect(covers(student, faculty1)).toBe(false)
})

test('a change of rights is told to other processes', async () => {
  const id = await user()
  const client = await database.pool.connect()
  const heard: string[] = []
  client.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`))
  await client.query('listen rights_changed')
  await assign(id, 'cashier')
  await database.pool.query(`update users set phone = '0100000000' where id = $1`, [id])
  await database.pool.query(`update users set blocked_at = now() where id = $1`, [id])
  await database.pool.query(`delete from role_permissions where permission = 'show_students'`)
  await client.query('select 1')
  client.release(true)
  expect(heard).toEqual([`rights_changed ${id}`, `rights_changed ${id}`, 'rights_changed *'])
})

test('the audit trail keeps changes of rights', async () => {
  const id = await user()
  await sql`select set_config('ems.actor', '', false)`.execute(database.db)
  await assign(id, 'cashier', ['faculty', 5])
  const { rows } = await database.pool.query(
    `select new from audit_log where table_name = 'role_assignments' and (new ->> 'user_id')::int = $1`,
    [id],
  )
  expect(rows).toMatchObject([{ new: { user_id: id, scope_type: 'faculty', scope_id: 5 } }])
})
