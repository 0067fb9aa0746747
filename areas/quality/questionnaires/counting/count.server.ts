/** Counting: the envelopes of each set of a closed questionnaire are opened, counted and deleted (docs/decisions/0047-anonymous-answers.md). */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { sql } from 'kysely'
import { countedAnswers } from '../filling/answers.rules.ts'
import { formAnswers, questionForm, type FormAnswers, type QuestionForm } from '../types/form.contract.ts'
import { ballotOpener } from './envelope.server.ts'
import { BALLOT_KEYS, ballotKeyOf } from './keys.server.ts'
import { FEWEST_ANSWERS, tally, type Tallied } from './tally.rules.ts'

/** Envelopes that are opened at once. */
const AT_ONCE = 500

interface Counting {
  readonly id: number
  readonly form: QuestionForm
  readonly open: (sealed: Uint8Array) => unknown
}

const NOTHING_TO_OPEN = (): never => {
  throw new Error('There is an envelope, and no key to open it')
}

/** Takes all envelopes of sets out of the database and opens them; in which order they come does not matter to what is made of them. */
async function takeBallots(tx: Tx, { form, open }: Counting, sets: readonly number[]): Promise<FormAnswers[]> {
  const all: FormAnswers[] = []
  for (;;) {
    const { rows } = await sql<{ sealed: Buffer }>`delete from questionnaire_ballots where ctid = any(array(
      select ctid from questionnaire_ballots where set_id = any(${sets}::int[]) limit ${AT_ONCE})) returning sealed`.execute(
      tx,
    )
    for (const { sealed } of rows) all.push(countedAnswers(form, formAnswers.parse(open(sealed))))
    if (rows.length < AT_ONCE) return all
  }
}

async function keepTally(tx: Tx, set_id: number, { figures, comments }: Tallied): Promise<void> {
  await sql`insert into questionnaire_figures (set_id, question, part, n, counts)
    select ${set_id}, f.question, f.part, f.n, f.counts
    from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb) as f (question text, part smallint, n integer, counts jsonb)`.execute(
    tx,
  )
  await sql`insert into questionnaire_comments (set_id, question, text)
    select ${set_id}, c.question, c.text from jsonb_to_recordset(${JSON.stringify(comments)}::jsonb) as c (question text, text text)`.execute(
    tx,
  )
}

/** One set, in a transaction of its own: killed, it is as if it had not begun. */
const countSet = (ctx: Ctx, of: Counting, set_id: number, asked: number): Promise<void> =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{
      id: number
    }>`select id from questionnaire_sets where id = ${set_id} and answered is null for update`.execute(tx)
    // Another process has counted it.
    if (!rows.length) return
    const { rows: found } = await sql<{
      n: number
    }>`select count(*)::int as n from questionnaire_ballots where set_id = ${set_id}`.execute(tx)
    const { n } = firstRow(found)
    const small = n < FEWEST_ANSWERS
    if (!small) {
      const tallied = tally(of.form, await takeBallots(tx, of, [set_id]), asked)
      if (tallied) await keepTally(tx, set_id, tallied)
    }
    await sql`delete from questionnaire_participations where set_id = ${set_id}`.execute(tx)
    await sql`delete from questionnaire_invitations where questionnaire_id = ${of.id}`.execute(tx)
    await sql`update questionnaire_sets set asked = ${Math.max(asked, n)}, answered = ${n}, small = ${small} where id = ${set_id}`.execute(
      tx,
    )
  })

/** The small sets together, and the end: no envelope and no key is left. */
const countRest = (ctx: Ctx, of: Counting): Promise<void> =>
  ctx.write(async (tx) => {
    const { rows: held } = await sql<{
      id: number
    }>`select id from questionnaires where id = ${of.id} and counted_on is null for no key update`.execute(tx)
    if (!held.length) return
    const { rows: small } = await sql<{
      id: number
      asked: number
      answered: number
    }>`select id, asked, answered from questionnaire_sets
      where questionnaire_id = ${of.id} and small and answered is not null`.execute(tx)
    const ids = small.map(({ id }) => id)
    const n = small.reduce((sum, one) => sum + one.answered, 0)
    const asked = small.reduce((sum, one) => sum + one.asked, 0)
    if (n >= FEWEST_ANSWERS) {
      const tallied = tally(of.form, await takeBallots(tx, of, ids), asked)
      const { rows } = await sql<{
        id: number
      }>`insert into questionnaire_sets (questionnaire_id, pooled, asked, answered)
        values (${of.id}, true, ${asked}, ${n}) returning id`.execute(tx)
      if (tallied) await keepTally(tx, firstRow(rows).id, tallied)
    }
    await sql`delete from questionnaire_ballots where set_id in (select id from questionnaire_sets where questionnaire_id = ${of.id})`.execute(
      tx,
    )
    await sql`delete from questionnaire_keys where questionnaire_id = ${of.id}`.execute(tx)
    await sql`update questionnaires set counted_on = university_today() where id = ${of.id}`.execute(tx)
  })

/** Counts a closed questionnaire; what is counted already stays. @returns how many sets were counted now */
export async function countQuestionnaire(ctx: Ctx, id: number): Promise<number> {
  const { rows } = await sql<{
    form: unknown
    private_key: Buffer | null
  }>`select q.form, k.private_key from questionnaires q
    left join questionnaire_keys k on k.questionnaire_id = q.id where q.id = ${id} and q.status = 'closed' and q.counted_on is null`.execute(
    ctx.db,
  )
  const [found] = rows
  if (!found) return 0
  const seal = await sealOf(ctx.services, BALLOT_KEYS)
  // Without a key nobody has answered.
  const { private_key } = found
  const of = {
    id,
    form: questionForm.parse(found.form),
    open: private_key ? ballotOpener(seal.open(private_key, ballotKeyOf(id))) : NOTHING_TO_OPEN,
  }
  const { rows: sets } = await sql<{ id: number; asked: number }>`
    select x.id, count(distinct p.user_id)::int + (select count(*)::int from questionnaire_invitations i left join students s on s.id = i.student_id
        where i.questionnaire_id = ${id} and s.user_id is null) as asked from questionnaire_sets x
    left join (select set_id, user_id from questionnaire_asked(${id}) union select p.set_id, p.user_id from questionnaire_participations p
      join questionnaire_sets s on s.id = p.set_id where s.questionnaire_id = ${id}) p on p.set_id = x.id
    where x.questionnaire_id = ${id} and x.answered is null and not x.pooled group by x.id order by x.id`.execute(
    ctx.db,
  )
  for (const set of sets) await countSet(ctx, of, set.id, set.asked)
  await countRest(ctx, of)
  return sets.length
}

export const countJob = defineJob<{ id: number }, { counted: number }>({
  name: 'questionnaires-count',
  retries: 5,
  run: async (ctx, { id }) => ({ counted: await countQuestionnaire(ctx, id) }),
})
