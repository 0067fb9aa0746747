/** One student in two programs: one account and one national id, a record in each, and rules across both. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { noticeText, noticeTitle } from '#kit/server/mail/notice-texts.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { expectSound } from '#tests/sound.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { secondRecordProblems, type SameNationalId } from './student/second-record.rules.ts'
import { studentsServer } from './students.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
let history = 0
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await w.query<{ id: number }>(text, values))[0]!.id

/** Somebody who studies computing and history. */
interface Both {
  readonly first: number
  readonly second: number
  readonly user_id: number
  readonly as: Caller
}
let people = 0
const nationalId = (): string => `3010203120${String(++people * 10 + 1).padStart(4, '0')}`
const fields = (more: object = {}) => ({
  code: `X${++people}`,
  name: 'Mona Adel',
  name_local: 'منى عادل',
  faculty_id: w.faculty,
  program_id: w.program,
  level: 1,
  status: 'studying',
  ...more,
})
const inHistory = (more: object = {}) => fields({ faculty_id: w.otherFaculty, program_id: history, ...more })
async function both(): Promise<Both> {
  const national_id = nationalId()
  const first = ok(await registrar('PUT', '/students', fields({ national_id })))
  const second = ok(await registrar('PUT', '/students', inHistory({ national_id, is_second_record: true })))
  const user_id = (await w.query<{ user_id: number }>('select user_id from students where id = $1', [first.id]))[0]!
    .user_id
  return { first: first.id, second: second.id, user_id, as: await u.signIn(user_id) }
}
/** Works as one of the records, in every process. */
async function choose(who: Caller, id: number): Promise<void> {
  ok(await who('PUT', `/users/records/${id}`))
  await expect.poll(async () => ok(await who('GET', '/users/live-data')).user.student_id, { interval: 10 }).toBe(id)
}
const wanted = ({ id, lectures }: { id: number; lectures: number[] }) => ({
  offerings: [{ offering_id: id, offering_slot_ids: lectures.slice(0, 1) }],
})
const path = '/registrations/students/request-offering'

