import { z } from 'zod'
import { call, id, idParam, listOf, listQuery, problem, ref } from '#kit/contract/index.ts'
import { refusalCodes } from '../registration-refusals.rules.ts'
import { OFFICES, noteCodes, type Office } from './preflight.rules.ts'

const STAFF = ['access_registration', 'request_registration', 'accept_registration', 'access_advising'] as const
const office = z.enum(Object.keys(OFFICES) as [Office, ...Office[]])

/** A line: what it is, what unblocks it (`data.step`), since when, and who can lift it. */
export const preflightLine = problem.extend({
  code: z.enum([...refusalCodes, ...noteCodes]),
  /** No course is had as long as it stands. */
  blocks: z.boolean(),
  office,
  since: z.string().nullable(),
})
export type PreflightLine = z.output<typeof preflightLine>

/** A course of the plan that is next, with what stands against it alone. */
export const preflightCourse = z.object({
  course: ref.extend({ credit_hours: z.number() }),
  level: z.int(),
  semester: z.int(),
  reasons: z.array(problem.extend({ code: z.enum(refusalCodes) })),
  /** Codes of courses it asks for that the student takes now. */
  in_progress: z.array(z.string()),
})
export type PreflightCourse = z.output<typeof preflightCourse>

const window = z.object({ code: z.string(), from: z.string(), to: z.string(), open: z.boolean() })

const answer = z.object({
  data: z.object({
    student: ref,
    term: ref.nullable(),
    /** By which the student comes in next; null: none is set. */
    window: window.nullable(),
    blocked: z.boolean(),
    lines: z.array(preflightLine),
    courses: z.array(preflightCourse),
  }),
})
export type PreflightAnswer = z.output<typeof answer>['data']

/** A student in the list of staff. */
export const preflightRow = ref.extend({
  code: z.string(),
  name_local: z.string(),
  faculty: ref,
  program: ref,
  level: z.int(),
  advisor: ref.nullable(),
  /** What blocks, and what is noted; without the figures, which stand with the student. */
  codes: z.array(z.string()),
  blocked: z.boolean(),
  since: z.string().nullable(),
})
export type PreflightRow = z.output<typeof preflightRow>

const totals = z.object({
  term: ref.nullable(),
  students: z.int(),
  blocked: z.int(),
  /** How many have each line. */
  by: z.array(z.object({ code: z.string(), blocks: z.boolean(), count: z.int() })),
})
export type PreflightTotals = z.output<typeof totals>

const exported = listQuery.extend({
  lang: z.enum(['ar', 'en']).optional(),
  columns: z.array(z.string()).max(100).optional(),
  ids: z.array(id).max(5000).optional(),
})

export const preflightCalls = {
  own: call('GET', '/registrations/students/preflight', {
    heavy: true,
    permission: 'access_student',
    summary: ['What will stand against my registration', 'ما سيمنع تسجيلي'],
    query: z.strictObject({ term_id: idParam.optional() }),
    response: answer,
  }),
  of: call('GET', '/registrations/students/preflight/{id}', {
    heavy: true,
    permission: STAFF,
    summary: ['What will stand against a student’s registration', 'ما سيمنع تسجيل طالب'],
    query: z.strictObject({ term_id: idParam.optional() }),
    response: answer,
  }),
  list: call('POST', '/registrations/preflight', {
    permission: STAFF,
    summary: ['Who will be blocked from registering, by what', 'من سيُمنع من التسجيل، وبم'],
    body: listQuery,
    response: listOf(preflightRow).extend({
      meta: z.object({ count: z.int(), lookup: z.record(z.string(), z.unknown()).default({}), details: totals }),
    }),
    reads: true,
  }),
  export: call('POST', '/registrations/preflight/export', {
    permission: STAFF,
    summary: ['Export who will be blocked', 'تصدير من سيُمنعون من التسجيل'],
    body: exported,
    file: { name: 'registration-preflight.xlsx', type: 'xlsx' },
    reads: true,
  }),
}
