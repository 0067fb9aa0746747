import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { studentsServer } from '../students.server.ts'
import { personProblems, readNationalId } from './person.rules.ts'
import type { StudentPerson } from './person.rules.ts'

const codes = (next: StudentPerson, before: StudentPerson | null = null) =>
  personProblems(next, before, '2026-11-22').map(({ code, field }) => `${code}@${field}`)
const man: StudentPerson = { nationality_id: 64, national_id: '30102031200015', birth_date: '2001-02-03', gender: 1 }

describe('who a person is said to be', () => {
  test('a national id says the day of birth and the gender', () => {
    expect(readNationalId('30102031200015')).toEqual({ birth_date: '2001-02-03', gender: 1 })
    expect(readNationalId('28512311200026')).toEqual({ birth_date: '1985-12-31', gender: 2 })
    for (const none of ['30102301200015', '10102031200015', '30113031200015', '3010203120001'])
      expect(readNationalId(none)).toBeNull()
  })
  test.each<[string, StudentPerson, StudentPerson | null, string[]]>([
    ['agrees', man, null, []],
    ['an Egyptian without a national id', { ...man, national_id: null }, null, ['national_id_required@national_id']],
    ['a foreigner without one', { ...man, nationality_id: 5, national_id: null }, null, []],
    ['another day of birth', { ...man, birth_date: '2001-02-04' }, null, ['national_id_birth_date@national_id']],
    ['another gender', { ...man, gender: 2 }, null, ['national_id_of_man@national_id']],
    [
      'another gender, of a woman’s number',
      { nationality_id: 64, national_id: '28512311200026', birth_date: '1985-12-31', gender: 1 },
      null,
      ['national_id_of_woman@national_id'],
    ],
    ['no such day in it', { ...man, national_id: '30113031200015' }, null, ['national_id_not_valid@national_id']],
    ['born tomorrow', { birth_date: '2026-11-23' }, null, ['birth_date_future@birth_date']],
    ['born today', { birth_date: '2026-11-22' }, null, []],
    [
      'military service of a woman',
      { gender: 2, military_status: 'done' },
      null,
      ['military_status_of_men@military_status'],
    ],
    ['a mobile of seven digits in Egypt', { ...man, phone: '0100000' }, null, ['mobile_11_digits@phone']],
    ['a mobile', { ...man, phone: '01001234567', parent_phone: '+49301234567' }, null, []],
    ['a foreigner’s number', { nationality_id: 5, phone: '5551234' }, null, []],
    [
      'parents by their own numbers',
      {
        ...man,
        father_national_id: '27003100120017',
        mother_national_id: '28512311200026',
        guardian_national_id: '27003100120017',
      },
      null,
      [],
    ],
    [
      'parents by wrong ones',
      {
        ...man,
        father_national_id: '28512311200026',
        mother_national_id: '27003100120017',
        guardian_national_id: '27013100120017',
      },
      null,
      [
        'national_id_of_woman@father_national_id',
        'national_id_of_man@mother_national_id',
        'national_id_not_valid@guardian_national_id',
      ],
    ],
    [
      'a student who is the own guardian',
      { ...man, guardian_national_id: man.national_id ?? null },
      null,
      ['parent_is_student@guardian_national_id'],
    ],
    // A record from before the rule can be changed elsewhere.
    ['untouched', { ...man, national_id: null, phone: '123' }, { ...man, national_id: null, phone: '123' }, []],
    [
      'touched',
      { ...man, national_id: null, birth_date: null },
      { ...man, national_id: null },
      ['national_id_required@national_id'],
    ],
  ])('%s', (_, next, before, expected) => expect(codes(next, before)).toEqual(expected))
})

