/** Rights of people and roles, through HTTP on a real database: who may give and take what, and what stays whatever happens. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { confirmSession } from '#kit/server/identity/sessions.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { accessAndPeopleServer } from '../access-and-people.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

const AREAS = [kitServer, catalogueServer, peopleServer, studentsServer, accessAndPeopleServer]
let u: TestUniversity
/** Another process on the same database. */
let two: TestUniversity
let boss: Caller
let admin: Caller
const at = { faculty: 0, other: 0, department: 0, bylaw: 0, program: 0 }
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await query<{ id: number }>(text, values))[0]!.id
const day = (shift: number): string => addDays(dayOf(), shift)
const proven = async (who: Caller): Promise<Caller> => {
  for (const { id } of await query<{ id: string }>('select id from sessions where user_id = $1', [who.user_id]))
    await confirmSession(u.database.pool, id)
  return who
}
const somebody = async (role: string | null = null, scope?: ['faculty' | 'department' | 'program', number]) =>
  proven(await u.as(role, scope))
const roleId = (key: string) => one('select id from roles where key = $1', [key])
const access = async (id: number, who = boss) => ok(await who('GET', `/users/access/${id}`))
const set = (who: Caller, id: number, body: object) => who('PUT', `/users/set/access/${id}`, body)
const keysOf = async (who: Caller): Promise<string[]> => ok(await who('GET', '/users/live-data')).permissions
const assigned = async (role: string, scope: [string, number] | null = null, more: object = {}) => ({
  role_id: await roleId(role),
  ...(scope && { scope: { type: scope[0], id: scope[1] } }),
  ...more,
})
/** A role of its own with these rights. */
const made = async (rights: Record<string, string>): Promise<{ id: number; key: string }> => {
  const key = `made_${randomUUID().slice(0, 8)}`
  const id = await one('insert into roles (key, name, name_local) values ($1, $1, $1) returning id', [key])
  for (const [permission, reach] of Object.entries(rights))
    await query('insert into role_permissions (role_id, permission, reach) values ($1, $2, $3)', [
      id,
      permission,
      reach,
    ])
  return { id, key }
}

beforeAll(async () => {
  u = await testUniversity(AREAS)
  two = await testUniversity(AREAS, { database: { ...u.database, drop: async () => undefined } as never })
  at.faculty = await one(`insert into faculties (code, name, name_local) values ('F', 'Science', 'علوم') returning id`)
  at.other = await one(`insert into faculties (code, name, name_local) values ('G', 'Arts', 'آداب') returning id`)
  at.department = await one(
    `insert into departments (faculty_id, code, name, name_local) values ($1, 'D', 'Physics', 'فيزياء') returning id`,
    [at.faculty],
  )
  at.bylaw = await one(
    `insert into bylaws (faculty_id, code, name, name_local) values ($1, 'B', 'B', 'ل') returning id`,
    [at.faculty],
  )
  at.program = await one(
    `insert into programs (faculty_id, bylaw_id, code, name, name_local) values ($1, $2, 'P', 'P', 'ب') returning id`,
    [at.faculty, at.bylaw],
  )
  boss = await u.as(null, undefined, { name: 'Boss', email: 'boss@university.example' })
  await query('update users set is_super_admin = true where id = $1', [boss.user_id])
  boss = await proven(await u.signIn(boss.user_id))
  admin = await somebody('admin')
})
afterAll(async () => {
  await two?.close()
  await u?.close()
})

