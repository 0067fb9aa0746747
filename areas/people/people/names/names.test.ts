import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { readSheet, writeSheet } from '#kit/server/sheets/index.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { peopleServer } from '../people.server.ts'

let u: TestUniversity
let admin: Caller
let faculty: number
beforeAll(async () => {
  u = await testUniversity([catalogueServer, accessAndPeopleServer, peopleServer, studentsServer, kitServer])
  admin = await u.as('admin')
  faculty = ok(
    await admin('PUT', '/faculties', {
      code: 'ENG',
      short_name: 'ENG',
      name: 'Engineering',
      name_local: 'الهندسة',
    }),
  ).id
})
afterAll(() => u.close())

let serial = 0
async function teacher(): Promise<{ id: number; account: number }> {
  const made = ok(
    await admin('PUT', '/instructors', {
      code: `I${++serial}`,
      name: 'Mona Adel Abd El Rahman',
      name_local: 'منى عادل عبد الرحمن',
      faculty_id: faculty,
    }),
  )
  const { user_id } = await u.as('instructor', undefined, { type: 1 })
  await u.database.pool.query('update instructors set user_id = $1 where id = $2', [user_id, made.id])
  return { id: made.id, account: user_id }
}
const none = { given: null, father: null, grandfather: null, family: null }
const nothing = {
  ...none,
  given_local: null,
  father_local: null,
  grandfather_local: null,
  family_local: null,
  used_name: null,
  used_name_local: null,
}

test('parts make the full name, the account follows, and a used name stands beside it', async () => {
  const { id, account } = await teacher()
  const before = ok(await admin('GET', `/people/instructor/${id}/names`))
  expect(before).toMatchObject({ latin: null, arabic: null, may_change: true })
  const body = {
    ...nothing,
    version: before.version,
    given: 'Mona',
    father: 'Adel',
    family: ' Abd  El Rahman Salem ',
    used_name: 'Mona Salem',
  }
  const after = ok(await admin('PUT', `/people/instructor/${id}/names`, body))
  expect(after).toMatchObject({
    name: 'Mona Adel Abd El Rahman Salem',
    name_local: 'منى عادل عبد الرحمن',
    latin: { given: 'Mona', father: 'Adel', grandfather: null, family: 'Abd El Rahman Salem' },
    arabic: null,
  })
  const { rows } = await u.database.pool.query('select name, used_name, given_name from users where id = $1', [account])
  expect(rows).toEqual([{ name: 'Mona Adel Abd El Rahman Salem', used_name: 'Mona Salem', given_name: 'Mona' }])
  expect(reasons(await admin('PUT', `/people/instructor/${id}/names`, body))).toEqual(['changed_meanwhile'])
  const lacking = { ...nothing, version: after.version, given: 'Mona', grandfather: 'Samir', family_local: 'سالم' }
  expect(reasons(await admin('PUT', `/people/instructor/${id}/names`, lacking))).toEqual([
    'name_part_needed@father',
    'name_part_needed@given_local',
  ])
  expect(reasons(await admin('PUT', `/people/instructor/${id}/names`, { ...body, given: 'منى' }))).toEqual([
    'english_only@given',
  ])
  const long = {
    ...body,
    version: after.version,
    ...Object.fromEntries(['given', 'father', 'family'].map((part) => [part, 'A'.repeat(80)])),
  }
  expect(reasons(await admin('PUT', `/people/instructor/${id}/names`, long))).toEqual(['too_long@family'])
})