let u: TestUniversity
let registrar: Caller
const at = { faculty: 0, program: 0, bylaw: 0, other: 0 }
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await u.database.pool.query<{ id: number }>(text, values)).rows[0]!.id
let count = 0
const fields = (more: object = {}) => ({
  code: `P${++count}`,
  name: 'Ahmed Ali',
  name_local: 'أحمد علي',
  faculty_id: at.faculty,
  program_id: at.program,
  level: 1,
  status: 'studying',
  ...more,
})
beforeAll(async () => {
  u = await testUniversity([catalogueServer, peopleServer, studentsServer])
  registrar = await u.as('registrar', undefined, { email: 'registrar@university.example' })
  await u.database.pool.query(
    `insert into countries (id, code, name, name_local) values (64, 'EG', 'Egypt', 'مصر') on conflict do nothing`,
  )
  at.faculty = await one(`insert into faculties (code, name, name_local) values ('F', 'Science', 'علوم') returning id`)
  at.bylaw = await one(
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours) values ($1, 'B', 'B', 'ل', 'credit_hours', 12) returning id`,
    [at.faculty],
  )
  at.program = await one(
    `insert into programs (faculty_id, bylaw_id, code, name, name_local, program_type) values ($1, $2, 'P', 'P', 'ب', 'credit_hours') returning id`,
    [at.faculty, at.bylaw],
  )
})
afterAll(() => u.close())

describe('a student, through HTTP', () => {
  test('an Egyptian has a national id that agrees with the rest; saving another section asks nothing of it', async () => {
    const answer = await registrar('PUT', '/students', fields({ nationality_id: 64, birth_date: '2001-02-03' }))
    expect([answer.status, reasons(answer)]).toEqual([422, ['national_id_required@national_id']])
    const made = ok(
      await registrar(
        'PUT',
        '/students',
        fields({ nationality_id: 64, birth_date: '2001-02-03', gender: 1, national_id: '30102031200015' }),
      ),
    )
    expect(reasons(await registrar('PUT', `/students/${made.id}/personal`, { gender: 2 }))).toEqual([
      'national_id_of_man@national_id',
    ])
    expect(reasons(await registrar('PUT', `/students/${made.id}/contact`, { phone: '0100000' }))).toEqual([
      'mobile_11_digits@phone',
    ])
    const old = await one(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, nationality_id) values ('OLD', 'Old', 'قديم', $1, $2, $3, 64) returning id`,
      [at.faculty, at.program, at.bylaw],
    )
    ok(await registrar('PUT', `/students/${old}/contact`, { phone: '01001234567' }))
    ok(await registrar('PUT', `/students/${old}/military`, { military_status: 'exempted' }))
  })
  test('names are written in their own letters', async () => {
    expect(reasons(await registrar('PUT', '/students', fields({ name: 'محمد' })))).toContain('english_only@name')
    expect(reasons(await registrar('PUT', '/students', fields({ name: 'Ahmed 2' })))).toEqual(['letters_only@name'])
    expect(reasons(await registrar('PUT', '/students', fields({ name_local: 'Ahmed Ali' })))).toContain(
      'arabic_only@name_local',
    )
    ok(await registrar('PUT', '/students', fields({ name: 'José O’Brien-Müller Jr.', name_local: 'خوسيه أوبراين' })))
  })
  test('the database lets nobody be born in the future, whoever writes', async () => {
    await expect(
      u.database.pool.query(
        `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, birth_date) values ('FUT', 'F', 'م', $1, $2, $3, university_today() + 30)`,
        [at.faculty, at.program, at.bylaw],
      ),
    ).rejects.toMatchObject({ constraint: 'birth_date_future' })
  })
  test('nobody graduates before the degree is complete', async () => {
    const made = ok(await registrar('PUT', '/students', fields()))
    const decide = (status: string) =>
      registrar('POST', `/students/status/${made.id}`, { status, decision: 'Decision 1', decided_on: '2026-01-15' })
    const answer = await decide('graduated')
    expect([answer.status, reasons(answer)]).toEqual([422, ['degree_not_complete@status']])
    expect(answer.body.errors[0].data).toMatchObject({ earned: 0, required: 12 })
    // The status is no part of the data that are edited.
    expect((await registrar('PUT', `/students/${made.id}/academic`, { status: 'suspended' })).status).toBe(422)
    expect(ok(await decide('suspended'))).toMatchObject({
      status: 'suspended',
      next: ['studying', 'dismissed', 'withdrawn'],
    })
  })
  test('a decision from an old screen is refused with the version that stands there', async () => {
    const made = ok(await registrar('PUT', '/students', fields()))
    const decide = (status: string, version: number) =>
      registrar('POST', `/students/status/${made.id}`, {
        status,
        decision: 'Decision 2',
        decided_on: '2026-01-15',
        version,
      })
    const { version } = ok(await decide('suspended', made.version))
    const late = await decide('dismissed', made.version)
    expect([late.status, reasons(late), late.body.errors[0].data]).toEqual([409, ['changed_meanwhile'], { version }])
    expect(ok(await decide('studying', version)).status).toBe('studying')
  })
})

