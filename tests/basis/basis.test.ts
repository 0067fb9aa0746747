import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { area, decisionBasis } from '#kit/contract/index.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { basisJob, followBefore, refuseOutdated } from '#kit/server/workflow/basis.ts'
import { keepBasis, serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '../university.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { actOn } from '#areas/records/grading/guard.server.ts'
import { offerCourse, seed, type Fixture, type TestOffering } from '#areas/records/grading/testing.server.ts'

/** Praise of a student for a result: made for this test, of each of the three kinds. */
const labels = { one: ['Praise', 'ثناء'], many: ['Praises', 'ثناءات'], why: ['Changed', 'تغيّر'] } as const
const step = { label: ['Do', 'نفّذ'], consequence: ['It is done', 'ينفَّذ'] } as const
const keys = { sees: 'show_students', decides: 'edit_students' } as const
const waiting = decisionBasis({ kind: 'praise', ...labels, ...keys, becomes: 'waits', renew: step, keep: step })
const following = decisionBasis({ kind: 'praise_follows', ...labels, sees: 'show_students', becomes: 'follows' })
const refused = decisionBasis({
  kind: 'praise_refused',
  ...labels,
  ...keys,
  becomes: 'refused',
  refusal: 'decision_outdated',
})

const common = {
  from: 'praises t join students s on s.id = t.student_id',
  student: 't.student_id',
  named: `json_build_object('code', s.code, 'name', s.name, 'name_local', s.name_local)`,
  link: `'/students/' || s.id`,
  scope: () => ({ faculty: sql`s.faculty_id` }),
}
const followed: number[][] = []
const served = [
  serveBasis(waiting, {
    ...common,
    renew: async (_ctx, tx, ids) =>
      void (await sql`update praises set worth = 2 where id = any(${[...ids]}::int[])`.execute(tx)),
  }),
  serveBasis(following, { ...common, follow: async (_ctx, _tx, ids) => void followed.push([...ids]) }),
  serveBasis(refused, common),
]
const praises = area({ name: 'praises', label: ['Praises', 'ثناءات'], basis: [waiting, following, refused] })

let uni: TestUniversity
let f: Fixture
let course: TestOffering
let registrar: Caller
let elsewhere: Caller
let reader: Caller
const q = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await uni.database.pool.query(text, values)).rows
/** Changes something as a correction does. @returns which decisions were outdated before it was committed */
const correct = async (text: string, values: unknown[]): Promise<number[]> =>
  uni.database.db.transaction().execute(async (tx) => {
    await actOn(tx, 'load')
    const parts = text.split('?')
    await sql(parts as never, ...values).execute(tx)
    const { rows } = await sql<{
      id: number
    }>`select distinct decision_id as id from decision_facts where now is not null
      order by 1`.execute(tx)
    return rows.map((row) => row.id)
  })
const result = (i: number, letter: string, points: number) =>
  correct('update registrations set letter = ?, points = ?::numeric, passed = ?::numeric > 0 where id = ?', [
    letter,
    points,
    points,
    course.registrations[i]!,
  ])
/** Praises a student for the result as it is now. */
async function praise(
  basis: typeof waiting | typeof following | typeof refused,
  i = 0,
  fact = 'result',
): Promise<number> {
  const [{ id }] = await q('insert into praises (student_id, worth) values ($1, 1) returning id', [f.students[i]])
  const fact_id = fact === 'figures' ? f.students[i]! : course.registrations[i]!
  await uni.database.db.transaction().execute((tx) => keepBasis(tx, basis, [{ id, facts: [{ fact, fact_id }] }]))
  return id
}
const outdated = async (who: Caller, more: object = {}): Promise<any[]> =>
  ok(await who('POST', '/outdated-decisions', more)) as any[]
