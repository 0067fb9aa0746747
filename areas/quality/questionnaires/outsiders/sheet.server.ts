/** People outside from a sheet: compared with the list, mended in place, kept as one operation that can be undone. */
import { fold, inLanguage, LANGUAGES, type Label, type Language } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled, type Upload } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import {
  importLines,
  mendImport,
  previewImport,
  saveImport,
  type ImportTarget,
  type Line,
  type SheetFacts,
  type SheetLine,
} from '#kit/server/resource/imports/imports.ts'
import { sheetError } from '#kit/server/resource/imports/sheet.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { readCsv, readSheet, type Cell } from '#kit/server/sheets/index.ts'
import { registerOperation, registerUndo } from '#kit/server/unit/operations.ts'
import { sql } from 'kysely'
import { outsiderCalls, type OutsiderRow } from './outsider.contract.ts'
import { checkOutsider } from './outsider.rules.ts'
import { addOutsiders, openListOf } from './outsider.server.ts'

const KIND = 'import/questionnaire-outsiders'
const SHEET_LIMIT = 5000
/** Columns by what their heads may say. */
const COLUMNS = {
  name: ['Name', 'الاسم', 'Contact', 'مسؤول التواصل'],
  organisation: ['Organisation', 'الجهة', 'Company', 'الشركة'],
  email: ['E-mail', 'البريد الإلكتروني', 'Email', 'Mail'],
  language: ['Language', 'اللغة'],
} as const satisfies Record<string, readonly [en: string, ar: string, ...string[]]>
type Column = keyof typeof COLUMNS
const HEADS = Object.keys(COLUMNS) as Column[]
const headOf = (column: Column): Label => [COLUMNS[column][0], COLUMNS[column][1]]
const NAMES: Readonly<Record<Language, readonly string[]>> = {
  ar: ['Arabic', 'العربية', 'عربي'],
  en: ['English', 'الإنجليزية', 'إنجليزي'],
  de: ['German', 'الألمانية', 'Deutsch'],
  fr: ['French', 'الفرنسية', 'Français'],
  pt: ['Portuguese', 'البرتغالية', 'Português'],
}
/** A language by its code or name; Arabic where nothing is said. */
const languageOf = (text: string): Language | null =>
  text === '' ? 'ar' : (LANGUAGES.find((one) => [one, ...NAMES[one]].some((name) => fold(name) === fold(text))) ?? null)