test('the full name written anew takes the one part along that changed; else nothing is known any more', async () => {
  const { id } = await teacher()
  const { version } = ok(await admin('GET', `/people/instructor/${id}/names`))
  const known = { ...nothing, version, given: 'Mona', father: 'Adel', family: 'Abd El Rahman' }
  ok(await admin('PUT', `/people/instructor/${id}/names`, known))
  ok(await admin('PUT', `/instructors/${id}`, { name: 'Mouna Adel Abd El Rahman' }))
  expect(ok(await admin('GET', `/people/instructor/${id}/names`)).latin).toEqual({
    ...none,
    given: 'Mouna',
    father: 'Adel',
    family: 'Abd El Rahman',
  })
  // Whoever writes, also beside the program.
  await u.database.pool.query(`update instructors set name = 'Somebody Else' where id = $1`, [id])
  expect(ok(await admin('GET', `/people/instructor/${id}/names`)).latin).toBeNull()
})

test('are changed by who changes the record, where it is, and never of somebody with more rights', async () => {
  const { id, account } = await teacher()
  const rights = async (...keys: string[]): Promise<Caller> => {
    const { user_id } = await u.as(null)
    await u.database.pool.query('insert into user_permissions (user_id, permission) select $1, unnest($2::text[])', [
      user_id,
      keys,
    ])
    return u.signIn(user_id)
  }
  const looks = await rights('show_instructor', 'edit_employee')
  const { version, may_change } = ok(await looks('GET', `/people/instructor/${id}/names`))
  expect(may_change).toBe(false)
  const body = { ...nothing, version }
  expect((await looks('PUT', `/people/instructor/${id}/names`, body)).status).toBe(404)
  const clerk = await rights('access_users', 'edit_users')
  const own = ok(await clerk('GET', `/people/user/${admin.user_id}/names`))
  expect(
    reasons(await clerk('PUT', `/people/user/${admin.user_id}/names`, { ...nothing, version: own.version })),
  ).toEqual(['person_has_more_rights'])
  // Whose record it is, has the name.
  expect(ok(await clerk('GET', `/people/user/${account}/names`)).may_change).toBe(false)
})

