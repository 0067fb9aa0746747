import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inLanguage, inSheets, refName, resourceCalls } from '#kit/contract/index.ts'
import { addMethod, listPath } from '#kit/contract/resource.ts'
import type { Area, Call, Field, Fields, Resource } from '#kit/contract/index.ts'
import { readSheet, writeSheet } from '#kit/server/sheets/index.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { share } from './share.ts'
import { demoDatabase } from './demo.ts'
import { generate } from './generate.ts'
import { reasons, testUniversity } from './university.ts'
import type { Answer, Caller, TestUniversity } from './university.ts'

/**
 * What every resource promises by being defined: its list, its record from creation to restoration, its history, its
 * sheets in and out. Valid values come from records of the demo university, so nothing is written here per resource.
 */
const RESOURCES = AREAS.flatMap((area) => area.resources.map((r) => [r.name, r, area] as const))
type Row = Record<string, any>

let university: TestUniversity
let admin: Caller
/** A proof is a file that whoever asks has handed in. */
let ownFile: number
const PROVEN: ReadonlySet<string> = new Set(['nameChange'])
beforeAll(async () => {
  university = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  const { rows } = await university.database.pool.query<{ id: number }>(
    'select id from users where is_super_admin order by id limit 1',
  )
  admin = await university.signIn(rows[0]!.id)
  const files = await university.database.pool.query<{ id: number }>(
    `insert into files (hash, name, ext, mime, size, created_by) values (repeat('0', 64), 'proof.png', 'png', 'image/png', 100, $1) returning id`,
    [admin.user_id],
  )
  ownFile = files.rows[0]!.id
}, 1_200_000)
afterAll(() => university?.close())

