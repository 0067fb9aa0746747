import { worksByMarks } from '../mark-regulation.rules.ts'
import { usualConversions, type ConversionLine } from '../conversion.rules.ts'
import { printHundredths } from '../decimal.rules.ts'
import { followIds, insertRows } from '#db/bulk.ts'
import type { DemoUniversity } from '#demo/model.ts'
import { NAMED, demoPart, insertNew, pick } from '#demo/part.ts'
import type { Rows } from '#demo/part.ts'

/** A line of the table as it is stored. */
export const conversionRow = (line: ConversionLine) => ({
  from_share: printHundredths(line.from_share),
  to_share: printHundredths(line.to_share),
  from_points: printHundredths(line.from_points),
  to_points: printHundredths(line.to_points),
})

export default demoPart(['bylaws'], ['faculties'], async (tx, demo) => {
  await insertRows(
    tx,
    'bylaws',
    demo.bylaws.map((b) => ({
      ...pick(
        b,
        ...NAMED,
        'faculty_id',
        'program_type',
        'warning_type',
        'warning_count',
        'warning_gpa',
        'max_warnings',
      ),
      ...pick(b, 'min_percentage_final_exam', 'total_places', 'repeat_rule', 'repeat_max_points', 'max_improvements'),
      ...pick(b, 'improve_letters', 'graduation_hours', 'graduation_gpa', 'min_training_weeks', 'start_year'),
      ...pick(b, 'in_admission', 'grades_visibility'),
      improve_max_points: b.repeat_max_points,
      absence_warn_share: '10',
      absence_ban_share: '25',
      lates_per_absence: 3,
      ...(worksByMarks(b.program_type) && {
        honours_rating: 'VG',
        grace_per_course: 3,
        grace_in_all: 8,
        max_chances: 7,
      }),
    })),
  )
  const ofBylaw = <T extends object>(rows: (b: DemoUniversity['bylaws'][number]) => readonly T[]): Rows =>
    demo.bylaws.flatMap((b) => rows(b).map((row) => ({ bylaw_id: b.id, ...row })))
  const ofHours: typeof ofBylaw = (rows) => ofBylaw((b) => (worksByMarks(b.program_type) ? [] : rows(b)))
  await insertNew(
    tx,
    'bylaw_levels',
    ofBylaw((b) => b.levels),
  )
  // Where marks are rated there are neither letters nor GPA and loads.
  const byHours = demo.bylaws.filter((b) => !worksByMarks(b.program_type))
  const letters = await insertNew(
    tx,
    'grade_types',
    byHours.map((b) => ({ bylaw_id: b.id, kind: 'letter', name: 'Letter grade', name_local: 'تقدير' })),
  )
  await insertNew(
    tx,
    'grade_ranges',
    byHours.flatMap((b, i) => b.grade_ranges.map((g) => ({ grade_type_id: letters[i], ...g }))),
  )
  await insertNew(
    tx,
    'special_grades',
    ofBylaw((b) => b.special_grades),
  )
  await insertNew(
    tx,
    'gpa_ranges',
    ofHours((b) => b.gpa_ranges),
  )
  await insertNew(
    tx,
    'load_ranges',
    ofHours((b) => b.load_ranges),
  )
  // Who moves between the two kinds is told by the table of the bylaw.
  await insertNew(
    tx,
    'bylaw_conversions',
    ofBylaw((b) =>
      usualConversions(
        worksByMarks(b.program_type)
          ? 5000
          : Math.min(...b.grade_ranges.filter((g) => g.success).map((g) => Number(g.from_percent) * 100)),
      ).map(conversionRow),
    ),
  )
  // Who leaves a course early gets most of its fees back.
  await insertNew(
    tx,
    'bylaw_withdrawal_steps',
    ofHours(() => [
      { summer: false, days: 14, percent: '25' },
      { summer: false, days: 35, percent: '50' },
      { summer: false, days: 56, percent: '75' },
      { summer: true, days: 7, percent: '50' },
    ]),
  )
  await followIds(tx, 'bylaws')
})
