import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { sendApplicantStatus } from './flow.server.ts'
import type { ApplicantStatus } from '../words.contract.ts'

let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const codes = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  officer = await u.as('admission_officer')
})
afterAll(() => u.close())
beforeEach(() => q('delete from login_attempts'))

let made = 0
interface Made {
  id: number
  key: string
}
/** An application as it stands, with wishes for two programs of its admission. */
async function applicantIn(status: ApplicantStatus, admission = 1, more: Record<string, unknown> = {}): Promise<Made> {
  const { token: key } = newToken()
  const columns = {
    name: 'Mona Ali',
    name_local: 'منى علي',
    birth_date: `2005-01-${String((++made % 27) + 1).padStart(2, '0')}`,
    ...more,
  }
  const names = Object.keys(columns)
  const { id } = await one<{ id: number }>(
    `insert into applicants (code, admission_id, status, email, key_hash, submitted_at, ${names.join(', ')})
     values ($1, $2, $3, $4, $5, case when $3 in ('INCOMPLETE') then null else now() end, ${names.map((_, i) => `$${i + 6}`).join(', ')}) returning id`,
    [
      `T-${made}-${Date.now()}`,
      admission,
      status,
      `desk${made}@example.com`,
      hashToken(key),
      ...Object.values(columns),
    ],
  )
  await q(
    `insert into applicant_preferences (applicant_id, position, program_id) select $1, row_number() over (order by id) - 1, program_id
     from (select id, program_id from admission_programs where admission_id = $2 and is_open order by id limit 2) x`,
    [id, admission],
  )
  return { id, key }
}
const statusOf = async ({ id }: Made) =>
  (await one<{ status: string }>('select status from applicants where id = $1', [id])).status
const comment = (who: Made, text = 'The picture cannot be read.', caller = officer) =>
  caller('PUT', `/applicants/comments/${who.id}`, { tab: 'documents', text })
async function mailOf(data: { id: number; status: ApplicantStatus; reason: string | null }): Promise<MailInput> {
  const sent: MailInput[] = []
  const services = {
    ...u.services,
    mail: { send: async (mail: MailInput) => void sent.push(mail), verify: async () => {}, close: () => {} },
  }
  await sendApplicantStatus.run(asSystem(services, 'test') as never, data, (async () => {}) as never)
  return sent[0]!
}
const waitingMails = () =>
  q<{ payload: { id: number; status: string } }>(
    `select b.data -> 'payload' as payload from pgboss.job b where b.name = 'send-applicant-status' order by b.created_on`,
  )

test('an application is sent back with comments, mended by the applicant, and reviewed', async () => {
  const who = await applicantIn('SUBMITTED')
  const back = () => officer('PUT', `/applicants/status/send-back/${who.id}`, {})
  expect(codes(await back())).toEqual([409, ['applicant_no_comment']])
  const { id } = ok(await comment(who))
  ok(await officer('DELETE', `/applicants/comments/${who.id}/${id}`))
  expect(codes(await back())[1]).toEqual(['applicant_no_comment'])
  ok(await comment(who))
  // While it lies here the applicant neither reads comments nor writes.
  expect(ok(await u.nobody('GET', `/admission/${who.id}/${who.key}`))).toMatchObject({ open: false, comments: [] })
  ok(await back())
  expect(await statusOf(who)).toBe('FEEDBACK')
  const shown = ok(await u.nobody('GET', `/admission/${who.id}/${who.key}`))
  expect(shown).toMatchObject({ open: true, comments: [{ tab: 'documents', text: 'The picture cannot be read.' }] })
  // What was sent was read.
  expect(codes(await comment(who))).toEqual([409, ['applicant_writes']])
  const [{ id: sent }] = (await q('select id from applicant_comments where applicant_id = $1', [who.id])) as [
    { id: number },
  ]
  expect(codes(await officer('DELETE', `/applicants/comments/${who.id}/${sent}`))).toEqual([409, ['applicant_writes']])
  expect(await q('select from applicant_comments where id = $1', [sent])).toHaveLength(1)
  const [last] = (await waitingMails()).slice(-1)
  expect(last!.payload).toMatchObject({ id: who.id, status: 'FEEDBACK' })
  const mail = await mailOf({ id: who.id, status: 'FEEDBACK', reason: null })
  expect([mail.key, mail.data!.comments]).toEqual(['application_sent_back', '• The picture cannot be read.'])
  // Sent in again, comments are settled (the form itself is tested beside it).
  await q("update applicants set status = 'UPDATED' where id = $1", [who.id])
  await q('update applicant_comments set settled_at = now() where applicant_id = $1', [who.id])
  ok(await officer('PUT', `/applicants/status/review/${who.id}`, {}))
  expect(await statusOf(who)).toBe('REVIEWED')
  const { comments } = ok(await officer('GET', `/applicants/review/${who.id}`)) as { comments: { settled: boolean }[] }
  expect(comments.map((one_) => one_.settled)).toEqual([true])
})

