import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTrainingOrganisationJob } from './organisations/ask.server.ts'
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

const PROGRESS = Object.assign(async () => {}, { signal: new AbortController().signal })
const MAIL = { of: { email: 'office@delta.example', contact_name: 'Nadia Selim' } }
const by = { said_by: 'Nadia Selim' }
/** Sends the question of a training, and puts a secret of the test in the place of the one that was mailed. */
async function link(training: number, who: Caller = w.office): Promise<string> {
  ok(await who('POST', `/trainings/ask-organisation/${training}`))
  const [{ id }] = await w.q('select id from training_asks where training_id = $1 and ended_at is null', [training])
  await askTrainingOrganisationJob.run(asSystem(uni.services, 'test'), { ask_id: id, lang: 'en' }, PROGRESS)
  const token = `link-${training}-${id}`
  await w.q('update training_links set token_hash = $1 where ask_id = $2', [hashToken(token), id])
  return token
}
const open = (token: string) => uni.nobody('POST', '/trainings/organisation/open', { token })
const say = (what: 'answer' | 'assess', token: string, id: number, more: object) =>
  uni.nobody('POST', `/trainings/organisation/${what}`, { token, id, ...by, ...more })

test('an organisation sees who waits by its link, and says yes or no', async () => {
  const { q, offered, student, asked, office, shown, to } = w
  const training = await offered({ ...MAIL, places: 2 })
  const [mona, rami, sara] = [await student(), await student(), await student()]
  const { id: cv } = await asSystem(uni.services, 'test').write((tx) =>
    uni.services.files.keep(tx, {
      name: 'cv.pdf',
      content: Buffer.from('%PDF-1.4'),
      ext: 'pdf',
      mime: 'application/pdf',
    }),
  )
  await q('update files set created_by = $1 where id = $2', [mona.user_id, cv])
  const [hers, his, her] = [
    await asked(mona, training, { cv_file_id: cv }),
    await asked(rami, training),
    await asked(sara, training),
  ]
  const elsewhere = await asked(mona, await offered(), { cv_file_id: cv })
  const token = await link(training)
  const { waiting, placed, ...seen } = ok(await open(token))
  expect(seen).toMatchObject({ organisation: { name: 'Delta' }, places: 2, taken: 0 })
  // Names and whether there is a CV: nothing else of a student.
  expect(waiting.map((row: object) => Object.keys(row).toSorted())).toEqual(
    Array.from({ length: 3 }, () => ['answer', 'ends_on', 'has_cv', 'id', 'starts_on', 'student']),
  )
  expect([Object.keys(waiting[0].student).toSorted(), placed]).toEqual([['name', 'name_local'], []])
  expect((await uni.nobody('POST', '/trainings/organisation/cv', { token, id: hers })).status).toBe(200)
  expect((await uni.nobody('POST', '/trainings/organisation/cv', { token, id: his })).status).toBe(404)
  expect((await uni.nobody('POST', '/trainings/organisation/cv', { token, id: elsewhere })).status).toBe(404)
  expect((await say('answer', token, elsewhere, { says: true })).status).toBe(404)
  refused(await say('answer', token, his, { says: false }), 422, 'training_answer_reason@reason')
  ok(await say('answer', token, hers, { says: true }))
  ok(await say('answer', token, his, { says: true }))
  ok(await say('answer', token, his, { says: false, reason: 'No desk for him' }))
  expect(ok(await open(token)).waiting.find((row: { id: number }) => row.id === his).answer).toEqual({
    says: false,
    reason: 'No desk for him',
  })
  // The office sees it, is told once, and takes it over.
  expect((await shown(office, his)).advice).toMatchObject({ says: false, reason: 'No desk for him', ...by })
  // The student learns what is decided, not what was advised.
  expect((await shown(rami, his)).advice).toBe(null)
  expect(JSON.stringify(ok(await rami('GET', `/students-trainings/${his}/history`)))).not.toContain('No desk')
  expect(
    await q(
      `select count(*)::int as n from notifications where user_id = $1 and key = 'trainings.notice_organisation'`,
      [office.user_id],
    ),
  ).toEqual([{ n: 1 }])
  const { data: askers } = (await office('GET', `/trainings/overview/${training}/students`)).body as never as {
    data: { id: number; advice: unknown }[]
  }
  expect(askers.map((row) => [row.id, row.advice !== null])).toEqual([
    [hers, true],
    [his, true],
    [her, false],
  ])
  const over = ok(await office('POST', `/trainings/take-over/${training}`, { ids: [hers, his, her] }))
  expect(over).toMatchObject({ done: [hers, his], failed: [{ id: her, errors: [{ code: 'training_no_advice' }] }] })
  expect(await q('select status from students_trainings where id = any($1) order by id', [[hers, his, her]])).toEqual([
    { status: 'accepted' },
    { status: 'disapproved' },
    { status: 'requested' },
  ])
  refused(await say('answer', token, hers, { says: false, reason: 'Changed our mind' }), 409, 'training_answered_late')
  await q(`update students_trainings set status = 'cancelled' where id = $1`, [her])
  expect((await say('answer', token, her, { says: true })).status).toBe(404)
  expect((await to(mona, hers, 'cancelled')).status).toBe(200)
})

