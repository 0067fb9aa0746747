import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok, reasons, type Answer, type Caller } from '#tests/university.ts'
import { internshipWorld, type InternshipWorld } from '../testing.server.ts'
import type { PlannedRotations, RotationPlanRun } from './plan.contract.ts'

let w: InternshipWorld
let office: Caller
type Intern = Awaited<ReturnType<InternshipWorld['intern']>>

const refused = (answer: Answer, status: number, ...codes: string[]) =>
  expect([answer.status, ...reasons(answer).toSorted()]).toEqual([status, ...codes.toSorted()])
const last = async (): Promise<RotationPlanRun> => ok(await office('GET', `/emtyaz/plans/of/${w.year}`))
async function ended(): Promise<RotationPlanRun> {
  for (let i = 0; i < 600; i++) {
    const run = await last()
    if (run.state !== 'running') return run
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('the search does not end')
}
async function looked(body: object = {}): Promise<RotationPlanRun> {
  expect(ok(await office('POST', '/emtyaz/plans', { year_id: w.year, seconds: 2, ...body })).state).toBe('running')
  return await ended()
}
async function repaired(): Promise<RotationPlanRun> {
  ok(await office('POST', '/emtyaz/plans/repair', { year_id: w.year, seconds: 2 }))
  return await ended()
}
const take = (run: RotationPlanRun) => office('POST', `/emtyaz/plans/take/${run.id}`)
interface Placed {
  id: number
  student_id: number
  training_id: number
  type_id: number
  from: number
  days: number
  is_makeup: boolean
}
/** Accepted rotations, with days since the year began. */
const accepted = (): Promise<Placed[]> =>
  w.q<Placed>(
    `select r.id, r.student_id, r.training_id, r.type_id, r.starts_on - y.starts_on as "from", r.ends_on - r.starts_on + 1 as days, r.is_makeup
     from emtyaz_rotations r join emtyaz_years y on y.id = r.year_id where r.year_id = $1 and r.status = 'accepted' and r.removed_at is null
     order by r.student_id, r.starts_on`,
    [w.year],
  )
const overfull = () =>
  w.q(`select f.* from emtyaz_overfull(array(select id from emtyaz_trainings where year_id = $1)) f`, [w.year])
const byWho = async () => Map.groupBy(await accepted(), ({ student_id }) => student_id)

beforeAll(async () => {
  // The year begins in eight weeks: nothing of it has begun.
  w = await internshipWorld(56, [], { work: true })
  office = w.office
}, 120_000)
afterAll(() => w?.uni.close())

describe('a plan of rotations', () => {
  const interns: Intern[] = []
  const wards: Record<string, number> = {}
  let other = 0

  test('is not looked for where it is clear that there is none', async () => {
    refused(
      await office('POST', '/emtyaz/plans', { year_id: w.year }),
      409,
      'emtyaz_plan_nobody',
      'emtyaz_plan_no_trainings',
    )
    other = ok(await office('PUT', '/emtyaz-hospitals', { code: 'H2', name: 'City hospital', name_local: 'اسم' })).id
    wards.medicine = await w.training(w.types[0], 1)
    wards.medicine2 = await w.training(w.types[0], 1, { hospital_id: other })
    wards.surgery = await w.training(w.types[1], 2)
    wards.skin = await w.training(w.types[2], 1)
    wards.eyes = await w.training(w.types[3], 1, { hospital_id: other })
    for (let i = 0; i < 6; i++) interns.push(await w.intern())
    await w.q('update emtyaz_training_types set weeks = 6 where id = $1', [w.types[1]])
    refused(await office('POST', '/emtyaz/plans', { year_id: w.year }), 409, 'emtyaz_plan_weeks')
    await w.q('update emtyaz_training_types set weeks = 8 where id = $1', [w.types[1]])
    // Two places by twelve periods, and six who need two periods each: enough. One place is not.
    await w.q('update emtyaz_trainings set places = 0 where id = $1', [wards.surgery])
    const none = await looked()
    expect([none.state, none.reasons.map(({ code }) => code)]).toEqual(['none', ['emtyaz_plan_department']])
    expect(none.reasons[0]).toMatchObject({ data: { name: 'Surgery', places: 0, needed: 12 } })
    refused(await take(none), 409, 'emtyaz_plan_over')
    await w.q('update emtyaz_trainings set places = 2 where id = $1', [wards.surgery])
  })

  test('serves wishes, leaves leave free, keeps two together, is compared and taken', async () => {
    const [mona, rami, dina] = interns as [Intern, Intern, Intern]
    ok(await mona('PUT', `/emtyaz/wishes/${mona.intern_id}`, { types: [w.types[3], w.types[2]] }))
    ok(await rami('PUT', `/emtyaz/wishes/${rami.intern_id}`, { types: [w.types[2]], with_student_id: mona.student_id }))
    ok(await dina('PUT', `/emtyaz/wishes/${dina.intern_id}`, { types: [w.types[2]] }))
    // Dina is away for the whole second period, and comes after the first.
    await w.q(`insert into emtyaz_leaves (intern_id, kind, starts_on, ends_on) values ($1, 'other', $2, $3)`, [
      dina.intern_id,
      await w.day(56 + 28),
      await w.day(56 + 55),
    ])
    await w.q('update emtyaz_interns set joined_on = $2 where id = $1', [dina.intern_id, await w.day(56 + 28)])
    const run = await looked()
    expect([run.state, run.reasons]).toEqual(['proposed', []])
    expect(run.figures).toMatchObject({ interns: 6, complete: 6, overfull: 0, worst: { wish: 1 } })
    expect(run.figures!.wishes[0]).toBe(3)
    expect(run.present).toMatchObject({ interns: 6, complete: 0, used: 0, cost: null })
    expect(run.figures!.cost).toBeGreaterThanOrEqual(run.figures!.bound!)
    expect(run.changes).toEqual({ kept: 0, accepted: 0, added: 18, removed: 0, interns: 6 })
    expect(ok(await office('GET', `/emtyaz/plans/planned/${run.id}`))).toMatchObject({
      rotations: { length: 18 },
      removed: [],
    })
    const doctor = await w.supervisor(wards.medicine!)
    ok(await take(run))
    refused(await take(run), 409, 'emtyaz_plan_over')
    const placed = await byWho()
    expect(await overfull()).toEqual([])
    for (const who of interns) {
      const own = placed.get(who.student_id)!
      expect(
        own
          .map(({ type_id }) => type_id)
          .toSorted()
          .slice(0, 2),
      ).toEqual([w.types[0], w.types[1]])
      expect(own).toHaveLength(3)
      for (const { from, days, type_id } of own)
        expect([from % 28, days]).toEqual([0, type_id === w.types[1] ? 56 : 28])
    }
    for (const { from } of placed.get(dina.student_id)!) expect(from).toBeGreaterThanOrEqual(56)
    const chosen = (who: Intern) => placed.get(who.student_id)!.map(({ type_id }) => type_id)
    expect(chosen(mona)).toContain(w.types[3])
    expect(chosen(rami)).toContain(w.types[2])
    // Steps as the workflow writes them, and each intern told once.
    const steps = await w.q<{ action: string; count: string }>(
      `select action, count(*) from step_history where workflow = 'rotation' group by action order by action`,
    )
    expect(steps).toEqual([
      { action: 'accept', count: '18' },
      { action: 'begin', count: '18' },
    ])
    const told = await w.q<{ count: string }>(
      `select count(*) from notifications where key = 'internship.notice_plan' group by user_id`,
    )
    expect(told.map(({ count }) => count)).toEqual(Array(6).fill('1'))
    expect(await w.q(`select user_id from notifications where key = 'internship.notice_plan_supervised'`)).toEqual([
      { user_id: doctor.user_id },
    ])
  })

  test('is refused with every reason where the ground moved', async () => {
    const [, , , sara, omar] = interns as [Intern, Intern, Intern, Intern, Intern]
    const run = await looked()
    expect(run.state).toBe('proposed')
    const plan = ok(await office('GET', `/emtyaz/plans/planned/${run.id}`)) as PlannedRotations
    const skin = plan.rotations.find(([, training]) => training === wards.skin)!
    const late = await w.intern()
    const mine = (await byWho()).get(sara.student_id)!
    const { failed } = ok(
      await office('PUT', '/emtyaz/course/remove_emtyaz', { ids: [mine[0]!.id], reason: 'The ward is closed.' }),
    )
    expect(failed).toEqual([])
    await w.q(`insert into emtyaz_leaves (intern_id, kind, starts_on, ends_on) values ($1, 'illness', $2, $3)`, [
      omar.intern_id,
      await w.day(56),
      await w.day(56 + 335),
    ])
    await w.q(`insert into emtyaz_training_places (training_id, starts_on, ends_on, places) values ($1, $2, $2, 0)`, [
      wards.skin,
      skin[2],
    ])
    const answer = await take(run)
    refused(answer, 409, 'emtyaz_plan_rotations', 'emtyaz_plan_joined', 'emtyaz_plan_leave', 'emtyaz_plan_full')
    expect((await accepted()).length).toBe(17)
    await w.q('delete from emtyaz_leaves where intern_id = $1', [omar.intern_id])
    await w.q('delete from emtyaz_training_places')
    ok(await office('POST', `/emtyaz/plans/discard/${run.id}`))
    refused(await take(run), 409, 'emtyaz_plan_over')
    interns.push(late)
  })

  test('is repaired with few moves when places are lost and somebody joins late; what is locked stays', async () => {
    const before = await accepted()
    // The second department of medicine leaves: its interns go to the first one.
    const there = before.filter(({ training_id }) => training_id === wards.medicine2)
    expect(there.length).toBeGreaterThan(0)
    const locked = before.find(({ training_id }) => training_id === wards.surgery)!
    expect(ok(await office('PUT', '/emtyaz/plans/lock', { ids: [locked.id], locked: true }))).toEqual({ changed: 1 })
    await w.q('update emtyaz_trainings set withdrawn_from = $2 where id = $1', [wards.medicine2, await w.day(56)])
    await w.q('update emtyaz_trainings set places = 2 where id = $1', [wards.medicine])
    const run = await repaired()
    expect([run.state, run.kind, run.reasons]).toEqual(['proposed', 'repair', []])
    expect(run.present!.overfull).toBe(there.length)
    // Those who lost their place move; the late one and Sara get what they lack.
    expect(run.changes).toEqual({
      kept: 17 - 1 - there.length,
      accepted: 0,
      added: there.length + 4,
      removed: there.length,
      interns: expect.any(Number),
    })
    ok(await take(run))
    const after = await accepted()
    expect(after.filter(({ training_id }) => training_id === wards.medicine2)).toEqual([])
    expect(after.find(({ id }) => id === locked.id)).toEqual(locked)
    expect(after).toHaveLength(21)
    expect(await overfull()).toEqual([])
    // Nothing is left to be repaired.
    const again = await repaired()
    expect(again.changes).toEqual({ kept: 21 - 1, accepted: 0, added: 0, removed: 0, interns: 0 })
    ok(await office('POST', `/emtyaz/plans/discard/${again.id}`))
  })

  test('leaves what is accepted where only the rest is planned, and takes requests along', async () => {
    const before = await accepted()
    const late = await w.intern()
    const ask = (training_id: number, from: number) => async () =>
      office('PUT', '/emtyaz/course/add_emtyaz', {
        rotations: [{ student_id: late.student_id, training_id, starts_on: await w.day(56 + from) }],
      })
    ok(await ask(wards.medicine!, 0)())
    const run = await looked({ keep: true })
    expect([run.state, run.changes?.removed, run.changes!.added + run.changes!.accepted]).toEqual([
      'proposed',
      run.changes?.accepted ? 0 : 1,
      3,
    ])
    ok(await take(run))
    const after = await accepted()
    expect(after).toHaveLength(before.length + 3)
    for (const one of before) expect(after).toContainEqual(one)
    expect(await w.q(`select id from emtyaz_rotations where status in ('requested', 'added')`)).toEqual([])
  })

  test('is looked for once at a time, stopped with the best, and taken once by two at one moment', async () => {
    const both = await Promise.all([1, 2].map(() => office('POST', '/emtyaz/plans', { year_id: w.year, seconds: 60 })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    refused(
      both.find(({ status }) => status === 409)!,
      409,
      'emtyaz_plan_runs',
    )
    const run = await last()
    // Where everybody has the first wish already, nothing better is looked for.
    expect([200, 409]).toContain((await office('POST', `/emtyaz/plans/stop/${run.id}`)).status)
    const found = await ended()
    expect(found.state).toBe('proposed')
    refused(await office('POST', `/emtyaz/plans/stop/${run.id}`), 409, 'emtyaz_plan_over')
    const count = (await accepted()).length
    const answers = await Promise.all([take(found), take(found)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    refused(
      answers.find(({ status }) => status === 409)!,
      409,
      'emtyaz_plan_over',
    )
    expect(await accepted()).toHaveLength(count)
    expect(await overfull()).toEqual([])
  })

  test('is of who plans in the faculty of the year alone', async () => {
    const run = await last()
    const strange = await w.uni.as('faculty_registrar', ['faculty', w.faculty[1]])
    const instructor = await w.supervisor(wards.skin!)
    const [id] = await accepted()
    for (const [who, status] of [
      [strange, 404],
      [interns[0]!, 403],
      [instructor, 403],
    ] as const) {
      expect((await who('POST', '/emtyaz/plans', { year_id: w.year })).status).toBe(status)
      expect((await who('POST', '/emtyaz/plans/repair', { year_id: w.year })).status).toBe(status)
      expect((await who('GET', `/emtyaz/plans/planned/${run.id}`)).status).toBe(status)
      for (const step of ['stop', 'discard', 'take'])
        expect((await who('POST', `/emtyaz/plans/${step}/${run.id}`)).status).toBe(status)
      expect((await who('PUT', '/emtyaz/plans/lock', { ids: [id!.id], locked: true })).status).toBe(status)
    }
    expect((await strange('GET', `/emtyaz/plans/of/${w.year}`)).body).toEqual({ data: null })
    refused(await strange('GET', `/emtyaz/board/${w.year}`), 404, 'not_found')
    await w.q('update emtyaz_years set is_closed = true where id = $1', [w.year])
    refused(await office('POST', '/emtyaz/plans', { year_id: w.year }), 409, 'emtyaz_closed')
    refused(await office('PUT', '/emtyaz/plans/lock', { ids: [id!.id], locked: true }), 409, 'emtyaz_closed')
    await w.q('update emtyaz_years set is_closed = false where id = $1', [w.year])
  })

  test('the board shows everybody, what each has, and which plan is there', async () => {
    const board = ok(await office('GET', `/emtyaz/board/${w.year}`))
    expect(board).toMatchObject({ plans: true, year: { weeks: 48, period_weeks: 4 } })
    expect(board.interns).toHaveLength(interns.length + 1)
    expect(board.rotations).toHaveLength((await accepted()).length)
    expect(board.courses.map((one: { name: string }) => one.name)).toEqual(['Medicine', 'Surgery', 'Skin', 'Eyes'])
    expect(board.leaves).toHaveLength(1)
    // Everything is accepted, one of them locked.
    expect(new Set(board.rotations.map((one: unknown[]) => one[5]))).toEqual(new Set([2]))
    expect(board.rotations.filter((one: unknown[]) => one[6])).toHaveLength(1)
    expect(board.others).toEqual([])
  })

  test('the board counts places whole for who sees some of the interns', async () => {
    const program = await w.one(
      `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type)
       select bylaw_id, faculty_id, 'PX', 'Other program', 'برنامج آخر', program_type from programs where faculty_id = $1 limit 1 returning id`,
      [w.faculty[0]],
    )
    const [mona] = interns as [Intern]
    await w.q('update students set program_id = $2 where id = $1', [mona.student_id, program])
    const some = await w.uni.as('faculty_registrar', ['program', program])
    const board = ok(await some('GET', `/emtyaz/board/${w.year}`))
    expect(board.interns.map((one: { id: number }) => one.id)).toEqual([mona.student_id])
    const own = (await byWho()).get(mona.student_id)!.length
    expect([board.rotations.length, board.others.length]).toEqual([own, (await accepted()).length - own])
    // Nothing in them says who it is.
    expect(new Set(board.others.map((one: unknown[]) => one.length))).toEqual(new Set([3]))
  })
})
