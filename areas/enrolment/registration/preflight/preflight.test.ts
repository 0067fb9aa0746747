import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { offeringsServer } from '#areas/study/offerings/offerings.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { checkRequest } from '../registration.rules.ts'
import type { RequestInput } from '../registration-input.rules.ts'
import { registrationServer } from '../registration.server.ts'
import { tellBlocked } from './notices.server.ts'
import { OPEN_REQUESTS, judgedAt, preflight, windowOf } from './preflight.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
beforeAll(async () => {
  u = await testUniversity([catalogueServer, offeringsServer, registrationServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
})
afterAll(() => u.close())
beforeEach(() => w.windows('register'))

type Student = Awaited<ReturnType<RegistrationWorld['student']>>
const own = async (student: Student) => ok(await student.as('GET', '/registrations/students/preflight'))
const blocks = (answer: { lines: { code: string; blocks: boolean }[] }) =>
  answer.lines.filter((line) => line.blocks).map((line) => line.code)
const request = (student: Student, offering: { id: number; lectures: number[] }) =>
  student.as('PUT', '/registrations/students/request-offering', {
    offerings: [{ offering_id: offering.id, offering_slot_ids: offering.lectures.slice(0, 1) }],
  })
const decided = (status: string) => (student: Student) =>
  w.query(`select decide_status(array[$1::int], $2, 'Council 1/2026', '2026-01-15')`, [student.id, status])
const hold = (kind: string) => (student: Student) =>
  w.query(`insert into student_holds (student_id, kind, note, since) values ($1, $2, 'N1', '2026-01-05')`, [
    student.id,
    kind,
  ])
/** Asks a document from a student: what lacks holds. */
const askDocument = async (student: Student) => {
  const [kind] = await w.query<{ id: number }>(
    `insert into document_kinds (code, name, name_local) values ('N' || (select count(*) from document_kinds), 'N1', 'N1') returning id`,
  )
  await w.query('insert into student_documents (student_id, kind_id, asked) values ($1, $2, true)', [
    student.id,
    kind!.id,
  ])
  await w.query(`update student_holds set since = '2026-01-05' where student_id = $1 and document_kind_id = $2`, [
    student.id,
    kind!.id,
  ])
}
const set = (columns: string) => (student: Student) =>
  w.query(`update students set ${columns} where id = $1`, [student.id])

describe('what the preflight says', () => {
  test.each<[string, (student: Student) => Promise<unknown>, string[]]>([
    ['nothing stands against it', async () => {}, []],
    ['an invoice', hold('unpaid_invoice'), ['hold_payment']],
    ['a questionnaire', hold('obligatory_survey'), ['hold_survey']],
    ['a block', hold('blocked'), ['hold_blocked']],
    ['a block of the record', set('blocked_at = now()'), ['hold_blocked']],
    ['documents', askDocument, ['hold_documents']],
    ['suspended', decided('suspended'), ['not_studying']],
    ['dismissed', decided('dismissed'), ['not_studying']],
    ['no window', () => w.windows(), ['stage_closed']],
    ['only adding is open', () => w.windows('add_drop'), []],
    [
      'a hold that was lifted',
      async (one) => {
        await hold('blocked')(one)
        await w.query('update student_holds set lifted_at = now() where student_id = $1', [one.id])
      },
      [],
    ],
    [
      'several at once',
      async (one) => {
        await hold('unpaid_invoice')(one)
        await askDocument(one)
      },
      ['hold_payment', 'hold_documents'],
    ],
  ])('is what a request is refused for: %s', async (_name, bring, expected) => {
    const student = await w.student()
    await bring(student)
    const answer = await own(student)
    expect(blocks(answer)).toEqual(expected)
    expect(answer.blocked).toBe(expected.length > 0)
    const offering = await w.offer('HU101')
    const way = answer.window?.code === 'add_drop' ? { action: 'add' } : {}
    const asked = await student.as(
      'PUT',
      `/registrations/students/${'action' in way ? 'addDrop' : 'request'}-offering`,
      {
        ...way,
        offerings: [{ offering_id: offering.id, offering_slot_ids: offering.lectures }],
      },
    )
    if (expected.length) expect(reasons(asked)).toEqual(expected.toSorted())
    else ok(asked)
  })

  test('a load that is used up blocks, and says how much of it', async () => {
    const student = await w.student()
    for (const [i, course] of ['MA101', 'CS101', 'PH101', 'EN101'].entries())
      ok(await request(student, await w.offer(course, { day: i, period: 1 })))
    const answer = await own(student)
    expect(answer.lines[0]).toMatchObject({ code: 'preflight_full', blocks: true, data: { hours: '12', courses: 4 } })
    expect(reasons(await request(student, await w.offer('HU101', { day: 5, period: 2 })))).toEqual([
      'credit_hours_limit',
    ])
  })

  test('is said for the day on which the window opens, with since when and who settles it', async () => {
    await w.windows()
    await w.query(
      `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
       select $1, id, now() + interval '5 days', now() + interval '9 days' from stage_codes where code = 'register'`,
      [w.term],
    )
    const [free, held] = [await w.student(), await w.student()]
    await hold('unpaid_invoice')(held)
    expect(await own(free)).toMatchObject({ blocked: false, window: { code: 'register', open: false } })
    const answer = await own(held)
    expect(answer.lines[0]).toMatchObject({ code: 'hold_payment', since: '2026-01-05', office: 'finance' })
    expect(answer.lines[0].data.step).toMatchObject({ link: 'payments', code: 'hold_payment_step' })
    // Nobody waits for somebody else's answer.
    expect((await free.as('GET', `/registrations/students/preflight/${held.id}`)).status).toBe(403)
  })

  test('what is worth knowing: no advisor, a test, a transfer, a course asked to be left', async () => {
    const student = await w.student()
    await w.query(
      `with x as (insert into placement_tests (code, name, name_local, is_required) values ('PT1', 'English', 'إنجليزي', true) returning id)
       insert into placement_results (code, placement_test_id, student_id) select 'R1', id, $1 from x`,
      [student.id],
    )
    await w.query(
      `insert into transfers_out (student_id, term_id, destination, why) values ($1, $2, 'Elsewhere', 'Family')`,
      [student.id, w.term],
    )
    const [made] = ok(await request(student, await w.offer('MA101')))
    await w.query('update registrations set status = 4194320 where id = $1', [made.id])
    const answer = await own(student)
    expect(answer.blocked).toBe(false)
    expect(answer.lines.map((line: { code: string }) => line.code)).toEqual([
      'preflight_placement',
      'preflight_withdrawal',
      'preflight_transfer_out',
      'preflight_no_advisor',
    ])
  })

  test('next courses of the plan: by the rules of a request, and what is being taken for them', async () => {
    const student = await w.student({ passed: ['MA101'] })
    const before = await own(student)
    const of = (answer: typeof before, code: string) =>
      answer.courses.find((one: { course: { code: string } }) => one.course.code === code)
    expect(of(before, 'MA101')).toBeUndefined()
    expect(of(before, 'CS101')).toMatchObject({ reasons: [] })
    expect(of(before, 'CS201')).toMatchObject({ reasons: [{ code: 'prerequisites' }], in_progress: [] })
    ok(await request(student, await w.offer('CS101', { day: 1, period: 2 })))
    expect(of(await own(student), 'CS201')).toMatchObject({ in_progress: ['CS101'] })
  })
})

describe('for staff', () => {
  test('the registrar sees how many are blocked by what; an advisor the own students; nobody of another faculty', async () => {
    const advisor = await w.advisor()
    const mine = await w.student({ advisor: advisor.id })
    const other = await w.student({ faculty: 'other' })
    await askDocument(mine)
    await askDocument(other)
    const scoped = await u.as('registrar', ['faculty', w.faculty])
    const list = (who: Caller, filters: object = {}) =>
      who('POST', '/registrations/preflight', { perPage: 200, filters: { code: ['hold_documents'], ...filters } })
    const all = await list(registrar)
    expect(ok(all).map((row: { id: number }) => row.id)).toEqual(expect.arrayContaining([mine.id, other.id]))
    const { details } = all.body.meta as unknown as {
      details: { students: number; blocked: number; by: { code: string; count: number }[] }
    }
    expect(details.by.find((one) => one.code === 'hold_documents')?.count).toBe(ok(all).length)
    expect(details.blocked).toBeLessThan(details.students)
    const seen = ok(await list(scoped)).map((row: { id: number }) => row.id)
    expect([seen.includes(mine.id), seen.includes(other.id)]).toEqual([true, false])
    const advised = await list(advisor.as, { blocked: true })
    expect(ok(advised)).toMatchObject([{ id: mine.id, codes: ['hold_documents'], blocked: true, since: '2026-01-05' }])
    expect((advised.body.meta as unknown as { details: unknown }).details).toMatchObject({ students: 1, blocked: 1 })
    expect(ok(await list(advisor.as, { blocked: false }))).toEqual([])
    expect((await advisor.as('GET', `/registrations/students/preflight/${other.id}`)).status).toBe(404)
    expect(ok(await advisor.as('GET', `/registrations/students/preflight/${mine.id}`))).toMatchObject({ blocked: true })
    expect((await list(registrar, { nonsense: 1 })).status).toBe(422)
    for (const [name, value] of [
      ['level', 'second'],
      ['code', [7]],
      ['blocked', 'yes'],
    ] as const) {
      const wrong = await list(registrar, { [name]: value })
      expect([wrong.status, reasons(wrong)]).toEqual([422, [`wrong_type@filters.${name}`]])
    }
    const ordered = await registrar('POST', '/registrations/preflight', { order_by: 'gpa' })
    expect([ordered.status, reasons(ordered)]).toEqual([422, ['sort_not_allowed@order_by']])
    expect((await registrar('POST', '/registrations/preflight/export', { filters: { blocked: true } })).status).toBe(
      200,
    )
  })

  test('whoever is blocked is told once, days before the window opens', async () => {
    await w.windows()
    await w.query(
      `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
       select $1, id, now() + interval '6 days', now() + interval '9 days' from stage_codes where code = 'register'`,
      [w.term],
    )
    const [free, held] = [await w.student(), await w.student()]
    await hold('blocked')(held)
    const told = () =>
      w.query<{ user_id: number }>(
        `select user_id from notifications where key = 'registration.notice_preflight' and user_id = any ($1)`,
        [[free.user_id, held.user_id]],
      )
    const system = asSystem(u.services, 'test')
    await w.query(
      `insert into settings (key, value, grouping, public) values ('registration_notice_days', '"3"', 'operation', false)`,
    )
    expect(await tellBlocked(system)).toBe(0)
    await w.query(`update settings set value = '"7"' where key = 'registration_notice_days'`)
    const [one, two] = await Promise.all([tellBlocked(system), tellBlocked(asSystem(u.services, 'test'))])
    expect(one + two).toBeGreaterThan(0)
    expect(await tellBlocked(system)).toBe(0)
    expect(await told()).toEqual([{ user_id: held.user_id }])
  })
})

describe('the rule', () => {
  const at = (days: number) => new Date(Date.parse('2026-02-01T08:00:00Z') + days * 86_400_000).toISOString()
  test('the next window is one that is open, registration before adding', () => {
    const stages = [
      { code: 'add_drop' as const, from: at(-1), to: at(5) },
      { code: 'register' as const, from: at(2), to: at(4) },
      { code: 'withdraw' as const, from: at(-9), to: at(9) },
    ]
    expect(windowOf(stages, at(0))).toMatchObject({ code: 'add_drop', open: true })
    expect(windowOf(stages, at(3))).toMatchObject({ code: 'register', open: true })
    expect(windowOf(stages, at(-3))).toMatchObject({ code: 'add_drop', open: false })
    expect(windowOf(stages, at(6))).toBeNull()
    expect(judgedAt(stages, at(-3))).toEqual({ at: at(-1), action: 'add' })
  })

  test('blocked means that every request is refused, and free that a plain one is not', () => {
    const course = {
      id: 1,
      code: 'X1',
      credit_hours: 300,
      prerequisites: null,
      corequisite_ids: [],
      min_passed_hours: null,
      min_level: null,
      equal_ids: [],
      failed_attempts: 0,
    }
    const beside = { advised: true, placements: [], requests: [], limit: null, since: {} }
    const text = { en: 'A', ar: 'أ' }
    fc.assert(
      fc.property(
        fc.record({
          from: fc.integer({ min: -3, max: 3 }),
          code: fc.constantFrom('register' as const, 'add_drop' as const, 'withdraw' as const),
        }),
        fc.record({
          blocked: fc.boolean(),
          owes: fc.boolean(),
          survey: fc.boolean(),
          papers: fc.boolean(),
          away: fc.boolean(),
        }),
        fc.integer({ min: 0, max: 5 }),
        (window, is, courses) => {
          const stages = [{ code: window.code, from: at(window.from), to: at(window.from + 2) }]
          const { at: now, action } = judgedAt(stages, at(0))
          const current = Array.from({ length: courses }, (_, i) => ({
            offering_id: 100 + i,
            course_id: 100 + i,
            course_code: `C${i}`,
            credit_hours: 300,
            status: '262144',
            meetings: [],
            exams: [],
          }))
          const input = (credit_hours: number): RequestInput => ({
            now,
            today: now.slice(0, 10),
            who: 'student',
            action,
            improve: false,
            stages,
            term_type: 'fall',
            bylaw: {
              grade_ranges: [],
              load_ranges: [{ from_gpa: 0, to_gpa: 400, max_ch_value: 12, max_summer_ch_value: 6, max_courses: 4 }],
              warning: { maximum: 0, max_ch_value: null },
              repeat: { improvable: [], max_improvements: null },
              max_repeats: null,
              graduating: { extra_hours: 0, extra_courses: 0 },
            } as unknown as RequestInput['bylaw'],
            student: {
              program_id: 1,
              level: 1,
              gpa: 300,
              passed_hours: 0,
              hours_to_degree: null,
              warnings: 0,
              improvements: 0,
              passed: [],
              current,
              not_studying: is.away ? text : null,
              blocked: is.blocked,
              unpaid_invoices: is.owes ? [{ code: 'I', due_date: '2000-01-01' }] : [],
              unfilled_surveys: is.survey ? [text] : [],
              missing_documents: is.papers ? [text] : [],
            },
            offering: {
              id: 1,
              state: 'open',
              control_status: 'Draft',
              program_ids: [],
              levels: [],
              slots: [],
              exams: [],
              course: { ...course, credit_hours },
            },
            slot_ids: [],
            together_ids: [],
            course_codes: {},
          })
          // What stands beside the rules blocks nothing, and is told after what does.
          const noted = preflight(input(1), {
            ...beside,
            advised: false,
            placements: [{ test: { en: 'English', ar: 'إنجليزي' }, since: null }],
            requests: OPEN_REQUESTS.map((kind) => ({ kind, since: null, data: {} })),
            limit: { maximum: 12, warnings: 1 },
          }).filter((line) => !line.blocks)
          expect(noted.map((line) => line.code)).toEqual([
            'preflight_limit',
            'preflight_placement',
            'preflight_withdrawal',
            'preflight_excuse',
            'preflight_transfer',
            'preflight_transfer_out',
            'preflight_no_advisor',
          ])
          const blocked = preflight(input(1), beside).some((line) => line.blocks)
          expect(blocked).toBe(checkRequest(input(300)).length > 0)
        },
      ),
      { numRuns: 150 },
    )
  })
})
