import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attendanceServer } from '#areas/enrolment/attendance/attendance.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { flag, fromWire, mainFlags, mainOf, type MainFlag } from '#areas/common/academics/status.rules.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import type { RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { checkAbsence, checkChange, checkRestore } from './absences/absence.rules.ts'
import { foundBy } from './absences/hall.rules.ts'
import { checkGiveBack, checkTaken } from './cases/case.rules.ts'
import { examDaysServer } from './exam-days.server.ts'
import { examWorld } from './testing.server.ts'
import type { ExamWorld } from './testing.server.ts'
import { examTimesJob } from './told.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let x: ExamWorld
let office: Caller
let dean: Caller
beforeAll(async () => {
  u = await testUniversity([
    catalogueServer,
    registrationServer,
    studentsServer,
    gradingServer,
    attendanceServer,
    examDaysServer,
  ])
  w = await registrationWorld(u)
  x = await examWorld(w)
  office = await u.as('exam_officer', ['faculty', w.faculty])
  dean = await u.as('dean', ['faculty', w.faculty])
})
afterAll(() => u.close())

const stateOf = async (registration: number) =>
  mainOf(
    fromWire(
      (await w.query<{ status: string }>('select status::text from registrations where id = $1', [registration]))[0]!
        .status,
    ),
  )
/** An exam that was held yesterday in a hall where its students have seats; another is tomorrow. */
async function held(kind: 'final' | 'midterm' = 'final', count = 3) {
  const offering = await w.offer('MA101')
  const people = []
  for (let i = 0; i < count; i++) people.push(await w.student())
  const hall = await x.hall(20)
  const exam = await x.exam(kind, [hall])
  const registrations = await x.register(
    offering.id,
    people.map((one) => one.id),
  )
  const schedule = await x.schedule(exam, offering.id, [[hall, count]])
  const seating = ok(await office('POST', `/exam-seats/assign/${exam}`, {})).proposal
  ok(await office('POST', `/exam-seats/take/${seating.id}`, {}))
  const [place] = await w.query<{ id: number }>('select id from exam_schedule_locations where exam_schedule_id = $1', [
    schedule,
  ])
  return { offering, people, registrations, exam, schedule, hall, place: place!.id }
}
/** A midterm and a final exam in the marks of an offering. */
async function marksOf(offering: number) {
  const category = async (kind: 'midterm' | 'final') =>
    (
      await w.query<{ id: number }>(
        `with k as (insert into mark_categories (code, name, name_local, is_final_exam, exam_kind)
           values ($1, $1, $1, $2, case when not $2 then 'midterm' end) on conflict (code) do update set name = excluded.name returning id)
         insert into offering_marks (offering_id, mark_category_id, max) select $3, id, 50 from k returning id`,
        [kind, kind === 'final', offering],
      )
    )[0]!.id
  const of = { midterm: await category('midterm'), final: await category('final') }
  return {
    stand: async (registration: number) => {
      const [found] = await w.query<{ mark: string | null }>(
        `select case when absent then 'A' else mark::text end as mark from registration_marks where registration_id = $1`,
        [registration],
      )
      return found?.mark ?? null
    },
    /** A mark; null: absent. */
    put: (registration: number, mark: number | null, kind: 'midterm' | 'final' = 'midterm') =>
      w.query(
        'insert into registration_marks (registration_id, offering_mark_id, mark, absent) values ($1, $2, $3, $4)',
        [registration, of[kind], mark, mark === null],
      ),
  }
}
const control = (id: number, status: string) =>
  w.query('update offerings set control_status = $2 where id = $1', [id, status])
const absent = (who: Caller, schedule: number, registration_ids: number[]) =>
  who('PUT', `/exam-schedules/absences/${schedule}`, { registration_ids })
const notices = async (user: number) =>
  (await w.query<{ key: string }>('select key from notifications where user_id = $1 order by id', [user])).map(
    (row) => row.key,
  )

