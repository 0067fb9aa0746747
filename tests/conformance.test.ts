import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { callsOf, KIT_ERRORS, screensOf } from '../kit/contract/index.ts'
import { AREAS } from '../apps/areas.contract.ts'

/**
 * `docs/conformance.md` against the product. What the documents name (calls, screens, texts, names of files: kept in
 * `documents/documents.json`) is either there or has a line that says why not; a line about what is there is a mistake.
 */
const page = readFileSync(new URL('../docs/conformance.md', import.meta.url), 'utf8')
const documents = JSON.parse(readFileSync(new URL('documents/documents.json', import.meta.url), 'utf8')) as {
  /** By area, as `METHOD /path`. */
  readonly calls: Readonly<Record<string, readonly string[]>>
  readonly screens: Readonly<Record<string, readonly string[]>>
  readonly texts: readonly string[]
  readonly files: readonly string[]
}
/** Rows of the tables under a heading. */
const rowsUnder = (heading: string): string[][] => {
  const part = page.split(/^## /m).find((one) => one.startsWith(heading))
  if (!part) throw new Error(`docs/conformance.md has no part "${heading}"`)
  return part
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (what the documents|---)/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
}
const namesIn = (rows: readonly string[][]): string[] =>
  rows.flatMap(([, said = '']) => [...said.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))

/** Addresses alike but for the names of what stands in them; what may be left out is. */
const shape = (path: string): string =>
  path
    .replaceAll(/\/:\w+\?/g, '')
    .replaceAll(/:\w+|\{\w+\}/g, '*')
    .replace(/(?<=.)\/$/, '')
const CALLS = new Set(AREAS.flatMap((area) => callsOf(area).map((call) => `${call.method} ${shape(call.path)}`)))
const SCREENS = new Set(AREAS.flatMap((area) => screensOf(area).map((screen) => shape(screen.path))))
const FILES = new Set(AREAS.flatMap((area) => callsOf(area).flatMap(({ file }) => (file?.fixed ? [file.name] : []))))
const callShape = (line: string): string => {
  const [method, path = ''] = line.split(' ')
  return `${method} ${shape(path)}`
}

/** What the documents name, with whether it is there. */
const NAMED = [
  ...Object.values(documents.calls)
    .flat()
    .map((line) => ({ name: line, path: line.split(' ')[1]!, there: CALLS.has(callShape(line)) })),
  ...Object.values(documents.screens)
    .flat()
    .map((path) => ({ name: path, path, there: SCREENS.has(shape(path)) })),
  ...documents.files.map((name) => ({ name, path: name, there: FILES.has(name) })),
]
/** Whether a line speaks of something: by its name, or by the beginning of its address (`/theses*`). */
const speaksOf = (line: string, { name, path }: { name: string; path: string }): boolean =>
  line.endsWith('*') ? path.startsWith(line.slice(0, -1)) : line === name

test('what the documents name is kept here in full', () => {
  expect(Object.values(documents.calls).flat().length).toBeGreaterThan(600)
  expect(Object.values(documents.screens).flat().length).toBeGreaterThan(250)
  expect(documents.texts.length).toBeGreaterThan(45)
  expect(documents.files.length).toBeGreaterThan(30)
})

describe('calls, screens and names of files', () => {
  const later = namesIn(rowsUnder('Not there yet'))
  const otherwise = namesIn(rowsUnder('Decided otherwise')).filter((line) =>
    NAMED.some((one) => one.name === line && !one.there),
  )

  it('are there, or a line says what they come with', () => {
    const lost = NAMED.filter((one) => !one.there && ![...later, ...otherwise].some((line) => speaksOf(line, one)))
    expect(lost.map(({ name }) => name)).toEqual([])
  })

  it('no line promises what is there, or speaks of what the documents do not name', () => {
    const wrong = later.flatMap((line) => {
      const about = NAMED.filter((one) => speaksOf(line, one))
      if (!about.length) return [`${line}: the documents do not name it`]
      return about.filter(({ there }) => there).map(({ name }) => `${line}: ${name} is there`)
    })
    expect(wrong).toEqual([])
  })
})

describe('texts', () => {
  const fold = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .replaceAll(/\{\w+\}|\d+/g, '#')
      .replace(/\.$/, '')
  const read = (name: string): string[] => {
    const { ui = {} } = JSON.parse(readFileSync(new URL(`../locales/en/${name}`, import.meta.url), 'utf8')) as {
      ui?: Record<string, string>
    }
    return Object.values(ui)
  }
  const said = [
    // Some are the codes themselves.
    ...[KIT_ERRORS, ...AREAS.map((area) => area.errors)].flatMap((errors) =>
      Object.entries(errors).flatMap(([code, [en]]) => [code, en]),
    ),
    ...readdirSync(new URL('../locales/en/', import.meta.url)).flatMap(read),
  ].map(fold)
  const isSaid = (text: string): boolean => said.some((one) => one.includes(fold(text)))
  const reworded = namesIn(rowsUnder('Texts said otherwise'))

  it('are said in the words of the documents, or a line says why not', () => {
    expect(documents.texts.filter((text) => !isSaid(text) && !reworded.includes(text))).toEqual([])
  })

  it('no line is about a text that is said so, or that the documents do not have', () => {
    expect(reworded.filter((text) => isSaid(text) || !documents.texts.includes(text))).toEqual([])
  })
})
