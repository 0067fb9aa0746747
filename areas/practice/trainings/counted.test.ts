import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { computeGrades } from '#areas/records/grading/grades/compute.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { cells, offerCourse, seed } from '#areas/records/grading/testing.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, testUniversity, type TestUniversity } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trainingsServer } from './trainings.server.ts'

let uni: TestUniversity
const q = async (text: string, values: readonly unknown[] = []) =>
  (await uni.database.pool.query(text, [...values])).rows
beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    studentsServer,
    registrationServer,
    gradingServer,
    trainingsServer,
  ])
}, 120_000)
afterAll(() => uni?.close())

test('weeks that are approved or taken back are in the reasons of the last finished term', async () => {
  const f = await seed(uni.database)
  const [me] = f.students as [number]
  const [head, registrar] = [await uni.as('control_head'), await uni.as('registrar')]
  await q('update bylaws set min_training_weeks = 4 where id = $1', [f.bylaw])
  const offering = await offerCourse(uni.database, f, { course: 0, code: 'TR', students: [me], term_id: f.fall })
  const marks = cells(offering, 0, ['20', '20', '50'])
  await q(
    'insert into registration_marks (registration_id, offering_mark_id, mark) select $1, m, v::numeric from unnest($2::int[], $3::text[]) as x(m, v)',
    [offering.registrations[0], marks.map((one) => one.offering_mark_id), marks.map((one) => one.mark)],
  )
  await uni.database.db.transaction().execute((tx) => computeGrades(tx, [offering.id]))
  await q(`update offerings set control_status = 'Published' where id = $1`, [offering.id])
  ok(await head('POST', '/control/students/finish', { term_id: f.fall, ids: [me] }))
  const against = async (): Promise<unknown> =>
    (
      await q(
        `select x from student_terms t, jsonb_array_elements(t.graduation) x where t.student_id = $1 and x ->> 'code' = 'graduation_training'`,
        [me],
      )
    )[0]?.x.data
  const outdated = async () =>
    ok(await head('GET', `/control/students/${me}/${f.fall}`)).result.graduation_outdated as boolean
  expect([await against(), await outdated()]).toEqual([{ earned: 0, required: 4 }, false])

  const [{ id }] = await q(
    `insert into students_trainings (student_id, own_organisation, own_starts_on, own_ends_on, own_weeks, why, status, score, assessment, assessed_at)
     values ($1, 'Clinic', university_today() - 40, university_today() - 10, 3, 'Near', 'accepted', 80, 'Good', now()) returning id`,
    [me],
  )
  const to = (status: string, reason?: string) =>
    registrar('POST', '/trainings/update-student-training-status', { id, status, ...(reason && { reason }) })
  ok(await to('approved'))
  expect([await against(), await outdated()]).toEqual([{ earned: 3, required: 4 }, false])
  ok(await to('accepted', 'The wrong person'))
  expect([await against(), await outdated()]).toEqual([{ earned: 0, required: 4 }, false])
})
