import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { readSheet, writeSheet } from '#kit/server/sheets/index.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { sendEntranceMail } from './appointments/mail.server.ts'
import type { PlacedAll } from './bookings/booking.contract.ts'

let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const codes = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
/** Masters: with an exam, passed from 50, and an interview. */
const ADMISSION = 5

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
  officer = await u.as('admission_officer')
  await q('delete from entrance_bookings')
  await q('delete from entrance_appointments')
}, 540_000)
afterAll(() => u.close())
beforeEach(() => q('delete from login_attempts'))

let made = 0
interface Made {
  id: number
  code: string
  key: string
}
async function applicantAt(
  status = 'exam required',
  { admission = ADMISSION, ...more }: Record<string, unknown> = {},
): Promise<Made> {
  const { token: key } = newToken()
  const columns = { name: `Person ${++made}`, name_local: 'منى', phone: `010${String(made).padStart(8, '0')}`, ...more }
  const names = Object.keys(columns)
  const code = `X-${made}`
  const { id } = await one<{ id: number }>(
    `insert into applicants (code, admission_id, status, email, key_hash, submitted_at, ${names.join(', ')})
     values ($1, $2, $3, $4, $5, now(), ${names.map((_, i) => `$${i + 6}`).join(', ')}) returning id`,
    [code, admission, status, `exam${made}@example.com`, hashToken(key), ...Object.values(columns)],
  )
  await q(
    `insert into applicant_preferences (applicant_id, position, program_id) select $1, 0, program_id
     from admission_programs where admission_id = $2 and is_open order by id limit 1`,
    [id, admission],
  )
  return { id, code, key }
}
async function appointment(more: Record<string, unknown> = {}): Promise<{ id: number; code: string; version: number }> {
  return ok(
    await officer('PUT', '/entrance-appointments', {
      admission_id: ADMISSION,
      kind: 'exam',
      begins_at: inHours(100 + ++made),
      minutes: 60,
      place: 'Room 1',
      capacity: 5,
      ...more,
    }),
  ) as never
}
/** As if time had passed. */
const begin = (id: number) =>
  q(
    `update entrance_appointments set begins_at = now() - interval '1 hour', ends_at = now() - interval '1 hour' + minutes * interval '1 minute' where id = $1`,
    [id],
  )
const book = (who: Made, to: { id: number }, caller = officer) =>
  caller('POST', '/entrance-bookings/book', { applicant_ids: [who.id], appointment_id: to.id })
const why = (answer: Answer): string[] =>
  ok(answer).failed.flatMap((failed: { errors: { code: string }[] }) => failed.errors.map((error) => error.code))
const choose = (who: Made, to: { id: number }) =>
  u.nobody('PUT', `/admission/${who.id}/${who.key}/appointments`, { appointment_id: to.id })
const booked = async ({ id }: { id: number }) =>
  (await one<{ booked: number }>('select booked from entrance_places where appointment_id = $1', [id])).booked
const statusOf = async ({ id }: Made) =>
  (await one<{ status: string }>('select status from applicants where id = $1', [id])).status
async function mailOf(booking_id: number, what: 'new' | 'changed' | 'off'): Promise<MailInput | undefined> {
  const sent: MailInput[] = []
  const services = {
    ...u.services,
    mail: { send: async (mail: MailInput) => void sent.push(mail), verify: async () => {}, close: () => {} },
  }
  await sendEntranceMail.run(asSystem(services, 'test') as never, { booking_id, what }, (async () => {}) as never)
  return sent[0]
}
async function jobDone(id: string): Promise<PlacedAll> {
  for (let i = 0; i < 600; i++) {
    const job = ok(await officer('GET', `/jobs/${id}`)) as { state: string; result: PlacedAll }
    if (job.state === 'done') return job.result
    if (job.state === 'failed' || job.state === 'cancelled') throw new Error(`the job ${job.state}`)
    await new Promise((wait) => setTimeout(wait, 100))
  }
  throw new Error('the job took too long')
}

