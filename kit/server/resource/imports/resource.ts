import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { knownBy } from '#kit/contract/index.ts'
import type { Resource } from '#kit/contract/index.ts'
import { Refusal, asRefusal } from '../../base/errors.ts'
import { quoted } from '../../base/field-filters.ts'
import type { Served } from '../served.ts'
import { checkLines, writeLine } from './check.ts'
import type { ImportTarget } from './imports.ts'
import type { Line } from './line.ts'
import { changedRows } from './meanwhile.ts'
import { missingErrors } from './sheet.ts'

/** More changed records than this are asked about; and so is more than a quarter of all, where it is more than a few. */
const MANY = 200
const FEW = 20
/** Rows told of at once when somebody changed their records. */
const MOST_TOLD = 500

/** The name of the operation that an import of a resource is. */
export const importKind = (def: Resource): string => `import/${def.name}`

/** Sheets of a resource: a row whose code is there changes that record, else it is a new one. */
export const resourceImport = (served: Served): ImportTarget => {
  const { def } = served
  return {
    name: def.name,
    kind: importKind(def),
    knownBy: knownBy(def),
    check: (ctx, tx, facts, lines) => checkLines(ctx, tx, served, facts, lines),
    headErrors: (ctx, facts, creates) => (creates ? missingErrors(def, facts, ctx.lang === 'ar' ? 'ar' : 'en') : []),
    async confirm(tx, changed) {
      if (changed > MANY) return changed
      if (changed <= FEW) return null
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(quoted(def.table))}
        ${sql.raw(def.softDelete ? 'where removed_at is null' : '')}`.execute(tx)
      return changed * 4 > firstRow(rows).n ? changed : null
    },
    async write(ctx, tx, lines) {
      await requireUnchanged(
        tx,
        def,
        lines.filter((line) => line.record_id !== null),
      )
      for (const line of lines) {
        try {
          await writeLine(ctx, served, tx, line)
        } catch (error) {
          const refusal = asRefusal(error)
          if (!refusal || refusal.status === 503) throw error
          if (refusal.reasons.some((reason) => reason.code === 'changed_meanwhile'))
            throw await changedRows(tx, def, [line])
          throw new Refusal(
            422,
            refusal.reasons.map((r) => ({ ...r, field: `rows.${line.row}${r.field ? `.${r.field}` : ''}` })),
            { cause: error },
          )
        }
      }
    },
  }
}

/** Nobody may have changed a record since it was compared: all rows of which that is so are told together. */
async function requireUnchanged(tx: Tx, def: Resource, lines: readonly Line[]): Promise<void> {
  if (!lines.length) return
  const { rows } = await sql<{ row: number }>`select l.row
    from jsonb_to_recordset(${JSON.stringify(lines.map(({ row, record_id, version }) => ({ row, record_id, version })))}::jsonb)
      as l (row int, record_id int, version int)
      left join ${sql.raw(quoted(def.table))} t on t.id = l.record_id
    where t.version is distinct from l.version order by l.row`.execute(tx)
  if (!rows.length) return
  const moved = new Set(rows.map((row) => row.row))
  throw await changedRows(tx, def, lines.filter((line) => moved.has(line.row)).slice(0, MOST_TOLD))
}