test('later it assesses, and the office sees both assessments', async () => {
  const { day, offered, student, asked, office, shown, to, assess } = w
  const training = await offered(MAIL, -20)
  const who = await student()
  const id = await asked(who, training)
  const token = await link(training)
  const said = { score: 77, text: 'Careful.', visited_on: await day(-3) }
  refused(await say('assess', token, id, said), 409, 'training_assessed_late')
  ok(await to(office, id, 'accepted'))
  refused(await say('assess', token, id, { ...said, visited_on: await day(1) }), 422, 'training_visit_day@visited_on')
  ok(await say('assess', token, id, said))
  expect(ok(await open(token)).placed).toMatchObject([{ id, begun: true, assessment: said }])
  expect(await shown(office, id)).toMatchObject({
    assessment: null,
    assessments: [{ source: 'organisation', score: 77 }],
  })
  // It is advice: what counts is said by the supervisor.
  ok(await assess(office, id, { score: 80, text: 'As they say.' }))
  const { version } = await shown(office, id)
  const other = await uni.as('registrar')
  ok(await other('POST', `/trainings/assess/${id}`, { score: 60, text: 'Less good.', version }))
  refused(
    await office('POST', `/trainings/assess/${id}`, { score: 99, text: 'Better.', version }),
    409,
    'changed_meanwhile',
  )
  const { assessment, assessments } = await shown(office, id)
  expect([assessment.score, assessments.map((one: { score: number }) => one.score)]).toEqual([60, [80, 77]])
  expect(await shown(who, id)).toMatchObject({ assessment: { score: 60 }, assessments: [] })
  const later = await offered(MAIL, 10)
  const next = await asked(await student(), later)
  ok(await to(office, next, 'accepted'))
  refused(await say('assess', await link(later), next, { score: 1, text: 'Soon' }), 409, 'training_not_begun')
})

test('a link ends, is taken back, and is one at a time', async () => {
  const { q, day, offered, office } = w
  refused(await office('POST', `/trainings/ask-organisation/${await offered()}`), 409, 'training_no_email')
  const training = await offered(MAIL)
  refused(await office('POST', `/trainings/end-ask/${training}`), 409, 'training_not_asked')
  const first = await link(training)
  ok(await open(first))
  const { ask } = ok(await office('GET', `/trainings/overview/${training}`))
  expect([ask.email, ask.opened_at !== null]).toEqual(['office@delta.example', true])
  const second = await link(training)
  refused(await open(first), 403, 'training_link_over')
  ok(await open(second))
  ok(await office('POST', `/trainings/end-ask/${training}`))
  refused(await open(second), 403, 'training_link_over')
  refused(await open('anything'), 403, 'training_link_over')
  const old = await offered(MAIL, -57)
  const third = await link(old)
  ok(await open(third))
  await q('update trainings set starts_on = starts_on - 1, ends_on = ends_on - 1 where id = $1', [old])
  refused(await open(third), 403, 'training_link_over')
  refused(await office('POST', `/trainings/ask-organisation/${old}`), 409, 'training_link_late')
  expect(await q('select count(*)::int as n from training_links where token_hash = $1', [hashToken(first)])).toEqual([
    { n: 0 },
  ])
  expect(await day(0)).toMatch(/^\d/)
  expect((await (await w.student())('POST', `/trainings/ask-organisation/${training}`)).status).toBe(403)
})