describe('absences', () => {
  it('of a final exam take the registration along, and bring it back', async () => {
    const { registrations, schedule, people } = await held()
    const [first, second] = registrations as [number, number]
    const { ids } = ok(await absent(office, schedule, [first, second]))
    expect(await stateOf(first)).toBe('Absent')
    expect(reasons(await absent(office, schedule, [first]))).toEqual(['absence_recorded'])
    expect(await notices(people[0]!.user_id)).toEqual(['exam-days.notice_absent'])
    expect(reasons(await office('POST', `/exam-absences/cancel/${ids[0]}`, {}))).toEqual(['reason_required@reason'])
    ok(await office('POST', `/exam-absences/cancel/${ids[0]}`, { reason: 'Sat in another hall' }))
    expect(await stateOf(first)).toBe('Registered')
    ok(await office('POST', `/exam-absences/excuse/${ids[1]}`, { reason: 'Hospital paper' }))
    expect(await stateOf(second)).toBe('Incomplete')
    ok(await office('POST', `/exam-absences/restore/${ids[1]}`, { reason: 'The paper was false' }))
    expect(await stateOf(second)).toBe('Absent')
    // Cancelled, it may be recorded again by each of the three doors.
    ok(await office('PUT', '/exam-absences', { exam_schedule_id: schedule, registration_id: first }))
    expect(await stateOf(first)).toBe('Absent')
    expect(
      reasons(
        await office('PUT', '/exam-schedules/absences', { exam_schedule_id: schedule, registration_ids: [first] }),
      ),
    ).toEqual(['absence_recorded'])
    const listed = await office('POST', '/exam-absences', { filters: { status: ['recorded'] } })
    expect(listed.body.data.map((row: any) => row.abilities).flat()).toContain('excuse')
  })

  it('are refused before the exam, of who does not sit it, and once control has the marks', async () => {
    const { offering, registrations, schedule, exam } = await held()
    const other = await w.offer('PH101')
    const tomorrow = await x.schedule(exam, other.id, [], { day: 1 })
    const [later] = await x.register(other.id, [(await w.student()).id])
    expect(reasons(await absent(office, tomorrow, [later!]))).toEqual(['exam_not_begun'])
    expect(reasons(await absent(office, schedule, [later!]))).toEqual(['exam_seat_other@registration_ids'])
    await w.query('update registrations set status = $2 where id = $1', [
      registrations[2],
      String(flag.Withdrawn | flag.Fresh),
    ])
    expect(reasons(await absent(office, schedule, [registrations[2]!]))).toEqual(['exam_not_sat'])
    const { ids } = ok(await absent(office, schedule, [registrations[0]!]))
    await control(offering.id, 'Submitted')
    expect(reasons(await absent(office, schedule, [registrations[1]!]))).toEqual(['control_holds'])
    expect(reasons(await office('POST', `/exam-absences/cancel/${ids[0]}`, { reason: 'Late' }))).toEqual([
      'control_holds',
    ])
    expect(await stateOf(registrations[0]!)).toBe('Absent')
    // Control itself may until it has approved.
    const head = await u.as('control_head', ['faculty', w.faculty])
    ok(await absent(head, schedule, [registrations[1]!]))
    await control(offering.id, 'Draft')
  })

  it('an accepted excuse of the exam excuses the absence, whichever came first; accepted no more, it counts', async () => {
    const { offering, people, registrations, schedule } = await held()
    const registrar = await u.as('registrar')
    await w.windows('excuse', 'exam')
    const excuse = async (who: (typeof people)[number]) =>
      ok(
        await who.as('PUT', '/excuses', {
          student_id: who.id,
          kind: 'exam',
          offering_id: offering.id,
          from_date: (await w.query<{ d: string }>('select (university_today() - 2)::text as d'))[0]!.d,
          to_date: (await w.query<{ d: string }>('select university_today()::text as d'))[0]!.d,
          why: 'I was ill',
        }),
      ).id as number
    const { ids } = ok(await absent(office, schedule, [registrations[0]!]))
    const first = await excuse(people[0]!)
    ok(await registrar('POST', `/excuses/update_status/${first}`, { status: 'accepted' }))
    expect(await stateOf(registrations[0]!)).toBe('Incomplete')
    expect(await w.query('select status, excuse_id from exam_absences where id = $1', [ids[0]])).toEqual([
      { status: 'excused', excuse_id: first },
    ])
    ok(await registrar('POST', `/excuses/update_status/${first}`, { status: 'requested', reason: 'Looked at again' }))
    expect(await stateOf(registrations[0]!)).toBe('Absent')
    const second = await excuse(people[1]!)
    ok(await registrar('POST', `/excuses/update_status/${second}`, { status: 'accepted' }))
    expect(ok(await absent(office, schedule, [registrations[1]!]))).toMatchObject({ recorded: 0, excused: 1 })
    expect(await stateOf(registrations[1]!)).toBe('Incomplete')
  })

  it('of a midterm stand as absent in its marks, and leave them when they are cancelled or excused', async () => {
    const { offering, registrations, schedule, people } = await held('midterm')
    const [first, second, third] = registrations as [number, number, number]
    const graded = await marksOf(offering.id)
    const { ids } = ok(await absent(office, schedule, [first, second]))
    expect(await graded.stand(first)).toEqual('A')
    expect(await stateOf(first)).toBe('Registered')
    ok(await office('POST', `/exam-absences/cancel/${ids[0]}`, { reason: 'Sat in another hall' }))
    expect(await graded.stand(first)).toBeNull()
    ok(await office('POST', `/exam-absences/excuse/${ids[1]}`, { reason: 'Hospital paper' }))
    expect(await graded.stand(second)).toBeNull()
    // The exam was sat later: what is marked is neither absent again, nor recorded as absent.
    await graded.put(second, 17)
    await graded.put(third, 12.5)
    const again = await office('POST', `/exam-absences/restore/${ids[1]}`, { reason: 'The paper was false' })
    expect([reasons(again), again.body.errors[0].data]).toMatchObject([['absence_marked'], { mark: '17' }])
    expect(reasons(await absent(office, schedule, [third]))).toEqual(['absence_marked'])
    expect([await graded.stand(second), await graded.stand(third)]).toEqual(['17.00', '12.50'])
    // What an instructor has typed as absent already stays as it was typed.
    await graded.put(first, null)
    ok(await absent(office, schedule, [first]))
    expect(await graded.stand(first)).toBe('A')
    // Control has the marks: nothing that would change them.
    const { id } = ok(
      await office('POST', '/exam-absences', { filters: { status: ['recorded'] }, search: 'MA101' }),
    ).find((row: any) => row.student.id === people[0]!.id)
    await control(offering.id, 'Submitted')
    expect(reasons(await office('POST', `/exam-absences/cancel/${id}`, { reason: 'Late' }))).toEqual(['control_holds'])
    expect(await graded.stand(first)).toBe('A')
    const head = await u.as('control_head', ['faculty', w.faculty])
    ok(await head('POST', `/exam-absences/cancel/${id}`, { reason: 'The list was wrong' }))
    expect(await graded.stand(first)).toBeNull()
    await control(offering.id, 'Draft')
  })

  it('of who has a mark in the final exam are refused, and say which', async () => {
    const { offering, registrations, schedule } = await held()
    const graded = await marksOf(offering.id)
    await graded.put(registrations[0]!, 40, 'final')
    const refused = await absent(office, schedule, [registrations[0]!, registrations[1]!])
    expect([reasons(refused), refused.body.errors[0].data]).toMatchObject([
      ['absence_marked@registration_ids.0'],
      { mark: '40' },
    ])
    expect([await stateOf(registrations[0]!), await stateOf(registrations[1]!)]).toEqual(['Registered', 'Registered'])
  })

  it('of a whole hall are recorded at once, also when two do it at the same moment', async () => {
    const { registrations, place, schedule, people, exam } = await held('final', 4)
    const hall = (who: Caller, ids: readonly number[]) =>
      who('PUT', `/exam-absences/hall/${place}`, { registration_ids: ids })
    const shown = ok(await office('GET', `/exam-absences/hall/${place}`))
    expect(shown.rows.map((row: any) => [row.registration_id, row.absence]).toSorted()).toEqual(
      registrations.map((id) => [id, null]).toSorted(),
    )
    const [a, b, c] = registrations as [number, number, number]
    const colleague = await u.as('exam_officer', ['faculty', w.faculty])
    const both = await Promise.all([hall(office, [a, b]), hall(colleague, [b, c])])
    const counts = both.map((answer) => ok(answer))
    expect(counts.reduce((sum, one) => sum + one.recorded, 0)).toBe(3)
    expect(counts.reduce((sum, one) => sum + one.already, 0)).toBe(1)
    expect(await Promise.all([a, b, c].map(stateOf))).toEqual(['Absent', 'Absent', 'Absent'])
    // Told once.
    expect(await notices(people[1]!.user_id)).toEqual(['exam-days.notice_absent'])
    // What was excused meanwhile is not recorded over.
    const [row] = await w.query<{ id: number }>('select id from exam_absences where registration_id = $1', [a])
    ok(await office('POST', `/exam-absences/excuse/${row!.id}`, { reason: 'Hospital paper' }))
    expect(ok(await hall(office, [a]))).toMatchObject({ recorded: 0, excused: 0, already: 1 })
    expect(await stateOf(a)).toBe('Incomplete')
    const halls = ok(await office('POST', '/exam-absences/lookups', { exam_id: exam })).halls
    expect(halls).toMatchObject([{ seated: 4, absent: 3, begun: true }])
    // Nobody of another hall, and the wrong person nothing.
    const other = await held('final', 1)
    expect(reasons(await hall(office, [other.registrations[0]!]))).toEqual(['exam_seat_other@registration_ids.0'])
    const elsewhere = await u.as('exam_officer', ['faculty', w.otherFaculty])
    expect((await hall(elsewhere, [a])).status).toBe(404)
    expect((await elsewhere('GET', `/exam-absences/hall/${place}`)).status).toBe(404)
    expect((await people[0]!.as('GET', `/exam-absences/hall/${place}`)).status).toBe(403)
    expect((await hall(dean, [a])).status).toBe(403)
    expect(reasons(await absent(office, schedule, [b]))).toEqual(['absence_recorded'])
  })

  it('who teaches learns of the halls of an exam once that is published', async () => {
    const { offering, exam, place } = await held('midterm')
    const teacher = await u.as('instructor', undefined, { type: 1 })
    const [{ id }] = (await w.query<{ id: number }>(
      `insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, 'EXT-1', 'T', 'م', $2) returning id`,
      [teacher.user_id, w.faculty],
    )) as [{ id: number }]
    await w.query('insert into offering_instructors (offering_id, instructor_id) values ($1, $2)', [offering.id, id])
    u.auth.forget()
    const seen = async () => [
      ok(await teacher('GET', '/exam-seats/lookups')).map((one: any) => one.id),
      (await teacher('GET', `/exam-seats/${exam}`)).status,
      (await teacher('GET', `/exam-seats/hall/${place}`)).status,
      (await teacher('POST', '/exams/export-excel-attendance-sheet', { exam_id: exam, lang: 'en' })).status,
    ]
    expect(await seen()).toEqual([[], 404, 404, 422])
    await w.query(`update exams set status = 'published', published_at = now() where id = $1`, [exam])
    expect(await seen()).toEqual([[exam], 200, 200, 200])
  })
  it.each([
    ['final', 'DropRequest', 'exam_request_waits'],
    ['final', 'WithdrawRequest', 'exam_request_waits'],
    ['final', 'ExcuseRequest', 'exam_request_waits'],
    ['final', 'AddRequest', 'exam_request_waits'],
    ['final', 'Incomplete', 'exam_not_sat'],
    ['final', 'Punished', 'exam_not_sat'],
    ['midterm', 'RegisterRequest', 'exam_request_waits'],
    ['midterm', 'WithdrawRequest', null],
    ['midterm', 'Complete', 'exam_not_sat'],
  ] as const)('of a %s while it is %s: the list says what recording says', async (kind, main, code) => {
    const { offering, registrations, place, schedule, people } = await held(kind, 3)
    const [first, second] = registrations as [number, number, number]
    const graded = await marksOf(offering.id)
    await w.query(
      `with decided as (insert into exam_cases (exam_schedule_id, registration_id, status, what, measure, punished_ids)
         select $3, $1, 'punished', 'Notes', 'course', array[$1::int] where $4 = 'Punished')
       update registrations set status = $2 where id = $1`,
      [first, String(flag[main] | flag.Fresh), schedule, main],
    )
    const { rows } = ok(await office('GET', `/exam-absences/hall/${place}`))
    const line = (id: number) => rows.find((row: any) => row.registration_id === id)
    expect([line(first).refused?.code ?? null, line(second).refused]).toEqual([code, null])
    const { code: student } = (
      await w.query<{ code: string }>('select code from students where id = $1', [people[0]!.id])
    )[0]!
    const [found] = ok(await office('POST', '/exam-absences/get_student_info', { text: student }))
    expect(found.exams[0].refused?.code ?? null).toBe(code)
    const both = await office('PUT', `/exam-absences/hall/${place}`, { registration_ids: [second, first] })
    if (code === null) {
      expect(ok(both)).toMatchObject({ recorded: 2 })
      expect([await stateOf(first), await graded.stand(first)]).toEqual([main, 'A'])
      return
    }
    // Of whom it is said; and nobody of the hall is recorded.
    expect([reasons(both), both.body.errors[0].data]).toMatchObject([
      [`${code}@registration_ids.1`],
      { course: 'MA101', student_code: student, student: expect.any(String), student_local: expect.any(String) },
    ])
    expect(await stateOf(second)).toBe('Registered')
    expect(reasons(await absent(office, schedule, [first]))).toEqual([code])
    expect(ok(await office('GET', `/exam-absences/hall/${place}`)).absent).toBe(0)
  })

  it('of a hall that several exams share are refused with everybody of whom it is not possible', async () => {
    const { registrations, place, hall, exam } = await held('final', 2)
    const other = await w.offer('PH101')
    const [theirs, beside] = (await x.register(other.id, [(await w.student()).id, (await w.student()).id])) as [
      number,
      number,
    ]
    await x.schedule(exam, other.id, [[hall, 2]])
    const seating = ok(await office('POST', `/exam-seats/assign/${exam}`, {})).proposal
    ok(await office('POST', `/exam-seats/take/${seating.id}`, {}))
    for (const [id, main] of [
      [registrations[1], 'DropRequest'],
      [theirs, 'WithdrawRequest'],
    ] as const)
      await w.query('update registrations set status = $2 where id = $1', [id, String(flag[main] | flag.Fresh)])
    const refused = await office('PUT', `/exam-absences/hall/${place}`, {
      registration_ids: [beside, theirs, registrations[0], registrations[1]],
    })
    expect(reasons(refused).toSorted()).toEqual([
      'exam_request_waits@registration_ids.1',
      'exam_request_waits@registration_ids.3',
    ])
    expect([await stateOf(beside), await stateOf(registrations[0]!)]).toEqual(['Registered', 'Registered'])
  })

  it('of who has a mark, or whom control holds, are refused in the list of the hall', async () => {
    const { offering, registrations, place } = await held('midterm', 2)
    const graded = await marksOf(offering.id)
    await graded.put(registrations[0]!, 17)
    const codes = async (who: Caller) =>
      new Map(
        ok(await who('GET', `/exam-absences/hall/${place}`)).rows.map((row: any) => [
          row.registration_id,
          row.refused?.code ?? null,
        ]),
      )
    const told = await codes(office)
    expect(registrations.map((id) => told.get(id))).toEqual(['absence_marked', null])
    await control(offering.id, 'Submitted')
    const behind = await codes(office)
    expect(registrations.map((id) => behind.get(id))).toEqual(['absence_marked', 'control_holds'])
    const head = await u.as('control_head', ['faculty', w.faculty])
    expect((await codes(head)).get(registrations[1]!)).toBeNull()
    await control(offering.id, 'Draft')
  })

  it('of a midterm leave the registration alone, and the wrong person gets nothing', async () => {
    const { registrations, schedule, people, exam } = await held('midterm')
    ok(await absent(office, schedule, [registrations[0]!]))
    expect(await stateOf(registrations[0]!)).toBe('Registered')
    const elsewhere = await u.as('exam_officer', ['faculty', w.otherFaculty])
    expect((await absent(elsewhere, schedule, [registrations[1]!])).status).toBe(404)
    expect((await elsewhere('POST', '/exam-absences', {})).body.data).toEqual([])
    expect(ok(await elsewhere('POST', '/exam-absences/get_student_info', { text: 'S0' }))).toEqual([])
    expect((await absent(dean, schedule, [registrations[1]!])).status).toBe(403)
    expect((await absent(people[0]!.as, schedule, [registrations[1]!])).status).toBe(403)
    const [{ code }] = (await w.query<{ code: string }>('select code from students where id = $1', [
      people[0]!.id,
    ])) as [{ code: string }]
    const [found] = ok(await office('POST', '/exam-absences/get_student_info', { text: code, exam_id: exam }))
    expect(found.exams).toMatchObject([{ exam_schedule_id: schedule, absence: 'recorded', begun: true }])
  })
})

