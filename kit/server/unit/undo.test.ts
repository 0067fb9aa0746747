import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { area, call, f, resource, resourceCalls } from '#kit/contract/index.ts'
import { operationCalls } from '#kit/contract/operations.contract.ts'
import { emptyTables } from '#db/testing.ts'
import { defineAreaServer } from '../http/area.ts'
import { handle } from '../base/context.ts'
import type { Actor } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { operationHandlers } from '../http/operation-calls.ts'
import { registerOperation, registerUndo, writeOperation } from './operations.ts'
import { serveResource } from '../resource/resource.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

// Clubs with members: imported by sheet, and changed by the hundred by a call that runs what the test gives it.
const named = {
  code: f.code(['Code', 'الكود'], { required: true }),
  name: f.text(['English name', 'الاسم بالإنجليزية'], { required: true }),
  name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
}
const list = {
  columns: ['code', 'name'],
  search: ['name'],
  sort: ['code'],
  filters: [],
  order: ['code', 'asc'],
} as const
const club = resource({
  name: 'club',
  path: '/clubs',
  table: 'clubs',
  one: ['Club', 'ناد'],
  many: ['Clubs', 'الأندية'],
  adding: ['Add', 'إضافة'],
  editing: ['Edit', 'تعديل'],
  permissions: crud('location'),
  scope: ['faculty'],
  fields: {
    ...named,
    faculty: f.integer(['Faculty', 'الكلية']),
    fee: f.decimal(['Fee', 'الرسوم'], { places: 2, max: 999 }),
    founded: f.date(['Founded', 'التأسيس']),
    friends: f.lookups(['Friends', 'أصدقاء'], 'club', {
      through: { table: 'club_friends', from: 'club_id', to: 'friend_id' },
    }),
  },
  list,
  exportName: 'clubs',
  softDelete: false,
  screens: {},
})
const member = resource({
  name: 'member',
  path: '/members',
  table: 'members',
  one: ['Member', 'عضو'],
  many: ['Members', 'الأعضاء'],
  adding: ['Add', 'إضافة'],
  editing: ['Edit', 'تعديل'],
  permissions: crud('building'),
  scope: 'university',
  fields: { ...named, club_id: f.lookup(['Club', 'النادي'], 'club', { required: true }) },
  list,
  exportName: 'members',
  softDelete: false,
  screens: {},
})
const bulk = call('POST', '/clubs/bulk', {
  permission: 'edit_location',
  summary: ['Change many', 'تغيير كثير'],
  body: z.strictObject({ sql: z.array(z.string()), counts: z.record(z.string(), z.int()).optional() }),
  response: z.object({ operation_id: z.int().nullable() }),
})
const clubs = resourceCalls(club)
const members = resourceCalls(member)
let closed = false
const seen: string[] = []
registerOperation({
  kind: 'test/bulk',
  label: ['Bulk', 'دفعة'],
  permission: 'edit_location',
  derived: { clubs: ['members'] },
  before: async () => {
    if (closed) throw refuse(409, 'state_not_allowed')
  },
  after: async (_ctx, tx) => {
    await sql`update clubs c set members = (select count(*) from members m where m.club_id = c.id)`.execute(tx)
  },
})
registerUndo('steps', async (_ctx, tx, rows, write) => {
  seen.push(...rows.map((row) => `${row.action} ${String(row.before.state ?? row.after.state)}`))
  await write()
  await sql`select ${rows.length}`.execute(tx)
})
const server = defineAreaServer({
  area: area({
    name: 'clubs',
    label: ['Clubs', 'الأندية'],
    resources: [club, member],
    calls: { bulk, ...operationCalls },
  }),
  handlers: [
    serveResource(club, { scope: { faculty: () => sql`t.faculty` } }),
    serveResource(member),
    operationHandlers,
    handle(bulk, async (ctx, { body }) => {
      const { operation_id } = await writeOperation(
        ctx,
        { kind: 'test/bulk', facts: { file: 'x.csv' } },
        async (tx) => {
          for (const text of body.sql) await sql.raw(text).execute(tx)
          return { result: null, counts: body.counts ?? { changed: 1 } }
        },
      )
      return { operation_id }
    }),
  ],
})
const TABLES = `
  create table clubs (id integer generated always as identity primary key, code text not null constraint clubs_code_key unique, name text not null,
    name_local text not null, faculty integer, fee numeric(5, 2), founded date, parent_id integer references clubs, api_token text, members integer not null default 0,
    search_text text generated always as (fold_text(name)) stored,
    version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create table members (id integer generated always as identity primary key, code text not null unique, name text not null, name_local text not null,
    club_id integer not null references clubs, search_text text generated always as (fold_text(name)) stored,
    version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create table club_friends (club_id integer not null references clubs on delete cascade, friend_id integer not null references clubs on delete cascade, weight integer, primary key (club_id, friend_id));
  create index on clubs (parent_id); create index on members (club_id); create index on club_friends (friend_id);
  create table club_turns (club_id integer primary key references clubs on delete cascade);
  create function club_turn() returns trigger language plpgsql as $$ begin insert into club_turns values (new.id); return null; end $$;
  create trigger club_turn after insert on clubs for each row execute function club_turn();
  create table steps (id integer generated always as identity primary key, state text not null);
  select audit_table(t) from unnest(array['clubs', 'members', 'club_friends', 'steps']) as t;`

