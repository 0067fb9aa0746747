import { OUTCOME_DOMAINS } from '#areas/quality/questionnaires/types/form.contract.ts'
import { call, decimal, id, idParam, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { OUTCOME_LEVELS, REFERENCE_KINDS, SPECIFICATION_TYPES } from '../spec/words.contract.ts'

/** What a specification is made of, as addresses say it. */
export const PART_KINDS = ['outcomes', 'topics', 'methods', 'assessments', 'references'] as const
export type PartKind = (typeof PART_KINDS)[number]

const type = z.enum(SPECIFICATION_TYPES)
const kind = z.enum(PART_KINDS)
const domain = z.enum(OUTCOME_DOMAINS.map((one) => one.value))
const level = z.int().min(1).max(OUTCOME_LEVELS.length)
const reference = z.enum(REFERENCE_KINDS.map((one) => one.value))
const version = z.int().optional()

/** What is asked of lists: the parts of one specification, or of the one that is the latest of a course or program. */
const whose = {
  specification_id: id.optional(),
  course_id: id.optional(),
  program_id: id.optional(),
  year_id: id.optional(),
}
const asked = z.strictObject(whose)
export type PartsAsked = z.output<typeof asked>

const listed = { id, version: z.int(), position: z.int(), specification_id: id }
const named = { text: z.string(), text_local: z.string() }
const servedOutcome = z.object({ program_id: id, code: z.string() })
const outcomeRow = z.object({
  ...listed,
  ...named,
  code: z.string(),
  domain,
  level: z.int(),
  verb: z.string().nullable(),
  target: z.int().nullable(),
  /** What teaches and assesses it, by their ids, and which outcomes of programs it serves. */
  topics: z.array(id),
  methods: z.array(id),
  assessments: z.array(id),
  serves: z.array(servedOutcome),
})
const topicRow = z.object({ ...listed, ...named, weeks: z.int().nullable(), hours: z.string().nullable() })
const methodRow = z.object({ ...listed, ...named })
const assessmentRow = z.object({
  ...listed,
  ...named,
  /** Percent. */
  weight: z.string().nullable(),
  week: z.int().nullable(),
  mark_category: ref.nullable(),
})
const referenceRow = z.object({ ...listed, kind: reference, text: z.string() })
export type OutcomeRow = z.output<typeof outcomeRow>
export type TopicRow = z.output<typeof topicRow>
export type MethodRow = z.output<typeof methodRow>
export type AssessmentRow = z.output<typeof assessmentRow>
export type ReferenceRow = z.output<typeof referenceRow>
export const partRows = {
  outcomes: z.array(outcomeRow),
  topics: z.array(topicRow),
  methods: z.array(methodRow),
  assessments: z.array(assessmentRow),
  references: z.array(referenceRow),
}

/** A part as it is written. Which of these belong to which kind, and which are needed, is the rule of the kind. */
const partInput = z.strictObject({
  /** Of a new part. */
  specification_id: id.optional(),
  position: z.int().min(1).max(999).optional(),
  text: safeText(600, 1).optional(),
  text_local: safeText(600, 1).optional(),
  code: safeText(12, 1).optional(),
  domain: domain.optional(),
  level: level.optional(),
  verb: safeText(40).nullable().optional(),
  target: z.int().min(1).max(100).nullable().optional(),
  weeks: z.int().min(1).max(52).nullable().optional(),
  hours: decimal(2, 0.01, 400).nullable().optional(),
  weight: decimal(2, 0.01, 100).nullable().optional(),
  week: z.int().min(1).max(52).nullable().optional(),
  mark_category_id: id.nullable().optional(),
  kind: reference.optional(),
  version,
})
export type PartInput = z.output<typeof partInput>
const gone = z.strictObject({ ids: z.array(id).min(1).max(200) })
const written = z.object({ data: z.object({ id, version: z.int() }) })
const removed = z.object({ data: z.object({ removed: z.int() }) })

const LOOKS = ['access_specification', 'show_specification'] as const
const list = <const Kind extends PartKind>(of: Kind, summary: readonly [string, string]) =>
  call('POST', `/quality/{type}/${of}`, {
    permission: LOOKS,
    summary,
    params: z.object({ type }),
    body: asked,
    response: z.object({ data: partRows[of] }),
    reads: true,
    example: { specification_id: 1 },
  })
const EXAMPLE = { specification_id: 1, text: 'Library visits', text_local: 'زيارات المكتبة' }
const OUTCOME = {
  ...EXAMPLE,
  code: 'X9',
  domain: 'skills',
  level: 3,
  text: 'Use sources',
  text_local: 'يستخدم المراجع',
}

export const partCalls = {
  outcomes: list('outcomes', ['Outcomes of a specification', 'نواتج التعلم في توصيف']),
  topics: list('topics', ['Topics of a specification', 'موضوعات توصيف']),
  methods: list('methods', ['Teaching methods of a specification', 'أساليب التدريس في توصيف']),
  assessments: list('assessments', ['Assessments of a specification', 'أساليب التقويم في توصيف']),
  references: list('references', ['References of a specification', 'مراجع توصيف']),
  /** Of one program; or, by a course, of every program with it in its plan. */
  programOutcomes: call('POST', '/quality/programs-specs/outcomes', {
    permission: LOOKS,
    summary: ['Outcomes of programs', 'نواتج تعلم البرامج'],
    body: asked,
    response: z.object({ data: z.array(outcomeRow.extend({ program: ref })) }),
    reads: true,
    example: { course_id: 1 },
  }),
  add: call('PUT', '/quality/{type}/{kind}', {
    permission: 'edit_specification',
    summary: ['Add a part to a specification', 'إضافة عنصر إلى توصيف'],
    params: z.object({ type, kind }),
    body: partInput,
    response: written,
    example: EXAMPLE,
  }),
  change: call('PUT', '/quality/{type}/{kind}/{id}', {
    permission: 'edit_specification',
    summary: ['Change a part of a specification', 'تعديل عنصر في توصيف'],
    params: z.object({ type, kind, id: idParam }),
    body: partInput,
    response: written,
    example: { text: 'Library visits' },
  }),
  remove: call('DELETE', '/quality/{type}/{kind}/{id}', {
    permission: 'edit_specification',
    summary: ['Remove a part of a specification', 'حذف عنصر من توصيف'],
    params: z.object({ type, kind, id: idParam }),
    response: removed,
  }),
  removeMany: call('DELETE', '/quality/{type}/{kind}', {
    permission: 'edit_specification',
    summary: ['Remove parts of a specification', 'حذف عناصر من توصيف'],
    params: z.object({ type, kind }),
    body: gone,
    response: removed,
    example: { ids: [1] },
  }),
  addCourseOutcome: call('PUT', '/quality/courses-specs/outcomes', {
    permission: 'edit_specification',
    summary: ['Add an outcome to the specification of a course', 'إضافة ناتج تعلم إلى توصيف مقرر'],
    body: partInput,
    response: written,
    example: OUTCOME,
  }),
  removeCourseOutcomes: call('DELETE', '/quality/courses-specs/outcomes', {
    permission: 'edit_specification',
    summary: ['Remove outcomes of the specification of a course', 'حذف نواتج تعلم من توصيف مقرر'],
    body: gone,
    response: removed,
    example: { ids: [1] },
  }),
  addProgramOutcome: call('PUT', '/quality/programs-specs/outcomes', {
    permission: 'edit_specification',
    summary: ['Add an outcome to the specification of a program', 'إضافة ناتج تعلم إلى توصيف برنامج'],
    body: partInput,
    response: written,
    example: OUTCOME,
  }),
  removeProgramOutcomes: call('DELETE', '/quality/programs-specs/outcomes', {
    permission: 'edit_specification',
    summary: ['Remove outcomes of the specification of a program', 'حذف نواتج تعلم من توصيف برنامج'],
    body: gone,
    response: removed,
    example: { ids: [1] },
  }),
  lookups: call('GET', '/quality/{type}/assessments/lookups', {
    permission: [...LOOKS, 'edit_specification'],
    summary: ['What parts of a specification can be made of', 'القوائم اللازمة لإعداد توصيف'],
    params: z.object({ type }),
    response: z.object({
      data: z.object({
        mark_categories: z.array(ref),
        domains: z.array(z.string()),
        levels: z.array(z.int()),
        verbs: z.record(z.string(), z.array(z.string())),
        reference_kinds: z.array(z.string()),
      }),
    }),
  }),
}
