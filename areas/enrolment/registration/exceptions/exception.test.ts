import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import type { RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Answer, Caller, TestUniversity } from '#tests/university.ts'
import { checkException } from './exception.rules.ts'
import type { ExceptionInput } from './exception.rules.ts'

describe('a window for single students', () => {
  const fine: ExceptionInput = {
    code: 'register',
    starts_at: '2026-10-01T00:00:00Z',
    ends_at: '2026-10-08T00:00:00Z',
    now: '2026-10-02T00:00:00Z',
    term_ends: '2027-01-20',
    students: [{ code: 'S1', studying: true, of_faculty: true }],
  }
  it.each<[string, Partial<ExceptionInput>, string[]]>([
    ['is possible', {}, []],
    ['for a kind of the staff', { code: 'grade_entry' }, ['exception_kind']],
    ['that closes before it opens', { ends_at: '2026-09-30T00:00:00Z' }, ['exception_order', 'exception_over']],
    ['of exactly sixty days', { ends_at: '2026-11-30T00:00:00Z' }, []],
    ['longer than sixty days', { ends_at: '2026-11-30T00:00:01Z' }, ['exception_too_long']],
    ['that is over', { now: '2026-10-08T00:00:00Z' }, ['exception_over']],
    ['on the last day of the term', { term_ends: '2026-10-02' }, []],
    ['of a term that is over', { term_ends: '2026-10-01' }, ['exception_term_over']],
    ['for nobody', { students: [] }, ['exception_nobody']],
    [
      'for others, all reasons at once',
      {
        code: 'exam',
        students: [
          { code: 'S1', studying: false, of_faculty: true },
          { code: 'S2', studying: false, of_faculty: false },
        ],
      },
      ['exception_kind', 'exception_elsewhere', 'exception_not_studying'],
    ],
  ])('%s', (_name, change, expected) => {
    expect(checkException({ ...fine, ...change }).map(({ code }) => code)).toEqual(expected)
  })
})

describe('for whom a window is opened', () => {
  let u: TestUniversity
  let w: RegistrationWorld
  let registrar: Caller
  const day = 86_400_000
  const at = (days: number) => new Date(Date.now() + days * day).toISOString()
  const codeOf = async (code: string) =>
    (await w.query<{ id: number }>('select id from stage_codes where code = $1', [code]))[0]!.id
  const open = async (students: number[], more: Record<string, unknown> = {}, by = registrar): Promise<Answer> =>
    by('PUT', '/window-exceptions', {
      faculty_id: w.faculty,
      term_id: w.term,
      stage_code_id: await codeOf('register'),
      students,
      reason: 'Back from hospital',
      starts_at: at(-1),
      ends_at: at(5),
      ...more,
    })
  beforeAll(async () => {
    u = await testUniversity(AREA_SERVERS)
    w = await registrationWorld(u)
    registrar = await u.as('registrar')
    await w.windows()
  }, 180_000)
  afterAll(() => u?.close())

  it('asks for courses, is told, and nobody else; when it is taken back, nobody does', async () => {
    const [late, other] = [await w.student(), await w.student()]
    const offering = await w.offer('MA101')
    const ask = (who: typeof late) =>
      who.as('PUT', '/registrations/students/request-offering', {
        offerings: [{ offering_id: offering.id, offering_slot_ids: [offering.lectures[0]] }],
      })
    expect(reasons(await ask(late))).toContain('stage_closed')
    const made = ok(await open([late.id]))
    const told = await w.query(
      `select user_id from notifications where key = 'registration.notice_exception' order by user_id`,
    )
    expect(told).toEqual([{ user_id: late.user_id }])
    const work = async (who: typeof late) =>
      ok(await who.as('GET', '/users/work')).waiting.map(({ key }: { key: string }) => key)
    expect(await work(late)).toEqual(['registration.work_register'])
    expect(await work(other)).toEqual([])
    expect(reasons(await ask(other))).toContain('stage_closed')
    ok(await ask(late))
    // Somebody is added: told, and who was told before is not told again.
    ok(
      await registrar('PUT', `/window-exceptions/${made.id}`, { students: [late.id, other.id], version: made.version }),
    )
    expect(
      await w.query(
        `select user_id, count(*)::int as n from notifications where key = 'registration.notice_exception' group by 1 order by 1`,
      ),
    ).toEqual([late, other].map(({ user_id }) => ({ user_id, n: 1 })).toSorted((a, b) => a.user_id - b.user_id))
    ok(await registrar('DELETE', `/window-exceptions/${made.id}`))
    expect(await work(other)).toEqual([])
    expect(reasons(await ask(other))).toContain('stage_closed')
  })

  it('is no window of the term: staff and other screens see none', async () => {
    const student = await w.student()
    ok(await open([student.id]))
    expect(ok(await registrar('POST', '/stages', { filters: { term_id: [w.term] } }))).toEqual([])
  })

  it('every reason is told, and nothing is kept', async () => {
    const far = await w.student({ faculty: 'other' })
    const before = await w.query('select count(*) from window_exceptions')
    const refused = await open([far.id], { stage_code_id: await codeOf('exam'), ends_at: at(90) })
    expect(refused.status).toBe(422)
    expect(reasons(refused).toSorted()).toEqual([
      'exception_elsewhere@students',
      'exception_kind@stage_code_id',
      'exception_too_long@ends_at',
    ])
    expect(reasons(await open([]))).toEqual(['exception_nobody@students'])
    expect(await w.query('select count(*) from window_exceptions')).toEqual(before)
  })

  it('only who may, within the own faculty', async () => {
    const student = await w.student()
    const elsewhere = await u.as('faculty_registrar', ['faculty', w.otherFaculty])
    expect((await open([student.id], {}, elsewhere)).status).toBe(403)
    for (const role of ['instructor', 'academic_advisor'])
      expect((await open([student.id], {}, await u.as(role))).status).toBe(403)
    expect((await open([student.id], {}, student.as)).status).toBe(403)
    const made = ok(await open([student.id], {}, await u.as('faculty_registrar', ['faculty', w.faculty])))
    expect((await elsewhere('GET', `/window-exceptions/${made.id}`)).status).toBe(404)
  })
})
