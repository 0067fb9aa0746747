import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { studentsServer } from '../students.server.ts'
import { sendShareLink } from './links.server.ts'
import { MOST_SHARE_DAYS, judgeShare } from './share.rules.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let u: TestUniversity
let registrar: Caller
let elsewhere: Caller
let mona: Caller
let omar: Caller
const id: Record<string, number> = {}
const q = async (text: string, values: unknown[] = []) => (await u.database.pool.query(text, values)).rows
const one = async (text: string, values: unknown[] = []): Promise<number> => (await q(text, values))[0].id

beforeAll(async () => {
  u = await testUniversity([catalogueServer, peopleServer, studentsServer, accessAndPeopleServer])
  for (const code of ['ENG', 'MED'])
    id[code] = await one(`insert into faculties (code, name, name_local) values ($1, $1, 'كلية') returning id`, [code])
  id.bylaw = await one(
    `insert into bylaws (faculty_id, code, name, name_local, program_type, grades_visibility)
     values ($1, 'B', 'B', 'ل', 'credit_hours', '{"marks":"Approved","letter":"Published","points":"Published","gpa":"Frozen"}') returning id`,
    [id.ENG],
  )
  id.program = await one(
    `insert into programs (faculty_id, bylaw_id, code, name, name_local, program_type) values ($1, $2, 'P', 'P', 'ب', 'credit_hours') returning id`,
    [id.ENG, id.bylaw],
  )
  const year = await one(
    `insert into years (code, name, name_local, start_date, end_date) values ('Y', 'Y', 'ع', '2025-09-01', '2026-08-31') returning id`,
  )
  const term = await one(
    `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
     values ($1, 'F', 'F', 'ف', 'fall', '2025-09-20', '2026-01-20') returning id`,
    [year],
  )
  await q(`insert into current_terms (key, term_id) values ('current_term', $1)`, [term])
  for (const name of ['mona', 'omar'])
    id[name] = await one(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, email)
       values ($1, $1, 'منى', $2, $3, $4, $1 || '@university.example') returning id`,
      [name, id.ENG, id.program, id.bylaw],
    )
  for (const [code, control, letter] of [
    ['OUT', 'Published', 'A'],
    ['KEPT', 'Draft', 'F'],
  ]) {
    const course = await one(
      `insert into courses (faculty_id, code, name, name_local, credit_hours) values ($1, $2, $2, 'م', 3) returning id`,
      [id.ENG, code],
    )
    const offering = await one(
      `insert into offerings (term_id, course_id, faculty_id, code, control_status) values ($1, $2, $3, $4, $5) returning id`,
      [term, course, id.ENG, code, control],
    )
    await q(
      `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed)
       values ($1, $2, $3, $4, $5, 3, 90, $6, 4, true)`,
      [id.mona, offering, term, course, String(flag.Registered | flag.Fresh), letter],
    )
  }
  registrar = await u.as('registrar')
  elsewhere = await u.as('faculty_registrar', ['faculty', id.MED!])
  const student = async (name: string): Promise<Caller> => {
    const caller = await u.as(null, undefined, { type: 3, name, email: `${name}.account@university.example` })
    await q('update students set user_id = $1 where id = $2', [caller.user_id, id[name]])
    return u.signIn(caller.user_id)
  }
  mona = await student('mona')
  omar = await student('omar')
})
afterAll(() => u.close())
beforeEach(async () => {
  await q('delete from record_shares')
  await q('delete from login_attempts')
  await q(`update students set blocked_at = null`)
  await q(`select decide_status(array(select id from students), 'studying', 'Decision 2', university_today())`)
})

const MOTHER = 'mother@mail.example'
const inDays = (days: number): string => addDays(dayOf(), days)
const asked = (more: object = {}) => ({
  name: 'My mother',
  email: MOTHER,
  language: 'ar',
  parts: ['timetable', 'grades'],
  last_day: inDays(30),
  ...more,
})
const give = (who: Caller, more: object = {}) => who('POST', '/students/shares', asked(more))

/** What the job sends: to whom, and the token in the link. */
async function mailed(about: { email: string; share?: number }): Promise<{ mail: MailInput; token: string } | null> {
  const sent: MailInput[] = []
  const services = {
    ...u.services,
    mail: { send: async (mail: MailInput) => void sent.push(mail), verify: async () => {}, close: () => {} },
  }
  await sendShareLink.run(asSystem(services, 'test'), about, (async () => {}) as never)
  const [mail] = sent
  return mail ? { mail, token: new URL(String(mail.data!.link)).searchParams.get('token')! } : null
}
const tokenFor = async (email = MOTHER) => (await mailed({ email }))!.token

interface Seen {
  status: number
  body: any
}
/** A browser without any session of the university. */
async function guest(method: 'GET' | 'POST', url: string, jar: Record<string, string>, body?: object): Promise<Seen> {
  const cookie = Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const answer = await u.app.inject({ method, url: `/api${url}`, headers: { cookie }, ...(body && { payload: body }) })
  for (const { name, value } of answer.cookies) jar[name] = value
  return { status: answer.statusCode, body: answer.json() }
}
/** Somebody who has opened a link. */
async function visitor(): Promise<Record<string, string>> {
  const jar = {}
  expect((await guest('POST', '/shared/open', jar, { token: await tokenFor() })).status).toBe(200)
  return jar
}
const code = (answer: Seen) => [answer.status, answer.body.message]

describe('what a student lets somebody see', () => {
  test('is opened by a link in the mail, shows the chosen parts as the student sees them, and nothing else', async () => {
    const share = ok(await give(mona))
    expect(share).toMatchObject({ state: 'open', parts: ['timetable', 'grades'], email: MOTHER })
    const { mail, token } = (await mailed({ email: MOTHER, share: share.id }))!
    expect([mail.to, mail.lang, mail.key, mail.data!.student]).toEqual([MOTHER, 'ar', 'share_given', 'منى'])
    const jar: Record<string, string> = {}
    expect((await guest('POST', '/shared/open', jar, { token })).status).toBe(200)
    const list = await guest('GET', '/shared', jar)
    expect(list.body.data).toEqual([{ id: share.id, name: 'mona', name_local: 'منى', last_day: share.last_day }])
    const { data } = (await guest('GET', `/shared/${share.id}`, jar)).body
    expect(data.registration).toBeNull()
    expect(data.timetable.courses).toHaveLength(2)
    // Marks and letters as far as they are out.
    const courses = data.grades.terms[0].courses.map((row: any) => [row.course.code, row.letter, row.total])
    expect(courses).toEqual([
      ['OUT', 'A', '90.00'],
      ['KEPT', null, null],
    ])
    expect(JSON.stringify(data)).not.toContain('university.example')
    // The very same is what the student is shown.
    expect(ok(await mona('GET', `/students/shares/${share.id}`))).toEqual(data)
    // It is no session: nothing else opens, to look or to change.
    for (const [method, url] of [
      ['GET', '/users/profile'],
      ['GET', '/students/courses'],
      ['GET', '/students/shares'],
      ['POST', '/students/shares'],
      ['GET', `/students/${id.mona}/shares`],
    ] as const)
      expect((await guest(method, url, jar, method === 'POST' ? asked() : undefined)).status).toBe(401)
    const bearer = { authorization: `Bearer ${jar.shared}` }
    const profile = await u.app.inject({ method: 'GET', url: '/api/users/profile', headers: bearer })
    expect(profile.statusCode).toBe(401)
    await guest('POST', '/shared/leave', jar)
    expect(code(await guest('GET', '/shared', jar))).toEqual([403, 'share_closed'])
  })

  test('attendance is shown to who was let see it, and to nobody else', async () => {
    const [row] = await q(
      `with m as (insert into meeting_occurrences (offering_id, date, cancelled_at, cancelled_reason)
         select o.id, d::date, case when d::date = '2025-10-08' then now() end, case when d::date = '2025-10-08' then 'Illness' end
         from offerings o, generate_series('2025-10-01'::date, '2025-10-08', '7 days') d where o.code = 'OUT' returning id, date, offering_id)
       select array_agg(id order by date) as ids, min(offering_id) as offering from m`,
    )
    const record = (occurrence: number, state: string) =>
      q('insert into attendance (occurrence_id, student_id, state) values ($1, $2, $3)', [occurrence, id.mona, state])
    await record(row.ids[0], 'absent')
    // It was recorded, and the meeting was cancelled afterwards.
    await q('update meeting_occurrences set cancelled_at = null, cancelled_reason = null where id = $1', [row.ids[1]])
    await record(row.ids[1], 'absent')
    await q(`update meeting_occurrences set cancelled_at = now(), cancelled_reason = 'Illness' where id = $1`, [
      row.ids[1],
    ])
    const first = ok(await give(mona))
    const jar = await visitor()
    const closed = (await guest('GET', `/shared/${first.id}`, jar)).body.data
    expect([closed.attendance, closed.parts]).toEqual([null, ['timetable', 'grades']])
    await q('delete from record_shares')
    const share = ok(await give(mona, { parts: ['attendance'] }))
    const { data } = (await guest('GET', `/shared/${share.id}`, await visitor())).body
    expect(data.attendance.courses.map((one: any) => [one.course.code, one.absent, one.present])).toEqual([
      ['KEPT', 0, 0],
      ['OUT', 1, 0],
    ])
    expect([data.timetable, data.registration, data.grades]).toEqual([null, null, null])
    // An absence within an accepted excuse is excused there as well.
    await q(
      `insert into excuses (student_id, kind, term_id, from_date, to_date, why, status)
       select $1, 'absence', term_id, '2025-09-30', '2025-10-02', 'Ill', 'accepted' from current_terms where key = 'current_term'`,
      [id.mona],
    )
    expect(ok(await mona('GET', `/students/shares/${share.id}`)).attendance.courses[1]).toMatchObject({
      absent: 0,
      excused: 1,
    })
  })

  test('each look is told to the student', async () => {
    const share = ok(await give(mona))
    const jar = await visitor()
    // Also in the browser in which the student is signed in: it is not the student who looks.
    await guest('GET', `/shared/${share.id}`, { ...jar, session: mona.token })
    const looks = () =>
      q(`select actor_id, data from security_log where kind = 'read' and data ->> 'share' = $1`, [String(share.id)])
    await expect
      .poll(looks, { timeout: 5000 })
      .toEqual([{ actor_id: null, data: { share: share.id, guest: 'My mother' } }])
    const told = ok(await mona('POST', '/users/lookers', {}))
    expect(told[0]).toMatchObject({ kind: 'read', guest: 'My mother', who: null })
    const kept = await q(`select data ->> 'change' as change from security_log where kind = 'share' order by id`)
    expect(kept.map((line) => line.change)).toEqual(expect.arrayContaining(['given', 'opened']))
  })

  test('a link works once, in one process, for a while; without one nothing is seen', async () => {
    ok(await give(mona))
    const token = await tokenFor()
    const both = await Promise.all([
      guest('POST', '/shared/open', {}, { token }),
      guest('POST', '/shared/open', {}, { token }),
    ])
    expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect(code(both.find((answer) => answer.status === 403)!)).toEqual([403, 'share_link_over'])
    const late = await tokenFor()
    await q(`update share_links set expires_at = now() - interval '1 second'`)
    expect(code(await guest('POST', '/shared/open', {}, { token: late }))).toEqual([403, 'share_link_over'])
    expect(code(await guest('GET', '/shared', {}))).toEqual([403, 'share_closed'])
    expect(code(await guest('GET', '/shared', { shared: 'x'.repeat(43) }))).toEqual([403, 'share_closed'])
    const jar = await visitor()
    await q(`update share_visits set expires_at = now() - interval '1 second'`)
    expect(code(await guest('GET', '/shared', jar))).toEqual([403, 'share_closed'])
    const kept = JSON.stringify(await q('select * from share_links'))
    expect(kept).not.toContain(token)
  })

  test('a fresh link comes to an address with which something is shared; the answer tells nobody which', async () => {
    ok(await give(mona))
    const ask = (email: string) => guest('POST', '/shared/link', {}, { email })
    const [known, unknown] = [await ask(MOTHER.toUpperCase()), await ask('nobody@mail.example')]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    expect(await mailed({ email: 'nobody@mail.example' })).toBeNull()
    expect((await mailed({ email: MOTHER }))?.mail.key).toBe('share_link')
    for (let i = 0; i < 5; i++) await ask(MOTHER)
    expect((await ask(MOTHER)).status).toBe(429)
  })

  test('somebody sees what is shared with the own address only', async () => {
    const hers = ok(await give(mona))
    const his = ok(await give(omar, { email: 'father@mail.example' }))
    const jar = await visitor()
    expect((await guest('GET', `/shared/${his.id}`, jar)).status).toBe(404)
    expect((await guest('GET', `/shared/${hers.id}`, jar)).status).toBe(200)
    // Two students of one mother: one link opens both.
    const both = ok(await give(omar))
    expect((await guest('GET', '/shared', jar)).body.data.map((one: any) => one.id)).toEqual([hers.id, both.id])
    expect((await omar('GET', `/students/shares/${hers.id}`)).status).toBe(404)
    expect((await omar('DELETE', `/students/shares/${hers.id}`)).status).toBe(404)
  })
})

describe('it ends', () => {
  const state = async () => ok(await mona('GET', '/students/shares'))[0].state
  test.each<[string, (share: number) => Promise<unknown>]>([
    ['student', (share) => mona('DELETE', `/students/shares/${share}`)],
    ['over', () => q(`update record_shares set last_day = (now() at time zone university_zone())::date - 1`)],
    ['blocked', () => q('update students set blocked_at = now() where id = $1', [id.mona])],
    ['left', () => q(`select decide_status(array[$1::int], 'withdrawn', 'Decision 1', university_today())`, [id.mona])],
    ['blocked', () => q('update users set blocked_at = now() where id = $1', [mona.user_id])],
    ['staff', () => registrar('POST', `/students/${id.mona}/shares/end`, { reason: 'asked in person' })],
  ])('%s: at once, for the page that is open and for every link', async (expected, end) => {
    const share = ok(await give(mona))
    const [jar, token] = [await visitor(), await tokenFor()]
    expect((await guest('GET', `/shared/${share.id}`, jar)).status).toBe(200)
    await end(share.id)
    expect((await guest('GET', `/shared/${share.id}`, jar)).status).toBe(404)
    expect((await guest('GET', '/shared', jar)).body.data).toEqual([])
    expect(code(await guest('POST', '/shared/open', {}, { token }))).toEqual([403, 'share_link_over'])
    expect(await mailed({ email: MOTHER })).toBeNull()
    await q('update users set blocked_at = null where id = $1', [mona.user_id])
    u.auth.forget()
    expect(await state()).toBe(expected)
  })

  test('staff end it within their part, with a reason that is told', async () => {
    ok(await give(mona))
    expect((await elsewhere('GET', `/students/${id.mona}/shares`)).status).toBe(404)
    expect((await elsewhere('POST', `/students/${id.mona}/shares/end`, { reason: 'x' })).status).toBe(404)
    expect((await omar('GET', `/students/${id.mona}/shares`)).status).toBe(403)
    expect(ok(await registrar('GET', `/students/${id.mona}/shares`))).toHaveLength(1)
    expect((await registrar('POST', `/students/${id.mona}/shares/end`, { reason: 'court order' })).body.ended).toBe(1)
    const [told] = await q(`select data from notifications where key = 'students.notice_share_ended' order by id desc`)
    expect(told.data).toEqual({ reason: 'court order' })
    expect(
      reasons(await mona('DELETE', `/students/shares/${ok(await mona('GET', '/students/shares'))[0].id}`)),
    ).toEqual(['share_over'])
  })
})

describe('nobody but the student gives it', () => {
  test('not who is logged in as the student, not staff, and not without a fresh proof', async () => {
    const { token } = await createSession(u.database.pool, {
      user_id: mona.user_id,
      ip: null,
      impersonator: {
        user_id: registrar.user_id,
        session_id: (await q('select id from sessions where user_id = $1', [registrar.user_id]))[0].id,
        read_only: false,
      },
    })
    await q('update sessions set confirmed_at = now()')
    const other = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
      u.app.inject({
        method,
        url: `/api${url}`,
        headers: { authorization: `Bearer ${token}` },
        ...(payload && { payload }),
      })
    const refused = await other('POST', '/students/shares', asked())
    expect([refused.statusCode, refused.json().message]).toEqual([403, 'not_allowed'])
    const share = ok(await give(mona))
    expect((await other('DELETE', `/students/shares/${share.id}`)).statusCode).toBe(403)
    expect((await give(registrar)).status).toBe(403)
    await q(`update sessions set confirmed_at = now() - interval '1 hour'`)
    expect((await give(omar)).status).toBe(403)
    await q('update sessions set confirmed_at = now()')
  })

  test('every reason why not is told; of two at the same moment one is given', async () => {
    const all = await give(mona, { email: 'MONA@university.example', last_day: inDays(-2) })
    expect([all.status, reasons(all)]).toEqual([422, ['share_day_past@last_day', 'share_own_address@email']])
    expect(reasons(await give(mona, { last_day: inDays(MOST_SHARE_DAYS + 2) }))).toEqual(['share_day_far@last_day'])
    expect((await give(mona, { parts: [] })).status).toBe(422)
    expect((await give(mona, { parts: ['notes'] })).status).toBe(422)
    const both = await Promise.all([give(mona), give(mona)])
    expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 422])
    expect(reasons(both.find((answer) => answer.status === 422)!)).toEqual(['share_twice@email'])
    // One that has run out does not stand in the way.
    await q(`update record_shares set last_day = last_day - 100`)
    expect((await give(mona)).status).toBe(200)
    const free = { email: 'x@y.example', last_day: '2026-01-02', today: '2026-01-02', own: [], twice: false }
    expect(judgeShare({ ...free, studying: true, open: 9 })).toEqual([])
    expect(judgeShare({ ...free, studying: false, open: 10 }).map((reason) => reason.code)).toEqual([
      'share_not_studying',
      'shares_most',
    ])
  })
})
