/** Statistical returns through HTTP: a template uploaded, filled, checked, sent, corrected; figures against SQL written apart. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { figureValues } from '#areas/office/reports/figures/values.server.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { drawBook, type DrawnCell } from './templates/draw.server.ts'

let u: TestUniversity
let officer: Caller
let other: Caller
let year: number
let term: number
const q = async <Row = Record<string, any>>(text: string, values: unknown[] = []) =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  Number(Object.values((await q(text, values))[0]!)[0])
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  officer = await u.as('registrar')
  other = await u.as('registrar')
  term = await one(`select term_id from current_terms where key = 'current_term'`)
  year = await one('select year_id from terms where id = $1', [term])
}, 720_000)
afterAll(() => u?.close())

async function uploads(by: Caller, id: number, content: Uint8Array, name = 'sheet.xlsx'): Promise<Answer> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), name)
  const encoded = new Response(form)
  const answer = await u.app.inject({
    method: 'PUT',
    url: `/api/return-templates/${id}/sheet`,
    headers: { authorization: `Bearer ${by.token}`, 'content-type': encoded.headers.get('content-type')! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() } as Answer
}
let templates = 0
async function template(rows: readonly (readonly DrawnCell[])[], threshold: number | null = null): Promise<number> {
  const code = `T${++templates}`
  const { id } = ok(
    await officer('PUT', '/return-templates', { code, name: 'Template', name_local: 'نموذج', threshold }),
  )
  ok(
    await uploads(
      officer,
      id,
      drawBook([{ name: 'Students', rtl: false, rows, merges: rows[0]!.length === 1 ? ['A1:C1'] : [] }]),
    ),
  )
  return id
}
const begin = async (template_id: number, more: object = {}): Promise<number> =>
  ok(await officer('PUT', '/statistical-returns', { template_id, year_id: year, ...more })).id
const version = (id: number) => one('select version from statistical_returns where id = $1', [id])
const fill = async (id: number, more: object = {}, by = officer) =>
  by('POST', `/statistical-returns/fill/${id}`, { version: await version(id), ...more })
const show = async (id: number) => ok(await officer('GET', `/statistical-returns/sheet/${id}`))
const step = (id: number, action: string, body: object = {}, by = officer) =>
  by('POST', `/statistical-returns/${action}/${id}`, body)
async function sheetOf(id: number) {
  const { bytes } = await officer('GET', `/statistical-returns/file/${id}`)
  const { sheets } = await readSheet(bytes, { maxRows: 2000 })
  return {
    bytes,
    at: (row: number, column: number) =>
      sheets[0]!.rows[row - 1]?.[column - 1] ?? { text: '', type: 'empty' as const, formula: undefined },
  }
}
const FACULTY = `(select code from faculties where id = 1)`

describe('figures of a filled sheet', () => {
  it('are those of plain SQL written apart', async () => {
    const [{ code }] = (await q(`select code from faculties where id = 1`)) as [{ code: string }]
    const person = `count(distinct coalesce(user_id, -id))`
    const studying = `students where removed_at is null and status = 'studying'`
    const load = `exists (select from unnest(array[262144, 4194304, 8388608, 16777216, 512, 1024, 134217728, 67108864, 268435456, 2048]::bigint[]) f where r.status & f <> 0)`
    const reg = `registrations r join students s on s.id = r.student_id and s.removed_at is null join terms t on t.id = r.term_id`
    const cells: [text: string, plain: string][] = [
      ['{{students}}', `select ${person} from ${studying}`],
      [`{{students|faculty=${code}}}`, `select ${person} from ${studying} and faculty_id = 1`],
      [
        `{{students|faculty=${code.toLowerCase()}|gender=f|level=1}}`,
        `select ${person} from ${studying} and faculty_id = 1 and gender = 2 and level = 1`,
      ],
      [`{{ Students | gender = أنثى }}`, `select ${person} from ${studying} and gender = 2`],
      ['{{students|level=1,2}}', `select ${person} from ${studying} and level in (1, 2)`],
      [
        '{{people|status=suspended}}',
        `select ${person} from students where removed_at is null and status = 'suspended'`,
      ],
      ['{{mean_gpa}}', `select round(avg(gpa), 2) from ${studying}`],
      ['{{registered}}', `select count(*) from ${reg} where t.year_id = ${year} and ${load}`],
      [
        '{{registered_students|term=this}}',
        `select count(distinct coalesce(s.user_id, -s.id)) from ${reg} where r.term_id = ${term} and ${load}`,
      ],
      [
        '{{hours|year=this|level=2}}',
        `select sum(r.credit_hours) from ${reg} where t.year_id = ${year} and ${load} and s.level = 2`,
      ],
      ['{{graduates}}', `select count(*) from students where status = 'graduated' and removed_at is null`],
      [
        '{{meetings|meeting=Lab|term=this}}',
        `select count(*) from offering_slots m join offerings o on o.id = m.offering_id and o.removed_at is null where o.term_id = ${term} and m.type = 'Lab'`,
      ],
    ]
    const id = await begin(await template([['Title'], ...cells.map(([text], i) => [`Row ${i}`, text])]), {
      term_id: term,
    })
    // Of a term: cells that name none are of it.
    const plain = cells.map(([text, sql]) =>
      text === '{{registered}}' ? sql.replace(`t.year_id = ${year}`, `r.term_id = ${term}`) : sql,
    )
    ok(await fill(id))
    const { at } = await sheetOf(id)
    for (const [i, sql] of plain.entries())
      expect([cells[i]![0], Number(at(i + 2, 2).text)]).toEqual([cells[i]![0], await one(sql)])
    // The figures say the same.
    const { figures, findings } = await show(id)
    expect(figures.map(({ value }: { value: number }) => value)).toEqual(cells.map((_, i) => Number(at(i + 2, 2).text)))
    expect(findings).toEqual([])
  })
  it('are of one moment: one statement reads the cells of a sheet', async () => {
    const asked = (['students', 'registered_students', 'graduates', 'retention', 'mean_gpa'] as const).flatMap(
      (measure) => [
        { measure, filters: [] },
        { measure, filters: [{ by: 'gender' as const, values: [1] }] },
        { measure, filters: [{ by: 'gender' as const, values: [1, 2] }] },
      ],
    )
    const told = await figureValues(u.database.db, asked)
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    try {
      expect(await figureValues(u.database.db, asked)).toEqual(told)
      expect(sent).toHaveBeenCalledOnce()
      expect(await figureValues(u.database.db, [])).toEqual([])
      expect(sent).toHaveBeenCalledOnce()
    } finally {
      sent.mockRestore()
    }
  })
  it('stand in the sheet as it was drawn: formats, formulas and merged cells stay, words are filled, nothing becomes a formula', async () => {
    await q(`update years set name = '=1+1' where id = $1`, [year])
    const id = await begin(
      await template([
        [['Year {{year}}', 2]],
        ['{{students|level=1}}', '{{students|level=2}}', '=SUM(A2:B2)'],
        ['{{year}}'],
      ]),
    )
    ok(await fill(id))
    const { bytes, at } = await sheetOf(id)
    await q(`update years set name = code where id = $1`, [year])
    expect([at(1, 1).text, at(3, 1).text, at(3, 1).formula]).toEqual(['Year =1+1', '=1+1', undefined])
    const parts = unzipSync(bytes)
    const xml = strFromU8(parts['xl/worksheets/sheet1.xml']!)
    expect(xml).toContain('<mergeCell ref="A1:C1"/>')
    expect(xml).toContain('<f>SUM(A2:B2)</f></c>')
    expect(xml).toMatch(/<c r="A2" s="1"><v>\d+<\/v><\/c>/)
    expect(strFromU8(parts['xl/workbook.xml']!)).toContain('fullCalcOnLoad="1"')
    expect(xml).not.toContain('{{')
  })
})

describe('what is found', () => {
  it('names each cell that cannot be read, by its kind; no reason makes it a figure', async () => {
    const rows = [
      ['{{nobody}}', '{{students|course=CS101}}', '{{students|faculty=NOWHERE}}'],
      ['{{students', '{{students|gender=x}}', 'All: {{students}}'],
    ]
    const id = await begin(await template(rows))
    const { findings: count } = ok(await fill(id))
    expect(count).toBe(6)
    const { findings } = await show(id)
    expect(findings.map(({ kind, cell }: any) => `${cell} ${kind}`).toSorted()).toEqual([
      'A1 measure',
      'A2 broken',
      'B1 filter',
      'B2 code',
      'C1 code',
      'C2 broken',
    ])
    expect(findings.find(({ cell }: any) => cell === 'C1').data).toEqual({ code: 'NOWHERE', by: 'faculty' })
    const accept = { finding_id: findings[0].id, reason: 'It is so.' }
    expect(said(await step(id, 'accept', accept))).toEqual([422, ['return_finding_mend@finding_id']])
    expect(said(await step(id, 'check'))).toEqual([409, ['return_findings_open']])
    // Nothing of this program is left in what would be sent.
    expect((await sheetOf(id)).at(1, 1).type).toBe('empty')
  })
  it('names sums that do not match and cells without a figure; they are accepted with a reason, which holds while they are the same', async () => {
    const id = await begin(
      await template([
        ['{{students|level=1}}', '{{students|level=2}}', '{{students|sum=A1:B1}}', '{{mean_gpa|level=7}}'],
      ]),
    )
    expect(said(await step(id, 'check'))).toEqual([409, ['return_not_filled']])
    ok(await fill(id))
    const { findings } = await show(id)
    expect(findings.map(({ kind, cell }: any) => `${cell} ${kind}`).toSorted()).toEqual(['C1 sum', 'D1 empty'])
    expect(said(await step(id, 'check'))).toEqual([409, ['return_findings_open']])
    const other = await begin(await template([['{{students|level=1}}']]))
    expect((await step(other, 'accept', { finding_id: findings[0].id, reason: 'Not of it.' })).status).toBe(404)
    for (const { id: finding_id } of findings)
      ok(await step(id, 'accept', { finding_id, reason: 'Other levels stand elsewhere.' }))
    ok(await fill(id))
    expect((await show(id)).findings.map(({ reason }: any) => reason)).toEqual(
      Array(2).fill('Other levels stand elsewhere.'),
    )
    // The sum is another one now: it is looked at again.
    const student = await one(
      `select id from students where level = 1 and status = 'studying' and removed_at is null limit 1`,
    )
    await q('update students set level = 2 where id = $1', [student])
    await q('update students set level = 3 where id = $1', [student])
    ok(await fill(id))
    const again = (await show(id)).findings
    expect(again.filter(({ reason }: any) => reason === null).map(({ cell }: any) => cell)).toEqual(['C1'])
    ok(await step(id, 'accept', { finding_id: again.find(({ cell }: any) => cell === 'C1').id, reason: 'As above.' }))
    ok(await step(id, 'check'))
    expect(said(await step(id, 'accept', { finding_id: again[0].id, reason: null }))).toEqual([409, ['return_sent']])
    expect(said(await fill(id))).toEqual([409, ['return_sent']])
  })
  it('names what changed against the last return that was sent by more than the threshold', async () => {
    const of = await template([['{{students|level=1}}', '{{students|level=2}}']], 10)
    const before = await one(
      `select id from years where start_date < (select start_date from years where id = $1) order by start_date desc limit 1`,
      [year],
    )
    const last = await begin(of, { year_id: before })
    ok(await fill(last))
    ok(await step(last, 'check'))
    // Until it was sent, nothing is compared with it.
    const early = await begin(of)
    expect((await show(early)).before).toBeNull()
    ok(await officer('DELETE', `/statistical-returns/${early}`))
    ok(await step(last, 'send'))
    const now = (await show(last)).figures.map(({ value }: any) => value)
    const id = await begin(of)
    ok(await fill(id))
    expect((await show(id)).findings).toEqual([])
    expect((await show(id)).before).toMatchObject({ id: last })
    await q(
      `update students set status = status, level = 3 where id in (select id from students where level = 1 and status = 'studying' and removed_at is null limit $1)`,
      [Math.ceil(now[0] * 0.2)],
    )
    ok(await fill(id))
    const { findings, figures } = await show(id)
    expect(findings.map(({ kind, cell }: any) => `${cell} ${kind}`)).toEqual(['A1 change'])
    expect(findings[0].data).toMatchObject({ before: now[0], value: figures[0].value })
    // What was sent stays, and says which figure would be another today.
    const today = ok(await officer('GET', `/statistical-returns/today/${last}`))
    expect(today.others).toEqual([
      { sheet: 'Students', cell: 'A1', text: '{{students|level=1}}', kept: now[0], now: figures[0].value },
    ])
    expect((await show(last)).figures.map(({ value }: any) => value)).toEqual(now)
  })
})

describe('the way of a return', () => {
  it('in work, checked, sent, corrected by another in its place; what was sent stays', async () => {
    const of = await template([['{{students}}']])
    const id = await begin(of)
    expect(said(await officer('PUT', '/statistical-returns', { template_id: of, year_id: year }))[1][0]).toMatch(
      /^return_twice/,
    )
    ok(await fill(id))
    expect(said(await step(id, 'send'))[0]).toBe(409)
    ok(await step(id, 'check'))
    // What was checked stays as it was looked at, until it is opened again.
    expect(said(await fill(id))).toEqual([409, ['return_sent']])
    ok(await step(id, 'reopen'))
    ok(await step(id, 'check'))
    ok(await step(id, 'send'))
    const [sent] = await q('select sent_at, sent_by from statistical_returns where id = $1', [id])
    expect(sent!.sent_by).toBe(officer.user_id)
    const { bytes } = await officer('GET', `/statistical-returns/file/${id}`)
    expect((await officer('DELETE', `/statistical-returns/${id}`)).status).toBeGreaterThanOrEqual(409)
    await expect(q(`update statistical_returns set figures = '[]' where id = $1`, [id])).rejects.toThrow('return_sent')
    await expect(q(`delete from statistical_returns where id = $1`, [id])).rejects.toThrow('return_sent')
    expect(said(await step(id, 'correct'))[0]).toBe(422)
    ok(await step(id, 'correct', { reason: 'A program was counted twice.' }))
    const { corrected_by } = await show(id)
    expect(await q('select status, replaces_id from statistical_returns where id = $1', [corrected_by])).toEqual([
      { status: 'draft', replaces_id: id },
    ])
    expect((await officer('GET', `/statistical-returns/file/${id}`)).bytes.equals(bytes)).toBe(true)
    // By one other only, whoever writes.
    await expect(
      q(
        `insert into statistical_returns (template_id, edition_id, year_id, replaces_id)
         select template_id, edition_id, year_id, id from statistical_returns where id = $1`,
        [id],
      ),
    ).rejects.toThrow('return_corrected_once')
    ok(await fill(corrected_by))
    ok(await step(corrected_by, 'check'))
    ok(await step(corrected_by, 'send'))
  })
  it('two officers at once: who comes second hears of it', async () => {
    const id = await begin(await template([['{{students}}']]))
    const seen = await version(id)
    const answers = await Promise.all([
      officer('POST', `/statistical-returns/fill/${id}`, { version: seen }),
      other('POST', `/statistical-returns/fill/${id}`, { version: seen }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.map(said).find(([status]) => status === 409)).toEqual([409, ['return_changed']])
    const checks = await Promise.all([step(id, 'check'), step(id, 'check', {}, other)])
    expect(checks.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
  it('of a term of another year, or of a template without a sheet, is none', async () => {
    const of = await template([['{{students}}']])
    const before = await one('select id from years where id <> $1 order by start_date desc limit 1', [year])
    const body = { template_id: of, year_id: before, term_id: term }
    expect(said(await officer('PUT', '/statistical-returns', body))).toEqual([422, ['return_term_of_year@term_id']])
    const { id } = ok(await officer('PUT', '/return-templates', { code: 'EMPTY', name: 'Empty', name_local: 'فارغ' }))
    expect(said(await officer('PUT', '/statistical-returns', { template_id: id, year_id: year }))).toEqual([
      422,
      ['return_without_sheet@template_id'],
    ])
  })
})

describe('a template', () => {
  it('that changes while a return is in work leaves it its edition, until the newest is asked for', async () => {
    const of = await template([['{{students|level=1}}', '{{nothing}}']])
    const id = await begin(of)
    ok(await fill(id))
    const shown = ok(await officer('GET', `/return-templates/${of}/sheet`))
    expect(shown.cells.map(({ mistake }: any) => mistake?.kind ?? null)).toEqual([null, 'measure'])
    const set = { edition_id: shown.edition.id, sheet: 'Students', cell: 'B1', text: '{{students|level=2}}' }
    ok(await officer('POST', `/return-templates/${of}/cell`, set))
    // Who looked at the edition before is told.
    expect(said(await other('POST', `/return-templates/${of}/cell`, set))).toEqual([409, ['return_template_changed']])
    ok(await fill(id))
    let now = await show(id)
    expect([now.edition, now.findings.length]).toEqual([{ number: 1, newest: 2 }, 1])
    ok(await fill(id, { newest: true }))
    now = await show(id)
    expect([now.edition, now.findings, now.figures.length]).toEqual([{ number: 2, newest: 2 }, [], 2])
  })
  it('is set in a cell that was empty, or not there yet; never in a formula', async () => {
    const of = await template([['a', null, 'c'], ['=SUM(A1:A1)']])
    const set = async (cell: string, text: string) => {
      const { edition } = ok(await officer('GET', `/return-templates/${of}/sheet`))
      return officer('POST', `/return-templates/${of}/cell`, { edition_id: edition.id, sheet: 'Students', cell, text })
    }
    ok(await set('B1', '{{students}}'))
    ok(await set('C2', '{{people}}'))
    expect(said(await set('A2', '{{people}}'))).toEqual([422, ['return_cell_formula@cell']])
    expect(said(await set('ZZ99', '{{people}}'))).toEqual([422, ['return_cell_missing@cell']])
    const { cells } = ok(await officer('GET', `/return-templates/${of}/sheet`))
    expect(cells.map(({ cell, text }: any) => `${cell} ${text}`)).toEqual(['B1 {{students}}', 'C2 {{people}}'])
  })
  it.each<[string, () => Uint8Array, string]>([
    ['no spreadsheet', () => strToU8('a,b'), 'file_type'],
    ['a ZIP that is none', () => zipSync({ 'a.txt': strToU8('a') }), 'file_type'],
    ['a bomb', () => bomb(), 'sheet_too_large@file'],
    [
      'one that fetches',
      () => drawBook([{ name: 'S', rtl: false, rows: [['=WEBSERVICE("http://a")']], merges: [] }]),
      'sheet_reaches_out@file',
    ],
    [
      'one that starts a program',
      () => drawBook([{ name: 'S', rtl: false, rows: [["=cmd|'/c calc'!A1"]], merges: [] }]),
      'sheet_reaches_out@file',
    ],
  ])('refuses %s', async (_what, content, reason) => {
    const of = await template([['{{students}}']])
    const [status, codes] = said(await uploads(officer, of, content()))
    expect(status).toBe(422)
    if (reason !== 'file_type') expect(codes).toEqual([reason])
    expect(await one('select count(*) from return_template_editions where template_id = $1', [of])).toBe(1)
  })
})
/** A sheet whose part grows a thousand times. */
function bomb(): Uint8Array {
  const parts = unzipSync(drawBook([{ name: 'S', rtl: false, rows: [['a']], merges: [] }]))
  parts['xl/worksheets/sheet1.xml'] = strToU8(`<worksheet>${' '.repeat(60_000_000)}</worksheet>`)
  return zipSync(parts)
}

