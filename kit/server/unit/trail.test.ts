import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testUniversity } from '#tests/university.ts'
import type { TestUniversity } from '#tests/university.ts'

let uni: TestUniversity
beforeAll(async () => {
  uni = await testUniversity([])
  // Everything that a column can be, in a table under the trail.
  await sql`create table things (id integer primary key, name text, empty text, api_token text, old_secret text,
    facts jsonb, list jsonb[], tags text[], number numeric, at timestamptz, search_text text, created_at timestamptz default now())`.execute(
    uni.database.db,
  )
  await sql`select audit_table('things')`.execute(uni.database.db)
})
afterAll(() => uni.close())

test('of thousands of new rows the trail keeps the same as of one', async () => {
  const values = sql`n, case when n % 2 = 0 then 'Thing ' || n end, null, case when n % 3 = 0 then 'key' || n end, null,
    case n % 4 when 0 then '{"a": null, "b": {"c": null}}' when 1 then '[{"a": null}]' when 2 then 'null' end::jsonb,
    array['{"a": null}'::jsonb, null], array['x', null], n / 7.0, now(), 'thing'`
  const columns = sql`id, name, empty, api_token, old_secret, facts, list, tags, number, at, search_text`
  const { db } = uni.database
  await sql`insert into things (${columns}) select ${values} from generate_series(1, 500) n`.execute(db)
  const { rows } = await sql<{ n: number; differ: number; secrets: number }>`
    select count(*)::int as n, count(*) filter (where a.new ->> 'api_token' = '•••')::int as secrets,
      count(*) filter (where a.new is distinct from audit_line(to_jsonb(t), '{search_text,version,created_at,updated_at}'))::int as differ
    from things t join audit_log a on a.table_name = 'things' and a.action = 'insert' and a.record_id = t.id`.execute(
    db,
  )
  expect(rows[0]).toEqual({ n: 500, differ: 0, secrets: 166 })

  await sql`insert into things (${columns}) select ${values} from generate_series(501, 512) n`.execute(db)
  const few = await sql<{ differ: number }>`
    select count(*)::int as differ from audit_log a join audit_log b on b.table_name = 'things' and b.record_id = a.record_id - 492
    where a.table_name = 'things' and a.record_id > 500
      and a.new - '{id,name,number,at}'::text[] is distinct from b.new - '{id,name,number,at}'::text[]`.execute(db)
  expect(few.rows[0]).toEqual({ differ: 0 })
})

test('roles given to many stand in the security log with the role, the reason and whose account it is', async () => {
  const { db } = uni.database
  await sql`insert into users (type, name, name_local) select 3, 'Many ' || n, 'كثير ' || n from generate_series(1, 200) n`.execute(
    db,
  )
  await sql`insert into role_assignments (user_id, role_id) select u.id, r.id from users u, roles r
    where u.name like 'Many %' and r.key = 'student'`.execute(db)
  const { rows } = await sql`select count(distinct l.subject_id)::int as people, l.data from security_log l
    join users u on u.id = l.subject_id where u.name like 'Many %' group by l.data`.execute(db)
  expect(rows).toEqual([{ people: 200, data: { change: 'insert', what: 'role_assignments', role: 'student' } }])
})

test('a secret stands in no entry of the trail: not as it comes, changes or goes, of one row or of many', async () => {
  const { db } = uni.database
  for (const many of [1, 300]) {
    const ids = sql`id between 900001 and 900000 + ${many}::int`
    await sql`insert into things (id, name, api_token, old_secret) select 900000 + n, 'S', 'clear-token-' || n, 'clear-secret-' || n
      from generate_series(1, ${many}::int) n`.execute(db)
    await sql`update things set api_token = 'clear-changed-' || id where ${ids}`.execute(db)
    await sql`delete from things where ${ids}`.execute(db)
  }
  const { rows } = await sql<{ action: string; kept: number; clear: number }>`
    select action, count(*)::int as kept, count(*) filter (where coalesce(old::text, '') || coalesce(new::text, '') like '%clear-%')::int as clear
    from audit_log where table_name = 'things' and record_id > 900000 group by 1 order by 1`.execute(db)
  expect(rows).toEqual([
    { action: 'delete', kept: 301, clear: 0 },
    { action: 'insert', kept: 301, clear: 0 },
    { action: 'update', kept: 301, clear: 0 },
  ])
})