describe('what a person is given', () => {
  test('a role for a month in a faculty holds there, then, in every process, and is told in the history with by whom and why', async () => {
    const clerk = await somebody()
    const elsewhere = await two.signIn(clerk.user_id)
    expect(await keysOf(elsewhere)).toEqual([])
    const given = ok(
      await set(boss, clerk.user_id, {
        roles: [
          await assigned('faculty_registrar', ['faculty', at.faculty], { valid_from: day(0), valid_to: day(30) }),
        ],
        reason: 'Stands in for the registrar',
      }),
    )
    expect(given.roles).toMatchObject([
      {
        role: { name: 'Faculty registrar' },
        scope: { type: 'faculty', name: 'Science' },
        valid_to: day(30),
        by: { name: 'Boss' },
      },
    ])
    await expect.poll(async () => (await keysOf(elsewhere)).includes('show_students'), { timeout: 1000 }).toBe(true)
    const [entry] = ok(await boss('POST', `/users/access/${clerk.user_id}/history`, {}))
    expect(entry).toMatchObject({
      change: 'insert',
      role: { name: 'Faculty registrar' },
      scope: { name: 'Science' },
      valid_to: day(30),
      by: { name: 'Boss' },
      reason: 'Stands in for the registrar',
    })
    ok(await set(boss, clerk.user_id, { roles: [] }))
    await expect.poll(() => keysOf(elsewhere), { timeout: 1000 }).toEqual([])
  })

  test('a right that was given or taken counts for the next question to the process that answered', async () => {
    const clerk = await somebody()
    for (let n = 0; n < 30; n++) {
      expect(await keysOf(clerk)).toEqual([])
      ok(await set(boss, clerk.user_id, { roles: [await assigned('cashier')] }))
      expect(await keysOf(clerk)).toContain('access_students')
      ok(await set(boss, clerk.user_id, { roles: [] }))
    }
  })

  test('a role that begins later holds nothing yet; one that ended gives its place to the same role again', async () => {
    const clerk = await somebody()
    ok(await set(boss, clerk.user_id, { roles: [await assigned('cashier', null, { valid_from: day(5) })] }))
    expect(await keysOf(clerk)).toEqual([])
    const [row] = (await access(clerk.user_id)).roles
    ok(await set(boss, clerk.user_id, { roles: [{ id: row.id, role_id: row.role.id, valid_to: day(-1) }] }))
    expect((await access(clerk.user_id)).roles).toEqual([])
    ok(await set(boss, clerk.user_id, { roles: [await assigned('cashier')] }))
    expect(await keysOf(clerk)).toContain('access_students')
  })

  test('entries are added beside what is there, and reset takes them and single rights, not roles', async () => {
    const clerk = await somebody('cashier')
    ok(await set(boss, clerk.user_id, { permissions: ['access_logs'] }))
    ok(
      await boss('POST', `/users/access/${clerk.user_id}`, {
        permissions: ['show_mark', 'access_mark'],
        scope: { type: 'program', id: at.program },
        valid_to: day(10),
      }),
    )
    expect(await keysOf(clerk)).toEqual(expect.arrayContaining(['show_mark', 'access_logs', 'access_students']))
    const shown = ok(await boss('GET', `/users/${clerk.user_id}`))
    expect(shown).toMatchObject({
      direct_permissions: [{ key: 'access_logs' }],
      user_access_permissions: [{ key: 'access_mark' }, { key: 'show_mark' }],
      access_entries: [
        { key: 'access_mark', scope: { type: 'program', name: 'P' }, valid_to: day(10) },
        { key: 'show_mark' },
      ],
    })
    expect(shown.role_permissions.map((one: any) => one.key)).toContain('access_students')
    const left = ok(await boss('DELETE', `/users/access/${clerk.user_id}`))
    expect([left.roles.length, left.access_entries, left.permissions]).toEqual([1, [], []])
  })

  test('what somebody changed meanwhile is not overwritten', async () => {
    const clerk = await somebody('cashier')
    const { seen } = await access(clerk.user_id)
    ok(await set(boss, clerk.user_id, { permissions: ['access_logs'], seen }))
    expect(reasons(await set(boss, clerk.user_id, { permissions: [], seen }))).toEqual(['access_changed'])
  })

  test('input that makes no sense is refused with every reason', async () => {
    const clerk = await somebody()
    const refused = await set(boss, clerk.user_id, {
      roles: [
        await assigned('cashier', null, { valid_from: day(5), valid_to: day(3) }),
        await assigned('dean', null, { valid_to: day(-1) }),
        await assigned('examiner'),
        await assigned('examiner'),
      ],
    })
    expect([refused.status, reasons(refused)]).toEqual([
      422,
      ['access_backwards@roles.0.valid_to', 'access_over@roles.1.valid_to', 'access_twice@roles.3'],
    ])
    expect(
      reasons(
        await set(boss, clerk.user_id, {
          roles: [{ role_id: 999_999 }, await assigned('dean', ['faculty', 999_999])],
          permissions: ['no_right'],
          access_entries: [{ id: 7, permission: 'show_mark', scope: { type: 'faculty', id: at.faculty } }],
        }),
      ),
    ).toEqual([
      'part_unknown@roles.1.scope',
      'right_unknown@permissions.0',
      'role_unknown@roles.0.role_id',
      'row_unknown@access_entries.0.id',
    ])
    expect((await access(clerk.user_id)).roles).toEqual([])
  })

  test('students are given nothing beside their own record', async () => {
    const student = await u.as(null, undefined, { type: 3 })
    expect(reasons(await set(boss, student.user_id, { permissions: ['show_students'] }))).toEqual(['access_not_staff'])
  })
})

