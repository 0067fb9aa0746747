import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { handInCalls } from '#kit/contract/handing-in.ts'
import { call, id, idParam, problem, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'

/** Questions of one component. */
export const MOST_QUESTIONS = 60

const names = { name: z.string(), name_local: z.string() }
const decimal = z.string().regex(/^\d{1,3}(\.\d{1,2})?$/)
const question = z.object({
  id,
  label: z.string(),
  max: z.string(),
  /** Codes of the outcomes that it measures. */
  outcomes: z.array(z.string()),
})
const component = z.object({
  id,
  ...names,
  code: z.string(),
  max: z.string(),
  /** Percent that the specification gives it; null: it is none of its assessments. */
  weight: z.string().nullable(),
  questions: z.array(question),
  /** Why its questions do not count, or not all of them. */
  gaps: z.array(problem),
})
const row = z.object({
  registration_id: id,
  student: z.object({ id, code: z.string().nullable(), ...names }),
  writable: z.boolean(),
  /** The marks of components, which grading keeps: decimal text, or `A` for absent. */
  components: z.record(z.string(), z.string()),
  marks: z.record(z.string(), z.object({ mark: z.string(), version: z.int() })),
})
const sheet = z.object({
  offering: z.object({ id, code: z.string(), course: ref, term: ref, frozen: z.boolean() }),
  /** Of the specification in force; empty: none is approved. */
  outcomes: z.array(z.object({ code: z.string(), text: z.string(), text_local: z.string() })),
  components: z.array(component),
  rows: z.array(row),
  enters: z.boolean(),
})
export type QuestionSheet = z.output<typeof sheet>
export type QuestionedComponent = z.output<typeof component>

const said = z.strictObject({
  /** Absent: it is new. */
  id: id.optional(),
  label: safeText(20, 1),
  max: decimal,
  outcomes: z.array(safeText(20, 1)).max(20),
})
export type ComponentQuestion = z.output<typeof said>
const cell = z.strictObject({
  registration_id: id,
  question_id: id,
  /** Null: it is taken back. */
  mark: z.string().max(20).nullable(),
  /** Of the mark that was seen; null: there was none. */
  version: z.int().nullable(),
})
export type QuestionCell = z.output<typeof cell>
const SEES = { permission: ['show_questionMarks', 'enter_questionMarks'] } as const
const ENTERS = { permission: 'enter_questionMarks' } as const

export const questionMarkCalls = {
  offerings: call('GET', '/specifications/questions', {
    ...SEES,
    summary: ['Offerings of a term with their marks by question', 'مقررات فصل دراسي ودرجات أسئلتها'],
    query: cutQuery.extend({ term_id: idParam.optional(), search: safeText(100, 0).optional() }),
    response: cutAnswer(
      z.object({
        id,
        code: z.string(),
        course: ref,
        questions: z.int(),
        /** Students, and those of them with marks by question. */
        students: z.int(),
        marked: z.int(),
      }),
    ),
  }),
  show: call('GET', '/specifications/questions/{id}', {
    ...SEES,
    summary: ['Show questions of an offering and their marks', 'عرض أسئلة مقرر ودرجاتها'],
    response: z.object({ data: sheet }),
  }),
  set: call('PUT', '/specifications/questions/{id}', {
    ...ENTERS,
    summary: ['Set up the questions of a component', 'إعداد أسئلة أحد بنود الدرجات'],
    body: z.strictObject({ component_id: id, questions: z.array(said).max(MOST_QUESTIONS) }),
    response: z.object({ data: z.array(question) }),
    example: { component_id: 1, questions: [{ label: '1', max: '10', outcomes: ['K1'] }] },
  }),
  save: call('PUT', '/specifications/question-marks/{id}', {
    ...ENTERS,
    summary: ['Enter marks by question', 'إدخال درجات الأسئلة'],
    body: z.strictObject({ cells: z.array(cell).min(1).max(5000) }),
    response: z.object({
      saved: z.int(),
      /** What somebody else changed since it was seen stays. */
      conflicts: z.array(z.object({ registration_id: id, question_id: id, theirs: z.string().nullable() })),
    }),
    maxBody: 1024 * 1024,
    example: { cells: [{ registration_id: 1, question_id: 1, mark: '7.5', version: null }] },
  }),
  export: call('POST', '/specifications/question-marks/export/{id}', {
    ...SEES,
    summary: ['Marks by question of a component as a sheet', 'درجات أسئلة أحد البنود في ملف'],
    body: z.strictObject({ lang: z.enum(['ar', 'en']).optional() }).optional(),
    file: { name: 'Marks by question.xlsx', type: 'xlsx' },
    reads: true,
  }),
  ...handInCalls('/specifications/question-marks/import', {
    ...ENTERS,
    summaries: {
      import: [
        'Marks by question of a component from a sheet: preview, save, or a preview by its id',
        'استيراد درجات أسئلة أحد البنود من ملف: مراجعة أو حفظ',
      ],
      lines: ['Show rows of a checked sheet of marks by question', 'عرض صفوف ملف درجات أسئلة تمت مراجعته'],
      mend: ['Correct rows of a checked sheet of marks by question', 'تصحيح صفوف ملف درجات أسئلة تمت مراجعته'],
    },
  }),
}
