import { sql } from 'kysely'
import { auditStatement } from '#areas/common/settings/logs/audit.server.ts'
import { MOST_PAGED } from '#areas/common/settings/logs/audit.contract.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

/** Entries of the log, over so many months. */
const ROWS = Number(process.env.BENCH_LOG_ROWS ?? 10_000_000)
const MONTHS = 24
/** Milliseconds in the database for a page. */
const TARGET = 50

/**
 * The log of changes with ten million entries: a page by each filter, both orders, a search, deep pages, and combinations
 * that meet seldom or never. Times are those of `explain analyze`, the best of three after one that warms up, of the very
 * statement that the program sends.
 */
export async function logScreen(bench: Bench): Promise<Result> {
  const { pool, db } = await bench.database('bench_logs', 4)
  const lines: Result['lines'][number][] = []
  const began = performance.now()
  // Filled before they are attached: each partition's indexes are then made in one go.
  for (let month = MONTHS - 1; month >= 0; month--) {
    const first = `(date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${month}))`
    const { rows } = await pool.query(`select to_char(${first}, 'YYYY_MM') as name, ${first}::date::text as first,
      (${first} + interval '1 month')::date::text as next, to_regclass('audit_log_' || to_char(${first}, 'YYYY_MM')) as known`)
    const { name, first: from, next, known } = rows[0]
    const table = known ? `audit_log_${name}` : `bench_${name}`
    if (!known) await pool.query(`create table ${table} (like audit_log including defaults including constraints)`)
    // Two in a hundred deleted, 40 tables of which the first ten have most, 2,000 people, 500 addresses; what a person
    // does in a request has the same moment.
    await pool.query(
      `insert into ${table} (id, at, action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
       overriding system value
       select 1000000000 + $3::int * 10000000 + n,
         $2::timestamptz + (n / 4) * (least(interval '28 days', now() - $2::timestamptz) / ($1::int / 4 + 1)),
         case when n % 50 = 0 then 'delete' when n % 3 = 0 then 'insert' else 'update' end,
         'table_' || floor(40 * power(abs(hashint4(n * 3)) % 1000000 / 1000000.0, 4))::int, abs(hashint4(n * 7)) % 200000,
         1 + abs(hashint4(n / 4)) % 2000, case when n % 400 = 0 then 1 end,
         ('10.0.' || abs(hashint4(n / 4)) % 2 || '.' || abs(hashint4(n / 4 + 1)) % 250)::inet,
         case when n % 20 = 0 then 'as decided' end, 'r' || $3::int || '-' || n / 4,
         '{"name": "before", "level": 3}', '{"name": "after it was changed", "level": 4}'
       from generate_series(1, $1::int) n`,
      [Math.round(ROWS / MONTHS), `${from} 00:00+00`, month],
    )
    if (!known)
      await pool.query(
        `alter table audit_log attach partition ${table} for values from ('${from} 00:00+00') to ('${next} 00:00+00')`,
      )
  }
  await pool.query('vacuum analyze audit_log')
  // People whose names are searched.
  await pool.query(
    `insert into users (type, name, name_local) select 2, 'Bench Person ' || n, 'شخص' from generate_series(1, 2100) n`,
  )
  const { rows: size } = await pool.query(
    `select count(*)::int as n, pg_size_pretty(sum(pg_total_relation_size(inhrelid))) as size,
       pg_size_pretty(sum(pg_indexes_size(inhrelid))) as indexes, (select sum(c.reltuples)::bigint from pg_inherits h join pg_class c on c.oid = h.inhrelid
         where h.inhparent = 'audit_log'::regclass) as rows
     from pg_inherits where inhparent = 'audit_log'::regclass`,
  )
  lines.push({
    what: 'entries',
    value: `${size[0].rows} in ${size[0].n} partitions, ${size[0].size}, ${size[0].indexes} of it indexes, made in ${Math.round((performance.now() - began) / 1000)} s`,
  })

  const table = (n: number) => sql`l.table_name = ${`table_${n}`}`
  const actor = [7]
  const middle = `now() - interval '300 days'`
  const cases: readonly [
    string,
    Parameters<typeof auditStatement>[0],
    readonly number[] | null,
    ('asc' | 'desc')?,
    number?,
  ][] = [
    ['first page', [], null],
    ['first page, oldest first', [], null, 'asc'],
    ['last page that is gone to', [], null, 'desc', MOST_PAGED - 50],
    [
      'between two days, 300 days back',
      [sql`l.at >= ${sql.raw(middle)}`, sql`l.at < ${sql.raw(middle)} + interval '2 days'`],
      null,
    ],
    ['before a day 300 days back, last page', [sql`l.at < ${sql.raw(middle)}`], null, 'desc', MOST_PAGED - 50],
    ['added', [sql`l.action = any(${['insert']}::text[])`], null],
    ['deleted', [sql`l.action = any(${['delete']}::text[])`], null],
    ['deleted, last page', [sql`l.action = any(${['delete']}::text[])`], null, 'desc', MOST_PAGED - 50],
    ['a table with many', [table(0)], null],
    ['a table with many, last page', [table(0)], null, 'desc', MOST_PAGED - 50],
    ['a table with few', [table(39)], null],
    ['a table of which nothing is told', [sql`l.table_name = ${'nothing'}`], null],
    ['a record', [table(3), sql`l.record_id = ${4711}`], null],
    ['a number of any table', [sql`l.record_id = ${4711}`], null],
    ['a person', [], actor],
    ['a person, oldest first', [], actor, 'asc'],
    ['a person, every page', [], actor, 'desc', 4950],
    ['a person and a table with few', [table(39)], actor],
    ['a person and what was deleted', [sql`l.action = any(${['delete']}::text[])`], actor],
    ['somebody who did nothing', [], [999_999]],
    ['10 people of one name', [], Array.from({ length: 10 }, (_, i) => i + 1)],
    ['10 people of one name, last page', [], Array.from({ length: 10 }, (_, i) => i + 1), 'desc', MOST_PAGED - 50],
    ['an address', [sql`l.ip = ${'10.0.1.7'}::inet`], null],
    ['an address that never came', [sql`l.ip = ${'192.0.2.1'}::inet`], null],
    ['an address and a table with few', [sql`l.ip = ${'10.0.1.7'}::inet`, table(39)], null],
    ['a request', [sql`l.request_id = ${'r3-17'}`], null],
    ['deleted, of a table with few', [sql`l.action = any(${['delete']}::text[])`, table(39)], null],
  ]
  for (const [what, where, actors, direction = 'desc', from = 0] of cases) {
    const rows = 50
    const statement = auditStatement(where, actors, direction, {
      from,
      rows,
      most: Math.min(from + rows * 2, MOST_PAGED),
    }).compile(db)
    const times: number[] = []
    let found = 0
    for (let run = 0; run < 4; run++) {
      const { rows: plan } = await pool.query(`explain (analyze, format json) ${statement.sql}`, [
        ...statement.parameters,
      ])
      const top = plan[0]['QUERY PLAN'][0]
      found = top.Plan['Actual Rows']
      if (run > 0) times.push(top['Execution Time'] + top['Planning Time'])
    }
    lines.push(most(`${what} (${found} rows)`, Math.min(...times), TARGET, 'ms'))
  }
  // What the search itself costs: who has the name.
  return { name: 'logs', title: `the log of changes with ${ROWS.toLocaleString('en')} entries`, lines }
}
