/** What goes wrong with theses in a university, tried through HTTP. */
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { ok, reasons, testUniversity, type Answer, type TestUniversity } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thesisWorld, type ThesisWorld } from './testing.server.ts'

let u: TestUniversity
let w: ThesisWorld
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  w = await thesisWorld(u)
})
afterAll(() => u.close())
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const sought = async (q: string): Promise<string[]> =>
  (await u.app.inject({ url: `/api/repository?q=${encodeURIComponent(q)}` }))
    .json()
    .data.map(({ handle }: { handle: string }) => handle)

test('a title that is changed after the discussion is the one of the degree and of the repository', async () => {
  const { id, student } = await w.discussed()
  ok(
    await student.as('PUT', `/theses/change/${id}`, {
      title: 'Learning from seven examples',
      title_local: 'التعلم من سبعة أمثلة',
      reason: 'The committee asked for it.',
    }),
  )
  // While it waits for the council, the degree waits as well: the next decision is about the title.
  ok(await w.dean('PUT', `/theses/approve/${id}`, w.decision({ number: '21' })))
  expect(await w.q(`select status, title from theses where id = $1`, [id])).toEqual([
    { status: 'discussed', title: 'Learning from seven examples' },
  ])
  ok(await w.dean('PUT', `/theses/approve/${id}`, w.decision({ number: '22' })))
  const { handle } = ok(await w.registrar('POST', `/theses/deposit/${id}`, { licence: 'cc-by' }))
  expect(await w.q(`select title, title_local from thesis_deposits where handle = $1`, [handle])).toEqual([
    { title: 'Learning from seven examples', title_local: 'التعلم من سبعة أمثلة' },
  ])
})

test('a thesis in two languages is one record, found by the words of either', async () => {
  const { id } = await w.granted()
  await w.q(
    `update theses set abstract = 'Estuaries silted early.', abstract_local = 'أطمت مصبات الأنهار مبكرا.' where id = $1`,
    [id],
  )
  const { handle } = ok(await w.registrar('POST', `/theses/deposit/${id}`, { licence: 'reserved' }))
  expect(await sought('estuaries')).toEqual([handle])
  expect(await sought('المصبات')).toEqual([handle])
  expect(await sought('estuaries مصبات')).toEqual([handle])
  expect(said(await w.registrar('POST', `/theses/deposit/${id}`, { licence: 'reserved' }))).toEqual([
    409,
    ['thesis_deposit_twice'],
  ])
})

test('a file that is no PDF is no manuscript, whatever it is called', async () => {
  const { id, student } = await w.approved()
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const answer = await w.upload(student.as, `/theses/versions/${id}`, { own_work: 'true' }, png)
  expect(answer.status).toBe(422)
  expect(await w.q(`select from thesis_versions where thesis_id = $1`, [id])).toEqual([])
})

test('a supervisor who leaves stays with what was, and the thesis goes on with another', async () => {
  const { id, student, leader } = await w.approved()
  await w.q(`update instructors set removed_at = now() where id = $1`, [leader.id])
  const next = await w.instructor()
  ok(
    await student.as('PUT', `/theses/change/${id}`, {
      supervisors: [{ instructor_id: next.id, job: 'leader', share: 100 }],
      reason: 'The supervisor has left the university.',
    }),
  )
  ok(await w.dean('PUT', `/theses/approve/${id}`, w.decision({ number: '31' })))
  expect(
    await w.q(
      `select instructor_id, until_date is null as there from thesis_members where thesis_id = $1 and job = 'leader' order by id`,
      [id],
    ),
  ).toEqual([
    { instructor_id: leader.id, there: false },
    { instructor_id: next.id, there: true },
  ])
  // The new one sees and reports, and is counted.
  expect((await next.as('GET', `/theses/${id}`)).status).toBe(200)
  const list = ok(await next.as('POST', '/theses', { filters: { user_id: next.as.user_id }, perPage: 20 }))
  expect(list.map((row: { id: number }) => row.id)).toEqual([id])
  expect(ok(await w.dean('POST', '/theses', { filters: { user_id: leader.as.user_id }, perPage: 20 }))).toEqual([])
})
