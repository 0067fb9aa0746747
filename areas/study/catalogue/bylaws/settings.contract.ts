import { call, decimal, exportQuery, id, idParam, option, problem, ref, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'
import { CARRIED_KINDS, GRACE_PURPOSES, PROGRAM_TYPES } from '../words.contract.ts'
import { requirementCalls } from './requirement.contract.ts'

/** Statuses of a registration that give a grade which no percentage gives. */
export const SPECIAL_STATUSES = [
  'Absent',
  'Banned',
  'Punished',
  'Withdrawn',
  'ForcedWithdrawn',
  'Excused',
  'Incomplete',
  'Exempt',
  'Audit',
] as const

const percent = decimal(2, 0, 100)
const gpa = decimal(2, 0, 4)
const names = { name: safeText(100, 1), name_local: safeText(100, 1) }
/** New entries of a set come without id. */
const own = { id: id.optional() }

const level = {
  level: z.int().min(0).max(7),
  ...names,
  passed_hours: z.int().min(0).max(300),
  /** By marks: years that may be spent in the level; null: any number. Absent: as it stands, two in a new level. */
  chances: z.int().min(1).max(30).nullable().optional(),
  /** By marks: whether its marks are part of the cumulative rating. Absent: as it stands, yes in a new level. */
  counts_for_graduation: z.boolean().optional(),
}
/** By marks: a rating holds from `from_share` percent of the maximum up to that of the next higher one. */
const rating = { code: safeText(5, 1), ...names, from_share: percent }
/** How results by marks and by credit hours are told in each other: this stretch of the maximum is that of the points. */
const conversion = { from_share: percent, to_share: percent, from_points: gpa, to_points: gpa }
/** Withdrawn through so many days after the first day of a term, so much is charged. */
const withdrawalStep = { summer: z.boolean(), days: z.int().min(0).max(366), percent }
/** By marks: a course that is an exception from carrying failed courses to the next level. */
const carriedCourse = {
  course_id: id,
  kind: z.enum(CARRIED_KINDS.map((k) => k.value)),
  /** Answered, not taken. */
  course: ref.optional(),
}
const gradeRange = {
  /** A range holds `from_percent` and everything below `to_percent`; the topmost holds 100 as well. */
  from_percent: percent,
  to_percent: percent,
  letter: safeText(5, 1),
  ...names,
  points: gpa,
  success: z.boolean(),
}
const gradeType = { kind: z.enum(['letter', 'pass_fail']), ...names }
const specialGrade = {
  status: z.enum(SPECIAL_STATUSES),
  letter: safeText(5, 1),
  ...names,
  points: gpa,
  counts_in_gpa: z.boolean(),
  counts_in_attempted_hours: z.boolean(),
}
const gpaRange = { from_gpa: gpa, to_gpa: gpa, ...names }
const loadRange = {
  from_gpa: gpa,
  to_gpa: gpa,
  max_ch_value: z.int().min(0).max(300),
  max_summer_ch_value: z.int().min(0).max(300),
  max_courses: z.int().min(0).max(30),
}
const visibleFrom = z.enum(controlStatuses).nullable()
/** From which control status a student sees each part of a result; null: never. */
export const visibility = z.strictObject({
  marks: visibleFrom,
  letter: visibleFrom,
  points: visibleFrom,
  gpa: visibleFrom,
})

const warning = {
  warning_type: z.enum(['term', 'cumulative']),
  warning_count: z.enum(['consecutive', 'total']),
  warning_gpa: gpa,
  /** 0 switches warnings off. */
  max_warnings: z.int().min(0).max(20),
  /** Whether a summer term can earn a warning. */
  warning_in_summer: z.boolean(),
  /** Credit hours of a student under warning; null: those of the load range alone. */
  warning_max_ch_value: z.int().min(0).max(300).nullable(),
}
const scalars = {
  program_type: z.enum(PROGRAM_TYPES.map((t) => t.value)).nullable(),
  in_admission: z.boolean(),
  min_training_weeks: z.int().min(0).max(300),
  /** Up to 30 by credit hours; by marks the minimum share of the written exam. */
  min_percentage_final_exam: decimal(2, 0, 99),
  /** Places to which a total is rounded, once. */
  total_places: z.int().min(0).max(2),
  ...warning,
  repeat_rule: z.enum(['last', 'best', 'average']),
  /** Highest points a course repeated after failing can earn; null: any. */
  repeat_max_points: gpa.nullable(),
  /** Highest points an improved course can earn; null: any. */
  improve_max_points: gpa.nullable(),
  max_improvements: z.int().min(0).max(30),
  improve_letters: z.array(safeText(5, 1)).max(40),
  /** Repeats of a failed course; null: any number. */
  max_repeats: z.int().min(0).max(30).nullable(),
  /** Credit hours and courses above the limit for whoever can complete the degree with them. */
  graduating_extra_hours: z.int().min(0).max(30),
  graduating_extra_courses: z.int().min(0).max(10),
  /** Percent of its fees that a withdrawn course costs once its `withdrawal_steps` are over; decided when it is withdrawn. */
  withdrawal_charge: percent,
  /** The same of an excused course; decided when the excuse is accepted. */
  excuse_charge: percent,
  /** Absent from so many percent of the meetings of a term: warned, and proposed to be banned; null: no rule. */
  absence_warn_share: percent.nullable(),
  absence_ban_share: percent.nullable(),
  excused_absence_counts: z.boolean(),
  /** So many times late are one absence; 0: none. */
  lates_per_absence: z.int().min(0).max(20),
  graduation_hours: z.int().min(0).max(300),
  graduation_gpa: gpa,
  // By marks (term and annual bylaws).
  pass_share: percent,
  max_carried: z.int().min(0).max(30),
  carried_from_final_level: z.boolean(),
  second_session: z.boolean(),
  later_sitting_capped: z.boolean(),
  /** Years in all; null: as many as the levels allow together. */
  max_chances: z.int().min(1).max(30).nullable(),
  /** Code of the rating that each level must reach for honours; null: there are none. */
  honours_rating: safeText(5, 1).nullable(),
  grace_order: z.array(z.enum(GRACE_PURPOSES.map((p) => p.value))).max(3),
  /** 0: no grace marks. */
  grace_per_course: decimal(2, 0, 100),
  grace_in_all: decimal(2, 0, 999).nullable(),
  grace_share: percent.nullable(),
  grace_on_transcript: z.boolean(),
}
const sets = {
  levels: z.array(z.strictObject({ ...own, ...level })).max(8),
  grade_types: z
    .array(z.strictObject({ ...own, ...gradeType, ranges: z.array(z.strictObject({ ...own, ...gradeRange })).max(40) }))
    .max(2),
  special_grades: z.array(z.strictObject({ ...own, ...specialGrade })).max(SPECIAL_STATUSES.length),
  gpa_ranges: z.array(z.strictObject({ ...own, ...gpaRange })).max(20),
  load_ranges: z.array(z.strictObject({ ...own, ...loadRange })).max(20),
  ratings: z.array(z.strictObject({ ...own, ...rating })).max(20),
  carried_courses: z.array(z.strictObject({ ...own, ...carriedCourse })).max(100),
  conversions: z.array(z.strictObject({ ...own, ...conversion })).max(40),
  withdrawal_steps: z.array(z.strictObject({ ...own, ...withdrawalStep })).max(20),
}

/** Any part of the settings. A set that is sent replaces the whole set, so that it can be checked as one. */
export const settingsPatch = z.strictObject({ ...scalars, ...sets, grades_visibility: visibility }).partial()
export type SettingsPatch = z.output<typeof settingsPatch>
/** Everything a bylaw rules, as it travels: percentages, GPAs and points are decimal texts. */
export type Settings = Required<SettingsPatch>

const stored = <T extends z.core.$ZodLooseShape>(shape: T) => z.array(z.object({ id, ...shape }))
/** The settings as answered: every entry of a set has its id, and `problems` says what is still missing or wrong. */
export const bylawSettingsAnswer = z.object({
  id,
  version: z.int(),
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  faculty: ref,
  abilities: z.array(z.string()),
  ...scalars,
  grades_visibility: visibility,
  levels: stored(level),
  grade_types: stored({ ...gradeType, ranges: stored(gradeRange) }),
  special_grades: stored(specialGrade),
  gpa_ranges: stored(gpaRange),
  load_ranges: stored(loadRange),
  ratings: stored(rating),
  carried_courses: stored(carriedCourse),
  conversions: stored(conversion),
  withdrawal_steps: stored(withdrawalStep),
  requirements: z.object({ university: z.array(ref), faculty: z.array(ref) }),
  programs: z.array(ref.extend({ is_general: z.boolean(), students: z.int() })),
  problems: z.array(problem),
})
export type BylawSettingsAnswer = z.output<typeof bylawSettingsAnswer>
const answer = z.object({ data: bylawSettingsAnswer })
const version = z.int().optional()
/**
 * The first term in which a change holds on which approved results stand: what held until then computes the terms before.
 * Absent: it holds at once, which is refused where results stand on it.
 */
const from_term_id = id.optional()
const bylaw_id = id
const change = { permission: 'edit_bylaw_settings', response: answer } as const
/** The DELETE without id in its path takes it here. */
const idQuery = z.strictObject({ id: idParam, from_term_id: idParam.optional() })
const fromQuery = z.strictObject({ from_term_id: idParam.optional() })

export interface TreeNode {
  program_id: number
  children: TreeNode[]
}
const treeNode: z.ZodType<TreeNode> = z.strictObject({
  program_id: id,
  children: z.array(z.lazy(() => treeNode)).max(50),
})
const tree = z.object({
  data: z.object({
    tree: z.array(treeNode),
    programs: z.array(option.extend({ is_general: z.boolean() })),
    version: z.int(),
  }),
})

const gpaKind = z.enum(['classification', 'load'])
const exampleRange = {
  letter: 'B+',
  name: 'Very good',
  name_local: 'جيد جدًا',
  from_percent: '84',
  to_percent: '89',
  points: '3.30',
  success: true,
}

/** Calls of the settings. A single range that is added, moved or removed takes its neighbours' boundary with it. */
export const bylawCalls = {
  settings: call('GET', '/bylaws/settings/{id}', {
    permission: 'show_bylaw',
    summary: ['Show every setting of a bylaw', 'عرض إعدادات اللائحة'],
    response: answer,
  }),
  setSettings: call('PUT', '/bylaws/set/Settings/{id}', {
    ...change,
    summary: ['Change any part of the settings of a bylaw', 'تعديل إعدادات اللائحة'],
    body: settingsPatch.extend({ version, from_term_id }),
    example: { total_places: 0, repeat_rule: 'best', graduation_gpa: '2.00' },
  }),
  trainingWeeks: call('PUT', '/bylaws/add/training-weeks/{id}', {
    ...change,
    summary: ['Set the training weeks of a bylaw', 'ضبط أسابيع التدريب في اللائحة'],
    body: z.strictObject({ min_training_weeks: scalars.min_training_weeks, version }),
    example: { min_training_weeks: 8 },
  }),
  minFinalExam: call('PUT', '/bylaws/add/min-Percentage-final-exam/{id}', {
    ...change,
    summary: ['Set the minimum percentage of the final exam', 'ضبط النسبة الدنيا للاختبار النهائي'],
    body: z.strictObject({ min_percentage_final_exam: decimal(2, 0, 30), version, from_term_id }),
    example: { min_percentage_final_exam: '30' },
  }),
  warningType: call('PUT', '/bylaws/add/warning-type/{id}', {
    ...change,
    summary: ['Set the academic warnings of a bylaw', 'ضبط الإنذارات الأكاديمية في اللائحة'],
    body: z.strictObject(warning).partial().extend({ version, from_term_id }),
    example: { warning_type: 'cumulative', warning_count: 'consecutive', warning_gpa: '2.00', max_warnings: 4 },
  }),
  admission: call('PUT', '/bylaws/add/to/admission/{id}', {
    ...change,
    summary: ['Open or close a bylaw for admission', 'إتاحة اللائحة للقبول أو إيقافها'],
    body: z.strictObject({ in_admission: z.boolean().default(true), version }),
    example: { in_admission: true },
  }),
  gradesVisibility: call('PUT', '/bylaws/grades_visibility/{id}', {
    ...change,
    summary: ['Set from when students see their grades', 'ضبط توقيت ظهور الدرجات للطلاب'],
    body: visibility.partial().extend({ version }),
    example: { marks: 'Published', letter: 'Published', points: 'Published', gpa: 'Published' },
  }),
  addLevel: call('PUT', '/bylaws/bylaw/level', {
    ...change,
    summary: ['Add a level to a bylaw', 'إضافة مستوى إلى لائحة'],
    body: z.strictObject({ bylaw_id, ...level, version, from_term_id }),
    example: { bylaw_id: 1, level: 5, name: 'Fifth level', name_local: 'المستوى الخامس', passed_hours: 130 },
  }),
  editLevel: call('PUT', '/bylaws/bylaw/level/{id}', {
    ...change,
    summary: ['Change a level of a bylaw', 'تعديل مستوى في لائحة'],
    body: z.strictObject(level).partial().extend({ version, from_term_id }),
    example: { passed_hours: 30 },
  }),
  removeLevel: call('DELETE', '/bylaws/bylaw/level/{id}', {
    ...change,
    summary: ['Remove a level of a bylaw', 'حذف مستوى من لائحة'],
    query: fromQuery,
  }),
  removeLevelByQuery: call('DELETE', '/bylaws/bylaw/level', {
    ...change,
    summary: ['Remove a level of a bylaw, its id in the query', 'حذف مستوى من لائحة بالرقم في الاستعلام'],
    query: idQuery,
  }),
  addGradeType: call('PUT', '/bylaw/setting/grade/type', {
    ...change,
    summary: ['Add a grade scheme with its ranges', 'إضافة نظام تقديرات بمدياته'],
    body: z.strictObject({
      bylaw_id,
      ...gradeType,
      ranges: z.array(z.strictObject(gradeRange)).min(2).max(40),
      version,
      from_term_id,
    }),
    example: {
      bylaw_id: 1,
      kind: 'pass_fail',
      name: 'Pass or fail',
      name_local: 'ناجح أو راسب',
      ranges: [
        {
          letter: 'P',
          name: 'Pass',
          name_local: 'ناجح',
          from_percent: '60',
          to_percent: '100',
          points: '0',
          success: true,
        },
        {
          letter: 'NP',
          name: 'Not passed',
          name_local: 'راسب',
          from_percent: '0',
          to_percent: '60',
          points: '0',
          success: false,
        },
      ],
    },
  }),
  editGradeType: call('PUT', '/bylaw/setting/grade/type/{id}', {
    ...change,
    summary: ['Change a grade scheme; ranges that are sent replace all', 'تعديل نظام تقديرات'],
    body: z
      .strictObject({ name: names.name, name_local: names.name_local, ranges: sets.grade_types.element.shape.ranges })
      .partial()
      .extend({ version, from_term_id }),
    example: { name: 'Letters' },
  }),
  removeGradeType: call('DELETE', '/bylaw/setting/grade/type/{id}', {
    ...change,
    summary: ['Remove a grade scheme', 'حذف نظام تقديرات'],
    query: fromQuery,
  }),
  removeGradeTypeByQuery: call('DELETE', '/bylaw/setting/grade/type', {
    ...change,
    summary: ['Remove a grade scheme, its id in the query', 'حذف نظام تقديرات بالرقم في الاستعلام'],
    query: idQuery,
  }),
  addGradeRange: call('PUT', '/bylaw/setting/grade/range', {
    ...change,
    summary: ['Add a grade range; its neighbours make room', 'إضافة مدى تقدير مع إفساح المديات المجاورة'],
    body: z.strictObject({ grade_type_id: id, ...gradeRange, version, from_term_id }),
    // Splits what the lowest letter of the demo university covers.
    example: {
      grade_type_id: 1,
      ...exampleRange,
      letter: 'FX',
      name: 'Conditional fail',
      name_local: 'راسب بشروط',
      from_percent: '50',
      to_percent: '60',
      points: '0.50',
      success: false,
    },
  }),
  editGradeRange: call('PUT', '/bylaw/setting/grade/range/{id}', {
    ...change,
    summary: ['Change a grade range; its neighbours follow its boundaries', 'تعديل مدى تقدير وتتبعه المديات المجاورة'],
    body: z.strictObject(gradeRange).partial().extend({ version, from_term_id }),
    example: { from_percent: '85' },
  }),
  removeGradeRange: call('DELETE', '/bylaw/setting/grade/range/{id}', {
    ...change,
    summary: ['Remove a grade range; its neighbour takes its place', 'حذف مدى تقدير ويحل المدى المجاور محله'],
    query: fromQuery,
  }),
  removeGradeRangeByQuery: call('DELETE', '/bylaw/setting/grade/range', {
    ...change,
    summary: ['Remove a grade range, its id in the query', 'حذف مدى تقدير بالرقم في الاستعلام'],
    query: idQuery,
  }),
  setSuccessGrades: call('POST', '/bylaws/success-grades/{id}', {
    ...change,
    summary: ['Mark letters of a bylaw as success grades', 'تحديد تقديرات النجاح في اللائحة'],
    body: z.strictObject({
      letters: z.array(z.string()).min(1).max(40),
      kind: gradeType.kind.default('letter'),
      version,
      from_term_id,
    }),
    example: { letters: ['D'] },
  }),
  removeSuccessGrades: call('POST', '/bylaws/remove-success-grades/{id}', {
    ...change,
    summary: ['Mark letters of a bylaw as failing grades', 'إلغاء تقديرات النجاح في اللائحة'],
    body: z.strictObject({
      letters: z.array(z.string()).min(1).max(40),
      kind: gradeType.kind.default('letter'),
      version,
      from_term_id,
    }),
    example: { letters: ['D'] },
  }),
  addGpaRange: call('POST', '/bylaws/gpa-range', {
    ...change,
    summary: ['Add a classification or a load range to a bylaw', 'إضافة تقدير عام أو مدى عبء دراسي إلى لائحة'],
    body: z.union([
      z.strictObject({ bylaw_id, version, type: z.literal('classification'), ...gpaRange }),
      z.strictObject({ bylaw_id, version, type: z.literal('load'), ...loadRange }),
    ]),
    example: {
      bylaw_id: 1,
      type: 'load',
      from_gpa: '3.50',
      to_gpa: '4.00',
      max_ch_value: 22,
      max_summer_ch_value: 9,
      max_courses: 8,
    },
  }),
  setGpaRanges: call('POST', '/bylaws/edit-gpa-range', {
    ...change,
    summary: [
      'Replace the classifications or the load ranges of a bylaw',
      'استبدال التقديرات العامة أو مديات العبء في لائحة',
    ],
    body: z.union([
      z.strictObject({ bylaw_id, version, type: z.literal('classification'), ranges: sets.gpa_ranges }),
      z.strictObject({ bylaw_id, version, type: z.literal('load'), ranges: sets.load_ranges }),
    ]),
    example: {
      bylaw_id: 1,
      type: 'load',
      ranges: [{ from_gpa: '0', to_gpa: '4', max_ch_value: 18, max_summer_ch_value: 6, max_courses: 7 }],
    },
  }),
  editGpaRange: call('POST', '/bylaws/edit-gpa-range/{id}', {
    ...change,
    summary: ['Change a classification or a load range; its neighbours follow', 'تعديل تقدير عام أو مدى عبء دراسي'],
    body: z.union([
      z.strictObject({ version, type: z.literal('classification'), ...gpaRange }),
      z.strictObject({ version, type: z.literal('load'), ...loadRange }),
    ]),
    example: { type: 'load', from_gpa: '0', to_gpa: '2', max_ch_value: 14, max_summer_ch_value: 6, max_courses: 5 },
  }),
  removeGpaRange: call('POST', '/bylaws/delete-gpa-range/{id}', {
    ...change,
    summary: [
      'Remove a classification or a load range; its neighbour takes its place',
      'حذف تقدير عام أو مدى عبء دراسي',
    ],
    body: z.strictObject({ type: gpaKind, version }),
    example: { type: 'load' },
  }),
  syncRequirements: call('POST', '/bylaws/sync/requirements/{id}', {
    ...change,
    summary: [
      'Set the university and faculty requirements of a bylaw; its programs take them over',
      'ضبط متطلبات الجامعة والكلية في اللائحة وبرامجها',
    ],
    body: z.strictObject({
      university: z.array(id).max(300).optional(),
      faculty: z.array(id).max(300).optional(),
      version,
    }),
    example: { university: [1, 2] },
  }),
  ...requirementCalls,
  programsTree: call('POST', '/bylaws/bylaw_programs_tree/{id}', {
    permission: 'show_bylaw',
    summary: ['Show the specialisation tree of a bylaw', 'عرض شجرة التخصصات في اللائحة'],
    response: tree,
    reads: true,
  }),
  saveProgramsTree: call('POST', '/bylaws/bylaw_programs_tree/save/{id}', {
    permission: 'edit_bylaw_settings',
    summary: ['Set the specialisation tree of a bylaw', 'حفظ شجرة التخصصات في اللائحة'],
    body: z.strictObject({ tree: z.array(treeNode).max(50), version }),
    response: tree,
    example: { tree: [{ program_id: 1, children: [] }] },
  }),
  exportExcel: call('POST', '/bylaws/export-excel', {
    permission: 'export_bylaw',
    summary: ['Export bylaws', 'تصدير اللوائح'],
    body: exportQuery,
    file: { name: 'bylaws.xlsx', type: 'xlsx', fixed: true },
    reads: true,
    example: {},
  }),
  exportRegulation: call('POST', '/bylaws/export/pdf/{id}', {
    permission: 'export_bylaw',
    summary: ['The whole bylaw with its programs and plans as PDF', 'اللائحة كاملة ببرامجها وخططها بصيغة PDF'],
    body: z.strictObject({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'bylaw.pdf', type: 'pdf' },
    reads: true,
    example: {},
  }),
}
