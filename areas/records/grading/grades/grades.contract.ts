import { handInCalls } from '#kit/contract/handing-in.ts'
import { call, id, idParam, importPreview, paperLanguage, problem, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { attemptFlags, mainFlags } from '#areas/common/academics/status.rules.ts'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'
import { rating } from '#areas/common/academics/grading-words.contract.ts'
import { schemeItems } from '../marks/mark.contract.ts'

/** A mark as it travels: decimal text, `A` for absent. */
export const markText = z.string().trim().max(10)

/** A category of the scheme of an offering. `id` is that of the offering's scheme, not of the category. */
export const schemeCategory = z.object({
  id,
  mark_category_id: id,
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  max: z.string(),
  is_final_exam: z.boolean(),
})
export type SchemeCategory = z.output<typeof schemeCategory>

/** A mark that was entered. Its version is never used again, so that an editor's version tells whether it still stands. */
export const cell = z.object({ mark: z.string(), version: z.int() })

/** What a registration came to; empty while marks are missing. */
export const resultFields = {
  /** A percentage; under a regulation by marks the marks out of `maximum`. */
  total: z.string().nullable(),
  maximum: z.int().nullable(),
  /** Under a regulation by marks the symbol of a rating. */
  letter: z.string().nullable(),
  points: z.string().nullable(),
  passed: z.boolean().nullable(),
}
/** The same with what the rating is called; null: by credit hours. */
export const ratedFields = { ...resultFields, rating: rating.nullable() }

export const gridRow = z.object({
  registration_id: id,
  student: ref,
  program: ref,
  level: z.int(),
  status: z.string(),
  main: z.enum(mainFlags),
  attempt: z.enum(attemptFlags).nullable(),
  audit: z.boolean(),
  bylaw_id: id,
  /** Group of the meetings the student chose; null: none chosen. */
  group: z.int().nullable(),
  /** Whether marks can be written in this state. */
  writable: z.boolean(),
  /** By the id of the scheme's category. */
  marks: z.record(z.string(), cell),
  ...resultFields,
})
export type GridRow = z.output<typeof gridRow>

const hundredths = z.int()
const gradeRange = z.object({
  letter: z.string(),
  from: hundredths,
  to: hundredths,
  points: hundredths,
  success: z.boolean(),
})
const specialGrade = z.object({
  letter: z.string(),
  points: hundredths.nullable(),
  success: z.boolean(),
  counts_in_gpa: z.boolean(),
  counts_in_attempted_hours: z.boolean(),
})
/** What of a bylaw turns marks into grades, in hundredths as the rules read it, so that the grid shows letters while somebody types. */
export const gradingRules = z.object({
  grade_ranges: z.array(gradeRange),
  pass_fail_ranges: z.array(gradeRange),
  repeat: z.object({
    counts: z.enum(['last', 'best', 'average']),
    max_grade: z.string().nullable(),
    max_improve_grade: z.string().nullable(),
    max_improvements: z.int().nullable(),
    improvable: z.array(z.string()),
  }),
  min_percentage_final_exam: hundredths,
  special_grades: z.record(z.string(), specialGrade),
  total_places: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** What rates marks in place of letters and points; null: by credit hours. */
  marks: z
    .object({
      pass_share: hundredths,
      ratings: z.array(z.object({ code: z.string(), name: z.string(), name_local: z.string(), from: hundredths })),
      later_sitting_capped: z.boolean(),
    })
    .nullable(),
})

/** An offering as far as its grades are concerned. */
export const gradedOffering = z.object({
  id,
  code: z.string(),
  version: z.int(),
  course: ref.extend({ credit_hours: z.number(), grade_kind: z.enum(['letter', 'pass_fail']) }),
  term: ref,
  faculty: ref.nullable(),
  instructors: z.array(ref.extend({ role: z.string() })),
  control_status: z.enum(controlStatuses),
  /** The named scheme it was taken from; null: its own. */
  mark: ref.nullable(),
})

/** When marks are entered. `null`: no window is set, marks are entered at any time. */
export const entryWindow = z.object({ open: z.boolean(), starts_at: z.string(), ends_at: z.string() })

export const grid = z.object({
  offering: gradedOffering,
  scheme: z.array(schemeCategory),
  /** What is wrong with the scheme; marks wait until it is sound. */
  scheme_problems: z.array(problem),
  bylaws: z.record(z.string(), gradingRules),
  /** What failing letters of these bylaws mean: `W1`, weak. */
  failing: z.array(z.object({ letter: z.string(), name: z.string(), name_local: z.string() })),
  rows: z.array(gridRow),
  /** In which capacity the reader may write marks now; null: not at all. */
  editor: z.enum(['instructor', 'control']).nullable(),
  window: entryWindow.nullable(),
  abilities: z.array(z.string()),
})
export type Grid = z.output<typeof grid>

/** A cell as an editor leaves it: `mark: null` takes the mark away; `version: null` says there was none before. */
export const cellChange = z.strictObject({
  registration_id: id,
  offering_mark_id: id,
  mark: markText.nullable(),
  version: z.int().nullable(),
})
export type CellChange = z.output<typeof cellChange>

/** A cell that somebody else changed meanwhile; what was typed is not stored. */
export const conflict = z.object({
  registration_id: id,
  offering_mark_id: id,
  yours: z.string().nullable(),
  theirs: z.string().nullable(),
  version: z.int().nullable(),
  by: z.object({ name: z.string(), name_local: z.string() }).nullable(),
  at: z.string().nullable(),
})
export type Conflict = z.output<typeof conflict>

const gradeImportPreview = importPreview.extend({
  /** Marks that would change. */
  changes: z.int(),
})

const look = ['enter_marks', 'export_grades', 'access_control'] as const

/** Marks of one offering: the grid, the sheet, the scheme. */
export const gradeCalls = {
  grid: call('GET', '/offerings/offering-students-grades/{id}', {
    permission: look,
    summary: ['Show the marks of an offering', 'عرض درجات طلاب المقرر'],
    response: z.object({ data: grid }),
    kept: true,
  }),
  save: call('PUT', '/offerings/offering-students-grades/update', {
    permission: 'enter_marks',
    summary: ['Save marks of an offering', 'حفظ درجات طلاب المقرر'],
    body: z.strictObject({ offering_id: id, cells: z.array(cellChange).min(1).max(20_000) }),
    // 20,000 cells of at most 100 bytes.
    maxBody: 2_000_000,
    response: z.object({ saved: z.int(), conflicts: z.array(conflict), rows: z.array(gridRow) }),
    example: { offering_id: 1, cells: [{ registration_id: 1, offering_mark_id: 1, mark: '12.5', version: null }] },
  }),
  exportSheet: call('GET', '/offerings/export-student-grades/{id}/{x}', {
    permission: ['export_grades', 'import_grades'],
    summary: [
      'Export the marks of an offering, or an empty sheet to fill in',
      'تصدير درجات المقرر أو نموذج فارغ للرصد',
    ],
    params: z.object({ id: idParam, x: z.enum(['marks', 'template']) }),
    file: { name: 'Grades.xlsx', type: 'xlsx' },
  }),
  ...handInCalls('/offerings/import-student-grades', {
    permission: 'import_grades',
    summaries: {
      import: [
        'Check a sheet of marks (b = preview), store one (b = save), or store what was checked (b = its import_id)',
        'مراجعة ملف درجات أو حفظه أو حفظ ما تمت مراجعته',
      ],
      lines: ['Show rows of a checked sheet of marks', 'عرض صفوف ملف درجات تمت مراجعته'],
      mend: ['Correct rows of a checked sheet of marks', 'تصحيح صفوف ملف درجات تمت مراجعته'],
    },
    preview: gradeImportPreview,
  }),
  submit: call('POST', '/offerings/submit-student-grades/{id}/{lang}', {
    permission: 'submit_control',
    summary: ['Submit the marks of an offering to control', 'تسليم درجات المقرر إلى الكنترول'],
    params: z.object({ id: idParam, lang: paperLanguage }),
    response: z.object({
      data: z.object({ id, version: z.int(), control_status: z.enum(controlStatuses) }),
      message: z.string(),
    }),
  }),
  exportPdf: call('POST', '/offerings/export-offering-grades/{id}/{lang}', {
    permission: look,
    summary: ['Print the marks of an offering', 'طباعة درجات المقرر'],
    file: { name: 'offeringStudentGrades.pdf', type: 'pdf', fixed: true },
    reads: true,
  }),
  setScheme: call('PUT', '/offerings/mark-scheme/{id}', {
    permission: ['edit_offering', 'edit_mark'],
    summary: ['Set the mark scheme of an offering', 'ضبط توزيع درجات المقرر'],
    body: z.strictObject({ mark_id: id.nullish(), items: schemeItems.optional(), version: z.int().optional() }),
    response: z.object({ data: z.object({ id, version: z.int(), scheme: z.array(schemeCategory) }) }),
    example: { mark_id: 1 },
  }),
}
