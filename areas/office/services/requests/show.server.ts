/** A request in full, as far as the reader may see it. */
import { ASKER_ACCOUNT, ASKERS, reachedAsker } from '#areas/money/ledger/askers.server.ts'
import type { Db } from '#db/connect.ts'
import { peopleOf, type Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { SERVICE_ASKS } from './asker.server.ts'
import { manages, ownTurn } from './chain.server.ts'
import { serviceFlow, type ServiceDetail } from './service.contract.ts'

type File = { id: number; name: string; size: number }
interface Row extends Omit<ServiceDetail, 'files' | 'answer_file' | 'mine'> {
  files: Record<string, File>
  answer_file: File | null
  own: boolean
  adds: boolean
}
const FILE = `json_build_object('id', f.id, 'name', f.name, 'size', f.size)`

/** @throws {Refusal} 404 when there is none within reach */
export async function showService(ctx: Ctx, db: Db, id: number): Promise<ServiceDetail> {
  const { rows } = await sql<Row>`
    select t.id, t.version, t.status, ${ref('y')} as kind, case when s.id is not null then ${ref('s')} end as student,
      case when w.id is not null then ${ref('w')} end as staff, t.why, t.created_at, t.due_on,
      greatest(coalesce(university_today() - t.due_on, 0), 0) as late, t.fields, t.answers, t.step, t.answer, t.prepaid,
      coalesce((select json_object_agg(k.field, ${sql.raw(FILE)}) from service_files k join files f on f.id = k.file_id
        where k.service_id = t.id), '{}') as files,
      (select ${sql.raw(FILE)} from files f where f.id = t.answer_file_id) as answer_file,
      coalesce((select json_agg(json_build_object('position', g.position, 'name', g.name, 'name_local', g.name_local, 'days', g.days,
          'since', g.since, 'due_on', g.due_on, 'done_at', g.done_at, 'note', g.note, 'note_shown', g.note_shown,
          'done_by', (select json_build_object('name', u.name, 'name_local', u.name_local) from users u where u.id = g.done_by))
          order by g.position) from service_steps g where g.service_id = t.id), '[]') as steps,
      case when t.status in ('asked_back', 'Rejected') then (select h.reason from step_history h where h.workflow = ${serviceFlow.name}
        and h.record_id = t.id and h.to_state = t.status order by h.id desc limit 1) end as said,
      (select json_build_object('invoice_id', i.id, 'number', i.number, 'amount', b.charged, 'currency', i.currency, 'paid', b.settled >= b.charged)
        from request_fees f join invoices i on i.id = f.invoice_id join invoice_balances b on b.invoice_id = i.id
        where f.workflow = ${serviceFlow.name} and f.record_id = t.id and f.taken_back_at is null) as fee,
      coalesce(t.status in ('New', 'in review') and (${ownTurn(ctx)} or ${manages(ctx)}), false) as turn,
      not exists (select from service_steps k where k.service_id = t.id and k.position > t.step) as last,
      coalesce(${ASKER_ACCOUNT} = any(${[...peopleOf(ctx)]}::int[]), false) as own, ${reachedAsker(ctx, SERVICE_ASKS)} as adds
    from services t ${ASKERS} join service_kinds y on y.id = t.kind_id
    where t.id = ${id} and t.removed_at is null and ${reachedAsker(ctx, ['show_service', 'ask_service_as_staff'])}`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { own, adds, ...shown } = row
  // Whoever asked, and who only follows, reads what is meant for them; offices read all.
  const office = !own && ctx.can('decide_service', 'manage_service')
  const link = (file: File) => ({ ...file, url: ctx.services.files.link(file, ctx.actor!) })
  return {
    ...shown,
    turn: shown.turn && office,
    mine: adds && ['fee_due', 'New', 'asked_back'].includes(shown.status),
    steps: shown.steps.map((one) => ({
      ...one,
      note: office || one.note_shown ? one.note : null,
      done_by: office ? one.done_by : null,
    })),
    files: Object.fromEntries(Object.entries(shown.files).map(([field, file]) => [field, link(file)])),
    answer_file: shown.answer_file && link(shown.answer_file),
  }
}
