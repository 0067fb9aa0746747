import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  MAX_DEPTH,
  MAX_NAME,
  PART_BYTES,
  accessReasons,
  freeName,
  keyOfName,
  moveReasons,
  nameOfKind,
  nameReasons,
  partReasons,
  partsOfPath,
  reordered,
  tidyEntryName,
} from './archive.rules.ts'
import { MAX_UNZIPPED, planZip } from './import/zip.rules.ts'
import type { ZipEntry } from './import/zip.rules.ts'

const codes = (reasons: readonly { code: string }[]): string[] => [...new Set(reasons.map(({ code }) => code))]

describe('names', () => {
  it.each(['a/b', 'a\\b', 'CON', 'con.txt', 'lpt1', '.', '..', 'end.', 'a:b', 'a\u202Eb', 'a\u0007', 'x|y', 'nul.pdf'])(
    '%j is none',
    (name) => expect(codes(nameReasons(name))).toEqual(['archive_name_unsafe']),
  )
  it.each(['لائحة 2026.pdf', 'Plan (2).pdf', 'console.pdf', 'v1.2', '.hidden'])('%j is one', (name) =>
    expect(nameReasons(name)).toEqual([]),
  )
  it('are there, and not too long', () => {
    expect(codes(nameReasons(''))).toEqual(['required'])
    expect(codes(nameReasons('x'.repeat(MAX_NAME + 1)))).toEqual(['too_long'])
    expect(tidyEntryName('  e\u0301  b ')).toBe('\u00E9 b')
  })
  test('a free name is free, and never too long', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Plan.pdf', 'plan.PDF', 'Plan (2).pdf', 'x'.repeat(MAX_NAME)), { maxLength: 9 }),
        (names) => {
          const taken = new Set<string>()
          for (const name of names) {
            const free = freeName(name, taken)
            expect(taken.has(keyOfName(free))).toBe(false)
            expect(nameReasons(free)).toEqual([])
            taken.add(keyOfName(free))
          }
        },
      ),
    )
    expect(freeName('Plan.pdf', new Set(['plan.pdf']))).toBe('Plan (2).pdf')
  })
  it('say what the content is, or are refused', () => {
    expect(nameOfKind('photo.jpeg', 'jpg')).toEqual({ name: 'photo.jpeg' })
    expect(nameOfKind('report', 'pdf')).toEqual({ name: 'report.pdf' })
    expect(nameOfKind('report v1.2', 'pdf')).toEqual({ name: 'report v1.2.pdf' })
    expect(nameOfKind('page.html', 'png')).toMatchObject({ reason: { code: 'archive_content_differs' } })
    expect(nameOfKind('paper.pdf', 'png')).toMatchObject({ reason: { code: 'archive_content_differs' } })
  })
})

describe('paths', () => {
  it.each(['../x', 'a/../b', '/etc/passwd', 'C:/x', 'a\\b', 'a//b', './a', 'a/CON/b', 'a/..'])(
    '%j leads elsewhere',
    (path) => expect(codes(partsOfPath(path).reasons)).toEqual(['archive_path_unsafe']),
  )
  it('are the folders they name', () => {
    expect(partsOfPath('لوائح/2026/')).toEqual({ parts: ['لوائح', '2026'], reasons: [] })
    expect(partsOfPath('')).toEqual({ parts: [], reasons: [] })
    expect(
      codes(
        partsOfPath(
          Array(MAX_DEPTH + 1)
            .fill('a')
            .join('/'),
        ).reasons,
      ),
    ).toEqual(['archive_too_deep'])
  })
})

test('a new order holds the same entries, the named ones in the order named, the others where they were', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(50), { maxLength: 20 }),
      fc.array(fc.nat(60), { maxLength: 20 }),
      (present, wanted) => {
        const order = reordered(present, wanted)
        expect(order.toSorted()).toEqual(present.toSorted())
        const named = [...new Set(wanted)].filter((id) => present.includes(id))
        expect(order.filter((id) => named.includes(id))).toEqual(named)
        for (const [i, id] of present.entries()) if (!named.includes(id)) expect(order[i]).toBe(id)
      },
    ),
  )
})

