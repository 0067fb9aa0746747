import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crud } from '#access/permissions.contract.ts'
import { area, f, resource, resourceCalls } from '#kit/contract/index.ts'
import { lookupCalls } from '#kit/contract/lookups.contract.ts'
import { admitProgram } from '#db/roles.ts'
import { defineAreaServer } from '../http/area.ts'
import type { Actor } from '../base/context.ts'
import { lookupHandlers } from './lookups.ts'
import { requestContext } from '../unit/request.ts'
import { workings } from './resource.ts'
import { readSheet, writeSheet } from '../sheets/index.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

// Members of a club: who keeps the book reads what is memo, within reach, and each member the own.
const readers = ['edit_building', 'self'] as const
const member = resource({
  name: 'member',
  path: '/members',
  table: 'members',
  one: ['Member', 'عضو'],
  many: ['Members', 'الأعضاء'],
  adding: ['Add', 'إضافة'],
  editing: ['Edit', 'تعديل'],
  permissions: crud('building'),
  scope: ['faculty', 'own'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true }),
    name: f.text(['English name', 'الاسم بالإنجليزية'], { required: true }),
    part: f.integer(['Part', 'القسم'], { required: true }),
    memo: f.text(['Memo', 'السر'], { readers }),
    kind: f.choice(
      ['Kind', 'النوع'],
      [
        { value: 'open', label: ['Open', 'مفتوح'] },
        { value: 'closed', label: ['Closed', 'مغلق'] },
      ],
      { readers },
    ),
    years: f.integer(['Years', 'السنوات'], { max: 30_000 }),
  },
  list: {
    columns: ['code', 'memo', 'kind'],
    search: ['code', 'name'],
    sort: ['code', 'memo'],
    filters: ['memo', 'kind', 'part', 'years'],
    order: ['code', 'asc'],
  },
  exportName: 'members',
  softDelete: true,
  screens: {},
})
const calls = resourceCalls(member)
const served = workings(member, {
  scope: { faculty: () => sql`t.part`, own: (ctx) => sql`t.user_id = ${ctx.actor?.user_id ?? null}` },
})
let t: TestApp
let keeper: Actor
/** Reads the memos of part 1 only. */
let half: Actor
let visitor: Actor
let self: Actor
const ids: number[] = []

beforeAll(async () => {
  t = await openTestApp([
    defineAreaServer({
      area: area({ name: 'club', label: ['Club', 'النادي'], resources: [member], calls: lookupCalls }),
      handlers: [served.handlers, lookupHandlers],
    }),
  ])
  const { pool, db, url } = t.database
  await pool.query(`
    create table members (id integer generated always as identity primary key, code text not null unique, name text not null, part integer not null,
      memo text, kind text, years smallint, user_id integer, data text,
      search_text text generated always as (fold_text(code || ' ' || name)) stored,
      version integer not null default 1, removed_at timestamptz, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
    select audit_table('members');
    insert into users (type, name, name_local, email) values (2, 'A', 'أ', 'a@u.example'), (2, 'B', 'ب', 'b@u.example');`)
  await admitProgram(db, url)
  const people = (await pool.query<{ id: number }>('select id from users order by id')).rows.map((r) => r.id)
  const everything = Object.fromEntries(Object.values(member.permissions).map((key) => [key, 'all' as const]))
  keeper = testActor(everything, { user_id: people[0]! })
  const look = {
    access_building: 'all',
    show_building: 'all',
    export_building: 'all',
    import_building: 'all',
    add_building: 'all',
  } as const
  visitor = testActor(look, { user_id: people[0]! })
  half = testActor({ ...look, edit_building: { faculty: [1] } }, { user_id: people[0]! })
  self = testActor({ show_building: 'own' }, { user_id: people[1]! })
  for (const [code, part, memo, kind] of [
    ['M1', 1, 'zebra', 'open'],
    ['M2', 2, 'apple', 'closed'],
    ['M3', 2, 'mango', 'open'],
  ] as const) {
    const { data } = await t.as(keeper).ask(calls.create, { body: { code, name: `Member ${code}`, part, memo, kind } })
    ids.push(data.id)
  }
  await pool.query('update members set user_id = $1 where id = $2', [people[1], ids[2]])
  await t.as(keeper).ask(calls.update, { params: { id: ids[1]! }, body: { memo: 'apples', name: 'Member two' } })
})
afterAll(() => t?.close())

