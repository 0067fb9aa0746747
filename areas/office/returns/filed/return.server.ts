/** Returns: begun, filled, looked at, their findings accepted, and compared with today. */
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { ACCEPTED_KINDS, type ReturnFindingKind } from '../cells/finding.rules.ts'
import { readCells, valuesOf } from '../cells/resolve.server.ts'
import { keptContent } from '../content.server.ts'
import { openForm } from '../templates/form.server.ts'
import { fillReturn, holdReturn, LAST_SENT, type KeptFigure } from './fill.server.ts'
import { returnResource, statisticalReturns } from './flow.server.ts'
import { returnCalls as calls, type ReturnFinding, type ShownReturn } from './return.contract.ts'

const USERS = sql`(select id, name, name_local, null::text as code from users)`

async function shown(ctx: Ctx, id: number): Promise<ShownReturn> {
  const { rows } = await sql<
    Omit<ShownReturn, 'sheets' | 'figures'> & { figures: KeptFigure[] | null; shown_file: number }
  >`
    select json_build_object('number', e.number, 'newest', (select max(x.number) from return_template_editions x where x.template_id = t.template_id)) as edition,
      t.filled_at, ${refOrNull('u')} as filled_by, ${refOrNull('z')} as sent_by, t.figures, coalesce(t.file_id, e.file_id) as shown_file,
      (select coalesce(json_agg(json_build_object('id', n.id, 'kind', n.kind, 'sheet', n.sheet, 'cell', n.cell, 'data', n.data, 'reason', n.reason,
          'accepted_by', ${refOrNull('a')}, 'accepted_at', n.accepted_at) order by n.accepted_at is not null, n.id), '[]')
        from return_findings n left join ${USERS} a on a.id = n.accepted_by where n.return_id = t.id) as findings,
      (select json_build_object('id', b.id, 'year', ${refOrNull('y')}, 'sent_at', b.sent_at) from statistical_returns b
        join years y on y.id = b.year_id where b.id = ${LAST_SENT}) as before,
      t.replaces_id as corrects, (select c.id from statistical_returns c where c.replaces_id = t.id and c.removed_at is null) as corrected_by
    from statistical_returns t join return_template_editions e on e.id = t.edition_id left join ${USERS} u on u.id = t.filled_by left join ${USERS} z on z.id = t.sent_by
    where t.id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const { figures, shown_file, ...row } = rows[0]
  const { sheets } = await openForm(await keptContent(ctx, shown_file))
  return { ...row, sheets: [...sheets], figures: (figures ?? []).map(({ key: _, ...figure }) => figure) }
}

/** Figures of a return that would be others today, each computed as it was then. */
async function today(ctx: Ctx, id: number) {
  const { rows } = await sql<{
    figures: KeptFigure[] | null
    year_id: number
    term_id: number | null
    read_at: string
  }>`
    select figures, year_id, term_id, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as read_at from statistical_returns where id = ${id}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  const { figures, read_at, ...time } = rows[0]
  const kept = figures ?? []
  const { asked } = await readCells(ctx.db, kept, time)
  const values = await valuesOf(ctx.db, asked)
  const now = new Map(asked.map(({ sheet, cell }, place) => [`${sheet}!${cell}`, values[place] ?? null]))
  return {
    read_at,
    figures: kept.length,
    others: kept.flatMap(({ sheet, cell, text, value }) => {
      // A code that is gone since has no figure any more.
      const other = now.get(`${sheet}!${cell}`) ?? null
      return other === value ? [] : [{ sheet, cell, text, kept: value, now: other }]
    }),
  }
}

const accept = handle(calls.accept, (ctx, { params: { id }, body: { finding_id, reason } }) =>
  ctx.write(
    async (tx) => {
      await holdReturn(tx, id)
      const { rows } = await sql<{ kind: ReturnFindingKind }>`select kind from return_findings
        where id = ${finding_id} and return_id = ${id} for update`.execute(tx)
      const [finding] = rows
      if (!finding) throw refuse(404, 'not_found')
      if (reason !== null && !ACCEPTED_KINDS.includes(finding.kind))
        throw new Refusal(422, [{ field: 'finding_id', code: 'return_finding_mend' }])
      await sql`update return_findings set reason = ${reason}, accepted_by = ${reason === null ? null : (ctx.actor?.user_id ?? null)}::int,
        accepted_at = ${reason === null ? sql`null` : sql`now()`} where id = ${finding_id}`.execute(tx)
      return { data: { id: finding_id } satisfies Pick<ReturnFinding, 'id'> }
    },
    reason === null ? {} : { reason },
  ),
)

export const returnHandlers: readonly Handled[] = [
  ...returnResource.handlers,
  ...statisticalReturns.handlers,
  handle(calls.fill, (ctx, { params: { id }, body: { version, newest = false } }) =>
    ctx.write(async (tx) => ({ data: await fillReturn(ctx, tx, id, version, newest) })),
  ),
  handle(calls.sheet, async (ctx, { params: { id } }) => ({ data: await shown(ctx, id) })),
  handle(calls.today, async (ctx, { params: { id } }) => ({ data: await today(ctx, id) })),
  handle(calls.file, async (ctx, { params: { id } }) => {
    const { rows } = await sql<{
      file_id: number
      name: string
    }>`select f.id as file_id, f.name from statistical_returns t
      join files f on f.id = t.file_id where t.id = ${id}`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    return { name: firstRow(rows).name, type: 'xlsx', content: await keptContent(ctx, rows[0].file_id) }
  }),
  accept,
]
