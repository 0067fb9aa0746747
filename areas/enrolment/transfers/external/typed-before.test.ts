import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, migrationsFolder } from '#db/migrate.ts'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'

const THIS = '0860_universities_of_transfers'
let database: TestDatabase
const q = async (text: string): Promise<any[]> => (await database.pool.query(text)).rows
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('drop schema public cascade; create schema public')
  const before = readdirSync(migrationsFolder)
    .map((name) => name.replace(/\.sql$/, ''))
    .filter((name) => name < THIS)
    .toSorted()
    .at(-1)!
  await migrate(database.db, { upTo: before })
}, 720_000)
afterAll(() => database?.drop())

test('what was typed as a university and a part of it is found in the list by its folded name, or added to it', async () => {
  // As a university stands before: the list has one twice, and transfers name what somebody typed.
  await database.pool.query(`
    alter table external_transfers drop constraint external_transfers_student_id_fkey, drop constraint external_transfers_program_id_fkey,
      drop constraint external_transfers_term_id_fkey;
    set session_replication_role = replica;
    insert into countries (id, code, name, name_local) values (1, 'EG', 'Egypt', 'مصر');
    insert into universities_list (id, code, name, name_local) overriding system value values
      (101, 'CU', 'Cairo University', 'جامعة القاهرة'), (102, 'CU2', 'CAIRO  University', 'جامعه القاهره');
    insert into external_transfers (id, student_id, program_id, term_id, kind, institution, institution_program, country_id) overriding system value values
      (1, 1, 1, 1, 'external', 'cairo university', 'Computing', 1), (2, 2, 1, 1, 'external', ' جامعه القاهره', 'COMPUTING', null),
      (3, 3, 1, 1, 'external', 'جامعة حلوان', null, 1), (4, 4, 1, 1, 'study_abroad', 'جامعه حلوان', '  ', null);
    insert into equivalences (id, external_transfer_id, position, source_code, source_name, source_hours, source_key, state) overriding system value values
      (1, 1, 0, 'MTH 101', 'Calculus', 3, 'xold|1', 'none'), (2, 1, 1, 'mth-101', 'Calculus again', 3, 'xold|2', 'none'),
      (3, 2, 0, 'MTH١٠١', 'Calculus', 3, 'xold|3', 'none');
    set session_replication_role = default`)
  await migrate(database.db, { upTo: THIS })
  expect(
    await q(
      'select id, code, name, country_id, removed_at is not null as removed from universities_list order by code',
    ),
  ).toMatchObject([
    { id: 101, code: 'CU', country_id: 1, removed: false },
    { id: 102, removed: true },
    { code: 'TYPED-1', name: 'جامعة حلوان', country_id: 1, removed: false },
  ])
  const transfers =
    await q(`select t.id, u.code, f.name as faculty from external_transfers t join universities_list u on u.id = t.university_id
    left join university_faculties f on f.id = t.university_faculty_id order by t.id`)
  expect(transfers).toEqual([
    { id: 1, code: 'CU', faculty: 'Computing' },
    { id: 2, code: 'CU', faculty: 'Computing' },
    { id: 3, code: 'TYPED-1', faculty: null },
    { id: 4, code: 'TYPED-1', faculty: null },
  ])
  // The same course of the same university is known again; what stood twice in one transfer stays, known by itself.
  expect((await q('select source_key from equivalences order by id')).map((one) => one.source_key)).toEqual([
    'u101|mth101',
    'u101|mth101#2',
    'u101|mth101',
  ])
})
