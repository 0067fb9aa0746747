import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
// They say how what they keep is erased.
import '#areas/people/conversation/erasing.server.ts'
import '#areas/records/students/standing/leavers.server.ts'
import { KEPT } from '#kit/contract/retention.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { retention } from '#kit/server/jobs/retention.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { settingsServer } from '../settings.server.ts'

let u: TestUniversity
let admin: Caller
beforeAll(async () => {
  u = await testUniversity([kitServer, settingsServer, accessAndPeopleServer])
  admin = await u.as('admin')
})
afterAll(() => u?.close())

/** Erases as the job does by night. */
const run = () =>
  retention.run(
    asSystem(u.services, 'test'),
    {},
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )
const preview = async (kind: string, days: number): Promise<number> =>
  ok(await admin('POST', `/settings/retention/${kind}/preview`, { days })).count
/** Shortens a kind to a length whose preview was looked at. */
const shorten = async (kind: string, days: number) =>
  ok(await admin('PUT', `/settings/retention/${kind}`, { days, seen: await preview(kind, days) }))
const hold = async (user_id: number): Promise<() => Promise<unknown>> => {
  const { id } = ok(await admin('POST', '/settings/retention/holds', { user_id, reason: 'A lawsuit' }))
  return async () => ok(await admin('DELETE', `/settings/retention/holds/${id}`))
}
/** The one value that a query gives. */
const value = async (text: string, values: unknown[] = []): Promise<any> =>
  Object.values((await u.database.pool.query(text, values)).rows[0] ?? {})[0]

test('what is over its time is erased, by the length that was set and after it was looked at; nothing of who is held', async () => {
  const { pool } = u.database
  const [mine, theirs] = [(await u.as('registrar')).user_id, (await u.as('registrar')).user_id]
  await pool.query(
    `insert into notifications (user_id, key, created_at) select x.who, 'old', now() - interval '400 days' from unnest($1::int[]) x (who), generate_series(1, 20)`,
    [[mine, theirs]],
  )
  await pool.query(`insert into notifications (user_id, key) values ($1, 'new')`, [mine])
  const path = '/settings/retention/notices'
  // For ever, until somebody says otherwise.
  const row = async (): Promise<{ days: number | null; due: { count: number }; last_run: { erased: number } | null }> =>
    (ok(await admin('GET', '/settings/retention')) as any[]).find((one) => one.kind === 'notices')
  expect(await row()).toMatchObject({ days: null, due: { count: 0 }, last_run: null })
  const hold = ok(await admin('POST', '/settings/retention/holds', { user_id: theirs, reason: 'A lawsuit' })).id
  expect((await admin('POST', '/settings/retention/holds', { user_id: theirs, reason: 'Again' })).body.message).toBe(
    'person_is_held',
  )
  expect(reasons(await admin('PUT', path, { days: 30 }))).toEqual(['retention_least@days'])
  for (const days of [6, 366, null])
    expect(reasons(await admin('PUT', '/settings/retention/mails', { days }))).toEqual(['retention_bounds@days'])
  expect((await admin('PUT', '/settings/retention/undo', { days: 400 })).body.message).toBe('retention_fixed')
  expect(ok(await admin('POST', `${path}/preview`, { days: 365 })).count).toBe(20)
  expect((await admin('PUT', path, { days: 365 })).body.message).toBe('retention_not_seen')
  expect((await admin('PUT', path, { days: 365, seen: 3 })).body.message).toBe('retention_not_seen')
  ok(await admin('PUT', path, { days: 365, seen: 20 }))
  expect(await row()).toMatchObject({ days: 365, due: { count: 20 } })
  const left = async () =>
    (
      await pool.query(
        `select user_id, count(*)::int as n from notifications where key in ('old', 'new') group by 1 order by 1`,
      )
    ).rows
  expect(await run()).toMatchObject({ notices: 20 })
  expect(await left()).toEqual(
    [
      { user_id: mine, n: 1 },
      { user_id: theirs, n: 20 },
    ].toSorted((a, b) => a.user_id - b.user_id),
  )
  expect(await row()).toMatchObject({ due: { count: 0 }, last_run: { erased: 20 } })
  const { rows: trail } = await pool.query(`select reason, new from audit_log where table_name = 'retention_runs'`)
  expect(trail).toMatchObject([{ reason: expect.stringContaining('365 days'), new: { kind: 'notices', erased: 20 } }])
  ok(await admin('DELETE', `/settings/retention/holds/${hold}`))
  expect((await admin('DELETE', `/settings/retention/holds/${hold}`)).status).toBe(404)
  expect(await run()).toMatchObject({ notices: 20 })
  expect(await run()).toEqual({})
  const who = await u.as('registrar')
  expect((await who('GET', '/settings/retention')).status).toBe(403)
  expect((await who('PUT', path, { days: null })).status).toBe(403)
})