test('nothing goes into itself, and the root goes nowhere', () => {
  expect(moveReasons([3], [5, 2, 1])).toEqual([])
  expect(codes(moveReasons([5], [5, 2, 1]))).toEqual(['archive_into_itself'])
  expect(codes(moveReasons([7, 2], [5, 2, 1]))).toEqual(['archive_into_itself'])
  expect(codes(moveReasons([1], [5, 1]))).toEqual(['archive_root'])
})

test('a list of who sees a folder names each once, and whoever writes it stays', () => {
  expect(
    accessReasons(
      [
        { user_id: 1, level: 'edit' },
        { role_id: 1, level: 'view' },
      ],
      true,
    ),
  ).toEqual([])
  expect(codes(accessReasons([{ level: 'view' }, { user_id: 1, role_id: 2, level: 'view' }], true))).toEqual([
    'archive_access_who',
  ])
  expect(
    codes(
      accessReasons(
        [
          { user_id: 1, level: 'edit' },
          { user_id: 1, level: 'view' },
        ],
        true,
      ),
    ),
  ).toEqual(['duplicate'])
  expect(codes(accessReasons([], false))).toEqual(['archive_locks_out'])
})

test('parts follow each other and end where the file ends', () => {
  const upload = { received: 10, size: 20 }
  expect(partReasons({ offset: 10, bytes: 10 }, upload)).toEqual([])
  expect(partReasons({ offset: 0, bytes: 10 }, upload)).toEqual([
    { field: 'offset', code: 'archive_part_order', data: { received: 10 } },
  ])
  expect(codes(partReasons({ offset: 10, bytes: 11 }, upload))).toEqual(['archive_part_size'])
  expect(codes(partReasons({ offset: 10, bytes: 0 }, upload))).toEqual(['archive_part_size'])
  expect(codes(partReasons({ offset: 0, bytes: PART_BYTES + 1 }, { received: 0, size: 2 * PART_BYTES }))).toEqual([
    'archive_part_size',
  ])
})

describe('a ZIP', () => {
  const entry = (name: string, more: Partial<ZipEntry> = {}): ZipEntry => ({
    name,
    compressed: 10,
    size: 10,
    method: 8,
    encrypted: false,
    special: false,
    ...more,
  })
  const why = (...entries: ZipEntry[]) => codes(planZip(entries).reasons)
  it('brings folders, each after the one around it, and files', () => {
    const { plan, reasons } = planZip([
      entry('a/b/x.pdf'),
      entry('A/'),
      entry('A/y.pdf'),
      entry('__MACOSX/._x'),
      entry('z.pdf'),
    ])
    expect(reasons).toEqual([])
    expect(plan.folders).toEqual([['a'], ['a', 'b']])
    expect(plan.files.map(({ path }) => path.join('/'))).toEqual(['a/b/x.pdf', 'a/y.pdf', 'z.pdf'])
  })
  it.each([
    ['out of its folder', [entry('../x.pdf')], 'archive_path_unsafe'],
    ['an absolute name', [entry('/x.pdf')], 'archive_path_unsafe'],
    ['two names that differ by case', [entry('a/X.pdf'), entry('A/x.PDF')], 'archive_zip_twice'],
    ['a file that is a folder too', [entry('a'), entry('a/b.pdf')], 'archive_zip_twice'],
    ['a bomb', [entry('x.csv', { size: 10_000_000_000, compressed: 10_000_000 })], 'archive_zip_grows'],
    [
      'a bomb of a size that files have',
      [entry('x.csv', { size: 100_000_000, compressed: 100_000 })],
      'archive_zip_grows',
    ],
    ['a password', [entry('x.pdf', { encrypted: true })], 'archive_zip_encrypted'],
    ['a link', [entry('x.pdf', { special: true })], 'archive_zip_special'],
    ['another way to pack', [entry('x.pdf', { method: 12 })], 'archive_zip_special'],
    ['nothing', [], 'archive_zip_empty'],
  ])('%s is refused', (_what, entries, code) => expect(why(...entries)).toContain(code))
  it('of too many entries, or too much in all, is refused', () => {
    expect(why(...Array.from({ length: 5001 }, (_, i) => entry(`${i}.pdf`)))).toEqual(['archive_zip_entries'])
    const half = { size: MAX_UNZIPPED / 2 + 1, compressed: MAX_UNZIPPED / 2 }
    expect(why(entry('a.pdf', half), entry('b.pdf', half))).toEqual(['archive_zip_large'])
  })
})
