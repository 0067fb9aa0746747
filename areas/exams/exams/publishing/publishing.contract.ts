import { z } from 'zod'
import { call, id, idParam } from '#kit/contract/index.ts'

/** So many are named, the others counted. */
export const NAMED = 12
const named = z.object({ id, name: z.string(), count: z.int() })
const publishing = z.object({
  /** Exams of the plan, and those of them that have a day and a slot. */
  exams: z.int(),
  placed: z.int(),
  /** People who sit at least one of them; a person with five exams is one. */
  students: z.int(),
  /** The same by exam: a person with five exams sits five times. */
  sittings: z.int(),
  first_day: z.string().nullable(),
  last_day: z.string().nullable(),
  /** Halls at a time, and those with exams of one course only. */
  halls: z.int(),
  /** Exams without day and slot; `count`: who sits them. */
  unplaced: z.array(named),
  /** Exams whose halls have too few seats; `count`: how many stand. */
  unseated: z.array(named),
  /** Exams in whose halls it is taught then. */
  taught: z.array(named),
  /** Exams of this plan with students who sit another one then; `count`: how many. */
  clashes: z.array(named.extend({ other: z.string() })),
  /** Exams with students who have a meeting (`other`) then; `count`: how many. */
  lectures: z.array(named.extend({ other: z.string() })),
  /** Exams that do not hold what students of theirs were granted; `count`: how many students. */
  accommodations: z.array(named),
  /** Of all those, not only of the ones that are named. */
  totals: z.object({
    unplaced: z.int(),
    unseated: z.int(),
    taught: z.int(),
    clashes: z.int(),
    lectures: z.int(),
    accommodations: z.int(),
  }),
  invigilators: z.object({ needed: z.int(), lacking: z.int() }),
  /** Who is told when it is published. */
  told: z.object({
    students: z.int(),
    invigilators: z.int(),
    /** Who has no account: nobody tells them. */
    silent: z.int(),
  }),
})
export type Publishing = z.output<typeof publishing>

export const publishingCalls = {
  publishing: call('GET', '/exams/publishing/{id}', {
    permission: 'access_examSchedule',
    summary: ['What publishing an exam schedule would do', 'ما سيحدث عند نشر جدول امتحان'],
    params: z.object({ id: idParam }),
    response: z.object({ data: publishing }),
  }),
}