describe('investigations', () => {
  const open = (who: Caller, schedule: number, registration_id: number) =>
    who('PUT', `/exam-schedules/investigations/${schedule}`, { registration_id, what: 'Notes under the booklet' })
  it('are decided by another person; a punishment takes the course, an appeal or taking it back gives it back', async () => {
    const { registrations, schedule, people } = await held()
    const { id } = ok(await open(office, schedule, registrations[0]!))
    expect(reasons(await open(office, schedule, registrations[0]!))).toEqual(['exam_case_twice@exam_schedule_id'])
    expect((await office('PUT', '/exam-punishment', { id, decision: 'punish', reason: 'x y z' })).status).toBe(403)
    ok(await dean('PUT', '/exam-punishment', { id, decision: 'punish', reason: 'Council of the faculty' }))
    expect(await stateOf(registrations[0]!)).toBe('Punished')
    expect(reasons(await dean('POST', `/exam-punishment/warn/${id}`, { reason: 'Again' }))).toEqual(['step_state'])
    ok(await office('POST', `/exam-punishment/appeal/${id}`, { reason: 'The student appealed' }))
    expect(await stateOf(registrations[0]!)).toBe('Punished')
    ok(await dean('POST', `/exam-punishment/uphold/${id}`, { reason: 'Nothing new' }))
    ok(await dean('POST', `/exam-punishment/reopen/${id}`, { reason: 'New witness' }))
    expect(await stateOf(registrations[0]!)).toBe('Registered')
    ok(await dean('POST', `/exam-punishment/warn/${id}`, { reason: 'First time' }))
    expect(await stateOf(registrations[0]!)).toBe('Registered')
    expect(await notices(people[0]!.user_id)).toEqual(
      expect.arrayContaining(['exam-days.notice_opened', 'exam-days.notice_case']),
    )
    expect(ok(await dean('GET', `/exam-punishment/steps/${id}`)).length).toBeGreaterThan(4)
    // Whoever opened it does not decide, whatever rights he or she has.
    const both = await u.as('admin')
    const mine = ok(await open(both, schedule, registrations[1]!)).id
    expect(reasons(await both('POST', `/exam-punishment/clear/${mine}`, { reason: 'Mine' }))).toEqual(['step_own'])
  })

  it('a punishment keeps the marks, voids the result while it stands, and gives both back when it is withdrawn', async () => {
    const { offering, registrations, schedule } = await held()
    const [first] = registrations as [number]
    const graded = await marksOf(offering.id)
    await graded.put(first, 44, 'final')
    const { id } = ok(await open(office, schedule, first))
    ok(await dean('POST', `/exam-punishment/punish/${id}`, { reason: 'Council of the faculty' }))
    expect([await stateOf(first), await graded.stand(first)]).toEqual(['Punished', '44.00'])
    // Neither absent nor looked into again, and nobody else's case is touched.
    expect(reasons(await absent(office, schedule, [first]))).toEqual(expect.arrayContaining(['exam_not_sat']))
    expect(reasons(await open(office, schedule, first))).toEqual(['exam_case_twice@exam_schedule_id'])
    ok(await office('POST', `/exam-punishment/appeal/${id}`, { reason: 'The student appealed' }))
    // Once results are frozen nobody gives it back.
    await control(offering.id, 'Frozen')
    expect(reasons(await dean('POST', `/exam-punishment/clear/${id}`, { reason: 'Not proven' }))).toEqual([
      'control_holds',
    ])
    expect(await stateOf(first)).toBe('Punished')
    await control(offering.id, 'Draft')
    ok(await dean('POST', `/exam-punishment/clear/${id}`, { reason: 'Not proven' }))
    expect([await stateOf(first), await graded.stand(first)]).toEqual(['Registered', '44.00'])
    const again = ok(await open(office, schedule, first)).id
    ok(await dean('POST', `/exam-punishment/warn/${again}`, { reason: 'A warning is enough' }))
    expect(await stateOf(first)).toBe('Registered')
    expect((await office('POST', `/exam-punishment/reopen/${again}`, { reason: 'x y z' })).status).toBe(403)
  })

  it('of a whole term takes no course of the other program of the same person', async () => {
    const { registrations, schedule, people } = await held()
    const other = await w.offer('PH101')
    const twin = await w.student({ faculty: 'other' })
    await w.query('update students set user_id = $2, is_second_record = true where id = $1', [
      twin.id,
      people[0]!.user_id,
    ])
    const [theirs] = await x.register(other.id, [twin.id])
    const { id } = ok(await open(office, schedule, registrations[0]!))
    ok(await dean('POST', `/exam-punishment/punish-term/${id}`, { reason: 'Council' }))
    expect([await stateOf(registrations[0]!), await stateOf(theirs!)]).toEqual(['Punished', 'Registered'])
  })

  it('of a whole term take every course of it, or none where control holds one', async () => {
    const { registrations, schedule, people } = await held()
    const other = await w.offer('EN101')
    const [also] = await x.register(other.id, [people[0]!.id])
    const { id } = ok(await open(office, schedule, registrations[0]!))
    await control(other.id, 'Frozen')
    expect(reasons(await dean('POST', `/exam-punishment/punish-term/${id}`, { reason: 'Council' }))).toEqual([
      'control_holds',
    ])
    expect(await stateOf(registrations[0]!)).toBe('Registered')
    await control(other.id, 'Draft')
    ok(await dean('POST', `/exam-punishment/punish-term/${id}`, { reason: 'Council' }))
    expect([await stateOf(registrations[0]!), await stateOf(also!)]).toEqual(['Punished', 'Punished'])
    ok(await office('POST', `/exam-punishment/appeal/${id}`, { reason: 'Appeal' }))
    ok(await dean('POST', `/exam-punishment/clear/${id}`, { reason: 'Not proven' }))
    expect([await stateOf(registrations[0]!), await stateOf(also!)]).toEqual(['Registered', 'Registered'])
  })
})

