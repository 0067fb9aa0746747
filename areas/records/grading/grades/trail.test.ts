import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, seed, type Fixture, type TestOffering } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let instructor: Caller
let o: TestOffering

beforeAll(async () => {
  uni = await testUniversity([catalogueServer, gradingServer])
  f = await seed(uni.database)
  instructor = await uni.as('instructor', undefined, { type: 1 })
  await uni.database.pool.query('update instructors set user_id = $1 where id = $2', [instructor.user_id, f.instructor])
  o = await offerCourse(uni.database, f, { code: 'trail' })
})
afterAll(() => uni.close())

const save = (changes: unknown[]) =>
  instructor('PUT', '/offerings/offering-students-grades/update', { offering_id: o.id, cells: changes })
const trail = async (since: string) =>
  (
    await sql<{ table_name: string; action: string; record_id: number; old: any; new: any; actor_id: number }>`
      select table_name, action, record_id, old, new, actor_id from audit_log
      where table_name in ('registrations', 'registration_marks') and id > ${since}::bigint order by id`.execute(
      uni.database.db,
    )
  ).rows
const newest = async () =>
  (await uni.database.pool.query('select coalesce(max(id), 0)::text as id from audit_log')).rows[0].id as string

test('a mark entered, changed and taken away stands in the audit trail with the result that came of it', async () => {
  const before = await newest()
  ok(await save(cells(o, 0, ['18', '17.5', '50'])))
  const [registration] = o.registrations
  const mine = { actor_id: instructor.user_id, record_id: registration }
  const made = await trail(before)
  expect(made.filter((one) => one.table_name === 'registration_marks')).toMatchObject(
    o.scheme.map((id, i) => ({
      ...mine,
      action: 'insert',
      old: null,
      new: { registration_id: registration, offering_mark_id: id, mark: [18, 17.5, 50][i], absent: false },
    })),
  )
  expect(made.filter((one) => one.table_name === 'registrations')).toEqual([
    {
      ...mine,
      table_name: 'registrations',
      action: 'update',
      old: {
        total: null,
        letter: null,
        points: null,
        passed: null,
        counts_in_gpa: null,
        counts_in_attempted_hours: null,
      },
      new: {
        total: 86,
        letter: 'A',
        points: 4,
        passed: true,
        counts_in_gpa: true,
        counts_in_attempted_hours: true,
      },
    },
  ])

  const versions = (
    await uni.database.pool.query(
      'select version from registration_marks where registration_id = $1 order by offering_mark_id',
      [registration],
    )
  ).rows.map((row) => row.version)
  const changed = await newest()
  ok(await save(cells(o, 0, ['A', null], versions)))
  expect((await trail(changed)).map((one) => [one.table_name, one.action, one.old, one.new])).toEqual(
    expect.arrayContaining([
      [
        'registration_marks',
        'update',
        { registration_id: registration, offering_mark_id: o.scheme[0], mark: 18, absent: false },
        { registration_id: registration, offering_mark_id: o.scheme[0], mark: null, absent: true },
      ],
      ['registration_marks', 'delete', expect.objectContaining({ offering_mark_id: o.scheme[1], mark: 17.5 }), null],
      ['registrations', 'update', expect.objectContaining({ letter: 'A' }), expect.objectContaining({ letter: null })],
    ]),
  )
})

test('the audit trail of marks and results knows every column of their tables', async () => {
  for (const [table, written] of [
    ['registration_marks', 'changed_marks'],
    ['registrations', 'changed_registrations'],
  ]) {
    const { rows } = await uni.database.pool.query(
      `select attname as column from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
         and attname not in ('id', 'version', 'created_at', 'updated_at', 'entered_at')
         and strpos((select prosrc from pg_proc where proname = $2), 'n.' || attname) = 0`,
      [table, written],
    )
    expect(rows, `columns of ${table} that ${written} leaves out`).toEqual([])
  }
})

test('many rows changed by one statement have one entry each in the audit trail', async () => {
  const pool = uni.database.pool
  await pool.query(`insert into settings (key, value) select 'many_' || n, to_jsonb(n) from generate_series(1, 3000) n`)
  const client = await pool.connect()
  try {
    // The first plan is made for one row.
    for (let n = 1; n <= 30; n++) await client.query(`update settings set value = '0' where key = 'many_' || $1`, [n])
    const before = await newest()
    await client.query(`update settings set value = to_jsonb(key) where key like 'many\\_%'`)
    const { rows } = await pool.query(
      `select count(*)::int as n, bool_and(a.new ->> 'value' = s.key) as own from audit_log a join settings s on s.id = a.record_id
       where a.table_name = 'settings' and a.id > $1`,
      [before],
    )
    expect(rows).toEqual([{ n: 3000, own: true }])
  } finally {
    client.release()
  }
})

test('a mark changed past the lock of the offering is not overwritten unseen', async () => {
  ok(await save(cells(o, 1, ['5'])))
  const second = o.registrations[1]
  const other = await uni.database.pool.connect()
  try {
    const { rows } = await other.query(
      'select version from registration_marks where registration_id = $1 and offering_mark_id = $2',
      [second, o.scheme[0]],
    )
    await other.query('begin')
    await other.query(
      `update registration_marks set mark = 11, version = nextval('registration_mark_version') where registration_id = $1`,
      [second],
    )
    // The editor has read the mark as it was, and waits for the row.
    const answer = save(cells(o, 1, ['12'], [rows[0].version]))
    await expect
      .poll(async () =>
        uni.database.pool
          .query(
            `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          .then((found) => found.rows[0].n),
      )
      .toBe(1)
    await other.query('commit')
    expect((await answer).body).toMatchObject({ saved: 0, conflicts: [{ yours: '12', theirs: '11' }] })
  } finally {
    other.release()
  }
})
