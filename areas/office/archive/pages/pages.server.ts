import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sanitizeRichText } from '#kit/server/base/rich-text.ts'
import { findEntry } from '../entries.server.ts'
import { pageCalls } from './pages.contract.ts'

/** Writing a page. What is kept has nothing in it that acts. */
export const pageHandlers = [
  handle(pageCalls.updatePage, async (ctx, { params: { id }, body: { body, language, version } }) => ({
    data: await ctx.write(async (tx) => {
      await findEntry(ctx, tx, id, { edit: true, kind: 'page' })
      // Two who write one page follow each other.
      await sql`select from archive_entries where id = ${id} for update`.execute(tx)
      const { rows: present } = await sql<{ version: number }>`select version from archive_pages
        where entry_id = ${id} and language = ${language}`.execute(tx)
      if (version !== undefined && version !== (present[0]?.version ?? 0)) throw refuse(409, 'changed_meanwhile')
      const { rows } = await sql<{ body: string; version: number }>`
        insert into archive_pages (entry_id, language, body) values (${id}, ${language}, ${sanitizeRichText(body)})
        on conflict (entry_id, language) do update set body = excluded.body, version = archive_pages.version + 1, updated_at = now()
        returning body, version`.execute(tx)
      await sql`update archive_entries set updated_by = ${ctx.actor?.user_id ?? null} where id = ${id}`.execute(tx)
      return firstRow(rows)
    }),
  })),
]
