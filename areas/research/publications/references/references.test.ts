import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok } from '#tests/university.ts'
import { jobDone, publicationWorld, sentFile, type PublicationWorld } from '../testing.server.ts'
import { whyBroken } from './bibtex.rules.ts'

let w: PublicationWorld
beforeAll(async () => {
  w = await publicationWorld({ work: true })
})
afterAll(() => w.uni.close())

interface Line {
  line: number
  key: string
  title: string | null
  outcome: string
  notes: { code: string }[]
  publication_id: number | null
}
const BIB = String.raw`@string{jl = "Journal of " # "Lighthouses"}
@article{one, title={On the {Keeping} of Lamps}, author={Fahmy, Mona Adel and M{\"u}ller, J\'er\^ome and others},
  journal=jl, year=2021, month=mar, pages={1--20}, doi={https://doi.org/10.1000/L.1}, issn={2049-3630}}

@book{two, title={حراسة المنارات}, author={منى عادل فهمي}, year=2020, publisher={دار النشر}}
@preamble{"\newcommand{\x}{y}"}
@article{three, title={Broken {here}, author={X Y}, year=2001}
@inproceedings{four, title={Fog Signals}, author={Weiss, Peter}, booktitle={Signals 2019}, year={spring 2019}, isbn={123}}
@article{five, title={of the keeping Lamps, ON}, author={Fahmy, Mona Adel}, year=2021, doi={10.1000/l.1}}
@misc{six, author={Nobody}}
@article{seven, title={Unended, author={A B}
`

test('every entry of a file is there, or named with its line and why', async () => {
  const mona = await w.researcher('Mona Adel Fahmy', 0, 'منى عادل فهمي')
  const { import: done, job } = ok(await mona('POST', '/publications/import', sentFile('mine.bib', BIB)))
  expect(job).toBeNull()
  expect(done).toMatchObject({ format: 'bibtex', entries: 7, added: 3, known: 1, wrong: 3 })
  const { lines, count } = ok(await mona('GET', `/publications/imports/${done.id}`))
  expect(count).toBe(9)
  expect(
    lines.map(({ line, key, outcome, notes }: Line) => [line, key, outcome, ...notes.map(({ code }) => code)]),
  ).toEqual([
    [1, '@string', 'read'],
    [2, 'one', 'added', 'reference_and_others'],
    [5, 'two', 'added'],
    [6, '@preamble', 'read'],
    [7, 'three', 'wrong', 'reference_brace_open'],
    [8, 'four', 'added', 'reference_date_kept', 'reference_number_kept', 'reference_not_among_members'],
    [9, 'five', 'known', 'reference_repeats'],
    [10, 'six', 'wrong', 'reference_title_missing'],
    [11, 'seven', 'wrong', 'reference_brace_open'],
  ])
  const [one, two] = await Promise.all(
    [lines[1], lines[2]].map(async ({ publication_id }: Line) =>
      ok(await mona('GET', `/publications/${publication_id}`)),
    ),
  )
  expect(one).toMatchObject({
    kind: 'journal_article',
    title: 'On the Keeping of Lamps',
    venue: 'Journal of Lighthouses',
    pages: '1–20',
    month: 3,
    doi: '10.1000/l.1',
    issn: '2049-3630',
    origin: 'bibtex',
    status: 'draft',
    faculty_id: w.faculty[0],
  })
  expect(two).toMatchObject({ kind: 'book', language: 'ar', title: null, title_local: 'حراسة المنارات' })
  const { members } = ok(await mona('GET', `/publications/parts/${one.id}`))
  expect(members.map((m: { name: string; user: object | null }) => [m.name, m.user !== null])).toEqual([
    ['Mona Adel Fahmy', true],
    ['Jérôme Müller', false],
  ])
  // The same file again: nothing comes twice.
  const again = ok(await mona('POST', '/publications/import', sentFile('mine.bib', BIB)))
  expect(again.import).toMatchObject({ added: 0, known: 4, wrong: 3 })
  const told = ok(await mona('GET', `/publications/imports/${again.import.id}`)).lines as Line[]
  expect(told[1]!.notes.map(({ code }) => code)).toContain('reference_known')
  // Of somebody else: not opened.
  const other = await w.researcher('Other Person', 1)
  expect((await other('GET', `/publications/imports/${done.id}`)).status).toBe(404)
})