describe('appointments', () => {
  test('are set up with every reason against them', async () => {
    const add = (more: object) =>
      officer('PUT', '/entrance-appointments', {
        admission_id: ADMISSION,
        kind: 'exam',
        begins_at: inHours(50),
        minutes: 60,
        capacity: 5,
        ...more,
      })
    const { id: hall, capacity } = await one<{ id: number; capacity: number }>(
      `select id, capacity from locations where removed_at is null and location_type <> 'online' and capacity between 10 and 1000 order by id limit 1`,
    )
    expect(codes(await add({}))).toEqual([422, ['entrance_no_place@location_id']])
    expect(codes(await add({ begins_at: inHours(-1), place: 'Here' }))).toEqual([422, ['entrance_past@begins_at']])
    expect(codes(await add({ begins_at: '9999-12-31T23:30:00Z', place: 'Here' }))).toEqual([
      422,
      ['date_not_valid@begins_at'],
    ])
    expect(codes(await add({ admission_id: 1, place: 'Here' }))).toEqual([422, ['entrance_no_exam@kind']])
    expect(codes(await add({ admission_id: 7, kind: 'interview', place: 'Here' }))).toEqual([
      422,
      ['entrance_no_interview@kind'],
    ])
    expect(codes(await add({ location_id: hall, capacity: capacity + 1 }))).toEqual([
      422,
      ['entrance_hall_small@capacity'],
    ])
    const programs = await q<{ id: number; faculty_id: number }>(
      `select p.id, p.faculty_id from programs p where p.id not in (select program_id from admission_programs where admission_id = $1) limit 1`,
      [ADMISSION],
    )
    expect(codes(await add({ place: 'Here', program_id: programs[0]!.id, faculty_id: 900_001 }))).toEqual([
      422,
      expect.arrayContaining(['entrance_program_not_offered@program_id', 'entrance_other_faculty@program_id']),
    ])
    const first = ok(await add({ location_id: hall, capacity: capacity - 2 }))
    expect(first.code).toMatch(/^E-\d{4}-\d+$/)
    expect(codes(await add({ location_id: hall, capacity: 3 }))).toEqual([422, ['entrance_hall_shared@capacity']])
    ok(await add({ location_id: hall, capacity: 2 }))
    // At another hour the hall is free.
    ok(await add({ location_id: hall, capacity, begins_at: inHours(60) }))
  })

  test('keep their people: no fewer places, not removed, and who comes is told when it moves', async () => {
    const at = await appointment({ capacity: 3 })
    const [a, b] = [await applicantAt(), await applicantAt()]
    expect([...why(await book(a, at)), ...why(await book(b, at))]).toEqual([])
    const edit = (body: object) => officer('PUT', `/entrance-appointments/${at.id}`, body)
    expect(codes(await edit({ capacity: 1 }))).toEqual([422, ['entrance_below_booked@capacity']])
    const { faculty_id } = await one<{ faculty_id: number }>('select id as faculty_id from faculties limit 1')
    expect(codes(await edit({ faculty_id }))).toEqual([422, ['entrance_for_booked@faculty_id']])
    expect(codes(await officer('DELETE', `/entrance-appointments/${at.id}`))).toEqual([409, ['entrance_has_bookings']])
    // The database says the same to whoever writes.
    await expect(q('update entrance_appointments set capacity = 1 where id = $1', [at.id])).rejects.toThrow(
      'entrance_full',
    )
    await expect(q('update entrance_appointments set removed_at = now() where id = $1', [at.id])).rejects.toThrow(
      'entrance_full',
    )
    const before = await one<{ n: number }>(
      `select count(*)::int as n from pgboss.job where name = 'send-entrance-mail' and data -> 'payload' ->> 'what' = 'changed'`,
    )
    ok(await edit({ place: 'Room 2' }))
    ok(await edit({ capacity: 2 }))
    const after = await one<{ n: number }>(
      `select count(*)::int as n from pgboss.job where name = 'send-entrance-mail' and data -> 'payload' ->> 'what' = 'changed'`,
    )
    expect(after.n - before.n).toBe(2)
    const { id } = await one<{ id: number }>('select id from entrance_bookings where applicant_id = $1', [a.id])
    await q(`update applicants set language = 'en' where id = $1`, [a.id])
    const mail = await mailOf(id, 'changed')
    expect([mail?.key, mail?.data?.place, mail?.data?.number]).toEqual(['entrance_exam_changed', 'Room 2', a.code])
    expect(String(mail?.data?.day)).toMatch(/^\w+day/)
    // Taken back meanwhile: nothing is told but that.
    expect(await mailOf(id, 'off')).toBeUndefined()
  })

  test('of two who want the last place at once one gets it', async () => {
    const at = await appointment({ capacity: 1 })
    const [a, b] = [await applicantAt(), await applicantAt()]
    const answers = await Promise.all([choose(a, at), choose(b, at)])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(reasons(answers.find((answer) => answer.status === 409)!)).toEqual(['entrance_full'])
    expect(await booked(at)).toBe(1)
  })
})

