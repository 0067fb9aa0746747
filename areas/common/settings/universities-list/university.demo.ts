import { insertRows } from '#db/bulk.ts'
import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Countries of universities that no student of the demo comes from. */
const FURTHER = [
  { id: 118, code: 'KW', name: 'Kuwait', name_local: 'الكويت' },
  { id: 83, code: 'DE', name: 'Germany', name_local: 'ألمانيا' },
]
const UNIVERSITIES = [
  ['CU', 'Cairo University', 'جامعة القاهرة', 'EG'],
  ['ASU', 'Ain Shams University', 'جامعة عين شمس', 'EG'],
  ['AU', 'Alexandria University', 'جامعة الإسكندرية', 'EG'],
  ['KU', 'Kuwait University', 'جامعة الكويت', 'KW'],
  ['KSU', 'King Saud University', 'جامعة الملك سعود', 'SA'],
  ['TUM', 'Technical University of Munich', 'جامعة ميونخ التقنية', 'DE'],
  ['TUB', 'TU Berlin', 'جامعة برلين التقنية', 'DE'],
  ['HU', 'Helwan University', 'جامعة حلوان', 'EG'],
] as const

// Countries come with the students.
export default demoPart(['universities_list'], ['students'], async (tx) => {
  await insertRows(tx, 'countries', FURTHER, { conflict: 'on conflict do nothing' })
  for (const [code, name, name_local, country] of UNIVERSITIES)
    await sql`insert into universities_list (code, name, name_local, country_id)
      select ${code}, ${name}, ${name_local}, (select id from countries where code = ${country})`.execute(tx)
})
