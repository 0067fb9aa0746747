import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { readCsv } from './csv.rules.ts'

/** Every cell of a text, with the lines. */
const read = (text: string) => {
  const rows: [number, readonly string[]][] = []
  const faults = readCsv(
    text,
    (header) => {
      rows.push([1, header])
      return header.map((_, i) => i)
    },
    (cells, line) => void rows.push([line, cells]),
  )
  return { rows, faults }
}

test('quotes, doubled quotes, line breaks in cells, blank lines, both kinds of line ends, a byte order mark', () => {
  const text = '\ufeffa,b,c\r\n1,"x, ""y""",\r\n\r\n"two\nlines",2 , 3\n,,\n"",4,"5"'
  expect(read(text)).toEqual({
    faults: [],
    rows: [
      [1, ['a', 'b', 'c']],
      [2, ['1', 'x, "y"', '']],
      [4, ['two\nlines', '2', '3']],
      [6, ['', '', '']],
      [7, ['', '4', '5']],
    ],
  })
})
test('only the wanted cells are taken', () => {
  const got: string[][] = []
  readCsv(
    'a,b,c\n1,"2",3\n4,5,6\n',
    () => [0, 2],
    (cells) => void got.push([...cells]),
  )
  expect(got).toEqual([
    ['1', '3'],
    ['4', '6'],
  ])
})
test('what is no CSV is told with its line', () => {
  expect(read('a,b\n1,"2\n').faults).toEqual([{ line: 2, reason: expect.stringContaining('never closed') }])
  expect(read('a,b\n1,"2"x\n').faults).toEqual([{ line: 2, reason: expect.stringContaining('behind') }])
  expect(read('a,b\n1,2"x\n').faults).toEqual([{ line: 2, reason: expect.stringContaining('inside') }])
  expect(read('a,b\n1\n1,2,3\n').faults).toEqual([
    { line: 2, reason: '1 cells under 2 columns' },
    { line: 3, reason: '3 cells under 2 columns' },
  ])
})
test('reads ten thousand random files as another reader does', () => {
  let seed = 7
  const chance = (n: number) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n
  const piece = () => ['a', 'ب', '1', ' ', '"', ',', '\n', '\r\n', 'x y'][chance(9)]!
  const cell = () => {
    const text = Array.from({ length: chance(5) }, piece).join('')
    return /[",\r\n]/.test(text) || chance(4) === 0 ? `"${text.replaceAll('"', '""')}"` : text
  }
  for (let n = 0; n < 10_000; n++) {
    const lines = Array.from({ length: 1 + chance(4) }, () => [cell(), cell(), cell()].join(','))
    const text = lines.join(chance(2) ? '\n' : '\r\n')
    const expected = (parse(text, { trim: true, skip_empty_lines: true }) as string[][]).map((row) =>
      row.map((c) => c.trim()),
    )
    expect(
      read(text).rows.map(([, cells]) => cells),
      JSON.stringify(text),
    ).toEqual(expected)
  }
})
