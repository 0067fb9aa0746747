import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Who comes from outside: for a conference, to examine, to visit a child. The country by its code. */
const GUESTS = [
  ['Salma Hegazy', 'سلمى حجازي', 'national_id', '28703152100348', 'EG', '01005550131', 'salma.hegazy@guests.example'],
  ['Johannes Weber', 'يوهانس فيبر', 'passport', 'C4J7K2M91', 'DE', '+4930555017', 'johannes.weber@guests.example'],
  ['Amina Al Harbi', 'أمينة الحربي', 'passport', 'AB4471902', 'SA', '+966555550142', null],
  ['Yasser Kamal', 'ياسر كمال', 'national_id', '27509021400517', 'EG', '01115550177', 'yasser.kamal@guests.example'],
  ['Grace Okafor', 'جريس أوكافور', 'residence', 'RP-220194', null, '01225550108', null],
] as const

export default demoPart(['guests'], ['students', 'universities_list'], async (tx) => {
  for (const [name, name_local, kind, number, country, phone, email] of GUESTS)
    await sql`insert into guests (name, name_local, document_kind, document_number, nationality_id, phone, email)
      select ${name}, ${name_local}, ${kind}, ${number}, (select id from countries where code = ${country}), ${phone}, ${email}`.execute(
      tx,
    )
})