describe('investigations of who waits for an answer', () => {
  const open = (schedule: number, registration_id: number) =>
    office('PUT', `/exam-schedules/investigations/${schedule}`, { registration_id, what: 'Notes under the booklet' })
  const to = (id: number, main: keyof typeof flag) =>
    w.query('update registrations set status = $2 where id = $1', [id, String(flag[main] | flag.Fresh)])
  it('are opened; the punishment says what waits, at its button and when it is decided', async () => {
    const { registrations, schedule, people } = await held()
    const [mine] = registrations as [number]
    await to(mine, 'WithdrawRequest')
    const { code } = (await w.query<{ code: string }>('select code from students where id = $1', [people[0]!.id]))[0]!
    const found = ok(await office('POST', '/exam-punishment/get_student_info', { text: code }))[0].exams[0]
    expect([found.refused, found.stands_against.code]).toEqual([null, 'exam_request_waits'])
    const { id } = ok(await open(schedule, mine))
    const listed = async () =>
      ok(await dean('POST', '/exam-punishment', { search: code })).find((row: any) => row.id === id)
    expect((await listed()).abilities.toSorted()).toEqual(['clear', 'warn'])
    expect(Object.entries((await listed()).refused).map(([key, one]: any) => [key, one.code])).toEqual([
      ['punish', 'exam_request_waits'],
      ['punish_term', 'exam_request_waits'],
    ])
    expect(reasons(await dean('POST', `/exam-punishment/punish/${id}`, { reason: 'Council' }))).toEqual([
      'exam_request_waits',
    ])
    expect(await stateOf(mine)).toBe('WithdrawRequest')
    await to(mine, 'Registered')
    expect((await listed()).abilities).toContain('punish')
    ok(await dean('POST', `/exam-punishment/punish/${id}`, { reason: 'Council' }))
    expect(await stateOf(mine)).toBe('Punished')
  })

  it('of the whole term wait for every course of it; who has left is not investigated, and the search says so', async () => {
    const { registrations, schedule, people } = await held()
    const [mine, gone] = registrations as [number, number]
    const also = (await x.register((await w.offer('EN101')).id, [people[0]!.id]))[0]!
    await to(also, 'DropRequest')
    const { id } = ok(await open(schedule, mine))
    const refused = await dean('POST', `/exam-punishment/punish-term/${id}`, { reason: 'Council' })
    expect([reasons(refused), refused.body.errors[0].data]).toEqual([['exam_request_waits'], { course: 'EN101' }])
    expect(await stateOf(mine)).toBe('Registered')
    await to(gone, 'Withdrawn')
    expect(reasons(await open(schedule, gone))).toEqual(['exam_not_sat'])
    const { code } = (await w.query<{ code: string }>('select code from students where id = $1', [people[1]!.id]))[0]!
    const [found] = ok(await office('POST', '/exam-punishment/get_student_info', { text: code }))
    expect(found.exams.map((one: any) => one.refused.code)).toEqual(['exam_not_sat'])
  })
})