test('what is broken is said in the words of the reader, not in those of a parser', async () => {
  const mona = await w.researcher('Rana Broken')
  const broken = [
    '@book{a, title {No equals}}',
    '@book{b, title = "No quotation mark}',
    '@book{c, title = {No comma} year = 2000}',
    '@book d, title = {No brace}}',
    '@book{e, title = {Never closed}, year = {2001}',
    '@book{f, title = {Whole}, year = 2002}',
  ]
  const { id } = ok(await mona('POST', '/publications/import', sentFile('broken.bib', broken.join('\n\n')))).import
  const { lines } = ok(await mona('GET', `/publications/imports/${id}`))
  expect(
    lines.map(({ line, key, notes: [note] }: Line) => [
      line,
      key,
      note?.code,
      (note as { ar?: string } | undefined)?.ar,
    ]),
  ).toEqual([
    [1, 'a', 'reference_equals_missing', 'علامة التساوي غير موجودة بعد «title».'],
    [3, 'b', 'reference_quote_open', 'علامة تنصيص لم تُغلق.'],
    [5, 'c', 'reference_unexpected', 'تنقص فاصلة أو قوس قبل «year = 2000}».'],
    [7, 'd', 'reference_brace_missing', 'القوس بعد نوع المدخل غير موجود.'],
    [9, 'e', 'reference_brace_open', 'قوس فُتح ولم يُغلق قبل المدخل التالي.'],
    [11, 'f', 'reference_members_missing', 'لا يذكر من أعده.'],
  ])
  expect(whyBroken('anything else')).toEqual({ code: 'reference_broken' })
  const json = '[{"id":"a","type":"book","title":"Unbroken"},{"id":"b","type":"book","title":"Comma",,}]'
  const half = ok(await mona('POST', '/publications/import', sentFile('broken.json', json))).import
  const told = ok(await mona('GET', `/publications/imports/${half.id}`)).lines as Line[]
  expect(told.map(({ outcome, notes: [note] }) => [outcome, note?.code])).toEqual([
    ['added', 'reference_year_missing'],
    ['wrong', 'reference_json_broken'],
  ])
})

test('a file is read as what it is, in its encoding, whatever it is called', async () => {
  const mona = await w.researcher('Nour Adel', 0)
  const ris =
    'TY  - JOUR\r\nTI  - Tides\r\nAU  - Adel, Nour\r\nPY  - 2022///\r\nT2  - J Tides\r\nSP  - 5\r\nEP  - 9\r\nER  - \r\nstray\r\nTY  - BOOK\r\nTI  - Waves\r\n'
  const first = ok(await mona('POST', '/publications/import', sentFile('wrong.bib', ris))).import
  expect(first).toMatchObject({ format: 'ris', added: 2, wrong: 1 })
  const csl = JSON.stringify([
    {
      id: 'a',
      type: 'article-journal',
      title: 'Currents',
      author: [{ family: 'Adel', given: 'Nour' }],
      issued: { 'date-parts': [[2023, 4, 31]] },
    },
    { id: 'b', type: 'book' },
  ])
  expect(ok(await mona('POST', '/publications/import', sentFile('x.json', csl))).import).toMatchObject({
    format: 'csl',
    added: 1,
    wrong: 1,
  })
  // Windows-1256, as older Arabic programs write; UTF-16, as others do.
  const arabic = Uint8Array.from(
    [...'@book{k, title={']
      .map((c) => c.charCodeAt(0))
      .concat(
        [0xda, 0xe1, 0xe3, 0x20, 0xc7, 0xe1, 0xc8, 0xcd, 0xd1],
        [...'}, year=1999}'].map((c) => c.charCodeAt(0)),
      ),
  )
  const old = ok(await mona('POST', '/publications/import', sentFile('old.bib', arabic))).import
  const { lines } = ok(await mona('GET', `/publications/imports/${old.id}`))
  expect(lines[0].title).toBe('علم البحر')
  const wide = new Uint8Array(Buffer.from('\uFEFF@book{w, title={Wide}, year=1998}', 'utf16le'))
  expect(ok(await mona('POST', '/publications/import', sentFile('wide.bib', wide))).import.added).toBe(1)
  const codes = async (name: string, content: string | Uint8Array) =>
    (await mona('POST', '/publications/import', sentFile(name, content))).body.errors.map(
      (e: { code: string }) => e.code,
    )
  expect(await codes('a.bib', 'Dear colleague, nothing here.')).toEqual(['reference_format_unknown'])
  expect(await codes('a.json', '[]')).toEqual(['reference_file_empty'])
  expect(await codes('a.bib', Buffer.from('%PDF-1.7 binary'))).toEqual(['file_type_error'])
})