test.each<[ApplicantStatus, ApplicantStatus]>([
  ['SUBMITTED', 'SUBMITTED'],
  ['UPDATED', 'UPDATED'],
  ['REVIEWED', 'REVIEWED'],
  ['FEEDBACK', 'FEEDBACK'],
])('on hold with a reason, and back to where it was: %s', async (from, back) => {
  const who = await applicantIn(from)
  expect(codes(await officer('PUT', `/applicants/status/hold/${who.id}`, {}))).toEqual([
    422,
    ['reason_required@reason'],
  ])
  ok(await officer('PUT', `/applicants/status/hold/${who.id}`, { reason: 'The certificate is being verified' }))
  expect(await statusOf(who)).toBe('REJECTED')
  expect((await mailOf({ id: who.id, status: 'REJECTED', reason: 'Verified' })).key).toBe('application_on_hold')
  ok(await officer('PUT', `/applicants/status/resume/${who.id}`, {}))
  expect(await statusOf(who)).toBe(back)
})

test('a cancelled application stays cancelled, and its address can begin another one', async () => {
  const who = await applicantIn('INCOMPLETE')
  ok(await officer('POST', `/applicants/cancel-admission/${who.id}`, { reason: 'Asked for by the applicant' }))
  expect(await statusOf(who)).toBe('CANCELLED')
  for (const action of ['review', 'hold', 'resume'])
    expect((await officer('PUT', `/applicants/status/${action}/${who.id}`, { reason: 'Again' })).status).toBe(409)
  expect(codes(await comment(who))).toEqual([409, ['applicant_late']])
  expect(codes(await u.nobody('POST', `/admission/${who.id}/${who.key}`, { values: { name: 'X' } }))).toEqual([
    409,
    ['application_sent'],
  ])
  expect((await mailOf({ id: who.id, status: 'CANCELLED', reason: 'Asked' })).key).toBe('application_cancelled')
})

test('many are led to a status at once: each by its own step, with a result for each', async () => {
  const [a, b, c, d] = [
    await applicantIn('SUBMITTED'),
    await applicantIn('UPDATED'),
    await applicantIn('INCOMPLETE'),
    await applicantIn('REVIEWED'),
  ]
  const change = (status: string, more: object = {}) =>
    officer('POST', '/applicants/bulk/change-status', { ids: [a, b, c, d].map(({ id }) => id), status, ...more })
  const reviewed = ok(await change('REVIEWED')) as {
    done: number[]
    failed: { id: number; errors: { code: string }[] }[]
  }
  expect(reviewed.done.toSorted((x, y) => x - y)).toEqual([a!.id, b!.id])
  expect(reviewed.failed.map(({ id, errors }) => [id, errors[0]!.code])).toEqual([
    [c!.id, 'applicant_no_way'],
    [d!.id, 'applicant_no_way'],
  ])
  const held = ok(await change('REJECTED', { reason: 'The list is checked' })) as { done: number[] }
  expect(held.done.toSorted((x, y) => x - y)).toEqual([a!.id, b!.id, d!.id])
  // Off hold each goes where it was.
  const resumed = ok(await change('REVIEWED')) as { done: number[] }
  expect(resumed.done.toSorted((x, y) => x - y)).toEqual([a!.id, b!.id, d!.id])
  const unknown = ok(
    await officer('POST', '/applicants/bulk/change-status', { ids: [999_999], status: 'REVIEWED' }),
  ) as {
    failed: { errors: { code: string }[] }[]
  }
  expect(unknown.failed[0]!.errors[0]!.code).toBe('not_found')
})

