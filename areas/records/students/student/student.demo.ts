import { followIds, insertRows } from '#db/bulk.ts'
import { NAMED, demoPart, instructorsByUser, pick, usersByEmail } from '#demo/part.ts'

export default demoPart(['students'], ['users', 'instructors', 'programs', 'terms'], async (tx, demo) => {
  await insertRows(
    tx,
    'countries',
    demo.nationalities.map((n) => pick(n, ...NAMED)),
    { conflict: 'on conflict do nothing' },
  )
  const [userId, instructorId] = [await usersByEmail(tx), await instructorsByUser(tx, demo)]
  await insertRows(
    tx,
    'students',
    demo.students.map((s) => ({
      ...pick(s, 'id', 'code', 'name', 'name_local', 'faculty_id', 'program_id', 'bylaw_id', 'entry_term_id', 'level'),
      ...pick(s, 'gender', 'birth_date', 'nationality_id', 'national_id', 'passport_number', 'military_status'),
      ...pick(s, 'email', 'phone', 'school_certificate', 'school_year', 'school_percentage', 'parent_phone'),
      address: s.address_local,
      parent_name: s.parent_name_local,
      user_id: userId.get(s.email)!,
      advisor_id: instructorId.get(s.advisor_id) ?? null,
    })),
  )
  await followIds(tx, 'students')
})
