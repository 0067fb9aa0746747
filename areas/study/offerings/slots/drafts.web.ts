import type { Option, Ref } from '#kit/contract/schema.ts'
import type { MeetingType } from '#kit/contract/week.ts'
import { ApiError } from '#kit/web/api/index.ts'
import { problemText } from '#kit/web/i18n/index.ts'
import type { OfferingRow } from '../parts.web.tsx'

/** A meeting being edited. `key` stays while it is moved about; names are for what is shown only. */
export interface MeetingDraft {
  readonly key: string
  readonly id?: number
  readonly group: number
  readonly type: MeetingType
  readonly section: string | null
  readonly day: number | null
  readonly slot_id: number | null
  readonly location_id: number | null
  readonly location?: Option | null
  readonly instructor_ids: readonly number[]
  /** People whose names came with the row. */
  readonly people?: readonly Ref[]
  readonly quota: number
  readonly over_quota: number
  readonly taken: number
}

let made = 0
/** A key for a new row. */
export const newKey = (): string => `new-${++made}`

/** Meetings of an offering as they are edited. */
export const draftsOf = (row: OfferingRow): MeetingDraft[] =>
  (row.groups ?? []).flatMap((g) =>
    g.meetings.map((m) => ({
      key: String(m.id),
      id: m.id,
      group: g.number,
      type: m.type,
      section: m.section,
      day: m.day,
      slot_id: m.slot?.id ?? null,
      location_id: m.location?.id ?? null,
      location: m.location,
      instructor_ids: m.instructors.map((i) => i.id),
      people: m.instructors,
      quota: m.quota,
      over_quota: m.over_quota,
      taken: m.taken,
    })),
  )
/** What is sent for a row. */
export const sentOf = (d: MeetingDraft) => ({
  ...(d.id !== undefined && { id: d.id }),
  group: d.group,
  type: d.type,
  section: d.section?.trim() || null,
  day: d.day,
  slot_id: d.slot_id,
  location_id: d.location_id,
  quota: d.quota,
  over_quota: d.over_quota,
  instructor_ids: [...d.instructor_ids],
})

/** Reasons by row (`slots.3.quota`), and those of the whole. */
export function reasonsByRow(error: unknown): { rows: Map<number, { text: string; part: string }[]>; rest: string[] } {
  const rows = new Map<number, { text: string; part: string }[]>()
  const rest: string[] = []
  for (const problem of error instanceof ApiError ? error.errors : []) {
    const [, index, part = ''] = /^slots\.(\d+)(?:\.(\w+))?/.exec(problem.field ?? '') ?? []
    if (index === undefined) rest.push(problemText(problem))
    else rows.set(Number(index), [...(rows.get(Number(index)) ?? []), { text: problemText(problem), part }])
  }
  return { rows, rest }
}
