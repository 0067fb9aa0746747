import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '#db/testing.ts'
import { demoDatabase } from '../demo.ts'
import { checkStored, tell } from './checker.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await demoDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
}, 720_000)
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

it('knows nothing of the program', async () => {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
  const imported: string[] = []
  for (const name of files) {
    const text = await readFile(path.join(import.meta.dirname, name), 'utf8')
    imported.push(...[...text.matchAll(/from '([^']+)'/g)].map((match) => match[1]!))
  }
  expect(new Set(imported)).toEqual(new Set(['pg', './checker.ts', './records.ts']))
})

it('finds nothing in the demo university', async () => {
  expect(tell(await checkStored(client))).toBe('')
})

/** A course of this term with a seat held, and one with results. */
const LIVE = `select r.id from registrations r join registration_slots s on s.registration_id = r.id
  join offerings o on o.id = r.offering_id where r.status & 262144 <> 0 and o.control_status = 'Draft' order by r.id limit 1`
const GRADED = `select r.id from registrations r join offerings o on o.id = r.offering_id
  join student_terms t on t.student_id = r.student_id and t.term_id = r.term_id
  where o.control_status in ('Published', 'Frozen') and r.points > 1 and r.points < 4 and r.counts_in_gpa
    and exists (select from registration_marks m where m.registration_id = r.id) order by r.id limit 1`

/** Some course was submitted an hour ago. */
const SUBMITTED = `with one as (update offerings set control_status = 'Submitted' where id =
    (select min(offering_id) from registrations where status & 262144 <> 0) returning id)
  insert into step_history (workflow, record_id, action, from_state, to_state, at)
    select 'offering_control', id, 'submit', 'Draft', 'Submitted', now() - interval '1 hour' from one`

/** What somebody past all guards would have to do, and the rule that tells of it. */
const PLANTED: readonly [rule: string, ...statements: string[]][] = [
  [
    'seats taken are the seats held',
    `update offering_slots set taken = taken + 1 where id = (select min(id) from offering_slots where quota > taken)`,
  ],
  [
    'no meeting above its seats',
    `alter table offering_slots drop constraint offering_slots_seats`,
    `update offering_slots s set quota = 0, over_quota = 0 where id = (select min(offering_slot_id) from registration_slots)`,
  ],
  [
    'who is in a course sits in its meetings, and nobody else does',
    `delete from registration_slots where registration_id = (${LIVE})`,
  ],
  [
    'who is in a course sits in its meetings, and nobody else does',
    `update registrations set status = 549755813888 | 16 where id = (${LIVE})`,
  ],
  ...[134217728n, 2305843009213693952n, 536870912n, 2048n].map((state): [string, string] => [
    'who is punished, banned, absent or excused is so by a decision that stands',
    `update registrations set status = ${state} | 16 where id = (${LIVE})`,
  ]),
  [
    'a punishment or a ban that stands has its registration in that state',
    `update registrations set status = 262144 | 16 where status & 2305843009213693952 <> 0`,
  ],
  [
    'seats lie in the course that was registered, in one group',
    `insert into registration_slots (registration_id, offering_slot_id) select (${LIVE}), min(id) from offering_slots
      where offering_id <> (select offering_id from registrations where id = (${LIVE}))`,
  ],
  [
    'one alternative of each type of meeting',
    `update offering_slots set section = null`,
    `insert into registration_slots (registration_id, offering_slot_id)
      select a.registration_id, other.id from registration_slots a join offering_slots s on s.id = a.offering_slot_id
      join offering_slots other on other.group_id = s.group_id and other.type = s.type and other.id <> s.id
      where not exists (select from registration_slots b where b.registration_id = a.registration_id and b.offering_slot_id = other.id) limit 1`,
  ],
  [
    'nobody is in two places at once',
    `update offering_slots s set day = f.day, slot_id = f.slot_id, location_id = null
      from (select a.offering_slot_id as id, x.day, x.slot_id from registration_slots a join registrations r on r.id = a.registration_id
        join registrations o on o.student_id = r.student_id and o.term_id = r.term_id and o.id <> r.id
        join registration_slots b on b.registration_id = o.id join offering_slots x on x.id = b.offering_slot_id
        where x.day is not null and r.status & 262144 <> 0 and o.status & 262144 <> 0 limit 1) f where f.id = s.id`,
  ],
  ['exactly one main state', `update registrations set status = status | 1048576 where id = (${LIVE})`],
  [
    'history leads from nothing to the present state, without a break',
    `update registrations set status = (status & ~262144::bigint) | 4194304 where id = (${LIVE})`,
  ],
  [
    'history leads from nothing to the present state, without a break',
    `delete from registration_history where registration_id = (${LIVE})`,
  ],
  [
    'history leads from nothing to the present state, without a break',
    `insert into registration_history (registration_id, student_id, offering_id, action, from_status, to_status)
      select id, student_id, offering_id, 'accept', 1048576, status from registrations where id = (${LIVE})`,
  ],
  [
    'what was submitted to control is changed by control alone',
    SUBMITTED,
    `insert into registration_history (registration_id, student_id, offering_id, action, from_status, to_status)
      select id, student_id, offering_id, 'withdraw', status, status from registrations
      where offering_id = (select min(record_id) from step_history) limit 1`,
  ],
  [
    'who waits is not in the course already',
    `insert into wait_list (offering_id, student_id, offering_slot_ids) select offering_id, student_id, '{}' from registrations where id = (${LIVE})`,
  ],
  [
    'a queue keeps its order',
    `insert into wait_list (offering_id, student_id, offering_slot_ids, state, moved_at)
      select (select min(offering_id) from registrations where id = (${LIVE})), id, '{1}', 'moved',
        now() - make_interval(hours => (row_number() over (order by id))::int) from students limit 2`,
  ],
  [
    'marks lie between nothing and their maximum, in the scheme of their course',
    `update registration_marks m set mark = 99.5 from offering_marks o where o.id = m.offering_mark_id and o.max < 50 and m.registration_id = (${GRADED})`,
  ],
  [
    'a scheme with marks sums to what the course is out of, with one final exam',
    `update offering_marks set max = max + 1 where id = (select min(offering_mark_id) from registration_marks)`,
  ],
  ['from Approved on everybody has a result', `update registrations set letter = null where id = (${GRADED})`],
  [
    'steps of control follow one another',
    SUBMITTED,
    `update offerings set control_status = 'Reviewed' where id = (select min(record_id) from step_history)`,
  ],
  [
    'every registration stands in the audit trail',
    `insert into audit_log (action, table_name, record_id, at) values ('insert', 'registrations', 0, '2000-01-01')`,
    `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
      select s.id, o.id, o.term_id, o.course_id, 262144 | 16, 3 from offerings o, students s where not exists (
        select from registrations r where r.student_id = s.id and (r.offering_id = o.id or r.course_id = o.course_id)) limit 1`,
  ],
  [
    'a decision is outdated exactly while what it stood on is something else',
    `insert into decision_facts (kind, decision_id, fact, fact_id, stood) select 'credit', 0, 'result', (${GRADED}), '{"course": 0}'`,
  ],
  [
    'a decision is outdated exactly while what it stood on is something else',
    `insert into decision_facts (kind, decision_id, fact, fact_id, stood, now, since)
      select 'credit', 0, 'figures', f.fact_id, f.value, '{"gpa": 0}', now() from fact_figures(array(select min(id) from students)) f`,
  ],
  [
    'everybody has a turn',
    `delete from registration_turns where student_id = (select min(student_id) from registration_turns)`,
  ],
  [
    'no load above what the bylaw allows',
    `update registration_history set actor_id = (select min(id) from users)`,
    `update registrations set credit_hours = 40 where id = (${LIVE})`,
  ],
  ['a result is what its marks make it', `update registrations set total = total - 1 where id = (${GRADED})`],
  ['a result is what its marks make it', `update registrations set points = points + 0.3 where id = (${GRADED})`],
  [
    'the row of a term is what its courses make it',
    `update registrations set points = points + 0.3 where id = (${GRADED})`,
  ],
  [
    'the row of a term is what its courses make it',
    `update student_terms set gpa = gpa - 0.01 where (student_id, term_id) = (select student_id, term_id from registrations where id = (${GRADED}))`,
  ],
  [
    'the row of a term is what its courses make it',
    `update student_terms set cumulative_passed_hours = cumulative_passed_hours + 3 where (student_id, term_id) = (select student_id, term_id from registrations where id = (${GRADED}))`,
  ],
]

describe('tells of what got past every guard', () => {
  it.each(PLANTED)('%s (%#)', async (rule, ...statements) => {
    await client.query('begin')
    let found
    try {
      // As a superuser could: no trigger and no foreign key looks.
      await client.query('set local session_replication_role = replica')
      for (const statement of statements) {
        const { rowCount } = await client.query(statement)
        if (!statement.startsWith('alter')) expect(rowCount, statement).toBeGreaterThan(0)
      }
      found = await checkStored(client, { inside: true, only: rule })
    } finally {
      await client.query('rollback')
    }
    expect(found.map((one) => one.rule)).toContain(rule)
  })
})
