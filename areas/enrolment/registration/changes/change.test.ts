import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { enrolMany, registrationServer } from '../registration.server.ts'
import {
  flag,
  flagsOfCode,
  holdsSeat,
  isDecided,
  mainFlags,
  nextState,
  stageCodes,
  type Action,
  type MainFlag,
  type Who,
} from '#areas/common/academics/status.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
type Student = Awaited<ReturnType<RegistrationWorld['student']>>
let people: Record<'registrar' | 'exam_office' | 'control' | 'advisor', Caller>
let advisorId: number
let offering: Awaited<ReturnType<RegistrationWorld['offer']>>

const ALL = stageCodes.filter((code) =>
  ['register', 'add_drop', 'withdraw', 'excuse', 'exam', 'control'].includes(code),
) as Parameters<RegistrationWorld['windows']>
const path = (call: string) => `/registrations/students/${call}`
const ids = (registration_ids: number[], more: object = {}) => ({ registration_ids, ...more })

beforeAll(async () => {
  u = await testUniversity([catalogueServer, registrationServer])
  w = await registrationWorld(u)
  const advisor = await w.advisor()
  advisorId = advisor.id
  people = {
    registrar: await u.as('registrar'),
    exam_office: await u.as('exam_officer'),
    control: await u.as('control_head'),
    advisor: advisor.as,
  }
  offering = await w.offer('MA101', { quota: 500 })
  await w.windows(...ALL)
})
afterAll(() => u.close())

/** A registration in a state, with a seat where the state holds one. */
async function registrationIn(main: MainFlag, student?: Student): Promise<{ id: number; student: Student }> {
  const who = student ?? (await w.student({ advisor: advisorId }))
  const [row] = await w.query<{ id: number }>(
    'insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours) values ($1, $2, $3, $4, $5, 3) returning id',
    [who.id, offering.id, w.term, w.courses.MA101, (flag[main] | flag.Fresh).toString()],
  )
  if (holdsSeat(main))
    await w.query('insert into registration_slots (registration_id, offering_slot_id) values ($1, $2)', [
      row!.id,
      offering.lectures[0],
    ])
  else {
    await w.query(
      `insert into registration_history (registration_id, student_id, offering_id, action, to_status, offering_slot_ids) values ($1, $2, $3, 'request', $4, $5)`,
      [row!.id, who.id, offering.id, flag[main].toString(), offering.lectures],
    )
  }
  return { id: row!.id, student: who }
}

/** How each action is called, and by whom. */
const CALLS: { action: Action; who: Who; call: string; body?: object; by: (student: Student) => Caller }[] = [
  { action: 'accept', who: 'registrar', call: 'accept-requested-offering', by: () => people.registrar },
  { action: 'accept', who: 'advisor', call: 'accept-requested-offering', by: () => people.advisor },
  { action: 'reject', who: 'advisor', call: 'reject-requested-offering', by: () => people.advisor },
  { action: 'remove', who: 'student', call: 'remove-offering', by: (student) => student.as },
  { action: 'remove', who: 'registrar', call: 'remove-offering', by: () => people.registrar },
  { action: 'drop', who: 'student', call: 'addDrop-offering', body: { action: 'drop' }, by: (student) => student.as },
  { action: 'withdraw', who: 'student', call: 'withdraw-offering', by: (student) => student.as },
  { action: 'withdraw', who: 'registrar', call: 'withdraw-offering', by: () => people.registrar },
  {
    action: 'force_withdraw',
    who: 'registrar',
    call: 'withdraw-offering',
    body: { forced: true },
    by: () => people.registrar,
  },
  { action: 'undo', who: 'registrar', call: 'undo-registered-offering', by: () => people.registrar },
  {
    action: 'undo_incomplete',
    who: 'registrar',
    call: 'undo-incomplete-registered-offering',
    by: () => people.registrar,
  },
  { action: 'absent', who: 'exam_office', call: 'update-status/10', by: () => people.exam_office },
  { action: 'punish', who: 'exam_office', call: 'update-status/11', by: () => people.exam_office },
  { action: 'ban', who: 'control', call: 'update-status/13', by: () => people.control },
  { action: 'incomplete', who: 'control', call: 'update-status/8', by: () => people.control },
]