describe('an e-mail address', () => {
  const student = async (email: string | null, user_id: number | null = null) =>
    one(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, email, user_id) values ($1, 'S', 'س', $2, $3, $4, $5, $6) returning id`,
      [`E${++count}`, at.faculty, at.program, at.bylaw, email, user_id],
    )
  test('is that of one person: of no other student, instructor or account', async () => {
    const mine = await u.as('student', undefined, { type: 3, email: 'mine@university.example' })
    const id = await student('mine@university.example', mine.user_id)
    await student('taken@university.example')
    ok(
      await registrar('PUT', '/instructors', {
        code: 'T1',
        name: 'Teacher',
        name_local: 'معلم',
        faculty_id: at.faculty,
        email: 'teacher@university.example',
      }),
    )
    // By staff: what a student types as the own address waits for a link (`own/address.test.ts`).
    const dean = await u.as('faculty_registrar', ['faculty', at.faculty])
    for (const email of ['registrar@university.example', 'Taken@University.example', 'teacher@university.example']) {
      const answer = await dean('PUT', `/students/${id}/contact`, { email })
      expect([email, answer.status]).toEqual([email, 422])
      expect(['email_of_another_person@email', 'email_of_person@email']).toContain(reasons(answer)[0])
    }
    ok(await dean('PUT', `/students/${id}/contact`, { email: 'new@university.example' }))
    ok(await dean('PUT', `/students/${id}/contact`, { email: 'mine@university.example' }))
  })
  test('of many who come at once, each is looked at, and they see each other', async () => {
    const mine = await u.as('student', undefined, { type: 3, email: 'account@university.example' })
    await student('record@university.example')
    const rows = {
      students: `(code, name, name_local, faculty_id, program_id, bylaw_id, email)
        select 'M' || n || '-' || gen_random_uuid(), 'S', 'س', ${at.faculty}, ${at.program}, ${at.bylaw}, e from unnest($1::text[]) with ordinality x (e, n)`,
      instructors: `(code, name, name_local, faculty_id, email)
        select 'M' || n || '-' || gen_random_uuid(), 'T', 'م', ${at.faculty}, e from unnest($1::text[]) with ordinality x (e, n)`,
      users: `(type, name, name_local, email) select 2, 'A', 'أ', e from unnest($1::text[]) e`,
    }
    const many = (table: keyof typeof rows, ...emails: (string | null)[]) =>
      u.database.pool.query(`insert into ${table} ${rows[table]}`, [emails])
    const taken = { constraint: 'email_of_another_person' }
    for (const [table, ...emails] of [
      ['students', 'a1@university.example', 'Record@university.example'],
      ['instructors', 'a1@university.example', 'record@university.example', null],
      ['users', 'a1@university.example', 'Record@university.example'],
      ['students', 'twice@university.example', null, 'Twice@university.example'],
      ['instructors', 'twice@university.example', 'twice@university.example'],
    ] as const)
      await expect(many(table, ...emails), table).rejects.toMatchObject(taken)
    // The account of somebody who has a record already is not that of a new record.
    await student('other@university.example', mine.user_id)
    await expect(many('students', 'a1@university.example', 'account@university.example')).rejects.toMatchObject(taken)
    await many('students', 'a1@university.example', null, 'a2@university.example', null)
    await many('instructors', 'a3@university.example', null)
  })
  test('two who want one address at the same moment: one gets it', async () => {
    const [a, b] = [await student(null), await student(null)]
    const answers = await Promise.all(
      [a, b].map((id) => registrar('PUT', `/students/${id}/contact`, { email: 'wanted@university.example' })),
    )
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 422])
  })
  test('an account may be made for who has a record, and is then the same person', async () => {
    const id = await student('later@university.example')
    const user = await one(
      `insert into users (type, name, name_local, email) values (3, 'L', 'ل', 'later@university.example') returning id`,
    )
    await u.database.pool.query('update students set user_id = $1 where id = $2', [user, id])
    await expect(
      u.database.pool.query(
        `insert into instructors (code, name, name_local, faculty_id, email) values ('T9', 'T', 'م', $1, 'later@university.example')`,
        [at.faculty],
      ),
    ).rejects.toMatchObject({ constraint: 'email_of_another_person' })
    await u.database.pool.query(
      `insert into instructors (code, name, name_local, faculty_id, email, user_id) values ('T9', 'T', 'م', $1, 'later@university.example', $2)`,
      [at.faculty, user],
    )
  })
})
