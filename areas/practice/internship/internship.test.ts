import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, reasons, type Answer, type Caller } from '#tests/university.ts'
import { internshipWorld, type InternshipWorld } from './testing.server.ts'

let w: InternshipWorld
let office: Caller
const refused = (answer: Answer, status: number, ...codes: string[]) =>
  expect([answer.status, ...reasons(answer).toSorted()]).toEqual([status, ...codes.toSorted()])

beforeAll(async () => {
  w = await internshipWorld()
  office = w.office
}, 120_000)
afterAll(() => w?.uni.close())

type Intern = Awaited<ReturnType<InternshipWorld['intern']>>
const add = async (who: Intern, training_id: number, from: number, more: object = {}) =>
  ok(
    await office('PUT', '/emtyaz/course/add_emtyaz', {
      rotations: [{ student_id: who.student_id, training_id, starts_on: await w.day(from), ...more }],
    }),
  )
const added = async (who: Intern, training_id: number, from: number, more: object = {}): Promise<number> => {
  const { done, failed } = await add(who, training_id, from, more)
  expect(failed).toEqual([])
  return done[0]
}
const why = async (who: Intern, training_id: number, from: number, more: object = {}) =>
  (await add(who, training_id, from, more)).failed.flatMap((one: { errors: { code: string }[] }) =>
    one.errors.map(({ code }) => code),
  )
const accept = async (...ids: number[]) => ok(await office('PUT', '/emtyaz/course/accept_emtyaz', { ids }))
const placed = async (who: Intern, training_id: number, from: number, more: object = {}): Promise<number> => {
  const id = await added(who, training_id, from, more)
  expect((await accept(id)).failed).toEqual([])
  return id
}
const offering = async (id: number): Promise<number> =>
  (await w.q<{ id: number }>(`select offering_id as id from emtyaz_rotations where id = $1`, [id]))[0]?.id ?? 0
const sheet = async (by: Caller, of: number) => ok(await by('GET', `/emtyaz/offering-students-grades/${of}`))
/** Marks of everybody in a group: of each criterion this share. */
async function mark(by: Caller, of: number, share: number, only?: number): Promise<Answer> {
  const { criteria, interns } = await sheet(by, of)
  return by('PUT', '/emtyaz/offering-grades/update', {
    offering_id: of,
    rows: interns
      .filter(
        (one: { rotation_id: number; outcome: string | null }) =>
          (only === undefined || one.rotation_id === only) && one.outcome !== 'interrupted',
      )
      .map(({ rotation_id, version }: { rotation_id: number; version: number }) => ({
        rotation_id,
        version,
        marks: criteria.map((one: { id: number; max_mark: number }) => ({
          criterion_id: one.id,
          points: one.max_mark * share,
        })),
      })),
  })
}
async function publish(by: Caller, of: number): Promise<void> {
  for (const step of ['submit', 'review', 'approve', 'publish'])
    ok(await by('PUT', `/emtyaz/${step}-control-status/${of}`, {}))
}
const year = async (by: Caller, who: Intern) => ok(await by('GET', `/emtyaz/student_registration/${who.intern_id}`))
const codes = (list: { code: string }[]) => list.map(({ code }) => code)