test('months of the security log go by the length that was set, and stay whole while somebody in them is held', async () => {
  const { pool } = u.database
  await pool.query(`create table security_log_2020_01 (like security_log including defaults including constraints)`)
  await pool.query(
    `alter table security_log attach partition security_log_2020_01 for values from ('2020-01-01 00:00+00') to ('2020-02-01 00:00+00')`,
  )
  const { user_id } = await u.as('registrar')
  await pool.query(
    `insert into security_log (at, kind, actor_id) values ('2020-01-05', 'sign_in', $1), ('2020-01-06', 'sign_in', null)`,
    [user_id],
  )
  const of = async (days: number) => ok(await admin('POST', '/settings/retention/security_log/preview', { days })).count
  expect([await of(365), await of(3650)]).toEqual([2, 0])
  const hold = ok(await admin('POST', '/settings/retention/holds', { user_id, reason: 'An enquiry' })).id
  expect(await of(365)).toBe(0)
  const sweep = () => pool.query('select ensure_security_log_months(1, security_log_months())')
  const there = async () =>
    (await pool.query(`select to_regclass('security_log_2020_01') is not null as there`)).rows[0].there
  await sweep()
  expect(await there()).toBe(true)
  ok(await admin('DELETE', `/settings/retention/holds/${hold}`))
  ok(await admin('PUT', '/settings/retention/security_log', { days: 3650 }))
  await sweep()
  expect(await there()).toBe(true)
  ok(await admin('PUT', '/settings/retention/security_log', { days: 730, seen: 2 }))
  await sweep()
  expect(await there()).toBe(false)
})

test('months of the log of changes go by the length that was set, never in five years, and none while anybody is held', async () => {
  const { pool } = u.database
  await pool.query(`create table audit_log_2019_03 (like audit_log including defaults including constraints)`)
  await pool.query(
    `alter table audit_log attach partition audit_log_2019_03 for values from ('2019-03-01 00:00+00') to ('2019-04-01 00:00+00')`,
  )
  await pool.query(
    `insert into audit_log (at, action, table_name, record_id) select '2019-03-05', 'insert', 'terms', x from generate_series(1, 3) x`,
  )
  const there = () => value(`select to_regclass('audit_log_2019_03') is not null as there`)
  expect([await preview('audit', 1825), await preview('audit', 3650)]).toEqual([3, 0])
  expect(reasons(await admin('PUT', '/settings/retention/audit', { days: 1824 }))).toEqual(['retention_least@days'])
  // Neither of the two logs may be set so that the security log lasts longer.
  ok(await admin('PUT', '/settings/retention/security_log', { days: 3650 }))
  expect(reasons(await admin('PUT', '/settings/retention/audit', { days: 1825 }))).toEqual(['retention_outlasts@days'])
  await shorten('security_log', 730)
  await expect(pool.query('select erase_audit_month()')).resolves.toMatchObject({ rows: [{ erase_audit_month: '0' }] })
  const end = await hold((await u.as('registrar')).user_id)
  expect(await preview('audit', 1825)).toBe(0)
  ok(await admin('PUT', '/settings/retention/audit', { days: 1825 }))
  expect(reasons(await admin('PUT', '/settings/retention/security_log', { days: 2000 }))).toEqual([
    'retention_outlasted@days',
  ])
  expect([await run(), await there()]).toEqual([{}, true])
  await end()
  expect([await run(), await there()]).toEqual([{ audit: 3 }, false])
  ok(await admin('PUT', '/settings/retention/audit', { days: null }))
})

