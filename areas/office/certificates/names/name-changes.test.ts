import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { certificateOf, contentsOf } from '../requests/contents.server.ts'
import { certificatesServer } from '../certificates.server.ts'

let uni: TestUniversity
let clerk: Caller
let office: Caller
let reviewer: Caller
let signer: Caller
let elsewhere: Caller
let mona: Caller
let omar: Caller
const id: Record<string, any> = {}
const q = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    accessAndPeopleServer,
    peopleServer,
    catalogueServer,
    studentsServer,
    feesServer,
    invoicesServer,
    certificatesServer,
  ])
  for (const code of ['ENG', 'MED'])
    await one(code, `insert into faculties (code, name, name_local) values ($1, $1, $1) returning id`, [code])
  await one(
    'bylaw',
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa, grades_visibility)
     values ($1, 'B', 'B', 'ل', 'credit_hours', 12, 2, '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}') returning id`,
    [id.ENG],
  )
  await one(
    'program',
    `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, 'CS', 'Computing', 'حاسبات', 'credit_hours') returning id`,
    [id.bylaw, id.ENG],
  )
  const person = async (name: string, code: string): Promise<Caller> => {
    const caller = await uni.as('student', undefined, { type: 3, name })
    await one(
      name,
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, national_id, gender, user_id)
       values ($1, $2, 'اسم قديم', $3, $4, $5, 2, $6, 2, $7) returning id`,
      [code, name, id.ENG, id.program, id.bylaw, `3000101010000${code}`, caller.user_id],
    )
    return uni.signIn(caller.user_id)
  }
  mona = await person('Mona', '1')
  omar = await person('Omar', '2')
  clerk = await uni.as('affair_manager')
  reviewer = await uni.as('affair_manager')
  office = await uni.as('graduate_affairs_employee')
  elsewhere = await uni.as('faculty_registrar', ['faculty', id.MED])
  signer = await uni.as('dean', ['faculty', id.ENG])
  await q(
    `insert into signatory_holders (position_id, user_id, valid_from) select id, $1, university_today() from signatory_positions where code = 'DEAN'`,
    [signer.user_id],
  )
}, 180_000)
afterAll(() => uni?.close())
beforeEach(async () => {
  await q(`update name_changes set status = 'cancelled' where status = 'requested'`)
  await q(`update certificates set status = 'cancelled' where status not in ('Delivered', 'cancelled')`)
  await q(`delete from former_names`)
  await q(`update students set name = case id when $1 then 'Mona Adel' else 'Omar Adel' end, name_local = 'اسم قديم'`, [
    id.Mona,
  ])
})

const proof = async (by: Caller, more: { ext?: string; size?: number } = {}): Promise<number> =>
  (
    await q(
      `insert into files (hash, name, ext, mime, size, created_by) values (md5(random()::text) || md5(random()::text), 'proof.pdf', $2, 'application/pdf', $3, $1) returning id`,
      [by.user_id, more.ext ?? 'pdf', more.size ?? 1000],
    )
  )[0].id
const NAME = {
  given_name: 'Huda',
  father_name: 'Adel',
  family_name: 'Fouad',
  given_name_local: 'هدى',
  father_name_local: 'عادل',
  family_name_local: 'فؤاد',
  ground: 'court',
  why: 'The court has decided.',
}
const ask = async (by: Caller = mona, given: Record<string, unknown> = {}, student = 'Mona') =>
  by('POST', `/certificates/changeName/${id[student]}`, { ...NAME, proof_id: await proof(by), ...given })
const step = (action: string, change: number, by: Caller = clerk, body: object = {}) =>
  by('POST', `/name-changes/${action}/${change}`, body)
const names = async (student = 'Mona') =>
  (
    await q(
      `select s.name, s.name_local, s.given_name, s.family_name_local, u.name as account from students s join users u on u.id = s.user_id where s.id = $1`,
      [id[student]],
    )
  )[0]
const found = async (search: string) =>
  (await clerk('POST', '/students', { search })).body.data.map((row: { id: number }) => row.id)

