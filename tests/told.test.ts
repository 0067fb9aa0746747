/// <reference types="vite/client" />
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '#kit/contract/index.ts'
import type { Label, Language } from '#kit/contract/index.ts'
import { OTHER_DATA } from '#kit/contract/telling.ts'
import { toldChange, toldRecord } from '#kit/contract/told.ts'
import type { ToldChange } from '#kit/contract/told.ts'
import { tableFacts } from '#kit/server/resource/table-words.ts'
import { tell } from '#kit/server/resource/telling.ts'
import type { Kept } from '#kit/server/resource/telling.ts'
import { sentenceIn } from '#kit/server/resource/telling-papers.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { demoDatabase } from './demo.ts'
import { testUniversity } from './university.ts'
import type { TestUniversity } from './university.ts'

/** The browser's side: of another project of types, so only its shape is said here. */
interface Words {
  readonly everyText: (lang: Language) => Promise<unknown>
  readonly label: (words: Label, lang: Language) => string
  readonly fieldWord: (change: ToldChange, lang: Language) => string
  readonly valueText: (change: ToldChange, value: unknown, lang: Language) => string
  readonly sentenceText: (entry: object, lang: Language) => string
}
const web = import.meta.glob<Partial<Words>>(['../kit/web/i18n/index.ts', '../kit/web/told/words.ts'])
let words: Words
/** English texts of the labels that a language has. */
const translated = new Map<Language, ReadonlySet<string>>()

let u: TestUniversity
let tables: string[] = []
/** Columns that the trail leaves out, by table. */
const excluded = new Map<string, ReadonlySet<string>>()
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  const { rows } = await u.database.pool.query<{ name: string; without: string }>(`
    select c.relname as name, coalesce(substring(encode(g.tgargs, 'escape') from '\\\\000\\{([^}]*)\\}'), '') as without
    from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
    where p.proname ~ '^(audit_|changed_marks|changed_registrations)' and g.tgname like 'audit%' and not g.tgisinternal
      and c.relnamespace = 'public'::regnamespace order by 1`)
  tables = [...new Set(rows.map(({ name }) => name))]
  for (const [name, of] of Map.groupBy(rows, (row) => row.name))
    excluded.set(name, new Set(of.flatMap(({ without }) => without.split(','))))
  words = Object.assign({}, ...(await Promise.all(Object.values(web).map((load) => load())))) as Words
  await Promise.all(LANGUAGES.map(words.everyText))
  for (const lang of LANGUAGES)
    translated.set(
      lang,
      new Set(
        globSync(`locales/${lang}/*.json`).flatMap((file) =>
          Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { labels?: object }).labels ?? {}),
        ),
      ),
    )
}, 280_000)
afterAll(() => u.close())

/** A value that a column of a type can hold. */
const VALUES: Readonly<Record<string, readonly [unknown, unknown]>> = {
  boolean: [false, true],
  date: ['2026-01-05', '2026-02-06'],
  'timestamp with time zone': ['2026-01-05T08:00:00+00:00', '2026-02-06T09:30:00+00:00'],
  'time without time zone': ['08:00:00', '09:30:00'],
  integer: [1, 2],
  smallint: [1, 2],
  bigint: [100, 200],
  numeric: [1.5, 2.5],
}
const valuesOf = (type: string): readonly [unknown, unknown] =>
  VALUES[type] ?? (/json|\[\]|range/.test(type) ? [{ a_key: 1 }, { a_key: [2] }] : ['before it', 'after it'])

interface Case {
  readonly column: string
  readonly kept: Kept
}
/** A change of each column of a table, and a row that comes and one that goes. */
async function casesOf(table: string): Promise<Case[]> {
  const facts = (await tableFacts({ db: u.services.db })).get(table)!
  const { pool } = u.database
  const record = facts.columns.has(facts.record) ? facts.record : null
  const { rows: some } = record
    ? await pool.query(`select "${record}"::text as id from "${table}" where "${record}"::text ~ '^\\d+$' limit 1`)
    : { rows: [] }
  const record_id = some[0] ? Number(some[0].id) : null
  const out: Case[] = []
  const whole: Record<string, unknown> = {}
  for (const [column, { type, to }] of facts.columns) {
    if (excluded.get(table)!.has(column)) continue
    let pair = valuesOf(type)
    if (to) {
      const { rows } = await pool.query(`select "${to.key}" as v from "${to.table}" order by 1 desc limit 2`)
      pair = rows.length ? [rows.at(-1).v, rows[0].v] : [987_654_321, 987_654_322]
    }
    const checks = facts.columns.get(column)!.set ?? []
    whole[column] = pair[1]
    const key = record && record !== 'id' ? { [record]: record_id } : {}
    const pairs = checks.length > 1 ? checks.map((value) => [checks[0], value] as const) : [pair]
    for (const [old, fresh] of pairs)
      out.push({
        column,
        kept: {
          table_name: table,
          action: 'update',
          record_id,
          old: { ...key, [column]: old },
          new: { ...key, [column]: fresh },
        },
      })
  }
  out.push({ column: '+', kept: { table_name: table, action: 'insert', record_id, old: null, new: whole } })
  out.push({ column: '-', kept: { table_name: table, action: 'delete', record_id, old: whole, new: null } })
  return out
}