test('tickets that ended and messages of chats go with their files, not those of who is held; what was said does not live on in the trail', async () => {
  const { pool } = u.database
  const [asks, answers] = [(await u.as(null)).user_id, (await u.as(null)).user_id]
  const group = await value(
    `insert into ticket_groups (code, name, name_local) values ('G', 'Group', 'مجموعة') returning id`,
  )
  const ticket = async (asker: number, days: number, status = 'closed', into: number | null = null) => {
    const id = await value(
      `insert into tickets (number, group_id, asker_id, type, subject, status, merged_into_id, updated_at)
       values (gen_random_uuid(), $1, $2, 'question', 'A private matter', $3, $4, now() - make_interval(days => $5)) returning id`,
      [group, asker, status, into, days],
    )
    const message = await value(
      `insert into ticket_messages (ticket_id, author_id, body, client_key, created_at)
       values ($1, $2, 'x', gen_random_uuid(), now() - make_interval(days => $3)) returning id`,
      [id, asker, days],
    )
    const file = await value(
      `insert into files (hash, name, ext, mime, size) values (encode(sha256($1::text::bytea), 'hex'), 'a.pdf', 'pdf', 'application/pdf', 1) returning id`,
      [`ticket ${id}`],
    )
    await pool.query('insert into ticket_files (file_id, message_id) values ($1, $2)', [file, message])
    return id as number
  }
  const old = await ticket(answers, 500)
  const merged = await ticket(answers, 600, 'closed', old)
  const open = await ticket(answers, 500, 'waiting')
  const young = await ticket(answers, 300)
  const whole = await ticket(answers, 500)
  await ticket(answers, 20, 'closed', whole)
  const theirs = await ticket(asks, 500)
  const chat = await value(`insert into chats (kind, name, created_by) values ('group', 'Group', $1) returning id`, [
    asks,
  ])
  const alone = await value(`insert into chats (kind, name, created_by) values ('group', 'Other', $1) returning id`, [
    answers,
  ])
  await pool.query(`insert into chat_members (chat_id, user_id) values ($1, $2), ($1, $3), ($4, $3)`, [
    chat,
    asks,
    answers,
    alone,
  ])
  await pool.query(
    `insert into chat_messages (chat_id, author_id, body, client_key, created_at)
     select c, $2, 'said ' || d, gen_random_uuid(), now() - make_interval(days => d) from unnest($1::int[]) c, unnest('{10,100}'::int[]) d`,
    [[chat, alone], answers],
  )
  const end = await hold(asks)
  // Two that go together; nothing where one part is young or not ended.
  await shorten('tickets', 400)
  await shorten('chats', 90)
  expect(await run()).toEqual({ tickets: 2, chats: 1 })
  const left = async () => (await pool.query('select id from tickets order by id')).rows.map(({ id }) => id)
  expect(await left()).toEqual([open, young, whole, whole + 1, theirs])
  expect(await left()).not.toContain(merged)
  expect(
    await value(
      'select count(*)::int from files f where not exists (select from ticket_files t where t.file_id = f.id)',
    ),
  ).toBe(0)
  expect(await value(`select array_agg(body order by id) from chat_messages where chat_id = $1`, [alone])).toEqual([
    'said 10',
  ])
  const { rows: trail } = await pool.query(
    `select record_id, old from audit_log where table_name = 'tickets' and action = 'delete'`,
  )
  expect(trail).toEqual(expect.arrayContaining([{ record_id: old, old: {} }]))
  await end()
  expect(await run()).toEqual({ tickets: 1, chats: 1 })
})