test('a rotation is asked for, accepted once where there is one place, marked, and counted', async () => {
  const ward = await w.training(w.types[0], 1)
  const [mona, rami] = [await w.intern(), await w.intern()]
  const ask = async (who: Intern) =>
    who('PUT', '/emtyaz-rotations', { student_id: who.student_id, training_id: ward, starts_on: await w.day(-35) })
  const [hers, his] = [ok(await ask(mona)).id, ok(await ask(rami)).id]
  refused(await ask(mona), 409, 'rotation_twice@training_id')
  // Both at one moment: one place.
  const both = await Promise.all([accept(hers), accept(his)])
  expect(both.flatMap(({ done }) => done)).toHaveLength(1)
  expect(
    both.flatMap(({ failed }) => failed.flatMap((one: { errors: { code: string }[] }) => codes(one.errors))),
  ).toEqual(['rotation_full'])
  const [id, who] = both[0].done.length ? [hers, mona] : [his, rami]
  const teacher = await w.supervisor(ward)
  const of = await offering(id)
  expect((await sheet(teacher, of)).interns).toMatchObject([{ rotation_id: id, marks: [], mark: null }])
  // Half of the criteria is not a mark yet.
  const { criteria } = await sheet(teacher, of)
  ok(
    await teacher('PUT', '/emtyaz/offering-grades/update', {
      offering_id: of,
      rows: [
        {
          rotation_id: id,
          version: (await sheet(teacher, of)).interns[0].version,
          marks: [{ criterion_id: criteria[0].id, points: 35.5 }],
        },
      ],
    }),
  )
  refused(await teacher('PUT', `/emtyaz/submit-control-status/${of}`, {}), 409, 'rotation_unmarked')
  ok(await mark(teacher, of, 0.9))
  ok(await teacher('PUT', `/emtyaz/submit-control-status/${of}`, {}))
  refused(await mark(teacher, of, 0.5), 409, 'rotation_submitted')
  // Not published: the intern does not see it, and it does not count.
  const trail = async (by: Caller) => JSON.stringify((await by('GET', `/emtyaz-rotations/${id}/history`)).body)
  expect(await trail(office)).toContain('90')
  expect(await trail(who)).not.toMatch(/\b90\b|"points"|Maximum mark/)
  expect(ok(await who('GET', `/emtyaz-rotations/${id}`)).mark).toBe(null)
  expect((await year(who, who)).rotations).toMatchObject([{ id, mark: null, outcome: null }])
  const head = await w.uni.as('dean')
  ok(await office('PUT', `/emtyaz/review-control-status/${of}`, {}))
  refused(await teacher('PUT', `/emtyaz/approve-control-status/${of}`, {}), 403, 'not_allowed')
  ok(await head('PUT', `/emtyaz/approve-control-status/${of}`, {}))
  ok(await head('PUT', `/emtyaz/publish-control-status/${of}`, {}))
  expect((await year(who, who)).rotations).toMatchObject([{ id, mark: 90, outcome: 'passed' }])
  expect((await year(who, who)).requirements[0]).toMatchObject({ done: 28, lacking: 0 })
  const { rows } = await w.uni.database.pool.query(
    `select key from notifications where key = 'internship.notice_marks'`,
  )
  expect(rows).toHaveLength(1)
})

test('what stands against a rotation is told in full', async () => {
  const ward = await w.training(w.types[0], 5)
  const who = await w.intern()
  expect(await why(who, ward, -400)).toEqual(['rotation_outside_year', 'rotation_before_joining'])
  expect(await why(who, ward, -56, { ends_on: await w.day(-40) })).toEqual(['rotation_days_wrong'])
  expect(await why(who, ward, -56, { is_makeup: true })).toEqual(['rotation_nothing_to_make_up'])
  expect(await why(await w.intern({ year: null }), ward, -56)).toEqual(['rotation_no_intern'])
  // Two electives where the year has one.
  const [skin, eyes] = [await w.training(w.types[2]), await w.training(w.types[3])]
  const first = await placed(who, skin, -56)
  expect(await why(who, eyes, 0)).toEqual(['rotation_electives'])
  // Another training on the same days: known when it is accepted.
  const other = await added(who, ward, -56)
  expect((await accept(other)).failed[0].errors).toMatchObject([
    { code: 'rotation_meanwhile_of', data: { name: 'Department' } },
  ])
  ok(await office('PUT', '/emtyaz/course/reject_emtyaz', { ids: [other], reason: 'Elsewhere then' }))
  // What has begun does not go; what has not does, and frees its place.
  refused(await office('POST', `/emtyaz-rotations/remove/${first}`, { reason: 'Elsewhere' }), 409, 'rotation_begun')
  const later = await placed(who, ward, 56)
  ok(await office('POST', `/emtyaz-rotations/remove/${later}`, { reason: 'Elsewhere' }))
  expect((await w.q(`select version from emtyaz_rotations where id = $1 and status = 'removed'`, [later])).length).toBe(
    1,
  )
  // The hospital leaves: nobody comes any more.
  ok(await office('PUT', `/emtyaz/training/${ward}`, { withdrawn_from: await w.day(30) }))
  expect(await why(who, ward, 56)).toEqual(['rotation_withdrawn'])
  // Out of time for asking.
  ok(await office('PUT', `/emtyaz-years/${w.year}`, { wishes_until: await w.day(-1) }))
  refused(
    await who('PUT', '/emtyaz-rotations', { student_id: who.student_id, training_id: ward, starts_on: await w.day(0) }),
    409,
    'rotation_window',
  )
  ok(await office('PUT', `/emtyaz-years/${w.year}`, { wishes_until: await w.day(200) }))
})

