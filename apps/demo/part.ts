import { followIds, insertRows } from '#db/bulk.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Resource } from '#kit/contract/index.ts'
import { actionsFrom, beginsIn, wayFrom } from '#kit/contract/workflow.ts'
import type { Workflow } from '#kit/contract/workflow.ts'
import type { Config } from '#kit/server/base/config.ts'
import type { Storage } from '#kit/server/storage/index.ts'
import type { DemoUniversity } from './model.ts'

/** What a capability brings to the demo university: a `*.demo.ts` beside it exports one by default. */
export interface DemoPart {
  /** Tables it fills; others name them as what they need. */
  readonly fills: readonly string[]
  /** Tables that must be filled before. */
  readonly needs: readonly string[]
  /** Returns what it puts into the file store, where there is one: done when everything else is loaded. */
  readonly load: (tx: Tx, demo: DemoUniversity) => Promise<void | FillStore>
}
export type FillStore = (db: Db, storage: Storage, config: Config) => Promise<void>

/** A part that needs it comes after all others: what they chose of the rows there are was chosen before. */
export const EVERYTHING = 'everything'

/** Declares a part. Rows of the structure have ids of their own, so that examples can name them. */
export const demoPart = (fills: readonly string[], needs: readonly string[], load: DemoPart['load']): DemoPart => ({
  fills,
  needs,
  load,
})

/** Rows, or how they come of the demo university: its current term, say. */
type Given<Row> = readonly Row[] | ((demo: DemoUniversity) => readonly Row[])
const rowsOf = <Row>(given: Given<Row>, demo: DemoUniversity): readonly Row[] =>
  typeof given === 'function' ? given(demo) : given

/**
 * The demo rows of a lookup: code, English and Arabic name, and its further columns. `needs`: tables that these point to.
 * @public
 * @example export default demoLookup(trainingType, [['FIELD', 'Field training', 'تدريب ميداني']])
 */
export const demoLookup = (
  { table }: Pick<Resource, 'table'>,
  rows: Given<readonly [code: string, name: string, name_local: string, more?: Readonly<Record<string, unknown>>]>,
  needs: readonly string[] = [],
): DemoPart =>
  demoPart([table], needs, async (tx, demo) => {
    await insertRows(
      tx,
      table,
      rowsOf(rows, demo).map(([code, name, name_local, more], i) => ({ id: i + 1, code, name, name_local, ...more })),
    )
    await followIds(tx, table)
  })

interface Taken {
  readonly action: string
  readonly from_state: string
  readonly to_state: string
}
/** The steps that lead from where records of a workflow begin to a state, the fewest. */
export function stepsTo(flow: Workflow, state: string): readonly Taken[] {
  const roads = new Map<string, readonly Taken[]>([[beginsIn(flow), []]])
  for (const [at, road] of roads) {
    if (at === state) return road
    for (const action of actionsFrom(flow, at)) {
      const { to } = wayFrom(flow, at, action)!
      if (!roads.has(to)) roads.set(to, [...road, { action, from_state: at, to_state: to }])
    }
  }
  throw new Error(`No steps of ${flow.name} lead to ${state}`)
}

/**
 * Requests of the demo university: one a student, in the state that each row says, with its further columns. `needs`:
 * tables that these point to.
 * @public
 * @example export default demoRequests(trainingRequest, [['requested', { why: 'To work in a company.' }]])
 * @example demoRequests(leave, (demo) => [['requested', { term_id: demo.current_terms.current_term, why: '…' }]], ['terms'])
 */
export const demoRequests = (
  { name, table, flow }: Pick<Resource, 'name' | 'table' | 'flow'>,
  given: Given<readonly [status: string, more: Readonly<Record<string, unknown>>]>,
  needs: readonly string[] = [],
): DemoPart =>
  demoPart([table], ['students', ...needs], async (tx, demo) => {
    const rows = rowsOf(given, demo)
    // One of each program in turn, so that every part of the university has some.
    const { rows: students } = await sql<{ id: number; user_id: number }>`
      select id, user_id from students where user_id is not null
      order by row_number() over (partition by program_id order by id), program_id limit ${rows.length}`.execute(tx)
    const ids = await insertNew(
      tx,
      table,
      rows.map(([status, more], i) => ({
        student_id: students[i]!.id,
        status,
        created_at: momentBefore(2 * (rows.length - i)),
        ...more,
      })),
    )
    const step = { workflow: name, reason: null }
    await insertRows(tx, 'step_history', [
      ...ids.map((record_id, i) => {
        const actor_id = students[i]!.user_id
        const at = momentBefore(2 * (rows.length - i))
        return { ...step, at, record_id, actor_id, action: 'begin', from_state: null, to_state: beginsIn(flow!) }
      }),
      ...rows.flatMap(([status], i) =>
        stepsTo(flow!, status).map((taken) => ({
          ...step,
          at: momentBefore(2 * (rows.length - i) - 1),
          record_id: ids[i]!,
          actor_id: null,
          ...taken,
        })),
      ),
    ])
  })

/**
 * An instant of the last days, in the hours of an office: the `n`-th before now, one to three each day, none on a Friday.
 * What people asked for did not all happen in the moment in which the demo university was loaded.
 */
export function momentBefore(n: number): Date {
  const at = new Date()
  for (let left = (n >> 1) + 1; left > 0;) {
    at.setUTCDate(at.getUTCDate() - 1)
    if (at.getUTCDay() !== 5) left--
  }
  const minute = n % 2 === 0 ? 300 + ((n * 29) % 120) : 40 + ((n * 37) % 180)
  at.setUTCHours(7, minute, (n * 17) % 60, 0)
  return at
}

/** Rows with other names or places than the tables'. */
export type Rows = readonly Readonly<Record<string, unknown>>[]
/** Columns that most records of the structure have. */
export const NAMED = ['id', 'code', 'name', 'name_local'] as const
export const pick = <T extends object, K extends keyof T>(row: T, ...keys: K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((k) => [k, row[k]])) as Pick<T, K>
/** Inserts rows whose ids the database gives, and answers them in order. */
export const insertNew = (tx: Tx, table: string, rows: Rows): Promise<number[]> =>
  insertRows(tx, table, rows, { returning: 'id' })

/** Accounts by their address. */
export async function usersByEmail(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{
    id: number
    email: string
  }>`select id, email from users where email is not null`.execute(tx)
  return new Map(rows.map((row) => [row.email, row.id]))
}
/** The instructor of each user of the structure. */
export async function instructorsByUser(tx: Tx, demo: DemoUniversity): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; code: string }>`select id, code from instructors`.execute(tx)
  const byCode = new Map(rows.map((row) => [row.code, row.id]))
  return new Map(demo.users.flatMap((u) => (byCode.has(u.code) ? [[u.id, byCode.get(u.code)!] as const] : [])))
}