describe('deliveries', () => {
  const put = (who: Caller, type: string, place: number, body: object = {}) =>
    who('PUT', `/exam-deliveries/${type}/${place}`, body)
  it('control approves when delivered = present = returned in every hall, or the difference is explained', async () => {
    const { offering, registrations, schedule, place, exam } = await held()
    const head = await u.as('control_head', ['faculty', w.faculty])
    await control(offering.id, 'Reviewed')
    const approve = () => head('PUT', `/control/offerings/approve-control-status/${offering.id}`, {})
    const refused = await approve()
    expect([reasons(refused), refused.body.errors[0].data]).toMatchObject([
      ['exam_papers_open'],
      { delivered: 0, present: 3, returned: 0, count: 1 },
    ])
    await expect(control(offering.id, 'Approved')).rejects.toThrow('exam_papers_open')
    await control(offering.id, 'Draft')
    expect(reasons(await put(office, 'returned', place, { count: 3 }))).toEqual(['papers_not_delivered'])
    expect(ok(await put(office, 'delivered', place, { count: 3, version: 0 })).state).toBe('delivered')
    expect(reasons(await put(office, 'delivered', place, { count: 4, version: 0 }))).toEqual(['changed_meanwhile'])
    const uncounted = await put(office, 'returned', place, {})
    expect([uncounted.status, reasons(uncounted)]).toEqual([422, ['required@count']])
    // One was away: three went in, two were there.
    ok(await absent(office, schedule, [registrations[0]!]))
    const differs = await put(office, 'returned', place, { count: 2 })
    expect([differs.status, reasons(differs), differs.body.errors[0].data]).toMatchObject([
      422,
      ['papers_differ@reason'],
      { delivered: 3, present: 2, returned: 2 },
    ])
    const more = await put(office, 'returned', place, { count: 45, reason: 'Whatever' })
    expect([more.status, reasons(more)]).toEqual([422, ['papers_more_than_out@count']])
    expect(ok(await put(office, 'returned', place, { count: 2, reason: 'One spare was torn' })).state).toBe('explained')
    expect(reasons(await put(office, 'delivered', place, { count: 2 }))).toEqual(['papers_back'])
    ok(await put(office, 'back', place))
    ok(await put(office, 'delivered', place, { count: 2 }))
    expect(ok(await put(office, 'returned', place, { count: 2 })).state).toBe('returned')
    expect((await office('GET', `/exam-deliveries/${exam}/exam`)).body.totals).toEqual({
      delivered: 2,
      present: 2,
      returned: 2,
      open: 0,
    })
    // An absence that is taken back later shows: control waits again.
    const [row] = await w.query<{ id: number }>('select id from exam_absences where exam_schedule_id = $1', [schedule])
    ok(await office('POST', `/exam-absences/cancel/${row!.id}`, { reason: 'Was there' }))
    expect(ok(await office('GET', `/exam-deliveries/${place}`)).state).toBe('differs')
    ok(await put(office, 'back', place))
    ok(await put(office, 'delivered', place, { count: 3 }))
    ok(await put(office, 'returned', place, { count: 3 }))
    await control(offering.id, 'Reviewed')
    expect(reasons(await approve())).toEqual([])
    expect(reasons(await put(office, 'back', place))).toEqual(['papers_settled'])
    const elsewhere = await u.as('exam_officer', ['faculty', w.otherFaculty])
    expect((await put(elsewhere, 'back', place)).status).toBe(404)
    expect((await elsewhere('POST', '/exam-deliveries', {})).body.data).toEqual([])
    expect((await put(head, 'back', place)).status).toBe(403)
    // A hall in which papers are is not taken from the exam.
    await expect(w.query('delete from exam_schedule_locations where id = $1', [place])).rejects.toThrow(
      'exam_papers_there',
    )
  })
})