test('leave is made up, what was failed is repeated, and then the year is done', async () => {
  const [ward, surgery, skin] = [
    await w.training(w.types[0], 9),
    await w.training(w.types[1], 9),
    await w.training(w.types[2], 9),
  ]
  const who = await w.intern()
  const head = await w.uni.as('super_admin')
  const first = await placed(who, ward, -168)
  const second = await placed(who, surgery, -140)
  const third = await placed(who, skin, -112)
  expect(codes((await year(office, who)).missing)).toEqual([
    'emtyaz_type_missing',
    'emtyaz_type_missing',
    'emtyaz_electives_missing',
  ])
  refused(
    await office('PUT', `/emtyaz/complete/${who.intern_id}`, {}),
    409,
    'emtyaz_type_missing',
    'emtyaz_type_missing',
    'emtyaz_electives_missing',
  )
  for (const [id, share] of [
    [first, 0.8],
    [second, 0.5],
    [third, 1],
  ] as const) {
    ok(await mark(office, await offering(id), share))
    await publish(head, await offering(id))
  }
  expect((await year(office, who)).rotations.map((one: { outcome: string }) => one.outcome)).toEqual([
    'passed',
    'failed',
    'passed',
  ])
  // Ten days of illness in the first: eight more than need not be made up.
  const { version } = ok(await office('GET', `/emtyaz-interns/${who.intern_id}`))
  ok(
    await office('PUT', `/emtyaz-interns/${who.intern_id}`, {
      version,
      leaves: [{ kind: 'illness', starts_on: await w.day(-160), ends_on: await w.day(-151) }],
    }),
  )
  const missing = (await year(office, who)).requirements
  expect(missing.slice(0, 2)).toMatchObject([
    { done: 20, lacking: 8, to_make_up: 8 },
    { done: 0, lacking: 28, to_make_up: 28 },
  ])
  // The intern does not enter what makes up for it.
  refused(
    await who('PUT', '/emtyaz-rotations', {
      student_id: who.student_id,
      training_id: surgery,
      starts_on: await w.day(0),
      is_makeup: true,
    }),
    403,
    'rotation_makeup_office@is_makeup',
  )
  const repeated = await placed(who, surgery, -84, { is_makeup: true })
  const rest = await placed(who, ward, -56, { is_makeup: true, ends_on: await w.day(-49) })
  for (const id of [repeated, rest]) {
    ok(await mark(office, await offering(id), 0.7))
    await publish(head, await offering(id))
  }
  // A failed mark that is made up for stays published.
  refused(
    await head('PUT', `/emtyaz/undo-control-status/${await offering(second)}`, { reason: 'Look again' }),
    409,
    'rotation_made_up',
  )
  const done = await year(office, who)
  expect(done.missing).toEqual([])
  await w.q(`select decide_status(array[$1::int], 'studying', 'Taken back', university_today())`, [who.student_id])
  refused(await office('PUT', `/emtyaz/complete/${who.intern_id}`, {}), 409, 'emtyaz_not_graduated')
  await w.q(`select decide_status(array[$1::int], 'graduated', 'Graduated before', university_today(), 'earlier')`, [
    who.student_id,
  ])
  ok(await office('PUT', `/emtyaz/complete/${who.intern_id}`, { version: done.intern.version }))
  refused(await office('PUT', `/emtyaz/complete/${who.intern_id}`, {}), 409, 'emtyaz_completed')
  // Nothing that the year stands on changes any more, until it is open again.
  refused(
    await head('PUT', `/emtyaz/undo-control-status/${await offering(rest)}`, { reason: 'Look again' }),
    409,
    'rotation_completed_by',
  )
  expect(await why(who, surgery, 0)).toContain('emtyaz_completed')
  refused(await office('PUT', `/emtyaz-interns/${who.intern_id}`, { note: 'x' }), 422, 'emtyaz_completed')
  // The certificate can be verified as long as the year stands.
  for (const lang of ['ar', 'en'])
    expect((await office('POST', `/emtyaz/certificate/${who.intern_id}`, { lang })).status).toBe(200)
  refused(await who('POST', `/emtyaz/certificate/${who.intern_id}`, { lang: 'en' }), 403, 'not_allowed')
  const standing = `select count(*)::int as id from papers where kind = 'internship' and subject_id = $1 and revoked_at is null`
  expect(await w.one(standing, [who.student_id])).toBe(2)
  ok(await office('PUT', `/emtyaz/reopen/${who.intern_id}`, { reason: 'Look again' }))
  expect(await w.one(standing, [who.student_id])).toBe(0)
  refused(await office('POST', `/emtyaz/certificate/${who.intern_id}`, { lang: 'en' }), 409, 'emtyaz_not_completed')
  ok(await head('PUT', `/emtyaz/undo-control-status/${await offering(rest)}`, { reason: 'Look again' }))
  expect(codes((await year(office, who)).missing)).toEqual(['emtyaz_type_missing'])
})