describe('every audited table is told in words', () => {
  test('the flags of a registration and the end of an exchange say what they mean', async () => {
    const change = async (table_name: string, old: Record<string, unknown>, fresh: Record<string, unknown>) => {
      const [told] = await tell(
        { db: u.services.db },
        [{ table_name, action: 'update', record_id: 1, old, new: fresh } as Kept],
        () => () => false,
      )
      const [one] = told!.changes
      return [one!.old, one!.new].map((side) => words.valueText(one!, side, 'en'))
    }
    // Registered for the first time, then banned; of a request to improve that is audited.
    expect(await change('registrations', { status: 262160 }, { status: '2305843009213693968' })).toEqual([
      'Registered and First attempt',
      'Banned and First attempt',
    ])
    expect(await change('registrations', { status: null }, { status: 1048576 + 64 + 32768 })).toEqual([
      '–',
      expect.stringMatching(/Requested.*improve.*Audit/i),
    ])
    expect(await change('wait_list', { end_reason: null }, { end_reason: 'graded' })).toEqual([
      '–',
      'Marks stand for the course to be given up',
    ])
  })
  test('a change of each field, in five languages: no raw table, column, number of another record, stored word or JSON', async () => {
    const problems = new Set<string>()
    const known = await tableFacts({ db: u.services.db })
    for (const table of tables) {
      const cases = await casesOf(table)
      const told = await tell(
        { db: u.services.db },
        cases.map(({ kept }) => kept),
        () => () => false,
      )
      for (const [i, { column, kept }] of cases.entries()) {
        const { action, record, changes } = told[i]!
        const at = `${table}.${column}`
        if (!record.one) problems.add(`${at}: nothing says what such a record is`)
        for (const change of changes) {
          const own = known.get(table)!.columns.get(change.field) ?? known.get(table)!.columns.get(`${change.field}_id`)
          if (change.label?.name === OTHER_DATA[0])
            problems.add(`${table}.${change.field}: nothing says what it is (${own?.type})`)
          // A pointer is told by a name.
          for (const side of [change.old, change.new]) {
            if (own?.to && typeof side === 'number') problems.add(`${at}: the number of a record stands alone`)
            if (own?.to && typeof side === 'object' && side && 'name' in side && !String(side.name).trim())
              problems.add(`${at}: a ${own.to.table} has no name`)
          }
        }
        const entry = {
          action,
          record_id: kept.record_id,
          who: { name: 'Amal', name_local: 'أمل' },
          as: null,
          record,
          changes,
        }
        for (const lang of LANGUAGES) {
          const lines = [
            words.sentenceText(entry, lang),
            ...changes.flatMap((change) => [
              words.fieldWord(change, lang),
              words.valueText(change, change.old, lang),
              words.valueText(change, change.new, lang),
            ]),
          ]
          for (const line of lines) {
            if (/[{[]|\bundefined\b|\bnull\b|object Object/.test(line)) problems.add(`${at} (${lang}): ${line}`)
            // Words of the program are not shown: neither names of columns nor stored values of a fixed set.
            if (/\b[a-z]+(?:_[a-z]+)+\b/.test(line) && !/@/.test(line)) problems.add(`${at} (${lang}): ${line}`)
          }
          if (lang === 'en' || lang === 'ar')
            sentenceIn(
              { ...entry, at: '2026-01-05T08:00:00Z', ip: '10.0.0.7', actor: entry.who, impersonator: null },
              lang,
            )
          // Said in the language: what German lacks would be English. Rights are put together from two words.
          if (lang !== 'en' && lang !== 'ar')
            for (const word of [
              record.one,
              ...changes.flatMap((change) => [
                change.label,
                ...(/permission/.test(change.field) ? [] : Object.values(change.words ?? {})),
              ]),
            ])
              if (word && !translated.get(lang)!.has(word.name))
                problems.add(`${at}: ${word.name} is not translated (${lang})`)
        }
        // A fixed set is told by its words.
        const set = known.get(table)!.columns.get(column)?.set
        for (const change of changes)
          if (set?.includes(String(change.new)) && !change.words?.[String(change.new)])
            problems.add(`${at}: “${String(change.new)}” has no word`)
      }
    }
    expect([...problems].toSorted()).toEqual([])
  }, 280_000)

  test('all names of a page are one question, of whatever tables its entries are', async () => {
    await tableFacts({ db: u.services.db })
    let asked = 0
    const db = u.services.db.withPlugin({
      transformQuery: ({ node }) => {
        asked++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const entries = (await Promise.all(tables.slice(0, 40).map(casesOf))).flatMap((cases) =>
      cases.map(({ kept }) => kept),
    )
    await tell({ db }, entries, () => () => false)
    expect(asked).toBe(1)
  })

  test('what the demo university wrote is told by names, whoever reads it', async () => {
    const { rows } = await u.database.pool.query<Kept & { reason: string | null }>(
      `select distinct on (table_name, action) table_name, action, record_id, old, new from audit_log order by table_name, action, id desc`,
    )
    const told = await tell({ db: u.services.db }, rows, () => () => false)
    const raw = told.flatMap(({ action, record, changes }, i) =>
      LANGUAGES.flatMap((lang) => {
        const entry = { action, record_id: rows[i]!.record_id, who: null, as: null, record, changes }
        const line = words.sentenceText(entry, lang)
        return /[{[]|\b[a-z]+(?:_[a-z]+)+\b|undefined/.test(line) ? [`${rows[i]!.table_name} (${lang}): ${line}`] : []
      }),
    )
    for (const { record, changes } of told) {
      toldRecord.parse(record)
      changes.forEach((change) => toldChange.parse(change))
    }
    expect(rows.length).toBeGreaterThan(100)
    expect(raw).toEqual([])
  })

  test('a mark that is changed reads as a person would say it, on the screen and in the sheet', async () => {
    const { rows } = await u.database.pool.query<{
      id: number
      mark: number
      code: string
      course: string
      actor: number
    }>(`
      select r.id, m.id as mark, s.code, c.name as course, (select min(id) from users) as actor
      from registrations r join students s on s.id = r.student_id join courses c on c.id = r.course_id
        join offering_marks m on m.offering_id = r.offering_id join mark_categories k on k.id = m.mark_category_id
      where k.name = 'Final exam' limit 1`)
    const [{ id, mark, code, course } = { id: 0, mark: 0, code: '', course: '' }] = rows
    const key = { registration_id: id, offering_mark_id: mark }
    const kept: Kept = {
      table_name: 'registration_marks',
      action: 'update',
      record_id: id,
      old: { ...key, mark: 41 },
      new: { ...key, mark: 38 },
    }
    const [entry] = await tell({ db: u.services.db }, [kept], () => () => false)
    const who = { name: 'The head of control', name_local: 'رئيس الكنترول' }
    const said = (lang: Language) =>
      words.sentenceText({ ...entry!, who, as: null }, lang).replaceAll(/[\u2066-\u2069]/g, '')
    expect(said('en')).toBe(`The head of control changed the final exam of ${code} from 41 to 38 in ${course}`)
    expect(said('ar')).toContain(`للطالب ${code} من 41 إلى 38`)
    expect(said('de')).toBe(`The head of control hat „Final exam“ von ${code} in ${course} von 41 in 38 geändert`)
    // Entered for the first time, the mark stands in the sentence too; one without says as before that it was added.
    const first = async (value: number | null) => {
      const [added] = await tell(
        { db: u.services.db },
        [{ ...kept, action: 'insert', old: null, new: { ...key, mark: value, absent: value === null } }],
        () => () => false,
      )
      return words.sentenceText({ ...added!, who, as: null }, 'en').replaceAll(/[\u2066-\u2069]/g, '')
    }
    expect(await first(34)).toMatch(/^The head of control entered 34 as final exam of .+ \(.+\) in /)
    expect(await first(34)).toContain(`(${code}) in ${course}`)
    expect(await first(null)).toMatch(/^The head of control entered “absent” as final exam of .+ in /)
    expect(
      sentenceIn({ ...entry!, at: '2026-11-21T09:14:00Z', ip: '10.0.0.7', actor: who, impersonator: null }, 'en'),
    ).toMatch(/ from 41 to 38 in .*, 2026-11-21 \d\d:14, from 10\.0\.0\.7$/)
  })
})
