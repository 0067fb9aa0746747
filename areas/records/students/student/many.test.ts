import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'

let database: TestDatabase
const q = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows

/** Students who come in one statement, as an import writes them, into a university of which the planner knows no figures. */
const STUDENTS = 2000

beforeAll(async () => {
  database = await createTestDatabase()
  await q(`insert into faculties (code, name, name_local) values ('F', 'F', 'F')`)
  await q(`insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours)
    select id, 'B', 'B', 'B', 'credit_hours', 120 from faculties`)
  await q(`insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type, min_credit_hours)
    select id, faculty_id, 'P', 'P', 'P', 'credit_hours', 120 from bylaws`)
  await q(`insert into document_kinds (code, name, name_local, is_required, gender, from_level)
    values ('ALL', 'Photo', 'صورة', true, null, null), ('LATE', 'Form', 'استمارة', true, null, 2), ('OLD', 'Old', 'قديم', false, null, null)`)
  await q(
    `insert into users (type, name, name_local, email)
     select 3, 'Student ' || n, 'Student ' || n, 's' || n || '@many.example' from generate_series(1, $1::int) n`,
    [STUDENTS],
  )
})
afterAll(() => database?.drop())

const come = () =>
  q(
    `insert into students (code, name, name_local, email, user_id, faculty_id, program_id, bylaw_id, level, removed_at)
     select 'S' || n, u.name, u.name, u.email, u.id, p.faculty_id, p.id, p.bylaw_id, n % 4, case when n % 10 = 0 then now() end
     from generate_series(1, $1::int) n join users u on u.email = 's' || n || '@many.example' cross join programs p`,
    [STUDENTS],
  )

/** Entries of indexes that were read so far, and rows that were read one after the other. */
async function read(): Promise<number> {
  await q('select pg_stat_force_next_flush()')
  const [row] =
    await q(`select (select sum(idx_tup_read) from pg_stat_user_indexes where relname in ('students', 'users', 'student_holds'))
    + (select sum(seq_tup_read) from pg_stat_user_tables where relname in ('students', 'users', 'student_holds')) as n`)
  return Number(row.n)
}

test('students who come together are looked at in step with their number, and lack what is required of them', async () => {
  const before = await read()
  await come()
  expect((await read()) - before).toBeLessThan(40 * STUDENTS)
  const [wrong] = await q(`select count(*)::int as n from students s
    where s.missing_documents is distinct from exists (select from student_holds h where h.student_id = s.id and h.lifted_at is null)
      or s.missing_documents is distinct from (s.removed_at is null)`)
  expect(wrong.n).toBe(0)
  expect(
    await q(`select k.code, count(*)::int as n, min(s.level) as from_level, bool_and(h.note = k.name) as named
      from student_holds h join students s on s.id = h.student_id join document_kinds k on k.id = h.document_kind_id group by 1 order by 1`),
  ).toEqual([
    { code: 'ALL', n: 1800, from_level: 0, named: true },
    { code: 'LATE', n: 900, from_level: 2, named: true },
  ])
})

test('what they lack is worked out again in step with their number', async () => {
  const before = await read()
  await q(`update document_kinds set is_required = false where code = 'LATE'`)
  expect((await read()) - before).toBeLessThan(150 * STUDENTS)
  expect(await q('select count(*)::int as n from student_holds where lifted_at is null')).toEqual([{ n: 1800 }])
  await q(`update students set level = 3 where code = 'S1'`)
  await q(`insert into student_documents (student_id, kind_id, asked) select s.id, k.id, true from students s, document_kinds k
    where s.code = 'S1' and k.code = 'OLD'`)
  expect(
    await q(`select k.code from student_holds h join students s on s.id = h.student_id join document_kinds k on k.id = h.document_kind_id
      where s.code = 'S1' and h.lifted_at is null order by 1`),
  ).toEqual([{ code: 'ALL' }, { code: 'OLD' }])
})

test('the address of another person is refused, among thousands as well', async () => {
  await expect(
    q(`insert into students (code, name, name_local, email, faculty_id, program_id, bylaw_id)
      select 'T' || n, 'T', 'T', 'S' || (n - 1) || '@many.example', p.faculty_id, p.id, p.bylaw_id
      from generate_series(2, 50) n cross join programs p`),
  ).rejects.toMatchObject({ constraint: 'email_of_another_person' })
})
