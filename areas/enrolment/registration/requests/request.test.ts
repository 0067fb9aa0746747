import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationServer } from '../registration.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller

const REQUEST = '/registrations/students/request-offering'
const request = (who: Caller, offering: { id: number }, slots: number[], more: object = {}) =>
  who('PUT', REQUEST, { offerings: [{ offering_id: offering.id, offering_slot_ids: slots }], ...more })
const taken = async (slot: number) =>
  (await w.query<{ taken: number }>('select taken from offering_slots where id = $1', [slot]))[0]!.taken

beforeAll(async () => {
  u = await testUniversity([catalogueServer, registrationServer])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
})
afterAll(() => u.close())
beforeEach(() => w.windows('register'))

describe('a request', () => {
  test('holds a seat, and stands in the history and in the audit trail under the student', async () => {
    const offering = await w.offer('MA101', { lab: true })
    const student = await w.student()
    const [made] = ok(await request(student.as, offering, [offering.lectures[0]!, offering.labs[0]!]))
    expect(made).toMatchObject({
      offering_id: offering.id,
      student_id: student.id,
      state: 'RegisterRequest',
      status: (flag.RegisterRequest | flag.Fresh).toString(),
    })
    expect(await taken(offering.lectures[0]!)).toBe(1)
    expect(await taken(offering.labs[0]!)).toBe(1)
    const [step] = ok(await student.as('GET', `/registrations/${made.id}/steps`))
    expect(step).toMatchObject({
      action: 'request',
      from_state: null,
      to_state: 'RegisterRequest',
      by: { id: student.user_id },
    })
    const trail = await w.query(
      `select actor_id, new ->> 'student_id' as student from audit_log where table_name = 'registrations' and record_id = $1`,
      [made.id],
    )
    expect(trail).toEqual([{ actor_id: student.user_id, student: String(student.id) }])
  })

  test('knows which attempt it is', async () => {
    const offering = await w.offer('CS101')
    const again = await w.student({ failed: ['CS101'] })
    const better = await w.student({ passed: ['CS101'] })
    const kind = async (who: Caller, improve: boolean) =>
      BigInt(
        ok(
          await who('PUT', REQUEST, {
            offerings: [{ offering_id: offering.id, offering_slot_ids: offering.lectures, improve }],
          }),
        )[0].status,
      )
    expect((await kind(again.as, false)) & flag.Repeat).toBe(flag.Repeat)
    expect(reasons(await request(better.as, offering, offering.lectures))).toEqual(['already_passed'])
    expect((await kind(better.as, true)) & flag.Improve).toBe(flag.Improve)
  })

  test('is refused for every reason at once, each with its figures and the step that unblocks it', async () => {
    await w.windows('withdraw')
    const offering = await w.offer('CS201', { quota: 0, lab: true })
    await w.query('update courses set min_level = 3, min_passed_hours = 60 where id = $1', [w.courses.CS201])
    const student = await w.student()
    await w.query(
      `insert into student_holds (student_id, kind, note, note_local) values ($1, 'unpaid_invoice', 'INV-7', null), ($1, 'obligatory_survey', 'Teaching', 'التدريس')`,
      [student.id],
    )
    await w.query(`update students set blocked_at = now() where id = $1`, [student.id])
    await w.query(
      `with k as (insert into document_kinds (code, name, name_local) values ('PHOTO', 'Photo', 'صورة شخصية') returning id)
       insert into student_documents (student_id, kind_id, asked) select $1, id, true from k`,
      [student.id],
    )
    const answer = await request(student.as, offering, [offering.lectures[0]!])
    expect(answer.status).toBe(409)
    expect(reasons(answer)).toEqual(
      [
        'stage_closed',
        'prerequisites',
        'min_passed_hours',
        'min_level',
        'hold_payment',
        'hold_survey',
        'hold_blocked',
        'hold_documents',
        'slot_type_missing',
        'slot_full',
      ].toSorted(),
    )
    const of = (code: string) => answer.body.errors.find((one: { code: string }) => one.code === code)
    expect(of('prerequisites')).toMatchObject({
      en: 'Prerequisites are not met: CS101',
      data: { step: { link: 'study_plan', code: 'prerequisites_step' } },
    })
    expect(of('min_passed_hours').en).toBe('Course requires minimum passed hours 60')
    expect(of('hold_payment').en).toContain('INV-7')
    expect(of('hold_survey').data.step.ar).toContain('التدريس')
    expect(answer.body.message).toBe(answer.body.errors[0].code)
    await w.query('update courses set min_level = 0, min_passed_hours = 0 where id = $1', [w.courses.CS201])
    expect(await w.wrongSeats()).toEqual([])
  })

  test('needs a slot, of this offering, of one group, one of each type', async () => {
    const offering = await w.offer('PH101', { groups: 2, lab: true })
    const other = await w.offer('PH101')
    const { as } = await w.student()
    const answer = await request(as, offering, [])
    expect(answer.body.error.en).toBe('Please select an offering slot before registering')
    expect(reasons(await request(as, offering, other.lectures))).toContain('slot_unknown')
    expect(reasons(await request(as, offering, [offering.lectures[0]!, offering.labs[1]!]))).toEqual(['slot_groups'])
    expect(reasons(await request(as, offering, [offering.lectures[0]!]))).toEqual(['slot_type_missing'])
  })

  test('with one meeting of a section come the others', async () => {
    const offering = await w.offer('PH101', { groups: 1 })
    const [group] = await w.query<{ group_id: number }>('select group_id from offering_slots where id = $1', [
      offering.lectures[0],
    ])
    await w.query(`update offering_slots set section = 'A' where id = $1`, [offering.lectures[0]])
    const [second] = await w.query<{ id: number }>(
      `insert into offering_slots (offering_id, term_id, group_id, type, section, quota) values ($1, $2, $3, 'Lecture', 'A', 30) returning id`,
      [offering.id, w.term, group!.group_id],
    )
    const { as } = await w.student()
    ok(await request(as, offering, offering.lectures))
    expect(await taken(second!.id)).toBe(1)
  })

  test('of several offerings is all or none, judged together', async () => {
    await w.query(`insert into course_corequisites values ($1, $2)`, [w.courses.EN101, w.courses.HU101])
    const [a, b, c] = [
      await w.offer('EN101', { day: 0, period: 0 }),
      await w.offer('HU101', { day: 1, period: 0 }),
      await w.offer('PH101', { day: 1, period: 0 }),
    ]
    const { as, id } = await w.student()
    expect(reasons(await request(as, a, a.lectures))).toEqual(['corequisites'])
    const all = (...offerings: { id: number; lectures: number[] }[]) =>
      as('PUT', REQUEST, {
        offerings: offerings.map((one) => ({ offering_id: one.id, offering_slot_ids: one.lectures })),
      })
    const clashing = await all(a, b, c)
    expect(reasons(clashing)).toEqual(['time_clash@offerings.2'])
    expect(clashing.body.errors[0]).toMatchObject({
      data: { courses: 'HU101' },
      en: 'The chosen time clashes with HU101',
    })
    expect(await w.query('select id from registrations where student_id = $1', [id])).toEqual([])
    expect(ok(await all(a, b))).toHaveLength(2)
    await w.query('delete from course_corequisites')
  })

  test('keeps to the load of the bylaw: hours by GPA', async () => {
    const offerings = [
      await w.offer('MA101', { day: 0, period: 1 }),
      await w.offer('CS101', { day: 1, period: 1 }),
      await w.offer('PH101', { day: 2, period: 1 }),
      await w.offer('EN101', { day: 3, period: 1 }),
    ]
    const weak = await w.student({ gpa: '1.50' })
    for (const one of offerings.slice(0, 3)) ok(await request(weak.as, one, one.lectures))
    const answer = await request(weak.as, offerings[3]!, offerings[3]!.lectures)
    expect(answer.body.errors[0]).toMatchObject({
      code: 'credit_hours_limit',
      en: '12 credit hours would exceed your limit of 9',
    })
  })

  test('hours with decimals add up exactly: to the limit, and not beyond it by a hundredth', async () => {
    // In binary fractions 2.7 + 2.7 + 2.7 + 0.9 is more than 9.
    for (const [code, hours] of Object.entries({ MA101: 2.7, CS101: 2.7, PH101: 2.7, EN101: 0.91 }))
      await w.query('update courses set credit_hours = $1 where id = $2', [hours, w.courses[code]])
    const offerings = [
      await w.offer('MA101', { day: 0, period: 1 }),
      await w.offer('CS101', { day: 1, period: 1 }),
      await w.offer('PH101', { day: 2, period: 1 }),
      await w.offer('EN101', { day: 3, period: 1 }),
    ]
    const [weak, fresh] = [await w.student({ gpa: '1.50' }), await w.student({ gpa: '3.00', hours: 30.25 })]
    for (const one of offerings.slice(0, 3)) ok(await request(weak.as, one, one.lectures))
    const last = () => request(weak.as, offerings[3]!, offerings[3]!.lectures)
    expect((await last()).body.errors[0]).toMatchObject({ en: '9.01 credit hours would exceed your limit of 9' })
    await w.query('update courses set credit_hours = 0.9 where id = $1', [w.courses.EN101])
    ok(await last())
    const { load, registrations } = ok(await weak.as('GET', '/registrations/students/requested-offerings'))
    expect([
      load.hours,
      load.max_hours,
      registrations.map((one: { course: { credit_hours: number } }) => one.course.credit_hours).sort(),
    ]).toEqual([9, 9, [0.9, 2.7, 2.7, 2.7]])

    await w.query('update courses set min_passed_hours = 30.5 where id = $1', [w.courses.MA101])
    const early = await request(fresh.as, offerings[0]!, offerings[0]!.lectures)
    expect(early.body.errors[0]).toMatchObject({ code: 'min_passed_hours', data: { data: '30.5', passed: '30.25' } })
    await w.query('update students set passed_hours = 30.5 where id = $1', [fresh.id])
    ok(await request(fresh.as, offerings[0]!, offerings[0]!.lectures))
    await w.query('update courses set credit_hours = 3, min_passed_hours = 0')
  })

  test('offerings are open to their programs, else to programs whose plan has the course', async () => {
    const offering = await w.offer('MA101')
    const outsider = await w.student({ faculty: 'other' })
    // A program without any plan is not shut out.
    ok(await request(outsider.as, offering, offering.lectures))
    await w.query('insert into offering_programs (offering_id, program_id, level) values ($1, $2, 2)', [
      offering.id,
      w.program,
    ])
    const second = await w.student({ faculty: 'other' })
    expect(reasons(await request(second.as, offering, offering.lectures))).toEqual(['offering_program'])
    const first = await w.student({ level: 1 })
    expect(reasons(await request(first.as, offering, offering.lectures))).toEqual(['offering_level'])
    await w.query('update offerings set is_open = false where id = $1', [offering.id])
    expect(reasons(await request((await w.student({ level: 2 })).as, offering, offering.lectures))).toEqual([
      'offering_closed',
    ])
  })

  test('linked offerings share the seats of the root', async () => {
    const root = await w.offer('MA101', { quota: 1 })
    const linked = await w.offer('CS101', { quota: 1 })
    await w.query('delete from offering_slots where offering_id = $1', [linked.id])
    await w.query('update offerings set linked_offering_id = $1 where id = $2', [root.id, linked.id])
    ok(await request((await w.student()).as, root, root.lectures))
    expect(reasons(await request((await w.student()).as, linked, root.lectures))).toEqual(['slot_full'])
  })

  test('asks for places above the quota only when staff says so', async () => {
    const offering = await w.offer('MA101', { quota: 1, over: 1 })
    const [a, b, c] = [await w.student(), await w.student(), await w.student()]
    ok(await request(a.as, offering, offering.lectures))
    expect((await request(b.as, offering, offering.lectures, { over_quota: true })).status).toBe(403)
    const advisor = await w.advisor()
    const advised = await w.student({ advisor: advisor.id })
    const above = await request(advisor.as, offering, offering.lectures, { student_id: advised.id, over_quota: true })
    expect([above.status, reasons(above)]).toEqual([403, ['not_allowed']])
    // Of two that are asked for together, one that is not there is named, and neither is had.
    const free = await w.offer('PH101')
    const together = await a.as('PUT', '/registrations/students/request-offering', {
      offerings: [free, { id: 99_999_999, lectures: [] }].map(({ id, lectures }) => ({
        offering_id: id,
        offering_slot_ids: lectures,
      })),
    })
    expect([together.status, reasons(together)]).toEqual([404, ['not_found@offerings.1.offering_id']])
    expect(await taken(free.lectures[0]!)).toBe(0)
    expect(reasons(await request(registrar, offering, offering.lectures, { student_id: b.id }))).toEqual(['slot_full'])
    ok(await request(registrar, offering, offering.lectures, { student_id: b.id, over_quota: true }))
    expect(
      reasons(await request(registrar, offering, offering.lectures, { student_id: c.id, over_quota: true })),
    ).toEqual(['slot_full'])
    expect(await taken(offering.lectures[0]!)).toBe(2)
    expect(await w.wrongSeats()).toEqual([])
  })

  test('a rule is overridden by name, by who may, with a reason that is kept', async () => {
    const offering = await w.offer('CS201')
    const advisor = await w.advisor()
    const student = await w.student({ advisor: advisor.id })
    const overrides = [{ code: 'prerequisites', reason: 'Equivalent course abroad' }]
    expect((await request(student.as, offering, offering.lectures, { overrides })).status).toBe(403)
    expect((await request(advisor.as, offering, offering.lectures, { student_id: student.id, overrides })).status).toBe(
      403,
    )
    const by = (list: object[]) =>
      request(registrar, offering, offering.lectures, { student_id: student.id, overrides: list })
    expect(reasons(await by([{ code: 'prerequisites', reason: ' ' }]))).toEqual(['reason_required@overrides.0.reason'])
    expect(reasons(await by([{ code: 'slot_full', reason: 'please' }]))).toEqual([
      'override_not_possible@overrides.0.code',
    ])
    const [made] = ok(await by(overrides))
    const [step] = ok(await registrar('GET', `/registrations/${made.id}/steps`))
    expect(step.overrides).toEqual(overrides)
  })
})

