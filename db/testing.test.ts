import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, emptyTables, withDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'

let one: TestDatabase
let other: TestDatabase

beforeAll(async () => {
  ;[one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
})
afterAll(() => Promise.all([one.drop(), other.drop()]))

test('databases of two files are independent of each other', async () => {
  await one.pool.query('create table only_here (id integer)')
  const seen = `select to_regclass('only_here') as found`
  expect((await one.pool.query(seen)).rows[0].found).toBe('only_here')
  expect((await other.pool.query(seen)).rows[0].found).toBeNull()
})

test('emptyTables deletes all but the excepted, whatever refers to what', async () => {
  await one.pool.query(`
    create table parent (id integer primary key);
    create table child (id integer primary key, parent_id integer references parent);
    create table kept (id integer);
    create table parts (id integer) partition by range (id);
    create table parts_1 partition of parts for values from (0) to (10);
    create function refuse() returns trigger language plpgsql as $$ begin raise 'append only'; end $$;
    create trigger append_only before delete on child for each row execute function refuse();
    insert into parent values (1); insert into child values (1, 1); insert into kept values (1); insert into parts values (1)`)
  await emptyTables(one.db, ['kept'])
  const { rows } = await one.pool.query(`select (select count(*)::int from parent) parent,
    (select count(*)::int from child) child, (select count(*)::int from parts) parts, (select count(*)::int from kept) kept`)
  expect(rows[0]).toEqual({ parent: 0, child: 0, parts: 0, kept: 1 })
  // Afterwards keys and triggers are awake again.
  await expect(one.pool.query('insert into child values (2, 2)')).rejects.toThrow(/foreign key/)
})

test('drop ends the connections and deletes the database', async () => {
  const gone = await createTestDatabase()
  await gone.pool.query('select 1')
  await gone.drop()
  const { rows } = await one.pool.query('select from pg_database where datname = $1', [gone.name])
  expect(rows).toHaveLength(0)
})

test('Arabic is ordered by its own alphabet', async () => {
  const { rows } = await sql<{ x: string }>`
    select x from (values ('ياسر'), ('باسم'), ('أحمد'), ('إيمان'), ('احسان')) v(x) order by x collate "ar-x-icu"`.execute(
    one.db,
  )
  expect(rows.map(({ x }) => x)).toEqual(['احسان', 'أحمد', 'إيمان', 'باسم', 'ياسر'])
})

test('a URL keeps everything but its database', () => {
  expect(withDatabase('postgresql://postgres@/postgres?host=%2Frun&port=1', 'x')).toBe(
    'postgresql://postgres@/x?host=%2Frun&port=1',
  )
  expect(withDatabase('postgres://u:p@host:5432/old', 'x')).toBe('postgres://u:p@host:5432/x')
  expect(withDatabase('postgres://u:p@host?sslmode=require', 'x')).toBe('postgres://u:p@host/x?sslmode=require')
})
