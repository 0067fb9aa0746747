/** People outside from a sheet: compared with the list, mended in place, kept as one operation that can be undone. */
import { fold, inLanguage, LANGUAGES, type Label, type Language } from '#kit/contract/index.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { handedIn, handInHandlers } from '#kit/server/handing-in/handing-in.ts'
import { judgeRows } from '#kit/server/handing-in/judge.ts'
import { headingByWords, type SheetPlan } from '#kit/server/handing-in/read.ts'
import type { Line, SheetFacts } from '#kit/server/resource/imports/imports.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { registerOperation, registerUndo } from '#kit/server/unit/operations.ts'
import { sql } from 'kysely'
import { outsiderCalls, type OutsiderRow } from './outsider.contract.ts'
import { checkOutsider } from './outsider.rules.ts'
import { addOutsiders, openListOf } from './outsider.server.ts'

const KIND = 'import/questionnaire-outsiders'
/** Columns by what their heads may say. */
const COLUMNS = {
  name: ['Name', 'الاسم', 'Contact', 'مسؤول التواصل'],
  organisation: ['Organisation', 'الجهة', 'Company', 'الشركة'],
  email: ['E-mail', 'البريد الإلكتروني', 'Email', 'Mail'],
  language: ['Language', 'اللغة'],
} as const satisfies Record<string, readonly [en: string, ar: string, ...string[]]>
type Column = keyof typeof COLUMNS
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

const planOf = (lang: 'en' | 'ar'): SheetPlan => ({
  heading: headingByWords(COLUMNS),
  lacks: (has) =>
    (['name', 'email'] as const)
      .filter((column) => !has(column))
      .map((column) => ({ code: 'sheet_column_missing', data: { column: inLanguage(headOf(column), lang) } })),
})

/** Says of each line whether it puts somebody on the list, and what is wrong with it. */
const judgePeople = (lines: readonly Line[], facts: SheetFacts, known: ReadonlySet<string>): void =>
  judgeRows(lines, facts, ({ line, earlier, text, wrong }) => {
    const said = { name: text('name'), organisation: text('organisation') || null, email: text('email').toLowerCase() }
    for (const { field, code, data } of checkOutsider(said, earlier ?? null)) wrong(field ?? null, code, data)
    const language = languageOf(text('language'))
    if (language === null) wrong('language', 'outsider_language', { text: text('language') })
    line.values = { ...said, language: language ?? 'ar' }
    return known.has(said.email) ? 'same' : 'created'
  })

export const outsiderSheetHandlers: readonly Handled[] = handInHandlers(
  outsiderCalls,
  handedIn({
    name: 'questionnaire_outsiders',
    kind: KIND,
    knownBy: 'email',
    of: async (_ctx, id) => id,
    open: openListOf,
    facts: (id) => ({ questionnaire_id: id }),
    plan: (ctx) => planOf(paperLang(ctx)),
    async judge(_ctx, tx, lines, { of, facts }) {
      const { rows } = await sql<{
        email: string
      }>`select email from questionnaire_outsiders where questionnaire_id = ${of}`.execute(tx)
      judgePeople(lines, facts, new Set(rows.map(({ email }) => email)))
    },
    async write(ctx, tx, lines, { of }) {
      const rows = lines.map(({ values }) => values as unknown as OutsiderRow)
      return (await addOutsiders(ctx, tx, of, rows)).added
    },
  }),
)

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