describe('the wrong person', () => {
  test('gets nothing', async () => {
    const offering = await w.offer('MA101')
    const [mine, theirs] = [await w.student(), await w.student({ faculty: 'other' })]
    const advisor = await w.advisor()
    const stranger = await u.as('registrar', ['faculty', w.otherFaculty])
    const [made] = ok(await request(mine.as, offering, offering.lectures))
    expect((await request(theirs.as, offering, offering.lectures, { student_id: mine.id })).status).toBe(404)
    expect((await request(stranger, offering, offering.lectures, { student_id: mine.id })).status).toBe(404)
    expect((await request(advisor.as, offering, offering.lectures, { student_id: mine.id })).status).toBe(404)
    expect((await request(u.nobody, offering, offering.lectures)).status).toBe(401)
    expect((await request(registrar, offering, offering.lectures)).body.errors).toMatchObject([
      { field: 'student_id', code: 'required' },
    ])
    for (const who of [theirs.as, stranger, advisor.as]) {
      for (const path of [
        `requested-offerings/${mine.id}`,
        `available-offerings/${mine.id}`,
        `available-termstages/${mine.id}`,
        `${mine.id}/terms`,
        `current-offering-slots/${offering.id}?student_id=${mine.id}`,
      ]) {
        expect([403, 404], path).toContain((await who('GET', `/registrations/students/${path}`)).status)
      }
      expect([403, 404]).toContain((await who('GET', `/registrations/${made.id}/steps`)).status)
      expect(
        (await who('PUT', '/registrations/students/remove-offering', { registration_ids: [made.id] })).status,
      ).toBe(404)
      expect(
        (
          await who('PUT', '/registrations/students/update-slot-offering', {
            registration_id: made.id,
            offering_slot_ids: offering.lectures,
          })
        ).status,
      ).toBe(404)
      expect([403, 404]).toContain(
        (await who('PUT', '/registrations/students/accept-requested-offering', { registration_ids: [made.id] })).status,
      )
      expect(
        JSON.stringify((await who('POST', '/registrations', { filters: { offering_id: offering.id } })).body ?? {}),
      ).not.toContain(`"id":${made.id},`)
    }
    expect(
      (await mine.as('PUT', '/registrations/students/accept-requested-offering', { registration_ids: [made.id] }))
        .status,
    ).toBe(403)
  })
})