test('a large file is a job, and comes whole', async () => {
  const mona = await w.researcher('Large File', 0)
  const bib = Array.from(
    { length: 3000 },
    (_, i) =>
      `@article{k${i}, title={Large work number ${i}}, author={File, Large and Other${i}, A.}, year=${1980 + (i % 40)}}`,
  ).join('\n')
  const { import: begun, job } = ok(await mona('POST', '/publications/import', sentFile('large.bib', bib)))
  expect(begun).toMatchObject({ entries: 3000, finished_at: null })
  expect((await jobDone(mona, job)).state).toBe('done')
  const { import: done, count } = ok(await mona('GET', `/publications/imports/${begun.id}`))
  expect([done.added, done.known, done.wrong, count]).toEqual([3000, 0, 0, 3000])
  const [{ steps }] = await w.q(
    `select count(*)::int as steps from step_history h join publications p on p.id = h.record_id
    where h.workflow = 'publication' and p.created_by = $1`,
    [mona.user_id],
  )
  expect(steps).toBe(3000)
}, 60_000)

test('what is taken out comes back the same, and is cited in three styles', async () => {
  const mona = await w.researcher('Rana Adel', 0)
  const work = {
    kind: 'journal_article',
    title: 'Cost & Use of {Lamps}: 50%_more #1',
    year: 2023,
    venue: 'Lamps & Lights',
    volume: '7',
    issue: '2',
    pages: '11–19',
    doi: '10.1000/x_(1)',
  }
  const id = await w.add(mona, work)
  ok(
    await mona('PUT', '/publications/members', {
      publication_id: id,
      members: [{ name: 'Peter van der Weiss' }, { name: 'نادية فهمي' }],
    }),
  )
  const out = async (format: string) =>
    (await mona('POST', `/publications/export-references/${format}`, { ids: [id] })).bytes.toString()
  expect(await out('apa')).toContain('Adel, R., van der Weiss, P., & نادية فهمي. (2023).')
  expect(await out('ieee')).toMatch(/^\[1\]\s+R\. Adel, P\. van der Weiss/)
  expect(await out('vancouver')).toMatch(/^1\. Adel R, van der Weiss P/)
  for (const format of ['bibtex', 'ris', 'csl']) {
    const text = await out(format)
    const reader = await w.researcher(`Reader ${format}`, 1)
    await w.q(`update publications set doi = null, removed_at = now() where id = $1`, [id])
    const { import: back } = ok(await reader('POST', '/publications/import', sentFile(`x.${format}`, text)))
    expect(back).toMatchObject({ format, added: 1, wrong: 0 })
    const { lines } = ok(await reader('GET', `/publications/imports/${back.id}`))
    const row = ok(await reader('GET', `/publications/${lines[0].publication_id}`))
    expect(row).toMatchObject(work)
    const { members } = ok(await reader('GET', `/publications/parts/${row.id}`))
    expect(members.map((m: { name: string }) => m.name)).toEqual(['Rana Adel', 'Peter van der Weiss', 'نادية فهمي'])
    await w.q(`update publications set doi = null, removed_at = now() where id = $1`, [row.id])
    await w.q(`update publications set doi = $2, removed_at = null where id = $1`, [id, work.doi])
  }
})
