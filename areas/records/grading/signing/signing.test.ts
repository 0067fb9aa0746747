import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, seed, statusOf, type Fixture, type TestOffering } from '../testing.server.ts'
import { SEAL, signWhatIsNot } from './sign.server.ts'
import { verifyGrades } from './verify.server.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller
const query = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows

beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, studentsServer, gradingServer], { work: true })
  f = await seed(uni.database)
  head = await uni.as('control_head')
})
afterAll(() => uni.close())

let o: TestOffering
let n = 0
/** What somebody does who has the database and not the program: no trigger sees it. */
const behind = async (text: string, values: unknown[] = []) => {
  const client = await uni.database.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    return (await client.query(text, values)).rows
  } finally {
    await client.query('set session_replication_role = origin')
    client.release()
  }
}
beforeEach(async () => {
  await behind('delete from grade_link_rows')
  await behind('delete from grade_link_records')
  await behind('delete from grade_links')
  await query('delete from registrations')
  await query('update offerings set removed_at = now()')
  await behind(`update offerings set control_status = 'Draft'`)
  o = await offerCourse(uni.database, f, { code: `s${++n}` })
})
const step = async (word: string, body: object = {}, id = o.id) =>
  ok(await head('PUT', `/control/offerings/${word}-control-status/${id}`, body))
const to = async (...words: string[]) => {
  for (const word of words) await step(word)
}
const enter = async (offering = o) =>
  ok(
    await head('PUT', '/offerings/offering-students-grades/update', {
      offering_id: offering.id,
      cells: offering.registrations.flatMap((_, i) => cells(offering, i, ['15', '15', '45'])),
    }),
  )
const verify = async (noted?: { number: number; hash: string }) =>
  verifyGrades(uni.services.db, { seal: await sealOf(uni.services, SEAL), noted })
const causes = () =>
  query(
    'select number::int, cause, students, reason, actor_id, seal is not null as sealed from grade_links order by number',
  )

test('an approved sheet is signed; one cell changed behind the program is found, with what was signed and what stands', async () => {
  await enter()
  await to('submit', 'review')
  expect(await causes()).toEqual([])
  await to('approve', 'publish', 'freez')
  expect(await causes()).toEqual([
    { number: 1, cause: 'approve', students: 6, reason: null, actor_id: head.user_id, sealed: true },
  ])
  expect(await verify()).toMatchObject({ sheets: 1, registrations: 6, findings: [], count: 0, head: { number: 1 } })

  await behind('update registration_marks set mark = 59.5 where registration_id = $1 and offering_mark_id = $2', [
    o.registrations[2],
    o.scheme[2],
  ])
  await behind(`update registrations set letter = 'A' where id = $1`, [o.registrations[4]])
  const { findings, count } = await verify()
  expect(count).toBe(2)
  expect(findings).toEqual([
    expect.objectContaining({
      kind: 'cell',
      student: expect.objectContaining({ code: 'S003' }),
      category: expect.objectContaining({ code: 'FIN' }),
      signed: '45',
      stands: '59.5',
    }),
    expect.objectContaining({
      kind: 'cell',
      field: 'letter',
      student: expect.objectContaining({ code: 'S005' }),
      stands: 'A',
    }),
  ])
  // A registration that vanishes, one that appears, a maximum that grows, a status that is turned back.
  await behind('delete from registrations where id = $1', [o.registrations[0]])
  await behind(
    `insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status)
     select $3, $1, term_id, course_id, 3, 262160 from registrations where id = $2`,
    [o.id, o.registrations[1], f.students[0]],
  )
  await behind('update offering_marks set max = 70 where id = $1', [o.scheme[2]])
  expect((await verify()).findings.map((one) => one.kind).toSorted()).toEqual([
    'added',
    'cell',
    'cell',
    'gone',
    'scheme',
  ])
  await behind(`update offerings set control_status = 'Reviewed' where id = $1`, [o.id])
  expect((await verify()).findings).toMatchObject([{ kind: 'status', stands: 'Reviewed' }])
})

test('each lawful change is the next link, with who and why; undo is one, and a second approval signs anew', async () => {
  await enter()
  await behind('update registrations set status = $1 where id = $2', [
    statusOf('Incomplete', 'Fresh'),
    o.registrations[5],
  ])
  await behind('delete from registration_marks where registration_id = $1 and offering_mark_id = $2', [
    o.registrations[5],
    o.scheme[2],
  ])
  await to('submit', 'review', 'approve')
  await step('undo', { reason: 'A page was missing' })
  expect((await verify()).count).toBe(0)
  await to('approve', 'publish')
  const [mark] = await query<{ version: number }>(
    'select version from registration_marks where registration_id = $1 and offering_mark_id = $2',
    [o.registrations[0], o.scheme[2]],
  )
  const correct = (i: number, version: number | null, reason: string) =>
    head('PUT', `/control/students/update-term-grades/${o.registrations[i]}`, {
      marks: [{ offering_mark_id: o.scheme[2], mark: '50', version }],
      reason,
    })
  ok(await correct(0, mark!.version, 'Added up wrongly'))
  await to('freez')
  ok(await correct(5, null, 'The mark came late'))
  expect((await causes()).map((one) => [one.cause, one.reason, one.students])).toEqual([
    ['approve', null, 6],
    ['undo', 'A page was missing', null],
    ['approve', null, 6],
    ['correction', 'Added up wrongly', 6],
    ['incomplete', 'The mark came late', 6],
  ])
  // A link holds only the rows that it changed.
  expect(await query('select number::int, count(*)::int as n from grade_link_rows group by 1 order by 1')).toEqual([
    { number: 1, n: 6 },
    { number: 4, n: 1 },
    { number: 5, n: 1 },
  ])
  expect(await verify()).toMatchObject({ count: 0, sheets: 1, registrations: 6, head: { number: 5 } })
})