describe('times of published exams', () => {
  it('are told to who sits and who invigilates when a slot moves them, once', async () => {
    const offering = await w.offer('MA101')
    const people = [await w.student(), await w.student()]
    const hall = await x.hall(10)
    const exam = await x.exam('final', [hall])
    const [, second] = await x.register(
      offering.id,
      people.map((one) => one.id),
    )
    const schedule = await x.schedule(exam, offering.id, [[hall, 2]], { day: 2, slot: 1 })
    const run = () => examTimesJob.run(asSystem(u.services, 'test'), {}, (async () => {}) as never)
    const told = async (user: number) => (await notices(user)).filter((key) => key === 'exam-days.notice_moved').length
    await run()
    expect(await told(people[0]!.user_id)).toBe(0)
    await w.query(`update exams set status = 'published', published_at = now() where id = $1`, [exam])
    await run()
    expect(await told(people[0]!.user_id)).toBe(0)
    // Who has left hears nothing.
    await w.query('update registrations set status = $2 where id = $1', [second, String(flag.Withdrawn | flag.Fresh)])
    await w.query(`update exam_slots set start_time = '12:30' where id = $1`, [x.slots[1]])
    expect(await run()).toEqual({ told: 1 })
    await run()
    expect([await told(people[0]!.user_id), await told(people[1]!.user_id)]).toEqual([1, 0])
    const [row] = await w.query<{ same: boolean }>('select told = during as same from exam_schedules where id = $1', [
      schedule,
    ])
    expect(row!.same).toBe(true)
    await w.query(`update exam_slots set start_time = '12:00' where id = $1`, [x.slots[1]])
  })
})