let t: TestApp
let amal: Actor
let basem: Actor
/** Clubs A to D. */
let a: number
let b: number
let c: number
let d: number

beforeAll(async () => {
  t = await openTestApp([server])
  await t.database.pool.query(TABLES)
})
afterAll(() => t.close())
beforeEach(async () => {
  closed = false
  seen.length = 0
  await emptyTables(t.database.db, ['settings', 'secrets'])
  const { rows } = await t.database.pool.query<{ id: number }>(
    `insert into users (type, name, name_local, email) values (2, 'Amal', 'أمل', 'amal@u.example'), (2, 'Basem', 'باسم', 'basem@u.example') returning id`,
  )
  const rights = Object.fromEntries(
    [club, member].flatMap((r) => Object.values(r.permissions)).map((key) => [key as string, 'all' as const]),
  )
  amal = testActor(rights, { user_id: rows[0]!.id, name: 'Amal' })
  basem = testActor(rights, { user_id: rows[1]!.id, name: 'Basem' })
  const { rows: made } = await t.database.pool.query<{ id: number }>(
    `insert into clubs (code, name, name_local, faculty, fee, founded) select c, 'Club ' || c, 'ناد', 1, 3, '2020-01-31' from unnest(array['A', 'B', 'C', 'D']) c returning id`,
  )
  ;[a, b, c, d] = made.map((row) => row.id) as [number, number, number, number]
})

const run = async (...statements: string[]): Promise<number> =>
  (await t.as(amal).ask(bulk, { body: { sql: statements } })).operation_id!
const undo = async (id: number, actor = amal) =>
  (await t.as(actor).ask(operationCalls.undoOperation, { params: { id } })).data
const refused = async (id: number, actor = amal) => {
  const { status, error } = await t.as(actor).send(operationCalls.undoOperation, { params: { id } })
  return [status, error.message]
}
const csv = (...lines: string[]) => ({ file: { name: 'clubs.csv', content: Buffer.from(lines.join('\n')) } })
const importClubs = async (...lines: string[]) => {
  const { data } = await t.as(amal).ask(clubs.preview, csv(...lines))
  return t.as(amal).ask(clubs.import, { params: { import_id: data.import_id } })
}
const rowsOf = async (text: string) => (await t.database.pool.query(text)).rows as Record<string, unknown>[]
const everything = async () => [
  await rowsOf('select id, code, name, name_local, faculty, fee, founded, parent_id from clubs order by id'),
  await rowsOf('select id, code, name, club_id from members order by id'),
  await rowsOf('select * from club_friends order by 1, 2'),
]

