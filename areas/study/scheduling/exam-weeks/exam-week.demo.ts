import { followIds, insertRows } from '#db/bulk.ts'
import { addDays } from '#kit/contract/day.ts'
import { demoPart } from '#demo/part.ts'

/** The weeks of the midterms and of the final exams of the term, for the whole university; those of the last level begin earlier. */
export default demoPart(['exam_weeks'], ['terms', 'faculties'], async (tx, demo) => {
  const term = demo.terms.find((one) => one.id === demo.current_terms.current_term)!
  const week = (id: number, kind: string, start_date: string, end_date: string, of: object = {}) => ({
    id,
    term_id: term.id,
    faculty_id: null,
    level: null,
    kind,
    start_date,
    end_date,
    ...of,
  })
  await insertRows(tx, 'exam_weeks', [
    week(1, 'midterm', addDays(term.start_date, 56), addDays(term.start_date, 62)),
    week(2, 'final', addDays(term.end_date, -14), term.end_date),
    ...demo.faculties.map((faculty, i) =>
      week(3 + i, 'final', addDays(term.end_date, -17), addDays(term.end_date, -15), {
        faculty_id: faculty.id,
        level: 4,
      }),
    ),
  ])
  await followIds(tx, 'exam_weeks')
})
