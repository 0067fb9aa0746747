import { serveResource } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { externalExaminer, thesisRule } from './rule.contract.ts'

/** Rules belong to the bylaw; external examiners to the whole university. */
export const ruleHandlers = [
  ...serveResource(thesisRule, {
    scope: {
      faculty: () => sql`(select b.faculty_id from bylaws b where b.id = t.bylaw_id)`,
      bylaw: () => sql`t.bylaw_id`,
    },
    search: [`(select b.search_text from bylaws b where b.id = t.bylaw_id)`],
  }),
  ...serveResource(externalExaminer),
]