describe('nobody gives or takes more than he or she has', () => {
  const manager = async (rights: Record<string, string>, scope?: [string, number], valid_to: string | null = null) => {
    const { id } = await made({ user_access_users: 'scope', ...rights })
    const who = await somebody()
    await query(
      'insert into role_assignments (user_id, role_id, scope_type, scope_id, valid_to) values ($1, $2, $3, $4, $5)',
      [who.user_id, id, scope?.[0] ?? null, scope?.[1] ?? null, valid_to],
    )
    return who
  }
  /** Somebody whom a manager of the faculty reaches. */
  const member = () => somebody('cashier', ['faculty', at.faculty])

  test.each([
    ['a right of the own', { show_mark: 'scope' }, undefined, ['show_mark', 'faculty', 'other', null], []],
    ['another right', { show_mark: 'scope' }, undefined, ['edit_mark', 'faculty', 'faculty', null], ['right_not_held']],
    ['within the own faculty', { show_mark: 'scope' }, 'faculty', ['show_mark', 'faculty', 'faculty', null], []],
    ['in a part of the own faculty', { show_mark: 'scope' }, 'faculty', ['show_mark', 'program', 'program', null], []],
    [
      'in another faculty',
      { show_mark: 'scope' },
      'faculty',
      ['show_mark', 'faculty', 'other', null],
      ['right_not_held'],
    ],
    [
      'what is bound to what one teaches, further',
      { show_mark: 'taught' },
      undefined,
      ['show_mark', 'faculty', 'faculty', null],
      ['right_not_held'],
    ],
    [
      'for longer than one has it',
      { show_mark: 'scope' },
      'month',
      ['show_mark', 'faculty', 'faculty', 60],
      ['right_not_held'],
    ],
    ['for no longer than one has it', { show_mark: 'scope' }, 'month', ['show_mark', 'faculty', 'faculty', 20], []],
  ] as const)('%s', async (_name, rights, within, [permission, type, unit, days], codes) => {
    const who = await manager(
      rights,
      within === 'faculty' ? ['faculty', at.faculty] : undefined,
      within === 'month' ? day(30) : null,
    )
    const clerk = await member()
    const answer = await who('POST', `/users/access/${clerk.user_id}`, {
      permissions: [permission],
      scope: { type, id: at[unit] },
      ...(days && { valid_to: day(days) }),
    })
    expect(reasons(answer)).toEqual(codes)
    expect(answer.status).toBe(codes.length ? 403 : 200)
  })

  test('not by a role either: every right of it counts, with its reach', async () => {
    const who = await manager({ show_mark: 'scope', show_students: 'scope' }, ['faculty', at.faculty])
    const clerk = await member()
    const small = await made({ show_mark: 'scope', show_my_schedule: 'own' })
    const large = await made({ show_mark: 'scope', edit_mark: 'scope' })
    const bound = await made({ show_students: 'taught' })
    const [row] = (await access(clerk.user_id)).roles
    const kept = { id: row.id, role_id: row.role.id, scope: { type: 'faculty', id: at.faculty } }
    const give = (role_id: number, scope?: object) =>
      set(who, clerk.user_id, { roles: [kept, { role_id, ...(scope && { scope }) }] })
    expect(reasons(await give(small.id))).toEqual(['right_not_held'])
    expect(reasons(await give(large.id, { type: 'faculty', id: at.faculty }))).toEqual(['right_not_held'])
    // What somebody teaches may lie in another faculty.
    expect(reasons(await give(bound.id, { type: 'faculty', id: at.faculty }))).toEqual(['right_not_held'])
    ok(await give(small.id, { type: 'faculty', id: at.faculty }))
  })

  test('nor takes what he or she could not give', async () => {
    const who = await manager({ show_mark: 'scope' }, ['faculty', at.faculty])
    const clerk = await somebody('dean', ['faculty', at.faculty])
    expect(reasons(await set(who, clerk.user_id, { roles: [] }))).toEqual(['right_not_yours_to_take'])
    expect((await access(clerk.user_id)).roles).toHaveLength(1)
  })

  test('nor lets the own rights grow, not for longer either', async () => {
    const who = await manager({ show_mark: 'scope' }, undefined, day(30))
    expect(reasons(await set(who, who.user_id, { permissions: ['show_mark'] }))).toContain('own_rights_grow')
    const [row] = (await access(who.user_id)).roles
    expect(
      reasons(await set(who, who.user_id, { roles: [{ id: row.id, role_id: row.role.id, valid_to: day(300) }] })),
    ).toContain('own_rights_grow')
  })

  test('only a super admin makes super admins, by whatever way', async () => {
    const clerk = await somebody()
    const who = admin
    expect(reasons(await set(who, clerk.user_id, { is_super_admin: true }))).toEqual(['assignSuperAdminUnauthorized'])
    expect(reasons(await set(who, clerk.user_id, { permissions: ['assign_super_admin'] }))).toEqual([
      'assignSuperAdminUnauthorized',
    ])
    expect(reasons(await set(who, clerk.user_id, { roles: [await assigned('super_admin')] }))).toEqual([
      'assignSuperAdminUnauthorized',
    ])
    expect(reasons(await set(who, boss.user_id, { permissions: ['show_mark'] }))).toEqual(['person_has_more_rights'])
    ok(await set(boss, clerk.user_id, { is_super_admin: true }))
    await expect.poll(async () => (await keysOf(clerk)).includes('assign_super_admin')).toBe(true)
    ok(await set(boss, clerk.user_id, { is_super_admin: false }))
  })

  test('the wrong person sees and changes nothing', async () => {
    const clerk = await somebody('cashier', ['faculty', at.faculty])
    const far = await manager({ show_mark: 'scope' }, ['faculty', at.other])
    for (const [who, status] of [
      [u.nobody, 401],
      [await somebody('registrar'), 403],
      [await u.as('student', undefined, { type: 3 }), 403],
      [far, 404],
    ] as const) {
      for (const [method, path, body] of [
        ['GET', `/users/access/${clerk.user_id}`],
        ['PUT', `/users/set/access/${clerk.user_id}`, { permissions: [] }],
        [
          'POST',
          `/users/access/${clerk.user_id}`,
          { permissions: ['show_mark'], scope: { type: 'faculty', id: at.other } },
        ],
        ['DELETE', `/users/access/${clerk.user_id}`],
        ['POST', `/users/access/${clerk.user_id}/history`, {}],
        ['POST', `/rights/why/${clerk.user_id}`, { permission: 'show_students' }],
      ] as const)
        expect([method, path, (await who(method, path, body)).status]).toEqual([method, path, status])
    }
    expect(
      ok(await far('POST', '/rights/who', { filters: { permission: 'access_students' } })).map(
        (row: any) => row.user.id,
      ),
    ).not.toContain(clerk.user_id)
    expect(
      (await somebody('registrar').then((who) => who('POST', '/rights/who', { filters: { permission: 'show_mark' } })))
        .status,
    ).toBe(403)
  })
})

