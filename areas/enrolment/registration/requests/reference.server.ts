/** What requests are judged by and hardly ever changes, read once and kept until its version moves on. */
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { query, type Tx } from '#db/connect.ts'
import type { RequestedMeeting } from '../registration-input.rules.ts'

/** When a period of the teaching day lies, in both seasons; minutes since midnight. */
type Period = { from: number; to: number; ramadan_from: number; ramadan_to: number }

export type RequestReference = {
  readonly version: number
  readonly periods: ReadonlyMap<number, Period>
  /** Courses that count as a course. */
  readonly equals: ReadonlyMap<number, readonly number[]>
}

type Client = pg.Pool | pg.PoolClient | Tx
type Row = { periods: [number, number, number, number, number][] | null; equals: [number, number][] | null }

const READ = `select
  (select json_agg(json_build_array(id, extract(epoch from start_time) / 60, extract(epoch from end_time) / 60,
    extract(epoch from ramadan_start_time) / 60, extract(epoch from ramadan_end_time) / 60)) from slots) as periods,
  (select json_agg(json_build_array(course_id, equal_course_id)) from course_equals) as equals`

/** Kept per pool of connections: a process may serve several databases. */
const kept = new WeakMap<object, RequestReference>()

/**
 * The reference of a version that another query has just read. Newer data under an older version does no harm: the next
 * query sees the newer version, and it is read again.
 */
export async function requestReferenceOf(client: Client, version: number): Promise<RequestReference> {
  const known = kept.get(client)
  if (known?.version === version) return known
  const [row] =
    'executeQuery' in client
      ? (await client.executeQuery<Row>(CompiledQuery.raw(READ))).rows
      : await query<Row>(client, 'registration_reference', READ)
  const equals = new Map<number, number[]>()
  for (const [course, other] of row?.equals ?? []) equals.set(course, [...(equals.get(course) ?? []), other])
  const reference: RequestReference = {
    version,
    periods: new Map(
      (row?.periods ?? []).map(([id, from, to, ramadan_from, ramadan_to]) => [
        id,
        { from, to, ramadan_from, ramadan_to },
      ]),
    ),
    equals,
  }
  kept.set(client, reference)
  return reference
}

/** How many days a week has: a meeting in Ramadan time stands in a week of its own, which no regular meeting meets. */
const WEEK = 7

/** When a meeting takes place in either season; courses clash when they do in one of them. */
export function requestedMeetingsAt(
  reference: RequestReference,
  day: number | null,
  slotId: number | null,
): RequestedMeeting[] {
  const period = slotId === null ? undefined : reference.periods.get(slotId)
  if (day === null || !period) return []
  const { from, to, ramadan_from, ramadan_to } = period
  return [
    { day, from, to },
    { day: day + WEEK, from: ramadan_from, to: ramadan_to },
  ]
}
