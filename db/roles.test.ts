import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDb, createPool } from './connect.ts'
import { migrate } from './migrate.ts'
import { installQueue } from './queue.ts'
import { admitProgram, mightOf, withRole } from './roles.ts'
import { createTestDatabase, withDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  // As in production: what is made later is nobody's but the owner's.
  const { rows } = await database.program.pool.query('select current_user as name')
  await database.pool.query(`alter default privileges in schema public revoke all on tables from ${rows[0].name}`)
  await database.pool.query(`insert into users (type, name, name_local) values (2, 'A', 'أ')`)
})
afterAll(() => database.drop())

describe("the program's role", () => {
  test('reads and writes rows, which leave their entries in the audit trail', async () => {
    const { pool } = database.program
    const { rows } = await pool.query<{ id: number }>(
      `insert into users (type, name, name_local) values (2, 'B', 'ب') returning id`,
    )
    await pool.query(`update users set name = 'C' where id = $1`, [rows[0]!.id])
    await pool.query('delete from users where id = $1', [rows[0]!.id])
    const trail = await pool.query(
      `select action from audit_log where table_name = 'users' and record_id = $1 order by id`,
      [rows[0]!.id],
    )
    expect(trail.rows.map((row) => row.action)).toEqual(['insert', 'update', 'delete'])
  })

  const refused = [
    'alter table users disable trigger audit_update',
    'alter table users disable trigger all',
    'alter table audit_log disable trigger append_only',
    'drop trigger audit_update on users',
    'drop table audit_log',
    'set session_replication_role = replica',
    'delete from audit_log',
    `update audit_log set reason = 'nothing happened'`,
    `insert into audit_log (action, table_name) values ('insert', 'users')`,
    'truncate audit_log',
    'truncate users cascade',
    'delete from audit_log_rest',
    `insert into audit_log_rest (action, table_name) values ('insert', 'users')`,
    'delete from registration_history',
    `update registration_history set action = 'none'`,
    'truncate registration_history',
    `create or replace function audit_change() returns trigger language plpgsql as 'begin return null; end'`,
    'alter function audit_change() security invoker',
    'create table mine (id integer)',
    'create schema mine',
    'create role another superuser',
    'alter role current_user superuser',
    'set role postgres',
    'delete from kysely_migration',
    'delete from function_files',
    `select pg_read_file('/etc/passwd')`,
    `copy users to program 'cat'`,
    'vacuum full pgboss.job_common',
    'drop schema pgboss cascade',
  ]
  test.each(refused)('may not: %s', async (statement) => {
    const notices: string[] = []
    const client = await database.program.pool.connect()
    client.on('notice', ({ message }) => notices.push(message ?? ''))
    // Some are no error, only a warning that nothing was done.
    const outcome = await client.query(statement).then(
      () => notices.join(),
      (error: Error) => error.message,
    )
    client.release(true)
    expect(outcome).toMatch(/permission denied|must be owner|must have|permission to/i)
  })

  test('may not write into any month of the trail, nor into one made later', async () => {
    const { pool } = database.program
    await pool.query('select ensure_audit_partitions(5)')
    const { rows } = await pool.query<{ part: string }>(
      `select inhrelid::regclass::text as part from pg_inherits where inhparent = 'audit_log'::regclass`,
    )
    expect(rows.length).toBeGreaterThan(5)
    for (const { part } of rows) {
      await expect(pool.query(`delete from ${part}`)).rejects.toThrow('permission denied')
      await expect(pool.query(`insert into ${part} (action, table_name) values ('insert', 'x')`)).rejects.toThrow(
        'permission denied',
      )
    }
  })

  test('the owner makes room in the trail for it, but not without end', async () => {
    await database.program.pool.query('select ensure_audit_partitions(100000)')
    const { rows } = await database.pool.query(
      `select count(*)::int as n from pg_inherits where inhparent = 'audit_log'::regclass`,
    )
    expect(rows[0].n).toBeLessThan(30)
  })

  test('no function that acts for the owner can be led astray by what stands in another schema', async () => {
    const { rows } = await database.pool.query(
      `select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
         and coalesce(array_to_string(proconfig, ' '), '') !~ 'search_path="?public, pg_temp'`,
    )
    expect(rows).toEqual([])
  })
})

test('every table whose rows are only added can only be added to', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not (has_table_privilege($1, c.oid, 'update') or has_table_privilege($1, c.oid, 'delete')) order by 1`,
    [
      database.program.pool.options.user ??
        (await database.program.pool.query('select current_user')).rows[0].current_user,
    ],
  )
  const names = rows.map((row) => row.name)
  expect(names).toEqual(expect.arrayContaining(['audit_log', 'kysely_migration', 'registration_history']))
})

test('rights given by hand are taken back, and a missing role is made', async () => {
  const { rows } = await database.program.pool.query('select current_user as name')
  const program = rows[0].name as string
  await database.pool.query(`grant delete, truncate, trigger on audit_log to ${program}`)
  await admitProgram(database.db, database.url)
  await expect(database.program.pool.query('delete from audit_log')).rejects.toThrow('permission denied')

  const another = `${program}_2`
  const url = withRole(withDatabase(database.ownerUrl, database.name), another, 'swordfish')
  await Promise.all([1, 2, 3].map(() => admitProgram(database.db, url)))
  const pool = createPool(url, { max: 1 })
  expect((await pool.query('select count(*)::int as n from users')).rows[0].n).toBeGreaterThan(0)
  await pool.end()
  await database.pool.query(`drop owned by ${another}; drop role ${another}`)
})

test('who could stop the trail is told', async () => {
  expect(await mightOf(database.db)).toBe('superuser')
  expect(await mightOf(database.program.db)).toBeNull()
  expect((await sql<{ n: number }>`select 1 as n`.execute(database.program.db)).rows).toEqual([{ n: 1 }])
})

test('an owner without further rights migrates, and the program works beside it', async () => {
  const name = `${database.name}_own`
  const [owner, program] = [`${name}_owner`, `${name}_program`]
  await database.pool.query(`create role ${owner} login password 'swordfish'`)
  await database.pool.query(`create role ${program} login password 'swordfish'`)
  await database.pool.query(`create database ${name} owner ${owner} template template0`)
  const at = withDatabase(database.ownerUrl, name)
  const [ownerUrl, url] = [withRole(at, owner, 'swordfish'), withRole(at, program, 'swordfish')]
  const db = createDb(createPool(ownerUrl, { max: 2 }))
  const pool = createPool(url, { max: 1 })
  try {
    await migrate(db)
    await installQueue(ownerUrl)
    await admitProgram(db, url)
    expect(await mightOf(db)).toBe('owner')
    await pool.query(`insert into users (type, name, name_local) values (2, 'A', 'أ')`)
    expect((await pool.query('select table_name from audit_log')).rows).toContainEqual({ table_name: 'users' })
    expect((await pool.query('select ensure_audit_partitions(4)')).rowCount).toBe(1)
    await expect(pool.query('alter table users disable trigger audit_update')).rejects.toThrow('must be owner')
  } finally {
    await pool.end()
    await db.destroy()
    await database.pool.query(`drop database ${name} with (force)`)
    await database.pool.query(`drop role ${owner}`)
    await database.pool.query(`drop role ${program}`)
  }
})