describe('asking', () => {
  test('with the parts of the name in both languages, and the proof; pressed twice it is one', async () => {
    const file = await proof(mona)
    const both = await Promise.all([ask(mona, { proof_id: file }), ask(mona, { proof_id: file })])
    expect(both.map((answer) => answer.status).toSorted()).not.toEqual([200, 200])
    const change = ok(both.find((answer) => answer.status === 200)!).id
    expect(ok(await mona('GET', `/name-changes/${change}`))).toMatchObject({
      new_name: 'Huda Adel Fouad',
      new_name_local: 'هدى عادل فؤاد',
      old_name: 'Mona Adel',
      old_name_local: 'اسم قديم',
      status: 'requested',
      proof_id: { name: 'proof.pdf' },
    })
    expect(reasons(await ask())).toEqual(['name_change_asked_twice'])
    expect(await names()).toMatchObject({ name: 'Mona Adel' })
    ok(await step('cancel', change, mona))
    ok(await ask())
  })

  test('every reason against it stands at its field', async () => {
    expect(reasons(await ask(mona, { given_name: undefined }))).toEqual(['required@given_name'])
    expect(reasons(await ask(mona, { given_name: 'هدى' }))).toHaveLength(1)
    expect(reasons(await ask(mona, { father_name: null, grandfather_name: 'Samir' }))).toEqual([
      'name_part_needed@father_name',
    ])
    const long = 'A'.repeat(80)
    expect(reasons(await ask(mona, { given_name: long, father_name: long, family_name: long }))).toEqual([
      'too_long@family_name',
    ])
    expect(reasons(await ask(mona, { proof_id: undefined }))).toEqual(['required@proof_id'])
    expect(reasons(await ask(mona, { proof_id: await proof(omar) }))).toEqual(['reference_missing@proof_id'])
    expect(reasons(await ask(mona, { proof_id: await proof(mona, { ext: 'zip', size: 5_000_001 }) }))).toEqual([
      'name_change_proof_kind@proof_id',
      'name_change_proof_large@proof_id',
    ])
    const file = await proof(mona)
    ok(await step('cancel', ok(await ask(mona, { proof_id: file })).id, mona))
    expect(reasons(await ask(mona, { proof_id: file }))).toEqual(['name_change_proof@proof_id'])
    await q(`update students set name = 'Huda Adel Fouad', name_local = 'هدى عادل فؤاد' where id = $1`, [id.Mona])
    expect(reasons(await ask())).toEqual(['name_change_same@given_name'])
  })

  test('one asks for oneself, staff for those within their reach; the wrong person gets nothing', async () => {
    expect((await ask(omar)).status).toBe(403)
    expect((await ask(elsewhere)).status).toBe(403)
    expect((await ask(await uni.as('instructor'))).status).toBe(403)
    expect((await uni.nobody('POST', `/certificates/changeName/${id.Mona}`, NAME)).status).toBe(401)
    expect(reasons(await ask(clerk, {}, 'nobody'))).not.toEqual([])
    const change = ok(await ask()).id
    for (const who of [omar, elsewhere]) {
      expect((await who('GET', `/name-changes/${change}`)).status).toBe(404)
      expect((await who('GET', `/name-changes/${change}/papers`)).status).toBe(404)
      expect([403, 404]).toContain((await step('accept', change, who)).status)
    }
    expect((await omar('GET', `/students/${id.Mona}/former-names`)).status).toBe(404)
  })
})

