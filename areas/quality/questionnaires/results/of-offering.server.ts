/** What students said of offerings, in three numbers: for reports that stand beside it. */
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { questionForm } from '../types/form.contract.ts'
import { surveySaidOf, type OfferingSaid } from './of-offering.rules.ts'
import type { AnswerCounts } from './stats.rules.ts'

/**
 * Counted questionnaires about the courses of offerings: how many were asked, how many answered, and the mean of all ratings as a share
 * of the best, of 100. Whoever calls it says to whom it is shown, and when.
 */
export async function offeringsSaid(db: Db | Tx, offerings: readonly number[]): Promise<Map<number, OfferingSaid>> {
  const { rows } = await sql<{
    id: number
    form: unknown
    asked: number
    answered: number
    figures: { question: string; counts: AnswerCounts | null }[]
  }>`select x.offering_id as id, t.form, x.asked, x.answered,
      coalesce((select json_agg(json_build_object('question', f.question, 'counts', f.counts)) from questionnaire_figures f where f.set_id = x.id), '[]') as figures
    from questionnaire_sets x join questionnaires t on t.id = x.questionnaire_id
    where x.offering_id = any(${[...offerings]}::int[]) and x.instructor_id is null and t.counted_on is not null and t.removed_at is null
      and x.asked is not null and x.answered is not null
    order by t.counted_on, x.id`.execute(db)
  // Of several the last one counts.
  return new Map(rows.map(({ id, form, ...row }) => [id, surveySaidOf({ ...row, form: questionForm.parse(form) })]))
}