const ids = async (who: Caller, more: object = {}) => (await outdated(who, more)).map((one) => one.id)

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    settingsServer,
    studentsServer,
    gradingServer,
    defineAreaServer({ area: praises, handlers: [], basis: served }),
  ])
  f = await seed(uni.database)
  for (const code of ['CS105', 'CS106', 'CS107', 'CS108']) {
    const [{ id }] = await q(
      `insert into courses (code, name, name_local, faculty_id, credit_hours) values ($1, $1, 'مقرر', $2, 3) returning id`,
      [code, f.faculty],
    )
    f.courses.push(id)
  }
  await q(
    'create table praises (id integer generated always as identity primary key, student_id integer, worth integer)',
  )
  await q(`select basis_goes_with('praises', 'praise')`)
  registrar = await uni.as('registrar', ['faculty', f.faculty])
  elsewhere = await uni.as('registrar', ['faculty', f.otherFaculty])
  reader = await uni.as(null)
  await q(
    `insert into access_entries (user_id, permission, scope_type, scope_id) values ($1, 'show_students', 'faculty', $2)`,
    [reader.user_id, f.faculty],
  )
  reader = await uni.signIn(reader.user_id)
}, 720_000)
afterAll(() => uni?.close())
let code = 0
beforeEach(async () => {
  await q('delete from praises')
  await q('delete from decision_facts')
  course = await offerCourse(uni.database, f, { code: `b${++code}`, course: code - 1, control_status: 'Draft' })
  await q(
    `update registrations set letter = 'A', points = 4, total = 96, passed = true, counts_in_gpa = true,
    counts_in_attempted_hours = true where offering_id = $1`,
    [course.id],
  )
  await q(`update offerings set control_status = 'Published' where id = $1`, [course.id])
  followed.length = 0
})

test('a change outdates what stands on it, in the same transaction; changed back, it is not; each fact counts', async () => {
  const id = await praise(waiting)
  const other = await praise(waiting, 1)
  expect(await ids(registrar)).toEqual([])
  expect(await result(0, 'F', 0)).toEqual([id])
  expect(await outdated(registrar)).toMatchObject([
    {
      kind: 'praise',
      id,
      area: 'praises',
      becomes: 'waits',
      student: { id: f.students[0] },
      decides: true,
      abilities: ['renew', 'keep'],
      link: `/students/${f.students[0]}`,
      changes: [
        {
          fact: 'result',
          what: { code: expect.stringMatching(/^CS/) },
          before: { name: 'A · 4.00' },
          now: { name: 'F · 0.00' },
        },
      ],
    },
  ])
  // Another change on top: what it stood on stays, since when stays; what it is now follows.
  const [{ since }] = await outdated(registrar)
  await result(0, 'D', 2)
  expect(await outdated(registrar)).toMatchObject([
    { since, changes: [{ before: { name: 'A · 4.00' }, now: { name: 'D · 2.00' } }] },
  ])
  expect(await result(0, 'A', 4)).toEqual([])
  expect(await ids(registrar)).toEqual([])
  // A result that is not published any more is none, and comes back as it was.
  const steps = (status: string) => correct(`update offerings set control_status = ? where id = ?`, [status, course.id])
  expect(await steps('Approved')).toEqual([id, other])
  expect(await outdated(registrar)).toMatchObject([{ changes: [{ now: null }] }, { id: other }])
  expect(await steps('Published')).toEqual([])
  expect(await correct('delete from registrations where id = ?', [course.registrations[1]])).toEqual([other])
  await q('delete from praises where id = $1', [other])
  expect(await q('select decision_id from decision_facts')).toEqual([{ decision_id: id }])
})

test('what stands on approved results and on figures', async () => {
  const approved = await praise(waiting, 0, 'approved')
  const figures = await praise(waiting, 1, 'figures')
  expect(await correct(`update offerings set control_status = 'Approved' where id = ?`, [course.id])).toEqual([])
  expect(await correct(`update students set gpa = 1.5 where id = ?`, [f.students[1]])).toEqual([figures])
  expect(await correct(`update offerings set control_status = 'Reviewed' where id = ?`, [course.id])).toEqual([
    approved,
    figures,
  ])
  expect(await correct(`update students set gpa = null where id = ?`, [f.students[1]])).toEqual([approved])
})

