import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'

/** Usual letters, for faculties that come without a bylaw. From, to, letter, English, Arabic, points. */
const LETTERS = [
  [97, 100, 'A+', 'Excellent', 'ممتاز', '4.00'],
  [93, 97, 'A', 'Excellent', 'ممتاز', '4.00'],
  [89, 93, 'A-', 'Excellent', 'ممتاز', '3.70'],
  [84, 89, 'B+', 'Very good', 'جيد جدًا', '3.30'],
  [80, 84, 'B', 'Very good', 'جيد جدًا', '3.00'],
  [76, 80, 'B-', 'Good', 'جيد', '2.70'],
  [73, 76, 'C+', 'Good', 'جيد', '2.30'],
  [70, 73, 'C', 'Good', 'جيد', '2.00'],
  [67, 70, 'C-', 'Pass', 'مقبول', '1.70'],
  [64, 67, 'D+', 'Pass', 'مقبول', '1.30'],
  [60, 64, 'D', 'Pass', 'مقبول', '1.00'],
  [0, 60, 'F', 'Fail', 'راسب', '0.00'],
] as const

/** The general program of each faculty; a faculty without one gets it, under a bylaw of usual settings. */
export async function generalPrograms(
  tx: Tx,
  faculties: readonly number[],
): Promise<Map<number, { id: number; bylaw_id: number }>> {
  const out = new Map<number, { id: number; bylaw_id: number }>()
  for (const faculty_id of faculties) {
    const found = await sql<{ id: number; bylaw_id: number }>`
      select id, bylaw_id from programs where faculty_id = ${faculty_id} and is_general and removed_at is null order by id limit 1`.execute(
      tx,
    )
    if (found.rows[0]) {
      out.set(faculty_id, found.rows[0])
      continue
    }
    const { code, name } = firstRow(
      (await sql<{ code: string; name: string }>`select code, name from faculties where id = ${faculty_id}`.execute(tx))
        .rows,
    )
    const short = `${code || name}-GEN`
    const [bylaw_id] = await insertRows(
      tx,
      'bylaws',
      [
        {
          faculty_id,
          code: short,
          name: 'General bylaw',
          name_local: 'اللائحة العامة',
          program_type: 'credit_hours',
          graduation_hours: 120,
        },
      ],
      { returning: 'id' },
    )
    await insertRows(
      tx,
      'bylaw_levels',
      [0, 30, 60, 90].map((passed_hours, i) => ({
        bylaw_id,
        level: i + 1,
        name: `Level ${i + 1}`,
        name_local: `المستوى ${i + 1}`,
        passed_hours,
      })),
    )
    const [grade_type_id] = await insertRows(
      tx,
      'grade_types',
      [{ bylaw_id, kind: 'letter', name: 'Letter grade', name_local: 'تقدير' }],
      { returning: 'id' },
    )
    await insertRows(
      tx,
      'grade_ranges',
      LETTERS.map(([from_percent, to_percent, letter, en, ar, points]) => ({
        grade_type_id,
        from_percent,
        to_percent,
        letter,
        name: en,
        name_local: ar,
        points,
        success: points !== '0.00',
      })),
    )
    await insertRows(
      tx,
      'special_grades',
      (
        [
          ['Absent', 'ABS', 'Absent', 'غائب', true],
          ['Banned', 'BAN', 'Banned', 'محروم', true],
          ['Punished', 'PUN', 'Punished', 'معاقب', true],
          ['Withdrawn', 'W', 'Withdrawn', 'منسحب', false],
          ['ForcedWithdrawn', 'FW', 'Forced withdrawal', 'انسحاب إجباري', false],
          ['Excused', 'EX', 'Excused', 'معتذر', false],
          ['Incomplete', 'IC', 'Incomplete', 'غير مكتمل', false],
        ] as const
      ).map(([status, letter, en, ar, counts]) => ({
        bylaw_id,
        status,
        letter,
        name: en,
        name_local: ar,
        points: 0,
        counts_in_gpa: counts,
        counts_in_attempted_hours: counts,
      })),
    )
    await insertRows(
      tx,
      'gpa_ranges',
      (
        [
          ['3.50', '4.00', 'Excellent', 'ممتاز'],
          ['3.00', '3.50', 'Very good', 'جيد جدًا'],
          ['2.50', '3.00', 'Good', 'جيد'],
          ['2.00', '2.50', 'Pass', 'مقبول'],
          ['0.00', '2.00', 'Weak', 'ضعيف'],
        ] as const
      ).map(([from_gpa, to_gpa, en, ar]) => ({ bylaw_id, from_gpa, to_gpa, name: en, name_local: ar })),
    )
    await insertRows(tx, 'load_ranges', [
      { bylaw_id, from_gpa: 0, to_gpa: 4, max_ch_value: 24, max_summer_ch_value: 24, max_courses: 8 },
    ])
    const [id] = await insertRows(
      tx,
      'programs',
      [
        {
          bylaw_id,
          faculty_id,
          code: short,
          name: 'General program',
          name_local: 'البرنامج العام',
          program_type: 'credit_hours',
          is_general: true,
          min_credit_hours: 120,
        },
      ],
      { returning: 'id' },
    )
    out.set(faculty_id, { id: id!, bylaw_id: bylaw_id! })
  }
  return out
}

/** The mark scheme of imported offerings: 40 for the year's work, 60 for the final examination. */
export async function usualScheme(
  tx: Tx,
): Promise<{ id: number; items: { mark_category_id: number; max: number; position: number }[] }> {
  const items: { mark_category_id: number; max: number; position: number }[] = []
  const wanted = [
    ['YEARWORK', 'Year work', 'أعمال السنة', false, 40],
    ['FINAL', 'Final exam', 'الامتحان النهائي', true, 60],
  ] as const
  for (const [position, [code, en, ar, is_final_exam, max]] of wanted.entries()) {
    const made = await sql<{ id: number }>`
      insert into mark_categories (code, name, name_local, is_final_exam) values (${code}, ${en}, ${ar}, ${is_final_exam})
      on conflict (code) do nothing returning id`.execute(tx)
    const id =
      made.rows[0]?.id ??
      firstRow((await sql<{ id: number }>`select id from mark_categories where code = ${code}`.execute(tx)).rows).id
    items.push({ mark_category_id: id, max, position })
  }
  const made = await sql<{ id: number }>`
    insert into marks (code, name, name_local) values ('USUAL40-60', 'Year work 40, final 60', 'أعمال السنة 40 والنهائي 60')
    on conflict (code) do nothing returning id`.execute(tx)
  if (made.rows[0]) {
    await insertRows(
      tx,
      'mark_items',
      items.map((item) => ({ mark_id: firstRow(made.rows).id, ...item })),
    )
    return { id: made.rows[0].id, items }
  }
  const { id } = firstRow((await sql<{ id: number }>`select id from marks where code = 'USUAL40-60'`.execute(tx)).rows)
  return { id, items }
}
