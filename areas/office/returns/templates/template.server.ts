/** Templates: uploaded, read, and their cells set; each change is an edition, so that what was filled keeps its own. */
import { firstRow } from '#db/rows.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { keptContent } from '../content.server.ts'
import { fillForm } from '#kit/server/sheets/index.ts'
import { sql } from 'kysely'
import { readCells } from '../cells/resolve.server.ts'
import type { FormCell } from '../cells/cell.rules.ts'
import { openForm } from './form.server.ts'
import { returnTemplate, templateCalls as calls, type ShownTemplate } from './template.contract.ts'

const resource = workings(returnTemplate, {
  computed: {
    edition: '(select max(e.number)::int from return_template_editions e where e.template_id = t.id)',
  },
})

interface Edition {
  readonly id: number
  readonly template_id: number
  readonly number: number
  readonly file_id: number
  readonly cells: FormCell[]
}
/** The newest edition of a template; null: nothing was uploaded yet. */
export async function newestEdition(db: Db | Tx, template: number): Promise<Edition | null> {
  const { rows } = await sql<Edition>`select id, template_id, number, file_id, cells from return_template_editions
    where template_id = ${template} order by number desc limit 1`.execute(db)
  return rows[0] ?? null
}
/** @throws {Refusal} 404 */
async function findTemplate(db: Db | Tx, id: number, hold = false): Promise<{ code: string }> {
  const { rows } = await sql<{ code: string }>`select code from return_templates where id = ${id} and removed_at is null
    ${hold ? sql`for update` : sql``}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** A sheet becomes the newest edition; the template is held meanwhile. */
async function keepEdition(ctx: Ctx, tx: Tx, template: number, content: Uint8Array, name: string) {
  const { cells } = await openForm(content)
  const { mistakes } = await readCells(tx, cells, null)
  const file = await ctx.services.files.keep(tx, {
    content,
    name,
    ext: 'xlsx',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  })
  const { rows } = await sql<{ edition_id: number; number: number }>`
    insert into return_template_editions (template_id, number, file_id, cells, created_by)
    select ${template}, coalesce(max(number), 0) + 1, ${file.id}, ${JSON.stringify(cells)}::jsonb, ${ctx.actor?.user_id ?? null}::int
    from return_template_editions where template_id = ${template} returning id as edition_id, number`.execute(tx)
  return { data: { ...firstRow(rows), mistakes: mistakes.length } }
}

async function shown(ctx: Ctx, id: number): Promise<ShownTemplate | null> {
  await findTemplate(ctx.db, id)
  const edition = await newestEdition(ctx.db, id)
  if (!edition) return null
  const { rows } = await sql<{ at: string; by: ShownTemplate['edition']['by']; name: string }>`
    select e.created_at as at, ${refOrNull('u')} as by, f.name from return_template_editions e join files f on f.id = e.file_id
      left join (select id, name, name_local, null::text as code from users) u on u.id = e.created_by
    where e.id = ${edition.id}`.execute(ctx.db)
  const { sheets } = await openForm(await keptContent(ctx, edition.file_id))
  const { mistakes } = await readCells(ctx.db, edition.cells, null)
  const said = new Map(mistakes.map(({ sheet, cell, mistake }) => [`${sheet}!${cell}`, mistake]))
  return {
    edition: { id: edition.id, number: edition.number, ...firstRow(rows) },
    sheets: [...sheets],
    cells: edition.cells.map((cell) => ({ ...cell, mistake: said.get(`${cell.sheet}!${cell.cell}`) ?? null })),
  }
}

export const templateHandlers: readonly Handled[] = [
  ...resource.handlers,
  handle(calls.upload, (ctx, { params: { id }, file }) =>
    ctx.write(async (tx) => {
      await findTemplate(tx, id, true)
      return keepEdition(ctx, tx, id, file!.content, file!.name)
    }),
  ),
  handle(calls.show, async (ctx, { params: { id } }) => ({ data: await shown(ctx, id) })),
  handle(calls.setCell, (ctx, { params: { id }, body: { edition_id, sheet, cell, text } }) =>
    ctx.write(async (tx) => {
      await findTemplate(tx, id, true)
      const edition = await newestEdition(tx, id)
      // Somebody else has changed the template meanwhile: the cell may be another one now.
      if (edition?.id !== edition_id) throw refuse(409, 'return_template_changed')
      const content = await keptContent(ctx, edition.file_id)
      const { sheets } = await openForm(content)
      const known = sheets
        .find((one) => one.name === sheet)
        ?.rows.flat()
        .find((one) => one.cell === cell)
      if (!known) throw refuse(422, 'return_cell_missing', { cell: `${sheet}!${cell}` }, 'cell')
      if (known.kind === 'formula') throw refuse(422, 'return_cell_formula', { cell: `${sheet}!${cell}` }, 'cell')
      const { rows } = await sql<{ name: string }>`select name from files where id = ${edition.file_id}`.execute(tx)
      const filled = await fillForm(content, [{ sheet, cell, value: text.trim() || null }])
      return keepEdition(ctx, tx, id, filled, firstRow(rows).name)
    }),
  ),
  handle(calls.file, async (ctx, { params: { id } }) => {
    const { code } = await findTemplate(ctx.db, id)
    const edition = await newestEdition(ctx.db, id)
    if (!edition) throw refuse(404, 'not_found')
    return {
      name: fileName('xlsx', code, `v${edition.number}`),
      type: 'xlsx',
      content: await keptContent(ctx, edition.file_id),
    }
  }),
]