test('what is called off ends for all who asked, and may be offered again', async () => {
  const { q, day, faculty, offered, student, ask, asked, office, to } = w
  const training = await offered({ ...MAIL, places: 3, has_interview: true })
  const [mona, rami] = [await student(), await student()]
  const [hers, his] = [await asked(mona, training), await asked(rami, training)]
  await q(`update students_trainings set status = 'accepted' where id = $1`, [hers])
  ok(
    await office('POST', `/trainings/interviews/${training}`, {
      day: await day(3),
      from_time: '10:00',
      count: 2,
      minutes: 15,
      place: 'Hall',
    }),
  )
  const token = await link(training)
  const medicine = await uni.as('registrar', ['faculty', faculty[1]!])
  refused(
    await medicine('POST', `/trainings/call-off/${training}`, { reason: 'No desks' }),
    409,
    'training_students_elsewhere',
  )
  expect(ok(await office('POST', `/trainings/call-off/${training}`, { reason: 'No desks' }))).toEqual({
    id: training,
    ended: 2,
  })
  refused(await office('POST', `/trainings/call-off/${training}`, { reason: 'Again' }), 409, 'training_is_called_off')
  expect(await q('select status from students_trainings where id = any($1)', [[hers, his]])).toEqual([
    { status: 'disapproved' },
    { status: 'disapproved' },
  ])
  expect(
    (await q(`select data ->> 'reason' as reason from notifications where user_id = $1`, [mona.user_id])).at(-1),
  ).toEqual({ reason: 'No desks' })
  expect(ok(await office('GET', `/trainings/interviews/${training}`))).toEqual([])
  refused(await open(token), 403, 'training_link_over')
  refused(await office('POST', `/trainings/ask-organisation/${training}`), 409, 'training_is_called_off')
  refused(await ask(await student(), training), 409, 'training_is_called_off@training_id')
  ok(await to(office, his, 'requested', { reason: 'A mistake' }))
  refused(await to(office, his, 'accepted'), 409, 'training_is_called_off', 'training_not_interviewed')
  ok(await office('POST', `/trainings/offer-again/${training}`))
  refused(await office('POST', `/trainings/offer-again/${training}`), 409, 'training_takes_place')
  ok(await ask(await student(), training))
})

test('the letter is for who has a place, the certificate for what is approved; both are taken back with it', async () => {
  const { q, offered, student, asked, office, to, assess } = w
  const who = await student()
  const id = await asked(who, await offered(MAIL, -40))
  const issue = (kind: string, by: Caller = office) =>
    by('POST', `/students-trainings/${id}/papers`, { kind, lang: 'ar' })
  refused(await issue('training_letter'), 409, 'training_paper_accepted')
  ok(await to(office, id, 'accepted'))
  const letter = ok(await issue('training_letter'))
  expect(letter.serial).toMatch(/^TL-/)
  refused(await issue('training_certificate'), 409, 'training_paper_approved')
  ok(await assess(office, id, { score: 90, text: 'Good' }))
  ok(await to(office, id, 'approved'))
  const certificate = ok(await issue('training_certificate'))
  expect((await issue('training_certificate', who)).status).toBe(403)
  const verified = await uni.nobody('GET', `/papers/${certificate.address.split('/').at(-1)}`)
  expect(ok(verified)).toMatchObject({ state: 'valid', paper: { holder: { name: 'Student' } } })
  expect(ok(await who('GET', `/students-trainings/${id}/papers`))).toHaveLength(2)
  expect((await (await student())('GET', `/students-trainings/${id}/papers`)).status).toBe(404)
  // All that was done is a paper of the student, and what types of certificates can be of.
  const all = (student_id: number) =>
    office('POST', `/students/${student_id}/papers`, { kind: 'trainings_done', lang: 'en' })
  const together = ok(await all(who.id))
  expect(ok(await uni.nobody('GET', `/papers/${together.address.split('/').at(-1)}`)).paper.facts).toMatchObject([
    { value: { name: '1' } },
    { value: { name: '4' } },
  ])
  refused(await all((await student()).id), 409, 'training_none_done')
  // Only the student says how much of it others see.
  const hide = (by: Caller) =>
    by('PUT', `/students-trainings/${id}/papers/${certificate.id}/disclosure`, { disclosure: 'nothing' })
  expect((await hide(office)).status).toBe(403)
  ok(await hide(who))
  ok(await to(office, id, 'accepted', { reason: 'The wrong person' }))
  const states = () =>
    q('select kind, revoked_reason from papers where subject_id = $1 and subject = $2 order by id', [
      id,
      'studentTraining',
    ])
  expect(await states()).toEqual([
    { kind: 'training_letter', revoked_reason: null },
    { kind: 'training_certificate', revoked_reason: 'The wrong person' },
  ])
  ok(await to(office, id, 'disapproved', { reason: 'Did not come' }))
  expect((await states())[0]).toEqual({ kind: 'training_letter', revoked_reason: 'Did not come' })
})

