import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flag } from '#areas/common/academics/status.rules.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import type { RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { examDaysServer } from '../exam-days.server.ts'
import { examWorld } from '../testing.server.ts'
import type { ExamWorld } from '../testing.server.ts'
import { acrossOf, neighboursOf, samePairs } from './places.rules.ts'
import { seatExam } from './seating.rules.ts'

describe('rules', () => {
  const hall = (schedule: number, location: number, seats: number, places: number, room = 0) => ({
    schedule,
    location,
    seats,
    places,
    room,
    extra: 0,
    own_room: false,
    helper: null,
    from: '2026-06-01T09:00',
    to: '2026-06-01T11:00',
  })
  const students = (schedule: number, count: number) =>
    Array.from({ length: count }, (_, i) => [schedule, schedule * 1000 + i] as const)

  it('exams that share a hall sit between each other, everybody on a seat of the hall, the same for the same seed', () => {
    const input = {
      halls: [hall(1, 7, 50, 100), hall(2, 7, 50, 100)],
      taken: [],
      students: [...students(1, 50), ...students(2, 50)],
      needs: [],
    }
    const { seats, unseated } = seatExam(input, 5)
    expect(unseated).toEqual([])
    expect(new Set(seats.map(([, , , seat]) => seat)).size).toBe(100)
    const by = new Map(seats.map(([schedule, , , seat]) => [seat, schedule]))
    const across = acrossOf(100)
    const same = [...by].filter(
      ([seat, schedule]) => (seat % across && by.get(seat + 1) === schedule) || by.get(seat + across) === schedule,
    )
    expect(same).toEqual([])
    expect(seatExam(input, 5).seats).toEqual(seats)
    expect(seatExam(input, 6).seats).not.toEqual(seats)
  })

  it('who is alone in a hall sits apart, friends of the list are not neighbours, and taken seats stay', () => {
    const input = { halls: [hall(1, 7, 20, 60)], taken: [], students: students(1, 20), needs: [] }
    const { seats } = seatExam(input, 1)
    const across = acrossOf(60)
    const taken = new Set(seats.map(([, , , seat]) => seat))
    expect([...taken].filter((seat) => seat % across && taken.has(seat + 1))).toEqual([])
    expect(seats.toSorted((a, b) => a[3] - b[3]).map(([, , who]) => who)).not.toEqual(
      students(1, 20).map(([, who]) => who),
    )
    const late = seatExam(
      {
        halls: [hall(1, 7, 20, 60, 5)],
        taken: seats.map(([schedule, location, registration, seat]) => ({
          ...hall(schedule, location, 0, 0),
          registration,
          seat,
        })),
        students: [
          [1, 5],
          [1, 6],
        ],
        needs: [],
      },
      1,
    )
    expect(late.seats).toHaveLength(2)
    expect(late.seats.some(([, , , seat]) => taken.has(seat))).toBe(false)
    expect(late.grown).toEqual([[1, 7, 22]])
  })

  it('whoever has a room alone sits there and nobody else, whoever has more time where the hall is held as long; who finds none is counted', () => {
    const need = (registration: number, minutes: number, own_room = false, helper: string | null = null) => ({
      schedule: 1,
      registration: 1000 + registration,
      minutes,
      own_room,
      helper,
    })
    const halls = [
      hall(1, 7, 20, 60),
      { ...hall(1, 8, 10, 60), extra: 30 },
      { ...hall(1, 9, 1, 4), own_room: true, extra: 30, helper: 'reader' },
      { ...hall(1, 10, 1, 4), own_room: true },
    ]
    const input = {
      halls,
      taken: [],
      students: students(1, 32),
      needs: [need(3, 30), need(4, 15), need(5, 30, true, 'reader'), need(6, 0, true)],
    }
    const { seats, unseated } = seatExam(input, 3)
    const where = new Map(seats.map(([, location, who]) => [who, location]))
    expect([3, 4, 5, 6].map((who) => where.get(1000 + who))).toEqual([8, 8, 9, 10])
    expect(seats.filter(([, location]) => location > 8)).toHaveLength(2)
    expect([seats.length, unseated]).toEqual([32, []])
    // Longer than any hall is held, and a reader where there is none: counted, and nobody else is kept from a seat.
    const lacking = seatExam({ ...input, needs: [need(3, 40), need(5, 30, true, 'scribe')] }, 3)
    expect(lacking.unseated[0]).toEqual([1, 2])
    expect(lacking.seats).toHaveLength(30)
  })

  it('nobody sits beyond the seats of the exam: who has none is counted', () => {
    const { seats, unseated } = seatExam(
      { halls: [hall(1, 7, 3, 60)], taken: [], students: students(1, 5), needs: [] },
      1,
    )
    expect([seats.length, unseated]).toEqual([3, [[1, 2]]])
    expect(seatExam({ halls: [], taken: [], students: students(1, 2), needs: [] }, 1).unseated).toEqual([[1, 2]])
  })
})

