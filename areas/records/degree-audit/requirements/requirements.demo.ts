import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'
import type { Requirement, Selector } from './tree.rules.ts'

/**
 * The program in artificial intelligence asks for more than its study plan: mathematics with a minimum grade, advanced
 * courses of the department with a cap, a pool, a GPA over a subset. It was revised once.
 */
export default demoPart(['requirement_trees'], ['programs', 'courses', 'departments', 'students'], async (tx) => {
  const { rows } = await sql<{
    program_id: number
    department_id: number
    pool_id: number
    courses: Record<string, number>
  }>`select p.id as program_id, p.department_id,
      (select min(o.id) from program_pools o join program_courses x on x.pool_id = o.id join courses c on c.id = x.course_id
        where o.program_id = p.id and c.code not like 'UNV%') as pool_id,
      (select json_object_agg(code, id) from courses) as courses
    from programs p where p.code = 'AI'`.execute(tx)
  const { program_id, department_id, pool_id, courses } = firstRow(rows)
  const course = (code: string): Selector => ({ by: 'course', course_id: courses[code]! })
  const department: Selector = { by: 'department', department_id }
  const tree = (mathematics: number): Requirement => ({
    kind: 'all',
    key: 'concentration',
    name: 'Concentration in artificial intelligence',
    name_local: 'التركيز في الذكاء الاصطناعي',
    parts: [
      {
        kind: 'courses',
        key: 'mathematics',
        name: 'Mathematics',
        name_local: 'الرياضيات',
        unit: 'hours',
        min: mathematics,
        from: [{ by: 'code', pattern: 'MTH*' }],
        except: [course('MTH101')],
        min_points: 1.3,
        by_semester: 6,
      },
      {
        kind: 'courses',
        key: 'programming',
        name: 'Sound programming',
        name_local: 'إتقان البرمجة',
        note: 'Two of these courses with a good grade, as later courses build on them.',
        note_local: 'مقرران منها بتقدير جيد لأن المقررات اللاحقة تُبنى عليها.',
        unit: 'courses',
        min: 2,
        from: ['CSC101', 'CSC102', 'CSC201', 'CSC202', 'CSC203'].map(course),
        min_points: 2,
      },
      {
        kind: 'sum',
        key: 'advanced',
        name: 'Advanced courses of the department',
        name_local: 'المقررات المتقدمة في القسم',
        unit: 'hours',
        min: 18,
        parts: [
          {
            kind: 'courses',
            key: 'third-level',
            name: 'Of the third level',
            name_local: 'من المستوى الثالث',
            unit: 'hours',
            min: 6,
            max_counted: 9,
            from: [{ by: 'both', of: [department, { by: 'level', from: 3, to: 3 }] }],
          },
          {
            kind: 'courses',
            key: 'fourth-level',
            name: 'Of the fourth level',
            name_local: 'من المستوى الرابع',
            unit: 'hours',
            min: 9,
            from: [
              { by: 'both', of: [department, { by: 'level', from: 4, to: 4 }] },
              { by: 'pool', pool_id },
            ],
          },
        ],
      },
      {
        kind: 'gpa',
        key: 'own-gpa',
        name: 'GPA in the department',
        name_local: 'المعدل في مقررات القسم',
        min: 2.2,
        from: [department],
      },
      {
        kind: 'hand',
        key: 'portfolio',
        name: 'Portfolio seen by the advisor',
        name_local: 'ملف أعمال اطّلع عليه المرشد',
        optional: true,
      },
    ],
  })
  for (const [revision, mathematics, reason] of [
    [1, 12, null],
    [2, 15, 'Decision of the department council'],
  ] as const)
    await sql`insert into requirement_trees (program_id, revision, mode, tree, reason, created_at)
      values (${program_id}, ${revision}, 'adds', ${JSON.stringify(tree(mathematics))}::jsonb, ${reason},
        now() - make_interval(days => ${400 - revision * 150}::int))`.execute(tx)
})
