import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { firstRow } from '#db/rows.ts'
import { temporaryFolder } from '#db/testing.ts'
import { compare } from './compare.ts'
import { openSources } from './places.ts'
import { noColumns, noteObject } from './shape.ts'

const COUNTED = { config: 'tsconfig.json', counts: /^statement\.ts$/ }
/** A folder with one file of sources. */
function sourcesOf(text: string): string {
  const root = temporaryFolder('rows')
  writeFileSync(
    path.join(root, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { strict: true, lib: ['esnext'], types: [], noEmit: true }, include: ['*.ts'] }),
  )
  writeFileSync(
    path.join(root, 'statement.ts'),
    `interface RawBuilder<T> { execute(): Promise<{ rows: T[] }> }
    declare function sql<T>(text: TemplateStringsArray, ...values: unknown[]): RawBuilder<T>
    ${text}`,
  )
  return root
}
/** By what the statements of a file are known. */
function places(text: string): string[] {
  const root = sourcesOf(text)
  const { places: found, close } = openSources({ root, ...COUNTED })
  close()
  rmSync(root, { recursive: true, force: true })
  return found.map(({ key }) => key)
}
/** What is held against the types of one statement, which answered these rows. */
function judged(
  type: string,
  text: string,
  rows: readonly object[],
  described?: Record<string, number>,
  key = text.replaceAll(/\$\{\w+\}/g, '\0'),
) {
  const root = sourcesOf(`export const asked = (id: number) => sql<${type}>\`${text}\`.execute()`)
  mkdirSync(path.join(root, 'seen'), { recursive: true })
  const seen = noColumns()
  for (const row of rows) noteObject(seen, row)
  writeFileSync(path.join(root, 'seen/1.json'), JSON.stringify([[`${key}\u0001`, { rows: seen, described }]]))
  const { wrong, unseen, places } = compare(path.join(root, 'seen'), { root, ...COUNTED })
  rmSync(root, { recursive: true, force: true })
  expect(places).toBe(1)
  return [...wrong, ...unseen].map((line) => line.replace(/^statement\.ts:\d+ ?/, ''))
}
const STUDENT = '{ id: number; name: string; gpa: string | null }'
const ASKED = 'select id, name, gpa from students where id = ${id}'

test('rows that are what the type says pass', () => {
  expect(
    judged(STUDENT, ASKED, [
      { id: 1, name: 'Mona', gpa: null },
      { id: 2, name: 'Adel', gpa: '3.10' },
    ]),
  ).toEqual([])
})

test('a column that is called otherwise, a number that becomes a text, a null that is denied: each is told', () => {
  expect(judged(STUDENT, ASKED, [{ id: 1, title: 'Mona', gpa: null }])).toEqual(['name is missing'])
  expect(judged(STUDENT, ASKED, [{ id: '1', name: 'Mona', gpa: null }])).toEqual(['id is a text, the type says number'])
  expect(judged(STUDENT, ASKED, [{ id: 1, name: null, gpa: null }])).toEqual(['name is null, the type says string'])
})

test('what is within lists and objects is looked at as well', () => {
  const type = `{ marks: { mark: number; of: 'final' | 'work' }[] | null; by: Record<string, number> }`
  const rows = [
    { marks: null, by: {} },
    {
      marks: [
        { mark: 7, of: 'work' },
        { mark: null, of: 'oral' },
      ],
      by: { 12: 1, 13: 'two' },
    },
  ]
  expect(judged(type, 'select marks, by from sheets', rows)).toEqual([
    'marks[].mark is null, the type says number',
    'marks[].of is also "oral", the type says "final" | "work"',
    'by.13 is a text, the type says number',
  ])
})

test('where no row came, the columns that the database describes are held against the type', () => {
  expect(judged(STUDENT, ASKED, [], { id: 20, title: 25, gpa: 1700 })).toEqual([
    'name is missing',
    'id is a text, the type says number',
  ])
})

test('a statement of which no test saw an answer is told', () => {
  expect(judged(STUDENT, 'select id from nowhere', [])).toEqual([''])
})

test('a statement is known by what is sent: escapes are read as the program reads them', () => {
  const text = String.raw`select id, name, gpa from students where name ~ '^\\S+\\s'`
  expect(judged(STUDENT, text, [{ id: 1, name: 'Mona', gpa: null }], undefined, text.replaceAll('\\\\', '\\'))).toEqual(
    [],
  )
})

test('a piece that other statements take into theirs is never sent by itself, and not asked for', () => {
  expect(places(`export const piece = sql<${STUDENT}>\`json_build_object('id', s.id)\``)).toEqual([])
})

test('a statement of the driver is known with a comment before it, and by its name where it stands elsewhere', () => {
  const driver = `declare const pool: { query<T>(text: string | object): Promise<{ rows: T[] }> }`
  expect(
    places(`${driver}
    export const one = pool.query<${STUDENT}>(
      // Why it is so.
      \`select id from students\`)
    const ASKED = { name: 'of students', text: \`select 1\` }
    export const other = pool.query<${STUDENT}>(ASKED)`),
  ).toEqual(['select id from students', 'named of students'])
})

test('a first row is asked for as one that must be there, never believed to be', () => {
  const root = path.join(import.meta.dirname, '../..')
  const believed = globSync('{kit,areas,access,apps,db}/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.ts$|[./]testing\./.test(file))
    .flatMap((file) =>
      readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, i) => (/\brows\[0\]!/.test(line) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
    )
  expect(believed).toEqual([])
  expect(firstRow([{ id: 1 }, { id: 2 }])).toEqual({ id: 1 })
  expect(() => firstRow([])).toThrow('A statement that always answers a row answered none')
})