test('it concerns who reaches it; who decides renews it, or keeps it with a reason; nobody decides the own', async () => {
  const [first, second, third] = [await praise(waiting), await praise(waiting, 1), await praise(waiting, 2)]
  for (const i of [0, 1, 2]) await result(i, 'F', 0)
  expect(await ids(elsewhere)).toEqual([])
  expect(await ids(await uni.as(null))).toEqual([])
  expect((await uni.nobody('POST', '/outdated-decisions', {})).status).toBe(401)
  expect(await ids(registrar, { student_id: f.students[1] })).toEqual([second])
  expect(await ids(registrar, { kind: 'praise_follows' })).toEqual([])
  // Who only sees it decides nothing.
  expect((await outdated(reader)).map((one) => [one.id, one.decides, one.abilities])).toEqual([
    [first, false, []],
    [second, false, []],
    [third, false, []],
  ])
  expect(await ids(reader, { mine: true })).toEqual([])
  const renew = (who: Caller, some: number[], kind = 'praise') =>
    who('POST', '/outdated-decisions/renew', { kind, ids: some })
  const keep = (who: Caller, id: number, reason = 'as the board decided') =>
    who('POST', '/outdated-decisions/keep', { kind: 'praise', ids: [id], reason })
  expect([(await renew(reader, [first])).status, (await renew(elsewhere, [first])).status]).toEqual([403, 404])
  expect(reasons(await renew(registrar, [first], 'praise_refused'))).toEqual(['decision_step_none'])
  expect((await keep(registrar, first, ' ')).status).toBe(422)
  await q('update students set user_id = $2 where id = $1', [f.students[2], registrar.user_id])
  expect(reasons(await renew(registrar, [third]))).toEqual(['step_own'])

  ok(await renew(registrar, [first]))
  expect(await q('select worth from praises where id = $1', [first])).toEqual([{ worth: 2 }])
  ok(await keep(registrar, second))
  expect(await q('select worth from praises where id = $1', [second])).toEqual([{ worth: 1 }])
  expect(reasons(await keep(registrar, second))).toEqual(['decision_not_outdated'])
  expect(await ids(registrar)).toEqual([third])
  expect(
    await q('select decision_id, action, reason, actor_id, changes from decision_steps order by id'),
  ).toMatchObject([
    { decision_id: first, action: 'renewed', reason: null, actor_id: registrar.user_id, changes: [{ fact: 'result' }] },
    { decision_id: second, action: 'kept', reason: 'as the board decided' },
  ])
  await expect(q('delete from decision_steps')).rejects.toThrow(/cannot be changed/)
  // What was renewed or kept stands on what is now.
  expect(await result(0, 'A', 4)).toContain(first)
  expect((await outdated(registrar, { student_id: f.students[1] })).length).toBe(0)
})

test('who acts on what is outdated is refused with what it was and is', async () => {
  const id = await praise(refused)
  const act = () => uni.database.db.transaction().execute((tx) => refuseOutdated(tx, refused, [id]))
  await act()
  await result(0, 'F', 0)
  await expect(act()).rejects.toMatchObject({
    status: 409,
    reasons: [{ code: 'decision_outdated', data: { before: 'A · 4.00', now: 'F · 0.00' } }],
  })
  await result(0, 'A', 4)
  await act()
})

test('what follows has followed before the change is committed, or within a minute whoever changed it', async () => {
  const id = await praise(following)
  const system = asSystem(uni.services, 'test')
  await system.write(async (tx) => {
    await actOn(tx, 'load')
    followBefore(tx)
    await sql`update registrations set letter = 'B', points = 3 where id = ${course.registrations[0]!}`.execute(tx)
  })
  expect(followed).toEqual([[id]])
  expect(await ids(registrar)).toEqual([])
  expect(await result(0, 'A', 4)).toEqual([id])
  expect(
    await basisJob.run(
      system,
      undefined,
      Object.assign(async () => {}, { signal: new AbortController().signal }),
    ),
  ).toMatchObject({ followed: 1 })
  expect(followed).toEqual([[id], [id]])
  expect(await q('select action from decision_steps where kind = $1', ['praise_follows'])).toEqual([
    { action: 'followed' },
    { action: 'followed' },
  ])
})

test('a decision made while its fact changes is not lost: it waits for the change, or the change finds it', async () => {
  const { pool } = uni.database
  const change = await pool.connect()
  try {
    await change.query('begin')
    await change.query(`select set_config('ems.authority', 'load', true)`)
    await change.query(`update registrations set letter = 'F', points = 0, passed = false where id = $1`, [
      course.registrations[0],
    ])
    const deciding = praise(waiting)
    await new Promise((resolve) => setTimeout(resolve, 150))
    await change.query('commit')
    await deciding
  } finally {
    change.release()
  }
  expect((await q('select stood, now from decision_facts'))[0]).toMatchObject({ stood: { letter: 'F' }, now: null })
})

test('marks and registrations below Approved ask nothing of what stands on results', async () => {
  await praise(waiting)
  const open = await offerCourse(uni.database, f, { code: 'open', course: 3, term_id: f.spring })
  const asked = (offering_id: number) =>
    uni.database.db.transaction().execute(async (tx) => {
      await actOn(tx, 'load')
      await sql`create or replace function results_changed(ids integer[], was jsonb[]) returns void language plpgsql as
        $$ begin raise exception 'asked'; end $$`.execute(tx)
      await sql`update registrations set letter = 'B', points = 3 where offering_id = ${offering_id}`.execute(tx)
      throw new Error('not asked')
    })
  await expect(asked(open.id)).rejects.toThrow('not asked')
  await expect(asked(course.id)).rejects.toThrow(/^asked/)
})