describe('the table of states, through HTTP', () => {
  test.each(CALLS)('$action by $who', async ({ action, who, call, body, by }) => {
    const student = await w.student({ advisor: advisorId })
    for (const main of mainFlags) {
      const { id } = await registrationIn(main, student)
      const answer = await by(student)('PUT', path(call), ids([id], { ...body, reason: 'test' }))
      const next = nextState(main, action, who)
      // What only a decision leads to is not set by a status.
      const expected = isDecided(next?.to ?? null) ? null : next
      const [row] = await w.query<{ status: string; seats: number }>(
        'select r.status::text as status, (select count(*)::int from registration_slots where registration_id = r.id) as seats from registrations r where id = $1',
        [id],
      )
      const history = await w.query(
        'select action, from_status::text, to_status::text, reason from registration_history where registration_id = $1 order by id desc limit 1',
        [id],
      )
      const said = `${main} ${action}: ${JSON.stringify(answer.body)}`
      if (!expected) {
        expect([403, 409], said).toContain(answer.status)
        if (answer.status === 409 && answer.body.message === 'state_owned')
          expect(['absent', 'punish', 'ban', 'accept'], said).toContain(action)
        else if (answer.status === 409)
          expect(answer.body.errors[0], said).toMatchObject({
            code: expect.stringMatching(/^registration_(state|already|no_way)$/),
            data: { state: main },
          })
        expect(row?.status, said).toBe((flag[main] | flag.Fresh).toString())
      } else {
        expect(answer.status, said).toBe(200)
        const to =
          expected.to === null || expected.to === 'removed' ? null : (flag[expected.to] | flag.Fresh).toString()
        expect(row?.status ?? null, said).toBe(to)
        expect(row?.seats ?? 0, said).toBe(holdsSeat(expected.to) ? 1 : 0)
        expect(history[0], said).toMatchObject({
          action,
          from_status: (flag[main] | flag.Fresh).toString(),
          to_status: to,
          reason: 'test',
        })
      }
      await w.query('delete from registrations where id = $1', [id])
    }
    expect(await w.wrongSeats()).toEqual([])
  })

  test('closed windows refuse; the registrar may override with a reason', async () => {
    await w.windows('exam')
    const { id, student } = await registrationIn('RegisterRequest')
    expect(reasons(await people.advisor('PUT', path('accept-requested-offering'), ids([id])))).toEqual(['stage_closed'])
    expect(reasons(await student.as('PUT', path('remove-offering'), ids([id])))).toEqual(['stage_closed'])
    const overrides = [{ code: 'stage_closed', reason: 'late decision' }]
    expect(reasons(await people.advisor('PUT', path('accept-requested-offering'), ids([id], { overrides })))).toEqual([
      'stage_closed',
    ])
    ok(await people.registrar('PUT', path('accept-requested-offering'), ids([id], { overrides })))
    await w.windows(...ALL)
  })

  test('several are changed all or none, each refusal at its place', async () => {
    const [a, b] = [await registrationIn('RegisterRequest'), await registrationIn('Withdrawn')]
    const answer = await people.registrar('PUT', path('accept-requested-offering'), ids([a.id, b.id]))
    expect([answer.status, reasons(answer)]).toEqual([409, ['registration_state@registration_ids.1']])
    expect(answer.body.errors[0].ar).toContain('منسحب')
    expect(await w.query('select status::text from registrations where id = $1', [a.id])).toEqual([
      { status: (flag.RegisterRequest | flag.Fresh).toString() },
    ])
  })

  test('accept all accepts what can be, and tells the student once', async () => {
    const { id, student } = await registrationIn('RegisterRequest')
    // To who does not reach the student nothing waits, not even something that is refused.
    const stranger = await w.advisor()
    expect(ok(await stranger.as('PUT', path('accept-all-requested-offerings'), { student_id: student.id }))).toEqual({
      done: [],
      failed: [],
    })
    const answer = ok(await people.advisor('PUT', path('accept-all-requested-offerings'), { student_id: student.id }))
    expect(answer).toEqual({ done: [id], failed: [] })
    expect(await w.query('select key, data from notifications where user_id = $1', [student.user_id])).toEqual([
      { key: 'registration.notice_accepted', data: { courses: 'MA101', count: 1 } },
    ])
  })

  test('a numeric status that cannot be had says why: it is so, the step is that of others, or from where it follows', async () => {
    const { id } = await registrationIn('Registered')
    const set = async (who: Caller, code: number, more: object = {}) => {
      const answer = await who('PUT', path(`update-status/${code}`), ids([id], { reason: 'test', ...more }))
      const [{ code: reason, en, ar }] = answer.body.errors ?? [{}]
      return { status: answer.status, reason, en, ar }
    }
    expect(await set(people.registrar, 2)).toMatchObject({ status: 409, reason: 'registration_already' })
    // Asking is the student's.
    for (const code of [3, 4])
      expect(await set(people.registrar, code)).toMatchObject({
        status: 403,
        reason: 'registration_step_of_others',
      })
    const { en, ar, ...refused } = await set(people.registrar, 6)
    expect(refused).toEqual({ status: 409, reason: 'registration_no_way' })
    expect(en).toContain('Drop requested')
    expect(ar).toContain('طلب حذف')
    expect(await set(people.exam_office, 8)).toMatchObject({
      status: 403,
      reason: 'registration_step_of_others',
    })
    await w.windows('register')
    for (const [who, number, name] of [
      [people.registrar, 5, 'Withdrawal'],
      [people.control, 8, 'Control'],
    ] as const) {
      const { en: text, ar: _ar, ...why } = await set(who, number)
      expect(why).toEqual({ status: 409, reason: 'stage_closed' })
      expect(text).toContain(name)
    }
    await w.windows(...ALL)
    for (const [who, number, owner] of [
      [people.exam_office, 10, 'a recorded absence'],
      [people.exam_office, 11, 'the dean'],
      [people.exam_office, 13, 'ban'],
      [people.registrar, 7, 'excuse'],
    ] as const) {
      const { en: text, ar: _ar, ...why } = await set(who, number)
      expect(why).toEqual({ status: 409, reason: 'state_owned' })
      expect(text).toContain(owner)
    }
    for (const code of [5, 2, 14]) expect(await set(people.registrar, code)).toMatchObject({ status: 200 })
  })

  test('numeric codes: audit and back', async () => {
    const { id } = await registrationIn('Registered')
    const set = (code: number): Promise<Answer> => people.registrar('PUT', path(`update-status/${code}`), ids([id]))
    expect(ok(await set(12))[0].status).toBe((flag.Registered | flag.Audit | flag.Fresh).toString())
    expect((await set(12)).status).toBe(409)
    expect(ok(await set(2))[0].status).toBe((flag.Registered | flag.Fresh).toString())
    expect(ok(await set(14))[0].state).toBe(flagsOfCode(14)!.main)
    expect(ok(await set(2))[0].state).toBe('Registered')
    expect((await set(15)).status).toBe(404)
  })

  test('a place above the quota is given by who may, not by who only accepts', async () => {
    const { id } = await registrationIn('RegisterRequest')
    const above = await people.advisor('PUT', path('accept-requested-offering'), ids([id], { over_quota: true }))
    expect([above.status, reasons(above)]).toEqual([403, ['not_allowed']])
    expect(await w.query('select status::text as status from registrations where id = $1', [id])).toEqual([
      { status: (flag.RegisterRequest | flag.Fresh).toString() },
    ])
    ok(await people.advisor('PUT', path('accept-requested-offering'), ids([id])))
  })

  test('returning to registered takes the seat again, or is refused when it is lost', async () => {
    const small = await w.offer('CS101', { quota: 1 })
    const [a, b] = [await w.student(), await w.student()]
    const enrol = (student: Student) =>
      people.registrar('PUT', path('request-offering'), {
        student_id: student.id,
        enroll: true,
        offerings: [{ offering_id: small.id, offering_slot_ids: small.lectures }],
      })
    const [made] = ok(await enrol(a))
    ok(await a.as('PUT', path('addDrop-offering'), { action: 'drop', registration_ids: [made.id] }))
    ok(await people.registrar('PUT', path('accept-requested-offering'), ids([made.id])))
    ok(await enrol(b))
    const undo = () => people.registrar('PUT', path('undo-registered-offering'), ids([made.id]))
    expect(reasons(await undo())).toEqual(['seat_lost'])
    await w.query('update offering_slots set quota = 2 where id = $1', [small.lectures[0]])
    expect(ok(await undo())[0].state).toBe('Registered')
    expect(await w.wrongSeats()).toEqual([])
  })

  test('what comes back is judged by load and week; each reason is told, and can be set aside with a reason', async () => {
    const [first, second] = [
      await w.offer('CS101', { day: 2, period: 1 }),
      await w.offer('PH101', { day: 2, period: 1 }),
    ]
    const student = await w.student({ advisor: advisorId })
    const enrol = (one: { id: number; lectures: number[] }) =>
      people.registrar('PUT', path('request-offering'), {
        student_id: student.id,
        enroll: true,
        offerings: [{ offering_id: one.id, offering_slot_ids: one.lectures }],
      })
    const [made] = ok(await enrol(first))
    // A request to drop that is taken back held its time all along.
    const drop = () => student.as('PUT', path('addDrop-offering'), { action: 'drop', registration_ids: [made.id] })
    ok(await drop())
    expect(reasons(await enrol(second))).toEqual(['time_clash'])
    ok(await student.as('PUT', path('remove-offering'), ids([made.id])))
    for (const leave of ['drop', 'force_withdraw'] as const) {
      if (leave === 'drop') {
        ok(await drop())
        ok(await people.registrar('PUT', path('accept-requested-offering'), ids([made.id])))
      } else ok(await people.registrar('PUT', path('withdraw-offering'), ids([made.id])))
      const [other] = ok(await enrol(second))
      // Credit hours of the bylaw: everything is told at once.
      await w.query('update registrations set credit_hours = 30 where id = $1', [other.id])
      const undo = (more: object = {}, by = people.registrar) =>
        by('PUT', path('undo-registered-offering'), ids([made.id], more))
      const refused = await undo()
      expect([refused.status, reasons(refused)]).toEqual([409, ['credit_hours_limit', 'time_clash']])
      expect(refused.body.errors[1]).toMatchObject({ data: { courses: 'PH101', step: { code: 'time_clash_step' } } })
      const overrides = ['credit_hours_limit', 'time_clash'].map((code) => ({ code, reason: 'twice a week is enough' }))
      expect(reasons(await undo({ overrides: overrides.slice(1) }))).toEqual(['credit_hours_limit'])
      expect(reasons(await undo({ overrides }, people.advisor))).toEqual(['not_allowed'])
      expect(ok(await undo({ overrides }))[0].state).toBe('Registered')
      expect(
        await w.query(
          'select overrides from registration_history where registration_id = $1 order by id desc limit 1',
          [made.id],
        ),
      ).toEqual([{ overrides }])
      await w.query('delete from registrations where id = $1', [other.id])
    }
    expect(await w.wrongSeats()).toEqual([])
  })

  test('what a withdrawn course costs is decided by the bylaw when it is withdrawn, and stays', async () => {
    const charges = (id: number) => w.query('select percent from withdrawal_charges where registration_id = $1', [id])
    const set = (percent: number) => w.query('update bylaws set withdrawal_charge = $1', [percent])
    await set(40)
    const { id } = await registrationIn('Registered')
    expect(await charges(id)).toEqual([])
    ok(await people.registrar('PUT', path('withdraw-offering'), ids([id], { reason: 'illness' })))
    await set(0)
    expect(await charges(id)).toEqual([{ percent: '40.00' }])
    ok(await people.registrar('PUT', path('undo-registered-offering'), ids([id], { reason: 'mistake' })))
    expect(await charges(id)).toEqual([])
    ok(await people.registrar('PUT', path('withdraw-offering'), ids([id], { forced: true, reason: 'absence' })))
    expect(await charges(id)).toEqual([{ percent: '0.00' }])
    await set(100)
  })

  test('what it costs falls with the day of the term, and whoever asked in time does not pay for the wait', async () => {
    const charged = async (id: number) =>
      (await w.query<{ percent: string }>('select percent from withdrawal_charges where registration_id = $1', [id]))[0]
        ?.percent
    const step = (after: number, percent: number, summer = false) =>
      w.query(
        `insert into bylaw_withdrawal_steps (bylaw_id, summer, days, percent)
          select distinct s.bylaw_id, $2::boolean, university_today() - t.start_date + $3::int, $4::numeric
          from students s join offerings o on o.id = $1 join terms t on t.id = o.term_id where s.bylaw_id is not null`,
        [offering.id, summer, after, percent],
      )
    const withdraw = (id: number) =>
      people.registrar('PUT', path('withdraw-offering'), ids([id], { reason: 'illness' }))
    await step(-1, 10)
    await step(1, 30)
    await step(0, 5, true)
    const direct = await registrationIn('Registered')
    ok(await withdraw(direct.id))
    // Yesterday's step is over, tomorrow's holds; the one of summer terms is not asked.
    expect(await charged(direct.id)).toBe('30.00')
    const late = await registrationIn('WithdrawRequest')
    await w.query(
      `insert into registration_history (registration_id, student_id, offering_id, action, to_status, at)
        values ($1, $2, $3, 'withdraw', $4, now() - interval '1 day')`,
      [late.id, late.student.id, offering.id, (flag.WithdrawRequest | flag.Fresh).toString()],
    )
    ok(await people.registrar('PUT', path('accept-requested-offering'), ids([late.id])))
    expect(await charged(late.id)).toBe('10.00')
    // The last day is a day of the step; after the last step the bylaw's share holds.
    await w.query('delete from bylaw_withdrawal_steps')
    await step(0, 15)
    const last = await registrationIn('Registered')
    ok(await withdraw(last.id))
    expect(await charged(last.id)).toBe('15.00')
    await w.query('delete from bylaw_withdrawal_steps')
    await step(-1, 15)
    const after = await registrationIn('Registered')
    ok(await withdraw(after.id))
    expect(await charged(after.id)).toBe('100.00')
    await w.query('delete from bylaw_withdrawal_steps')
  })

  test('a dropped course can be asked for again, in another group', async () => {
    const two = await w.offer('PH101', { groups: 2 })
    const student = await w.student()
    const [made] = ok(
      await student.as('PUT', path('request-offering'), {
        offerings: [{ offering_id: two.id, offering_slot_ids: [two.lectures[0]] }],
      }),
    )
    await w.query('update registrations set status = $1 where id = $2', [
      (flag.Dropped | flag.Fresh).toString(),
      made.id,
    ])
    await w.query('delete from registration_slots where registration_id = $1', [made.id])
    const [again] = ok(
      await student.as('PUT', path('addDrop-offering'), {
        action: 'add',
        offerings: [{ offering_id: two.id, offering_slot_ids: [two.lectures[1]] }],
      }),
    )
    expect(again).toMatchObject({ id: made.id, state: 'AddRequest' })
    expect(
      (
        await w.query<{ action: string }>(
          'select action from registration_history where registration_id = $1 order by id',
          [made.id],
        )
      ).map((row) => row.action),
    ).toEqual(['request', 'add'])
    expect(await w.wrongSeats()).toEqual([])
  })
})

