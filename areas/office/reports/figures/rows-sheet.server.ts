/** All rows behind a figure as one sheet, however many: a job that writes them as they are read. */
import type { Db } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { requireReach } from '#kit/server/base/scope.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { streamSheet, withRowsAside, type WriteColumn, type WriteValue } from '#kit/server/sheets/index.ts'
import { sql, type RawBuilder } from 'kysely'
import { ROW_FACTS } from './facts.contract.ts'
import { figuresCalls, type CellAsked, type CellRows, type MadeSheet } from './figures.contract.ts'
import { ROWS_SHEET } from './kept.rules.ts'
import { FIGURE_MEASURES } from './measures.contract.ts'
import { systemReport, type ReportLink } from './reports.contract.ts'
import { everyCellRow } from './rows.server.ts'

type Row = CellRows['rows'][number]
type Asked = Omit<CellAsked, 'page' | 'perPage'> & { link: ReportLink; lang: PaperLanguage }
const CODE: Label = ['Code', 'الكود']
const NAME: Label = ['Name', 'الاسم']
const KINDS = { text: 'text', number: 'number', day: 'date', usd: 'decimal' } as const

/** A fact as a cell: a pair of texts by the language of the sheet, money in whole units. */
function written(fact: CellRows['rows'][number]['facts'][number], kind: string, lang: PaperLanguage): WriteValue {
  if (fact === null) return null
  if (Array.isArray(fact)) return fact[lang === 'ar' ? 1 : 0]
  return kind === 'usd' ? Number(fact) / 100 : fact
}

/** Acts with the rights that the reader has when it runs. Killed, it begins again: it writes nothing but the file. */
export const rowsSheetJob = defineJob<Asked, MadeSheet>({
  name: 'report-rows',
  retries: 1,
  async run(ctx, { link, lang, ...asked }, progress) {
    requireReach(ctx, systemReport(link).permission)
    const say = (label: Label) => inLanguage(label, lang)
    const every = await everyCellRow(ctx, link, asked)
    const facts = every.facts.map((key) => ({ key, ...ROW_FACTS[key] }))
    const columns: WriteColumn[] = [
      { key: 'code', header: say(CODE), type: 'text', width: 16 },
      { key: 'name', header: say(NAME), type: 'text', width: 34 },
      ...facts.map(({ key, label, kind }) => ({ key, header: say(label), type: KINDS[kind] })),
    ]
    const all = await every.count()
    if (all > ROWS_SHEET.most) throw refuse(422, 'report_rows_many', { most: ROWS_SHEET.most })
    const title = say(FIGURE_MEASURES[asked.measure].label)
    const direction = lang === 'ar' ? 'rtl' : 'ltr'
    let at = ''
    let day = ''
    return withRowsAside<Row, MadeSheet>(
      // The transaction ends when the last row is read, however long the sheet takes.
      (keep) =>
        ctx.write(async (tx) => {
          at = await moment(tx, sql`now()`)
          day = firstRow((await sql<{ day: string }>`select university_today()::text as day`.execute(tx)).rows).day
          let read = 0
          for await (const rows of every.pieces(tx)) {
            read += rows.length
            await keep(rows)
            await progress(Math.min(49, (50 * read) / all))
          }
        }),
      async (aside) => {
        async function* lines() {
          let made = 0
          for await (const rows of aside.pieces()) {
            yield rows.map((row) => ({
              code: row.code,
              name: (lang === 'ar' ? row.name_local : row.name) ?? row.name,
              ...Object.fromEntries(
                facts.map(({ key, kind }, place) => [key, written(row.facts[place] ?? null, kind, lang)]),
              ),
            }))
            made += rows.length
            await progress(Math.min(99, 50 + (50 * made) / aside.count))
          }
        }
        // Before it is put away: it stays at least until then.
        const until = await moment(ctx.db, sql`now() + make_interval(days => ${ROWS_SHEET.days}::int)`)
        const sheet = streamSheet({ name: title, direction, columns, rows: lines() })
        const { hash } = await ctx.services.files.lend(sheet, ROWS_SHEET.days)
        // Figures go on: the name says of when the rows are.
        return { name: `${title} ${day}.xlsx`, link, hash, rows: aside.count, at, until }
      },
    )
  },
})
const moment = async (db: Db, of: RawBuilder<unknown>): Promise<string> =>
  firstRow(
    (
      await sql<{ at: string }>`select to_char((${of}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`.execute(
        db,
      )
    ).rows,
  ).at

/** The sheet of the reader's own job, while it is kept and the right is there. @throws {Refusal} 403, 404 */
async function madeSheet(ctx: Ctx, job: string): Promise<FileResult> {
  const { rows } = await sql<{ result: MadeSheet; kept: boolean }>`
    select j.result, exists (select from held_contents h where h.hash = j.result ->> 'hash' and h.until > now()) as kept
    from jobs j where j.id = ${job}::uuid and j.name = ${rowsSheetJob.name} and j.state = 'done'
      and j.created_by = ${ctx.actor?.user_id ?? null}::int`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  requireReach(ctx, systemReport(found.result.link).permission)
  if (!found.kept) throw refuse(404, 'report_sheet_gone')
  return { name: found.result.name, type: 'xlsx', content: await ctx.services.storage.get(found.result.hash) }
}

export const rowsSheetHandlers: readonly Handled[] = [
  handle(figuresCalls.rowsSheet, async (ctx, { params: { link }, body }) => {
    requireReach(ctx, systemReport(link).permission)
    // What may not be opened, or is not there, is said now.
    const { lang, ...asked } = body
    const all = await (await everyCellRow(ctx, link, asked)).count()
    if (!all) throw refuse(422, 'no_rows')
    if (all > ROWS_SHEET.most) throw refuse(422, 'report_rows_many', { most: ROWS_SHEET.most })
    const job_id = await ctx.write((tx) =>
      ctx.services.jobs.send(tx, rowsSheetJob, { link, lang, ...asked }, { actor: ctx.actor, lang: ctx.lang }),
    )
    return { job_id }
  }),
  handle(figuresCalls.rowsSheetFile, (ctx, { params }) => madeSheet(ctx, params.job_id)),
]
