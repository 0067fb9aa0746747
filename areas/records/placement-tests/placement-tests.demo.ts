import { sql } from 'kysely'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'

/** An English placement test of all, with results of this year's students, and one in mathematics that is to be taken. */
export default demoPart(
  ['placement_tests', 'placement_levels', 'placement_courses', 'placement_results'],
  ['students', 'courses', 'faculties', 'registrations', 'student_terms'],
  async (tx, demo) => {
    await insertRows(tx, 'placement_tests', [
      {
        id: 1,
        code: 'ENG',
        name: 'English Placement Test',
        name_local: 'اختبار تحديد مستوى اللغة الإنجليزية',
        faculty_id: null,
        bylaw_id: null,
        program_id: null,
        max_score: 100,
        is_required: false,
      },
      {
        id: 2,
        code: 'MTH',
        name: 'Mathematics Placement Test',
        name_local: 'اختبار تحديد مستوى الرياضيات',
        faculty_id: 1,
        bylaw_id: 1,
        max_score: 60,
        is_required: false,
      },
      {
        id: 3,
        code: 'PRG',
        name: 'Programming Placement Test',
        name_local: 'اختبار تحديد مستوى البرمجة',
        faculty_id: 1,
        bylaw_id: 1,
        program_id: 1,
        max_score: 40,
        is_required: true,
      },
    ])
    const band = (test: number, position: number, name: string, name_local: string, from: number, to: number) => ({
      placement_test_id: test,
      position,
      name,
      name_local,
      from_score: from,
      to_score: to,
    })
    await insertRows(tx, 'placement_levels', [
      band(1, 0, 'Foundation', 'تأسيسي', 0, 50),
      band(1, 1, 'Intermediate', 'متوسط', 50, 80),
      band(1, 2, 'Advanced', 'متقدم', 80, 100),
      band(2, 0, 'Preparation', 'تمهيدي', 0, 30),
      band(2, 1, 'Ready', 'مستوفٍ', 30, 60),
      band(3, 0, 'Beginner', 'مبتدئ', 0, 28),
      band(3, 1, 'Has programmed', 'سبقت له البرمجة', 28, 40),
    ])
    const course = (code: string) => demo.courses.find((one) => one.code === code)?.id
    await insertRows(
      tx,
      'placement_courses',
      [
        [1, 'UNV101', 1],
        [1, 'UNV102', 2],
        [2, 'MTH101', 1],
        [2, 'MTH103', 2],
        [3, 'CSC101', 1],
        [3, 'CSC102', 2],
      ].flatMap(([test, code, level], position) => {
        const id = course(code as string)
        return id ? [{ placement_test_id: test, position, course_id: id, level }] : []
      }),
    )
    await followIds(tx, 'placement_tests')
    // The newest students: their results are those that what they are registered in agrees with.
    await sql`insert into placement_results (code, placement_test_id, student_id, score, is_exempt, taken_on, reason)
      select 'ENG', 1, s.id, case when s.id % 9 in (0, 4) then null when exists (select from registrations r join courses c on c.id = r.course_id
          where r.student_id = s.id and c.code = 'UNV101') then 20 + s.id % 30 else 55 + s.id % 45 end, s.id % 9 = 4,
        case when s.id % 9 not in (0, 4) then ${demo.today}::date - 70 end,
        case when s.id % 9 = 4 then 'Secondary school taught in English' end
      from students s where s.entry_term_id = (select max(entry_term_id) from students) and s.id % 3 = 0`.execute(tx)
    await sql`insert into placement_results (code, placement_test_id, student_id)
      select 'MTH', 2, s.id from students s
      where s.entry_term_id = (select max(entry_term_id) from students) and s.faculty_id = 1 and s.id % 5 = 0`.execute(
      tx,
    )
  },
)
