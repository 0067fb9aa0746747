import { asSystem } from '#kit/server/unit/request.ts'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { ok, reasons } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATING, questionnaireWorld, type QuestionnaireWorld } from '../testing.server.ts'
import { inviteByLink, inviteLinked } from './invite.server.ts'

let w: QuestionnaireWorld
const mails: MailInput[] = []
beforeAll(async () => {
  w = await questionnaireWorld()
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- what a mail server would be given
  w.uni.services.mail.send = async (mail) => {
    mails.push(mail)
  }
}, 180_000)
afterAll(() => w?.uni.close())

let n = 0
/** A graduate, with an account where told. */
async function graduate(user_id: number | null = null): Promise<number> {
  const [{ id }] = await w.q(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, email, user_id)
     select $1, 'Graduate', 'خريج', p.faculty_id, p.id, p.bylaw_id, 4, $2, $3 from programs p order by p.id limit 1 returning id`,
    [`G${++n}`, `graduate${n}@example.edu`, user_id],
  )
  await w.q(
    `with d as (insert into student_status_decisions (student_id, from_status, to_status, decision, decided_on)
       values ($1, 'studying', 'graduated', 'No. 7', university_today()) returning id)
     update students set status = 'graduated', status_decision_id = d.id from d where students.id = $1`,
    [id],
  )
  return id
}
const progress = Object.assign(async () => undefined, { signal: new AbortController().signal })
/** Opens a questionnaire of graduates and writes to all of them. @returns the tokens, in the order of the graduates */
async function invite() {
  const { id: type, keys } = await w.type('university', [RATING], { kind: 'graduate' })
  const id = await w.open(type, { term_id: undefined })
  const system = asSystem(w.uni.services, 'test')
  const invited = await inviteLinked(system, id)
  mails.length = 0
  const rows = await w.q(`select student_id from questionnaire_invitations where questionnaire_id = $1 order by 1`, [
    id,
  ])
  for (const { student_id } of rows) await inviteByLink.run(system, { questionnaire_id: id, student_id }, progress)
  const tokens = mails.map(({ data }) => /token=(.+)$/.exec(String(data?.link))?.[1] ?? '')
  return { id, key: keys[0] ?? '', tokens, invited, system }
}
const anybody = (method: 'POST' | 'PUT', body: object) => w.uni.nobody(method, '/questionnaires/invited', body)

test('a graduate answers by the link once, without an account, and nothing of it is left when it is counted', async () => {
  for (let i = 0; i < 6; i++) await graduate()
  const { id, key, tokens, invited, system } = await invite()
  expect([invited, tokens.length]).toEqual([6, 6])
  expect(await inviteLinked(system, id)).toBe(0)
  const [token = ''] = tokens
  // The token itself is nowhere.
  expect(
    await w.q(`select length(token_hash) as bytes from questionnaire_invitations where token_hash is not null limit 1`),
  ).toEqual([{ bytes: 32 }])

  expect(reasons(await anybody('POST', { token: 'made-up' }))).toEqual(['questionnaire_link_over'])
  expect(ok(await anybody('POST', { token })).questions).toHaveLength(1)
  expect(reasons(await anybody('PUT', { token, answers: {} }))).toEqual([`answer_missing@${key}`])
  for (const one of tokens.slice(0, 5)) ok(await anybody('PUT', { token: one, answers: { [key]: 4 } }))
  expect(reasons(await anybody('PUT', { token, answers: { [key]: 1 } }))).toEqual(['questionnaire_answered'])
  expect(reasons(await anybody('POST', { token }))).toEqual(['questionnaire_answered'])
  expect(ok(await w.quality('GET', `/questionnaires/show/${id}`))).toMatchObject({ asked: 6, answered: 5 })

  await w.close(id)
  expect(reasons(await anybody('PUT', { token: tokens[5], answers: { [key]: 4 } }))).toEqual([
    'questionnaire_link_over',
  ])
  expect(ok(await w.quality('POST', `/questionnaires/stats/${id}`, {}))).toMatchObject({
    asked: 6,
    answered: 5,
    figures: [{ n: 5, counts: { 4: 5 } }],
  })
  expect(await w.q('select from questionnaire_invitations')).toEqual([])
  expect(await w.q('select from questionnaire_ballots')).toEqual([])
})

test('two windows at once, and signed in as well as by the link: one of them counts', async () => {
  const who = await w.uni.as('student', undefined, { type: 3 })
  await graduate(who.user_id)
  const { id, key, tokens } = await invite()
  const signedIn = await w.uni.signIn(who.user_id)
  const mine = await w.q(
    `select i.student_id from questionnaire_invitations i join students s on s.id = i.student_id where i.questionnaire_id = $1 and s.user_id is not null`,
    [id],
  )
  expect(mine).toHaveLength(1)
  const token = tokens.at(-1) ?? ''
  const both = await Promise.all([1, 2].map((point) => anybody('PUT', { token, answers: { [key]: point } })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [due] = ok(await signedIn('GET', '/questionnaires/user'))
  expect(due).toMatchObject({ answered: true })
  expect(reasons(await signedIn('PUT', `/questionnaires/submit/${due.id}`, { answers: { [key]: 5 } }))).toEqual([
    'questionnaire_answered',
  ])
  // Without an account first, with one since: it is the same person.
  const [other = ''] = tokens
  ok(await anybody('PUT', { token: other, answers: { [key]: 3 } }))
  const late = await w.uni.as('student', undefined, { type: 3 })
  await w.q(
    `update students set user_id = $1 where id = (select student_id from questionnaire_invitations
      where questionnaire_id = $2 and answered_on is not null order by student_id limit 1)`,
    [late.user_id, id],
  )
  const since = await w.uni.signIn(late.user_id)
  expect(ok(await since('GET', '/questionnaires/user'))).toMatchObject([{ answered: true }])
  expect(await w.q('select count(*)::int as n from questionnaire_ballots')).toEqual([{ n: 2 }])
})

test('a questionnaire to the graduates of one year asks those whose decision falls into it', async () => {
  const [{ id: year }] = await w.q(`select id from years order by id limit 1`)
  const [{ id: before }] = await w.q(
    `insert into years (code, name, name_local, start_date, end_date)
     values ('YB', 'Before', 'قبل', university_today() - 500, university_today() - 200) returning id`,
  )
  const inside = await graduate()
  const long_ago = await graduate()
  await w.q(`update student_status_decisions set decided_on = university_today() - 300 where student_id = $1`, [
    long_ago,
  ])
  const { id: type } = await w.type('university', [RATING], { kind: 'graduate' })
  const asked = async (graduation_year_id: number) => {
    const id = await w.open(type, { term_id: undefined, graduation_year_id })
    await inviteLinked(asSystem(w.uni.services, 'test'), id)
    return w.q(`select student_id from questionnaire_invitations where questionnaire_id = $1`, [id])
  }
  const now = await asked(year)
  expect(now).toContainEqual({ student_id: inside })
  expect(now).not.toContainEqual({ student_id: long_ago })
  expect(await asked(before)).toEqual([{ student_id: long_ago }])
  // Students do not graduate in a year.
  const { id: other } = await w.type('university', [RATING])
  const [{ today }] = await w.q(`select university_today()::text as today`)
  const said = { type_id: other, opens_on: today, closes_on: today, obligatory: false, postponements: 0 }
  expect(reasons(await w.quality('PUT', '/questionnaires', { ...said, graduation_year_id: year }))).toEqual([
    'questionnaire_no_graduates@graduation_year_id',
  ])
})