const listed = async (actor: Actor, body: object = {}) =>
  (await t.as(actor).ask(calls.list, { body })).data.map((row) => [row.code, row.memo, row.kind])
const code = async (
  actor: Actor,
  call: Parameters<ReturnType<TestApp['as']>['send']>[0],
  body: object,
  params = {},
) => {
  const { status, error } = await t.as(actor).send(call, { body, params })
  return [status, error?.errors?.[0]?.code, error?.errors?.[0]?.field]
}

describe('a field with readers', () => {
  test('is told in lists and records to its readers, within their reach, and to the person', async () => {
    expect(await listed(keeper)).toEqual([
      ['M1', 'zebra', 'open'],
      ['M2', 'apples', 'closed'],
      ['M3', 'mango', 'open'],
    ])
    expect(await listed(half)).toEqual([
      ['M1', 'zebra', 'open'],
      ['M2', null, null],
      ['M3', null, null],
    ])
    expect((await listed(visitor)).map(([, ...rest]) => rest)).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ])
    const one = async (actor: Actor, id: number) =>
      (await t.as(actor).send(calls.get, { params: { id } })).body?.data?.memo
    expect([await one(half, ids[0]!), await one(half, ids[1]!), await one(visitor, ids[0]!)]).toEqual([
      'zebra',
      null,
      null,
    ])
    expect([await one(self, ids[2]!), await one(self, ids[0]!)]).toEqual(['mango', undefined])
  })

  test('is no filter and no order to who does not read it, and finds only rows whose value is read', async () => {
    for (const filters of [{ memo: 'zebra' }, { kind: 'open' }])
      expect((await code(visitor, calls.list, { filters })).slice(0, 2)).toEqual([422, 'filter_not_allowed'])
    expect((await code(visitor, calls.list, { order_by: 'memo' })).slice(0, 2)).toEqual([422, 'sort_not_allowed'])
    expect(await listed(half, { filters: { kind: ['open', 'closed'] } })).toEqual([['M1', 'zebra', 'open']])
    expect(await listed(half, { filters: { memo: 'app' } })).toEqual([])
    // Nor does the order tell: rows whose value is not read stand together, by their keys.
    const order = async (order_direction: string) =>
      (await listed(half, { order_by: 'memo', order_direction })).map(([name]) => name)
    expect([await order('asc'), await order('desc')]).toEqual([
      ['M1', 'M2', 'M3'],
      ['M1', 'M3', 'M2'],
    ])
  })

  test('narrows no lookup, whoever asks; what does narrow it is checked as its field is', async () => {
    const asked = (filters: object) => code(keeper, lookupCalls.getLookup, { name: 'member', filters })
    expect((await asked({ kind: 'open' })).slice(0, 2)).toEqual([422, 'filter_not_allowed'])
    expect((await asked({ memo: 'zebra' })).slice(0, 2)).toEqual([422, 'filter_not_allowed'])
    expect((await asked({ years: 40_000 })).slice(0, 2)).toEqual([422, 'filter_not_allowed'])
  })

  test('stands in no sheet of who does not read it', async () => {
    const text = async (actor: Actor) => {
      const { bytes } = await t.as(actor).send(calls.export, { body: { lang: 'en' } })
      return (await readSheet(bytes)).sheets[0]!.rows.map((row) => row.map((cell) => cell.text).join('|')).join('\n')
    }
    expect(await text(keeper)).toMatch(/Memo[^]*apples/)
    expect(await text(half)).toMatch(/Memo[^]*zebra/)
    expect(await text(half)).not.toMatch(/apples|mango/)
    expect(await text(visitor)).not.toMatch(/Memo|zebra|apples|mango/)
    expect(await code(visitor, calls.export, { columns: ['code', 'memo'] })).toEqual([422, 'unknown_field', 'columns'])
    const template = async (actor: Actor) =>
      (
        await readSheet((await t.as(actor).send(calls.template, { headers: { 'x-language': 'en' } })).bytes)
      ).sheets[0]!.rows[0]!.map((cell) => cell.text)
    expect(await template(keeper)).toContain('Memo')
    expect(await template(visitor)).not.toContain('Memo')
    const sheet = await writeSheet({
      sheets: [
        {
          name: 'x',
          direction: 'ltr' as const,
          columns: ['code', 'name', 'part', 'memo'].map((key) => ({ key, header: key, type: 'text' as const })),
          rows: [{ code: 'M9', name: 'Nine', part: '1', memo: 'planted' }],
        },
      ],
    })
    const preview = await t.as(visitor).ask(calls.preview, { file: { name: 'm.xlsx', content: sheet } })
    expect(preview.data).toMatchObject({
      ignored: ['memo'],
      columns: [{ field: 'code' }, { field: 'name' }, { field: 'part' }],
    })
  })

  test('is written only by who reads it', async () => {
    const body = { code: 'M8', name: 'Eight', part: 1, memo: 'planted' }
    expect(await code(visitor, calls.create, body)).toEqual([403, 'not_allowed', 'memo'])
    expect((await code(half, calls.create, { ...body, part: 2 })).slice(0, 2)).toEqual([403, 'not_allowed'])
    const { data } = await t.as(visitor).ask(calls.create, { body: { code: 'M8', name: 'Eight', part: 1 } })
    expect(data.memo).toBeNull()
    expect((await t.as(half).ask(calls.update, { params: { id: data.id }, body: { memo: 'x' } })).data.memo).toBe('x')
    await t.database.pool.query('delete from members where id = $1', [data.id])
  })

  test('is in no history of who does not read it, nor the reason of the change, nor columns that are no fields', async () => {
    await t.database.pool.query(
      `begin; select set_config('ems.actor', '{"reason":"a telling reason"}', true);
       update members set memo = 'plums', data = 'internal' where id = ${ids[1]}; commit`,
    )
    const told = async (actor: Actor) =>
      JSON.stringify((await t.as(actor).ask(calls.history, { params: { id: ids[1]! } })).data)
    expect(await told(keeper)).toMatch(/plums[^]*telling reason|telling reason[^]*plums/)
    for (const actor of [half, visitor]) {
      expect(await told(actor)).toContain('Member two')
      expect(await told(actor)).not.toMatch(/plums|apples|telling|internal|closed/)
    }
  })

  test('is taken by own queries through the resource', async () => {
    const ctx = (actor: Actor) =>
      requestContext(t.services, actor, 'en', null, 'request', null as never) as Parameters<typeof served.column>[0]
    const memos = async (actor: Actor) =>
      (
        await sql<{ memo: string | null; may: boolean }>`select ${served.column(ctx(actor), 'memo')} as memo,
          ${served.readable(ctx(actor), 'memo')} as may from members t where removed_at is null order by id`.execute(
          t.database.db,
        )
      ).rows.map((row) => [row.memo, row.may])
    expect(await memos(keeper)).toEqual([
      ['zebra', true],
      ['plums', true],
      ['mango', true],
    ])
    expect(await memos(half)).toEqual([
      ['zebra', true],
      [null, false],
      [null, false],
    ])
    expect(await memos(visitor)).toEqual([
      [null, false],
      [null, false],
      [null, false],
    ])
    expect([...(await served.unread(ctx(half), ids[1]!))].toSorted()).toEqual(['kind', 'memo'])
    expect([...(await served.unread(ctx(half), ids[0]!))]).toEqual([])
    expect(() => served.column(ctx(keeper), 'nothing' as never)).toThrow('no field')
  })
})

test('a searched field cannot have readers', () => {
  const searched = { ...member, name: 'searched', list: { ...member.list, search: ['memo'] } }
  expect(() => workings(searched as unknown as typeof member, {} as never)).toThrow('cannot have readers')
})

test('a filter takes what its field can hold; what a schema lets through is refused by the database as a gap', async () => {
  expect((await code(keeper, calls.list, { filters: { years: 40_000 } })).slice(0, 2)).toEqual([422, 'too_big'])
  expect((await code(keeper, calls.list, { filters: { years: { from: -1 } } })).slice(0, 2)).toEqual([422, 'too_small'])
  expect(await listed(keeper, { filters: { years: { from: 0, to: 30_000 } } })).toEqual([])
  // The column is smaller than the field says: such a definition is a mistake, and still no failure.
  expect((await code(keeper, calls.list, { filters: { part: 999_999_999 } })).slice(0, 1)).toEqual([200])
  const { rowCount } = await t.database.pool.query('alter table members alter part type smallint')
  expect(rowCount).toBeNull()
  expect((await code(keeper, calls.list, { filters: { part: 999_999_999 } })).slice(0, 2)).toEqual([
    422,
    'value_not_storable',
  ])
})
