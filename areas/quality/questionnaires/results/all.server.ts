/** Results of every set within reach at once: for sheets, and for the reports of all. */
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { questionForm, type QuestionForm } from '../types/form.contract.ts'
import {
  atomKey,
  resultFiguresOf,
  restOf,
  sumAtoms,
  type AtomSums,
  type Figures,
  type ResultAtom,
} from './compare.rules.ts'
import { reachedSets, RESULT_READERS, RESULT_SETS, shownSets, type ResultNamed } from './results.server.ts'

interface SeenSet {
  readonly id: number
  readonly course: ResultNamed | null
  readonly instructor: ResultNamed | null
  readonly pooled: boolean
  readonly asked: number
  readonly answered: number
  readonly course_id: number | null
  readonly department_id: number | null
  readonly faculty_id: number | null
}
export interface SetResult extends SeenSet, Figures {}
export interface AllResults {
  readonly id: number
  readonly type: ResultNamed
  readonly term: ResultNamed | null
  readonly questions: QuestionForm
  readonly sets: readonly SetResult[]
}

interface PlacedAtom extends ResultAtom {
  readonly set_id: number
  readonly department_id: number | null
  readonly faculty_id: number | null
}
/** Sums by a part of the university, from which a set takes its own out. */
const sumsBy = <A extends ResultAtom>(atoms: readonly A[], of: (atom: A) => number | null): Map<number, AtomSums> =>
  new Map(
    [...Map.groupBy(atoms, of)].flatMap(([part, all]) =>
      part === null ? [] : [[part, sumAtoms(all)] as [number, AtomSums]],
    ),
  )

/**
 * Every set that the reader sees, each beside its department, faculty, and terms before. Reads every figure once, however many sets.
 *
 * @param id of a questionnaire
 * @throws {Refusal} 409 where nothing is within reach, or nothing is counted yet
 */
export async function resultsOfAll(ctx: Ctx, id: number): Promise<AllResults> {
  const { rows: found } = await sql<{
    id: number
    type: ResultNamed
    term: ResultNamed | null
    form: unknown
    counted: boolean
    type_id: number
  }>`select t.id, ${ref('y')} as type, ${refOrNull('w')} as term, t.form, t.counted_on is not null as counted, t.type_id
    from questionnaires t join questionnaire_types y on y.id = t.type_id left join terms w on w.id = t.term_id
    where t.id = ${id} and t.removed_at is null
      and exists (select from ${RESULT_SETS} where x.questionnaire_id = ${id} and ${reachedSets(ctx, RESULT_READERS)})`.execute(
    ctx.db,
  )
  const [head] = found
  if (!head) throw refuse(409, 'results_none')
  if (!head.counted) throw refuse(409, 'results_not_counted')
  const { rows: sets } =
    await sql<SeenSet>`select x.id, ${refOrNull('c')} as course, ${refOrNull('i')} as instructor, x.pooled,
      coalesce(x.asked, 0) as asked, coalesce(x.answered, 0) as answered, o.course_id, o.department_id, o.faculty_id
    from ${RESULT_SETS} where t.id = ${id} and not x.small and ${reachedSets(ctx, RESULT_READERS)} and ${shownSets(ctx)}
    order by c.code nulls last, i.name, x.id`.execute(ctx.db)
  if (!sets.length) throw refuse(409, 'results_none')
  const { rows: atoms } = await sql<PlacedAtom>`select x.id as set_id, o.department_id, o.faculty_id, f.question,
      f.part::int as part, f.n, f.counts
    from questionnaire_figures f join questionnaire_sets x on x.id = f.set_id left join offerings o on o.id = x.offering_id
    where x.questionnaire_id = ${id}`.execute(ctx.db)
  const { rows: earlier } = await sql<
    ResultAtom & { course_id: number }
  >`select o.course_id, f.question, f.part::int as part, f.n, f.counts
    from questionnaire_figures f join questionnaire_sets x on x.id = f.set_id
      join questionnaires t on t.id = x.questionnaire_id and t.counted_on is not null join offerings o on o.id = x.offering_id
    where t.type_id = ${head.type_id} and t.id <> ${id} and t.removed_at is null`.execute(ctx.db)
  const own = Map.groupBy(atoms, ({ set_id }) => set_id)
  const departments = sumsBy(atoms, (atom) => atom.department_id)
  const faculties = sumsBy(atoms, (atom) => atom.faculty_id)
  const before = sumsBy(earlier, (atom) => atom.course_id)
  const questions = questionForm.parse(head.form ?? [])
  return {
    id: head.id,
    type: head.type,
    term: head.term,
    questions,
    sets: sets.map((set): SetResult => {
      const mine = sumAtoms(own.get(set.id) ?? [])
      const rest = (sums: Map<number, AtomSums>, part: number | null, key: string) =>
        restOf(sums.get(part ?? 0)?.get(key), mine.get(key))
      return {
        ...set,
        ...resultFiguresOf(questions, mine, (key) => ({
          department: rest(departments, set.department_id, key),
          faculty: rest(faculties, set.faculty_id, key),
          before: before.get(set.course_id ?? 0)?.get(key),
        })),
      }
    }),
  }
}

/** Comments that are shown, by set and question, in the order of the alphabet. */
export async function shownComments(ctx: Ctx, sets: readonly number[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ set_id: number; question: string; text: string }>`select set_id, question, text
    from questionnaire_comments where set_id = any(${sets}::int[]) and state = 'shown' order by text, id`.execute(
    ctx.db,
  )
  const by = new Map<string, string[]>()
  for (const { set_id, question, text } of rows) {
    const key = atomKey({ question, part: set_id })
    by.set(key, [...(by.get(key) ?? []), text])
  }
  return by
}
