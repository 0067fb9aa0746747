/** Ranked journals: kept by year, and imported from lists as they are published. */
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { readCsv, readSheet } from '#kit/server/sheets/index.ts'
import { sql } from 'kysely'
import { normalIssn } from '../works/publication.rules.ts'
import { rankedJournalCalls, rankedJournal } from './journal.contract.ts'
import { readJournalList } from './journal.rules.ts'

const served = workings(rankedJournal, {
  beforeWrite(_ctx, _tx, merged) {
    const reasons = []
    for (const field of ['issn', 'other_issn'] as const) {
      if (typeof merged[field] !== 'string' || merged[field] === '') continue
      const issn = normalIssn(merged[field])
      if (issn === null) reasons.push({ field, code: 'publication_issn' })
      merged[field] = issn
    }
    if (reasons.length) throw new Refusal(422, reasons)
  },
})

/** As many journals as any list has, twice. */
const LINES = { maxRows: 100_000, maxColumns: 60 }
/** Rows that could not be read, as many as are told. */
const TOLD = 500

const importList = handle(rankedJournalCalls.importJournals, async (ctx, { body: { year }, file }) => {
  const book = file!.ext === 'csv' ? await readCsv(file!.content, LINES) : await readSheet(file!.content, LINES)
  const read = readJournalList((book.sheets[0]?.rows ?? []).map((row) => row.map(({ text }) => text)))
  if (read === null) throw refuse(422, 'journal_list_heads', undefined, 'file')
  const { added, changed } = await ctx.write(async (tx) => {
    const { rows } = await sql<{ fresh: boolean }>`
      insert into ranked_journals as t (title, issn, other_issn, publisher, year, quartile)
      select x.title, x.issn, x.other_issn, x.publisher, ${year}::int, x.quartile
      from jsonb_to_recordset(${JSON.stringify(read.journals)}::jsonb) x (title text, issn text, other_issn text, publisher text, quartile int)
      order by x.issn
      on conflict on constraint ranked_journal_twice do update set title = excluded.title, other_issn = excluded.other_issn,
        publisher = excluded.publisher, quartile = excluded.quartile, removed_at = null
      where (t.title, t.other_issn, t.publisher, t.quartile, t.removed_at) is distinct from
        (excluded.title, excluded.other_issn, excluded.publisher, excluded.quartile, null)
      returning t.version = 1 as fresh`.execute(tx)
    const fresh = rows.filter((row) => row.fresh).length
    return { added: fresh, changed: rows.length - fresh }
  })
  return { data: { journals: read.journals.length, added, changed, wrong: read.wrong.slice(0, TOLD) } }
})

export const rankedJournalHandlers: readonly Handled[] = [...served.handlers, importList]