test('marks: the wrong person, before the end, too late, twice at once, of somebody else', async () => {
  const ward = await w.training(w.types[1], 9)
  const [mona, rami] = [await w.intern(), await w.intern()]
  const hers = await placed(mona, ward, -28)
  await placed(rami, ward, -28)
  const of = await offering(hers)
  const [teacher, second, stranger] = [
    await w.supervisor(ward),
    await w.supervisor(ward),
    await w.supervisor(await w.training(w.types[1])),
  ]
  refused(await stranger('GET', `/emtyaz/offering-students-grades/${of}`), 404, 'not_found')
  refused(await mona('GET', `/emtyaz/offering-students-grades/${of}`), 403, 'not_allowed')
  // Two who mark one intern at a moment: the second is told by whom it was marked.
  const seen = await sheet(teacher, of)
  const row = seen.interns.find((one: { rotation_id: number }) => one.rotation_id === hers)
  const body = {
    offering_id: of,
    rows: [{ rotation_id: hers, version: row.version, marks: [{ criterion_id: seen.criteria[0].id, points: 30 }] }],
  }
  const both = await Promise.all([
    teacher('PUT', '/emtyaz/offering-grades/update', body),
    second('PUT', '/emtyaz/offering-grades/update', body),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  refused(
    both.find(({ status }) => status === 409)!,
    409,
    'rotation_marked_meanwhile@rows.0.version',
  )
  // Above the maximum, below nothing, and by a criterion of another course.
  const again = (await sheet(teacher, of)).interns.find((one: { rotation_id: number }) => one.rotation_id === hers)
  const points = async (marks: object[]) =>
    teacher('PUT', '/emtyaz/offering-grades/update', {
      offering_id: of,
      rows: [{ rotation_id: hers, version: again.version, marks }],
    })
  refused(
    await points([{ criterion_id: seen.criteria[0].id, points: 40.01 }]),
    422,
    'rotation_points@rows.0.marks.points',
  )
  refused(await points([{ criterion_id: 99_999, points: 4 }]), 422, 'reference_missing@rows.0.marks.criterion_id')
  refused(
    await teacher('PUT', '/emtyaz/offering-grades/update', {
      offering_id: of,
      rows: [{ ...body.rows[0], rotation_id: 99_999_999 }],
    }),
    422,
    'reference_missing@rows.0.rotation_id',
  )
  // It is not over yet.
  const running = await offering(await placed(await w.intern(), ward, 0))
  refused(await mark(teacher, running, 1), 409, 'rotation_not_over')
  refused(
    await teacher('PUT', `/emtyaz/submit-control-status/${running}`, {}),
    409,
    'rotation_not_over',
    'rotation_unmarked',
  )
  // Too late for who supervises, not for the office.
  const late = await offering(await placed(await w.intern(), ward, -140))
  refused(await mark(teacher, late, 1), 409, 'rotation_marks_late')
  ok(await mark(office, late, 1))
  // A criterion by which somebody is marked stays, and none comes.
  const course = ok(await office('GET', `/emtyaz-courses/${w.courses[1]}`))
  refused(
    await office('POST', `/emtyaz/course/putCourse/${w.courses[1]}`, { criteria: course.criteria.slice(1) }),
    422,
    'emtyaz_criterion_marked@criteria',
  )
  refused(
    await office('POST', `/emtyaz/course/putCourse/${w.courses[1]}`, {
      criteria: [...course.criteria, { name: 'More', name_local: 'أكثر', max_mark: '10' }],
    }),
    422,
    'emtyaz_criterion_late@criteria',
  )
})

test('a rotation ends early, counts until then, and goes on where the place is still free', async () => {
  const ward = await w.training(w.types[0], 1)
  const [mona, rami] = [await w.intern(), await w.intern()]
  const id = await placed(mona, ward, -10)
  refused(
    await office('PUT', `/emtyaz/interrupt/${id}`, { on: await w.day(60), reason: 'Illness' }),
    409,
    'rotation_interrupted_day@on',
  )
  ok(await office('PUT', `/emtyaz/interrupt/${id}`, { on: await w.day(-4), reason: 'Illness' }))
  refused(
    await office('PUT', `/emtyaz/interrupt/${id}`, { on: await w.day(-4), reason: 'Illness' }),
    409,
    'rotation_not_running',
  )
  expect((await year(office, mona)).requirements[0]).toMatchObject({ done: 7, lacking: 21, to_make_up: 21 })
  // What lacks is made up elsewhere, for as long as the office says.
  const rest = await placed(mona, await w.training(w.types[0], 1), 20, { is_makeup: true, ends_on: await w.day(40) })
  expect((await year(office, mona)).requirements[0]).toMatchObject({ done: 7, planned: 21, lacking: 0 })
  // Somebody else has the place now.
  await placed(rami, ward, -3)
  refused(await office('PUT', `/emtyaz/resume/${id}`, { reason: 'By mistake' }), 409, 'rotation_full')
  expect(rest).toBeGreaterThan(id)
})

test('places: other numbers on some days, lost ones shown, nobody above them', async () => {
  const ward = await w.training(w.types[0], 3, {
    places_by_days: [{ starts_on: await w.day(0), ends_on: await w.day(27), places: 1 }],
  })
  await placed(await w.intern(), ward, 0)
  const second = await added(await w.intern(), ward, -3)
  expect((await accept(second)).failed[0].errors).toMatchObject([{ code: 'rotation_full' }])
  // Straight into the table: the database refuses as well.
  await expect(w.q(`update emtyaz_rotations set status = 'accepted' where id = $1`, [second])).rejects.toThrow(
    'no place',
  )
  // Places that are lost are lost; who is there then is shown.
  ok(await office('PUT', `/emtyaz/training/${ward}`, { withdrawn_from: await w.day(10) }))
  const shown = ok(await office('GET', `/emtyaz/training/${ward}`))
  expect(shown.overfull).toEqual([{ day: await w.day(10), taken: 1, places: 0 }])
  refused(await office('POST', `/emtyaz/course/deleteTraining/${ward}`, {}), 409, 'emtyaz_training_used')
})

test('all that wait are accepted at once, as far as there are places', async () => {
  const ward = await w.training(w.types[0], 2)
  const ids = []
  for (let i = 0; i < 4; i++) ids.push(await added(await w.intern(), ward, 28))
  const { done, failed } = ok(
    await office('PUT', '/emtyaz/accept_all_requested', { year_id: w.year, training_id: ward }),
  )
  expect([done.length, failed.length]).toEqual([2, 2])
  expect(ids.filter((id) => done.includes(id))).toEqual(ids.slice(0, 2))
})

test('setup: what is used stays as it was said', async () => {
  const ward = await w.training(w.types[2], 3)
  const who = await w.intern()
  const named = { code: `X${who.intern_id}`, name: 'X', name_local: 'س' }
  const putType = (id: number, body: object) => office('POST', `/emtyaz/course/putTrainingType/${id}`, body)
  await added(who, ward, 28)
  refused(await putType(w.types[2], { weeks: 5 }), 409, 'emtyaz_type_used@weeks')
  refused(await office('POST', `/emtyaz/course/deleteTrainingType/${w.types[2]}`, {}), 409, 'emtyaz_type_trainings')
  refused(
    await office('POST', `/emtyaz/course/putCourse/${w.courses[2]}`, { is_elective: false }),
    409,
    'emtyaz_type_used',
  )
  refused(await office('DELETE', `/emtyaz-courses/${w.courses[2]}`), 409, 'emtyaz_course_types')
  refused(await office('DELETE', `/emtyaz-hospitals/${w.hospital}`), 409, 'emtyaz_hospital_trainings')
  refused(await office('DELETE', `/emtyaz-years/${w.year}`), 409, 'emtyaz_year_interns')
  refused(await office('DELETE', `/emtyaz-interns/${who.intern_id}`), 409, 'emtyaz_intern_rotations')
  const criterion = { name: 'Skill', name_local: 'مهارة', max_mark: '50' }
  const put = (criteria: object[]) =>
    office('POST', '/emtyaz/course/putCourse', { ...named, faculty_id: w.faculty[0], pass_mark: '60', criteria })
  refused(await put([criterion, criterion]), 422, 'emtyaz_criterion_twice@name')
  refused(await put([criterion]), 422, 'emtyaz_pass_mark@pass_mark')
  // A year of another faculty offers nothing of this one.
  const elsewhere = {
    ...named,
    faculty_id: w.faculty[1],
    starts_on: await w.day(0),
    periods: 1,
    period_weeks: 4,
    electives: 0,
    leave_days: 0,
    marks_days: 1,
  }
  const times = { wishes_from: await w.day(3), wishes_until: await w.day(2) }
  refused(await office('PUT', '/emtyaz-years', { ...elsewhere, ...times }), 422, 'emtyaz_wishes_order@wishes_until')
  const { id: other } = ok(await office('PUT', '/emtyaz-years', elsewhere))
  refused(
    await office('PUT', '/emtyaz-trainings', {
      ...named,
      year_id: other,
      type_id: w.types[0],
      hospital_id: w.hospital,
      places: 1,
    }),
    422,
    'emtyaz_type_elsewhere@type_id',
  )
  const places = (rows: object[]) => office('PUT', `/emtyaz/training/${ward}`, { places_by_days: rows })
  const [first, last] = [await w.day(5), await w.day(9)]
  refused(await places([{ starts_on: last, ends_on: first, places: 1 }]), 422, 'emtyaz_places_days')
  refused(
    await places([
      { starts_on: first, ends_on: last, places: 1 },
      { starts_on: last, ends_on: last, places: 2 },
    ]),
    422,
    'emtyaz_places_twice@starts_on',
  )
  const supervise = (starts_on: string, ends_on: string) =>
    office('POST', `/emtyaz/addInstructors/${ward}`, {
      instructors: [{ instructor_id: teacher.instructor_id, starts_on, ends_on }],
    })
  const teacher = await w.supervisor(ward, 0, 20)
  refused(await supervise(last, first), 422, 'emtyaz_instructor_days@instructors.0.ends_on')
  refused(await supervise(first, last), 422, 'emtyaz_instructor_twice@starts_on')
  expect(ok(await teacher('GET', `/emtyaz/training/instructor/${teacher.instructor_id}`)).trainings).toHaveLength(1)
  expect(ok(await office('GET', '/emtyaz/training/instructors?search=I')).length).toBeGreaterThan(0)
  ok(await office('DELETE', `/emtyaz/${ward}/${teacher.instructor_id}`))
  refused(await office('DELETE', `/emtyaz/${ward}/${teacher.instructor_id}`), 404, 'not_found')
  // A year that is closed is not touched.
  ok(await office('PUT', `/emtyaz-years/${other}`, { is_closed: true }))
  refused(await office('POST', `/emtyaz/interns/${other}`, {}), 409, 'emtyaz_closed')
})

test('interns: once in a year, leave and wishes as they may be, graduates added at once', async () => {
  const who = await w.intern()
  const [skin, eyes] = [w.types[2], w.types[3]]
  await w.training(skin)
  await w.training(eyes)
  const joined_on = await w.day(0)
  refused(
    await office('PUT', '/emtyaz-interns', { year_id: w.year, student_id: who.student_id, joined_on }),
    422,
    'emtyaz_elsewhere@student_id',
  )
  const change = (body: object) => office('PUT', `/emtyaz-interns/${who.intern_id}`, body)
  refused(await change({ with_student_id: who.student_id }), 422, 'emtyaz_intern_alone')
  const leave = (from: string, until: string) => ({ kind: 'illness', starts_on: from, ends_on: until })
  const [first, last] = [await w.day(5), await w.day(9)]
  refused(await change({ leaves: [leave(last, first)] }), 422, 'emtyaz_leave_days')
  refused(await change({ leaves: [leave(first, last), leave(last, last)] }), 422, 'emtyaz_leave_twice@starts_on')
  const wish = (types: number[], more: object = {}) => who('PUT', `/emtyaz/wishes/${who.intern_id}`, { types, ...more })
  refused(await wish([w.types[0]]), 422, 'emtyaz_wish_none@wishes')
  refused(await wish([skin, skin]), 422, 'emtyaz_wish_twice@wishes')
  ok(await wish([eyes, skin]))
  ok(await wish([skin, eyes]))
  // Within the time for it, while the year is open, until it is completed.
  const times = await w.q<{ from: string | null; until: string | null }>(
    'select wishes_from::text as from, wishes_until::text as until from emtyaz_years where id = $1',
    [w.year],
  )
  const window = (from: string | null, until: string | null) =>
    w.q('update emtyaz_years set wishes_from = $2, wishes_until = $3 where id = $1', [w.year, from, until])
  await window(await w.day(-20), await w.day(-10))
  refused(await wish([eyes]), 409, 'rotation_window')
  await window(null, null)
  refused(await wish([eyes]), 409, 'rotation_not_asked')
  await window(times[0]!.from, times[0]!.until)
  await w.q('update emtyaz_interns set completed_on = university_today() where id = $1', [who.intern_id])
  refused(await wish([eyes]), 409, 'emtyaz_completed')
  await w.q('update emtyaz_interns set completed_on = null where id = $1', [who.intern_id])
  await w.q('update emtyaz_years set is_closed = true where id = $1', [w.year])
  refused(await wish([eyes]), 409, 'emtyaz_closed')
  await w.q('update emtyaz_years set is_closed = false where id = $1', [w.year])
  expect(
    ok(await who('GET', `/emtyaz/electives/${who.intern_id}`))
      .map(({ id }: { id: number }) => id)
      .toSorted(),
  ).toEqual([skin, eyes].toSorted())
  expect((await year(who, who)).intern.wishes.map((one: { type_id: number }) => one.type_id)).toEqual([skin, eyes])
  refused(await wish([skin], { version: 1 }), 409, 'changed_meanwhile')
  refused(await wish([], { with_student_id: who.student_id }), 422, 'emtyaz_with_elsewhere@with_student_id')
  refused(await office('PUT', `/emtyaz/reopen/${who.intern_id}`, { reason: 'By mistake' }), 409, 'emtyaz_not_completed')
  // Graduates who are in no year come at once; a second time nobody is left.
  const [one, two] = [await w.intern({ year: null }), await w.intern({ year: null })]
  await w.intern({ year: null, faculty: w.faculty[1] })
  const { students, total } = ok(await office('GET', `/emtyaz/candidates/${w.year}`))
  expect(students.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([one.student_id, two.student_id]))
  expect(ok(await office('POST', `/emtyaz/interns/${w.year}`, {})).added).toBe(total)
  expect(ok(await office('POST', `/emtyaz/interns/${w.year}`, {})).added).toBe(0)
  // What is still to be had, with what stands against it.
  const available = ok(await who('POST', `/emtyaz/available-training/${who.intern_id}`, {}))
  expect(available.length).toBeGreaterThan(0)
  expect(available.every((each: { starts: { free: number }[] }) => each.starts.every(({ free }) => free >= 0))).toBe(
    true,
  )
  // A training for which the year is too short.
  const long = ok(
    await office('POST', '/emtyaz/course/putTrainingType', {
      code: 'LONG',
      name: 'Long',
      name_local: 'طويل',
      course_id: w.courses[0],
      weeks: 52,
    }),
  ).id
  const endless = await w.training(long)
  const found = ok(await who('POST', `/emtyaz/available-training/${who.intern_id}`, {})).find(
    ({ id }: { id: number }) => id === endless,
  )
  expect(codes(found.reasons)).toEqual(['rotation_no_period'])
  ok(await office('POST', `/emtyaz/course/deleteTraining/${endless}`, {}))
  ok(await office('POST', `/emtyaz/course/deleteTrainingType/${long}`, {}))
  expect(ok(await who('GET', '/emtyaz/mine'))).toMatchObject([{ id: who.intern_id }])
})

test('who left early has no mark, and nobody is sent twice; the database refuses two at one time', async () => {
  const ward = await w.training(w.types[0], 9)
  const [mona, rami] = [await w.intern(), await w.intern()]
  const hers = await placed(mona, ward, -27)
  await placed(rami, ward, -27)
  const of = await offering(hers)
  ok(await office('PUT', `/emtyaz/interrupt/${hers}`, { on: await w.day(-10), reason: 'Illness' }))
  const { interns, criteria } = await sheet(office, of)
  const row = interns.find((one: { rotation_id: number }) => one.rotation_id === hers)
  const sent = { rotation_id: hers, version: row.version, marks: [{ criterion_id: criteria[0].id, points: 1 }] }
  const update = (rows: object[]) => office('PUT', '/emtyaz/offering-grades/update', { offering_id: of, rows })
  refused(await update([sent]), 409, 'rotation_interrupted_unmarked@rows.0.rotation_id')
  refused(await update([sent, sent]), 422, 'rotation_marked_twice@rows')
  // Submitted without her.
  ok(await mark(office, of, 0.7))
  ok(await office('PUT', `/emtyaz/submit-control-status/${of}`, {}))
  refused(await office('PUT', `/emtyaz/resume/${hers}`, { reason: 'By mistake' }), 409, 'rotation_submitted')
  ok(await office('PUT', `/emtyaz/undo-control-status/${of}`, { reason: 'She came back' }))
  ok(await office('PUT', `/emtyaz/resume/${hers}`, { reason: 'By mistake' }))
  refused(await office('PUT', `/emtyaz/resume/${hers}`, { reason: 'By mistake' }), 409, 'rotation_not_interrupted')
  expect(await why(mona, await w.training(w.types[1]), 20, { ends_on: await w.day(10) })).toEqual(['rotation_days'])
  const twice = w.q(
    `insert into emtyaz_rotations (student_id, year_id, training_id, type_id, offering_id, starts_on, ends_on, status, is_makeup)
     select student_id, year_id, training_id, type_id, offering_id, starts_on, ends_on, status, true from emtyaz_rotations where id = $1`,
    [hers],
  )
  await expect(twice).rejects.toThrow('rotation_meanwhile')
  const again = w.q(`insert into emtyaz_interns (year_id, student_id, joined_on) values ($1, $2, university_today())`, [
    w.year,
    mona.student_id,
  ])
  await expect(again).rejects.toThrow('emtyaz_intern_twice')
  const wishes = w.q(`insert into emtyaz_wishes (intern_id, position, type_id) values ($1, 1, $2), ($1, 1, $3)`, [
    mona.intern_id,
    w.types[2],
    w.types[3],
  ])
  await expect(wishes).rejects.toThrow('emtyaz_wish_position')
})

test('the wrong person gets nothing', async () => {
  const ward = await w.training(w.types[0], 2)
  const [mona, rami] = [await w.intern(), await w.intern()]
  const id = await added(mona, ward, 28)
  const elsewhere = await w.uni.as('faculty_registrar', ['faculty', w.faculty[1]])
  refused(await elsewhere('GET', `/emtyaz/student_registration/${mona.intern_id}`), 404, 'not_found')
  refused(await elsewhere('GET', `/emtyaz/training/${ward}`), 404, 'not_found')
  refused(await elsewhere('PUT', `/emtyaz/training/${ward}`, { places: 5 }), 404, 'not_found')
  refused(
    await elsewhere('POST', `/emtyaz/addInstructors/${ward}`, {
      instructors: [{ instructor_id: 1, starts_on: '2030-01-01', ends_on: '2030-02-01' }],
    }),
    404,
    'not_found',
  )
  expect(ok(await elsewhere('PUT', '/emtyaz/course/accept_emtyaz', { ids: [id] })).done).toEqual([])
  expect(ok(await elsewhere('POST', '/emtyaz', {}))).toEqual([])
  refused(await rami('GET', `/emtyaz/student_registration/${mona.intern_id}`), 404, 'not_found')
  refused(await rami('PUT', `/emtyaz/wishes/${mona.intern_id}`, { types: [] }), 404, 'not_found')
  refused(await rami('PUT', '/emtyaz/course/accept_emtyaz', { ids: [id] }), 403, 'not_allowed')
  refused(await mona('POST', `/emtyaz-rotations/accept/${id}`, {}), 403, 'not_allowed')
})
