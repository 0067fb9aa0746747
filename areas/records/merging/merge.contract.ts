import { z } from 'zod'
import { call, id, idParam } from '#kit/contract/index.ts'
import { problem, safeText } from '#kit/contract/schema.ts'

/** What can be merged: records of students, of instructors, and accounts. */
export const MERGE_KINDS = ['student', 'instructor', 'user'] as const
export type MergeKind = (typeof MERGE_KINDS)[number]
const kind = z.enum(MERGE_KINDS)

/** What follows a record into another, or ends with it, as the preview counts it. */
const PARTS = [
  'registrations',
  'terms',
  'years',
  'decisions',
  'placements',
  'windows',
  'preferences',
  'specializations',
  'waiting',
  'holds',
  'documents',
  'contracts',
  'team',
  'payers',
  'tags',
  'transcripts',
  'certificates',
  'services',
  'beds',
  'research',
  'trainings',
  'early_warning',
  'reports',
  'exceptions',
  'external_ids',
  'meetings',
  'offerings',
  'advised',
  'departments',
  'faculties',
  'student_record',
  'instructor_record',
  'account',
  'tickets',
  'chats',
  'ways_in',
  'sessions',
  'rights',
] as const
export type MergePart = (typeof PARTS)[number]

export const SIDES = ['kept', 'merged'] as const
export type MergedRecord = (typeof SIDES)[number]

const label = z.tuple([z.string(), z.string()])
const named = z.object({ name: z.string(), name_local: z.string() })
const record = z.object({
  id,
  /** The code; of an account its address. */
  code: z.string().nullable(),
  name: z.string(),
  name_local: z.string(),
})
/** What a field holds: a text, a day, a number; or a name in both languages. */
const value = z.union([z.string(), named]).nullable()

export const mergeField = z.object({
  name: z.string(),
  label,
  kept: value,
  merged: value,
  /** Whose value stays. */
  chosen: z.enum(SIDES),
  differs: z.boolean(),
  /** The reader does not read it: the kept value stays, where there is one. */
  hidden: z.boolean(),
})
export const preview = z.object({
  kind,
  kept: record,
  merged: record,
  /** Versions of both records, by which a merge knows that nothing has changed since. */
  seen: z.tuple([z.int(), z.int()]),
  fields: z.array(mergeField),
  /** What follows (`moves`), and what ends (`ends`): how many of each. */
  parts: z.array(z.object({ part: z.enum(PARTS), fate: z.enum(['moves', 'ends']), count: z.int() })),
  /** Whether it was said that they are two people's. */
  two_people: z.boolean(),
  /** Every reason against it. */
  problems: z.array(problem),
})
export type MergePreview = z.output<typeof preview>

const pair = {
  kind,
  keep_id: id,
  merge_id: id,
  choices: z.record(z.string().max(40), z.enum(SIDES)).default({}),
}
const asked = z.strictObject(pair)
/** A merge that can still be undone, or was. */
const merged = z.object({
  /** The operation by which it is undone. */
  id,
  kind,
  kept: record,
  merged: record,
  at: z.string(),
  by: named.nullable(),
  undone_at: z.string().nullable(),
  undone_by: named.nullable(),
  abilities: z.array(z.string()),
})
/** What was said of two records: that two people are behind them. */
const mark = z.object({
  id,
  kind,
  one: record,
  other: record,
  reason: z.string(),
  by: named.nullable(),
  at: z.string(),
})
export type MergedMark = z.output<typeof mark>
const listed = z.strictObject({ kind: kind.default('student'), page: z.int().min(1).max(1000).default(1) })
/** By what two records are thought to be one person's. */
export const SIGNS = ['identity', 'name_and_birth', 'names'] as const

const example = { kind: 'student', keep_id: 1, merge_id: 2 } as const

export const mergeCalls = {
  doubles: call('POST', '/people/doubles', {
    permission: 'merge_people',
    summary: ['List records that may be of one person', 'عرض السجلات التي قد تخص شخصًا واحدًا'],
    body: listed,
    response: z.object({
      data: z.array(z.object({ kind, one: record, other: record, sign: z.enum(SIGNS) })),
      meta: z.object({ count: z.int() }),
    }),
    reads: true,
    example: { kind: 'student' },
  }),
  notDoubles: call('POST', '/people/not-doubles', {
    permission: 'merge_people',
    summary: ['List records that look alike and are two people’s', 'عرض السجلات المتشابهة التي تخص شخصين مختلفين'],
    body: listed,
    response: z.object({ data: z.array(mark), meta: z.object({ count: z.int() }) }),
    reads: true,
    example: { kind: 'student' },
  }),
  markNotDouble: call('POST', '/people/not-doubles/add', {
    permission: 'merge_people',
    summary: ['Say that two records are two people’s', 'تسجيل أن سجلين يخصان شخصين مختلفين'],
    body: z.strictObject({ kind, one_id: id, other_id: id, reason: safeText(400, 3) }),
    response: z.object({ data: z.object({ id }) }),
    personal: true,
    example: { kind: 'student', one_id: 3, other_id: 4, reason: 'Twins: both were here with their papers' },
  }),
  unmarkNotDouble: call('DELETE', '/people/not-doubles/{id}', {
    permission: 'merge_people',
    summary: ['Take back that two records are two people’s', 'إلغاء تسجيل أن سجلين يخصان شخصين مختلفين'],
    params: z.object({ id: idParam }),
    response: z.object({ data: z.object({ id }) }),
    personal: true,
  }),
  previewMerge: call('POST', '/people/merge/preview', {
    permission: 'merge_people',
    summary: ['Say what merging two records would do', 'معاينة دمج سجلين'],
    body: asked,
    response: z.object({ data: preview }),
    reads: true,
    example,
  }),
  merge: call('POST', '/people/merge', {
    permission: 'merge_people',
    summary: ['Merge two records of one person', 'دمج سجلين لشخص واحد'],
    body: z.strictObject({ ...pair, seen: z.tuple([z.int(), z.int()]) }),
    response: z.object({ data: z.object({ id, operation_id: id }) }),
    confirm: 'password',
    personal: true,
    example: { ...example, seen: [1, 1] },
  }),
  merges: call('POST', '/people/merges', {
    permission: 'merge_people',
    summary: ['List merges, each with Undo while that is possible', 'عرض عمليات الدمج مع إمكانية التراجع'],
    body: listed.omit({ kind: true }),
    response: z.object({ data: z.array(merged), meta: z.object({ count: z.int() }) }),
    reads: true,
    example: {},
  }),
}
export type Merged = z.output<typeof merged>