test('an application moves to another admission with the wishes that are offered there', async () => {
  const who = await applicantIn('SUBMITTED')
  await q(
    `update admission_programs set is_open = false where admission_id = 3 and program_id = (select program_id from applicant_preferences
    where applicant_id = $1 order by position limit 1)`,
    [who.id],
  )
  const moved = ok(await officer('PUT', `/applicants/change-type/${who.id}`, { admission_id: 3 })) as {
    type: number
    dropped: unknown[]
  }
  await q('update admission_programs set is_open = true where admission_id = 3')
  expect([moved.type, moved.dropped.length]).toEqual([3, 1])
  expect(await q('select position from applicant_preferences where applicant_id = $1', [who.id])).toEqual([
    { position: 0 },
  ])
  const change = (admission_id: number) => officer('PUT', `/applicants/change-type/${who.id}`, { admission_id })
  expect(codes(await change(3))).toEqual([422, ['not_found@admission_id']])
  const other = await applicantIn('SUBMITTED', 1)
  await q('update applicants set email = (select email from applicants where id = $1) where id = $2', [
    who.id,
    other.id,
  ])
  expect(codes(await change(1))).toEqual([409, ['applicant_there_already@admission_id']])
  await q(
    `update applicants t set status = 'APPROVED', program_id = (select w.program_id from applicant_preferences w
      where w.applicant_id = t.id order by w.position limit 1) where t.id = $1`,
    [who.id],
  )
  expect(codes(await change(1))).toEqual([409, ['applicant_late']])
})

test('whoever may be the same person is shown, with what they have in common', async () => {
  const first = await applicantIn('SUBMITTED', 1, { national_id: '30512310112345' })
  const again = await applicantIn('SUBMITTED', 3, { national_id: '30512310112345', name_local: 'منى على' })
  const { alike } = ok(await officer('GET', `/applicants/review/${again.id}`)) as {
    alike: { id: number; by: string }[]
  }
  expect(alike.map(({ id, by }) => [id, by])).toContainEqual([first.id, 'national_id'])
  const named = await applicantIn('SUBMITTED', 1, { name_local: 'سلمى أحمد', birth_date: '2004-02-03' })
  const same = await applicantIn('SUBMITTED', 1, { name_local: 'سلمي احمد', birth_date: '2004-02-03' })
  const found = ok(await officer('GET', `/applicants/review/${same.id}`)) as { alike: { id: number; by: string }[] }
  expect(found.alike.map(({ id, by }) => [id, by])).toEqual([[named.id, 'name']])
})

test('marks are taken out, lists and figures are told, and sheets go out by type', async () => {
  const who = await applicantIn('SUBMITTED', 1, { certificate_type_id: 1, certificate_total: '300' })
  ok(
    await officer('PUT', `/applicants/${who.id}`, {
      subjects: [
        { certificate_subject_id: 1, mark: '70' },
        { certificate_subject_id: 2, mark: '50' },
      ],
    }),
  )
  expect(ok(await officer('GET', `/applicants/${who.id}`)).percentage).toBe('93.75')
  // Each subject once, and wishes for what the admission offers.
  const { id: elsewhere } = await one<{ id: number }>(
    `select id from programs where id not in (select program_id from admission_programs
       where admission_id = (select admission_id from applicants where id = $1) and removed_at is null) limit 1`,
    [who.id],
  )
  const twice = { certificate_subject_id: 1, mark: '60' }
  expect(
    codes(
      await officer('PUT', `/applicants/${who.id}`, {
        subjects: [twice, twice],
        preferences: [{ program_id: elsewhere }],
      }),
    ),
  ).toEqual([
    422,
    ['application_wish_closed@preferences.0.program_id', 'certificate_subject_once@subjects.1.certificate_subject_id'],
  ])
  const { id } = await one<{ id: number }>(
    'select id from applicant_subjects where applicant_id = $1 order by id limit 1',
    [who.id],
  )
  ok(await officer('DELETE', `/applicants/subjects/${id}`))
  expect(await q('select from applicant_subjects where applicant_id = $1', [who.id])).toHaveLength(1)
  expect((await officer('DELETE', `/applicants/subjects/${id}`)).status).toBe(404)
  const lists = ok(await officer('POST', `/applicants/lookups/${who.id}`, {})) as Record<string, unknown[]>
  expect(lists.programs!.length).toBeGreaterThan(2)
  const report = ok(await officer('POST', '/applicants/report', { admission_id: 1 })) as {
    total: number
    by_status: { status: string; count: number }[]
    by_program: { first: number; all: number }[]
  }
  expect(report.total).toBe(report.by_status.reduce((sum, one_) => sum + one_.count, 0))
  expect(report.by_program.some(({ first, all }) => first > 0 && all >= first)).toBe(true)
  const sheet = await officer('POST', '/applicants/export/1', {})
  expect([sheet.status, String(sheet.headers['content-disposition'])]).toEqual([
    200,
    expect.stringContaining('applicants.xlsx'),
  ])
})

