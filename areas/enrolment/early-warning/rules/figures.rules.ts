/** What a model of the university looks at: figures of the term and of the record; nobody's faculty, gender or nationality. */
import type { CellTable } from '../model/table.rules.ts'
import type { RiskFacts } from './risk.rules.ts'

/** What the model looks at besides what rules do. */
export interface StudentFigures {
  readonly marks_mean: number | null
  readonly hours: number
  readonly level: number
  readonly terms: number
}
export type TermFacts = Omit<RiskFacts, 'probability'> & { readonly figures: StudentFigures }

const share = (part: number, whole: number) => (whole > 0 ? Math.round((1000 * part) / whole) / 10 : null)
const COLUMNS = {
  attendance: ({ attendance: { attended, recorded } }) => share(attended, recorded),
  attendance_lately: ({ attendance: { late_attended, late_recorded } }) => share(late_attended, late_recorded),
  marks_mean: ({ figures }) => figures.marks_mean && Math.round(figures.marks_mean * 10) / 10,
  marks_below: ({ marks: { below, of } }) => share(below, of),
  gpa: ({ record }) => record.gpa,
  term_gpa: ({ record }) => record.term_gpa,
  term_gpa_before: ({ record }) => record.term_gpa_before,
  failed: ({ record }) => record.failed,
  warnings: ({ record }) => record.warnings,
  hours_behind: ({ record: { passed_hours, planned_hours } }) =>
    planned_hours === null ? null : Math.round((planned_hours - passed_hours) * 10) / 10,
  courses: ({ term }) => term.courses,
  hours: ({ figures }) => figures.hours,
  unpaid_days: ({ unpaid_days }) => unpaid_days ?? 0,
  level: ({ figures }) => figures.level,
  terms: ({ figures }) => figures.terms,
} as const satisfies Record<string, (facts: TermFacts) => number | null>
export const FIGURE_NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
export type FigureName = keyof typeof COLUMNS

/** How the classes of a term are called in a model. */
export const [HARD, WENT] = ['hard', 'went'] as const
export const TARGET = 'term'

/** Figures of students as rows that a model reads; with what became of the term, rows to fit to. */
export function riskFiguresTable(students: readonly TermFacts[], hard?: readonly boolean[]): CellTable {
  const text = (value: number | null) => (value === null ? '' : String(value))
  return {
    heads: [...FIGURE_NAMES, ...(hard ? [TARGET] : [])],
    rows: students.map((facts, i) => [
      ...FIGURE_NAMES.map((name) => text(COLUMNS[name](facts))),
      ...(hard ? [hard[i] ? HARD : WENT] : []),
    ]),
  }
}