describe('an applicant', () => {
  test('chooses among what is free, and changes it until a day before', async () => {
    const [first, second, soon] = [
      await appointment(),
      await appointment(),
      await appointment({ begins_at: inHours(23) }),
    ]
    const who = await applicantAt()
    const shown = async () =>
      (ok(await u.nobody('GET', `/admission/${who.id}/${who.key}/appointments`)) as unknown as {
        kind: string
        changeable: boolean
        appointment: { id: number } | null
        free: { id: number }[]
        why: { code: string } | null
      }[])!
    const exam = async () => (await shown()).find((asked) => asked.kind === 'exam')!
    const free = (await exam()).free.map(({ id }) => id)
    expect(free).toEqual(expect.arrayContaining([first.id, second.id]))
    expect(free).not.toContain(soon.id)
    expect(codes(await choose(who, soon))).toEqual([409, ['entrance_too_late']])
    ok(await choose(who, first))
    expect((await exam()).appointment?.id).toBe(first.id)
    expect(codes(await choose(who, first))).toEqual([409, ['entrance_there_already']])
    ok(await choose(who, second))
    expect([await booked(first), await booked(second)]).toEqual([0, 1])
    // One booking of a kind and attempt, moved; whoever writes.
    expect(await q('select from entrance_bookings where applicant_id = $1', [who.id])).toHaveLength(1)
    await expect(
      q(`insert into entrance_bookings (appointment_id, kind, applicant_id, attempt) values ($1, 'exam', $2, 1)`, [
        first.id,
        who.id,
      ]),
    ).rejects.toThrow('entrance_booked_once')
    await q(
      `update entrance_appointments set begins_at = now() + interval '23 hours', ends_at = now() + interval '24 hours' where id = $1`,
      [second.id],
    )
    expect(codes(await choose(who, first))).toEqual([409, ['entrance_change_late']])
    expect(await exam()).toMatchObject({ changeable: false, free: [], why: { code: 'entrance_change_late' } })
    // The desk still can.
    expect(why(await book(who, first))).toEqual([])
  })

  test('is refused what is not for him or her, and another key opens nothing', async () => {
    const who = await applicantAt()
    const other = await appointment({ admission_id: 7 })
    expect(codes(await choose(who, other))).toEqual([409, ['entrance_other_admission']])
    const foreign = await one<{ faculty_id: number }>(
      `select f.id as faculty_id from faculties f where f.id not in (select p.faculty_id from applicant_preferences w
       join programs p on p.id = w.program_id where w.applicant_id = $1) limit 1`,
      [who.id],
    )
    expect(codes(await choose(who, await appointment({ faculty_id: foreign.faculty_id })))).toEqual([
      409,
      ['entrance_not_for'],
    ])
    const exam = await appointment({ begins_at: inHours(80), minutes: 120 })
    const interview = await appointment({ kind: 'interview', begins_at: inHours(81) })
    ok(await choose(who, exam))
    expect(codes(await choose(who, interview))).toEqual([409, ['entrance_overlaps']])
    const early = await applicantAt('REVIEWED')
    expect(codes(await choose(early, exam))).toEqual([409, ['entrance_not_asked']])
    const stranger = { ...who, key: newToken().token }
    expect(codes(await choose(stranger, exam))).toEqual([404, ['application_unknown']])
    expect((await u.nobody('GET', `/admission/${who.id}/${stranger.key}/appointments`)).status).toBe(404)
    expect(codes(await choose(who, { id: 999_999 }))).toEqual([404, ['not_found']])
    await begin(exam.id)
    expect(codes(await choose(await applicantAt(), exam))).toEqual([409, ['entrance_begun']])
  })

  test('who is cancelled or put on hold leaves a free place; coming back, another is chosen', async () => {
    const at = await appointment({ capacity: 2 })
    const [a, b] = [await applicantAt(), await applicantAt()]
    for (const who of [a, b]) expect(why(await book(who, at))).toEqual([])
    ok(await officer('POST', `/applicants/cancel-admission/${a.id}`, { reason: 'Asked for it' }))
    expect(await booked(at)).toBe(1)
    ok(await officer('PUT', `/applicants/status/hold/${b.id}`, { reason: 'A paper is missing' }))
    expect(await booked(at)).toBe(0)
    ok(await officer('PUT', `/applicants/status/resume/${b.id}`, {}))
    ok(await choose(b, at))
    expect(await booked(at)).toBe(1)
  })
})

