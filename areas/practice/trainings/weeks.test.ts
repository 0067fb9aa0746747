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

const weeks = (from_week: number, until_week: number) => ({ from_week, until_week })
test('places are counted by week', async () => {
  const { offered, student, ask, asked, office, to, shown } = w
  const training = await offered({ by_week: true, places: 2, week_places: [{ week: 2, places: 1 }], min_reports: 3 })
  const who = await student()
  refused(await ask(who, training), 409, 'training_weeks_missing@from_week')
  refused(await ask(who, training, weeks(3, 5)), 409, 'training_week_range@until_week')
  refused(await ask(who, await offered(), weeks(1, 2)), 409, 'training_whole@from_week')
  const first = await asked(who, training, weeks(1, 2))
  const second = await asked(await student(), training, weeks(2, 3))
  const third = await asked(await student(), training, weeks(3, 4))
  // It lasts from the first of its weeks to the last, and no more reports are wanted than it has weeks.
  const { starts_on, ends_on, ...of } = await shown(office, third)
  expect([(Date.parse(ends_on) - Date.parse(starts_on)) / 86_400_000, of.weeks, of.min_reports]).toEqual([13, 2, 2])
  const both = await Promise.all([to(office, first, 'accepted'), to(office, second, 'accepted')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  refused(
    both.find(({ status }) => status === 409)!,
    409,
    'training_weeks_full',
  )
  ok(await to(office, third, 'accepted'))
  const overview = ok(await office('GET', `/trainings/overview/${training}`))
  const mine = both[0].status === 200 ? [1, 1, 1, 1] : [0, 1, 2, 1]
  expect(overview.weeks.map((one: { places: number; taken: number }) => [one.places, one.taken])).toEqual([
    [2, mine[0]],
    [1, mine[1]],
    [2, mine[2]],
    [2, mine[3]],
  ])
  // Nor can it be made so.
  const change = (more: object) => office('POST', `/trainings/${training}`, more)
  refused(await change({ week_places: [{ week: 3, places: 0 }] }), 422, 'training_places_taken@week_places')
  refused(await change({ by_week: false }), 422, 'training_weeks_asked@by_week')
  refused(await change({ week_places: [{ week: 9, places: 1 }] }), 422, 'training_week_range@week_places')
  refused(
    await change({
      week_places: [
        { week: 2, places: 1 },
        { week: 2, places: 2 },
      ],
    }),
    422,
    'training_week_twice@week',
  )
  expect(ok(await office('GET', `/trainings/${training}`)).taken).toBe(Math.max(...mine))
})

test('weeks that were chosen count, and not more', async () => {
  const { q, offered, student, asked, office, to, assess } = w
  const who = await student()
  const id = await asked(who, await offered({ by_week: true }, -40), weeks(2, 3))
  ok(await to(office, id, 'accepted'))
  ok(await assess(office, id, { score: 70, text: 'Good' }))
  ok(await to(office, id, 'approved'))
  expect((await q(`select data ->> 'training_weeks' as weeks from students where id = $1`, [who.id]))[0].weeks).toBe(
    '2',
  )
})

test('no week has more students than places, whoever writes', async () => {
  const { q, offered, student, asked } = w
  const training = await offered({ by_week: true })
  const ids = [await asked(await student(), training, weeks(1, 2)), await asked(await student(), training, weeks(2, 3))]
  await q(`update students_trainings set status = 'accepted' where id = $1`, [ids[0]])
  await expect(q(`update students_trainings set status = 'accepted' where id = $1`, [ids[1]])).rejects.toMatchObject({
    constraint: 'training_no_place',
  })
})

test('who has a place learns that its days change; nobody is at two trainings at once by it', async () => {
  const { q, day, offered, student, asked, office, to, shown } = w
  const [mona, rami] = [await student(), await student()]
  const [summer, autumn] = [await offered({ places: 5 }, 30), await offered({ places: 5 }, 70)]
  const id = await asked(mona, summer)
  const waits = await asked(rami, summer)
  ok(await to(office, id, 'accepted'))
  ok(await to(office, await asked(mona, autumn), 'accepted'))
  refused(await office('POST', `/trainings/${summer}`, { ends_on: await day(75) }), 422, 'training_overlap@starts_on')
  ok(await office('POST', `/trainings/${summer}`, { ends_on: await day(62) }))
  const told = (user: number) =>
    q(
      `select data ->> 'until' as until from notifications where user_id = $1 and key = 'trainings.notice_days_changed'`,
      [user],
    )
  expect([await told(mona.user_id), await told(rami.user_id)]).toEqual([
    [{ until: await day(62) }],
    [{ until: await day(62) }],
  ])
  ok(await office('POST', `/trainings/${summer}`, { description: 'Nothing that matters to days' }))
  expect(await told(mona.user_id)).toHaveLength(1)
  expect((await shown(office, waits)).ends_on).toBe(await day(62))
})

test('who is given one place: what becomes of the other requests is said', async () => {
  const { q, offered, student, asked, office, to, shown } = w
  const who = await student()
  const ids: number[] = []
  for (const wish of [1, 2, 3]) ids.push(await asked(who, await offered(), { wish }))
  const among = (id: number, more: object) => office('POST', `/trainings/accept-among/${id}`, more)
  expect((await shown(office, ids[1]!)).others.map((one: { wish: number }) => one.wish)).toEqual([1, 3])
  expect((await shown(who, ids[1]!)).others).toEqual([])
  // It is all or nothing: without a reason nobody is refused, and no place is given.
  expect((await among(ids[1]!, { others: 'later' })).status).toBe(422)
  expect(ok(await among(ids[1]!, { others: 'later', reason: 'Has another place' }))).toEqual({ id: ids[1], ended: 1 })
  const states = async () =>
    (await q('select status from students_trainings where student_id = $1 order by id', [who.id])).map(
      (row) => row.status,
    )
  expect(await states()).toEqual(['requested', 'accepted', 'disapproved'])
  ok(await to(office, ids[1]!, 'requested', { reason: 'A mistake' }))
  expect(ok(await among(ids[0]!, { others: 'all', reason: 'Has another place' }))).toEqual({ id: ids[0], ended: 1 })
  expect(await states()).toEqual(['accepted', 'disapproved', 'disapproved'])
  expect((await among(ids[0]!, { others: 'keep' })).status).toBe(409)
  const medicine = await uni.as('registrar', ['faculty', w.faculty[1]!])
  expect((await medicine('POST', `/trainings/accept-among/${ids[2]}`, { others: 'keep' })).status).toBe(404)
})

test('the organisation of a place that was found becomes one of the list', async () => {
  const { q, day, offered, student, asked, office, to, shown } = w
  const who = await student()
  const own = {
    training_id: undefined,
    own_organisation: 'Gezira Clinic',
    own_starts_on: await day(10),
    own_ends_on: await day(37),
    own_weeks: 4,
  }
  const id = await asked(who, 0, own)
  expect([(await shown(office, id)).lists, (await shown(who, id)).lists]).toEqual([true, false])
  const list = (of: number, more: object) => office('POST', `/trainings/list-organisation/${of}`, more)
  refused(await list(id, { code: 'GEZ' }), 422, 'required@name', 'required@name_local')
  refused(await list(id, { organisation_id: 99_999_999 }), 422, 'reference_missing@organisation_id')
  const of = { code: 'GEZ', name: 'Gezira Clinic', name_local: 'عيادة الجزيرة', email: 'clinic@gezira.example' }
  expect(ok(await list(id, of))).toMatchObject({ name: 'Gezira Clinic' })
  refused(await list(id, of), 409, 'training_listed_already')
  refused(await list(await asked(who, await offered()), of), 409, 'training_of_list')
  // From then on its agreement counts as well.
  await q(`update training_organisations set agreement_until = university_today() + 20 where code = 'GEZ'`)
  refused(await to(office, id, 'accepted'), 409, 'training_agreement_over')
  const next = await asked(await student(), 0, own)
  const [{ id: gezira }] = await q(`select id from training_organisations where code = 'GEZ'`)
  expect(ok(await list(next, { organisation_id: gezira }))).toMatchObject({ id: gezira })
  expect((await list(await asked(await student(), 0, own), { organisation_id: 0 })).status).toBe(422)
  refused(await w.ask(await student(), 0, { ...own, own_weeks: 5 }), 422, 'training_weeks@own_weeks')
})

test('weeks are reported on by the student alone', async () => {
  const { offered, student, asked, office, to, shown } = w
  const who = await student()
  const id = await asked(who, await offered({}, -10))
  ok(await to(office, id, 'accepted'))
  expect([(await shown(office, id)).reports_now, (await shown(who, id)).reports_now]).toEqual([false, true])
  const report = { week: 1, text: 'Learnt how orders come in.' }
  expect((await office('POST', `/trainings/report/${id}`, report)).status).toBe(404)
  ok(await who('POST', `/trainings/report/${id}`, report))
})
