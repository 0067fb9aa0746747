import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actionsFrom, wayFrom } from '#kit/contract/workflow.ts'
import type { Action, Workflow } from '#kit/contract/workflow.ts'
import { servedWorkflows } from '#kit/server/workflow/workflow.ts'
import type { ServedWorkflow } from '#kit/server/workflow/workflow.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { SEAL } from '#areas/records/grading/signing/sign.server.ts'
import { verifyGrades } from '#areas/records/grading/signing/verify.server.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { demoDatabase } from './demo.ts'
import { dayThere, testUniversity } from './university.ts'
import type { Answer, Caller, TestUniversity } from './university.ts'

/**
 * What every workflow promises by being declared: a step from a wrong state is refused and names the state; who may not
 * gets nothing; a reason that is missing is asked for; of two at one moment one wins; every step stands in the history.
 * Records are those of the demo university, taken along the workflow's own ways, so nothing is written here per workflow.
 */
const WORKFLOWS = servedWorkflows().map((served) => [served.flow.name, served] as const)

let university: TestUniversity
let admin: Caller
beforeAll(async () => {
  university = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  const { rows } = await university.database.pool.query<{ id: number }>(
    'select id from users where is_super_admin limit 1',
  )
  // Only who is on duty confirms what interns did.
  await university.database.pool.query(
    `with i as (insert into instructors (code, name, name_local, faculty_id, academic_title, user_id)
       select 'ON-DUTY', 'On duty', 'مناوب', min(id), 'professor', $1 from faculties returning id)
     insert into emtyaz_training_instructors (training_id, instructor_id, starts_on, ends_on)
     select t.id, i.id, '2000-01-01', '2100-01-01' from emtyaz_trainings t, i`,
    [rows[0]!.id],
  )
  admin = await university.signIn(rows[0]!.id)
}, 1_200_000)
afterAll(() => university?.close())

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await university.database.pool.query(text, values)).rows as Row[]
/** What steps bring besides the reason: what was decided, and how it ended. */
const BROUGHT: Readonly<Record<string, Readonly<Record<string, () => object>>>> = {
  thesis: {
    approve: () => ({ council: 'Faculty council', session: '12', number: '4', decided_on: dayThere() }),
    change: () => ({ title: 'Another title' }),
    discuss: () => ({ result: 'accepted' }),
  },
}
const take = (
  who: Caller,
  { flow }: ServedWorkflow,
  action: string,
  id: number,
  body: object = {},
): Promise<Answer> => {
  const [method, path] = (flow.actions as Record<string, Action>)[action]!.call
  return who(method, path.replace('{id}', String(id)), { ...BROUGHT[flow.name]?.[action]?.(), ...body })
}
const stateOf = async ({ flow, calls }: ServedWorkflow, id: number): Promise<string | null> =>
  (await admin('GET', calls.history.path.replace('{id}', String(id)))).body.data[0]?.to ?? `not begun: ${flow.name}`

/** The state that a record left last when it came to the one in which it is; an action may lead back there. */
const leftBefore = async ({ flow }: ServedWorkflow, id: number, state: string): Promise<string | null> =>
  (
    await query<{ from_state: string | null }>(
      `select from_state from step_history where workflow = $1 and record_id = $2 and to_state = $3 order by id desc limit 1`,
      [flow.name, id, state],
    )
  )[0]?.from_state ?? null

/** Some records that are in a state already. */
const candidates = async ({ table, reads }: ServedWorkflow, state: string): Promise<number[]> =>
  (
    await query<{ id: number }>(
      `select t.id from ${table} t where ${reads} = $1 and t.removed_at is null order by t.id desc limit 4`,
      [state],
    )
  ).map((row) => row.id)

const isIn = async ({ table, reads }: ServedWorkflow, id: number, state: string): Promise<boolean> =>
  (await query(`select from ${table} t where t.id = $1 and ${reads} = $2`, [id, state])).length > 0

