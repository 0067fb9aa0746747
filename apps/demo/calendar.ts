/**
 * Academic years, terms and stages around the load date. History begins with the fall term in which the oldest cohort
 * entered, so that every student's record is complete. The current term begins in the week before the load date and its
 * windows are counted from that date: registration is open on whatever day the demo is loaded.
 */
import { STAGE_CODES } from './campus.ts'
import { addDays, isoDate, saturdayBefore } from './dates.ts'
import type { DemoTerm, DemoUniversity } from './model.ts'

export type Calendar = Pick<
  DemoUniversity,
  'years' | 'terms' | 'stage_codes' | 'stage_groups' | 'term_stages' | 'current_terms'
> & {
  /** Calendar year in which the current academic year begins. */
  year: number
  current: DemoTerm
}

/** What goes on in the term whose results are not finished: bans of late exams are still decided, marks entered and approved. */
const LATE = new Set(['exam', 'control', 'grade_entry', 'recheck'])

/** Cohorts study four years, so the oldest one entered three academic years before the current one. */
const YEARS = 4

export function buildCalendar(today: string): Calendar {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(today) || Number.isNaN(Date.parse(today)))
    throw new RangeError(`Not a date: ${today}`)
  const month = Number(today.slice(5, 7))
  const currentType = month >= 2 && month <= 6 ? 'spring' : 'fall'
  // The fall term of an academic year is still running in January.
  const year = Number(today.slice(0, 4)) - (month <= 6 ? 1 : 0)

  const years: Calendar['years'] = []
  const terms: DemoTerm[] = []
  const currentStart = saturdayBefore(addDays(today, -6))
  const addTerm = (type: DemoTerm['type'], from: number, start: string, days: number) => {
    const [name, name_local, letter] = {
      fall: ['Fall', 'فصل الخريف', 'F'],
      spring: ['Spring', 'فصل الربيع', 'S'],
      summer: ['Summer', 'الفصل الصيفي', 'U'],
    }[type]
    const label = type === 'fall' ? from : from + 1
    terms.push({
      id: terms.length + 1,
      code: `${letter}${label}`,
      name: `${name} ${label}`,
      name_local: `${name_local} ${label}`,
      type,
      year_id: years.length,
      start_date: start,
      end_date: addDays(start, days),
      state: 'finished',
    })
  }
  for (let from = year - YEARS + 1; from <= year; from++) {
    const isCurrent = from === year
    years.push({
      id: years.length + 1,
      code: `${from}`,
      name: `${from}/${from + 1}`,
      name_local: `${from}/${from + 1}`,
      start_date: isoDate(from, 9, 1),
      end_date: isoDate(from + 1, 8, 31),
    })
    if (isCurrent && currentType === 'fall') {
      addTerm('fall', from, currentStart, 118)
      break
    }
    addTerm('fall', from, saturdayBefore(isoDate(from, 9, 24)), 110)
    if (isCurrent) {
      addTerm('spring', from, currentStart, 118)
      break
    }
    addTerm('spring', from, saturdayBefore(isoDate(from + 1, 2, 12)), 117)
    // Before a current fall term no summer term was held: the spring term is then the one in control.
    if (from + 1 < year || currentType === 'spring')
      addTerm('summer', from, saturdayBefore(isoDate(from + 1, 7, 5)), 54)
  }
  const current = terms.at(-1)!
  const control = terms.at(-2)!
  current.state = 'current'
  control.state = 'control'

  // A current term that begins or ends unusually, because of the load date, still lies within its year.
  const last = years.at(-1)!
  if (current.start_date < last.start_date) last.start_date = current.start_date
  if (current.end_date > last.end_date) last.end_date = current.end_date

  const stage_codes = STAGE_CODES.map(({ code, name, name_local }, i) => ({ id: i + 1, code, name, name_local }))
  const stage_groups = [
    {
      id: 1,
      code: 'FEC',
      name: 'Engineering and Computing students',
      name_local: 'طلاب الهندسة والحوسبة',
      faculty_id: 1,
    },
    { id: 2, code: 'FCO', name: 'Commerce students', name_local: 'طلاب التجارة', faculty_id: 2 },
  ]
  const term_stages: Calendar['term_stages'] = []
  for (const term of terms)
    for (const [i, stage] of STAGE_CODES.entries())
      for (const group of stage_groups) {
        const [base, [from, to]] =
          term === current ? [today, stage.current] : ([term.start_date, stage.finished] as const)
        // A summer term is half as long.
        const scale = term.type === 'summer' ? 0.45 : 1
        term_stages.push({
          id: term_stages.length + 1,
          term_id: term.id,
          stage_code_id: i + 1,
          stage_group_id: group.id,
          start_date: addDays(base, Math.round(from * scale)),
          end_date: addDays(base, Math.round(to * scale)),
        })
      }
  // Control of the latest finished term is still open.
  for (const stage of term_stages) {
    const code = stage_codes[stage.stage_code_id - 1]!.code
    if (stage.term_id === control.id && LATE.has(code)) stage.end_date = addDays(today, 21)
  }
  return {
    years,
    terms,
    stage_codes,
    stage_groups,
    term_stages,
    current_terms: {
      current_term: current.id,
      current_admission_term: current.id,
      current_admission_term_UG: current.id,
      current_admission_term_PG: current.id,
      current_transfer_term: current.id,
      current_control_term: control.id,
      current_exam_term: current.id,
    },
    year,
    current,
  }
}