describe('somebody remains who can', () => {
  /** How many wait for whoever changes something of rights. */
  const waiting = () =>
    one(`select count(*)::int as id from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`)
  test('nobody loses by the own hand the last right to manage rights, not in two windows at once', async () => {
    const { id } = await made({ user_access_users: 'scope', access_logs: 'scope' })
    const who = await somebody()
    await query('insert into role_assignments (user_id, role_id) values ($1, $2)', [who.user_id, id])
    await query(`insert into user_permissions (user_id, permission) values ($1, 'user_access_users')`, [who.user_id])
    const answers = await Promise.all([
      set(who, who.user_id, { roles: [] }),
      set(who, who.user_id, { permissions: [] }),
    ])
    expect(answers.map((one) => reasons(one).filter((code) => code !== 'right_not_yours_to_take')).toSorted()).toEqual([
      [],
      ['own_last_right'],
    ])
    expect(await keysOf(who)).toContain('user_access_users')
  })

  test('not by changing or removing the role by which one has it', async () => {
    const { id } = await made({
      user_access_users: 'scope',
      edit_role: 'scope',
      remove_role: 'scope',
      show_role: 'scope',
    })
    const who = await somebody()
    await query('insert into role_assignments (user_id, role_id) values ($1, $2)', [who.user_id, id])
    const { rights, version } = ok(await who('GET', `/roles/${id}`))
    expect(
      reasons(
        await who('PUT', `/roles/${id}`, {
          version,
          rights: rights.filter((one: any) => one.permission !== 'user_access_users'),
        }),
      ),
    ).toEqual(['own_last_right'])
    // Nor by giving its place to a role that lacks it.
    const { id: lesser } = await made({ show_role: 'scope' })
    expect(
      reasons(await who('POST', `/roles/${id}/replace`, { role_id: lesser, reason: 'The office was closed' })),
    ).toEqual(['own_last_right'])
  })

  test('of two super admins who make each other ordinary at the same moment one stays, blocked and removed ones do not count', async () => {
    const [a, b] = [await somebody(), await somebody()]
    await query('update users set is_super_admin = id = any($1) where is_super_admin or id = any($1)', [
      [a.user_id, b.user_id],
    ])
    u.auth.forget()
    try {
      const answers = await Promise.all([
        set(a, b.user_id, { is_super_admin: false }),
        set(b, a.user_id, { is_super_admin: false }),
      ])
      expect(answers.filter((one) => one.status === 200)).toHaveLength(1)
      const left = await query<{ id: number }>('select id from users where is_super_admin')
      expect(left).toHaveLength(1)
      for (const change of ['is_super_admin = false', 'blocked_at = now()', 'removed_at = now()'])
        await expect(query(`update users set ${change} where id = $1`, [left[0]!.id])).rejects.toMatchObject({
          constraint: 'last_super_admin',
        })
    } finally {
      await query('update users set is_super_admin = true where id = $1', [boss.user_id])
      await query('update users set is_super_admin = false where id = any($1)', [[a.user_id, b.user_id]])
      u.auth.forget()
    }
  })

  test('the database keeps the last one itself, also between two transactions', async () => {
    const [a, b] = [await somebody(), await somebody()]
    const { pool } = u.database
    const [first, second] = [await pool.connect(), await pool.connect()]
    try {
      await query('update users set is_super_admin = id = any($1) where is_super_admin or id = any($1)', [
        [a.user_id, b.user_id],
      ])
      for (const client of [first, second]) await client.query('begin')
      await first.query('update users set is_super_admin = false where id = $1', [a.user_id])
      const waits = second.query('update users set is_super_admin = false where id = $1', [b.user_id]).then(
        () => 'done',
        (refused: { constraint?: string }) => refused.constraint,
      )
      await expect.poll(waiting).toBe(1)
      await first.query('commit')
      expect(await waits).toBe('last_super_admin')
    } finally {
      await second.query('rollback')
      first.release()
      second.release()
      await query('update users set is_super_admin = true where id = $1', [boss.user_id])
      await query('update users set is_super_admin = false where id = any($1)', [[a.user_id, b.user_id]])
      u.auth.forget()
    }
  })

  test('whoever changes rights waits for who is changing rights already, of whomever', async () => {
    const clerk = await somebody()
    const client = await u.database.pool.connect()
    try {
      await client.query('begin')
      await client.query(`select pg_advisory_xact_lock(hashtext('rights'))`)
      const changes = [
        set(boss, clerk.user_id, { permissions: ['access_logs'] }),
        boss('PUT', '/roles', { name: 'Waits', name_local: 'ينتظر', key: 'waits', rights: [] }),
      ]
      await expect.poll(waiting).toBe(2)
      await client.query('commit')
      for (const answer of await Promise.all(changes)) ok(answer)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('the same by the program: blocking the last one says why', async () => {
    await query('update users set is_super_admin = false where is_super_admin and id <> $1', [boss.user_id])
    const makes = await somebody('super_admin')
    await query('update users set is_super_admin = true where id = $1', [makes.user_id])
    const second = await proven(await u.signIn(makes.user_id))
    ok(await second('POST', `/block/${boss.user_id}`, { kind: 'user', blocked: true, reason: 'Left' }))
    try {
      // Whoever is left can neither be made ordinary nor lose it by the own hand.
      const answer = await set(second, second.user_id, { is_super_admin: false })
      expect(reasons(answer)).toEqual(['last_super_admin'])
    } finally {
      await query('update users set blocked_at = null where id = $1', [boss.user_id])
      await query('update users set is_super_admin = false where id = $1', [second.user_id])
      boss = await proven(await u.signIn(boss.user_id))
    }
  })
})

describe('a reach that a right does not know', () => {
  const settings = { permission: 'edit_university', reach: 'own' }
  const add = (who: Caller, ...rights: object[]) =>
    who('PUT', '/roles', { name: 'Reach helper', name_local: 'مساعد نطاق', key: `h${Math.random()}`, rights })

  test('is refused when it is written, each right by name, by whichever door', async () => {
    const refused = await add(boss, settings, { permission: 'set_directories', reach: 'taught' })
    expect([refused.status, reasons(refused)]).toEqual([
      422,
      ['right_reach_unknown@rights.0.reach', 'right_reach_unknown@rights.1.reach'],
    ])
    expect(refused.body.errors[0].data).toMatchObject({
      key: 'edit_university',
      right: 'Change settings of the university',
      known: 'all of the university',
    })
    const { id } = await made({ show_mark: 'scope' })
    const { rights, version } = ok(await boss('GET', `/roles/${id}`))
    expect(reasons(await boss('PUT', `/roles/${id}`, { version, rights: [...rights, settings] }))).toEqual([
      'right_reach_unknown@rights.1.reach',
    ])
    const clerk = await somebody()
    // What belongs to the university alone is given for no part of it.
    expect(
      reasons(
        await boss('POST', `/users/access/${clerk.user_id}`, {
          permissions: ['show_mark', 'edit_university', 'edit_role'],
          scope: { type: 'faculty', id: at.faculty },
        }),
      ),
    ).toEqual(['right_reach_unknown@access_entries.1.permission', 'right_reach_unknown@access_entries.2.permission'])
    expect(
      reasons(
        await set(boss, clerk.user_id, {
          access_entries: [{ permission: 'edit_role', scope: { type: 'faculty', id: at.faculty } }],
          // What concerns nobody but its holder is given for the own alone.
          permissions: ['access_student', 'access_logs'],
        }),
      ),
    ).toEqual(['right_reach_unknown@access_entries.0.permission', 'right_reach_unknown@permissions.0'])
    expect((await access(clerk.user_id)).permissions).toEqual([])
  })

  test('opens nothing where it stands, is handed on to nobody, and may be taken out', async () => {
    const { id } = await made({ edit_university: 'own', user_access_users: 'scope', show_mark: 'scope' })
    const who = await somebody()
    await query('insert into role_assignments (user_id, role_id) values ($1, $2)', [who.user_id, id])
    expect((await keysOf(who)).toSorted()).toEqual(['show_mark', 'user_access_users'])
    expect(ok(await boss('POST', `/rights/why/${who.user_id}`, { permission: 'edit_university' }))).toEqual([])
    expect(
      ok(await boss('POST', '/rights/who', { filters: { permission: 'edit_university' }, perPage: 500 })).map(
        (row: any) => row.user.id,
      ),
    ).not.toContain(who.user_id)
    const clerk = await somebody()
    expect(reasons(await set(who, clerk.user_id, { permissions: ['edit_university'] }))).toEqual(['right_not_held'])
    const delegated = await who('PUT', '/users/delegations', {
      email: 'boss@university.example',
      permissions: ['edit_university'],
      from_date: day(0),
      until_date: day(3),
      reason: 'Annual leave',
    })
    expect(reasons(delegated)).toEqual(['delegation_not_held@permissions'])
    // Stored as it is it hinders no change of the role.
    const { rights, version } = ok(await boss('GET', `/roles/${id}`))
    const kept = ok(await boss('PUT', `/roles/${id}`, { version, name: 'Renamed' }))
    ok(
      await boss('PUT', `/roles/${id}`, {
        version: kept.version,
        rights: rights.filter((one: any) => one.permission !== 'edit_university'),
      }),
    )
  })

  test('nobody gives the own record who does not hold it, and nobody grows by a role of the own', async () => {
    const { id } = await made({ show_role: 'scope', edit_role: 'scope', add_role: 'scope', show_mark: 'scope' })
    const who = await somebody()
    await query('insert into role_assignments (user_id, role_id) values ($1, $2)', [who.user_id, id])
    expect(reasons(await add(who, { permission: 'show_students', reach: 'own' }))).toEqual(['right_not_held'])
    const { rights, version } = ok(await who('GET', `/roles/${id}`))
    const grows = await who('PUT', `/roles/${id}`, {
      version,
      rights: [
        ...rights,
        { permission: 'edit_students', reach: 'own' },
        { permission: 'access_payment', reach: 'own' },
      ],
    })
    expect([grows.status, reasons(grows)]).toEqual([403, ['right_not_held']])
    // Held for some days by another way, it is not made one's own for good by the role.
    await query(`insert into role_assignments (user_id, role_id, valid_to) values ($1, $2, university_today() + 5)`, [
      who.user_id,
      (await made({ edit_students: 'own' })).id,
    ])
    const longer = await who('PUT', `/roles/${id}`, {
      version,
      rights: [...rights, { permission: 'edit_students', reach: 'own' }],
    })
    expect([longer.status, reasons(longer)]).toEqual([403, ['right_not_held']])
    // What may be given to others is not given to oneself by a role that one holds.
    await query(`insert into role_assignments (user_id, role_id, valid_from) values ($1, $2, university_today() - 1)`, [
      who.user_id,
      (await made({ show_course: 'scope' })).id,
    ])
    const own = await who('PUT', `/roles/${id}`, {
      version,
      rights: [...rights, { permission: 'show_course', reach: 'scope' }],
    })
    expect([own.status, reasons(own)]).toEqual([403, ['own_rights_grow']])
    ok(await add(who, { permission: 'show_course', reach: 'scope' }))
    expect(await keysOf(who)).not.toContain('access_payment')
  })
})

describe('roles', () => {
  test('a role is added, changed and removed while its holder works: gone within a second in every process, back when restored', async () => {
    const added = ok(
      await boss('PUT', '/roles', {
        name: 'Timetable helper',
        name_local: 'مساعد الجداول',
        key: 'timetable_helper',
        rights: [
          { permission: 'access_schedule', reach: 'scope' },
          { permission: 'access_offering', reach: 'scope' },
        ],
      }),
    )
    const clerk = await somebody()
    const elsewhere = await two.signIn(clerk.user_id)
    ok(await set(boss, clerk.user_id, { roles: [{ role_id: added.id }] }))
    await expect.poll(() => keysOf(elsewhere), { timeout: 1000 }).toHaveLength(2)
    const { rights, version } = ok(await boss('GET', `/roles/${added.id}`))
    ok(await boss('PUT', `/roles/${added.id}`, { version, rights: rights.slice(0, 1) }))
    await expect.poll(() => keysOf(elsewhere), { timeout: 1000 }).toHaveLength(1)
    // Nobody loses it unasked.
    const refused = await boss('DELETE', `/roles/${added.id}`)
    expect([refused.status, reasons(refused)]).toEqual([409, ['role_held']])
    expect(refused.body.errors[0].data.count).toBe(1)
    ok(await set(boss, clerk.user_id, { roles: [] }))
    await expect.poll(() => keysOf(elsewhere), { timeout: 1000 }).toEqual([])
    ok(await boss('DELETE', `/roles/${added.id}`))
    expect(reasons(await set(boss, clerk.user_id, { roles: [{ role_id: added.id }] }))).toEqual([
      'role_unknown@roles.0.role_id',
    ])
    ok(await boss('POST', `/roles/restore/${added.id}`))
    ok(await set(boss, clerk.user_id, { roles: [{ role_id: added.id }] }))
    await expect.poll(() => keysOf(elsewhere), { timeout: 1000 }).toHaveLength(1)
  })

  test('a role that is held, or gives by a directory or a folder, stays until is said what they get instead', async () => {
    const old = await made({ access_logs: 'scope', show_mark: 'scope' })
    const [now, later, gone, both] = [await somebody(), await somebody(), await somebody(), await somebody()]
    const next = await made({ access_logs: 'scope' })
    const give = (who: Caller, role: number, scope: [string, number] | null, from: string | null, to: string | null) =>
      query(
        'insert into role_assignments (user_id, role_id, scope_type, scope_id, valid_from, valid_to) values ($1, $2, $3, $4, $5, $6)',
        [who.user_id, role, scope?.[0] ?? null, scope?.[1] ?? null, from, to],
      )
    await give(now, old.id, ['faculty', at.faculty], null, day(30))
    await give(later, old.id, null, day(5), null)
    await give(gone, old.id, null, day(-9), day(-2))
    await give(both, old.id, null, null, null)
    await give(both, next.id, null, null, day(3))
    const directory = await one(`insert into scim_directories (name, kinds) values ('D', '{2}') returning id`)
    await query(`insert into scim_groups (directory_id, name, role_id) values ($1, 'Clerks', $2)`, [directory, old.id])
    const folder = await one(
      `insert into archive_entries (parent_id, kind, name, name_local, position, inherits) values (1, 'folder', 'Minutes', 'محاضر', 1, false) returning id`,
    )
    await query(`insert into archive_access (entry_id, role_id, level) values ($1, $2, 'edit')`, [folder, old.id])

    const refused = await boss('DELETE', `/roles/${old.id}`)
    expect([refused.status, reasons(refused)]).toEqual([409, ['role_held', 'role_of_folders', 'role_of_groups']])
    expect(refused.body.errors.map((one: any) => one.data.count)).toEqual([3, 1, 1])
    const replace = (who: Caller, role_id: number) =>
      who('POST', `/roles/${old.id}/replace`, { role_id, reason: 'The office was closed' })
    expect(reasons(await replace(boss, old.id))).toEqual(['role_itself@role_id'])
    expect(reasons(await replace(boss, await roleId('student')))).toEqual(['role_no_successor@role_id'])
    expect(reasons(await replace(boss, 999_999))).toEqual(['role_unknown@role_id'])
    // Who does not hold what the one takes and the other gives does not exchange them.
    const clerk = await somebody()
    await give(clerk, (await made({ remove_role: 'scope', access_logs: 'scope' })).id, null, null, null)
    expect(reasons(await replace(clerk, next.id))).toEqual(['right_not_yours_to_take'])
    expect((await replace(await somebody('registrar'), next.id)).status).toBe(403)

    expect(ok(await replace(boss, next.id))).toEqual({ id: old.id, holders: 3 })
    const rolesOf = async (who: Caller) =>
      (await access(who.user_id)).roles.map((one: any) => [
        one.role.id,
        one.scope?.id ?? null,
        one.valid_from,
        one.valid_to,
      ])
    expect(await rolesOf(now)).toEqual([[next.id, at.faculty, null, day(30)]])
    expect(await rolesOf(later)).toEqual([[next.id, null, day(5), null]])
    expect(await rolesOf(both)).toEqual([[next.id, null, null, null]])
    expect(await rolesOf(gone)).toEqual([])
    expect(await query('select role_id from scim_groups where directory_id = $1', [directory])).toEqual([
      { role_id: next.id },
    ])
    expect(await query('select role_id, level from archive_access where entry_id = $1', [folder])).toEqual([
      { role_id: next.id, level: 'edit' },
    ])
    const [entry] = ok(await boss('POST', `/users/access/${now.user_id}/history`, {}))
    expect(entry).toMatchObject({ reason: 'The office was closed', by: { name: 'Boss' } })
    // Restored it is there again, and nobody holds it.
    ok(await boss('POST', `/roles/restore/${old.id}`))
    expect(ok(await boss('GET', `/roles/${old.id}`)).holders).toBe(0)
    expect(reasons(await replace(boss, next.id))).toEqual(['role_not_held'])
  })

  test.each(['registrar', 'president', 'instructor', 'academic_advisor', 'student', 'super_admin'])(
    'the role %s does not go while somebody holds it, or the program needs it',
    async (key) => {
      if (!['student', 'super_admin'].includes(key)) await somebody(key)
      const answer = await boss('DELETE', `/roles/${await roleId(key)}`)
      const needed = ['instructor', 'academic_advisor', 'student', 'super_admin'].includes(key)
      expect([answer.status, reasons(answer)]).toEqual([409, [needed ? 'role_needed' : 'role_held']])
    },
  )

  test('who changes roles needs what changes everywhere, and what super admins have is theirs', async () => {
    const { id } = await made({
      access_role: 'scope',
      show_role: 'scope',
      add_role: 'scope',
      edit_role: 'scope',
      remove_role: 'scope',
      restore_role: 'scope',
      show_mark: 'scope',
    })
    const [who, local] = [await somebody(), await somebody()]
    await query('insert into role_assignments (user_id, role_id) values ($1, $2)', [who.user_id, id])
    await query(
      `insert into role_assignments (user_id, role_id, scope_type, scope_id) values ($1, $2, 'faculty', $3)`,
      [local.user_id, id, at.faculty],
    )
    const add = (by: Caller, ...rights: object[]) =>
      by('PUT', '/roles', { name: 'Helper', name_local: 'مساعد', key: `h${Math.random()}`, rights })
    ok(await add(who, { permission: 'show_mark', reach: 'scope' }))
    expect(reasons(await add(who, { permission: 'edit_mark', reach: 'scope' }))).toEqual(['right_not_held'])
    expect(reasons(await add(local, { permission: 'show_mark', reach: 'scope' }))).toEqual(['not_allowed'])
    expect(reasons(await add(who, { permission: 'assign_super_admin', reach: 'scope' }))).toEqual([
      'assignSuperAdminUnauthorized',
    ])
    expect(
      reasons(
        await add(
          boss,
          { permission: 'no_right', reach: 'scope' },
          { permission: 'show_mark', reach: 'scope' },
          { permission: 'show_mark', reach: 'own' },
        ),
      ),
    ).toEqual(['right_twice@rights.2.permission', 'right_unknown@rights.0.permission'])
    const unheld = await made({ edit_mark: 'scope' })
    expect(reasons(await who('DELETE', `/roles/${unheld.id}`))).toEqual(['right_not_yours_to_take'])
    expect(reasons(await admin('PUT', `/roles/${await roleId('super_admin')}`, { name: 'Mine' }))).toEqual([
      'assignSuperAdminUnauthorized',
    ])
    expect(reasons(await boss('DELETE', `/roles/${await roleId('student')}`))).toEqual(['role_needed'])
    await query('update roles set removed_at = now() where key = $1', ['dean'])
    expect(reasons(await who('POST', `/roles/restore/${await roleId('dean')}`))).toEqual(['right_not_held'])
    await query('update roles set removed_at = null where key = $1', ['dean'])
  })
})

describe('why and who', () => {
  test('every way by which somebody holds a right is told, and whether it reaches a record by the condition that decides', async () => {
    const clerk = await somebody('faculty_registrar', ['faculty', at.other])
    const student = await one(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id) values ('S1', 'Mona', 'منى', $1, $2, $3) returning id`,
      [at.faculty, at.program, at.bylaw],
    )
    ok(
      await boss('POST', `/users/access/${clerk.user_id}`, {
        permissions: ['show_students'],
        scope: { type: 'program', id: at.program },
        valid_to: day(3),
      }),
    )
    const asked = { permission: 'show_students', record: { type: 'student', id: student } }
    const ways = ok(await boss('POST', `/rights/why/${clerk.user_id}`, asked))
    expect(
      ways.map((way: any) => [way.way, way.scope?.name, way.in_force, way.reaches, way.by?.name ?? null]).toSorted(),
    ).toEqual([
      ['entry', 'P', true, true, 'Boss'],
      ['role', 'Arts', true, false, null],
    ])
    expect((await clerk('GET', `/students/${student}`)).status).toBe(200)
    ok(await boss('DELETE', `/users/access/${clerk.user_id}`))
    expect(ok(await boss('POST', `/rights/why/${clerk.user_id}`, asked)).map((way: any) => way.reaches)).toEqual([
      false,
    ])
    await expect.poll(async () => (await clerk('GET', `/students/${student}`)).status).toBe(404)
    // Who stands in holds it by the one who is away.
    const deputy = await somebody()
    await query(
      `insert into delegations (from_user_id, to_user_id, permissions, from_date, until_date, reason)
       values ($1, $2, '{show_students}', university_today(), university_today() + 5, 'Leave')`,
      [clerk.user_id, deputy.user_id],
    )
    expect(ok(await boss('POST', `/rights/why/${deputy.user_id}`, { permission: 'show_students' }))).toMatchObject([
      { way: 'role', stands_in_for: { id: clerk.user_id }, in_force: true, reaches: null },
    ])
    const instructor = await somebody('instructor')
    expect(ok(await boss('POST', `/rights/why/${instructor.user_id}`, asked))).toMatchObject([
      { way: 'role', reach: 'taught', reaches: false },
    ])
    expect(ok(await boss('POST', `/rights/why/${boss.user_id}`, asked))).toMatchObject([
      { way: 'super', reaches: true },
    ])
    expect(
      (await boss('POST', `/rights/why/${clerk.user_id}`, { ...asked, record: { type: 'student', id: 999_999 } }))
        .status,
    ).toBe(404)
  })

  test('who may do it in a part: those of the part, of what it lies in, and who stands in', async () => {
    const people = {
      all: await somebody('dean'),
      faculty: await somebody('dean', ['faculty', at.faculty]),
      program: await somebody('dean', ['program', at.program]),
      other: await somebody('dean', ['faculty', at.other]),
      deputy: await somebody(),
    }
    await query(
      `insert into delegations (from_user_id, to_user_id, permissions, from_date, until_date, reason)
       values ($1, $2, '{approve_control}', university_today(), university_today() + 5, 'Leave')`,
      [people.faculty.user_id, people.deputy.user_id],
    )
    const here = async (filters: object) => {
      const rows = ok(
        await boss('POST', '/rights/who', {
          perPage: 500,
          filters: { permission: 'approve_control', ...filters },
        }),
      ) as any[]
      return Object.entries(people).flatMap(([name, who]) =>
        rows.some((row) => row.user.id === who.user_id) ? [name] : [],
      )
    }
    expect(await here({ program_id: at.program })).toEqual(['all', 'faculty', 'program', 'deputy'])
    expect(await here({ faculty_id: at.faculty })).toEqual(['all', 'faculty', 'deputy'])
    expect(await here({ faculty_id: at.other })).toEqual(['all', 'other'])
    expect(await here({})).toEqual(Object.keys(people))
    expect(reasons(await boss('POST', '/rights/who', { filters: { permission: 'no_right' } }))).toEqual([
      'right_unknown@filters.permission',
    ])
    expect(ok(await boss('POST', '/rights/who', {}))).toEqual([])
  })

  test('users are listed and taken out as far as the right reaches', async () => {
    const clerk = await somebody('cashier', ['program', at.program])
    const { id } = await made({ access_users: 'scope' })
    const reader = async (faculty: number) => {
      const who = await somebody()
      await query(
        `insert into role_assignments (user_id, role_id, scope_type, scope_id) values ($1, $2, 'faculty', $3)`,
        [who.user_id, id, faculty],
      )
      return who
    }
    const [near, far] = [await reader(at.faculty), await reader(at.other)]
    const ids = async (who: Caller) => ok(await who('POST', '/users', { perPage: 500 })).map((row: any) => row.id)
    expect(await ids(near)).toContain(clerk.user_id)
    expect(await ids(far)).not.toContain(clerk.user_id)
    expect((await far('GET', `/users/${clerk.user_id}`)).status).toBe(404)
    const file = await near('POST', '/users/export', {})
    expect([file.status, String(file.headers['content-disposition'])]).toEqual([
      200,
      expect.stringContaining('Users.xlsx'),
    ])
    expect((await somebody('cashier').then((who) => who('POST', '/users/export', {}))).status).toBe(403)
  })
})
