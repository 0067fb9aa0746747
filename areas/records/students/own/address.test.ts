import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Answer, Caller, TestUniversity } from '#tests/university.ts'
import { studentsServer } from '../students.server.ts'
import { sendAddressLink } from './address.server.ts'

let u: TestUniversity
let registrar: Caller
let mona: Caller
let id: number
/** The address of the record, and of the account. */
let mine: { record: string; account: string }
const q = async (text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows
const one = async (text: string, values: unknown[] = []): Promise<number> => (await q(text, values))[0].id
const at = { faculty: 0, program: 0, bylaw: 0 }
let codes = 0
const record = (email: string | null, user_id: number | null = null) =>
  one(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, email, user_id)
     values ($1, 'Mona', 'منى', $2, $3, $4, $5, $6) returning id`,
    [`A${++codes}`, at.faculty, at.program, at.bylaw, email, user_id],
  )

beforeAll(async () => {
  u = await testUniversity([catalogueServer, peopleServer, studentsServer])
  at.faculty = await one(`insert into faculties (code, name, name_local) values ('F', 'Science', 'علوم') returning id`)
  at.bylaw = await one(
    `insert into bylaws (faculty_id, code, name, name_local, program_type) values ($1, 'B', 'B', 'ل', 'credit_hours') returning id`,
    [at.faculty],
  )
  at.program = await one(
    `insert into programs (faculty_id, bylaw_id, code, name, name_local, program_type) values ($1, $2, 'P', 'P', 'ب', 'credit_hours') returning id`,
    [at.faculty, at.bylaw],
  )
  registrar = await u.as('registrar', undefined, { email: 'registrar@university.example' })
  await record('taken@university.example')
  ok(
    await registrar('PUT', '/instructors', {
      code: 'T1',
      name: 'Teacher',
      name_local: 'معلم',
      faculty_id: at.faculty,
      email: 'teacher@university.example',
    }),
  )
})
afterAll(() => u.close())
beforeEach(async () => {
  await q('delete from login_attempts')
  mine = { record: `record${++codes}@university.example`, account: `mona${codes}@university.example` }
  mona = await u.as(null, undefined, { type: 3, name: 'Mona', email: mine.account })
  id = await record(mine.record, mona.user_id)
  mona = await u.signIn(mona.user_id)
})

const give = (email: string | null, more: object = {}, who = mona) =>
  who('PUT', `/students/${id}/contact`, { email, ...more })
const stored = async () => (await q('select email from students where id = $1', [id]))[0].email as string | null
/** What is written to the address that waits. */
async function mailed(): Promise<MailInput | undefined> {
  const sent: MailInput[] = []
  const services = {
    ...u.services,
    mail: { send: async (mail: MailInput) => void sent.push(mail), verify: async () => {}, close: () => {} },
  }
  await sendAddressLink.run(asSystem(services, 'test'), { student_id: id }, (async () => {}) as never)
  return sent[0]
}
const tokenIn = (mail: MailInput | undefined) => new URL(String(mail!.data!.link)).searchParams.get('token')!
const open = (token: string) => u.nobody('POST', '/students/address', { token })
/** An answer without what differs for every question. */
const shape = ({ status, body }: Answer, email: string) => ({
  status,
  body: JSON.parse(JSON.stringify({ ...body.data, version: 0 }).replaceAll(email, 'ADDRESS')) as object,
})

describe('the address that a student gives as the own one', () => {
  test('is answered alike whether or not it is somebody else’s, and is not in the record yet', async () => {
    const answers = []
    for (const email of [
      'free@university.example',
      'registrar@university.example',
      'Taken@University.example',
      'teacher@university.example',
    ]) {
      const answer = await give(email)
      expect([email, answer.status, answer.body.data?.waits]).toEqual([email, 200, email.toLowerCase()])
      expect(await stored()).toBe(mine.record)
      answers.push(shape(answer, email.toLowerCase()))
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  })

  test('is the student’s once the link in the mail is opened, by whoever has the mailbox', async () => {
    ok(await give(`new${codes}@university.example`, { phone: '01001234567' }))
    // The rest of what was saved is saved.
    expect(ok(await mona('GET', `/students/Edit/${id}/contact`))).toMatchObject({
      waits: `new${codes}@university.example`,
      values: { phone: '01001234567', email: mine.record },
    })
    const mail = await mailed()
    expect([mail!.to, mail!.key]).toEqual([`new${codes}@university.example`, 'address_link'])
    ok(await open(tokenIn(mail)))
    expect(await stored()).toBe(`new${codes}@university.example`)
    expect(ok(await mona('GET', `/students/Edit/${id}/contact`)).waits).toBeNull()
    // As the student's own change.
    const [last] = await q(
      `select actor_id from audit_log where table_name = 'students' and record_id = $1 order by at desc, id desc limit 1`,
      [id],
    )
    expect(last.actor_id).toBe(mona.user_id)
    // Once.
    const again = await open(tokenIn(mail))
    expect([again.status, again.body.message]).toEqual([403, 'address_link_over'])
  })

  test('who gives it while logged in as the student stands beside in the trail', async () => {
    const staff = await u.actAs(mona.user_id, registrar)
    ok(await give(`as${codes}@university.example`, {}, staff))
    ok(await open(tokenIn(await mailed())))
    const [last] = await q(
      `select actor_id, impersonator_id from audit_log where table_name = 'students' and record_id = $1 order by at desc, id desc limit 1`,
      [id],
    )
    expect(last).toEqual({ actor_id: mona.user_id, impersonator_id: registrar.user_id })
  })

  test('whose it is already is told that it was entered, and gets no link', async () => {
    ok(await give('taken@university.example'))
    const mail = await mailed()
    expect([mail!.to, mail!.key]).toEqual(['taken@university.example', 'address_taken'])
    expect(JSON.stringify(mail)).not.toMatch(/Mona|منى|token/)
    expect(await q('select from student_addresses where token_hash is not null')).toEqual([])
  })

  test('two who confirm one address: the second is refused by the database, and keeps the old one', async () => {
    const email = `both${codes}@university.example`
    ok(await give(email))
    const mail = await mailed()
    await record(email)
    const answer = await open(tokenIn(mail))
    expect([answer.status, reasons(answer)]).toEqual([422, ['email_of_another_person@email']])
    expect(await stored()).toBe(mine.record)
  })

  test('a link opened twice at the same moment is used once; one that is replaced, old or made up is none', async () => {
    ok(await give(`one${codes}@university.example`))
    const token = tokenIn(await mailed())
    const both = await Promise.all([open(token), open(token)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 403])
    ok(await give(`two${codes}@university.example`))
    const first = tokenIn(await mailed())
    ok(await give(`three${codes}@university.example`))
    expect((await open(first)).body.message).toBe('address_link_over')
    const late = tokenIn(await mailed())
    await q(`update student_addresses set expires_at = now() - interval '1 second'`)
    expect((await open(late)).body.message).toBe('address_link_over')
    expect((await open('made up')).body.message).toBe('address_link_over')
    expect(ok(await mona('GET', `/students/Edit/${id}/contact`)).waits).toBeNull()
  })

  test('that of the own account needs no proof; the same again, and none, take back what waits', async () => {
    ok(await give(`waits${codes}@university.example`))
    expect(ok(await give(mine.account)).waits).toBeNull()
    expect(await stored()).toBe(mine.account)
    ok(await give(`waits${codes}@university.example`))
    expect(ok(await give(null)).waits).toBeNull()
    expect(await stored()).toBeNull()
    expect(await mailed()).toBeUndefined()
  })

  test('who is blocked meanwhile confirms nothing', async () => {
    ok(await give(`late${codes}@university.example`))
    const token = tokenIn(await mailed())
    await q('update users set blocked_at = now() where id = $1', [mona.user_id])
    expect((await open(token)).status).toBe(403)
  })

  test('staff write it at once, and are told whose it is', async () => {
    const email = `staff${codes}@university.example`
    expect(ok(await give(email, {}, registrar))).toMatchObject({ waits: null, values: { email } })
    const answer = await give('taken@university.example', {}, registrar)
    expect([answer.status, reasons(answer)]).toEqual([422, ['email_of_person@email']])
  })

  test('mails are few', async () => {
    const statuses = []
    for (let n = 0; n < 8; n++) statuses.push((await give(`many${n}-${codes}@university.example`)).status)
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    expect(statuses.at(-1)).toBe(429)
  })
})