describe('many at once', () => {
  test('enrolment gives each student a group that fits, and says why not', async () => {
    const many = await w.offer('EN101', { groups: 3, quota: 2, lab: true })
    const students = []
    for (let i = 0; i < 7; i++) students.push(await w.student())
    const blocked = await w.student()
    await w.query('update students set blocked_at = now() where id = $1', [blocked.id])
    const answer = ok(
      await people.registrar('POST', '/registrations/enroll_students', {
        offering_id: many.id,
        student_ids: [...students, blocked].map((one) => one.id),
      }),
    )
    expect(answer.done).toHaveLength(6)
    const reasons = answer.failed.map((one: { id: number; errors: { code: string }[] }) => [
      one.id === blocked.id,
      one.errors.map((e) => e.code),
    ])
    // Whoever is judged when the seats are gone is told that as well.
    expect(reasons).toHaveLength(2)
    expect(reasons).toContainEqual([true, expect.arrayContaining(['hold_blocked'])])
    expect(reasons).toContainEqual([false, ['slot_full']])
    expect(await w.wrongSeats()).toEqual([])
    const removed = ok(
      await people.registrar('POST', `/registrations/delete_registrations/${many.id}`, {
        student_ids: [answer.done[0], blocked.id],
        reason: 'by mistake',
      }),
    )
    expect(removed.done).toEqual([answer.done[0]])
    expect(removed.failed).toMatchObject([{ id: blocked.id, errors: [{ code: 'not_registered_here' }] }])
    const other = await u.as('faculty_registrar', ['faculty', w.otherFaculty])
    expect(
      ok(
        await other('POST', '/registrations/enroll_students', { offering_id: many.id, student_ids: [students[0]!.id] }),
      ).done,
    ).toEqual([])
    expect(await w.wrongSeats()).toEqual([])
  })

  test('exemption passes the course without a mark and gives the seat back', async () => {
    const course = await w.offer('HU101', { quota: 5 })
    const [registered, fresh, late] = [await w.student(), await w.student(), await w.student()]
    const body = (student: Student) => ({
      student_id: student.id,
      enroll: true,
      offerings: [{ offering_id: course.id, offering_slot_ids: course.lectures }],
    })
    ok(await people.registrar('PUT', path('request-offering'), body(registered)))
    const [gone] = ok(await people.registrar('PUT', path('request-offering'), body(late)))
    ok(await people.registrar('PUT', path('withdraw-offering'), ids([gone.id])))
    const answer = ok(
      await people.registrar('POST', '/registrations/exempt_students', {
        offering_id: course.id,
        student_ids: [registered, fresh, late].map((one) => one.id),
        reason: 'certificate',
      }),
    )
    expect(answer.done).toEqual([registered.id, fresh.id])
    expect(answer.failed).toMatchObject([{ id: late.id, errors: [{ code: 'registration_state' }] }])
    expect(
      await w.query('select letter, passed, counts_in_gpa from registrations where offering_id = $1 and passed', [
        course.id,
      ]),
    ).toEqual([1, 2].map(() => ({ letter: 'T', passed: true, counts_in_gpa: false })))
    expect(await w.wrongSeats()).toEqual([])
  })

  test('an exemption says everything against it, and is taken back with what it found', async () => {
    const course = await w.offer('HU101', { quota: 5 })
    const again = await w.offer('HU101', { quota: 5 })
    const closed = await w.offer('PH101', { quota: 5 })
    const [registered, fresh, passed, gone] = [
      await w.student(),
      await w.student(),
      await w.student({ passed: ['HU101'] }),
      await w.student(),
    ]
    const exempt = (offering: { id: number }, ...who: Student[]) =>
      people.registrar('POST', '/registrations/exempt_students', {
        offering_id: offering.id,
        student_ids: who.map((one) => one.id),
        reason: 'certificate',
      })
    const failed = async (...asked: Parameters<typeof exempt>) =>
      ok(await exempt(...asked)).failed.map((one: any) => [one.id, one.errors.map((e: any) => e.code)])
    // Passed in an earlier term; suspended; of a program to which the offering is not open.
    await w.query(`select decide_status(array[$1::int], 'suspended', 'Council 1/2026', '2026-01-15')`, [gone.id])
    const unknown = (await exempt(course, { id: 99_999_999 } as Student)).body
    expect([unknown.done, unknown.failed.map((one: any) => [one.id, one.errors[0].code])]).toEqual([
      [],
      [[99_999_999, 'not_found']],
    ])
    expect(await failed(course, passed, gone)).toEqual([
      [passed.id, ['already_passed']],
      [gone.id, ['not_studying']],
    ])
    await w.query(
      'insert into offering_programs (offering_id, program_id) select $1, id from programs where id <> $2',
      [closed.id, w.program],
    )
    expect(await failed(closed, registered, gone)).toEqual([
      [registered.id, ['offering_program']],
      [gone.id, ['offering_program', 'not_studying']],
    ])

    const [made] = ok(
      await people.registrar('PUT', path('request-offering'), {
        student_id: registered.id,
        enroll: true,
        offerings: [{ offering_id: course.id, offering_slot_ids: course.lectures }],
      }),
    )
    expect(ok(await exempt(course, registered, fresh)).done).toEqual([registered.id, fresh.id])
    // Exempted in one offering of the course, nobody is in another.
    expect(await failed(again, fresh)).toEqual([[fresh.id, ['already_registered', 'already_passed']]])
    const rows = () =>
      w.query<{ student_id: number; state: string; letter: string | null; seats: number }>(
        `select student_id, status & ${flag.Complete} <> 0 as complete, letter, passed,
           (select count(*)::int from registration_slots s where s.registration_id = r.id) as seats
         from registrations r where offering_id = $1 order by student_id`,
        [course.id],
      )
    expect(await rows()).toMatchObject(
      [registered, fresh].map(({ id }) => ({ student_id: id, complete: true, seats: 0 })),
    )
    const idOf = async (student: Student) =>
      (
        await w.query<{ id: number }>('select id from registrations where student_id = $1 and offering_id = $2', [
          student.id,
          course.id,
        ])
      )[0]!.id
    // By whoever exempts, and nobody else.
    const other = await u.as(null)
    await w.query(`insert into user_permissions (user_id, permission) values ($1, 'undo_registration')`, [
      other.user_id,
    ])
    u.auth.forget()
    expect(
      reasons(await other('PUT', path('undo-registered-offering'), ids([made.id], { reason: 'an error' }))),
    ).toEqual(['state_owned'])
    ok(
      await people.registrar(
        'PUT',
        path('undo-registered-offering'),
        ids([made.id, await idOf(fresh)], { reason: 'an error' }),
      ),
    )
    expect(await rows()).toEqual([{ student_id: registered.id, complete: false, letter: null, passed: null, seats: 1 }])
    ok(await exempt(course, registered))
    expect(
      ok(
        await people.registrar('POST', `/registrations/delete_registrations/${course.id}`, {
          student_ids: [registered.id],
          reason: 'an error',
        }),
      ).done,
    ).toEqual([registered.id])
    expect(await rows()).toEqual([])
    expect(await w.wrongSeats()).toEqual([])
  })

  test('an import enrols thousands of rows through the same seats', async () => {
    const course = await w.offer('MA101', { quota: 3000 })
    await w.query(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id) select 'X' || i, 'X', 'س', $1, $2, $3 from generate_series(1, 3000) i`,
      [w.faculty, w.program, w.bylaw],
    )
    const students = await w.query<{ id: number }>(`select id from students where code like 'X%'`)
    const rows = students.map(({ id }) => ({
      student_id: id,
      offering_id: course.id,
      offering_slot_ids: course.lectures,
    }))
    const start = performance.now()
    const made = await u.services.db.transaction().execute((tx) => enrolMany(tx, rows, { source: 'import' }))
    expect(made).toHaveLength(3000)
    expect(performance.now() - start).toBeLessThan(24_000)
    expect(await u.services.db.transaction().execute((tx) => enrolMany(tx, rows.slice(0, 10)))).toEqual([])
    expect(await w.wrongSeats()).toEqual([])
    await expect(
      u.services.db
        .transaction()
        .execute((tx) =>
          enrolMany(tx, [
            { student_id: students[0]!.id, offering_id: offering.id, offering_slot_ids: [offering.lectures[0]!] },
          ]),
        ),
    ).resolves.toEqual([])
  })
})

describe('the list of staff', () => {
  test('filters by state, program and more, within reach, and goes into a sheet', async () => {
    const list = (who: Caller, filters: object) => who('POST', '/registrations', { filters, perPage: 5 })
    const all = (await list(people.registrar, { offering_id: offering.id, state: 'RegisterRequest' })).body
    expect(all.meta.count).toBeGreaterThan(0)
    expect(all.data[0]).toMatchObject({ state: 'RegisterRequest', course_code: 'MA101', level: 1 })
    const other = await u.as('faculty_registrar', ['faculty', w.otherFaculty])
    expect((await list(other, {})).body.meta.count).toBe(0)
    const mine = await u.as('faculty_registrar', ['faculty', w.faculty])
    expect((await list(mine, { faculty_id: w.faculty })).body.meta.count).toBeGreaterThan(0)
    const sheet = await people.registrar('POST', '/registrations/export', { filters: { offering_id: offering.id } })
    expect([sheet.status, String(sheet.headers['content-disposition'])]).toEqual([
      200,
      expect.stringContaining('registrations.xlsx'),
    ])
    expect((await u.as(null).then((who) => list(who, {}))).status).toBe(403)
  })
})