test('the records of one person lead to each other, as far as the reader may open them', async () => {
  const { id, account } = await teacher()
  const national_id = '29001010100019'
  const insert = async (text: string, values: unknown[]) =>
    (await u.database.pool.query<{ id: number }>(text, values)).rows[0]!.id
  const bylaw = await insert(
    `insert into bylaws (faculty_id, code, name, name_local) values ($1, 'B1', 'Bylaw', 'لائحة') returning id`,
    [faculty],
  )
  const program = await insert(
    `insert into programs (faculty_id, bylaw_id, code, name, name_local) values ($1, $2, 'P1', 'Program', 'برنامج') returning id`,
    [faculty, bylaw],
  )
  const student = await insert(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, national_id)
     values ('S1', 'Mona Adel', 'منى عادل', $1, $2, $3, $4) returning id`,
    [faculty, program, bylaw, national_id],
  )
  const found = async (who: Caller, path: string) =>
    ok(await who('GET', path)).map((one: any) => `${one.kind} ${one.id} ${one.by}`)
  expect(await found(admin, `/people/instructor/${id}/records`)).toEqual([`user ${account} account`])
  await u.database.pool.query('update instructors set national_id = $1 where id = $2', [national_id, id])
  expect(await found(admin, `/people/instructor/${id}/records`)).toEqual([
    `student ${student} national_id`,
    `user ${account} account`,
  ])
  expect(await found(admin, `/people/student/${student}/records`)).toEqual([`instructor ${id} national_id`])
  // Who reads no national id is not told whose it is.
  const { user_id } = await u.as(null)
  await u.database.pool.query('insert into user_permissions (user_id, permission) select $1, unnest($2::text[])', [
    user_id,
    ['show_students', 'show_instructor', 'access_users'],
  ])
  const looks = await u.signIn(user_id)
  expect(await found(looks, `/people/instructor/${id}/records`)).toEqual([`user ${account} account`])
  expect(
    (await (await u.as('student', undefined, { type: 3 }))('GET', `/people/instructor/${id}/records`)).status,
  ).toBe(403)
})

describe('in sheets', () => {
  /** Sends a sheet, one object a row with heads as keys, and answers its preview. */
  async function preview(path: string, rows: readonly Record<string, string>[]): Promise<any> {
    const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    const content = await writeSheet({
      sheets: [
        {
          name: 'Sheet',
          direction: 'ltr',
          columns: heads.map((header) => ({ header, key: header, type: 'text' as const })),
          rows: rows.map((row) => ({ ...row })),
        },
      ],
    })
    const form = new FormData()
    form.append('file', new Blob([content as never]), 'sheet.xlsx')
    const answer = await u.app.inject({
      method: 'POST',
      url: `/api${path}/import/preview`,
      payload: form,
      headers: { authorization: `Bearer ${admin.token}`, 'accept-language': 'en' },
    })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data
  }
  /** Rows of the export, by its heads. */
  async function exported(path: string, ids: readonly number[]): Promise<Record<string, string>[]> {
    const answer = await admin('POST', `${path}/export`, { ids, lang: 'en' })
    const [heads = [], ...rows] = (await readSheet(answer.bytes)).sheets[0]!.rows.map((row) => row.map((c) => c.text))
    return rows.map((row) => Object.fromEntries(heads.map((head, i) => [head, row[i] ?? ''])))
  }
  const errorsOf = (found: any) => found.errors.map((one: any) => `${one.row} ${one.column}: ${one.code}`)
  const namesOf = async (kind: string, id: number) => ok(await admin('GET', `/people/${kind}/${id}/names`))
  const known = async () => {
    const { id, account } = await teacher()
    const { version } = await namesOf('instructor', id)
    const body = {
      ...nothing,
      version,
      given: 'Mona',
      father: 'Adel',
      family: 'Abd El Rahman',
      used_name: 'Mona Rahman',
    }
    ok(await admin('PUT', `/people/instructor/${id}/names`, body))
    return { id, account, code: `I${serial}` }
  }

  test('parts go out beside the whole name, come back as they went, and make the whole where they are changed', async () => {
    const { id, account, code } = await known()
    const [row] = await exported('/instructors', [id])
    expect(row).toMatchObject({
      'English name': 'Mona Adel Abd El Rahman',
      'Given name': 'Mona',
      "Father's name": 'Adel',
      "Grandfather's name": '',
      'Family name': 'Abd El Rahman',
      'Given name (Arabic)': '',
      'Used name': 'Mona Rahman',
    })
    expect((await preview('/instructors', [row!])).counts).toMatchObject({ same: 1, wrong: 0 })
    const found = await preview('/instructors', [{ Code: code, 'Family name': 'Salem', "Grandfather's name": 'Samir' }])
    expect(found.errors).toEqual([])
    expect(found.lines[0].changes.map((one: any) => `${one.field}: ${one.old} > ${one.new}`).toSorted()).toEqual([
      'family_name: Abd El Rahman > Salem',
      'grandfather_name: null > Samir',
      'name: Mona Adel Abd El Rahman > Mona Adel Samir Salem',
    ])
    const { operation_id } = (await admin('POST', `/instructors/import/save/${found.import_id}`, {})).body
    const { rows } = await u.database.pool.query('select name, family_name from users where id = $1', [account])
    expect(rows).toEqual([{ name: 'Mona Adel Samir Salem', family_name: 'Salem' }])
    ok(await admin('POST', `/operations/${operation_id}/undo`))
    expect(await namesOf('instructor', id)).toMatchObject({
      name: 'Mona Adel Abd El Rahman',
      latin: { given: 'Mona', father: 'Adel', grandfather: null, family: 'Abd El Rahman' },
    })
  })

  test('a part that is not in the whole name is told by row and column, whichever of both was changed', async () => {
    const { code, id } = await known()
    const other = await teacher()
    const [row] = await exported('/instructors', [id])
    const parts = { 'Given name': 'Mona', "Father's name": 'Adel', 'Family name': 'Salem' }
    const endless = Object.fromEntries(Object.keys(parts).map((part) => [part, 'A'.repeat(80)]))
    const found = await preview('/instructors', [
      { ...row, 'Family name': 'Salem' },
      { Code: `I${serial}`, 'Family name': 'Salem' },
      { Code: 'N1', 'English name': 'Mona Nabil Salem', 'Arabic name': 'منى', Faculty: 'ENG', ...parts },
      { Code: 'N2', 'English name': 'Aaa', 'Arabic name': 'منى', Faculty: 'ENG', ...endless },
    ])
    expect(errorsOf(found)).toEqual([
      '2 Family name: name_part_beside',
      '3 Given name: name_part_needed',
      "4 Father's name: name_part_beside",
      '5 Family name: too_long',
    ])
    expect(found.errors[2].en).toContain('“Adel” does not stand there in the name “Mona Nabil Salem”')
    const whole = await preview('/instructors', [{ ...row, 'English name': 'Mona Adel Salem' }])
    expect(errorsOf(whole)).toEqual(['2 Family name: name_part_beside'])
    // The whole name alone, as before: known parts follow, where it can be told which one changed.
    const alone = await preview('/instructors', [
      { Code: code, 'English name': 'Mouna Adel Abd El Rahman' },
      { Code: `I${serial}`, 'English name': 'Somebody Else' },
    ])
    expect(alone.counts).toMatchObject({ changed: 2, wrong: 0 })
    ok(await admin('POST', `/instructors/import/save/${alone.import_id}`, {}))
    expect((await namesOf('instructor', id)).latin).toMatchObject({ given: 'Mouna', family: 'Abd El Rahman' })
    expect(await namesOf('instructor', other.id)).toMatchObject({ name: 'Somebody Else', latin: null })
  })

  test('new employees and students bring them along, in both scripts', async () => {
    const parts = {
      'English name': 'Nour  Ali Hassan',
      'Arabic name': 'نور علي حسن',
      'Given name': 'Nour',
      'Family name': 'Ali Hassan',
      'Given name (Arabic)': 'نور',
      "Father's name (Arabic)": 'علي',
      'Family name (Arabic)': 'حسن',
      'Used name (Arabic)': 'نور',
    }
    const one = async (text: string, values: unknown[]) =>
      (await u.database.pool.query<{ id: number }>(text, values)).rows[0]!.id
    const bylaw = await one(
      `insert into bylaws (faculty_id, code, name, name_local) values ($1, 'B9', 'B', 'ل') returning id`,
      [faculty],
    )
    await one(
      `insert into programs (faculty_id, bylaw_id, code, name, name_local) values ($1, $2, 'P9', 'P', 'ب') returning id`,
      [faculty, bylaw],
    )
    for (const [path, kind, more, table, key] of [
      ['/employees', 'user', { 'E-mail': 'nour.ali@university.example' }, 'users', 'email'],
      [
        '/students',
        'student',
        { Code: 'S9', Faculty: 'ENG', Program: 'P9', Level: '1', Status: 'Studying' },
        'students',
        'code',
      ],
    ] as const) {
      const found = await preview(path, [{ ...parts, ...more }])
      expect(found.errors, path).toEqual([])
      ok(await admin('POST', `${path}/import/save/${found.import_id}`, {}))
      const id = await one(`select id from ${table} where ${key} = $1`, [Object.values(more)[0]])
      expect(await namesOf(kind, id)).toMatchObject({
        name: 'Nour Ali Hassan',
        latin: { ...none, given: 'Nour', family: 'Ali Hassan' },
        arabic: { ...none, given: 'نور', father: 'علي', family: 'حسن' },
        used_name_local: 'نور',
      })
      expect((await exported(path, [id]))[0]).toMatchObject({
        'Family name': 'Ali Hassan',
        "Father's name (Arabic)": 'علي',
      })
    }
  })
})