describe('undo', () => {
  test('an import of a sheet is undone whole: what it changed, added and joined', async () => {
    await run(`insert into club_friends values (${a}, ${b}, 1)`)
    const before = await everything()
    const { operation_id, ...counts } = await importClubs(
      'Code,English name,Arabic name,Fee,Founded,Friends',
      'A,Alpha,أ,4.5,2021-02-03,"C;D"',
      'X,New,جديد,1,,A',
    )
    expect(counts).toEqual({ created: 1, updated: 1 })
    const versions = await rowsOf(`select version from clubs where id = ${a}`)
    expect(await undo(operation_id!)).toMatchObject({ changed: 1, kept: [], kept_count: 0 })
    expect(await everything()).toEqual(before)
    // Who still looks at the imported record is told that it is another one now.
    expect((await rowsOf(`select version from clubs where id = ${a}`))[0]!.version).toBeGreaterThan(
      versions[0]!.version as number,
    )
    const [entry] = await rowsOf(
      `select reason, actor_id, new from audit_log where table_name = 'clubs' and record_id = ${a} order by id desc limit 1`,
    )
    expect(entry).toMatchObject({
      reason: `undo of import/club ${operation_id}`,
      actor_id: amal.user_id,
      new: { name: 'Club A' },
    })
  })

  test('where only joined records are put back, the record has another version too', async () => {
    const { operation_id } = await importClubs('Code,Friends', 'A,"B;C"')
    const version = async () => (await rowsOf(`select version from clubs where id = ${a}`))[0]!.version as number
    const imported = await version()
    expect(await undo(operation_id!)).toMatchObject({ removed: 2 })
    expect(await version()).toBeGreaterThan(imported)
    expect(await rowsOf('select * from club_friends')).toEqual([])
  })

  test('several changes of one row, rows that came and went, deleted rows and those below them', async () => {
    await run(`insert into members (code, name, name_local, club_id) values ('M1', 'One', 'واحد', ${b})`)
    await t.database.pool.query(`insert into club_friends values (${a}, ${b}, 7)`)
    const before = await everything()
    const id = await run(
      `update clubs set fee = 4 where id = ${a}`,
      `update clubs set fee = 5, name = 'Other' where id = ${a}`,
      `update clubs set code = case code when 'C' then 'D9' else 'C9' end where id in (${c}, ${d})`,
      `delete from members`,
      `update clubs set founded = null where id = ${b}`,
      `delete from clubs where id = ${b}`,
      `insert into clubs (code, name, name_local) values ('B', 'Second B', 'ب'), ('TMP', 'Gone', 'ب')`,
      `update clubs set name = 'Third B' where code = 'B'`,
      `delete from clubs where code = 'TMP'`,
      `insert into clubs (code, name, name_local, parent_id) select 'CHILD', 'Child', 'ب', id from clubs where code = 'B'`,
      `delete from club_friends`,
      `insert into club_friends values (${a}, ${c}, 1), (${a}, ${d}, 1)`,
      `insert into members (code, name, name_local, club_id) select 'M2', 'Two', 'اثنان', id from clubs where code = 'CHILD'`,
    )
    const shown = await t.as(amal).ask(operationCalls.previewUndo, { params: { id } })
    expect(shown.data).toMatchObject({ kept: [], kept_count: 0 })
    expect(await undo(id)).toEqual(shown.data)
    expect(await everything()).toEqual(before)
  })

  test('what somebody changed since stays, field by field, and is named with who and when', async () => {
    const id = await run(`update clubs set name = 'Mine', fee = 9, founded = '2022-02-02'`)
    await t.as(basem).ask(clubs.update, { params: { id: b }, body: { fee: '12.00' } })
    // The same value in another writing is no change.
    await t.database.pool.query(`update clubs set fee = 9.00 where id = ${c}`)
    const result = await undo(id)
    expect(result).toMatchObject({ changed: 4, removed: 0, restored: 0, kept_count: 1 })
    expect(result.kept).toEqual([
      expect.objectContaining({
        what: ['Club', 'ناد'],
        id: b,
        code: 'B',
        name: 'Club B',
        field: ['Fee', 'الرسوم'],
        problem: expect.objectContaining({ code: 'undo_changed' }),
        by: { name: 'Basem', name_local: 'باسم' },
        at: expect.any(String),
      }),
    ])
    expect(await rowsOf('select code, name, fee, founded from clubs order by code')).toEqual([
      { code: 'A', name: 'Club A', fee: '3.00', founded: '2020-01-31' },
      { code: 'B', name: 'Club B', fee: '12.00', founded: '2020-01-31' },
      { code: 'C', name: 'Club C', fee: '3.00', founded: '2020-01-31' },
      { code: 'D', name: 'Club D', fee: '3.00', founded: '2020-01-31' },
    ])
  })

  test('an added row stays when somebody changed it, or when others refer to it', async () => {
    const { operation_id } = await importClubs('Code,English name,Arabic name', 'X,X,س', 'Y,Y,ص', 'Z,Z,ع')
    const [x, y] = (await rowsOf(`select id from clubs where code in ('X', 'Y') order by code`)).map(
      (r) => r.id as number,
    ) as [number, number]
    await t.as(basem).ask(clubs.update, { params: { id: x }, body: { name: 'Kept' } })
    await t.as(basem).ask(members.create, { body: { code: 'M', name: 'M', name_local: 'م', club_id: y } })
    const result = await undo(operation_id!)
    expect(result).toMatchObject({ removed: 1, kept_count: 2 })
    expect(result.kept.map((k) => [k.code, k.problem.code, k.problem.en, k.by?.name ?? null])).toEqual([
      ['X', 'undo_changed', expect.any(String), 'Basem'],
      ['Y', 'undo_in_use', 'Used since by others (Members), so it stays.', null],
    ])
    expect((await rowsOf('select code from clubs order by code')).map((r) => r.code)).toEqual([
      'A',
      'B',
      'C',
      'D',
      'X',
      'Y',
    ])
  })

  test('a value that somebody else took since stays taken; the rest is put back', async () => {
    const id = await run(`update clubs set code = code || '1', fee = 1`)
    await t.as(basem).ask(clubs.create, { body: { code: 'B', name: 'New B', name_local: 'ب' } })
    const result = await undo(id)
    expect(result).toMatchObject({ changed: 3, kept_count: 1 })
    expect(result.kept[0]).toMatchObject({ id: b, problem: { code: 'duplicate' } })
    expect(await rowsOf('select code, fee from clubs where fee is not null order by code')).toEqual([
      { code: 'A', fee: '3.00' },
      { code: 'B1', fee: '1.00' },
      { code: 'C', fee: '3.00' },
      { code: 'D', fee: '3.00' },
    ])
  })

  test('a row that is gone stays gone, and one that is there again stays as it is', async () => {
    const changed = await run(`update clubs set fee = 8 where id in (${a}, ${c})`)
    await t.database.pool.query(`delete from clubs where id = ${c}`)
    const removed = await run(`delete from clubs where id = ${d}`, `update clubs set fee = 9 where id = ${b}`)
    await t.database.pool.query(
      `insert into clubs (id, code, name, name_local) overriding system value values (${d}, 'D', 'New D', 'د')`,
    )
    expect((await undo(removed)).kept.map((k) => [k.id, k.problem.code])).toEqual([[d, 'undo_there']])
    expect((await undo(changed)).kept.map((k) => [k.id, k.problem.code])).toEqual([[c, 'undo_gone']])
    expect(await rowsOf('select code, name from clubs order by code')).toEqual(
      ['A', 'B', 'D'].map((code) => ({ code, name: code === 'D' ? 'New D' : `Club ${code}` })),
    )
  })

  test('secrets are never written back', async () => {
    await t.database.pool.query(`update clubs set api_token = 'first' where id = ${a}`)
    const id = await run(
      `update clubs set api_token = 'second', fee = 8 where id = ${a}`,
      `insert into clubs (code, name, name_local, api_token) values ('S', 'S', 'س', 'third'), ('T', 'T', 'ت', 'fourth')`,
    )
    await t.database.pool.query(`update clubs set api_token = 'own' where code = 'T'`)
    const result = await undo(id)
    expect(result.kept.map((k) => [k.problem.code, k.field])).toEqual([
      ['undo_secret', ['api_token', 'api_token']],
      ['undo_changed', ['api_token', 'api_token']],
    ])
    expect(await rowsOf('select code, fee, api_token from clubs where api_token is not null order by code')).toEqual([
      { code: 'A', fee: '3.00', api_token: 'second' },
      { code: 'T', fee: null, api_token: 'own' },
    ])
  })

  test('a newer operation on the same rows stands in the way, and only there; undone first, it does not', async () => {
    const first = await run(`update clubs set fee = 7`)
    const second = await run(`update clubs set fee = 8 where id = ${a}`)
    const shown = await t.as(amal).ask(operationCalls.previewUndo, { params: { id: first } })
    expect(shown.data).toMatchObject({ changed: 3, kept: [{ id: a, by: { name: 'Amal' } }] })
    expect(await undo(second)).toMatchObject({ changed: 1 })
    expect(await undo(first)).toMatchObject({ changed: 4, kept_count: 0 })
  })

  test('twice, too late, by others, in a state that forbids it: refused', async () => {
    const id = await run(`update clubs set fee = 7`)
    closed = true
    expect(await refused(id)).toEqual([409, 'state_not_allowed'])
    closed = false
    expect(await refused(id, testActor({}, { user_id: basem.user_id }))).toEqual([403, 'not_allowed'])
    // The same permission, but not for the whole university.
    const narrow = testActor({ edit_location: { faculty: [1] } }, { user_id: basem.user_id })
    expect(await refused(id, narrow)).toEqual([403, 'not_allowed'])
    expect(await refused(id + 1000)).toEqual([409, 'undo_none'])
    await t.database.pool.query(`update operations set expires_at = now() - interval '1 second'`)
    expect(await refused(id)).toEqual([409, 'undo_expired'])
    await t.database.pool.query(`update operations set expires_at = now() + interval '1 hour'`)
    const both = await Promise.all(
      [t.as(amal), t.as(basem)].map((client) => client.send(operationCalls.undoOperation, { params: { id } })),
    )
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(await refused(id)).toEqual([409, 'undo_done'])
    expect(await rowsOf('select distinct fee from clubs')).toEqual([{ fee: '3.00' }])
  })

  test('whose permission reaches a part puts back own rows of that part only', async () => {
    const { operation_id } = await importClubs('Code,Fee', 'A,9', 'B,9')
    const narrow = testActor({ import_location: { faculty: [1] } }, { user_id: amal.user_id })
    await t.database.pool.query(`update clubs set faculty = 2 where id = ${b}`)
    const result = await undo(operation_id!, narrow)
    expect(result).toMatchObject({ changed: 1, kept: [{ id: b, problem: { code: 'not_allowed' } }] })
  })

  test('nothing left to put back: the operation stays as it is', async () => {
    const id = await run(`update clubs set fee = 7 where id = ${a}`)
    await t.as(basem).ask(clubs.update, { params: { id: a }, body: { fee: '8.00' } })
    expect(await refused(id)).toEqual([409, 'undo_nothing'])
    expect(await rowsOf('select undone_at from operations')).toEqual([{ undone_at: null }])
  })

  test('derived columns are left to who computes them; a table may put back its rows itself', async () => {
    const id = await run(
      `insert into members (code, name, name_local, club_id) values ('M', 'M', 'م', ${a})`,
      `update clubs set members = 1, fee = 5 where id = ${a}`,
      `insert into steps (state) values ('made')`,
    )
    await t.database.pool.query(`update clubs set members = 40 where id = ${a}`)
    expect(await undo(id)).toMatchObject({ kept_count: 0 })
    expect(seen).toEqual(['remove made'])
    expect(await rowsOf(`select fee, members from clubs where id = ${a}`)).toEqual([{ fee: '3.00', members: 0 }])
  })

  test('an operation that did nothing is none, and the list tells own ones and those one may undo', async () => {
    expect(await t.as(amal).ask(bulk, { body: { sql: [], counts: { changed: 0 } } })).toEqual({ operation_id: null })
    const id = await run(`update clubs set fee = 7`)
    const { data } = await t.as(basem).ask(operationCalls.listOperations, { body: {} })
    expect(data).toMatchObject([
      {
        id,
        kind: 'test/bulk',
        label: ['Bulk', 'دفعة'],
        facts: { file: 'x.csv' },
        by: { name: 'Amal' },
        abilities: ['undo'],
      },
    ])
    await undo(id, basem)
    const after = await t.as(amal).ask(operationCalls.listOperations, { body: { kind: 'test/bulk' } })
    expect(after.data).toMatchObject([{ abilities: [], undone_by: { name: 'Basem' }, undone: { changed: 4, kept: 0 } }])
    const other = testActor({ edit_location: { faculty: [1] } }, { user_id: basem.user_id })
    expect((await t.as(other).ask(operationCalls.listOperations, { body: {} })).data).toEqual([])
  })

  test('twenty thousand rows are put back in one go', async () => {
    const id = await run(
      `insert into clubs (code, name, name_local) select 'N' || n, 'n', 'ن' from generate_series(1, 10000) n`,
      `insert into members (code, name, name_local, club_id) select code, name, name_local, id from clubs where code like 'N%'`,
    )
    await t.database.pool.query(`update clubs set name = 'changed' where code = 'N500'`)
    const result = await undo(id)
    expect(result).toMatchObject({ removed: 19_999, kept_count: 1 })
  }, 180_000)
})