test('a program that applicants want is closed, not removed', async () => {
  const who = await applicantIn('SUBMITTED')
  const { id } = await one<{ id: number }>(
    `select x.id from admission_programs x join applicant_preferences w on w.program_id = x.program_id and w.position = 0
     where x.admission_id = 1 and w.applicant_id = $1`,
    [who.id],
  )
  expect(codes(await officer('DELETE', `/admission-programs/${id}`))).toEqual([409, ['admission_program_wished']])
})

test('nobody else reviews: a faculty leads only those who wish for it, others get nothing', async () => {
  const who = await applicantIn('SUBMITTED')
  const { faculty_id } = await one<{ faculty_id: number }>(
    'select p.faculty_id from applicant_preferences w join programs p on p.id = w.program_id where w.applicant_id = $1 limit 1',
    [who.id],
  )
  const far = await u.as('admission_officer', ['faculty', 900_001])
  const near = await u.as('admission_officer', ['faculty', faculty_id])
  const registrar = await u.as('registrar')
  for (const [caller, status] of [
    [far, 404],
    [registrar, 403],
    [await u.as('student'), 403],
  ] as const) {
    expect((await caller('PUT', `/applicants/status/review/${who.id}`, {})).status).toBe(status)
    expect((await comment(who, 'Something', caller)).status).toBe(status)
    expect((await caller('GET', `/applicants/review/${who.id}`)).status).toBe(status)
    expect((await caller('PUT', `/applicants/change-type/${who.id}`, { admission_id: 3 })).status).toBe(status)
  }
  // Not even where an application stands, nor who is alike.
  const tried = ok(await far('POST', '/applicants/bulk/change-status', { ids: [who.id], status: 'UPDATED' })) as {
    failed: { errors: { code: string }[] }[]
  }
  expect(tried.failed[0]!.errors[0]!.code).toBe('not_found')
  expect(ok(await far('POST', '/applicants/report', { admission_id: 1 })).total).toBe(0)
  ok(await near('PUT', `/applicants/status/review/${who.id}`, {}))
})

const step = (who: Made, action: string, body: object = {}) =>
  officer('PUT', `/applicants/status/${action}/${who.id}`, body)

test('an application is led to the exam and from it, once it has a result', async () => {
  const who = await applicantIn('REVIEWED', 7)
  expect(codes(await step(who, 'to-distribution'))).toEqual([409, ['applicant_exam_first']])
  expect(codes(await step(who, 'ask-exam-fee'))).toEqual([409, ['applicant_no_exam_fee']])
  ok(await step(who, 'ask-exam'))
  expect(codes(await step(who, 'pass-exam'))).toEqual([409, ['applicant_no_result']])
  await q('update applicants set exam_result = 39.99 where id = $1', [who.id])
  expect(codes(await step(who, 'pass-exam'))).toEqual([409, ['applicant_result_below']])
  ok(await step(who, 'fail-exam'))
  expect(await one('select status, exam_attempt from applicants where id = $1', [who.id])).toEqual({
    status: 'EXAM_FAILS',
    exam_attempt: 2,
  })
  // Another attempt begins without a result.
  ok(await step(who, 'ask-exam'))
  expect(await one('select exam_result from applicants where id = $1', [who.id])).toEqual({ exam_result: null })
  await q('update applicants set exam_result = 40 where id = $1', [who.id])
  expect(codes(await step(who, 'fail-exam'))).toEqual([409, ['applicant_passed']])
  ok(await step(who, 'pass-exam'))
  expect(await statusOf(who)).toBe('DISTRIBUATION_REQUIRED')
})

