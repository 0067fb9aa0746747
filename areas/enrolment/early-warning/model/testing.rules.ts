/**
 * A made table in the shape of a public one of real students (UCI 697, "Predict Students' Dropout and Academic Success"): 36 columns of codes,
 * counts and numbers, half of the students with a degree, a third gone, and the rest between, who can hardly be told apart.
 */
import { drawn } from './random.rules.ts'
import type { CellTable } from './table.rules.ts'

const UNITS = ['credited', 'enrolled', 'evaluations', 'approved', 'grade', 'without evaluations'] as const
const HEADS = [
  'Marital status',
  'Application mode',
  'Application order',
  'Course',
  'Daytime/evening attendance\t',
  'Previous qualification',
  'Previous qualification (grade)',
  'Nacionality',
  "Mother's qualification",
  "Father's qualification",
  "Mother's occupation",
  "Father's occupation",
  'Admission grade',
  'Displaced',
  'Educational special needs',
  'Debtor',
  'Tuition fees up to date',
  'Gender',
  'Scholarship holder',
  'Age at enrollment',
  'International',
  ...['1st', '2nd'].flatMap((term) => UNITS.map((unit) => `Curricular units ${term} sem (${unit})`)),
  'Unemployment rate',
  'Inflation rate',
  'GDP',
  'Target',
]
const COURSES = [33, 171, 8014, 9003, 9070, 9085, 9119, 9130, 9147, 9238, 9254, 9500, 9556, 9670, 9773, 9853, 9991]
const MODES = [1, 7, 10, 15, 16, 17, 18, 39, 42, 43, 44, 51, 53]
const YEARS = [
  [10.8, 1.4, 1.74],
  [13.9, -0.3, 0.79],
  [9.4, -0.8, -3.12],
  [12.4, 0.5, 1.79],
  [7.6, 2.6, 0.32],
] as const

/** So many made students, as they would stand in a file. */
export function madeStudents(count: number, seed: number): CellTable {
  const random = drawn(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const oneOf = <T>(of: readonly T[], bend = 1): T => of[Math.floor(of.length * random() ** bend)]!
  const yes = (likely: number) => (random() < likely ? 1 : 0)
  const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))
  const logit = (value: number) => 1 / (1 + Math.exp(-value))
  const rows = Array.from({ length: count }, () => {
    const ability = normal()
    const will = normal()
    const older = random() < 0.25
    const age = older ? 24 + Math.floor(26 * random() ** 2) : 18 + Math.floor(4 * random() ** 1.6)
    const course = Math.floor(COURSES.length * random())
    const hard = Math.sin(course * 2.3)
    const gender = yes(0.35)
    const paid = yes(logit(2.6 + 0.9 * will - (older ? 0.6 : 0)))
    const debtor = yes(paid ? 0.05 : 0.6)
    const scholar = yes(logit(-1.3 + 0.8 * ability - (older ? 1.4 : 0) - gender * 0.4))
    const drive = 0.8 * ability + 0.9 * will - 0.45 * hard - (older ? 0.5 : 0) - 0.25 * gender
    const terms = [0, 1].map((term) => {
      const away = yes(logit(-3.4 - 1.6 * will + term * 0.5))
      const credited = yes(0.1) ? Math.floor(6 * random()) : 0
      const enrolled = (course % 5 === 0 ? 5 : course % 3 === 0 ? 7 : 6) + (credited ? 2 : 0)
      const evaluations = away ? 0 : enrolled + Math.floor(6 * random() * random() * 2)
      const passing = logit(1.3 + 1.15 * drive + 0.5 * normal() - term * 0.15)
      let approved = 0
      for (let i = 0; i < enrolled; i += 1) approved += away ? 0 : yes(passing)
      const grade = approved ? clamp(12.3 + 0.9 * ability + 0.7 * normal(), 10, 18.9) : 0
      return [credited, enrolled, evaluations, approved, grade, yes(0.08) ? 1 + Math.floor(3 * random()) : 0]
    })
    const passed = (terms[0]![3]! + 1.4 * terms[1]![3]!) / (terms[0]![1]! + 1.4 * terms[1]![1]!)
    // What a unit is worth differs by course, and who is late with fees is sooner gone than late.
    const leaning =
      (5.4 + hard) * (passed - 0.62 - 0.08 * hard) +
      (paid ? 0.25 : -1.6) +
      0.8 * (scholar - 0.25) -
      0.5 * (debtor - 0.1)
    const chance = leaning + (older && passed > 0.6 ? 0.5 : 0) + 0.2 * will + 0.8 * normal()
    const target = chance > 0.3 ? 'Graduate' : chance > -0.75 ? 'Enrolled' : 'Dropout'
    const year = oneOf(YEARS)
    const values = [
      older ? oneOf([1, 1, 2, 4]) : 1,
      older ? oneOf(MODES.slice(7)) : oneOf(MODES, 2),
      1 + Math.floor(6 * random() ** 3),
      COURSES[course]!,
      yes(older ? 0.6 : 0.95),
      older ? oneOf([1, 2, 3, 19, 39, 40]) : 1,
      clamp(132 + 9 * ability + 9 * normal(), 95, 190).toFixed(1),
      yes(0.97) ? 1 : oneOf([2, 6, 11, 22, 24, 25, 26, 41, 62, 100, 101, 103, 105]),
      oneOf([1, 19, 37, 38, 3, 34, 2, 4, 5, 12, 40, 39]),
      oneOf([37, 19, 1, 38, 3, 34, 2, 4, 5, 12, 40, 39]),
      oneOf([9, 4, 5, 3, 2, 7, 0, 1, 6, 90, 10, 8]),
      oneOf([9, 7, 5, 4, 3, 8, 10, 6, 0, 2, 1, 90]),
      clamp(127 + 9 * ability + 11 * normal(), 95, 190).toFixed(1),
      yes(older ? 0.25 : 0.6),
      yes(0.01),
      debtor,
      paid,
      gender,
      scholar,
      age,
      yes(0.025),
      ...terms.flat(),
      ...year,
      target,
    ]
    return values.map(String)
  })
  return { heads: HEADS.map((head) => head.trim()), rows }
}

/** A table as a file: semicolons, quotes where they are needed, a byte order mark. */
export function asCsv({ heads, rows }: CellTable, separator = ';', mark = '.'): string {
  const cell = (text: string) => {
    const written = /^-?\d+\.\d+$/.test(text) ? text.replace('.', mark) : text
    return /[";,\t\n]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written
  }
  return `\uFEFF${[heads, ...rows].map((row) => row.map(cell).join(separator)).join('\r\n')}\r\n`
}