describe('looking', () => {
  test('available offerings say where they stand in the plan, what is free, and why not', async () => {
    const offering = await w.offer('CS201', { lab: true, quota: 5 })
    const student = await w.student()
    const seen = ok(await student.as('GET', '/registrations/students/available-offerings'))
    expect(seen.term.id).toBe(w.term)
    expect(seen.load).toMatchObject({ hours: 0, max_hours: 12, courses: 0, max_courses: 6, gpa: '3.00' })
    expect(seen.stages).toMatchObject([{ code: 'register', open: true }])
    const found = seen.offerings.find((one: { id: number }) => one.id === offering.id)
    expect(found).toMatchObject({
      course: { code: 'CS201', credit_hours: 3 },
      plan: { level: 1, kind: 'mandatory' },
      registration: null,
      refusals: [{ code: 'prerequisites' }],
    })
    expect(
      found.slots.map((slot: { type: string; free: number; over_free: null }) => [
        slot.type,
        slot.free,
        slot.over_free,
      ]),
    ).toEqual([
      ['Lecture', 5, null],
      ['Lab', 5, null],
    ])
    const refused = await student.as('POST', `/registrations/students/offering-slots/${offering.id}`, {})
    expect([refused.status, reasons(refused)]).toEqual([409, ['prerequisites']])
    const staff = ok(await registrar('GET', `/registrations/students/available-offerings/${student.id}`))
    expect(staff.offerings.find((one: { id: number }) => one.id === offering.id).slots[0].over_free).toBe(0)
  })

  test('requested offerings give hours, slots and what can be done; slots tell clashes', async () => {
    const a = await w.offer('MA101', { day: 2, period: 2 })
    const b = await w.offer('PH101', { groups: 2, day: 2, period: 2 })
    const student = await w.student()
    ok(await request(student.as, a, a.lectures))
    const seen = ok(await student.as('GET', '/registrations/students/requested-offerings'))
    expect(seen).toMatchObject({
      load: { hours: 3, courses: 1 },
      abilities: ['request'],
      registrations: [
        {
          course: { code: 'MA101' },
          state: 'RegisterRequest',
          attempt: 'Fresh',
          abilities: ['remove', 'slots', 'swap'],
        },
      ],
    })
    expect(seen.registrations[0].slots).toMatchObject([{ day: 2, from: '10:00', to: '11:00', free: 29 }])
    const slots = ok(await student.as('POST', `/registrations/students/offering-slots/${b.id}`, {}))
    expect(slots.map((slot: { clashes: string[] }) => slot.clashes)).toEqual([['MA101'], []])
    expect(ok(await student.as('GET', `/registrations/students/current-offering-slots/${a.id}`)).chosen).toEqual(
      a.lectures,
    )
    expect(ok(await student.as('GET', `/registrations/students/${student.id}/terms`))).toMatchObject([
      { id: w.term, courses: 1, hours: 3, is_current: true },
    ])
    const asStaff = ok(await registrar('GET', `/registrations/students/requested-offerings/${student.id}`))
    expect(asStaff.abilities).toEqual(['request', 'add', 'enroll', 'override', 'over_quota', 'accept'])
    expect(asStaff.registrations[0].abilities).toEqual(expect.arrayContaining(['accept', 'reject', 'remove', 'slots']))
  })
})