describe('who', () => {
  it('officers of the whole university alone: not a dean, not a registrar of a faculty', async () => {
    const of = await template([[`{{students|faculty=${(await q(`select ${FACULTY} as code`))[0]!.code}}}`]])
    const id = await begin(of)
    for (const who of [
      await u.as('dean', ['faculty', 1]),
      await u.as('registrar', ['faculty', 1]),
      await u.as('student'),
    ]) {
      expect((await who('GET', `/statistical-returns/sheet/${id}`)).status).toBe(403)
      expect((await who('GET', `/return-templates/${of}/sheet`)).status).toBe(403)
      expect((await fill(id, {}, who)).status).toBe(403)
      expect((await step(id, 'check', {}, who)).status).toBe(403)
      expect((await who('PUT', '/statistical-returns', { template_id: of, year_id: year })).status).toBe(403)
    }
    expect((await u.nobody('GET', `/statistical-returns/file/${id}`)).status).toBe(401)
  })
})

describe('the demo university', () => {
  it('has returns in every state, each with its file', async () => {
    const rows = await q(
      `select r.id, r.status from statistical_returns r join return_templates t on t.id = r.template_id where t.code = 'MOHE-STUDENTS'`,
    )
    expect(rows.map(({ status }) => status).toSorted()).toEqual(['checked', 'corrected', 'draft', 'filed'])
  })
})
