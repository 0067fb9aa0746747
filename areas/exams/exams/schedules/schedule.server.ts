/** Exam schedules: one offering on a day and slot, in halls, under invigilators. */
import { sql } from 'kysely'
import type { Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { longerReasons } from '../accommodations/accommodation.rules.ts'
import { holdHalls, longerMeetingsAt, longestExtra } from '../accommodations/hold.server.ts'
import { seated, sitting, tellBoard } from '../exams/exam.server.ts'
import {
  busyReasons,
  clashReasons,
  closedReasons,
  fillingReasons,
  keptInvigilators,
  lengthReasons,
  taughtReasons,
} from './clash.rules.ts'
import {
  busyAt,
  closedAt,
  elsewhereAt,
  fillingsAt,
  frameOf,
  busyMeetingsAt,
  taughtAt,
  type At,
} from './facts.server.ts'
import { examSchedule } from './schedule.contract.ts'

/** A schedule belongs to the faculty of its exam; in an exam of the university to that of its offering. */
export const scheduleReach = (alias = 't') =>
  ({
    faculty: sql`coalesce((select e.faculty_id from exams e where e.id = ${sql.ref(`${alias}.exam_id`)}),
      (select o.faculty_id from offerings o where o.id = ${sql.ref(`${alias}.offering_id`)}))`,
  }) satisfies ScopeParts

interface Written {
  exam_id: number
  offering_id: number
  on_date: string | null
  exam_slot_id: number | null
  duration: number | null
  is_locked: boolean
  locations: { id?: number; location_id: number; seats: number }[] | null
  instructors: { id?: number; location_id: number; instructor_id: number; role: string }[] | null
}

export const schedules = workings(examSchedule, {
  scope: { faculty: () => scheduleReach().faculty },
  computed: {
    students: sitting('t'),
    seats: seated('t'),
    same_day: `(select count(distinct r.student_id)::int from registrations r
      join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.offering_id <> r.offering_id and sits_exam(q.status)
      join exam_schedules d on d.offering_id = q.offering_id and d.removed_at is null and d.on_date = t.on_date
      where r.offering_id = t.offering_id and sits_exam(r.status))`,
    starts: `lower(t.during)::time`,
    ends: `upper(t.during)::time`,
  },
  search: [],
  async beforeWrite(ctx, tx, merged, current) {
    const now = merged as unknown as Written
    const before = current as unknown as (Written & { id: number }) | null
    // Who says nothing about invigilators leaves those who can to it.
    const keeps = before !== null && now.instructors === before.instructors
    now.on_date ??= null
    now.exam_slot_id ??= null
    now.duration ??= null
    now.locations ??= []
    now.instructors ??= []
    const frame = await frameOf(tx, now.exam_id, now.offering_id, now.on_date, now.exam_slot_id)
    if (!frame) throw refuse(422, 'not_found', undefined, 'exam_id')
    if (!before && frame.status === 'published') throw refuse(422, 'exam_published', undefined, 'exam_id')
    const reasons: Reason[] = []
    if (!frame.same_part) reasons.push({ field: 'offering_id', code: 'exam_other_part' })
    const moved =
      before !== null &&
      (before.on_date !== now.on_date || before.exam_slot_id !== now.exam_slot_id || before.duration !== now.duration)
    if (moved && frame.status === 'published') throw refuse(409, 'exam_published')
    if (moved && before.is_locked && now.is_locked) throw refuse(409, 'exam_schedule_locked')
    if (now.on_date === null || now.exam_slot_id === null) {
      // What is taken off the board has neither halls nor invigilators.
      if (moved) {
        now.locations = []
        now.instructors = []
      }
    } else {
      if (frame.closed) reasons.push({ field: 'exam_slot_id', code: 'exam_closed_then' })
      const at: At = { on_date: now.on_date, exam_slot_id: now.exam_slot_id, duration: now.duration }
      const but = before ? [before.id] : []
      if (moved && keeps && now.instructors.length) {
        const all = now.instructors.map((instructor) => instructor.instructor_id)
        const busy = await busyAt(tx, now.exam_id, now.offering_id, at, all)
        const elsewhere = await elsewhereAt(tx, at, all, but, await longestExtra(tx, now.offering_id, at))
        const free = new Set(all.filter((id) => !elsewhere.has(id) && !busy.some((one) => one.id === id)))
        const halls = now.locations.map((one) => one.location_id)
        now.instructors = keptInvigilators(now.instructors, halls, free).map((one) => ({ ...one }))
      }
      const had = new Set(moved ? [] : before?.locations?.map((one) => one.location_id))
      const taken = now.locations.flatMap((one) => (had.has(one.location_id) ? [] : [one.location_id]))
      reasons.push(...closedReasons(await closedAt(tx, now.exam_id, at, taken)))
      const people = now.instructors.map((instructor) => instructor.instructor_id)
      reasons.push(
        ...lengthReasons(now.duration, frame.minutes ?? Infinity),
        ...(before && !moved ? [] : clashReasons(await busyMeetingsAt(ctx, tx, now.offering_id, at, but))),
        ...(before && !moved ? [] : longerReasons(await longerMeetingsAt(ctx, tx, now.offering_id, at, but))),
        ...(before && !moved ? [] : taughtReasons(await taughtAt(ctx, tx, now.offering_id, at))),
        ...fillingReasons(await fillingsAt(tx, now.exam_id, at, now.locations, but)),
        ...(people.length ? busyReasons(await busyAt(tx, now.exam_id, now.offering_id, at, people)) : []),
      )
    }
    if (reasons.length) throw new Refusal(422, reasons)
    // Halls and people of the old time are given back before those of the new time are taken.
    if (moved) {
      await sql`delete from exam_schedule_locations where exam_schedule_id = ${before.id}`.execute(tx)
      Object.assign(before, { locations: [], instructors: [] })
      for (const list of [now.locations, now.instructors]) for (const row of list) delete row.id
    }
  },
  async afterWrite(ctx, tx, id, merged, current) {
    // What is placed, or goes to other halls, holds them for those who need it longer or alone; what stays is held as far as it goes.
    const reasons = (await holdHalls(tx, [id])).get(id)
    const now = merged as unknown as Written
    const before = current as unknown as Written | null
    const halls = ({ locations }: Written) =>
      JSON.stringify((locations ?? []).map((one) => [one.location_id, one.seats]).toSorted((a, b) => a[0]! - b[0]!))
    const changed =
      !before ||
      before.on_date !== now.on_date ||
      before.exam_slot_id !== now.exam_slot_id ||
      before.duration !== now.duration ||
      halls(before) !== halls(now)
    if (reasons && changed) throw new Refusal(422, reasons)
    await tellBoard(ctx, tx, now.exam_id)
  },
})

export const scheduleHandlers: readonly Handled[] = [...schedules.handlers]