test('where an exam fee is asked, the exam comes after it', async () => {
  const who = await applicantIn('REVIEWED', 5, { nationality_id: 64 })
  expect(codes(await step(who, 'ask-exam'))).toEqual([409, ['applicant_exam_unpaid']])
  ok(await step(who, 'ask-exam-fee'))
  expect(codes(await step(who, 'ask-exam'))).toEqual([409, ['applicant_exam_unpaid']])
  // Without an exam, nobody is asked to one.
  const other = await applicantIn('REVIEWED')
  expect(codes(await step(other, 'ask-exam'))).toEqual([409, ['applicant_no_exam']])
  expect(codes(await step(other, 'ask-exam-fee'))).toEqual([409, ['applicant_no_exam']])
  // An interview is part of it.
  await q("update applicants set status = 'exam required', exam_result = 80 where id = $1", [who.id])
  expect(codes(await step(who, 'pass-exam'))).toEqual([409, ['applicant_no_interview']])
  await q('update applicants set interview_passed = false where id = $1', [who.id])
  expect(codes(await step(who, 'pass-exam'))).toEqual([409, ['applicant_interview_failed']])
})

const seated = (who: Made) =>
  q(
    `update applicants t set program_id = (select w.program_id from applicant_preferences w where w.applicant_id = t.id
      order by w.position limit 1) where t.id = $1`,
    [who.id],
  )
test('a seat is offered once it was given; on hold it is free again', async () => {
  const who = await applicantIn('DISTRIBUATION_REQUIRED', 1, { nationality_id: 64 })
  expect(codes(await step(who, 'offer'))).toEqual([409, ['applicant_no_program']])
  expect(codes(await step(who, 'equivalence'))).toEqual([409, ['applicant_no_transfer']])
  await seated(who)
  ok(await step(who, 'offer'))
  expect(codes(await step(who, 'approve'))).toEqual([409, ['applicant_final_unpaid']])
  const mail = await mailOf({ id: who.id, status: 'FINAL_FEES_REQUIRED', reason: null })
  expect([mail.key, mail.data!.program]).toEqual(['application_offer', expect.stringMatching(/.+/)])
  // What the seat was given for stays while it is held; the rest can be corrected.
  expect(codes(await officer('PUT', `/applicants/${who.id}`, { certificate_total: '310' }))).toEqual([
    409,
    ['applicant_seat_given@certificate_total'],
  ])
  expect(codes(await officer('PUT', `/applicants/${who.id}`, { preferences: [] }))).toEqual([
    409,
    ['applicant_seat_given@preferences'],
  ])
  ok(await officer('PUT', `/applicants/${who.id}`, { address: 'Moved' }))
  ok(await step(who, 'hold', { reason: 'Not paid in time.' }))
  expect(await one('select status, program_id from applicants where id = $1', [who.id])).toEqual({
    status: 'REJECTED',
    program_id: null,
  })
  // Who comes back waits for another seat.
  ok(await step(who, 'resume'))
  expect(await statusOf(who)).toBe('DISTRIBUATION_REQUIRED')
  // The database keeps to it as well.
  await expect(q("update applicants set status = 'APPROVED' where id = $1", [who.id])).rejects.toThrow(
    'applicant_offered',
  )
})

test('what a transfer brings is settled before its seat is offered', async () => {
  const who = await applicantIn('DISTRIBUATION_REQUIRED', 3)
  expect(codes(await step(who, 'equivalence'))).toEqual([409, ['applicant_no_program', 'applicant_not_settled']])
  await seated(who)
  expect(codes(await step(who, 'offer'))).toEqual([409, ['applicant_equivalence_first', 'applicant_not_settled']])
  // Whoever passed nothing there brings nothing.
  await q('update applicants set previous_hours = 0 where id = $1', [who.id])
  ok(await step(who, 'equivalence'))
  ok(await step(who, 'offer'))
  expect(await statusOf(who)).toBe('FINAL_FEES_REQUIRED')
})

test('hold is no way around the exam of another admission', async () => {
  const who = await applicantIn('DISTRIBUATION_REQUIRED')
  const move = () => officer('PUT', `/applicants/change-type/${who.id}`, { admission_id: 7 })
  expect(codes(await move())).toEqual([409, ['applicant_late']])
  ok(await step(who, 'hold', { reason: 'To be looked at.' }))
  expect(codes(await move())).toEqual([409, ['applicant_late']])
  const other = await applicantIn('SUBMITTED')
  ok(await step(other, 'hold', { reason: 'To be looked at.' }))
  ok(await officer('PUT', `/applicants/change-type/${other.id}`, { admission_id: 7 }))
  ok(await step(other, 'resume'))
  expect(await statusOf(other)).toBe('SUBMITTED')
})
