import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'

/** Of which university, code and names. */
const FACULTIES = [
  ['CU', 'CU-FCAI', 'Faculty of Computers and Artificial Intelligence', 'كلية الحاسبات والذكاء الاصطناعي'],
  ['CU', 'CU-ENG', 'Faculty of Engineering', 'كلية الهندسة'],
  ['ASU', 'ASU-SCI', 'Faculty of Science', 'كلية العلوم'],
  ['ASU', 'ASU-ENG', 'Faculty of Engineering', 'كلية الهندسة'],
  ['AU', 'AU-COM', 'Faculty of Commerce', 'كلية التجارة'],
  ['TUB', 'TUB-EECS', 'Faculty of Electrical Engineering and Computer Science', 'كلية الهندسة الكهربائية وعلوم الحاسب'],
] as const

export default demoPart(['university_faculties'], ['universities_list'], async (tx) => {
  const { rows: universities } = await sql<{
    id: number
    code: string
  }>`select id, code from universities_list`.execute(tx)
  const byCode = new Map(universities.map((one) => [one.code, one.id]))
  await insertRows(
    tx,
    'university_faculties',
    FACULTIES.map(([university, code, name, name_local]) => ({
      code,
      name,
      name_local,
      university_id: byCode.get(university)!,
    })),
  )
})