test('two approvals at one moment make one chain; what is refused makes no link', async () => {
  await query('delete from registrations')
  const others = await Promise.all(
    [0, 1, 2, 3].map((course) => offerCourse(uni.database, f, { code: `s${n}-${course}`, course })),
  )
  for (const one of others) {
    await behind('delete from registrations where offering_id = $1 and student_id <> $2', [one.id, f.students[0]])
    await enter({ ...one, registrations: one.registrations.slice(0, 1) })
    await step('submit', {}, one.id)
    await step('review', {}, one.id)
  }
  const answers = await Promise.all(
    [...others, o].map(({ id }) => head('PUT', `/control/offerings/approve-control-status/${id}`, {})),
  )
  expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 200, 409])
  expect((await causes()).map((one) => one.number)).toEqual([1, 2, 3, 4])
  expect(await verify()).toMatchObject({ count: 0, sheets: 4 })
})

test('the chain cannot be changed, shortened or written by another hand without being found', async () => {
  await enter()
  await to('submit', 'review', 'approve')
  await step('undo', { reason: 'Once more' })
  await to('approve')
  for (const change of [
    `update grade_links set reason = 'x'`,
    'delete from grade_links',
    'truncate grade_links cascade',
    'update grade_link_rows set content = null',
    'delete from grade_link_rows',
  ])
    await expect(query(change)).rejects.toThrow(/append-only/)
  const noted = (await verify()).head!
  await behind(`update grade_links set reason = 'Nothing' where number = 2`)
  expect((await verify()).findings).toMatchObject([{ kind: 'link', link: 2 }])
  await behind(`update grade_links set reason = 'Once more' where number = 2`)
  await behind(`update grade_link_rows set content = replace(content, '"45"', '"60"') where registration_id = $1`, [
    o.registrations[0],
  ])
  const { findings } = await verify()
  expect(findings.map((one) => one.kind).toSorted()).toEqual(['cell', 'row'])
  // Whoever leaves the last link away, and what it signed, is told by the end that was noted.
  await behind(`update grade_link_rows set content = replace(content, '"60"', '"45"') where registration_id = $1`, [
    o.registrations[0],
  ])
  await behind('delete from grade_link_records where number = 3')
  await behind('delete from grade_links where number = 3')
  await behind(`update offerings set control_status = 'Reviewed' where id = $1`, [o.id])
  expect((await verify()).count).toBe(0)
  expect((await verify(noted)).findings).toMatchObject([{ kind: 'noted', link: 3 }])
  // A link without the seal of the program, after one that has it.
  await behind(`update offerings set control_status = 'Approved' where id = $1`, [o.id])
  expect((await verify()).findings).toMatchObject([{ kind: 'unsigned' }])
  await uni.services.db
    .transaction()
    .execute((tx) =>
      signWhatIsNot(tx, { cause: 'begin', actor_id: null, impersonator_id: null, reason: null, seal: null }),
    )
  expect((await verify()).findings).toMatchObject([{ kind: 'seal', link: 3 }])
})

test('verifying is a job of control: within its reach, and nobody else', async () => {
  await enter()
  await to('submit', 'review', 'approve')
  await behind('update registration_marks set mark = 1 where registration_id = $1', [o.registrations[0]])
  const run = async (who: Caller, body: object = {}) => {
    const { job_id } = ok(await who('POST', '/control/grade-sheets/verify', body))
    for (;;) {
      const job = ok(await who('GET', `/jobs/${job_id}`))
      if (job.state === 'done') return job.result
      if (!['queued', 'running'].includes(job.state)) throw new Error(JSON.stringify(job))
      await sleep(30)
    }
  }
  const { number, hash } = ok(await head('GET', '/control/grade-sheets/head'))
  expect(await run(head, { noted: { number, hash } })).toMatchObject({ count: 3, sheets: 1 })
  const elsewhere = await uni.as('control_head', ['faculty', f.otherFaculty])
  expect(await run(elsewhere, { noted: { number, hash: 'a'.repeat(64) } })).toMatchObject({
    sheets: 0,
    // Of the chain as a whole it is said that it broke, not at whose sheet.
    findings: [{ kind: 'noted', link: 1, offering: null, student: null }],
  })
  for (const role of ['instructor', 'registrar', 'control_team', 'student'])
    expect((await (await uni.as(role))('POST', '/control/grade-sheets/verify', {})).status).toBe(403)
})
