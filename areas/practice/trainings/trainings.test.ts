import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Answer, type TestUniversity } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trainingWorld } from './testing.server.ts'
import { trainingsServer } from './trainings.server.ts'

let uni: TestUniversity
let w: Awaited<ReturnType<typeof trainingWorld>>
const refused = (answer: Answer, status: number, ...codes: string[]) =>
  expect([answer.status, ...reasons(answer).toSorted()]).toEqual([status, ...codes.toSorted()])

beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, studentsServer, trainingsServer])
  w = await trainingWorld(uni)
}, 120_000)
afterAll(() => uni?.close())

test('a place is given once, done, assessed, and its weeks count', async () => {
  const { q, day, office, student, offered, ask, asked, to, assess, shown } = w
  const training = await offered({ min_reports: 2 }, -30)
  const [mona, rami] = [await student(), await student()]
  const [hers, his] = [await asked(mona, training), await asked(rami, training)]
  refused(await ask(mona, training), 422, 'student_training_twice@student_id')
  // Both at one moment: one place.
  const both = await Promise.all([to(office, hers, 'accepted'), to(office, his, 'accepted')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [id, who] = both[0].status === 200 ? [hers, mona] : [his, rami]
  refused(
    both.find(({ status }) => status === 409)!,
    409,
    'training_full',
  )
  refused(await office('POST', `/trainings/${training}`, { places: 0 }), 422, 'too_small@places')
  expect(ok(await office('GET', `/trainings/${training}`))).toMatchObject({ places: 1, taken: 1 })
  // Not yet: two weeks are to be reported on, and somebody says what became of it.
  refused(await to(office, id, 'approved'), 409, 'training_reports_missing', 'training_not_assessed')
  ok(await who('POST', `/trainings/report/${id}`, { week: 1, text: 'Learnt how orders come in.' }))
  refused(
    await who('POST', `/trainings/report/${id}`, { week: 1, text: 'Once more the same week.' }),
    422,
    'training_report_twice@week',
  )
  refused(
    await who('POST', `/trainings/report/${id}`, { week: 9, text: 'There is no such week.' }),
    409,
    'training_report_week@week',
  )
  ok(await who('POST', `/trainings/report/${id}`, { week: 2, text: 'Answered the first of them.' }))
  refused(
    await assess(office, id, { score: 90, text: 'Good', visited_on: await day(1) }),
    422,
    'training_visit_day@visited_on',
  )
  expect((await assess(who, id, { score: 100, text: 'Excellent' })).status).toBe(403)
  ok(await assess(office, id, { score: 90, text: 'Good', visited_on: await day(-10) }))
  expect(await shown(who, id)).toMatchObject({
    missing: [],
    reports: [{ week: 1 }, { week: 2 }],
    assessment: { score: 90 },
  })
  const weeks = async () =>
    (await q(`select (data ->> 'training_weeks')::int as weeks from students where id = $1`, [who.id]))[0].weeks
  expect(await weeks()).toBe(null)
  ok(await to(office, id, 'approved'))
  expect(await weeks()).toBe(4)
  refused(await assess(office, id, { score: 10, text: 'Bad' }), 409, 'training_assessed_late')
  // Taken back, they count no more.
  ok(await to(office, id, 'accepted', { reason: 'The wrong person' }))
  expect(await weeks()).toBe(0)
  refused(
    await who('POST', `/trainings/report/${id}`, { week: 2, text: 'Again the second week.' }),
    422,
    'training_report_twice@week',
  )
})

test('weeks of before stay, and those of the record are added to', async () => {
  const { q, one, office, student, offered, asked, to, assess } = w
  const who = await student()
  await q(`update students set data = '{"training_weeks": 3}' where id = $1`, [who.id])
  const id = await asked(who, await offered({}, -40))
  ok(await to(office, id, 'accepted'))
  ok(await assess(office, id, { score: 60, text: 'Was there' }))
  ok(await to(office, id, 'approved'))
  const [row] = await q(`select data from students where id = $1`, [who.id])
  expect(row.data).toMatchObject({ training_weeks: 7, training_weeks_earlier: 3 })
  // A degree stands on them: they stay.
  const decided = async (from: string, status: string) => {
    const decision = await one(
      `insert into student_status_decisions (student_id, from_status, to_status, decision, decided_on)
       values ($1, $2, $3, 'No. 7', university_today()) returning id`,
      [who.id, from, status],
    )
    await q('update students set status = $2, status_decision_id = $3 where id = $1', [who.id, status, decision])
  }
  await decided('studying', 'graduated')
  refused(await to(office, id, 'accepted', { reason: 'A mistake' }), 409, 'training_not_studying')
  await decided('graduated', 'studying')
  ok(await to(office, id, 'accepted', { reason: 'A mistake' }))
  expect((await q(`select data from students where id = $1`, [who.id]))[0].data.training_weeks).toBe(3)
})

test('who may ask is told with every reason', async () => {
  const { one, day, faculty, office, student, offered, ask, asked, to, shown } = w
  const who = await student()
  const narrow = await offered({
    faculty_id: faculty[1],
    min_level: 3,
    min_gpa: '3.00',
    cv_required: true,
    closes_on: await day(-1),
  })
  refused(
    await ask(who, narrow),
    409,
    'training_closed@training_id',
    'training_other_faculty@training_id',
    'training_level@training_id',
    'training_gpa@training_id',
    'training_cv@cv_file_id',
  )
  refused(await ask(who, narrow, { own_organisation: 'Clinic' }), 422, 'training_one_place@training_id')
  // What somebody else uploaded is nobody's curriculum vitae.
  const theirs = await one(
    `insert into files (hash, name, ext, mime, size, created_by)
     values (repeat('a', 64), 'cv.pdf', 'pdf', 'application/pdf', 10, $1) returning id`,
    [(await student()).user_id],
  )
  refused(await ask(who, await offered(), { cv_file_id: theirs }), 422, 'reference_missing@cv_file_id')
  const own = {
    training_id: undefined,
    own_organisation: 'Clinic',
    own_starts_on: await day(10),
    own_ends_on: await day(30),
  }
  refused(await ask(who, 0, own), 422, 'training_place_missing@training_id')
  const whole = { ...own, own_weeks: 3 }
  refused(await ask(who, 0, { ...whole, from_week: 1, until_week: 2 }), 422, 'training_whole@from_week')
  refused(await ask(who, 0, { ...whole, own_ends_on: await day(9) }), 422, 'training_days@own_ends_on')
  const left = await student()
  await w.q(`select decide_status(array[$1::int], 'suspended', '1/2026', '2026-01-15')`, [left.id])
  refused(await ask(office, 0, { ...whole, student_id: left.id }), 409, 'training_not_studying')
  const id = await asked(who, 0, { ...own, own_weeks: 3 })
  expect(await shown(who, id)).toMatchObject({ training: null, organisation: { name: 'Clinic' }, weeks: 3 })
  const training = await offered()
  ok(await ask(who, training, { wish: 1 }))
  refused(await ask(who, await offered(), { wish: 1 }), 422, 'student_training_wish@wish')
  // Two at a time are not given.
  ok(await to(office, id, 'accepted'))
  const other = await asked(who, await offered({}, 20))
  refused(await to(office, other, 'accepted'), 409, 'training_meanwhile')
  const late = await asked(who, await offered({ of: { agreement_until: await day(100) } }, 90))
  refused(await to(office, late, 'accepted'), 409, 'training_agreement_over')
  // What was disapproved ends for good by a second decision.
  ok(await to(office, late, 'disapproved', { reason: 'No agreement' }))
  ok(await to(office, late, 'final_disapproved', { reason: 'Nor will there be one' }))
  refused(await to(office, late, 'accepted'), 409, 'step_state')
})

test('a place is not given back twice', async () => {
  const { office, student, offered, asked, to } = w
  const training = await offered()
  const [first, second] = [await student(), await student()]
  const [a, b] = [await asked(first, training), await asked(second, training)]
  ok(await to(office, a, 'accepted'))
  ok(await to(office, a, 'disapproved', { reason: 'Does not come' }))
  ok(await to(office, b, 'accepted'))
  // It was accepted before it was disapproved: there it would go back to.
  refused(await to(office, a, 'requested', { reason: 'Comes after all' }), 409, 'training_full')
})

test('places are not given twice to many at once, nor to one student at the same time', async () => {
  const { office, student, offered, asked, to } = w
  const training = await offered({ places: 2 })
  const ids = [
    await asked(await student(), training),
    await asked(await student(), training),
    await asked(await student(), training),
  ]
  const many = ok(await office('POST', '/students-trainings/bulk/accept', { ids }))
  expect([many.done.length, many.failed.map(({ errors }: { errors: { code: string }[] }) => errors[0]!.code)]).toEqual([
    2,
    ['training_full'],
  ])
  const who = await student()
  const [a, b] = [await asked(who, await offered()), await asked(who, await offered())]
  const both = ok(await office('POST', '/students-trainings/bulk/accept', { ids: [a, b] }))
  expect([both.done.length, both.failed.map(({ errors }: { errors: { code: string }[] }) => errors[0]!.code)]).toEqual([
    1,
    ['training_meanwhile'],
  ])
  // Two officers at one moment.
  const other = await student()
  const [c, d] = [await asked(other, await offered()), await asked(other, await offered())]
  const answers = await Promise.all([to(office, c, 'accepted'), to(office, d, 'accepted')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('an interview is booked by one, and comes before the place', async () => {
  const { q, day, office, student, offered, asked, to, shown } = w
  const training = await offered({ has_interview: true, places: 5 })
  const [mona, rami] = [await student(), await student()]
  const [hers, his] = [await asked(mona, training), await asked(rami, training)]
  const slots = { day: await day(5), from_time: '10:00', count: 2, minutes: 15, place: 'Room 12' }
  expect(ok(await office('POST', `/trainings/interviews/${training}`, slots))).toEqual({ added: 2 })
  // Sent twice they are there once.
  expect(ok(await office('POST', `/trainings/interviews/${training}`, slots))).toEqual({ added: 0 })
  refused(await office('POST', `/trainings/interviews/${await offered()}`, slots), 409, 'training_no_interviews')
  refused(
    await office('POST', `/trainings/interviews/${training}`, { ...slots, day: await day(-1) }),
    422,
    'training_interview_past@day',
  )
  const [free] = (await shown(mona, hers)).free
  refused(
    await mona('POST', `/trainings/interview/${hers}`, { interview_id: 99_999_999 }),
    422,
    'reference_missing@interview_id',
  )
  const booked = await Promise.all(
    [[mona, hers] as const, [rami, his] as const].map(([by, id]) =>
      by('POST', `/trainings/interview/${id}`, { interview_id: free.id }),
    ),
  )
  expect(booked.map(({ status }) => status).toSorted()).toEqual([200, 409])
  refused(
    booked.find(({ status }) => status === 409)!,
    409,
    'training_interview_taken@interview_id',
  )
  const [id, by] = booked[0]!.status === 200 ? [hers, mona] : [his, rami]
  refused(await to(office, id, 'accepted'), 409, 'training_not_interviewed')
  refused(await office('DELETE', `/trainings/interviews/${free.id}`), 409, 'training_interview_taken')
  await q(`update training_interviews set starts_at = now() - interval '1 hour' where id = $1`, [free.id])
  // Who missed it books another, and may come after that.
  const [again] = (await shown(by, id)).free
  ok(await by('POST', `/trainings/interview/${id}`, { interview_id: again.id }))
  refused(await to(office, id, 'accepted'), 409, 'training_not_interviewed')
  await q(`update training_interviews set student_training_id = null where id = $1`, [again.id])
  await q(`update training_interviews set student_training_id = $1 where id = $2`, [id, free.id])
  ok(await to(office, id, 'accepted'))
  refused(await by('POST', `/trainings/interview/${id}`, { interview_id: free.id }), 409, 'training_no_booking')
  // Who takes the request back leaves the interview to others.
  const [them, theirs] = id === hers ? [rami, his] : [mona, hers]
  const [next] = (await shown(them, theirs)).free
  ok(await them('POST', `/trainings/interview/${theirs}`, { interview_id: next.id }))
  ok(await to(them, theirs, 'cancelled'))
  ok(await office('DELETE', `/trainings/interviews/${next.id}`))
  // Students do not read who else comes.
  expect((await by('GET', `/trainings/interviews/${training}`)).status).toBe(403)
  expect(ok(await office('GET', `/trainings/interviews/${training}`))).toHaveLength(1)
})

test('a training is refused as it cannot be', async () => {
  const { q, day, office, student, offered, ask, asked, to } = w
  refused(
    await office('PUT', '/training-organisations', {
      code: 'LATE',
      name: 'Late',
      name_local: 'متأخرة',
      agreement_from: await day(1),
      agreement_until: await day(0),
    }),
    422,
    'training_agreement_days',
  )
  const training = await offered({ places: 3 })
  refused(await office('POST', `/trainings/${training}`, { weeks: 9 }), 422, 'training_weeks@weeks')
  refused(await office('POST', `/trainings/${training}`, { ends_on: await day(1) }), 422, 'training_days@ends_on')
  refused(
    await office('POST', `/trainings/${training}`, { closes_on: await day(-300) }),
    422,
    'training_window@closes_on',
  )
  const who = await student()
  const other = await student()
  for (const by of [who, other]) ok(await to(office, await asked(by, training), 'accepted'))
  refused(await office('POST', `/trainings/${training}`, { places: 1 }), 422, 'training_places_taken@places')
  // What was asked for is not removed; of what went in another way nobody asks.
  refused(await office('DELETE', `/trainings/${training}`), 409, 'in_use', 'in_use_by')
  await q(`update trainings set removed_at = now() where id = $1`, [training])
  refused(await ask(await student(), training), 409, 'training_removed@training_id')
})

test('the wrong person gets nothing', async () => {
  const { faculty, student, offered, asked, to } = w
  const who = await student()
  const id = await asked(who, await offered())
  const other = await student(1)
  const medicine = await uni.as('registrar', ['faculty', faculty[1]!])
  for (const by of [other, medicine]) {
    expect((await by('POST', `/trainings/student/${id}`, {})).status).toBe(404)
    expect((await to(by, id, 'accepted')).status).toBe(404)
    expect((await by('POST', `/trainings/interview/${id}`, { interview_id: 1 })).status).toBe(404)
    expect(ok(await by('POST', '/trainings/students', {})).some((row: { id: number }) => row.id === id)).toBe(false)
  }
  expect((await other('POST', `/trainings/report/${id}`, { week: 1, text: 'Not my training.' })).status).toBe(404)
  expect((await who('PUT', '/trainings', { code: 'X' })).status).toBe(403)
  expect((await uni.nobody('GET', '/trainings/lookups')).status).toBe(401)
  expect(ok(await who('GET', '/trainings/lookups')).statuses).toHaveLength(6)
})