describe('who is recorded as absent', () => {
  const following = { course: 'MA101', final: true, graded: false, mark: null, held: null }
  const facts = { course: 'MA101', begins: '2026-11-23 09:00', begun: true, recorded: false }
  it.each(
    mainFlags.map((main) => {
      const waits = main.endsWith('Request')
      const [final, other] =
        main === 'Registered'
          ? [[], []]
          : main === 'Absent'
            ? [[], ['exam_not_sat']]
            : waits
              ? [['exam_request_waits'], /^(Register|Add)/.test(main) ? ['exam_request_waits'] : []]
              : [['exam_not_sat'], ['exam_not_sat']]
      return [main, final, other] as const
    }),
  )('%s', (main, final, other) => {
    const said = (of: typeof following) => checkAbsence({ ...facts, main, following: of }).map((one) => one.code)
    expect([said(following), said({ ...following, final: false })]).toEqual([final, other])
  })
  it('and a punishment takes only what is registered', () => {
    const held = { code: 'control_holds' }
    const said = (main: MainFlag) => checkTaken({ course: 'MA101', main, held }).map((one) => one.code)
    expect(Object.groupBy(mainFlags, (main) => said(main).join())).toEqual({
      control_holds: ['Registered'],
      exam_request_waits: ['RegisterRequest', 'AddRequest', 'DropRequest', 'WithdrawRequest', 'ExcuseRequest'],
      exam_case_state: mainFlags.filter((main) => main !== 'Registered' && !main.endsWith('Request')),
    })
  })
})