/** The calls of a resource that its area did not replace by own ones. */
function generic(r: Resource, area: Area): Record<string, Call> {
  const own = new Set(area.calls.map((c) => `${c.method} ${c.path}`))
  return Object.fromEntries(
    Object.entries(resourceCalls(r) as unknown as Record<string, Call>).filter(
      ([, c]) => !own.has(`${c.method} ${c.path}`),
    ),
  )
}
const fine = (answer: Answer): any => {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body?.data ?? answer.body
}
const listed = async (r: Resource, query: Row = {}): Promise<{ data: Row[]; count: number }> => {
  const answer = await admin('POST', listPath(r), query)
  if (answer.status !== 200)
    throw new Error(`${JSON.stringify(query)}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { data: answer.body.data, count: answer.body.meta.count }
}

/** Sends a sheet as a browser does. */
async function upload(path: string, name: string, content: Uint8Array): Promise<Answer> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), name)
  const encoded = new Response(form)
  const answer = await university.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': encoded.headers.get('content-type')! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers }
}

// --- Valid values ---------------------------------------------------------------------------------------------------

let count = 0
const later = (text: string, years: number) => text.replace(/^\d{4}/, (year) => String(Number(year) + years))
/** What identifies a record, new each time. */
const identity = (field: Field, row: Row = {}, years = 0): unknown => {
  const n = String(++count).padStart(5, '0')
  const letters = [...n].map((digit) => 'abcdefghij'[Number(digit)]).join('')
  switch (field.kind) {
    case 'code':
      return field.year ? String(1000 + count) : `ZZ${n}`
    case 'text':
      return `Test record ${field.person ? letters : n}`
    case 'localText':
      return `سجل للاختبار ${'أبتثجحخدذر'[count % 10]}${'سشصضطظعغفق'[Math.floor(count / 10) % 10]}`
    case 'email':
      return `record${n}@university.example`
    case 'nationalId': {
      // Of the day and the gender that stand beside it.
      const [year = '1998', month = '01', day = '01'] = later(String(row.birth_date ?? '1998-01-01'), years).split('-')
      return `${year.startsWith('19') ? 2 : 3}${year.slice(2)}${month}${day}${n}${row.gender === 2 ? 2 : 1}0`
    }
    case 'passport':
      return `Z98${n}`
    case 'phone':
      return `+2012345${n}`
    default:
      return undefined
  }
}
const fieldsOf = (r: Resource) => Object.entries(r.fields as Fields)

/** Input like a record that is there, but for what identifies it. Days move on by so many years. */
function likeness(r: Resource, row: Row, years = 0): Row {
  const out: Row = {}
  for (const [name, field] of fieldsOf(r)) {
    if (field.readOnly) continue
    const value = row[name]
    const unique =
      ['code', 'key', 'name', 'name_local'].includes(name) || ['email', 'nationalId', 'passport'].includes(field.kind)
    if (value === null || value === undefined) {
      if (field.required) out[name] = generate(field.schema as never, { id: () => 1 }, name)
    } else if (unique) out[name] = identity(field, row, years)
    else if (field.kind === 'lookups') out[name] = (value as Row[]).map((one) => one.id)
    // Lines of another record: without its ids.
    else if (field.kind === 'rows')
      out[name] = (value as Row[]).map((line) =>
        Object.fromEntries(Object.keys(field.rows!.fields).map((part) => [part, line[part]])),
      )
    else if (field.kind === 'file') out[name] = PROVEN.has(r.name) ? ownFile : (value as Row).id
    else if (field.kind === 'date' || field.kind === 'instant') out[name] = later(String(value), years)
    else out[name] = value
  }
  return out
}

/** A new record, made like one of those that are there. */
async function create(r: Resource): Promise<{ id: number; input: Row; row: Row }> {
  const refusals = new Set<string>()
  for (const input of r.examples ?? []) {
    const answer = await admin(addMethod(r), r.path, input)
    if (answer.status === 200) return { id: answer.body.data.id, input, row: answer.body.data }
    refusals.add(`${answer.status} ${reasons(answer).join(', ')}`)
  }
  const { data } = await listed(r, { perPage: 40 })
  const rows = data.length
    ? await Promise.all(
        [data[0]!, data.at(-1)!, data[data.length >> 1]!].map(
          async (one) => fine(await admin('GET', `${r.path}/${one.id}`)) as Row,
        ),
      )
    : [{}]
  for (const row of rows) {
    for (const years of [0, 20, 21]) {
      const input = likeness(r, row, years)
      const answer = await admin(addMethod(r), r.path, input)
      if (answer.status === 200) return { id: answer.body.data.id, input, row: answer.body.data }
      refusals.add(`${answer.status} ${reasons(answer).join(', ')}`)
    }
  }
  // What most of them are about may be over: one that was not accepted is about something that runs, and many begin in one state.
  const { data: most } = await listed(r, { perPage: 500 })
  const states = r.list.filters.includes('status') ? (r.fields.status?.choices ?? []).map(({ value }) => value) : []
  const each = await Promise.all(states.map((status) => listed(r, { perPage: 1, filters: { status } })))
  const all = [...each.flatMap(({ data: of }) => of), ...most]
  for (const one of all.filter(({ status }) => status && status !== 'accepted').slice(0, 40)) {
    const input = likeness(r, fine(await admin('GET', `${r.path}/${one.id}`)) as Row)
    const answer = await admin(addMethod(r), r.path, input)
    if (answer.status === 200) return { id: answer.body.data.id, input, row: answer.body.data }
    refusals.add(`${answer.status} ${reasons(answer).join(', ')}`)
  }
  throw new Error(`no ${r.name} can be created: ${[...refusals].join('; ')}`)
}

/** A value as somebody types it into a sheet in English. */
function typed(field: Field, name: string, row: Row): string | number | null {
  const value = row[name]
  if (value === null || value === undefined) return null
  const label = (one: unknown) => inLanguage(field.choices!.find((c) => c.value === one)!.label, 'en')
  switch (field.kind) {
    case 'lookup':
      return row[refName(name)]?.code ?? row[refName(name)]?.name ?? null
    case 'lookups':
      return (value as Row[]).map((one) => one.code ?? one.name).join('; ')
    case 'choice':
      return label(value)
    case 'choices':
      return (value as unknown[]).map(label).join('; ')
    case 'flag':
      return value ? 'Yes' : 'No'
    case 'money':
      return Number(value) / 100
    case 'instant':
      return String(value)
        .replace('T', ' ')
        .replace(/\.\d+Z$/, 'Z')
    default:
      return value as string | number
  }
}

it('no field takes more than its column holds', async () => {
  const { rows } = await university.database.pool.query<{
    table_name: string
    column_name: string
    data_type: string
    numeric_precision: number | null
    numeric_scale: number | null
  }>(`select table_name, column_name, data_type, numeric_precision, numeric_scale from information_schema.columns
    where table_schema = 'public'`)
  const columns = new Map(rows.map((row) => [`${row.table_name}.${row.column_name}`, row]))
  const problems = RESOURCES.flatMap(([name, r]) =>
    Object.entries(r.fields as Fields).flatMap(([key, field]) => {
      const column = columns.get(`${r.table}.${key}`)
      // What is only read is filtered by.
      if (!column || field.kind === 'lookup' || field.kind === 'file') return []
      const beyond =
        column.data_type === 'smallint'
          ? [2 ** 15, -(2 ** 15) - 1]
          : column.data_type === 'integer'
            ? [2 ** 31, -(2 ** 31) - 1]
            : column.data_type === 'bigint'
              ? ['9223372036854775808', 2 ** 63]
              : column.data_type === 'numeric' && column.numeric_precision !== null
                ? [String(10 ** (column.numeric_precision - (column.numeric_scale ?? 0)))]
                : column.data_type === 'date'
                  ? ['0000-01-01']
                  : column.data_type.startsWith('timestamp')
                    ? ['0000-01-01T00:00:00Z', '2027-01-01T00:00:00+23:59']
                    : []
      return beyond
        .filter((value) => field.schema.safeParse(value).success)
        .map((value) => `${name}.${key} takes ${value}`)
    }),
  )
  expect(problems).toEqual([])
})

it('every resource has records in the demo university: a *.demo.ts beside its definition brings them', async () => {
  const { rows } = await university.database.pool.query<{ name: string }>(
    RESOURCES.map(([name, r]) => `select '${name}' as name where not exists (select from "${r.table}")`).join(
      ' union all ',
    ),
  )
  expect(rows.map(({ name }) => name)).toEqual([])
})

describe.each(share(RESOURCES, 4))('%s', (_name, r, area) => {
  const calls = generic(r, area)
  const has = (...names: string[]) => names.every((name) => calls[name])

  describe.runIf(has('list'))('its list', () => {
    it('sorts by every column it declares, both ways', async () => {
      const { count: all } = await listed(r)
      for (const order_by of r.list.sort) {
        const ids: number[][] = []
        for (const order_direction of ['asc', 'desc']) {
          const { data, count: n } = await listed(r, { order_by, order_direction, perPage: 500 })
          expect(n, order_by).toBe(all)
          ids.push(data.map((row) => row.id))
        }
        if (all <= 500)
          expect(
            ids[0]!.toSorted((a, b) => a - b),
            order_by,
          ).toEqual(ids[1]!.toSorted((a, b) => a - b))
      }
      expect(reasons(await admin('POST', listPath(r), { order_by: 'id; drop table users' }))).toEqual([
        'sort_not_allowed@order_by',
      ])
    })
    it('pages without overlap', async () => {
      const [one, two] = [await listed(r, { perPage: 3 }), await listed(r, { perPage: 3, page: 2 })]
      expect(one.data.length).toBe(Math.min(3, one.count))
      expect(two.data.filter((row) => one.data.some((other) => other.id === row.id))).toEqual([])
      expect(await listed(r, { page: 100_000 })).toEqual({ data: [], count: one.count })
      expect((await admin('POST', listPath(r), { perPage: 501 })).status).toBe(422)
    })
    it('can be chosen from, where it is a lookup', async () => {
      const answer = await admin('POST', '/lookups/get', { name: r.name, limit: 100 })
      expect([200, 404], `${answer.status}: ${reasons(answer).join(', ')}`).toContain(answer.status)
    })
    it('filters by every column it declares', async () => {
      const { data } = await listed(r, { perPage: 100 })
      const wrong: string[] = []
      for (const name of r.list.filters) {
        const field = (r.fields as Fields)[name]!
        const row = data.find(
          (one) => one[name] !== null && one[name] !== undefined && !(Array.isArray(one[name]) && !one[name].length),
        )
        if (!row) continue
        const value =
          field.kind === 'lookups'
            ? row[name][0].id
            : field.kind === 'choices'
              ? row[name][0]
              : field.kind === 'file'
                ? true
                : row[name]
        const found = await listed(r, { filters: { [name]: value }, perPage: 500 })
        if (!found.count) wrong.push(`${name} = ${JSON.stringify(value)} finds nothing`)
        else if (found.count <= 500 && !found.data.some((one) => one.id === row.id))
          wrong.push(`${name} = ${JSON.stringify(value)} does not find its own row`)
        if (['lookup', 'choice', 'flag'].includes(field.kind)) {
          if (found.data.some((one) => one[name] !== value))
            wrong.push(`${name} = ${JSON.stringify(value)} finds others`)
          if (!(await listed(r, { filters: { [name]: [value] } })).count) wrong.push(`${name} in a list finds nothing`)
        }
        await listed(r, { filters: { [name]: null } })
      }
      expect(wrong).toEqual([])
      expect(reasons(await admin('POST', listPath(r), { filters: { no_such_column: 1 } }))).toEqual([
        'filter_not_allowed@filters.no_such_column',
      ])
    })
    it('is searched in Arabic and English, however it is spelt', async () => {
      const { data } = await listed(r, { perPage: 50 })
      const missed: string[] = []
      const spelt = (text: string) => text.replace(/[أإآ]/g, 'ا').replaceAll('ة', 'ه').replaceAll('ى', 'ي')
      for (const name of r.list.search) {
        const row = data.find((one) => typeof one[name] === 'string' && one[name].length > 2)
        if (!row) continue
        const text = String(row[name])
        for (const search of [
          text,
          spelt(text),
          text.toUpperCase(),
          `  ${text.split(' ').toReversed().join(' ')} `,
          text.slice(1, -1).trim(),
        ]) {
          if (search.length > 200) continue
          const found = await listed(r, { search, perPage: 500 })
          if (!found.data.some((one) => one.id === row.id)) missed.push(`${name}: ${search}`)
        }
      }
      expect(missed).toEqual([])
      if (r.list.search.length) expect((await listed(r, { search: 'قطعًا لا يوجد شيء كهذا' })).count).toBe(0)
    })
  })

  describe.runIf(has('list', 'get', 'create'))('a record', () => {
    it('is created, read, found, changed, refused when outdated, removed and restored, and tells its history', async () => {
      const { id, input, row } = await create(r)
      for (const [name, value] of Object.entries(input)) {
        const kind = (r.fields as Fields)[name]!.kind
        if (['lookups', 'file', 'json', 'decimal', 'instant', 'richText'].includes(kind)) continue
        // Lines have ids of their own.
        if (kind === 'rows') expect(row[name], name).toMatchObject(value as object)
        else expect(row[name], name).toEqual(value)
      }
      expect(fine(await admin('GET', `${r.path}/${id}`))).toMatchObject({ id, version: row.version, removed: false })
      if (r.list.search.length && input.code)
        expect((await listed(r, { search: input.code })).data.map((one) => one.id)).toContain(id)
      expect(row.abilities).toEqual(
        expect.arrayContaining([...(has('update') ? ['edit'] : []), ...(has('remove') ? ['remove'] : [])]),
      )

      const [changed] =
        fieldsOf(r).find(([name, f]) => name === 'name' && !f.createOnly) ??
        fieldsOf(r).find(([, f]) => ['text', 'longText'].includes(f.kind) && !f.readOnly && !f.createOnly) ??
        []
      if (has('update') && changed) {
        // In letters: it may be the name of a person.
        const value = `Changed ${[...String(++count)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
        const saved = fine(await admin('PUT', `${r.path}/${id}`, { [changed]: value, version: row.version }))
        expect(saved[changed]).toBe(value)
        expect(saved.version).toBe(row.version + 1)
        const outdated = await admin('PUT', `${r.path}/${id}`, { [changed]: 'Too late', version: row.version })
        expect([outdated.status, reasons(outdated)]).toEqual([409, ['changed_meanwhile']])
        expect(outdated.body.errors[0].data.changed).toEqual([{ field: changed, yours: 'Too late', theirs: value }])
        const same = fine(await admin('PUT', `${r.path}/${id}`, { [changed]: value, version: saved.version }))
        expect(same.version, 'nothing changed').toBe(saved.version)
        const history = fine(await admin('GET', `${r.path}/${id}/history`)) as Row[]
        expect(history.some((h) => h.by && h.changes.some((c: Row) => c.field === changed && c.new === value))).toBe(
          true,
        )
      }
      if (has('remove')) {
        fine(await admin('DELETE', `${r.path}/${id}`))
        expect((await listed(r, { search: input.code ?? '', perPage: 500 })).data.map((one) => one.id)).not.toContain(
          id,
        )
        if (!r.softDelete) expect((await admin('GET', `${r.path}/${id}`)).status).toBe(404)
        else {
          expect((await listed(r, { removed: true, perPage: 500 })).data.map((one) => one.id)).toContain(id)
          if (has('update') && changed)
            expect(reasons(await admin('PUT', `${r.path}/${id}`, { [changed]: 'No' }))).toEqual(['removed_record'])
          if (has('restore')) {
            fine(await admin('POST', `${r.path}/restore/${id}`))
            expect(fine(await admin('GET', `${r.path}/${id}`))).toMatchObject({ id, removed: false })
          }
        }
      }
    })
    it('is refused with what could deceive: HTML, direction controls, formulas, unknown and missing fields', async () => {
      const { data } = await listed(r, { perPage: 1 })
      const row = data.length ? fine(await admin('GET', `${r.path}/${data[0]!.id}`)) : {}
      const input = likeness(r, row, 30)
      const wrong: string[] = []
      for (const [name, field] of fieldsOf(r)) {
        if (field.readOnly) continue
        const bad = ['text', 'localText', 'longText', 'code'].includes(field.kind)
          ? [
              '<img src=x onerror=alert(1)>',
              'محمد\u202Eabc',
              '=HYPERLINK("http://x")',
              'a'.repeat((field.max ?? 4000) + 1),
              'x\u0007y',
            ]
          : field.kind === 'richText' || field.kind === 'json'
            ? []
            : field.kind === 'lookup'
              ? [2_147_483_000, 'one']
              : [{}, 'nothing like it']
        for (const value of bad) {
          const answer = await admin(addMethod(r), r.path, { ...input, [name]: value })
          if (answer.status !== 422) wrong.push(`${name} = ${JSON.stringify(value).slice(0, 40)}: ${answer.status}`)
          // A record that is not there may be told with others of its reasons, by whatever rule meets it first.
          else if (
            field.kind !== 'lookup' &&
            !answer.body.errors.some((e: Row) => e.field === name || e.field?.startsWith(`${name}.`))
          )
            wrong.push(`${name} = ${JSON.stringify(value).slice(0, 40)}: ${reasons(answer).join()}`)
        }
        if (field.required && field.kind !== 'flag') {
          const { [name]: _, ...rest } = input
          const missing = await admin(addMethod(r), r.path, rest)
          if (!reasons(missing).includes(`required@${name}`))
            wrong.push(`${name} missing: ${missing.status} ${reasons(missing).join()}`)
        }
      }
      expect(wrong).toEqual([])
      expect(reasons(await admin(addMethod(r), r.path, { ...input, not_a_field: 1 }))).toEqual([
        'unknown_field@not_a_field',
      ])
      expect(
        reasons(await admin(addMethod(r), r.path, { ...input, id: 1, removed_at: null, created_at: 'x' })),
      ).toHaveLength(3)
    })
  })

  describe.runIf(has('list', 'export'))('its sheets and papers', () => {
    it('leave in Arabic and English', async () => {
      const { data, count: all } = await listed(r, { perPage: 3 })
      if (!data.length) {
        expect(reasons(await admin('POST', `${r.path}/export`, {}))).toEqual(['no_rows'])
        return
      }
      for (const lang of ['ar', 'en'] as const) {
        const chosen = await admin('POST', `${r.path}/export`, { ids: data.map((row) => row.id), lang })
        expect(chosen.status).toBe(200)
        const [sheet] = (await readSheet(chosen.bytes)).sheets
        expect(sheet!.rows).toHaveLength(data.length + 1)
        expect(sheet!.rows[0]!.map((cell) => cell.text)).toContain(inLanguage(fieldsOf(r)[0]![1].label, lang))
        expect(String(chosen.headers['content-disposition'])).toContain('.xlsx')
        const paper = await admin('POST', `${r.path}/export-pdf`, { ids: data.map((row) => row.id), lang })
        expect([paper.status, paper.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
      }
      if (all <= 5000) {
        const whole = await admin('POST', `${r.path}/export`, { search: '', filters: {} })
        expect((await readSheet(whole.bytes, { maxRows: 5001 })).sheets[0]!.rows).toHaveLength(all + 1)
      }
    })
  })

  describe.runIf(has('list', 'get', 'create', 'template', 'preview', 'import'))('a sheet that comes in', () => {
    it('by the template is checked cell by cell, and stored wholly or not at all', async () => {
      const template = await readSheet((await admin('GET', `${r.path}/import/template`)).bytes)
      const headers = template.sheets[0]!.rows[0]!.map((cell) => cell.text)
      // A caller without language is answered in Arabic.
      const columns = headers.map((header) => {
        const found = Object.entries(inSheets(r).fields as Fields).find(([, f]) =>
          f.label.includes(header.replace(/[*:\s]+$/, '')),
        )
        if (!found) throw new Error(`the column ${header} is no field`)
        return { header, name: found[0], field: found[1] }
      })
      const { id, row } = await create(r)
      const sheet = (rows: Row[]) =>
        writeSheet({
          sheets: [
            {
              name: 'Sheet',
              direction: 'ltr',
              columns: columns.map((c) => ({ header: c.header, key: c.name, type: 'text' as const })),
              rows: rows.map((one) => Object.fromEntries(columns.map((c) => [c.name, one[c.name] ?? null]))),
            },
          ],
        })
      const line = (from: Row, own: Row): Row =>
        Object.fromEntries(
          columns.map(({ name, field }) => {
            const value = name in own ? own[name] : typed(field, name, from)
            return [name, value === null ? null : String(value)]
          }),
        )
      // A new record, like the one that was created; and that one again under another name.
      const input = likeness(r, row, 10)
      const fresh: Row = {}
      for (const { name, field } of columns)
        if (
          ['code', 'key', 'name', 'name_local'].includes(name) ||
          ['email', 'nationalId', 'passport', 'date', 'instant'].includes(field.kind)
        )
          fresh[name] = input[name] ?? null
      const broken = { ...line(row, fresh), [columns.find((c) => c.field.required)!.name]: '<b>' }
      const bad = fine(await upload(`${r.path}/import/preview`, 'sheet.xlsx', await sheet([broken])))
      expect(bad.errors.length).toBeGreaterThan(0)
      expect(bad.errors[0]).toMatchObject({ row: expect.any(Number), en: expect.any(String), ar: expect.any(String) })
      expect(reasons(await admin('POST', `${r.path}/import/save/${bad.import_id}`))).toEqual(['import_has_errors'])

      const byCode = columns.some((c) => c.name === 'code')
      // What has no name of its own stands for what it refers to: the one that was created makes room.
      if (!columns.some((c) => c.name === 'name') && has('remove')) await admin('DELETE', `${r.path}/${id}`)
      const again = byCode && columns.some((c) => c.name === 'name') ? [line(row, { name: 'Imported again' })] : []
      const preview = fine(
        await upload(`${r.path}/import/preview`, 'sheet.xlsx', await sheet([line(row, fresh), ...again])),
      )
      expect(preview.errors).toEqual([])
      expect([preview.rows, preview.creates, preview.updates]).toEqual([1 + again.length, 1, again.length])
      const saved = fine(await admin('POST', `${r.path}/import/save/${preview.import_id}`))
      expect(saved).toMatchObject({ created: 1, updated: again.length, operation_id: expect.any(Number) })
      expect(reasons(await admin('POST', `${r.path}/import/save/${preview.import_id}`))).toEqual(['import_gone'])
      if (again.length) expect(fine(await admin('GET', `${r.path}/${id}`)).name).toBe('Imported again')
      if (byCode) {
        const made = (await listed(r, { search: String(fresh.code) })).data.find((one) => one.code === fresh.code)
        expect(made).toBeDefined()
        for (const name of Object.keys(fresh))
          if (typeof made?.[name] === 'string' && (r.fields as Fields)[name]!.kind !== 'instant')
            expect(made[name], name).toBe(fresh[name])
      }
    })
  })
})