test('of who left long ago what was kept to reach them goes, the record of study stays; the trail tells that, not what it was', async () => {
  const { pool } = u.database
  const faculty = await value(
    `insert into faculties (code, name, name_local, short_name) values ('F', 'F', 'ك', 'F') returning id`,
  )
  const bylaw = await value(
    `insert into bylaws (code, name, name_local, faculty_id) values ('B', 'B', 'ل', $1) returning id`,
    [faculty],
  )
  const program = await value(
    `insert into programs (code, name, name_local, faculty_id, bylaw_id) values ('P', 'P', 'ب', $1, $2) returning id`,
    [faculty, bylaw],
  )
  const student = async (code: string, status: string, left: string) => {
    const { user_id } = await u.as(null, undefined, { type: 3 })
    const photo = await value(
      `insert into files (hash, name, ext, mime, size) values (encode(sha256($1::text::bytea), 'hex'), 'me.jpg', 'jpg', 'image/jpeg', 1) returning id`,
      [`photo ${code}`],
    )
    await pool.query(`update users set phone = '01000000000', photo_file_id = $2 where id = $1`, [user_id, photo])
    const id = await value(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, user_id, address, parent_name, national_id, data, gpa)
       values ($1, 'Mona Ali', 'منى علي', $2, $3, $4, $5, 'Nile street', 'Ali', $1, '{"a":1}', 3.1) returning id`,
      [code, faculty, program, bylaw, user_id],
    )
    for (const one of status === 'studying' ? ['suspended', status] : [status])
      await pool.query(`select decide_status(array[$1::int], $2, 'No. 1', $3)`, [id, one, left])
    return { id: id as number, user_id }
  }
  const gone = await student('29001010100015', 'graduated', '2001-07-01')
  const held = await student('29001010100023', 'graduated', '2001-07-01')
  const recent = await student('29001010100031', 'graduated', '2024-07-01')
  const back = await student('29001010100049', 'studying', '2001-07-01')
  const end = await hold(held.user_id)
  expect(reasons(await admin('PUT', '/settings/retention/students', { days: KEPT.students.bounds.least - 1 }))).toEqual(
    ['retention_least@days'],
  )
  // The database says the same to whoever writes.
  await expect(pool.query(`insert into retention_lengths (kind, days) values ('students', 30)`)).rejects.toThrow(
    'retention_lengths_least',
  )
  await shorten('students', 3650)
  expect(await run()).toEqual({ students: 1 })
  const of = async ({ id }: { id: number }) =>
    (
      await pool.query(
        `select s.name, s.national_id, s.gpa::float8 as gpa, s.address, s.parent_name, s.data, u.phone,
           (select f.name from files f where f.id = u.photo_file_id) as photo from students s join users u on u.id = s.user_id where s.id = $1`,
        [id],
      )
    ).rows[0]
  expect(await of(gone)).toEqual({
    name: 'Mona Ali',
    national_id: '29001010100015',
    gpa: 3.1,
    address: null,
    parent_name: null,
    data: {},
    phone: null,
    photo: null,
  })
  for (const other of [held, recent, back])
    expect(await of(other)).toMatchObject({
      address: 'Nile street',
      parent_name: 'Ali',
      phone: '01000000000',
      photo: 'me.jpg',
    })
  // The photo itself went, not only the way to it.
  expect(await value(`select count(*)::int from files where name = 'me.jpg'`)).toBe(3)
  const { rows: trail } = await pool.query(
    `select old from audit_log where table_name = 'students' and action = 'update' and record_id = $1 and old ? 'address'`,
    [gone.id],
  )
  expect(trail).toEqual([{ old: { address: '•••', parent_name: '•••', phone: '•••', data: '•••' } }])
  await end()
  expect(await run()).toEqual({ students: 1 })
  expect(await run()).toEqual({})
})
