/** The way of a return: checked off, sent, corrected by another in its place. */
import { firstRow } from '#db/rows.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import type { ReturnFacts } from '../cells/finding.rules.ts'
import { newestEdition } from '../templates/template.server.ts'
import { returnFlow, returnSteps, statisticalReturn } from './return.contract.ts'

const NAME = `(select m.code || ' · ' || y.code from return_templates m, years y where m.id = t.template_id and y.id = t.year_id)`

export const statisticalReturns = serveWorkflow(returnFlow, returnSteps, {
  table: 'statistical_returns',
  scope: 'university',
  seen: ['access_statisticalReturn'],
  nameOf: NAME,
  enteredByOfficer: true,
  facts: async (_ctx, tx, ids) => {
    const { rows } = await sql<ReturnFacts & { id: number }>`select t.id, t.figures is not null as filled,
        (select count(*)::int from return_findings n where n.return_id = t.id and n.accepted_at is null) as open
      from statistical_returns t where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map(({ id, ...facts }) => [id, facts]))
  },
  effect: async (ctx, tx, moved) => {
    const sent = moved.filter(({ action }) => action === 'send').map(({ id }) => id)
    if (sent.length)
      await sql`update statistical_returns set sent_by = ${ctx.actor?.user_id ?? null}::int
        where id = any(${sent}::int[])`.execute(tx)
    for (const { id } of moved.filter(({ action }) => action === 'correct')) {
      const { rows } = await sql<{ id: number }>`
        insert into statistical_returns (template_id, edition_id, year_id, term_id, replaces_id)
        select t.template_id, (select e.id from return_template_editions e where e.template_id = t.template_id order by e.number desc limit 1),
          t.year_id, t.term_id, t.id from statistical_returns t where t.id = ${id} returning id`.execute(tx)
      await statisticalReturns.begin(ctx, tx, firstRow(rows).id, 'draft')
    }
  },
})

export const returnResource = workings(statisticalReturn, {
  flow: statisticalReturns,
  // What was sent stays.
  abilities: { remove: ({ status }) => status === 'draft' || 'return_sent' },
  async beforeWrite(_ctx, tx, merged, current) {
    if (current) return
    const edition = await newestEdition(tx, Number(merged.template_id))
    if (!edition) throw refuse(422, 'return_without_sheet', undefined, 'template_id')
    const { rows } =
      await sql`select from terms where id = ${Number(merged.term_id ?? 0)} and year_id <> ${Number(merged.year_id)}`.execute(
        tx,
      )
    if (rows.length) throw refuse(422, 'return_term_of_year', undefined, 'term_id')
    return { edition_id: edition.id }
  },
  async afterWrite(ctx, tx, id, _merged, current) {
    if (!current) await statisticalReturns.begin(ctx, tx, id, 'draft')
  },
  computed: {
    edition: '(select e.number::int from return_template_editions e where e.id = t.edition_id)',
    findings: '(select count(*)::int from return_findings n where n.return_id = t.id and n.accepted_at is null)',
  },
  search: ['(select m.search_text from return_templates m where m.id = t.template_id)'],
})