beforeAll(async () => {
  u = await testUniversity([catalogueServer, peopleServer, studentsServer, accessAndPeopleServer, registrationServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar', undefined, { email: 'registrar@university.example' })
  history = await one(`select id from programs where code = 'HI'`)
  await w.windows('register', 'add_drop')
})
afterAll(async () => {
  await expectSound(u.database.url)
  await u.close()
})

describe('whether a new record is the second of somebody', () => {
  const known = { who: 'A (1)', who_local: 'أ (1)', program: 'Computing', program_local: 'حاسبات' }
  const found = (more: Partial<SameNationalId> = {}): SameNationalId => ({ program_id: 1, differs: [], known, ...more })
  const codes = (program_id: number, is_second_record: boolean, ...records: SameNationalId[]) =>
    secondRecordProblems({ program_id, is_second_record }, records).map(({ code, field }) => `${code}@${field}`)
  test.each<[string, string[], string[]]>([
    ['nobody bears it', codes(2, false), []],
    ['said of nobody', codes(2, true), ['second_record_of_nobody@is_second_record']],
    ['not said', codes(2, false, found()), ['national_id_of_student@national_id']],
    [
      'not said, of somebody out of reach',
      codes(2, false, found({ known: null })),
      ['national_id_of_somebody@national_id'],
    ],
    ['said', codes(2, true, found()), []],
    ['the same program', codes(1, true, found()), ['student_in_program_already@program_id']],
    [
      'the same program as one of two',
      codes(3, true, found(), found({ program_id: 3 })),
      ['student_in_program_already@program_id'],
    ],
    [
      'somebody else',
      codes(2, true, found({ differs: ['name', 'birth_date'] })),
      ['second_record_differs@name', 'second_record_differs@birth_date'],
    ],
  ])('%s', (_, told, expected) => expect(told).toEqual(expected))
})

describe('other records of a person', () => {
  test('are found by the account, and by the national id as far as the reader reads it in both', async () => {
    const national_id = nationalId()
    const { id } = ok(await registrar('PUT', '/students', fields({ national_id })))
    const [teacher] = await w.query<{ id: number }>(
      `insert into instructors (code, name, name_local, faculty_id, national_id) values ('TN', 'Mona Adel', 'منى عادل', $1, $2) returning id`,
      [w.faculty, national_id],
    )
    const found = async (who: Caller) =>
      ok(await who('GET', `/people/student/${id}/records`)).map((one: any) => [one.kind, one.id, one.by])
    expect(await found(registrar)).toEqual([['instructor', teacher!.id, 'national_id']])
    // Who opens both and reads the number of neither, or of one alone, is told nothing.
    const { user_id } = await u.as(null)
    const rights = ['show_students', 'show_instructor']
    for (const right of [...rights, 'show_student_private']) {
      await w.query('insert into user_permissions (user_id, permission) values ($1, $2)', [user_id, right])
      if (right !== 'show_students') expect(await found(await u.signIn(user_id))).toEqual([])
    }
    await w.query(`insert into user_permissions (user_id, permission) values ($1, 'edit_instructor')`, [user_id])
    expect(await found(await u.signIn(user_id))).toHaveLength(1)
    await w.query('update instructors set removed_at = now() where id = $1', [teacher!.id])
    await w.query('update students set removed_at = now() where id = $1', [id])
  })
})

describe('a second record', () => {
  test('is opened by who says so, of the same person, in another program, with one account', async () => {
    const national_id = nationalId()
    const first = ok(await registrar('PUT', '/students', fields({ national_id, email: 'mona@university.example' })))
    const asked = await registrar('PUT', '/students', inHistory({ national_id }))
    expect([asked.status, reasons(asked)]).toEqual([422, ['national_id_of_student@national_id']])
    expect(asked.body.errors[0].en).toContain(`Mona Adel (${first.code}), who studies Computing`)
    // Who does not reach the first is told no name.
    const far = await u.as('faculty_registrar', ['faculty', w.otherFaculty])
    const away = await far('PUT', '/students', inHistory({ national_id }))
    expect([reasons(away), JSON.stringify(away.body)]).toEqual([
      ['national_id_of_somebody@national_id'],
      expect.not.stringContaining('Mona'),
    ])
    const said = { national_id, is_second_record: true }
    expect(reasons(await registrar('PUT', '/students', fields(said)))).toEqual([
      'student_in_program_already@program_id',
    ])
    expect(reasons(await registrar('PUT', '/students', inHistory({ ...said, name: 'Sara Adel' })))).toEqual([
      'second_record_differs@name',
    ])
    expect(reasons(await registrar('PUT', '/students', inHistory({ is_second_record: true })))).toEqual([
      'second_record_of_nobody@is_second_record',
    ])
    // Spelled otherwise it is the same name; the address is that of the person.
    const second = ok(
      await far('PUT', '/students', inHistory({ ...said, name_local: 'مني عادل', email: 'mona@university.example' })),
    )
    expect(second).toMatchObject({ name_local: 'منى عادل', is_second_record: true, program_id: history })
    const records = await w.query('select user_id, national_id from students where id = any($1)', [
      [first.id, second.id],
    ])
    expect(records[0]!.user_id).toEqual(expect.any(Number))
    expect(records[1]).toEqual(records[0])
    expect(await w.query('select type, email from users where id = $1', [records[0]!.user_id])).toEqual([
      { type: 3, email: 'mona@university.example' },
    ])
    // One person bears one name, in every record and the account.
    ok(
      await registrar('PUT', `/students/${second.id}/personal`, {
        name: 'Mona Adel Samir',
        birth_date: '2001-02-03',
        gender: 1,
      }),
    )
    expect(
      await w.query(
        `select s.name, s.birth_date::text as birth_date, s.gender, u.name as account from students s join users u on u.id = s.user_id where s.id = $1`,
        [first.id],
      ),
    ).toEqual([{ name: 'Mona Adel Samir', birth_date: '2001-02-03', gender: 1, account: 'Mona Adel Samir' }])
  })
  test('the database itself lets a national id bear one account, and an account one record in a program', async () => {
    const { first, user_id } = await both()
    const other = await w.student()
    const national = (
      await w.query<{ national_id: string }>('select national_id from students where id = $1', [first])
    )[0]!
    const told = (text: string, values: unknown[]) =>
      w.query(text, values).catch((e: { constraint?: string }) => e.constraint)
    expect(await told('update students set national_id = $1 where id = $2', [national.national_id, other.id])).toBe(
      'students_national_id_key',
    )
    expect(await told('update students set user_id = $1 where id = $2', [user_id, other.id])).toBe(
      'student_in_program_already',
    )
  })
  test('a row of a sheet with a known national id and another program is one, and the preview says so', async () => {
    const national_id = nationalId()
    const first = ok(await registrar('PUT', '/students', fields({ national_id })))
    const row = (more: object) => ({
      Code: `X${++people}`,
      'English name': 'Mona Adel',
      'Arabic name': 'منى عادل',
      Faculty: 'ART',
      Program: 'HI',
      Level: '1',
      Status: 'Studying',
      'National id': national_id,
      ...more,
    })
    const rows = [row({}), row({ Faculty: 'ENG', Program: 'CS' }), row({ 'National id': nationalId() })]
    const content = await writeSheet({
      sheets: [
        {
          name: 'x',
          direction: 'ltr',
          rows,
          columns: Object.keys(rows[0]!).map((key) => ({ key, header: key, type: 'text' as const })),
        },
      ],
    })
    const previewed = async (who: Caller) => {
      const form = new FormData()
      form.append('file', new Blob([content as never]), 'students.xlsx')
      const answer = await u.app.inject({
        method: 'POST',
        url: '/api/students/import/preview',
        payload: form,
        headers: { authorization: `Bearer ${who.token}` },
      })
      return answer.json().data as {
        import_id: string
        lines: { row: number; errors: { code: string }[]; notes: { code: string; en: string }[] }[]
      }
    }
    // Who does not reach the first record is told that there is one, and no name.
    const far = await previewed(await u.as('registrar', ['faculty', w.otherFaculty]))
    expect(far.lines.find(({ row: at }) => at === 2)).toMatchObject({
      errors: [],
      notes: [{ code: 'import_second_record_of_somebody', en: expect.not.stringContaining('Mona') }],
    })
    const { lines, import_id } = await previewed(registrar)
    expect(lines.flatMap(({ notes }) => notes.map(({ code }) => code))).toEqual(['import_second_record'])
    expect(
      lines.map(({ row, errors, notes }) => [row, errors.map(({ code }) => code), notes.map(({ en }) => en)]),
    ).toEqual([
      [3, ['student_in_program_already'], []],
      [2, [], [`Second record of Mona Adel (${first.code}), who studies Computing`]],
      [4, [], []],
    ])
    ok(await registrar('POST', `/students/import/mend/${import_id}`, { out: [{ row: 3, out: true }] }))
    ok(await registrar('POST', `/students/import/save/${import_id}`))
    expect(
      await w.query(`select program_id, is_second_record from students where national_id = $1 order by id`, [
        national_id,
      ]),
    ).toEqual([
      { program_id: w.program, is_second_record: false },
      { program_id: history, is_second_record: true },
    ])
  })
})

describe('as which of the records somebody works', () => {
  test('is chosen in the session, changes what every own call answers, and is nobody else’s', async () => {
    const { first, second, as, user_id } = await both()
    const other = await w.student()
    expect(ok(await as('GET', '/users/records'))).toMatchObject([
      { id: first, chosen: true, program: { name: 'Computing' } },
      { id: second, chosen: false, program: { name: 'History' } },
    ])
    expect(ok(await as('GET', '/users/live-data')).records).toHaveLength(2)
    expect(ok(await other.as('GET', '/users/live-data')).records).toEqual([])
    const offering = await w.offer('PH101')
    ok(await as('PUT', path, wanted(offering)))
    const own = async () => [
      ok(await as('GET', '/students/profile')).id,
      ok(await as('GET', '/students/courses')).courses.length,
      JSON.stringify(ok(await as('GET', '/registrations/students/requested-offerings'))).includes('PH101'),
    ]
    expect(await own()).toEqual([first, 1, true])
    await choose(as, second)
    expect(await own()).toEqual([second, 0, false])
    // Another session has its own choice.
    const elsewhere = await u.signIn(user_id)
    expect(ok(await elsewhere('GET', '/users/live-data')).user.student_id).toBe(first)
    // Nobody else's, and none that is blocked.
    expect((await as('PUT', `/users/records/${other.id}`)).status).toBe(404)
    expect((await other.as('PUT', `/users/records/${first}`)).status).toBe(404)
    await w.query('update students set blocked_at = now() where id = $1', [first])
    expect(reasons(await as('PUT', `/users/records/${first}`))).toEqual(['record_blocked'])
    // The record is gone: the person works as the other.
    await w.query('update students set blocked_at = null where id = $1', [first])
    await w.query('update students set removed_at = now() where id = $1', [second])
    u.auth.forget()
    expect(ok(await as('GET', '/users/live-data'))).toMatchObject({ user: { student_id: first }, records: [] })
    await w.query('update students set removed_at = null where id = $1', [second])
  })
  test('what a tab meant for one record is not done in the other', async () => {
    const { first, second, as } = await both()
    const offering = await w.offer('EN101')
    await choose(as, second)
    const send = async (record: number) => {
      const answer = await u.app.inject({
        method: 'PUT',
        url: `/api${path}`,
        payload: wanted(offering),
        headers: { authorization: `Bearer ${as.token}`, 'x-record': String(record) },
      })
      return { status: answer.statusCode, body: answer.json() } as Answer
    }
    const late = await send(first)
    expect([late.status, reasons(late)]).toEqual([409, ['record_switched']])
    expect(reasons(await send(second))).not.toContain('record_switched')
  })
  test('logging in as one record comes to that record alone', async () => {
    const { first, second } = await both()
    const boss = await u.as('registrar')
    await w.query(
      `insert into user_permissions (user_id, permission) values ($1, 'login_as_student') on conflict do nothing`,
      [boss.user_id],
    )
    const { token, user } = ok(
      await (
        await u.signIn(boss.user_id)
      )('POST', '/login-as-student', { student_id: second }),
    )
    expect(user.student_id).toBe(second)
    const get = async (url: string, method: 'GET' | 'PUT' = 'GET') =>
      await u.app.inject({ method, url: `/api${url}`, headers: { authorization: `Bearer ${token}` } })
    expect((await get('/users/live-data')).json().data).toMatchObject({ user: { student_id: second }, records: [] })
    expect((await get('/users/records')).json().data).toHaveLength(1)
    expect((await get('/students/profile')).json().data.id).toBe(second)
    expect((await get(`/users/records/${first}`, 'PUT')).statusCode).toBe(404)
    // By the account: only who may log in as its student, and as one record. Teaching somebody is no such right.
    const account = (await w.query<{ user_id: number }>('select user_id from students where id = $1', [second]))[0]!
    const plain = await u.as('instructor')
    await w.query(
      `insert into user_permissions (user_id, permission) values ($1, 'login_as_user'), ($2, 'login_as_user')`,
      [plain.user_id, boss.user_id],
    )
    const asUser = async (who: number) => (await u.signIn(who))('POST', '/login-as-user', { user_id: account.user_id })
    expect((await asUser(plain.user_id)).status).toBe(403)
    const byAccount = ok(await asUser(boss.user_id))
    const seen = await u.app.inject({
      url: '/api/users/records',
      headers: { authorization: `Bearer ${byAccount.token}` },
    })
    expect(seen.json().data).toHaveLength(1)
    // Not even when the record goes while somebody looks.
    await w.query('update students set removed_at = now() where id = $1', [second])
    u.auth.forget()
    expect((await get('/users/live-data')).json().data.user.student_id).toBe(null)
    await w.query('update students set removed_at = null where id = $1', [second])
  })
})

describe('rules across both records', () => {
  test('meetings of the other program clash, and a course is taken in one of them; staff may set it aside', async () => {
    const { second, as } = await both()
    const taken = await w.offer('MA101', { day: 1, period: 1 })
    const same = await w.offer('MA101', { day: 2, period: 2 })
    const clashing = await w.offer('PH101', { day: 1, period: 1 })
    const free = await w.offer('PH101', { day: 3, period: 3 })
    ok(await as('PUT', path, wanted(taken)))
    await choose(as, second)
    const clash = await as('PUT', path, wanted(clashing))
    expect([clash.status, reasons(clash)]).toEqual([409, ['time_clash']])
    expect(clash.body.errors[0].en).toContain('MA101 (CS)')
    expect(reasons(await as('PUT', path, wanted(same)))).toEqual(['course_in_other_program'])
    // Choosing a meeting shows with what it clashes.
    const [slot] = ok(await as('POST', `/registrations/students/offering-slots/${clashing.id}`, {}))
    expect(slot.clashes).toEqual(['MA101 (CS)'])
    ok(await as('PUT', path, wanted(free)))
    // Staff may, with a reason.
    const forced = {
      ...wanted(same),
      student_id: second,
      enroll: true,
      reason: 'council',
      overrides: [{ code: 'course_in_other_program', reason: 'Counts as credited' }],
    }
    ok(await registrar('PUT', path, forced))
  })
  test('two tabs at once, one in each record: they do not pass each other', async () => {
    for (let round = 0; round < 3; round++) {
      const { second, as, user_id } = await both()
      const beside = await u.signIn(user_id)
      await choose(beside, second)
      const a = await w.offer('CS101', { day: 4, period: 4 })
      const b = await w.offer('HU101', { day: 4, period: 4 })
      const answers = await Promise.all([as('PUT', path, wanted(a)), beside('PUT', path, wanted(b))])
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
      expect(reasons(answers.find((answer) => answer.status === 409)!)).toEqual(['time_clash'])
    }
    expect(await w.wrongSeats()).toEqual([])
  })
  test('a step in one record moves the turn of the other, so that what was judged before is judged again', async () => {
    const { first, second, as } = await both()
    const turns = async () =>
      (
        await w.query<{ turn: number }>(
          'select turn from registration_turns where student_id = any($1) order by student_id',
          [[first, second]],
        )
      ).map(({ turn }) => turn)
    const [mine, theirs] = await turns()
    ok(await as('PUT', path, wanted(await w.offer('EN101', { day: 0, period: 6 }))))
    expect(await turns()).toEqual([mine! + 1, theirs! + 1])
  })
  test('hours of both are seen together, by the person and by staff; each bylaw limits its own', async () => {
    const { first, second, as } = await both()
    ok(await as('PUT', path, wanted(await w.offer('MA101', { day: 6, period: 1 }))))
    const own = '/registrations/students/requested-offerings'
    expect(ok(await as('GET', own)).load.elsewhere).toEqual([])
    await choose(as, second)
    for (const load of [ok(await as('GET', own)).load, ok(await registrar('GET', `${own}/${second}`)).load])
      expect(load).toMatchObject({ hours: 0, elsewhere: [{ program: { code: 'CS' }, hours: 3, courses: 1 }] })
    ok(await as('PUT', path, wanted(await w.offer('PH101', { day: 6, period: 2 }))))
    expect(ok(await registrar('GET', `${own}/${first}`)).load).toMatchObject({
      hours: 3,
      elsewhere: [{ program: { code: 'HI' }, hours: 3 }],
    })
  })
  test('a notice says of which program it is; to who has one record it says none', async () => {
    const { first, second, user_id } = await both()
    const alone = await w.student()
    const told = (id: number) =>
      w.query<{ key: string; data: Record<string, unknown> }>(
        'select key, data from notifications where user_id = $1 order by id desc limit 1',
        [id],
      )
    const decide = { status: 'withdrawn', decision: '12/2026', decided_on: '2026-01-05' }
    ok(await registrar('POST', `/students/status/${second}`, decide))
    const [notice] = await told(user_id)
    expect(notice!.data.of_programs).toEqual([{ name: 'History', name_local: expect.any(String) }])
    expect(noticeText(notice!.key, notice!.data, 'en')).toMatch(/^History · /)
    expect(noticeTitle(notice!.key, notice!.data, 'en')).toMatch(/^History · /)
    const { rows: mails } = await u.database.pool.query('select data from notice_mails where user_id = $1', [user_id])
    expect(mails.map((row) => row.data.of_programs[0].name)).toEqual(mails.map(() => 'History'))
    ok(await registrar('POST', `/students/status/${alone.id}`, decide))
    const [{ user_id: account }] = (await w.query<{ user_id: number }>('select user_id from students where id = $1', [
      alone.id,
    ])) as [{ user_id: number }]
    expect((await told(account))[0]!.data).not.toHaveProperty('of_programs')
    // By the same call of several at once, and of the other record.
    await u.database.db
      .transaction()
      .execute((tx) =>
        notify(tx, [user_id, account], { key: 'students.notice_status', data: {}, records: [first, alone.id] }),
      )
    expect((await told(user_id))[0]!.data.of_programs).toMatchObject([{ name: 'Computing' }])
    expect((await told(account))[0]!.data).not.toHaveProperty('of_programs')
  })
  test('what comes back is judged beside the other record', async () => {
    const { second, as } = await both()
    const mine = await w.offer('MA101', { day: 5, period: 5 })
    const theirs = await w.offer('PH101', { day: 5, period: 5 })
    const [made] = ok(await as('PUT', path, { ...wanted(mine) }))
    ok(await registrar('PUT', '/registrations/students/accept-requested-offering', { registration_ids: [made.id] }))
    ok(await as('PUT', '/registrations/students/addDrop-offering', { action: 'drop', registration_ids: [made.id] }))
    ok(await registrar('PUT', '/registrations/students/accept-requested-offering', { registration_ids: [made.id] }))
    await choose(as, second)
    ok(await as('PUT', path, wanted(theirs)))
    const undo = { registration_ids: [made.id], reason: 'returned' }
    expect(reasons(await registrar('PUT', '/registrations/students/undo-registered-offering', undo)).join()).toContain(
      'time_clash',
    )
  })
})
