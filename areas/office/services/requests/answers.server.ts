/** Files that are handed in with a request: each once, by who asks, of a kind that offices can open. */
import type { Tx } from '#db/connect.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import type { ServiceField } from '../kinds/kind.contract.ts'
import {
  checkServiceAnswers,
  keptAnswers,
  SERVICE_FILES,
  SERVICE_FILE_MOST,
  type ServiceAnswers,
} from './service.rules.ts'

/** Why a file is not taken, by the field that asked for it. */
async function checkFiles(
  ctx: Ctx,
  tx: Tx,
  given: readonly { field: string; id: number }[],
  of: number | null,
): Promise<Reason[]> {
  if (!given.length) return []
  const { rows } = await sql<{
    id: number
    name: string
    ext: string
    size: number
  }>`select f.id, f.name, f.ext, f.size from files f
    where f.id = any(${given.map((one) => one.id)}::int[])
      -- One's own that stands nowhere else, or one that stands in this request already.
      and (exists (select from service_files k where k.file_id = f.id and k.service_id = ${of}::int)
        or (f.created_by = ${ctx.actor?.user_id ?? null}::int and not exists (select from service_files k where k.file_id = f.id)
          and not exists (select from services v where v.answer_file_id = f.id)))`.execute(tx)
  const known = new Map(rows.map((row) => [row.id, row]))
  const seen = new Set<number>()
  return given.flatMap(({ field, id }): Reason[] => {
    const file = known.get(id)
    if (!file || seen.has(id)) return [{ field, code: 'reference_missing' }]
    seen.add(id)
    return [
      ...((SERVICE_FILES as readonly string[]).includes(file.ext)
        ? []
        : [{ field, code: 'service_file_kind', data: { name: file.name, kinds: SERVICE_FILES.join(', ') } }]),
      ...(file.size > SERVICE_FILE_MOST
        ? [{ field, code: 'service_file_large', data: { name: file.name, max: SERVICE_FILE_MOST / 1_000_000 } }]
        : []),
    ]
  })
}

const filesIn = (fields: readonly ServiceField[], answers: ServiceAnswers) =>
  fields.flatMap(({ key, type }) => {
    const id = answers[key]
    return type === 'file' && typeof id === 'number' ? [{ field: key, id }] : []
  })

/**
 * What was answered, as it is kept.
 *
 * @param of the request that is corrected; null: a new one
 * @throws {Refusal} 422 with every reason, each at its field
 */
export async function judgeAnswers(
  ctx: Ctx,
  tx: Tx,
  fields: readonly ServiceField[],
  given: ServiceAnswers,
  of: number | null,
): Promise<Record<string, string | number>> {
  const reasons = checkServiceAnswers(fields, given)
  const answers = keptAnswers(fields, given)
  const bad = new Set(reasons.map(({ field }) => field))
  reasons.push(
    ...(await checkFiles(
      ctx,
      tx,
      filesIn(fields, answers).filter(({ field }) => !bad.has(field)),
      of,
    )),
  )
  if (reasons.length) throw new Refusal(422, reasons)
  return answers
}

/** Files of the answers stand beside the request, so that they stay as long as it does. */
export async function keepFiles(
  tx: Tx,
  id: number,
  fields: readonly ServiceField[],
  answers: ServiceAnswers,
): Promise<void> {
  const files = filesIn(fields, answers)
  await sql`delete from service_files k where k.service_id = ${id} and not exists (
    select from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as x (field text, id int) where x.field = k.field and x.id = k.file_id)`.execute(
    tx,
  )
  await sql`insert into service_files (service_id, field, file_id)
    select ${id}::int, x.field, x.id from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as x (field text, id int)
    on conflict (service_id, field) do nothing`.execute(tx)
}

/** @throws {Refusal} 422 when the file of an answer is not one that whoever answers has just handed in */
export async function judgeAnswerFile(ctx: Ctx, tx: Tx, file_id: number): Promise<void> {
  const reasons = await checkFiles(ctx, tx, [{ field: 'file_id', id: file_id }], null)
  if (reasons.length) throw new Refusal(422, reasons)
}
