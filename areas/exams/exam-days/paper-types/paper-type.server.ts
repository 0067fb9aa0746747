import { handle } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { paperTypeCalls } from './paper-type.contract.ts'

interface PaperTypeRef {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly pages: number | null
  readonly is_machine_read: boolean
}

export const paperTypeHandlers = [
  handle(paperTypeCalls.lookups, async (ctx) => {
    const { rows } = await sql<PaperTypeRef>`select id, code, name, name_local, pages, is_machine_read
      from exam_papers_types where removed_at is null order by code`.execute(ctx.db)
    return { data: rows }
  }),
]
