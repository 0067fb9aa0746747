import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { catalogueServer } from './catalogue.server.ts'

let u: TestUniversity
let admin: Caller
const q = async <Row>(text: string): Promise<Row[]> => (await u.database.pool.query(text)).rows as Row[]

beforeAll(async () => {
  u = await testUniversity([catalogueServer])
  admin = await u.as('admin')
})
afterAll(() => u.close())

/** Codes that are drawn, or are those of another system: a letter of another case is another code. */
const EXACT = ['exam_barcodes', 'guests', 'papers']

test('a code is that of one record, however its letters are written', async () => {
  const faculty = { code: 'ENG', short_name: 'ENG', name: 'Engineering', name_local: 'الهندسة' }
  const { id } = ok(await admin('PUT', '/faculties', faculty))
  expect(
    reasons(
      await admin('PUT', '/faculties', {
        ...faculty,
        code: 'eng',
        short_name: 'EN2',
        name: 'Other',
        name_local: 'أخرى',
      }),
    ),
  ).toEqual(['duplicate@code'])
  const course = { code: 'CSC101', name: 'Computing', name_local: 'الحوسبة', faculty_id: id, credit_hours: 3 }
  const { id: first } = ok(await admin('PUT', '/courses', course))
  expect(reasons(await admin('PUT', '/courses', { ...course, code: 'csc101' }))).toEqual(['duplicate@code'])
  // One's own code may be written otherwise.
  expect(ok(await admin('PUT', `/courses/${first}`, { code: 'Csc101' })).code).toBe('Csc101')
})

test('every table whose code is that of one record holds it so', async () => {
  const rows = await q<{ name: string; folded: boolean }>(`
    select c.conrelid::regclass::text as name, exists (select from pg_index i
      where i.indrelid = c.conrelid and i.indisunique and pg_get_indexdef(i.indexrelid) ~ 'lower\\(code\\)') as folded
    from pg_constraint c where c.contype = 'u' and pg_get_constraintdef(c.oid) = 'UNIQUE (code)' order by 1`)
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.flatMap(({ name, folded }) => (folded ? [] : [name]))).toEqual(EXACT)
})

test('doubles that are there already stay, are told, and get no further one', async () => {
  const client = await u.database.pool.connect()
  try {
    const told: string[] = []
    client.on('notice', ({ message }) => told.push(message ?? ''))
    await client.query(`create table old_codes (id integer primary key, code text not null)`)
    await client.query(`insert into old_codes values (1, 'CSC101'), (2, 'csc101'), (3, 'MTH1')`)
    await client.query(`select one_code_in_any_case('old_codes')`)
    expect(told).toEqual([expect.stringContaining('csc101 (2) beside CSC101 (1)')])
    await expect(client.query(`insert into old_codes values (4, 'Csc101')`)).rejects.toThrow(
      /old_codes_code_in_any_case/,
    )
    await expect(client.query(`insert into old_codes values (5, 'mth1')`)).rejects.toThrow(/old_codes_code_in_any_case/)
  } finally {
    client.release()
  }
})