test('the organisation of a place that a student found answers by its link, of that student alone', async () => {
  const { q, day, student, asked, office, shown, to } = w
  const [mona, rami] = [await student(), await student()]
  const place = async (who: Caller, starts: number) =>
    asked(who, undefined as never, {
      own_organisation: 'Nile Clinic',
      own_starts_on: await day(starts),
      own_ends_on: await day(starts + 27),
      own_weeks: 4,
    })
  const [hers, his] = [await place(mona, -5), await place(rami, 10)]
  const ask = (id: number, by: Caller = office) => by('POST', `/trainings/ask-place/${id}`)
  // Not before it is on the list, and has an address.
  refused(await ask(hers), 409, 'training_not_listed')
  refused(await ask(await asked(rami, await w.offered(MAIL))), 409, 'training_of_list')
  const { id: clinic } = ok(
    await office('POST', `/trainings/list-organisation/${hers}`, {
      code: 'NILE',
      name: 'Nile Clinic',
      name_local: 'عيادة',
    }),
  )
  ok(await office('POST', `/trainings/list-organisation/${his}`, { organisation_id: clinic }))
  refused(await ask(hers), 409, 'training_no_email')
  expect((await shown(office, hers)).question).toMatchObject({ ask: null, not_asked: [{ code: 'training_no_email' }] })
  ok(await office('PUT', `/training-organisations/${clinic}`, { email: 'clinic@nile.example' }))
  refused(await ask(hers, mona), 403, 'not_allowed')
  refused(await ask(hers, await uni.as('faculty_registrar', ['faculty', w.faculty[1]!])), 404, 'not_found')
  ok(await ask(hers))
  const send = async (id: number) => {
    const asks = await q('select id from training_asks where student_training_id = $1 and ended_at is null', [id])
    const ask_id = Number(asks[0]?.id)
    await askTrainingOrganisationJob.run(asSystem(uni.services, 'test'), { ask_id, lang: 'en' }, PROGRESS)
    await q('update training_links set token_hash = $1 where ask_id = $2', [hashToken(`place-${ask_id}`), ask_id])
    return `place-${ask_id}`
  }
  const token = await send(hers)
  const seen = ok(await open(token))
  expect(seen).toMatchObject({ training: { name: 'Nile Clinic' }, places: 1, taken: 0, placed: [] })
  expect(seen.waiting.map(({ id }: { id: number }) => id)).toEqual([hers])
  refused(await say('answer', token, his, { says: true }), 404, 'not_found')
  ok(await say('answer', token, hers, { says: true }))
  expect((await shown(office, hers)).advice).toMatchObject({ says: true, ...by })
  expect((await shown(mona, hers)).question).toBe(null)
  expect(
    await q(`select link from notifications where user_id = $1 order by id desc limit 1`, [office.user_id]),
  ).toEqual([{ link: `/students-trainings?view=all&id=${hers}` }])
  ok(await to(office, hers, 'accepted'))
  ok(await say('assess', token, hers, { score: 80, text: 'Careful, and asks.' }))
  expect(ok(await open(token)).placed).toMatchObject([{ id: hers, assessment: { score: 80 } }])
  // A new link ends the one before; what comes to nothing ends with its link.
  ok(await ask(hers))
  refused(await open(token), 403, 'training_link_over')
  const next = await send(hers)
  ok(await to(office, hers, 'disapproved', { reason: 'Not there any more' }))
  refused(await open(next), 403, 'training_link_over')
  refused(await ask(hers), 409, 'training_answered_late')
  refused(await office('POST', `/trainings/end-place-ask/${hers}`), 409, 'training_not_asked')
  ok(await ask(his))
  ok(await office('POST', `/trainings/end-place-ask/${his}`))
  expect((await shown(office, his)).question.ask).toBe(null)
})
