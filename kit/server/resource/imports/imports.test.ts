import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { crud } from '#access/permissions.contract.ts'
import { area, f, resource, resourceCalls } from '#kit/contract/index.ts'
import { operationCalls } from '#kit/contract/operations.contract.ts'
import { emptyTables } from '#db/testing.ts'
import { defineAreaServer } from '../../http/area.ts'
import type { Actor } from '../../base/context.ts'
import { refuse } from '../../base/errors.ts'
import { operationHandlers } from '../../http/operation-calls.ts'
import { serveResource } from '../resource.ts'
import { openTestApp, testActor } from '../../testing.ts'
import type { TestApp } from '../../testing.ts'

// Plants, each in a bed: by code, with what is computed, set once, and refused by a rule.
const plant = resource({
  name: 'plant',
  path: '/plants',
  table: 'plants',
  one: ['Plant', 'نبات'],
  many: ['Plants', 'النباتات'],
  adding: ['Add', 'إضافة'],
  editing: ['Edit', 'تعديل'],
  permissions: crud('location'),
  scope: 'university',
  fields: {
    code: f.code(['Code', 'الكود'], { required: true }),
    name: f.text(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    bed_id: f.lookup(['Bed', 'الحوض'], 'bed'),
    height: f.decimal(['Height', 'الارتفاع'], { places: 2, max: 999 }),
    origin: f.text(['Origin', 'المصدر'], { createOnly: true }),
    year: f.integer(['Year', 'السنة'], { readOnly: true }),
  },
  list: {
    columns: ['code', 'name', 'bed_id', 'height', 'year'],
    search: ['name'],
    sort: ['code'],
    filters: [],
    order: ['code', 'asc'],
  },
  exportName: 'plants',
  softDelete: false,
  screens: {},
})
const bed = resource({
  name: 'bed',
  path: '/beds',
  table: 'beds',
  one: ['Bed', 'حوض'],
  many: ['Beds', 'الأحواض'],
  adding: ['Add', 'إضافة'],
  editing: ['Edit', 'تعديل'],
  permissions: { ...crud('building'), import: null },
  scope: 'university',
  fields: {
    code: f.code(['Code', 'الكود'], { required: true }),
    name: f.text(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
  },
  list: { columns: ['code'], search: ['name'], sort: ['code'], filters: [], order: ['code', 'asc'] },
  exportName: 'beds',
  softDelete: false,
  screens: {},
})
const plants = resourceCalls(plant)
const server = defineAreaServer({
  area: area({ name: 'garden', label: ['Garden', 'الحديقة'], resources: [plant, bed], calls: operationCalls }),
  handlers: [
    serveResource(plant, {
      computed: { year: '2026' },
      beforeWrite: (_ctx, _tx, merged) => {
        if (merged.name === 'Weed') throw refuse(409, 'state_not_allowed')
      },
    }),
    serveResource(bed),
    operationHandlers,
  ],
})
const TABLES = ['beds', 'plants'].map(
  (
    table,
  ) => `create table ${table} (id integer generated always as identity primary key, code text not null constraint ${table}_code_key unique,
    name text not null, name_local text not null, ${table === 'plants' ? 'bed_id integer references beds, height numeric(5, 2), origin text,' : ''}
    search_text text generated always as (fold_text(name)) stored, version integer not null default 1,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now()); select audit_table('${table}')`,
)

let t: TestApp
let amal: Actor
let basem: Actor
/** Plants A to D. */
let ids: number[]

beforeAll(async () => {
  t = await openTestApp([server])
  for (const text of TABLES) await t.database.pool.query(text)
})
afterAll(() => t.close())
beforeEach(async () => {
  await emptyTables(t.database.db, ['settings', 'secrets'])
  const { rows } = await t.database.pool.query<{ id: number }>(
    `insert into users (type, name, name_local, email) values (2, 'Amal', 'أمل', 'amal@u.example'), (2, 'Basem', 'باسم', 'basem@u.example') returning id`,
  )
  const rights = Object.fromEntries(
    [plant, bed]
      .flatMap((r) => Object.values(r.permissions))
      .filter((key) => key !== null)
      .map((key) => [key as string, 'all' as const]),
  )
  amal = testActor(rights, { user_id: rows[0]!.id, name: 'Amal' })
  basem = testActor(rights, { user_id: rows[1]!.id, name: 'Basem' })
  await t.database.pool.query(
    `insert into beds (code, name, name_local) values ('N', 'North', 'الشمال'), ('S', 'South', 'الجنوب')`,
  )
  ids = await query(
    `insert into plants (code, name, name_local, bed_id, height, origin) select c, 'Plant ' || c, 'نبات', (select min(id) from beds), 3, 'gift' from unnest(array['A', 'B', 'C', 'D']) c returning id`,
  ).then((made) => made.map((row) => row.id as number))
})

const query = async (text: string) => (await t.database.pool.query(text)).rows as Record<string, unknown>[]
const csv = (...lines: string[]) => ({
  file: { name: 'plants.csv', content: Buffer.from(lines.join('\n')) },
  headers: { 'accept-language': 'en' },
})
const preview = async (...lines: string[]) => (await t.as(amal).ask(plants.preview, csv(...lines))).data
type Preview = Awaited<ReturnType<typeof preview>>
const mend = async (of: Preview, body: object) =>
  (
    await t
      .as(amal)
      .ask(plants.importMend, { params: { import_id: of.import_id }, body, headers: { 'accept-language': 'en' } })
  ).data
const save = (of: Preview, body?: object) =>
  t.as(amal).send(plants.import, { params: { import_id: of.import_id }, body })
const states = (of: Preview) => of.lines.map((line) => [line.row, line.state])
const stored = () => query('select code, name, bed_id, height from plants order by code')

describe('the diff', () => {
  test('each row is new, changed or the same; changed ones say what was and what will be; the same are not written', async () => {
    const of = await preview(
      'Code,English name,Arabic name,Bed,Height',
      'A,Plant A,نبات,North,3.00',
      'B,Bush,,S,4.5',
      'E,Elm,دردار,,',
    )
    expect(of).toMatchObject({
      rows: 3,
      creates: 1,
      updates: 2,
      errors: [],
      ignored: [],
      confirm: null,
      counts: { created: 1, changed: 1, same: 1, wrong: 0, out: 0, meanwhile: 0 },
      count: 2,
    })
    expect(of.lines).toMatchObject([
      {
        row: 3,
        state: 'changed',
        id: ids[1],
        changes: [
          { field: 'name', old: 'Plant B', new: 'Bush' },
          { field: 'bed_id', old: 'North', new: 'South' },
          { field: 'height', old: '3.00', new: '4.50' },
        ],
      },
      { row: 4, state: 'created', id: null, cells: { code: 'E', name: 'Elm' } },
    ])
    const { body } = await save(of)
    expect(body).toEqual({ created: 1, updated: 1, operation_id: expect.any(Number) })
    expect(await query(`select version from plants where code = 'A'`)).toEqual([{ version: 1 }])
    expect(await query(`select name, name_local, height from plants where code = 'B'`)).toEqual([
      { name: 'Bush', name_local: 'نبات', height: '4.50' },
    ])
    expect(await query('select facts, counts from operations')).toEqual([
      { facts: { file: 'plants.csv' }, counts: { created: 1, updated: 1 } },
    ])
  })

  test('a sheet that changes nothing writes nothing, and is no operation', async () => {
    const of = await preview('Code,Height', 'A,3', 'B,3.0')
    expect(of).toMatchObject({ counts: { same: 2 }, lines: [], count: 0 })
    expect((await save(of)).body).toEqual({ created: 0, updated: 0, operation_id: null })
    expect(await query('select id from operations')).toEqual([])
  })

  test('rows are shown by what they do, page by page, to whom the preview belongs', async () => {
    const of = await preview('Code,English name,Arabic name', 'A,X,س', 'B,Weed,س', 'C,Plant C,نبات', 'E,E,ه', 'F,F,و')
    expect(states(of)).toEqual([
      [3, 'wrong'],
      [2, 'changed'],
      [5, 'created'],
      [6, 'created'],
    ])
    const ask = async (body: object, who = amal) =>
      t.as(who).send(plants.importLines, { params: { import_id: of.import_id }, body })
    expect(states((await ask({ state: 'all' })).body.data)).toEqual([
      [2, 'changed'],
      [3, 'wrong'],
      [4, 'same'],
      [5, 'created'],
      [6, 'created'],
    ])
    const second = (await ask({ state: 'created', page: 2, perPage: 1 })).body.data
    expect([states(second), second.count]).toEqual([[[6, 'created']], 2])
    expect((await ask({}, basem)).error.message).toBe('import_gone')
  })
})

describe('mending in place', () => {
  test('a wrong cell is corrected, a row is left out, a double row gets a code of its own: then all is saved', async () => {
    const of = await preview(
      'Code,English name,Arabic name,Bed,Height',
      'A,Weed,,,',
      'B,,,Nowhere,much',
      'E,E,ه,,',
      'E,E2,ه,,',
      'F,<b>,و,,',
    )
    expect(of.errors.map((e) => [e.row, e.column, e.code])).toEqual([
      [2, null, 'state_not_allowed'],
      [3, 'Height', 'not_an_integer'].map((x) => (x === 'not_an_integer' ? 'format_not_valid' : x)),
      [3, 'Bed', 'lookup_not_found'],
      [5, 'Code', 'sheet_row_twice'],
      [6, 'English name', 'text_html'],
    ])
    expect((await save(of)).error.message).toBe('import_has_errors')
    const first = await mend(of, {
      cells: [
        { row: 2, field: 'name', text: 'Rose' },
        { row: 3, field: 'bed_id', text: 'south' },
        { row: 3, field: 'height', text: '' },
      ],
    })
    expect(first.counts).toMatchObject({ changed: 2, created: 1, wrong: 2 })
    expect(states(first)).toEqual([
      [2, 'changed'],
      [3, 'changed'],
    ])
    // Of two rows with one code the other is checked again with the one that was mended.
    const second = await mend(of, { cells: [{ row: 4, field: 'code', text: 'G' }] })
    expect(states(second)).toEqual([
      [4, 'created'],
      [5, 'created'],
    ])
    const third = await mend(of, { out: [{ row: 6, out: true }] })
    expect(third.counts).toMatchObject({ changed: 2, created: 2, wrong: 0, out: 1 })
    expect((await save(of)).body).toMatchObject({ created: 2, updated: 2 })
    expect((await query('select code from plants order by code')).map((row) => row.code)).toEqual([
      'A',
      'B',
      'C',
      'D',
      'E',
      'G',
    ])
  })

  test('two cells of one row mended at the same moment are both kept; what is no cell is refused', async () => {
    const of = await preview('Code,English name,Height', 'A,Weed,much')
    const one = (field: string, text: string) =>
      t
        .as(amal)
        .send(plants.importMend, { params: { import_id: of.import_id }, body: { cells: [{ row: 2, field, text }] } })
    await Promise.all([one('name', 'Rose'), one('height', '9')])
    const all = await mend(of, { check: [2] })
    expect(all.lines).toMatchObject([{ state: 'changed', cells: { name: 'Rose', height: '9' } }])
    expect((await one('year', '2')).error.errors[0]).toMatchObject({ code: 'unknown_field' })
    const nowhere = await t.as(amal).send(plants.importMend, {
      params: { import_id: of.import_id },
      body: { cells: [{ row: 99, field: 'name', text: 'Rose' }] },
    })
    expect([nowhere.status, nowhere.error.message]).toEqual([404, 'not_found'])
    const row = await t.as(amal).send(plants.importMend, { params: { import_id: of.import_id }, body: { check: [99] } })
    expect(row.status).toBe(200)
    expect(
      (await t.as(basem).send(plants.importMend, { params: { import_id: of.import_id }, body: { check: [2] } })).error
        .message,
    ).toBe('import_gone')
  })

  test('columns that new records need are missing once for all; leaving the new rows out helps', async () => {
    const of = await preview('Code,English name', 'A,Rose', 'E,Elm')
    expect(of.errors.map((e) => [e.row, e.column, e.code])).toEqual([[1, 'Arabic name', 'sheet_column_missing']])
    expect((await save(of)).error.message).toBe('import_has_errors')
    const without = await mend(of, { out: [{ row: 3, out: true }] })
    expect([without.errors, without.counts.changed]).toEqual([[], 1])
    expect((await save(of)).body).toMatchObject({ created: 0, updated: 1 })
  })

  test('what is set once is not changed silently', async () => {
    const of = await preview('Code,Origin', 'A,gift', 'B,bought')
    expect(of.errors.map((e) => [e.row, e.column, e.code])).toEqual([[3, 'Origin', 'import_create_only']])
  })
})

describe('what people change at the same time', () => {
  test('a record that somebody changed between preview and save stops it, by name; checked again it is saved', async () => {
    const of = await preview('Code,Height', 'A,5', 'B,6')
    await t.as(basem).ask(plants.update, { params: { id: ids[1]! }, body: { height: '7.00', name: 'Other' } })
    const refused = await save(of)
    expect([refused.status, refused.error.errors.map((e) => [e.field, e.code, e.data?.by])]).toEqual([
      409,
      [['rows.3', 'import_row_changed_by', 'Basem']],
    ])
    // By nobody who has a name: a migration, or the program itself.
    const other = await preview('Code,Height', 'C,5')
    await query(`update plants set version = version + 1 where code = 'C'`)
    expect((await save(other)).error.errors).toMatchObject([{ field: 'rows.2', code: 'import_row_changed' }])
    expect(refused.error.errors[0]!.en).toBe(
      'Row 3: Basem changed the record after the sheet was checked. Check the row again.',
    )
    expect(await query('select height from plants order by code')).toMatchObject([
      { height: '3.00' },
      { height: '7.00' },
      {},
      {},
    ])
    // Every such row is told at once.
    await t.as(basem).ask(plants.update, { params: { id: ids[0]! }, body: { name: 'Aloe' } })
    expect((await save(of)).error.errors.map((e) => e.field)).toEqual(['rows.2', 'rows.3'])
    await mend(of, { check: [2] })
    const again = await mend(of, { check: [3] })
    expect(again.lines).toMatchObject([{ row: 3, changes: [{ field: 'height', old: '7.00', new: '6.00' }] }])
    expect((await save(of)).body).toMatchObject({ updated: 2 })
    expect(await query(`select name from plants where code = 'B'`)).toEqual([{ name: 'Other' }])
  })

  test('an exported sheet that comes back leaves what people changed since, unless the sheet is taken', async () => {
    const { bytes } = await t.as(amal).send(plants.export, { body: { lang: 'en' } })
    const { readSheet, writeSheet } = await import('../../sheets/index.ts')
    const rows = (await readSheet(bytes)).sheets[0]!.rows.map((row) => row.map((cell) => cell.text))
    const head = rows[0]!
    expect(head.at(-1)).toBe('Version (leave as it is)')
    await t.as(basem).ask(plants.update, { params: { id: ids[0]! }, body: { height: '8.00' } })
    await t.as(basem).ask(plants.update, { params: { id: ids[1]! }, body: { name: 'Basil' } })
    // In the sheet: the height of all, and a name that nobody else touched.
    const at = (name: string) => head.indexOf(name)
    for (const row of rows.slice(1)) row[at('Height')] = '4'
    rows[1]![at('English name')] = 'Aster'
    const content = await writeSheet({
      sheets: [
        {
          name: 'x',
          direction: 'ltr',
          columns: head.map((header, i) => ({ header, key: String(i), type: 'text' as const })),
          rows: rows.slice(1).map((row) => Object.fromEntries(row.map((text, i) => [String(i), text]))),
        },
      ],
    })
    const { data: of } = await t
      .as(amal)
      .ask(plants.preview, { file: { name: 'plants.xlsx', content }, headers: { 'accept-language': 'en' } })
    expect(of).toMatchObject({ ignored: ['Year'], errors: [], counts: { changed: 4, meanwhile: 2 } })
    expect(of.lines[0]).toMatchObject({
      state: 'changed',
      changes: [{ field: 'name', old: 'Plant A', new: 'Aster' }],
      meanwhile: [
        { field: 'height', sheet: '4', now: '8.00', by: { name: 'Basem' }, at: expect.any(String), taken: false },
      ],
    })
    // The sheet says the name of B as it was; Basem's stays.
    expect(of.lines[1]).toMatchObject({
      changes: [{ field: 'height' }],
      meanwhile: [{ field: 'name', sheet: 'Plant B', now: 'Basil' }],
    })
    const taken = await mend(of, { take: [{ row: 2, field: 'height', take: true }] })
    expect(taken.lines[0]).toMatchObject({
      changes: [{ field: 'name' }, { field: 'height', old: '8.00', new: '4.00' }],
      meanwhile: [{ taken: true }],
    })
    expect((await save(of)).body).toMatchObject({ updated: 4 })
    expect(await query('select code, name, height from plants order by code')).toEqual([
      { code: 'A', name: 'Aster', height: '4.00' },
      { code: 'B', name: 'Basil', height: '4.00' },
      { code: 'C', name: 'Plant C', height: '4.00' },
      { code: 'D', name: 'Plant D', height: '4.00' },
    ])
  })

  test('a record that somebody changes while the sheet is being saved stops it as well, and nothing is stored', async () => {
    const of = await preview('Code,Height', 'A,5', 'B,6')
    const other = await t.database.pool.connect()
    try {
      await other.query('begin')
      await other.query(`update plants set height = 9, version = version + 1 where code = 'B'`)
      const saving = save(of)
      // It has compared all rows by now, and waits for this one.
      await expect
        .poll(async () =>
          query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
        )
        .toHaveLength(1)
      await other.query('commit')
      const refused = await saving
      expect([refused.status, refused.error.errors.map((e) => [e.field, e.code])]).toEqual([
        409,
        [['rows.3', 'import_row_changed']],
      ])
    } finally {
      await other.query('rollback')
      other.release()
    }
    expect((await stored()).map((row) => row.height).slice(0, 2)).toEqual(['3.00', '9.00'])
  })

  test('two who save the same preview: one does', async () => {
    const of = await preview('Code,Height', 'A,5')
    const both = await Promise.all([save(of), save(of)])
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
  })
})

describe('many', () => {
  test('a quarter of all records, or more than two hundred, is asked about by its number', async () => {
    await query(`insert into plants (code, name, name_local) select 'N' || n, 'n', 'ن' from generate_series(1, 60) n`)
    const lines = Array.from({ length: 21 }, (_, i) => `N${i + 1},changed`)
    const of = await preview('Code,English name', ...lines)
    expect(of.confirm).toBe(21)
    const refused = await save(of)
    expect([refused.status, refused.error.error.en]).toEqual([
      409,
      'This changes 21 records. Type the number to confirm.',
    ])
    expect((await save(of, { confirm: 20 })).error.message).toBe('import_confirm')
    expect((await save(of, { confirm: 21 })).body).toMatchObject({ updated: 21 })
    await query(`insert into plants (code, name, name_local) select 'O' || n, 'o', 'ن' from generate_series(1, 100) n`)
    expect((await preview('Code,English name', ...lines.map((line) => `${line} again`))).confirm).toBeNull()
  })

  test('five thousand rows are checked, mended, saved and undone', async () => {
    await query(
      `insert into plants (code, name, name_local, height) select 'N' || n, 'n', 'ن', 1 from generate_series(1, 2500) n`,
    )
    const before = await stored()
    const clock = async <T>(what: string, work: Promise<T>): Promise<T> => {
      const begun = performance.now()
      const result = await work
      if (process.env.TIMES) console.log(`${what}: ${Math.round(performance.now() - begun)} ms`)
      return result
    }
    const lines = Array.from(
      { length: 5000 },
      (_, i) => `N${i + 1},Name ${i},اسم,${i % 2 ? 'N' : 'South'},${i === 4000 ? 'much' : '2.5'}`,
    )
    const of = await clock('preview', preview('Code,English name,Arabic name,Bed,Height', ...lines))
    expect(of.counts).toMatchObject({ created: 2499, changed: 2500, wrong: 1 })
    const mended = await clock('mend', mend(of, { cells: [{ row: 4002, field: 'height', text: '2' }] }))
    expect(mended).toMatchObject({ counts: { created: 2500, wrong: 0 }, confirm: 2500 })
    const { body } = await clock('save', save(of, { confirm: 2500 }))
    expect(body).toMatchObject({ created: 2500, updated: 2500 })
    const { data } = await clock(
      'undo',
      t.as(amal).ask(operationCalls.undoOperation, { params: { id: body.operation_id! } }),
    )
    expect(data).toMatchObject({ changed: 2500, removed: 2500, kept_count: 0 })
    expect(await stored()).toEqual(before)
  }, 540_000)
})
