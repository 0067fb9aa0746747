/** Who was away from an exam that is no final: its mark is absent, as long as no other stands there. */
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { ExamKind } from '#areas/common/academics/exam-words.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import type { Authority } from '../guard.rules.ts'
import { actOn } from '../guard.server.ts'
import { writeMarks } from './marks.server.ts'

/** The mark of an exam of a registration; `A`: absent, null: none. */
export interface ExamMark {
  readonly registration_id: number
  readonly offering_mark_id: number
  readonly mark: string | null
  readonly version: number | null
}

/** Marks of the exams of a kind, by registration; a registration whose scheme has no category for it is missing. */
export async function examMarks(tx: Db | Tx, kind: ExamKind, ids: readonly number[]): Promise<Map<number, ExamMark>> {
  const { rows } = await sql<ExamMark & { absent: boolean | null }>`
    select distinct on (r.id) r.id as registration_id, m.id as offering_mark_id, g.mark::text, g.absent, g.version
    from registrations r join offering_marks m on m.offering_id = r.offering_id
      join mark_categories k on k.id = m.mark_category_id
        and ${kind === 'final' ? sql`k.is_final_exam` : sql`k.exam_kind = ${kind}`}
      left join registration_marks g on g.registration_id = r.id and g.offering_mark_id = m.id
    where r.id = any(${[...ids]}::int[]) order by r.id, m.id`.execute(tx)
  return new Map(
    rows.map(({ absent, ...row }) => [
      row.registration_id,
      { ...row, mark: absent ? 'A' : row.mark === null ? null : trimHundredths(parseHundredths(row.mark) ?? 0) },
    ]),
  )
}

/** Holds the grids of offerings, as editors of marks do: whoever writes there comes before or after. */
export const holdGrids = (tx: Tx, offering_ids: readonly number[]) =>
  sql`select from offerings where id = any(${[...offering_ids]}::int[]) order by id for no key update`.execute(tx)

/**
 * Writes, or takes away, the absence in the marks of an exam. What stands there otherwise stays. The offerings are held
 * (`holdGrids`), and whether the person may was judged.
 */
export async function markAbsent(
  ctx: Ctx,
  tx: Tx,
  kind: ExamKind,
  registrations: readonly { readonly id: number; readonly authority: Authority | null }[],
  absent: boolean,
): Promise<void> {
  const marks = await examMarks(
    tx,
    kind,
    registrations.map((registration) => registration.id),
  )
  for (const [authority, those] of Map.groupBy(registrations, (registration) => registration.authority)) {
    const values = those.flatMap(({ id }) => {
      const found = marks.get(id)
      return found && found.mark === (absent ? null : 'A')
        ? [{ registration_id: id, offering_mark_id: found.offering_mark_id, mark: null, absent, seen: found.version }]
        : []
    })
    if (!values.length) continue
    await actOn(tx, authority)
    await writeMarks(ctx, tx, values, { completes: false })
    await actOn(tx, null)
  }
}