describe('neighbours', () => {
  it('are beside, before and behind; rows end', () => {
    // 60 seats stand in rows of ten.
    expect(neighboursOf(1, 60)).toEqual({ beside: [2], before: [], behind: [11] })
    expect(neighboursOf(10, 60)).toEqual({ beside: [9], before: [], behind: [20] })
    expect(neighboursOf(11, 60)).toEqual({ beside: [12], before: [1], behind: [21] })
    expect(neighboursOf(60, 60)).toEqual({ beside: [59], before: [50], behind: [] })
  })

  it('who write the same are counted as pairs, where the hall has another exam to part them', () => {
    const sits = (...seats: [number, number][]) => samePairs(seats, 60)
    expect(sits([1, 7], [2, 7], [3, 8])).toBe(1)
    expect(sits([1, 7], [2, 8], [3, 7])).toBe(0)
    expect(sits([1, 7], [11, 7], [12, 7], [30, 8])).toBe(2)
    // The end of a row and the beginning of the next are apart.
    expect(sits([10, 7], [11, 7], [30, 8])).toBe(0)
    expect(sits([1, 7], [2, 7])).toBe(0)
  })
})

describe('seats of an exam', () => {
  let u: TestUniversity
  let w: RegistrationWorld
  let x: ExamWorld
  let office: Caller
  beforeAll(async () => {
    u = await testUniversity([catalogueServer, registrationServer, studentsServer, gradingServer, examDaysServer])
    w = await registrationWorld(u)
    x = await examWorld(w)
    office = await u.as('exam_officer', ['faculty', w.faculty])
  })
  afterAll(() => u.close())

  it('are proposed, taken, given to who comes late, lost with their hall, printed, and nobody’s who does not reach them', async () => {
    const [first, second] = [await w.offer('MA101'), await w.offer('PH101')]
    const people = await Promise.all(Array.from({ length: 9 }, () => w.student()))
    const ids = people.map((one) => one.id)
    const [big, small] = [await x.hall(12), await x.hall(4)]
    const exam = await x.exam('final', [big, small])
    await x.register(first.id, ids.slice(0, 5))
    await x.register(second.id, ids.slice(5, 8))
    const one = await x.schedule(
      exam,
      first.id,
      [
        [big, 3],
        [small, 2],
      ],
      { day: 1 },
    )
    const two = await x.schedule(exam, second.id, [[big, 3]], { day: 1 })
    const show = async () => ok(await office('GET', `/exam-seats/${exam}`))
    const propose = (only_missing = false) => office('POST', `/exam-seats/assign/${exam}`, { only_missing, seed: 3 })
    const seatsNow = () =>
      w.query<{ registration_id: number; seat: number; location_id: number }>(
        'select registration_id, seat, location_id from exam_seats where exam_schedule_id = any($1) order by registration_id',
        [[one, two]],
      )
    expect(await show()).toMatchObject({ students: 8, people: 8, seated: 0, missing: 8, proposal: null })
    // An exam that nobody sits has no seats to propose.
    const empty = await x.exam('final', [big])
    const nobody = await office('POST', `/exam-seats/assign/${empty}`, { only_missing: false, seed: 3 })
    expect([nobody.status, reasons(nobody)]).toEqual([409, ['seats_nobody']])
    const proposal = ok(await propose()).proposal
    expect(proposal).toMatchObject({ seated: 8, unseated: [] })
    expect(await seatsNow()).toEqual([])
    // Halls and plans show it before it is taken; who could not take it sees what stands.
    const sum = (answer: any, of: 'proposed' | 'seated') =>
      answer.sittings.reduce((total: number, one: any) => total + one[of], 0)
    const looked = (await office('GET', `/exam-seats/${exam}`)).body
    expect([sum(looked, 'proposed'), sum(looked, 'seated')]).toEqual([8, 0])
    const fullest = looked.sittings.toSorted((a: any, b: any) => b.proposed - a.proposed)[0]
    const hallPlan = ok(await office('GET', `/exam-seats/hall/${fullest.id}`))
    expect([hallPlan.proposed, hallPlan.rows.length, hallPlan.seated]).toEqual([fullest.proposed, fullest.proposed, 0])

    const reader = await u.as('control_team', ['faculty', w.faculty])
    const read = (await reader('GET', `/exam-seats/${exam}`)).body
    expect([sum(read, 'proposed'), read.sittings.length]).toEqual([0, looked.sittings.length])
    expect(ok(await reader('GET', `/exam-seats/hall/${fullest.id}`)).rows).toEqual([])

    // Somebody registers before it is taken: it is made again.
    const [late] = await x.register(second.id, [ids[8]!])
    expect(reasons(await office('POST', `/exam-seats/take/${proposal.id}`, {}))).toEqual(['seating_stale'])
    await w.query('delete from registrations where id = $1', [late])
    const again = ok(await propose()).proposal
    expect(reasons(await office('POST', `/exam-seats/take/${proposal.id}`, {}))).toEqual(['seating_over'])
    expect(ok(await office('POST', `/exam-seats/take/${again.id}`, {}))).toMatchObject({
      seated: 8,
      missing: 0,
      proposal: null,
    })
    const before = await seatsNow()
    const stands = (await office('GET', `/exam-seats/${exam}`)).body
    expect([sum(stands, 'proposed'), sum(stands, 'seated')]).toEqual([0, 8])

    // Late: one more seat in the hall, and all others stay where they are.
    await x.register(second.id, [ids[8]!])
    expect(await show()).toMatchObject({ students: 9, missing: 1 })
    const more = ok(await propose(true)).proposal
    expect(more).toMatchObject({ seated: 1, only_missing: true, unseated: [] })
    ok(await office('POST', `/exam-seats/take/${more.id}`, {}))
    expect((await seatsNow()).slice(0, 8)).toEqual(before)
    expect(await seatsNow()).toHaveLength(9)
    expect(reasons(await propose(true))).toEqual(['seats_none_missing'])
    // Who leaves makes room: whoever comes instead takes that seat, and the hall has as many as before.
    await w.query('update registrations set status = $2 where id = $1', [
      before[0]!.registration_id,
      String(flag.Withdrawn | flag.Fresh),
    ])
    const instead = await w.student()
    await x.register(first.id, [instead.id])
    const planned = () =>
      w.query('select location_id, seats from exam_schedule_locations where exam_schedule_id = $1 order by 1', [one])
    const halls = await planned()
    ok(await office('POST', `/exam-seats/take/${ok(await propose(true)).proposal.id}`, {}))
    expect(await planned()).toEqual(halls)
    expect(await show()).toMatchObject({ students: 9, seated: 9, missing: 0 })
    await w.query('delete from registrations where student_id = $1', [instead.id])
    await w.query('update registrations set status = $2 where id = $1', [
      before[0]!.registration_id,
      String(flag.Registered | flag.Fresh),
    ])
    ok(await office('POST', `/exam-seats/take/${ok(await propose(true)).proposal.id}`, {}))

    // The database: a seat is one person's at a time, of an exam that is the person's.
    const [sits, other] = [before[0]!, before[5]!]
    const put = (schedule: number, registration: number, seat: number) =>
      w.query(
        `insert into exam_seats (exam_schedule_id, location_id, seat, registration_id, during)
         select $1, location_id, $3, $2, during from exam_schedule_locations where exam_schedule_id = $1 and location_id = $4`,
        [schedule, registration, seat, big],
      )
    await expect(put(one, sits.registration_id, 12)).rejects.toThrow('exam_seat_twice')
    await expect(put(one, other.registration_id, 12)).rejects.toThrow(/exam/)
    await w.query('delete from exam_seats where registration_id = $1', [other.registration_id])
    const taken = before.find((row) => row.location_id === big && row.registration_id !== other.registration_id)!
    await expect(put(two, other.registration_id, taken.seat)).rejects.toThrow('exam_seat_taken')
    await expect(put(two, other.registration_id, 13)).rejects.toThrow()

    // Door list, plan and attendance sheet, in both languages.
    for (const [path, body] of [
      ['/exam-seats/print/door', { exam_id: exam, lang: 'ar' }],
      ['/exam-seats/print/plan', { exam_id: exam, lang: 'en' }],
      ['/exams/print-attendance-sheet', { exam_id: exam, exam_schedule_id: one, lang: 'ar' }],
    ] as const) {
      const answer = await office('POST', path, body)
      expect(answer.bytes.subarray(0, 5).toString(), path).toBe('%PDF-')
    }
    // What was printed is kept: right until somebody sits elsewhere.
    const sittingOf = async () => (await office('GET', `/exam-seats/${exam}`)).body.sittings
    expect((await sittingOf()).map((row: any) => row.printed.toSorted().join())).toEqual([
      'door,plan',
      'door,plan,sheet',
    ])
    expect((await show()).outdated).toEqual([])
    const { sheets } = await readSheet(
      (await office('POST', '/exams/export-excel-attendance-sheet', { exam_id: exam, lang: 'en' })).bytes,
    )
    expect(sheets[0]!.rows).toHaveLength(10)
    const held = (await office('GET', `/exam-seats/${exam}`)).body.sittings
    const plan = ok(await office('GET', `/exam-seats/hall/${held.find((row: any) => row.hall.id === big).id}`))
    expect(plan).toMatchObject({ places: 12, courses: ['MA101', 'PH101'], same: 0 })
    // In the small hall one exam only is written: that is no pair that could have been parted.
    expect(held.map((row: any) => row.same)).toEqual([0, 0])
    expect(plan.rows).toHaveLength(6)

    // A hall is lost: it is told, and those who sat there are without a seat.
    await w.query('delete from exam_schedule_locations where exam_schedule_id = $1 and location_id = $2', [one, small])
    const lost = await show()
    expect(lost.lost.map((row: any) => [row.course.code, row.hall.id])).toEqual([['MA101', small]])
    expect(lost.missing).toBe(3)
    // Its lists still hang there, and are told to be wrong; a sheet was printed of one of the exams alone.
    const wrong = async () =>
      (await show()).outdated.map((row: any) => `${row.course.code} ${row.hall.code} ${row.kind}`).toSorted()
    const [bigCode, smallCode] = (
      await w.query<{ code: string }>('select code from locations where id = any($1) order by capacity desc', [
        [big, small],
      ])
    ).map((row) => row.code)
    expect(await wrong()).toEqual([`MA101 ${smallCode} door`, `MA101 ${smallCode} plan`, `MA101 ${smallCode} sheet`])
    ok(await office('POST', '/exam-seats/print/door', { exam_id: exam }))
    expect(await wrong()).toEqual([`MA101 ${smallCode} plan`, `MA101 ${smallCode} sheet`])
    // An exam that moves leaves its seats; a slot at another time takes them along.
    await w.query(`update exam_slots set start_time = '09:30', end_time = '11:30' where id = $1`, [x.slots[0]])
    expect(await w.query('select from exam_seats where exam_schedule_id = $1', [two])).toHaveLength(3)
    await w.query('update exam_schedules set exam_slot_id = $2 where id = $1', [two, x.slots[1]])
    expect(await w.query('select from exam_seats where exam_schedule_id = $1', [two])).toHaveLength(0)

    expect(await wrong()).toContain(`PH101 ${bigCode} door`)

    // Who left sits nowhere.
    const elsewhere = await u.as('exam_officer', ['faculty', w.otherFaculty])
    expect((await elsewhere('GET', `/exam-seats/${exam}`)).status).toBe(404)
    expect((await elsewhere('POST', `/exam-seats/assign/${exam}`, {})).status).toBe(404)
    expect((await elsewhere('POST', '/exams/print-attendance-sheet', { exam_id: exam })).status).toBe(422)
    expect(ok(await elsewhere('GET', '/exam-seats/lookups'))).toEqual([])
    const control = await u.as('control_team', ['faculty', w.faculty])
    expect((await control('POST', `/exam-seats/assign/${exam}`, {})).status).toBe(403)
    expect((await people[0]!.as('GET', `/exam-seats/${exam}`)).status).toBe(403)
  })
})