describe('what follows from an absence', () => {
  const held = { code: 'control_holds' }
  const of = { course: 'MA101', final: false, graded: false, mark: null, held }
  it('is held by control where a state or a mark would change, and nowhere else', () => {
    expect(checkChange(of)).toEqual([])
    expect(checkChange({ ...of, graded: true })).toEqual([held])
    expect(checkChange({ ...of, final: true })).toEqual([held])
    expect(checkChange({ ...of, final: true, held: null })).toEqual([])
    expect(checkRestore({ ...of, graded: true, mark: '3' }).map((one) => one.code)).toEqual([
      'absence_marked',
      'control_holds',
    ])
    expect(checkRestore({ ...of, graded: true, mark: 'A', held: null })).toEqual([])
  })
})

describe('what a punishment gives back', () => {
  const held = { code: 'control_holds' }
  const of = (main: 'Punished' | 'Registered') => ({ course: 'MA101', main, held })
  it('is held by control as long as it is punished; what another door gave back is not', () => {
    const facts = { own: of('Punished'), term: [] }
    expect(checkGiveBack({ ...facts, punished: [of('Punished'), of('Registered')] })).toEqual([held])
    expect(checkGiveBack({ ...facts, punished: [of('Registered')] })).toEqual([])
    expect(checkGiveBack({ ...facts, punished: [{ ...of('Punished'), held: null }] })).toEqual([])
  })
})

describe('who is meant in a hall', () => {
  const rows = [
    { seat: 7, student: { id: 1, code: '2400012', name: 'Sara Adel', name_local: 'سارة عادل' } },
    { seat: 12, student: { id: 2, code: '7', name: 'Omar Adel', name_local: 'عمر عادل' } },
  ]
  it.each([
    ['2400012', 1, 1],
    ['٧', 2, 2],
    ['12', 2, 2],
    ['adel', undefined, 2],
    ['سارة', undefined, 1],
    ['9', undefined, 0],
  ])('%s', (text, exact, count) => {
    const found = foundBy(rows, text)
    expect([found.exact?.student.id, found.rows.length]).toEqual([exact, count])
  })
})