describe('changing slots', () => {
  test('moves the seat, or leaves everything as it was', async () => {
    const offering = await w.offer('MA101', { groups: 4, quota: 1, day: 0, period: 2 })
    const [a, b] = [await w.student(), await w.student()]
    const [made] = ok(await request(a.as, offering, [offering.lectures[0]!]))
    const other = await w.offer('CS101', { day: 3, period: 2 })
    ok(await request(a.as, other, other.lectures))
    ok(await request(b.as, offering, [offering.lectures[1]!]))
    const move = (slot: number) =>
      a.as('PUT', '/registrations/students/update-slot-offering', {
        registration_id: made.id,
        offering_slot_ids: [slot],
      })
    expect(reasons(await move(offering.lectures[1]!))).toEqual(['slot_full'])
    // Of the time only the rules know, not the seats.
    expect(reasons(await move(offering.lectures[3]!))).toEqual(['time_clash'])
    expect(await taken(offering.lectures[0]!)).toBe(1)
    ok(await move(offering.lectures[2]!))
    expect([await taken(offering.lectures[0]!), await taken(offering.lectures[2]!)]).toEqual([0, 1])
    await w.windows('withdraw')
    expect(reasons(await move(offering.lectures[0]!))).toEqual(['stage_closed'])
    // A student does not say that a rule does not count, nor takes a seat beyond the quota.
    for (const more of [{ overrides: [{ code: 'stage_closed', reason: 'Please' }] }, { over_quota: true }]) {
      const answer = await a.as('PUT', '/registrations/students/update-slot-offering', {
        registration_id: made.id,
        offering_slot_ids: [offering.lectures[0]!],
        ...more,
      })
      expect([answer.status, reasons(answer)]).toEqual([403, ['not_allowed']])
    }
    expect(await w.wrongSeats()).toEqual([])
  })
})

