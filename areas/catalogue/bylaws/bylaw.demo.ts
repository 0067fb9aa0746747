import { followIds, insertRows } from '#db/bulk.ts'
import type { DemoUniversity } from '#demo/model.ts'
import { NAMED, demoPart, insertNew, pick } from '#demo/part.ts'
import type { Rows } from '#demo/part.ts'

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
    })),
  )
  const ofBylaw = <T extends object>(rows: (b: DemoUniversity['bylaws'][number]) => readonly T[]): Rows =>
    demo.bylaws.flatMap((b) => rows(b).map((row) => ({ bylaw_id: b.id, ...row })))
  await insertNew(
    tx,
    'bylaw_levels',
    ofBylaw((b) => b.levels),
  )
  const letters = await insertNew(
    tx,
    'grade_types',
    demo.bylaws.map((b) => ({ bylaw_id: b.id, kind: 'letter', name: 'Letter grade', name_local: 'تقدير' })),
  )
  await insertNew(
    tx,
    'grade_ranges',
    demo.bylaws.flatMap((b, i) => b.grade_ranges.map((g) => ({ grade_type_id: letters[i], ...g }))),
  )
  await insertNew(
    tx,
    'special_grades',
    ofBylaw((b) => b.special_grades),
  )
  await insertNew(
    tx,
    'gpa_ranges',
    ofBylaw((b) => b.gpa_ranges),
  )
  await insertNew(
    tx,
    'load_ranges',
    ofBylaw((b) => b.load_ranges),
  )
  await followIds(tx, 'bylaws')
})
