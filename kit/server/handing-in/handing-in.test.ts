import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { emptyTables } from '#db/testing.ts'
import { handInCalls } from '#kit/contract/handing-in.ts'
import { area, importPreview } from '#kit/contract/index.ts'
import { operationCalls } from '#kit/contract/operations.contract.ts'
import type { Actor } from '../base/context.ts'
import { Refusal, refuse } from '../base/errors.ts'
import { defineAreaServer } from '../http/area.ts'
import { operationHandlers } from '../http/operation-calls.ts'
import { writeSheet } from '../sheets/index.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'
import { registerOperation, registerUndo } from '../unit/operations.ts'
import { handedIn, handInHandlers } from './handing-in.ts'
import { judgeRows } from './judge.ts'
import { headingByWords } from './read.ts'

// Counts of the pots of a shed, by their codes.
const summary = ['Counts of pots', 'أعداد الأصص'] as const
const calls = handInCalls('/sheds/counts', {
  permission: 'edit_location',
  summaries: { import: summary, lines: summary, mend: summary },
  preview: importPreview.extend({ changes: z.int() }),
})
const COLUMNS = { code: ['Code', 'الكود'], count: ['Count', 'العدد'], note: ['Note'] }
interface Pot {
  id: number
  code: string
  count: number
  version: number
}
const sheets = handedIn<{ id: number; name: string }, Map<string, Pot>, number>({
  name: 'pots',
  kind: 'import/pots',
  knownBy: 'code',
  async of(ctx, id) {
    const { rows } = await sql<{ id: number; name: string }>`select id, name from sheds where id = ${id}`.execute(
      ctx.db,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    return rows[0]
  },
  async open(_ctx, tx, { id }) {
    const { rows } = await sql<{ locked: boolean }>`select locked from sheds where id = ${id} for update`.execute(tx)
    if (rows[0]?.locked) throw refuse(409, 'state_not_allowed')
    const pots = await sql<Pot>`select id, code, count, version from pots where shed_id = ${id}`.execute(tx)
    return new Map(pots.rows.map((pot) => [pot.code, pot]))
  },
  facts: ({ id }) => ({ shed_id: id }),
  about: async (_ctx, { name }) => name,
  plan: () => ({
    beside: { name: 'Name' },
    maxRows: 5,
    heading: (text) => {
      if (text === 'Old') return 'passed'
      if (text === 'Bad') return { code: 'date_not_valid' }
      return text === 'Strange' ? null : headingByWords(COLUMNS)(text)
    },
    lacks: (has) => (has('code') ? [] : [{ code: 'sheet_column_missing', data: { column: 'Code' } }]),
    counts: (cells) => Boolean(cells.code ?? cells.count),
  }),
  judge: (_ctx, _tx, lines, { open, facts }) =>
    judgeRows(lines, facts, ({ line, earlier, text, show, wrong, change }) => {
      const pot = open.get(text('code'))
      if (earlier !== undefined) wrong('code', 'sheet_row_twice', { row: earlier })
      if (!pot) return wrong('code', 'not_found')
      show('name', `Pot ${pot.code}`)
      Object.assign(line, { record_id: pot.id, version: pot.version, values: { count: Number(text('count')) } })
      if (!/^\d+$/.test(text('count'))) wrong('count', 'not_an_integer')
      else if (Number(text('count')) !== pot.count) change('count', String(pot.count), text('count'))
    }),
  async write(_ctx, tx, lines, { open }) {
    const now = new Map([...open.values()].map((pot) => [pot.id, pot]))
    const moved = lines.filter(({ record_id, version }) => now.get(record_id ?? 0)?.version !== version)
    if (moved.length)
      throw new Refusal(
        409,
        moved.map(({ row }) => ({ field: `rows.${row}.code`, code: 'changed_meanwhile' })),
      )
    for (const { record_id, values } of lines)
      await sql`update pots set count = ${values.count as number} where id = ${record_id}`.execute(tx)
    return lines.length
  },
  shown: async (_ctx, preview) => ({ ...preview, changes: preview.counts.changed }),
})
registerOperation({ kind: 'import/pots', label: ['Pots', 'أصص'], permission: 'edit_location' })
registerUndo('pots', async (_ctx, _tx, _rows, write) => write(), {
  what: ['Pot', 'أصيص'],
  select: 'select id, code, code as name, code as name_local from pots where id = any($1::int[])',
  fields: { count: ['Count', 'العدد'] },
})
const server = defineAreaServer({
  area: area({ name: 'sheds', label: ['Sheds', 'مخازن'], calls: [calls, operationCalls] }),
  handlers: [...handInHandlers(calls, sheets), operationHandlers],
})

let t: TestApp
let amal: Actor
let basem: Actor
beforeAll(async () => {
  t = await openTestApp([server])
  await t.database.pool.query(
    `create table sheds (id integer generated always as identity primary key, name text not null, locked boolean not null default false);
    create table pots (id integer generated always as identity primary key, shed_id integer not null references sheds, code text not null,
      count integer not null, version integer not null default 1, created_at timestamptz not null default now(),
      updated_at timestamptz not null default now());
    select audit_table('pots')`,
  )
})
afterAll(() => t.close())
beforeEach(async () => {
  await emptyTables(t.database.db, ['settings', 'secrets'])
  const rows = await query(
    `insert into users (type, name, name_local, email) values (2, 'Amal', 'أمل', 'amal@u.example'), (2, 'Basem', 'باسم', 'basem@u.example') returning id`,
  )
  amal = testActor({ edit_location: 'all' }, { user_id: rows[0]!.id as number })
  basem = testActor({ edit_location: 'all' }, { user_id: rows[1]!.id as number })
  await query(`truncate sheds, pots restart identity`)
  await query(`insert into sheds (name) values ('North'), ('South')`)
  await query(`insert into pots (shed_id, code, count) values (1, 'A', 1), (1, 'B', 2), (2, 'C', 3)`)
})

const query = async (text: string) => (await t.database.pool.query(text)).rows as Record<string, unknown>[]
const headers = { 'accept-language': 'en' }
const hand = (lines: readonly string[], { b = 'preview', shed = 1, who = amal, name = 'pots.csv' } = {}) =>
  t.as(who).send(calls.import, {
    params: { a: shed, b },
    file: { name, content: Buffer.from(lines.join('\n')) },
    headers,
  })
const look = async (...lines: string[]) => (await hand(lines)).body.data!
const save = (b: string, { shed = 1, who = amal } = {}) =>
  t.as(who).send(calls.import, { params: { a: shed, b }, headers })
const counts = async () => (await query('select count from pots order by id')).map((row) => row.count)
const why = (answer: { error: { errors: readonly { field?: string | null; code: string }[]; message: string } }) =>
  answer.error.errors.map(({ field, code }) => (field ? `${code}@${field}` : code))

describe('a sheet that is handed in', () => {
  test('is looked at, mended, saved once by its id, and taken back', async () => {
    const of = await look('Code,Old,Count', 'A,x,7', 'B,x,much', ' , ,', 'Z,x,1')
    expect(of).toMatchObject({
      rows: 3,
      changes: 1,
      counts: { changed: 1, wrong: 2 },
      columns: [
        { field: 'code', header: 'Code' },
        { field: 'name', header: 'Name', fixed: true },
        { field: 'count', header: 'Count' },
      ],
    })
    expect(of.errors.map(({ row, column, code }) => `${row} ${column} ${code}`)).toEqual([
      '3 Count not_an_integer',
      '5 Code not_found',
    ])
    expect(of.lines.find(({ row }) => row === 2)).toMatchObject({
      cells: { name: 'Pot A' },
      changes: [{ field: 'count', old: '1', new: '7' }],
    })
    const refused = await save(of.import_id)
    expect([refused.status, why(refused)]).toEqual([422, ['import_has_errors']])
    const params = { a: 1, b: of.import_id }
    const mended = await t.as(amal).ask(calls.importMend, {
      params,
      body: { cells: [{ row: 3, field: 'count', text: '9' }], out: [{ row: 5, out: true }] },
      headers,
    })
    expect(mended.data).toMatchObject({ changes: 2, counts: { changed: 2, wrong: 0, out: 1 }, errors: [] })
    const out = await t.as(amal).ask(calls.importLines, { params, body: { state: 'out' } })
    expect(out.data.lines.map(({ row, errors }) => [row, errors])).toEqual([[5, []]])
    const { saved, operation_id, data } = (await save(of.import_id)).body
    expect([saved, data, await counts()]).toEqual([2, null, [7, 9, 3]])
    expect((await t.as(amal).ask(operationCalls.listOperations, { body: {} })).data).toMatchObject([
      { id: operation_id, facts: { shed_id: 1, about: 'North', file: 'pots.csv' } },
    ])
    const again = await save(of.import_id)
    expect([again.status, why(again), await counts()]).toEqual([409, ['import_gone'], [7, 9, 3]])
    await t.as(amal).ask(operationCalls.undoOperation, { params: { id: operation_id! } })
    expect(await counts()).toEqual([1, 2, 3])
  })

  test('saved at once, it is stored, or refused with each wrong cell', async () => {
    expect((await hand(['Code,Count', 'A,4'], { b: 'save' })).body).toMatchObject({ data: null, saved: 1 })
    const refused = await hand(['Code,Count', 'A,5', 'B,?', 'Z,1', 'A,6'], { b: 'save' })
    expect([refused.status, why(refused)]).toEqual([
      422,
      ['import_cell@rows.3.Count', 'import_cell@rows.4.Code', 'import_cell@rows.5.Code'],
    ])
    expect(refused.error.errors[0]).toMatchObject({
      data: { text: expect.any(String), text_local: expect.any(String) },
    })
    expect(await counts()).toEqual([4, 2, 3])
  })

  test('is nobody else’s, and of no other record', async () => {
    const of = await look('Code,Count', 'A,7')
    const others = [await save(of.import_id, { who: basem }), await save(of.import_id, { shed: 2 })]
    for (const [who, a] of [
      [basem, 1],
      [amal, 2],
    ] as const)
      others.push(
        (await t.as(who).send(calls.importLines, { params: { a, b: of.import_id }, body: {} })) as never,
        (await t.as(who).send(calls.importMend, { params: { a, b: of.import_id }, body: { check: [2] } })) as never,
      )
    expect(others.map((answer) => [answer.status, ...why(answer)])).toEqual(others.map(() => [409, 'import_gone']))
    // What is out of reach, or nobody may enter, is said first.
    expect((await save(of.import_id, { shed: 9 })).status).toBe(404)
    expect((await t.as(testActor({})).send(calls.import, { params: { a: 1, b: of.import_id } })).status).toBe(403)
    expect(await counts()).toEqual([1, 2, 3])
    expect((await save(of.import_id)).body.saved).toBe(1)
  })

  test('expires, and stops where somebody changed what it was compared with or the record was closed', async () => {
    const old = await look('Code,Count', 'A,7')
    await query(`update import_previews set created_at = now() - interval '4 hours 1 minute'`)
    expect(why(await save(old.import_id))).toEqual(['import_gone'])
    const of = await look('Code,Count', 'A,7', 'B,8')
    await query(`update pots set count = 5 where code = 'B'`)
    const refused = await save(of.import_id)
    expect([refused.status, why(refused)]).toEqual([409, ['changed_meanwhile@rows.3.code']])
    expect(await counts()).toEqual([1, 5, 3])
    await query('update sheds set locked = true where id = 1')
    const closed = [
      await save(of.import_id),
      await hand(['Code,Count', 'A,7']),
      await t.as(amal).send(calls.importMend, { params: { a: 1, b: of.import_id }, body: { check: [2] } }),
    ]
    expect(closed.map((answer) => [answer.status, ...why(answer as never)])).toEqual(
      closed.map(() => [409, 'state_not_allowed']),
    )
    // Checked again, it is compared with what stands there now.
    await query('update sheds set locked = false')
    await t.as(amal).ask(calls.importMend, { params: { a: 1, b: of.import_id }, body: { check: [3] } })
    expect((await save(of.import_id)).body.saved).toBe(2)
    expect(await counts()).toEqual([7, 8, 3])
  })

  test('two at once: one is saved', async () => {
    const of = await look('Code,Count', 'A,7')
    const both = await Promise.all([save(of.import_id), save(of.import_id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('has the right headings, each once', async () => {
    const of = await look('Count,Strange,Bad,العدد,Colour,Old', '7,a,b,8,red,x')
    expect([of.rows, of.ignored, of.errors.map(({ row, column, code }) => [row, column, code])]).toEqual([
      0,
      ['Colour'],
      [
        [1, 'Strange', 'sheet_column_unknown'],
        [1, 'Bad', 'date_not_valid'],
        [1, 'العدد', 'sheet_column_twice'],
        [1, null, 'sheet_column_missing'],
      ],
    ])
    expect(why(await save(of.import_id))).toEqual(['import_has_errors'])
    // Nobody corrects what is only shown beside it.
    const sound = await look('Code,Count', 'A,7')
    const beside = await t.as(amal).send(calls.importMend, {
      params: { a: 1, b: sound.import_id },
      body: { cells: [{ row: 2, field: 'name', text: 'x' }] },
    })
    expect(why(beside as never)).toEqual(['unknown_field@cells'])
  })

  test('a file that is missing, empty, too large or no sheet is refused before anything is kept', async () => {
    const most = ['Code,Count', ...Array.from({ length: 5 }, (_, i) => `A${i},1`)]
    const refused = [
      await save('preview'),
      await save('save'),
      await hand(['Code,Count']),
      await hand(['Code,Count,Note', ',,nothing of it']),
      await hand([...most, 'A9,1']),
      await hand(['nothing'], { name: 'pots.xlsx' }),
      await hand(['nothing'], { name: 'pots.exe' }),
    ]
    expect(refused.map((answer) => [answer.status, ...why(answer)])).toEqual(
      [
        'file_missing',
        'file_missing',
        'sheet_empty',
        'sheet_empty',
        'sheet_too_large',
        'file_type_error',
        'file_type_error',
      ].map((code) => [422, `${code}@file`]),
    )
    expect(await query('select from import_previews')).toEqual([])
    // As many as may come are looked at.
    expect((await hand(most)).body.data?.rows).toBe(5)
  })

  test('a workbook is read as a text is, and what nobody reads of it is left', async () => {
    const content = await writeSheet({
      sheets: [
        {
          name: 'Pots',
          direction: 'ltr',
          columns: [
            { header: 'الكود', key: 'code', type: 'text' },
            { header: 'Count', key: 'count', type: 'number' },
          ],
          rows: [{ code: 'B', count: 12 }],
        },
      ],
    })
    const answer = await t.as(amal).send(calls.import, {
      params: { a: 1, b: 'save' },
      file: { name: 'pots.xlsx', content },
    })
    expect([answer.status, await counts()]).toEqual([200, [1, 12, 3]])
  })
})