/** Steps that lead from one state to another, by the workflow's own ways; undefined: there is none. */
function road(flow: Workflow, from: string, to: string): string[] | undefined {
  const roads = new Map<string, string[]>([[from, []]])
  for (const [at, so] of roads) {
    if (at === to) return so
    for (const action of actionsFrom(flow, at)) {
      const next = wayFrom(flow, at, action)!.to
      if (!roads.has(next)) roads.set(next, [...so, action])
    }
  }
  return undefined
}

/** Records in a state: some that are there, then some that are brought there, first from the end of the way. */
async function* recordsIn(served: ServedWorkflow, state: string): AsyncGenerator<number> {
  const { flow } = served
  for (const from of [state, ...flow.states.map((one) => one.value).toReversed()]) {
    const steps = road(flow, from, state)
    for (const id of steps ? await candidates(served, from) : []) {
      let there = true
      for (const action of steps ?? []) {
        there = (await take(admin, served, action, id, { reason: 'on the way' })).status === 200
        if (!there) break
      }
      // A way back may have led where it came from.
      if (there && (await isIn(served, id, state))) yield id
    }
  }
}
async function recordIn(served: ServedWorkflow, state: string): Promise<number> {
  for await (const id of recordsIn(served, state)) return id
  throw new Error(`The demo university has no record of ${served.flow.name} that comes to ${state}`)
}

interface Trail {
  readonly table_name: string
  readonly record_id: number
  readonly action: 'insert' | 'update' | 'delete'
  readonly old: Readonly<Record<string, unknown>> | null
  readonly new: Readonly<Record<string, unknown>> | null
}
/** Fields that count changes, or keep the reason of the last step, and say nothing of what was changed. */
const COUNTING = new Set(['version', 'updated_at', 'decided_reason'])
/** A result goes with its state; while the marks are not submitted, it is the submission that computes it again. */
const RESULT = new Set(['total', 'letter', 'points', 'passed', 'counts_in_gpa', 'counts_in_attempted_hours'])
const inDraft = async (registration: number): Promise<boolean> =>
  (
    await query<{ draft: boolean }>(
      `select o.control_status = 'Draft' as draft from registrations r join offerings o on o.id = r.offering_id where r.id = $1`,
      [registration],
    )
  )[0]?.draft ?? false
/** What is another than it was before an entry of the trail, by record and field. */
async function leftSince(entry: string): Promise<string[]> {
  const rows = await query<Trail>(
    'select table_name, record_id, action, old, new from audit_log where id > $1 order by id',
    [entry],
  )
  const changed: string[] = []
  for (const [record, list] of Map.groupBy(rows, (row) => `${row.table_name} ${row.record_id}`)) {
    const [first, last] = [list[0]!, list.at(-1)!]
    if (first.action === 'insert' && last.action === 'delete') continue
    const was = new Map<string, unknown>()
    const is = new Map<string, unknown>()
    for (const row of list)
      for (const name of new Set([...Object.keys(row.old ?? {}), ...Object.keys(row.new ?? {})])) {
        if (!was.has(name)) was.set(name, row.old?.[name] ?? null)
        is.set(name, row.new?.[name] ?? null)
      }
    const provisional = first.table_name === 'registrations' && (await inDraft(first.record_id))
    for (const [name, now] of is)
      if (
        !COUNTING.has(name) &&
        !(provisional && RESULT.has(name)) &&
        JSON.stringify(now) !== JSON.stringify(was.get(name))
      )
        changed.push(`${record} ${name}: ${JSON.stringify(was.get(name))} → ${JSON.stringify(now)}`)
  }
  return changed
}

it('there is one', () => expect(WORKFLOWS.length).toBeGreaterThan(0))