describe('the desk', () => {
  test('gives, moves and takes back appointments, and notes who came', async () => {
    const [at, then] = [await appointment(), await appointment()]
    const [who, absent] = [await applicantAt(), await applicantAt()]
    expect(why(await book(who, at))).toEqual([])
    expect(why(await book(absent, at))).toEqual([])
    const comers = async () =>
      ok(await officer('GET', `/entrance-appointments/comers/${at.id}`)) as unknown as {
        id: number
        applicant: { id: number; code: string }
      }[]
    const rows = await comers()
    expect(rows.map((row) => row.applicant.id)).toEqual([who.id, absent.id])
    const note = (id: number, attendance: string | null) =>
      officer('PUT', `/entrance-appointments/attendance/${at.id}`, { bookings: [{ id, attendance }] })
    expect(codes(await note(rows[0]!.id, 'came'))).toEqual([409, ['entrance_not_begun']])
    await begin(at.id)
    ok(await note(rows[0]!.id, 'came'))
    ok(await note(rows[1]!.id, 'absent'))
    expect(codes(await note(999_999, 'came'))).toEqual([409, ['entrance_not_there']])
    expect(why(await book(who, then))).toEqual(['entrance_came'])
    // Whoever did not come gets another one, and the absence stays.
    expect(why(await book(absent, then))).toEqual([])
    const ofApplicant = ok(await officer('GET', `/entrance-exams/applicant/${absent.id}`)) as {
      asked: { kind: string; appointment: { id: number }; booking_id: number }[]
      earlier: { attendance: string }[]
    }
    expect(ofApplicant.earlier.map((earlier) => earlier.attendance)).toEqual(['absent'])
    const { booking_id } = ofApplicant.asked.find((asked) => asked.kind === 'exam')!
    ok(await officer('DELETE', `/entrance-bookings/${booking_id}`))
    expect(await booked(then)).toBe(0)
    expect((await mailOf(booking_id, 'off'))?.key).toBe('entrance_exam_off')
    expect((await officer('DELETE', `/entrance-bookings/${booking_id}`)).status).toBe(404)
    expect(codes(await officer('DELETE', `/entrance-bookings/${rows[0]!.id}`))).toEqual([409, ['entrance_begun']])
    // The list for the door: on paper and as a sheet.
    const pdf = await officer('POST', `/entrance-appointments/door-list/${at.id}`, { lang: 'ar' })
    expect([pdf.status, pdf.bytes.subarray(0, 4).toString()]).toEqual([200, '%PDF'])
    const { bytes } = await officer('POST', `/entrance-appointments/door-sheet/${at.id}`, { lang: 'en' })
    const sheet = await readSheet(bytes)
    expect(JSON.stringify(sheet.sheets[0]?.rows)).toContain(who.code)
  })

  test('places all who have none, appointment by appointment, and says who could not be placed', async () => {
    const admission = 6
    await q(`update applicants set status = 'REVIEWED' where admission_id = $1 and status = 'exam required'`, [
      admission,
    ])
    const { faculty_id } = await one<{ faculty_id: number }>(
      `select p.faculty_id from admission_programs x join programs p on p.id = x.program_id where x.admission_id = $1 and x.is_open order by x.id limit 1`,
      [admission],
    )
    const { id: other } = await one<{ id: number }>('select id from faculties where id <> $1 limit 1', [faculty_id])
    const first = await appointment({ admission_id: admission, capacity: 100 })
    await appointment({ admission_id: admission, capacity: 50, faculty_id: other })
    const third = await appointment({ admission_id: admission, capacity: 120 })
    const people: Made[] = []
    for (let i = 0; i < 230; i++) people.push(await applicantAt('exam required', { admission }))
    const chosen = people[3]!
    ok(await choose(chosen, third))
    const place = () => officer('POST', '/entrance-exams/place-all', { admission_id: admission, kind: 'exam' })
    const sent = await place()
    expect(sent.status).toBe(200)
    const result = await jobDone(sent.body.job_id)
    expect(result).toMatchObject({ placed: 219, more: 0 })
    expect([...new Set(result.unplaced.map(({ why: told }) => told.code))]).toEqual(['entrance_all_full'])
    expect(result.unplaced.map(({ id }) => id)).toEqual(people.slice(-10).map(({ id }) => id))
    expect([await booked(first), await booked(third)]).toEqual([100, 120])
    const filled = await q<{ applicant_id: number }>(
      'select applicant_id from entrance_bookings where appointment_id = $1 order by applicant_id',
      [first.id],
    )
    // In the order of their numbers, without the one who chose.
    expect(filled.map((row) => row.applicant_id)).toEqual(
      people
        .filter((person) => person !== chosen)
        .slice(0, 100)
        .map(({ id }) => id),
    )
    const again = await jobDone((await place()).body.job_id)
    expect([again.placed, again.unplaced.length]).toEqual([0, 10])
    expect(codes(await officer('POST', '/entrance-exams/place-all', { admission_id: 1, kind: 'exam' }))).toEqual([
      422,
      ['entrance_no_exam@kind'],
    ])
    const { kinds } = ok(await officer('GET', `/entrance-exams/overview/${admission}`)) as {
      kinds: { kind: string; booked: number; missing: number; free: number }[]
    }
    expect(kinds.find(({ kind }) => kind === 'exam')).toMatchObject({ booked: 220, missing: 10 })
    await q('update entrance_bookings set ended_at = now() where ended_at is null and appointment_id = any($1)', [
      [first.id, third.id],
    ])
    await q(`update applicants set status = 'REVIEWED' where id = any($1)`, [people.map(({ id }) => id)])
  }, 120_000)

  test('does not place twice at once', async () => {
    const holder = await u.database.pool.connect()
    try {
      // The job that was sent first waits for what is held here, however quick the machine is.
      await holder.query('begin; lock table entrance_bookings in access exclusive mode')
      const place = () => officer('POST', '/entrance-exams/place-all', { admission_id: 7, kind: 'exam' })
      const answers = await Promise.all([place(), place()])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(answers.flatMap(reasons)).toEqual(['entrance_placing'])
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  test('the wrong person gets nothing', async () => {
    const at = await appointment()
    const who = await applicantAt()
    expect(why(await book(who, at))).toEqual([])
    const far = await u.as('admission_officer', ['faculty', 900_001])
    expect(why(await book(await applicantAt(), at, far))).toEqual(['not_found'])
    expect(ok(await far('GET', `/entrance-appointments/comers/${at.id}`))).toEqual([])
    expect((await far('GET', `/entrance-exams/applicant/${who.id}`)).status).toBe(404)
    expect((await far('PUT', `/entrance-exams/result/${who.id}`, { exam_result: '90' })).status).toBe(404)
    // What is for everybody is set up by whoever holds all of it.
    expect((await far('PUT', `/entrance-appointments/${at.id}`, { capacity: 1 })).status).toBe(404)
    expect(ok(await far('GET', `/entrance-exams/overview/${ADMISSION}`))).toMatchObject({ awaiting: 0 })
    for (const caller of [await u.as('registrar'), await u.as('student')]) {
      expect((await book(who, at, caller)).status).toBe(403)
      expect((await caller('POST', '/entrance-appointments', {})).status).toBe(403)
      expect((await caller('GET', `/entrance-appointments/comers/${at.id}`)).status).toBe(403)
      expect((await caller('POST', '/entrance-exams/place-all', { admission_id: 5, kind: 'exam' })).status).toBe(403)
      expect((await caller('PUT', `/entrance-exams/result/${who.id}`, { exam_result: '90' })).status).toBe(403)
    }
  })
})

describe('results', () => {
  const enter = (who: Made, body: object) => officer('PUT', `/entrance-exams/result/${who.id}`, body)

  test('one by one: what is missing is waited for, and the application goes on by what it came to', async () => {
    const passes = await applicantAt()
    expect(codes(await enter(passes, { exam_result: '101' }))).toEqual([422, ['entrance_result_range@exam_result']])
    expect(ok(await enter(passes, { exam_result: '40.5', interview_passed: null })).outcome).toBe('failed')
    const waits = await applicantAt()
    expect(ok(await enter(waits, { exam_result: '72.5' }))).toEqual({ outcome: 'waits', status: 'exam required' })
    // Entered again before the step it is replaced, and the log keeps both.
    expect(ok(await enter(waits, { exam_result: '75' })).outcome).toBe('waits')
    expect(ok(await enter(waits, { interview_passed: true }))).toEqual({
      outcome: 'passed',
      status: 'DISTRIBUATION_REQUIRED',
    })
    const log = await q<{ new: { exam_result?: unknown } }>(
      `select new from audit_log where table_name = 'applicants' and record_id = $1 and new ? 'exam_result' order by id`,
      [waits.id],
    )
    expect(log.map((row) => Number(row.new.exam_result)).filter(Boolean)).toEqual([72.5, 75])
    const refused = await applicantAt()
    expect(ok(await enter(refused, { interview_passed: false })).outcome).toBe('failed')
    expect(codes(await enter(waits, { exam_result: '80' }))).toEqual([409, ['entrance_result_not_due']])
    const plain = await applicantAt('exam required', { admission: 7 })
    expect(codes(await enter(plain, { interview_passed: true }))).toEqual([
      422,
      ['entrance_no_interview@interview_passed'],
    ])
    expect(codes(await enter(plain, { exam_result: '90', version: 99 }))).toEqual([409, ['changed_meanwhile']])
    expect(ok(await enter(plain, { exam_result: '90' })).outcome).toBe('passed')
  })

  test('a result is corrected with a reason, until a seat is given', async () => {
    const who = await applicantAt('exam required', { admission: 7 })
    const at = await appointment({ admission_id: 7 })
    expect(why(await book(who, at))).toEqual([])
    await begin(at.id)
    ok(await enter(who, { exam_result: '12' }))
    const attempt = async () =>
      (await one<{ exam_attempt: number }>('select exam_attempt from applicants where id = $1', [who.id])).exam_attempt
    expect([await statusOf(who), await attempt()]).toEqual(['EXAM_FAILS', 2])
    const correct = (body: object) => officer('PUT', `/applicants/status/correct-exam/${who.id}`, body)
    expect(codes(await correct({}))).toEqual([422, ['reason_required@reason']])
    ok(await correct({ reason: 'The sheet was of somebody else' }))
    expect([await statusOf(who), await attempt()]).toEqual(['exam required', 1])
    // With the result that it has, and the appointment of the attempt.
    const shown = ok(await officer('GET', `/entrance-exams/applicant/${who.id}`)) as {
      exam_result: string
      asked: { appointment: { id: number } }[]
    }
    expect([shown.exam_result, shown.asked[0]?.appointment.id]).toEqual(['12.00', at.id])
    ok(await enter(who, { exam_result: '88' }))
    expect(await statusOf(who)).toBe('DISTRIBUATION_REQUIRED')
    await q(
      `update applicants set program_id = (select program_id from applicant_preferences where applicant_id = $1 limit 1) where id = $1`,
      [who.id],
    )
    expect(codes(await correct({ reason: 'Again wrong' }))).toEqual([409, ['applicant_seat_given']])
    await q('update applicants set program_id = null where id = $1', [who.id])
    ok(await correct({ reason: 'Again wrong' }))
    expect(await attempt()).toBe(1)
  })

  const sheetOf = async (rows: readonly (readonly string[])[]) =>
    writeSheet({
      sheets: [
        {
          name: 'Results',
          direction: 'ltr',
          columns: rows[0]!.map((header, i) => ({ header, key: String(i), type: 'text' as const })),
          rows: rows.slice(1).map((row) => Object.fromEntries(row.map((text, i) => [String(i), text]))),
        },
      ],
    })
  async function upload(caller: Caller, content: Uint8Array, admission = ADMISSION): Promise<Answer> {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(content)]), 'results.xlsx')
    const encoded = new Response(form)
    const answer = await u.app.inject({
      method: 'POST',
      url: `/api/entrance-exams/import/${admission}/preview`,
      headers: {
        authorization: `Bearer ${caller.token}`,
        'content-type': encoded.headers.get('content-type')!,
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers }
  }

  test('by sheet: every wrong cell is named, and nothing is stored while one is', async () => {
    const [a, b, early] = [await applicantAt(), await applicantAt(), await applicantAt('REVIEWED')]
    const elsewhere = await applicantAt('exam required', { admission: 7 })
    const preview = ok(
      await upload(
        officer,
        await sheetOf([
          ['Number', 'Result', 'Mark', 'Out of', 'Interview passed', 'Room'],
          [a.code, '', '45', '60', 'yes', 'x'],
          [a.code, '80', '', '', '', ''],
          ['X-unknown', '80', '', '', '', ''],
          [elsewhere.code, '80', '', '', '', ''],
          [early.code, '80', '', '', '', ''],
          [b.code, '101', '', '', 'maybe', ''],
          ['', '80', '', '', '', ''],
          [b.code, '', '', '', '', ''],
        ]),
      ),
    ) as {
      import_id: string
      ignored: string[]
      counts: Record<string, number>
      errors: { row: number; code: string; column: string }[]
      lines: { row: number; changes: { field: string; new: string }[] }[]
    }
    expect(preview.ignored).toEqual(['Room'])
    expect(preview.errors.map(({ row, code }) => [row, code])).toEqual([
      [3, 'entrance_twice'],
      [4, 'entrance_unknown'],
      [5, 'entrance_of_other_admission'],
      [6, 'entrance_result_not_due'],
      [7, 'entrance_result_range'],
      [7, 'entrance_interview_wrong'],
      [8, 'entrance_number_missing'],
      [9, 'entrance_twice'],
    ])
    expect(preview.lines.find(({ row }) => row === 2)?.changes).toEqual([
      { field: 'exam_result', old: null, new: '75.00' },
      { field: 'interview_passed', old: null, new: '✓' },
    ])
    const path = (what: string) => `/entrance-exams/import/${ADMISSION}/${what}/${preview.import_id}`
    expect(codes(await officer('POST', path('save')))).toEqual([422, ['import_has_errors']])
    expect(await statusOf(a)).toBe('exam required')
    const mended = ok(
      await officer('POST', path('mend'), {
        cells: [
          { row: 7, field: 'result', text: '49.99' },
          { row: 7, field: 'interview', text: 'no' },
        ],
        out: [3, 4, 5, 6, 8, 9].map((row) => ({ row, out: true })),
        take: [],
      }),
    ) as { errors: unknown[] }
    expect(mended.errors).toEqual([])
    expect(ok(await officer('POST', path('save')))).toEqual({ stored: 2, passed: 1, failed: 1, waits: 0, refused: [] })
    expect([await statusOf(a), await statusOf(b)]).toEqual(['DISTRIBUATION_REQUIRED', 'EXAM_FAILS'])
    // What was stored stands: it is not undone as a whole.
    const { id } = await one<{ id: number }>(
      `select id from operations where kind = 'import/entrance_results' order by id desc limit 1`,
    )
    expect(codes(await officer('POST', `/operations/${id}/undo`, {}))).toEqual([409, ['entrance_results_stand']])
  })

  test('by sheet: other mistakes of cells, who comes from another part, and what changed meanwhile', async () => {
    const who = await applicantAt()
    const check = async (row: readonly string[], caller = officer) =>
      (
        ok(await upload(caller, await sheetOf([['Number', 'Result', 'Mark', 'Out of', 'Interview passed'], row]))) as {
          errors: { code: string }[]
        }
      ).errors.map(({ code }) => code)
    expect(await check([who.code, 'many', '', '', ''])).toEqual(['entrance_result_wrong'])
    expect(await check([who.code, '80', '40', '50', ''])).toEqual(['entrance_result_both'])
    expect(await check([who.code, '', '40', '', ''])).toEqual(['entrance_total_wrong'])
    expect(await check([who.code, '', '60', '50', ''])).toEqual(['entrance_mark_above'])
    expect(await check([who.code, '', 'many', '50', ''])).toEqual(['entrance_result_wrong'])
    // An admission has an exam, an interview, or both: there is no result of what it has not.
    const has = (exam: boolean, interview: boolean) =>
      q('update admissions set has_exam = $2, has_interview = $3 where id = $1', [ADMISSION, exam, interview])
    const of = await one<{ exam: boolean; interview: boolean }>(
      'select has_exam as exam, has_interview as interview from admissions where id = $1',
      [ADMISSION],
    )
    await has(false, true)
    expect(await check([who.code, '80', '', '', ''])).toContain('entrance_no_exam')
    expect(codes(await enter(who, { exam_result: '80' }))).toEqual([422, ['entrance_no_exam@exam_result']])
    await has(true, false)
    expect(await check([who.code, '', '', '', 'yes'])).toContain('entrance_no_interview')
    await has(of.exam, of.interview)
    expect(await one('select exam_result, interview_passed from applicants where id = $1', [who.id])).toEqual({
      exam_result: null,
      interview_passed: null,
    })
    expect(await check([who.code, '', '', '', ''])).toEqual(['entrance_result_missing'])
    expect(await check([who.code, '٨٠', '', '', 'نعم'])).toEqual([])
    const far = await u.as('admission_officer', ['faculty', 900_001])
    expect(await check([who.code, '80', '', '', ''], far)).toEqual(['entrance_unknown'])
    expect(
      (
        await upload(
          await u.as('registrar'),
          await sheetOf([
            ['Number', 'Result'],
            [who.code, '80'],
          ]),
        )
      ).status,
    ).toBe(403)
    expect(
      codes(
        await upload(
          officer,
          await sheetOf([
            ['Number', 'Result'],
            [who.code, '80'],
          ]),
          1,
        ),
      ),
    ).toEqual([409, ['entrance_no_exam']])
    const { import_id } = ok(
      await upload(
        officer,
        await sheetOf([
          ['Number', 'Result'],
          [who.code, '80'],
        ]),
      ),
    ) as {
      import_id: string
    }
    ok(await enter(who, { exam_result: '60' }))
    expect(codes(await officer('POST', `/entrance-exams/import/${ADMISSION}/save/${import_id}`))).toEqual([
      409,
      ['changed_meanwhile@rows.2.code'],
    ])
  })
})