describe('deciding', () => {
  test('the record and the account bear the new name; the name of before is kept, found and read', async () => {
    const change = ok(await ask()).id
    ok(await step('accept', change))
    expect(await names()).toEqual({
      name: 'Huda Adel Fouad',
      name_local: 'هدى عادل فؤاد',
      given_name: 'Huda',
      family_name_local: 'فؤاد',
      account: 'Huda Adel Fouad',
    })
    expect(ok(await clerk('GET', `/students/${id.Mona}/former-names`))).toMatchObject([
      { name: 'Mona Adel', name_local: 'اسم قديم' },
    ])
    expect(ok(await mona('GET', `/students/${id.Mona}/former-names`))).toHaveLength(1)
    expect(await found('Mona Adel')).toEqual([id.Mona])
    expect(await found('Huda')).toEqual([id.Mona])
    const trail = ok(await clerk('GET', `/students/${id.Mona}/history`))
    expect(JSON.stringify(trail)).toContain('Mona Adel')
    expect(
      await q(`select key from notifications where user_id = $1 and link like '/name-changes%'`, [mona.user_id]),
    ).toHaveLength(1)
    expect(reasons(await step('accept', change))).toEqual(['step_state'])
  })

  test('rejected with a reason; nobody decides on the own one, nor on one that he or she entered', async () => {
    const change = ok(await ask()).id
    expect(reasons(await step('reject', change))).toEqual(['reason_required@reason'])
    expect((await step('accept', change, mona)).status).toBe(403)
    ok(await step('reject', change, clerk, { reason: 'The proof is of somebody else' }))
    expect(await names()).toMatchObject({ name: 'Mona Adel' })
    const entered = ok(await ask(clerk)).id
    expect((await step('accept', entered, clerk)).status).toBe(403)
    ok(await step('accept', entered, reviewer))
  })

  test('it stands on the name that the record bore then', async () => {
    const change = ok(await ask()).id
    await q(`update students set name = 'Mona Samir' where id = $1`, [id.Mona])
    expect(reasons(await step('accept', change))).toEqual(['name_change_overtaken'])
    await q(`update students set name = 'Mona Adel' where id = $1`, [id.Mona])
    ok(await step('accept', change))
  })

  test('two who decide at the same moment change it once', async () => {
    const change = ok(await ask()).id
    const both = await Promise.all([step('accept', change), step('accept', change, reviewer)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(await q(`select count(*)::int as n from former_names where student_id = $1`, [id.Mona])).toEqual([{ n: 1 }])
  })
})

describe('papers', () => {
  let n = 0
  const typeWith = async (body: string) =>
    (
      await q(
        `insert into certificate_settings (code, name, name_local, document, body, body_local, for_students, days_normal, most_copies, electronic, by_hand, is_active)
         values ($1, 'T', 'ت', 'text', $2, $2, true, 3, 5, true, false, true) returning id`,
        [`N${++n}`, body],
      )
    )[0].id
  const certificate = async (body: string) => {
    const type = await typeWith(body)
    await q(
      `insert into certificate_setting_signers (type_id, position, position_id) select $1, 1, id from signatory_positions where code = 'DEAN'`,
      [type],
    )
    const { id: cert } = ok(
      await mona('PUT', '/certificates', {
        student_id: id.Mona,
        type_id: type,
        lang: 'en',
        copies: 1,
        speed: 'normal',
        delivery: 'electronic',
        why: 'For a bank',
      }),
    )
    for (const [action, by] of [
      ['prepare', office],
      ['send_to_review', office],
      ['review', reviewer],
    ] as const)
      ok(await by('POST', `/certificates/${action}/${cert}`, {}))
    return cert as number
  }

  test('a certificate that is being signed is outdated; a paper that was issued stays, and is named', async () => {
    const issued = await certificate('{name} studies.')
    ok(await signer('POST', `/certificates/sign/${issued}`, {}))
    ok(await office('POST', `/certificates/issue/${issued}`, {}))
    ok(await office('POST', `/certificates/deliver/${issued}`, {}))
    const signing = await certificate('{name} behaves well.')
    const change = ok(await ask()).id
    expect(ok(await mona('GET', `/name-changes/${change}/papers`))).toEqual([])
    ok(await step('accept', change))
    expect(reasons(await signer('POST', `/certificates/sign/${signing}`, {}))).toEqual(['certificate_changed'])
    const papers = ok(await mona('GET', `/name-changes/${change}/papers`))
    expect(papers).toMatchObject([{ lang: 'en', title: 'T' }])
    expect((await q(`select holder from papers where id = $1`, [papers[0].id]))[0].holder).toBe('Mona Adel')
    // What is issued from now on bears the new name, and is none of them.
    const fresh = await certificate('{name} is here.')
    ok(await signer('POST', `/certificates/sign/${fresh}`, {}))
    ok(await office('POST', `/certificates/issue/${fresh}`, {}))
    expect(ok(await mona('GET', `/name-changes/${change}/papers`)).map((one: any) => one.id)).toEqual([papers[0].id])
  })

  test('a type may state the name of before', async () => {
    const change = ok(await ask()).id
    ok(await step('accept', change))
    const cert = await certificate('{name}, formerly {former_name}, studies.')
    const ctx = asSystem(uni.services, 'test')
    const page = await contentsOf(ctx, await certificateOf(ctx.db, cert), 'en')
    const { data } = page.compose({ serial: '', qr: 'qr.svg', code: '' }, { at: new Date(0), on: '1970-01-01' })
    expect((data as { text: string }).text).toBe('Huda Adel Fouad, formerly Mona Adel, studies.')
    const admin = await uni.as('admin')
    const type = {
      code: 'FORMER',
      name: 'F',
      name_local: 'ف',
      document: 'text',
      body: '{former_name}',
      body_local: '{former_name}',
      for_students: true,
      days_normal: 1,
      most_copies: 1,
      by_hand: true,
    }
    ok(await admin('POST', '/services-settings/certificates', type))
  })
})