describe.each(WORKFLOWS)('%s', (_name, served) => {
  const flow = served.flow as Workflow
  const actions = Object.entries<Action>(flow.actions)

  it('refuses a step from every wrong state, naming it', async () => {
    for (const { value, label } of flow.states) {
      const id = await recordIn(served, value)
      for (const [action, { refused }] of actions) {
        if (wayFrom(flow, value, action)) continue
        const answer = await take(admin, served, action, id, { reason: 'from a wrong state' })
        expect([action, answer.status, answer.body.errors], value).toMatchObject([
          action,
          409,
          [{ code: refused?.[value] ?? 'step_state', data: { state: label[0], state_local: label[1] } }],
        ])
      }
    }
  }, 360_000)

  it('gives nothing to who may not', async () => {
    const nobody = await university.as(null)
    for (const [action, { from }] of actions) {
      const id = await recordIn(served, Object.keys(from)[0]!)
      expect((await take(nobody, served, action, id, { reason: 'not mine' })).status, action).toBe(403)
      expect((await take(university.nobody, served, action, id)).status, action).toBe(401)
    }
  }, 360_000)

  it('leaves everything as it was where a step offers to be taken back and is', async () => {
    for (const [action, { from, takenBackBy }] of actions) {
      if (takenBackBy === undefined) continue
      for (const state of Object.keys(from)) {
        let tried = false
        for await (const id of recordsIn(served, state)) {
          const [before] = await query<{ id: string }>('select coalesce(max(id), 0)::text as id from audit_log')
          if ((await take(admin, served, action, id, { reason: 'too soon' })).status !== 200) continue
          const back = await take(admin, served, takenBackBy, id, { reason: 'taken back at once' })
          expect(back.status, `${action} from ${state}: ${JSON.stringify(back.body)}`).toBe(200)
          expect(await leftSince(before!.id), `${action} from ${state}, and back`).toEqual([])
          tried = true
          break
        }
        expect(tried, `${action} from ${state} was never possible`).toBe(true)
      }
    }
  }, 360_000)

  it('asks for the reason that is missing, and keeps every way with who, from where, to where and why', async () => {
    for (const [action, { from, reason }] of actions) {
      for (const state of Object.keys(from)) {
        let to: string | undefined
        // The rule of the step may refuse some: the first that can is taken.
        let taken: number | undefined
        for await (const id of recordsIn(served, state)) {
          if (reason === 'required') {
            const without = await take(admin, served, action, id)
            expect([422, 409], `${action} from ${state}`).toContain(without.status)
            expect(without.body.errors).toContainEqual(
              expect.objectContaining({ code: 'reason_required', field: 'reason' }),
            )
          }
          const before = await leftBefore(served, id, state)
          // Both saw the same version, as two screens do: a step that leads on from where it came to is not taken twice.
          const [seen] = await query<{ version: number }>(`select version from ${served.table} where id = $1`, [id])
          const body = { reason: 'as decided', version: seen!.version }
          const answers = await Promise.all([0, 1].map(() => take(admin, served, action, id, body)))
          const statuses = answers.map((one) => one.status).toSorted()
          if (statuses[0] !== 200) continue
          to = wayFrom(flow, state, action, before)!.to
          expect(statuses, `${action} from ${state}: of two one wins`).toEqual([200, 409])
          taken = id
          break
        }
        expect(taken, `${action} from ${state} was never possible`).toBeDefined()
        expect(await stateOf(served, taken!)).toBe(to)
        const [step] = await query<Record<string, unknown>>(
          `select action, from_state, to_state, actor_id, reason from step_history where workflow = $1 and record_id = $2
           order by id desc limit 1`,
          [flow.name, taken],
        )
        expect(step).toEqual({
          action,
          from_state: state,
          to_state: to,
          actor_id: admin.user_id,
          reason: 'as decided',
        })
      }
    }
  }, 720_000)
})

it('after all of these ways, marks of the demo university are those that were signed', async () => {
  const { services } = university
  const { findings, count, registrations } = await verifyGrades(services.db, { seal: await sealOf(services, SEAL) })
  expect([findings[0] ?? null, count]).toEqual([null, 0])
  expect(registrations).toBeGreaterThan(1000)
})
