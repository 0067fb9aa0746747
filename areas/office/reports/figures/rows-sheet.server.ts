/** All rows behind a figure as one sheet, however many: a job that writes them as they are read. */
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { requireReach } from '#kit/server/base/scope.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { streamSheet, type WriteColumn, type WriteValue } from '#kit/server/sheets/index.ts'
import { ROW_FACTS } from './facts.contract.ts'
import { figuresCalls, type CellAsked, type CellRows, type MadeSheet } from './figures.contract.ts'
import { ROWS_SHEET } from './kept.rules.ts'
import { FIGURE_MEASURES } from './measures.contract.ts'
import { systemReport, type ReportLink } from './reports.contract.ts'
import { everyCellRow } from './rows.server.ts'

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
    let rows = 0
    return ctx.services.files.storing(ctx, async (put) => {
      const stored = await ctx.write((tx) => {
        async function* lines() {
          for await (const row of every.rows(tx)) {
            rows += 1
            if (rows % 5_000 === 0) await progress(Math.min(99, (100 * rows) / all))
            yield {
              code: row.code,
              name: (lang === 'ar' ? row.name_local : row.name) ?? row.name,
              ...Object.fromEntries(
                facts.map(({ key, kind }, at) => [key, written(row.facts[at] ?? null, kind, lang)]),
              ),
            }
          }
        }
        return put(streamSheet({ name: title, direction: lang === 'ar' ? 'rtl' : 'ltr', columns, rows: lines() }))
      })
      const name = `${title}.xlsx`
      const kept = await ctx.write((tx) =>
        ctx.services.files.note(tx, {
          ...stored,
          name,
          ext: 'xlsx',
          mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        }),
      )
      return { name, url: ctx.services.files.link(kept, ctx.actor ?? 'everybody'), rows }
    })
  },
})

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
]