async function readFile(ctx: Ctx, file: Upload): Promise<{ facts: SheetFacts; lines: SheetLine[] }> {
  const limits = { maxRows: SHEET_LIMIT + 1 }
  const book = file.ext === 'csv' ? await readCsv(file.content, limits) : await readSheet(file.content, limits)
  const [head, ...rows] = book.sheets[0]?.rows ?? []
  if (!head || !rows.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  const lang = paperLang(ctx)
  const facts: SheetFacts = { file: file.name, columns: [], ignored: [], errors: [] }
  const places: { name: Column; at: number }[] = []
  for (const [at, { text }] of head.entries()) {
    if (!text) continue
    const column = HEADS.find((one) => COLUMNS[one].some((word) => fold(word) === fold(text)))
    if (!column) facts.ignored.push(text)
    else if (places.some(({ name }) => name === column))
      facts.errors.push(sheetError(1, text, { code: 'sheet_column_twice', data: { column: text } }))
    else {
      places.push({ name: column, at })
      facts.columns.push({ field: column, header: text })
    }
  }
  for (const column of ['name', 'email'] as const)
    if (!places.some(({ name }) => name === column))
      facts.errors.push(
        sheetError(1, null, { code: 'sheet_column_missing', data: { column: inLanguage(headOf(column), lang) } }),
      )
  const lines = rows.flatMap((cells, i): SheetLine[] => {
    if (!places.length || cells.every((cell) => cell.type === 'empty')) return []
    const read: Record<string, Cell> = {}
    for (const { name, at } of places) if (cells[at] && cells[at].type !== 'empty') read[name] = cells[at]
    return [{ row: i + 2, cells: read, exported: null }]
  })
  return { facts, lines }
}

/** Says of each line whether it puts somebody on the list, and what is wrong with it. */
function checkLines(lines: readonly Line[], facts: SheetFacts, known: ReadonlySet<string>): void {
  const first = new Map<string, number>()
  for (const line of lines.toSorted((a, b) => a.row - b.row)) {
    Object.assign(line, { record_id: null, values: {}, changes: [], errors: [] })
    if (line.state === 'out') continue
    const text = (column: Column) => line.cells[column]?.text.trim() ?? ''
    const note = (column: string | null | undefined, code: string, data?: Readonly<Record<string, unknown>>) => {
      const header = facts.columns.find(({ field }) => field === column)?.header ?? null
      const { row: _row, ...told } = sheetError(line.row, header, { code, ...(data && { data }) })
      line.errors.push({ field: column ?? null, ...told })
    }
    const said = { name: text('name'), organisation: text('organisation') || null, email: text('email').toLowerCase() }
    for (const { field, code, data } of checkOutsider(said, first.get(said.email) ?? null)) note(field, code, data)
    if (said.email && !first.has(said.email)) first.set(said.email, line.row)
    const language = languageOf(text('language'))
    if (language === null) note('language', 'outsider_language', { text: text('language') })
    line.values = { ...said, language: language ?? 'ar' }
    line.state = line.errors.length ? 'wrong' : known.has(said.email) ? 'same' : 'created'
  }
}

function outsidersOf(id: number): ImportTarget & { saved: number } {
  return {
    name: `questionnaire_outsiders/${id}`,
    kind: KIND,
    knownBy: 'email',
    facts: { questionnaire_id: id },
    saved: 0,
    async check(ctx, tx, facts, lines) {
      await openListOf(ctx, tx, id)
      const { rows } = await sql<{
        email: string
      }>`select email from questionnaire_outsiders where questionnaire_id = ${id}`.execute(tx)
      checkLines(lines, facts, new Set(rows.map(({ email }) => email)))
    },
    headErrors: () => [],
    confirm: async () => null,
    async write(ctx, tx, lines) {
      this.saved = (
        await addOutsiders(
          ctx,
          tx,
          id,
          lines.map(({ values }) => values as unknown as OutsiderRow),
        )
      ).added
    },
  }
}

async function store(ctx: Ctx, id: number, import_id: string) {
  const target = outsidersOf(id)
  const { operation_id } = await saveImport(ctx, target, import_id)
  return { data: null, saved: target.saved, operation_id }
}

async function importSheet(ctx: Ctx, id: number, step: string, file: Upload | null) {
  if (step !== 'preview' && step !== 'save') return store(ctx, id, step)
  if (!file) throw refuse(422, 'file_missing', undefined, 'file')
  await ctx.write((tx) => openListOf(ctx, tx, id))
  const data = await previewImport(ctx, outsidersOf(id), await readFile(ctx, file))
  if (step === 'preview') return { data, saved: 0, operation_id: null }
  if (!data.errors.length) return store(ctx, id, data.import_id)
  throw new Refusal(
    422,
    data.errors.map((error) => ({
      field: `rows.${error.row}${error.column ? `.${error.column}` : ''}`,
      code: 'import_cell',
      data: { text: error.en, text_local: error.ar },
    })),
  )
}

export const outsiderSheetHandlers: readonly Handled[] = [
  handle(outsiderCalls.import, (ctx, { params, file }) => importSheet(ctx, params.a, params.b, file)),
  handle(outsiderCalls.importLines, async (ctx, { params, body }) => ({
    data: await importLines(ctx, outsidersOf(params.a), params.b, body),
  })),
  handle(outsiderCalls.importMend, async (ctx, { params, body }) => ({
    data: await mendImport(ctx, outsidersOf(params.a), params.b, body),
  })),
]

registerOperation({
  kind: KIND,
  label: ['People outside', 'أشخاص من خارج الجامعة'],
  permission: 'edit_questionnaire',
  // Whoever may change the list now may take it back; who was written to meanwhile stays.
  before: async (ctx, tx, { facts }) => void (await openListOf(ctx, tx, Number(facts.questionnaire_id))),
})
// In the trail they belong to their questionnaire.
registerUndo('questionnaire_outsiders', async (_ctx, _tx, _rows, write) => write(), {
  what: ['People outside', 'أشخاص من خارج الجامعة'],
  called: 'name',
  select: `select t.id, y.code, y.name, y.name_local from questionnaires t join questionnaire_types y on y.id = t.type_id
    where t.id = any($1::int[])`,
  fields: { name: ['Name', 'الاسم'], organisation: ['Organisation', 'الجهة'], email: ['E-mail', 'البريد الإلكتروني'] },
  held: { questionnaire_invitations: 'questionnaire_outsider_asked' },
})
