import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'

let u: TestUniversity
let admin: Caller
const q = async (text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows
const faculties: number[] = []
/** The first belongs to the first faculty, the second to the other. */
const students: number[] = []
beforeAll(async () => {
  u = await testUniversity([kitServer, peopleServer, settingsServer, catalogueServer, studentsServer])
  admin = await u.as('admin', undefined, { name: 'Amal Admin' })
  for (const code of ['ENG', 'LAW'])
    faculties.push(
      ok(await admin('PUT', '/faculties', { code, name: `Faculty ${code}`, name_local: 'كلية', short_name: code }))
        .id as number,
    )
  for (const [i, faculty] of faculties.entries()) {
    const [bylaw] = await q(
      `insert into bylaws (faculty_id, code, name, name_local, program_type) values ($1, 'B' || $1::int, 'B', 'ل', 'credit_hours') returning id`,
      [faculty],
    )
    const [program] = await q(
      `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, 'P' || $1::int, 'P', 'ب', 'credit_hours') returning id`,
      [bylaw.id, faculty],
    )
    const [student] = await q(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, notes, national_id, gender)
       values ($1, 'Mona', 'منى', $2, $3, $4, 1, 'seen by few', $5, 2) returning id`,
      [`S${i}`, faculty, program.id, bylaw.id, `3000101010000${i}`],
    )
    students.push(student.id)
  }
})
afterAll(() => u.close())

interface Row {
  action: string
  table_name: string
  record_id: number
  actor: { id: number; name: string } | null
  ip: string | null
  reason: string | null
  record: { one: { name: string }; parts: { name: string; code: string | null }[]; path: string | null }
  changes: { field: string; label: { name: string }; old: unknown; new: unknown }[]
  withheld: number
}
const log = async (body: object, by = admin) => ok(await by('POST', '/logs', body)) as Row[]

test('tells who changed which record, from where, old and new, without what the hiding rule leaves out', async () => {
  ok(
    await admin('PUT', `/faculties/${faculties[0]}`, {
      code: 'ENG',
      name: 'Faculty of Engineering',
      name_local: 'كلية',
      short_name: 'ENG',
      version: 1,
    }),
  )
  const [row] = await log({ filters: { table_name: 'faculties', record_id: faculties[0] } })
  expect(row).toMatchObject({
    action: 'update',
    actor: { id: admin.user_id, name: 'Amal Admin' },
    ip: '127.0.0.1',
    record: {
      one: { name: 'Faculty', name_local: 'كلية' },
      parts: [{ name: 'Faculty of Engineering', code: 'ENG' }],
      path: `/faculties/${faculties[0]}`,
    },
    changes: [{ field: 'name', label: { name: 'English name' }, old: 'Faculty ENG', new: 'Faculty of Engineering' }],
  })
  // Keys of the rule and empty values.
  const [added] = await log({ filters: { table_name: 'students', record_id: students[0] } })
  const fields = added!.changes.map(({ field }) => field)
  // Other records are told by their names.
  expect(added!.changes.find(({ field }) => field === 'faculty')!.new).toMatchObject({ name: 'Faculty of Engineering' })
  expect(fields).toContain('name')
  expect(fields.filter((name) => /^id$|_id$|search_text|removed|created_by/.test(name))).toEqual([])
  expect(fields).not.toContain('phone')
})

test('is filtered by each field, ordered both ways, searched by people, and its pages do not overlap', async () => {
  const only = { table_name: 'faculties' }
  const all = await log({ perPage: 100, filters: only })
  expect(all.length).toBeGreaterThan(2)
  const by = async (filters: object, body: object = {}) =>
    (await log({ perPage: 100, filters: { ...only, ...filters }, ...body })).length
  expect(await by({ actor_id: admin.user_id })).toBe(all.filter((row) => row.actor?.id === admin.user_id).length)
  expect(await by({ action: ['insert'] })).toBe(all.filter((row) => row.action === 'insert').length)
  expect(await by({ ip: '127.0.0.1' })).toBe(all.filter((row) => row.ip === '127.0.0.1').length)
  expect(await by({ at: { from: '2001-01-01', to: '2001-01-02' } })).toBe(0)
  expect(await by({}, { search: 'Amal' })).toBe(await by({ actor_id: admin.user_id }))
  expect(await by({}, { search: 'nobody is called so' })).toBe(0)
  // What is told of a student is found by code, as by the filter.
  await q(`update students set notes = 'seen by few, and changed' where id = $1`, [students[0]])
  const ofStudent = await log({ perPage: 100, filters: { student_id: students[0] } })
  expect(ofStudent.length).toBeGreaterThan(0)
  expect(await log({ perPage: 100, search: 'S0' })).toEqual(ofStudent)
  expect((await log({ search: 'Mona' })).some((row) => row.table_name === 'students')).toBe(true)
  const ids = async (body: object) =>
    ((await log({ filters: { action: ['update', 'insert'] }, ...body })) as unknown as { id: number }[]).map(
      ({ id }) => id,
    )
  const backward = await ids({ perPage: 9 })
  const forward = await ids({ filters: only, order_by: 'at', order_direction: 'asc' })
  expect(forward).toEqual((await ids({ filters: only })).toReversed())
  const paged = [
    ...(await ids({ page: 1, perPage: 3 })),
    ...(await ids({ page: 2, perPage: 3 })),
    ...(await ids({ page: 3, perPage: 3 })),
  ]
  expect(paged).toEqual(backward)
  expect(reasons(await admin('POST', '/logs', { filters: { ip: "1' or true" } }))).toEqual([
    'address_not_valid@filters.ip',
  ])
  expect(reasons(await admin('POST', '/logs', { page: 26, perPage: 100 }))).toEqual(['log_too_far@page'])
  for (const [name, value] of [
    ['ip', ['127.0.0.1', '127.0.0.2']],
    ['record_id', 'first'],
    ['actor_id', ['nobody']],
    ['student_id', [1, 2]],
  ] as const) {
    const wrong = await admin('POST', '/logs', { filters: { [name]: value } })
    expect([wrong.status, ...reasons(wrong)]).toEqual([422, `invalid_input@filters.${name}`])
  }
  expect((await admin('POST', '/logs', { order_by: 'ip' })).status).toBe(422)
  for (let i = 0; i < 11; i++)
    await q(`insert into users (type, name, name_local) values (2, $1, 'كثير')`, [`Kathir ${i}`])
  expect(reasons(await admin('POST', '/logs', { search: 'Kathir' }))).toEqual(['log_too_many_people@search'])
})

test('a field that the reader does not read is not told, nor the reason given for it', async () => {
  const clerk = await u.as(null)
  await q(`insert into user_permissions (user_id, permission) values ($1, 'access_logs')`, [clerk.user_id])
  await q(`select set_config('ems.actor', '{"reason": "secret reason"}', false)`)
  const { pool } = u.database
  const client = await pool.connect()
  await client.query(`select set_config('ems.actor', '{"reason": "a secret reason"}', false)`)
  await client.query(`update students set national_id = national_id, gpa = 3.21 where id = $1`, [students[0]])
  await client.query(`select set_config('ems.actor', '', false)`)
  client.release()
  const filters = { table_name: 'students', record_id: students[0] }
  const [seen] = await log({ filters })
  expect([seen!.changes, seen!.reason, seen!.withheld]).toMatchObject([
    [{ field: 'gpa', new: 3.21 }],
    'a secret reason',
    0,
  ])
  const [hidden] = await log({ filters }, clerk)
  expect([hidden!.changes, hidden!.reason, hidden!.withheld]).toEqual([[], null, 1])
  const one = await clerk('GET', `/logs/${students[0]}/students`)
  expect(one.status).toBe(200)
  expect(JSON.stringify(one.body.data)).not.toMatch(/\b3\.21\b|secret reason|seen by few/)
  // What no definition describes is told to those from whom nothing is kept.
  await q(`insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'student'`, [
    clerk.user_id,
  ])
  expect((await log({ filters: { table_name: 'role_assignments' } }, clerk))[0]).toMatchObject({ changes: [] })
  const sheet = await clerk('POST', '/logs/export', { filters })
  expect([sheet.status, sheet.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  // Only what was chosen: of entries that are not there, nothing.
  expect(reasons(await admin('POST', '/logs/export', { filters, ids: [2_000_000_000] }))).toEqual(['no_rows'])
})

test('the log of a record names what it pointed to, and is told within reach', async () => {
  const told = await admin('GET', `/logs/${students[0]}/students`)
  expect(told.body.meta).toMatchObject({ record: { name: 'Mona' }, path: `/students/${students[0]}` })
  const added = told.body.data.at(-1)
  expect(added.changes.find((c: { field: string }) => c.field === 'faculty').new.name).toContain('Faculty')
  const dean = await u.as(null)
  await q(
    `insert into access_entries (user_id, permission, scope_type, scope_id) values ($1, 'access_logs', 'faculty', $2)`,
    [dean.user_id, faculties[0]],
  )
  const near = await u.signIn(dean.user_id)
  expect((await near('GET', `/logs/${students[0]}/students`)).status).toBe(200)
  expect((await near('GET', `/logs/${students[1]}/students`)).status).toBe(404)
  expect(reasons(await near('POST', '/logs', {}))).toEqual(['log_choose_table@filters.table_name'])
  const rows = await log({ perPage: 100, filters: { table_name: 'students' } }, near)
  expect([...new Set(rows.map((row) => row.record_id))]).toEqual([students[0]])
  expect((await near('POST', '/logs', { filters: { table_name: 'settings' } })).status).toBe(403)
  expect((await near('GET', `/logs/1/settings`)).status).toBe(403)
  for (const role of ['student', 'instructor']) {
    const who = await u.as(role)
    expect((await who('POST', '/logs', {})).status).toBe(403)
    expect((await who('GET', `/logs/${students[0]}/students`)).status).toBe(403)
  }
})

test('calls tables and fields by their names, also those that are no record of their own', async () => {
  const { body } = await admin('GET', '/logs/tables')
  const named = new Map(body.data.map((one: { table_name: string; table: unknown }) => [one.table_name, one.table]))
  expect(named.get('settings')).toEqual({ name: 'Settings', name_local: 'الإعدادات' })
  expect(named.get('faculties')).toEqual({ name: 'Faculties', name_local: 'الكليات' })
})

test('of a student all is told that happened to the record, whoever did it, and nothing of another', async () => {
  const of = (rows: readonly Row[]) => [
    ...new Set(rows.filter((row) => row.table_name === 'students').map((row) => row.record_id)),
  ]
  const told = await log({ filters: { student_id: [students[0]] } })
  expect(of(told)).toEqual([students[0]])
  expect(of(await log({ filters: { student_id: [students[1]] } }))).toEqual([students[1]])
  expect(await log({ filters: { student_id: [students[0]], actor_id: [admin.user_id] } })).toEqual(
    told.filter((row) => row.actor?.id === admin.user_id),
  )
  const refused = await admin('POST', '/logs', { filters: { student_id: students } })
  expect([refused.status, reasons(refused)]).toEqual([422, ['invalid_input@filters.student_id']])
})