describe('in a rush', () => {
  test('what is offered is read once for many, and each still gets the own answer with seats as they are', async () => {
    const [open, full] = [await w.offer('MA101', { quota: 5 }), await w.offer('PH101', { quota: 1 })]
    const [one, two, other] = [
      await w.student({ passed: ['MA101'] }),
      await w.student(),
      await w.student({ faculty: 'other' }),
    ]
    ok(await request(two.as, full, full.lectures))
    ok(
      await one.as('PUT', '/registrations/students/wait-list', {
        offering_id: full.id,
        offering_slot_ids: full.lectures,
      }),
    )
    const look = async (who: Caller) => ok(await who('GET', '/registrations/students/available-offerings'))
    const callers = [one.as, two.as, other.as]
    const alone: Awaited<ReturnType<typeof look>>[] = []
    for (const who of callers) alone.push(await look(who))
    expect(await Promise.all(Array.from({ length: 30 }, (_, i) => look(callers[i % 3]!)))).toEqual(
      Array.from({ length: 30 }, (_, i) => alone[i % 3]),
    )
    const of = (seen: { offerings: { id: number }[] }, offering: { id: number }) =>
      seen.offerings.find(({ id }) => id === offering.id)
    expect(of(alone[0], full)).toMatchObject({ registration: null, waiting: 1, wait_position: 1, slots: [{ free: 0 }] })
    expect(of(alone[1], full)).toMatchObject({ registration: { state: 'RegisterRequest' }, wait_position: null })
    expect(of(alone[0], open)).toMatchObject({ refusals: [{ code: 'already_passed' }] })
    expect(of(alone[1], open)).toMatchObject({ refusals: [] })
    // A seat that is taken is seen by the student at once, and by a rush within a second.
    ok(await request(two.as, open, open.lectures))
    expect(of(await look(two.as), open)).toMatchObject({ slots: [{ free: 4 }] })
    await expect
      .poll(
        async () => (await Promise.all(Array.from({ length: 8 }, () => look(one.as)))).map((seen) => of(seen, open)),
        {
          timeout: 1000,
        },
      )
      .toMatchObject(Array.from({ length: 8 }, () => ({ slots: [{ free: 4 }] })))
  })
})
