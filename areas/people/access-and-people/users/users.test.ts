import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { tagsServer } from '#areas/people/tags/tags.server.ts'
import { termsServer } from '#areas/study/terms/terms.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { accessAndPeopleServer } from '../access-and-people.server.ts'

let u: TestUniversity
let admin: Caller
const at = { faculty: 0, other: 0, program: 0, bylaw: 0 }
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await u.database.pool.query<{ id: number }>(text, values)).rows[0]!.id
/** The smallest picture. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
async function upload(caller: Caller, url: string, name: string, content: Uint8Array) {
  const form = new FormData()
  form.set('photo', new Blob([new Uint8Array(content)]), name)
  const request = new Request('http://x', { method: 'POST', body: form })
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers }
}
const clerk = async (...keys: string[]): Promise<Caller> => {
  const { user_id } = await u.as(null)
  await u.database.pool.query('insert into user_permissions (user_id, permission) select $1, unnest($2::text[])', [
    user_id,
    keys,
  ])
  return u.signIn(user_id)
}
let serial = 0
const student = async (email: string | null, account: number | null = null, faculty = at.faculty): Promise<number> =>
  one(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, email, user_id)
     values ($1, 'Sara Adel', 'سارة عادل', $2, $3, $4, $5, $6) returning id`,
    [`S${++serial}`, faculty, at.program, at.bylaw, email, account],
  )

beforeAll(async () => {
  u = await testUniversity([
    kitServer,
    catalogueServer,
    termsServer,
    accessAndPeopleServer,
    peopleServer,
    studentsServer,
    tagsServer,
  ])
  admin = await u.as('admin')
  const faculty = `insert into faculties (code, name, name_local) values ($1, $1, 'كلية') returning id`
  at.faculty = await one(faculty, ['ENG'])
  at.other = await one(faculty, ['COM'])
  at.bylaw = await one(
    `insert into bylaws (faculty_id, code, name, name_local) values ($1, 'B1', 'Bylaw', 'لائحة') returning id`,
    [at.faculty],
  )
  at.program = await one(
    `insert into programs (faculty_id, bylaw_id, code, name, name_local) values ($1, $2, 'P1', 'Program', 'برنامج') returning id`,
    [at.faculty, at.bylaw],
  )
})
afterAll(() => u.close())

describe('accounts', () => {
  test('who works here is added and changed; who studies or teaches is renamed in the record, which the account follows', async () => {
    const made = ok(
      await admin('PUT', '/users', { name: 'Hala Samy', name_local: 'هالة سامي', email: 'hala@university.example' }),
    )
    expect(made).toMatchObject({ type: 2, name: 'Hala Samy', blocked_at: null })
    expect(ok(await admin('GET', `/employees/${made.id}`)).email).toBe('hala@university.example')
    expect(ok(await admin('PUT', `/users/${made.id}`, { name: 'Hala Samir', language: 'fr' }))).toMatchObject({
      name: 'Hala Samir',
      language: 'fr',
    })
    const mine = await u.as('student', undefined, { type: 3, email: 'sara@university.example' })
    const id = await student('sara@university.example', mine.user_id)
    const renamed = await admin('PUT', `/users/${mine.user_id}`, { name: 'Sara Nabil' })
    expect([renamed.status, reasons(renamed)]).toEqual([422, ['name_of_record@name']])
    const { version } = ok(await admin('GET', `/students/Edit/${id}/personal`))
    ok(await admin('PUT', `/students/${id}/personal`, { name: 'Sara Nabil', version }))
    expect(ok(await admin('GET', `/users/${mine.user_id}`)).name).toBe('Sara Nabil')
  })

  test('nobody changes an account, or its photo, with more rights', async () => {
    const small = await clerk('access_users', 'edit_users', 'edit_photo')
    for (const answer of [
      await small('PUT', `/users/${admin.user_id}`, { email: 'mine@university.example' }),
      await upload(small, `/archive/update/profile/${admin.user_id}`, 'a.png', PNG),
    ])
      expect([answer.status, reasons(answer)]).toEqual([403, ['person_has_more_rights']])
  })

  test('are removed and restored: sessions end, roles wait; not one’s own, nor one with more rights, nor that of a record', async () => {
    const gone = await u.as('registration_unit')
    expect((await gone('GET', '/users/profile')).status).toBe(200)
    const small = await clerk('access_users', 'remove_users', 'restore_users')
    const tries = [
      await small('DELETE', `/users/${small.user_id}`),
      await small('DELETE', `/users/${gone.user_id}`),
      await gone('DELETE', `/users/${admin.user_id}`),
    ]
    expect(tries.map((one) => [one.status, one.body.message])).toEqual([
      [409, 'cannot_remove_yourself'],
      [403, 'person_has_more_rights'],
      [403, 'delete_not_allowed'],
    ])
    expect(tries[2]!.body.errors[0].en).toBe("You Don't Have Permission To Delete")
    ok(await admin('DELETE', `/users/${gone.user_id}`))
    expect((await gone('GET', '/users/profile')).status).toBe(401)
    expect((await admin('GET', `/users/access/${gone.user_id}`)).status).toBe(404)
    // Who could bring back more than the own rights would have them by a new password.
    const back = await small('POST', `/users/restore/${gone.user_id}`)
    expect([back.status, back.body.message]).toEqual([403, 'person_has_more_rights'])
    ok(await admin('POST', `/users/restore/${gone.user_id}`))
    expect((await gone('GET', '/users/profile')).status).toBe(401)
    const again = await u.signIn(gone.user_id)
    expect((await again('GET', '/users/profile')).status).toBe(200)
    expect(ok(await admin('GET', `/users/${gone.user_id}`)).roles).toHaveLength(1)
    const mine = await u.as('student', undefined, { type: 3 })
    await student(null, mine.user_id)
    const bound = await admin('DELETE', `/users/${mine.user_id}`)
    expect([bound.status, bound.body.message]).toEqual([409, 'in_use'])
  })

  test('whose an address is, is told to who may open the person', async () => {
    await student('taken@university.example')
    const told = await admin('PUT', '/users', { name: 'A B', name_local: 'أ ب', email: 'Taken@university.example' })
    expect([told.status, reasons(told)]).toEqual([422, ['email_of_person@email']])
    expect(told.body.errors[0].en).toContain(`Sara Adel (S${serial})`)
    expect(told.body.errors[0].ar).toContain('سارة عادل')
    const blind = await clerk('access_users', 'add_users')
    const answer = await blind('PUT', '/users', { name: 'A B', name_local: 'أ ب', email: 'taken@university.example' })
    expect([answer.status, reasons(answer)]).toEqual([422, ['email_of_another_person@email']])
    // The account that waits to be bound to its record is the same person.
    const account = await one(
      `insert into users (type, name, name_local, email) values (3, 'S', 'س', 'waits@university.example') returning id`,
    )
    const id = await student(null)
    ok(await admin('PUT', `/students/${id}/contact`, { email: 'waits@university.example' }))
    await u.database.pool.query('update students set user_id = $1 where id = $2', [account, id])
  })

  test('are found by the name they are called, as are their records', async () => {
    const { user_id } = await u.as(null, undefined, { type: 3 })
    const id = await student(null, user_id)
    await u.database.pool.query(`update students set used_name = 'Zizi', used_name_local = 'زيزي' where id = $1`, [id])
    for (const search of ['zizi', 'زيزى']) {
      expect(ok(await admin('POST', '/students', { search })).map((row: { id: number }) => row.id)).toEqual([id])
      expect(ok(await admin('POST', '/users', { search })).map((row: { id: number }) => row.id)).toEqual([user_id])
    }
    await u.database.pool.query('update students set used_name = null, used_name_local = null where id = $1', [id])
    expect(ok(await admin('POST', '/users', { search: 'zizi' }))).toEqual([])
  })

  test('are found by role, block, tag, and that they never signed in', async () => {
    const count = async (caller: Caller, filters: object): Promise<number> =>
      (await caller('POST', '/users', { filters })).body.meta.count
    const cashier = await u.as('cashier')
    const role = await one(`select id from roles where key = 'cashier'`)
    expect(await count(admin, { role_id: role })).toBe(1)
    await u.database.pool.query(`update users set blocked_at = now(), blocked_reason = 'x' where id = $1`, [
      cashier.user_id,
    ])
    expect(await count(admin, { is_blocked: true })).toBe(1)
    const before = await count(admin, { never_signed_in: true })
    const fresh = await one(`insert into users (type, name, name_local) values (2, 'New', 'جديد') returning id`)
    expect(await count(admin, { never_signed_in: true })).toBe(before + 1)
    await u.database.pool.query('insert into last_logins (user_id, last_login_at) values ($1, now())', [fresh])
    expect(await count(admin, { never_signed_in: true })).toBe(before)
    expect(await count(admin, { never_signed_in: false })).toBe((await count(admin, {})) - before)
    const tag = await one(
      `insert into tags (code, name, name_local, colour) values ('T', 'T', 'و', 'red') returning id`,
    )
    const tagged = await u.as('student', undefined, { type: 3 })
    await u.database.pool.query('insert into student_tags (student_id, tag_id) values ($1, $2)', [
      await student(null, tagged.user_id),
      tag,
    ])
    expect(await count(admin, { tag_id: [tag] })).toBe(1)
    expect(await count(await clerk('access_users'), { tag_id: [tag] })).toBe(0)
    expect(reasons(await admin('POST', '/users', { filters: { is_blocked: 'perhaps' } }))).not.toEqual([])
  })

  test('the office changes photos within its reach, and who opens the record sees them', async () => {
    const pupil = await u.as('student', undefined, { type: 3 })
    const id = await student(null, pupil.user_id)
    const office = await u.as(null)
    await u.database.pool.query(
      `insert into access_entries (user_id, permission, scope_type, scope_id) select $1, unnest($2::text[]), 'faculty', $3`,
      [office.user_id, ['edit_photo', 'show_students'], at.faculty],
    )
    const here = await u.signIn(office.user_id)
    const photo = async (caller: Caller) => (await caller('GET', `/people/student/${id}/photo`)).body.data
    expect(await photo(here)).toEqual({ user_id: pupil.user_id, photo: null, may_change: true })
    expect((await upload(here, `/archive/update/profile/${pupil.user_id}`, 'a.png', PNG)).status).toBe(200)
    expect((await photo(here)).photo).toMatch(/^\/api\/files\//)
    await u.database.pool.query('update access_entries set scope_id = $2 where user_id = $1', [
      office.user_id,
      at.other,
    ])
    const away = await u.signIn(office.user_id)
    expect((await away('GET', `/people/student/${id}/photo`)).status).toBe(404)
    expect((await upload(away, `/archive/update/profile/${pupil.user_id}`, 'a.png', PNG)).status).toBe(404)
  })
})

describe('sheets of employees', () => {
  const head = ['English name', 'Arabic name', 'E-mail', 'Phone']
  const sheet = (rows: readonly (readonly string[])[]) =>
    writeSheet({
      sheets: [
        {
          name: 'Employees',
          direction: 'ltr',
          columns: head.map((header, i) => ({ header, key: String(i), type: 'text' as const })),
          rows: rows.map((row) => Object.fromEntries(row.map((cell, i) => [String(i), cell]))),
        },
      ],
    })
  const preview = async (rows: readonly (readonly string[])[]) =>
    (await upload(admin, '/employees/import/preview', 'staff.xlsx', await sheet(rows))).body.data

  test('a row is known by its e-mail; what is wrong is told by cell; all or nothing', async () => {
    const nour = ok(
      await admin('PUT', '/employees', { name: 'Nour Ali', name_local: 'نور علي', email: 'nour@university.example' }),
    )
    const wrong = await preview([
      ['Nour Aly', 'نور علي', 'NOUR@university.example', ''],
      ['Omar Said', 'عمر سعيد', 'omar@university.example', 'twelve'],
      ['Somebody', 'شخص', 'teach@university.example', ''],
      ['Omar Said', 'عمر سعيد', 'Omar@university.example', ''],
    ])
    expect(wrong.counts).toMatchObject({ changed: 1, wrong: 2, created: 1 })
    expect((await admin('POST', `/employees/import/save/${wrong.import_id}`, {})).status).toBe(422)
    expect(ok(await admin('GET', `/employees/${nour.id}`)).name).toBe('Nour Ali')
    const good = await preview([
      ['Nour Aly', 'نور علي', 'NOUR@university.example', ''],
      ['Omar Said', 'عمر سعيد', 'omar@university.example', '01000000002'],
    ])
    const saved = await admin('POST', `/employees/import/save/${good.import_id}`, {})
    expect(saved.body).toMatchObject({ created: 1, updated: 1, operation_id: expect.any(Number) })
    expect(ok(await admin('GET', `/employees/${nour.id}`)).name).toBe('Nour Aly')
    ok(await admin('POST', `/operations/${saved.body.operation_id}/undo`))
    expect(ok(await admin('GET', `/employees/${nour.id}`)).name).toBe('Nour Ali')
  })

  test('an account of another kind, or with more rights, is not changed by a sheet', async () => {
    await u.as('instructor', undefined, { type: 1, email: 'teach@university.example' })
    const boss = await u.as(null, undefined, { email: 'boss@university.example' })
    await u.database.pool.query('update users set is_super_admin = true where id = $1', [boss.user_id])
    const found = await preview([
      ['Taker', 'آخذ', 'teach@university.example', ''],
      ['Taker', 'آخذ', 'boss@university.example', ''],
    ])
    expect(found.counts).toMatchObject({ wrong: 2 })
    expect(found.lines.flatMap((row: any) => row.errors.map((e: any) => `${e.code}@${e.field}`))).toEqual([
      'email_of_person@email',
      'email_of_person@email',
    ])
  })
})

describe('one page of a person', () => {
  const page = (caller: Caller, id: number) => caller('GET', `/people/user/${id}/page`)
  const employee = async (name: string): Promise<number> =>
    ok(
      await admin('PUT', '/employees', { name, name_local: 'موظف', email: `${name.toLowerCase()}@university.example` }),
    ).id
  const stateOf = async (id: number) => ok(await admin('GET', `/users/${id}`)).account_state

  test('is that of the record of whoever works here, from whichever list it is opened', async () => {
    const clerkId = await employee('Paged')
    expect(ok(await page(admin, clerkId))).toEqual({ kind: 'employee', id: clerkId })
    const account = await one(
      `insert into users (type, name, name_local, email) values (1, 'Teacher', 'معلم', 'paged.teacher@university.example') returning id`,
    )
    const record = await one(
      `insert into instructors (code, name, name_local, faculty_id, user_id) values ('IP1', 'Teacher', 'معلم', $1, $2) returning id`,
      [at.faculty, account],
    )
    expect(ok(await page(admin, account))).toEqual({ kind: 'instructor', id: record })
    // Who looks accounts up and opens no records finds the page of the account.
    const looker = await clerk('access_users')
    expect(ok(await page(looker, account))).toEqual({ kind: 'user', id: account })
    expect(ok(await page(looker, clerkId))).toEqual({ kind: 'user', id: clerkId })
    // What was removed is restored where it stands.
    ok(await admin('DELETE', `/employees/${clerkId}`))
    expect(ok(await page(admin, clerkId))).toEqual({ kind: 'user', id: clerkId })
  })
  test('is told to nobody who opens neither the record nor the account', async () => {
    const id = await employee('Hidden')
    expect((await page(await clerk('access_tag'), id)).status).toBe(403)
    const own = await clerk('show_employee')
    await u.database.pool.query(`update users set is_super_admin = true where id = $1`, [id])
    expect((await page(own, id)).status).toBe(404)
  })
  test('whoever is invited is so at once, before the mail is written', async () => {
    const id = await employee('Awaited')
    await u.database.pool.query(`update users set email = 'awaited@university.example' where id = $1`, [id])
    ok(await admin('POST', `/people/user/${id}/invite`))
    expect(await stateOf(id)).toBe('invited')
  })
  test('tells how far the account is: invited, ready, in use, blocked', async () => {
    const id = await employee('Stepwise')
    expect(await stateOf(id)).toBe('not_invited')
    await u.database.pool.query(
      `insert into password_resets (token_hash, user_id, expires_at) values ('\\x01', $1, now() + interval '7 days')`,
      [id],
    )
    expect(await stateOf(id)).toBe('invited')
    // An invitation that is over is none.
    await u.database.pool.query(
      `update password_resets set expires_at = now() - interval '1 hour' where user_id = $1`,
      [id],
    )
    expect(await stateOf(id)).toBe('not_invited')
    await u.database.pool.query(`update users set password_hash = 'x' where id = $1`, [id])
    expect(await stateOf(id)).toBe('not_signed_in')
    await u.database.pool.query(`insert into last_logins (user_id, last_login_at) values ($1, now())`, [id])
    expect(await stateOf(id)).toBe('in_use')
    await u.database.pool.query(`update users set blocked_at = now() where id = $1`, [id])
    expect(await stateOf(id)).toBe('account_blocked')
    const found = async (path: string, state: string) =>
      ok(await admin('POST', path, { filters: { account_state: [state] }, search: 'Stepwise' })).map(
        (row: { id: number }) => row.id,
      )
    expect(await found('/users', 'account_blocked')).toEqual([id])
    expect(await found('/employees', 'account_blocked')).toEqual([id])
    expect(await found('/employees', 'in_use')).toEqual([])
  })
  test('of an instructor without an account says that nobody was invited, to whoever keeps records and accounts', async () => {
    const id = await one(
      `insert into instructors (code, name, name_local, faculty_id) values ('IP2', 'New Teacher', 'معلم', $1) returning id`,
      [at.faculty],
    )
    expect(ok(await admin('GET', `/instructors/${id}`))).toMatchObject({
      account_state: 'not_invited',
      account_id: null,
    })
    const looker = await clerk('access_instructor', 'show_instructor')
    expect(ok(await looker('GET', `/instructors/${id}`)).account_state).toBe(null)
  })
})

test('a role is held by assignment, by what somebody is, and by doing everything: all are counted and found', async () => {
  const roleOf = (key: string) => one('select id from roles where key = $1', [key])
  const [roles, supers] = [await roleOf('student'), await roleOf('super_admin')]
  const count = async (id: number) => ok(await admin('GET', `/roles/${id}`)).holders
  const found = async (id: number) =>
    ok(await admin('POST', '/users', { filters: { role_id: [id] }, search: 'Byholding' })).map(
      (row: { name: string }) => row.name,
    )
  const before = [await count(roles), await count(supers)] as const
  const add = (type: number, name: string, everything = false) =>
    one(
      `insert into users (type, name, name_local, email, is_super_admin) values ($1, $2, 'حامل', $3, $4) returning id`,
      [type, `Byholding ${name}`, `${name.toLowerCase()}.byholding@university.example`, everything],
    )
  await add(3, 'Student')
  const gone = await add(3, 'Gone')
  await u.database.pool.query('update users set removed_at = now() where id = $1', [gone])
  const both = await add(2, 'Super', true)
  await u.database.pool.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [both, supers])
  expect([await count(roles), await count(supers)]).toEqual([before[0] + 1, before[1] + 1])
  expect(await found(roles)).toEqual(['Byholding Student'])
  expect(await found(supers)).toEqual(['Byholding Super'])
})
