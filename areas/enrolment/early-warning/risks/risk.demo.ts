import { insertRows } from '#db/bulk.ts'
import { demoPart, insertNew } from '#demo/part.ts'
import { addDays } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { fitToPast } from '../past/model.server.ts'
import { countSome, readJudging } from './count.server.ts'

/** Terms to which the model of the demo university is fitted. */
const TERMS = 2
const SOME = 500
/** How, what was said, what came of it, and more about that. */
const CONTACTS = [
  [
    'meeting',
    'Works at night since September and misses the morning lectures. We looked for other groups.',
    'helped',
    'Moved to an afternoon group in two courses.',
  ],
  ['phone', 'Ill for three weeks; did not know that an excuse can be asked for afterwards.', 'open', null],
  ['message', 'Asked for an appointment twice, no answer yet.', 'not_reached', null],
  [
    'meeting',
    'Problems with the rent. The housing office has places for such cases.',
    'referred',
    'The housing office has an appointment on Sunday.',
  ],
  ['mail', 'Says that it will go better by itself.', 'declined', null],
] as const

export default demoPart(
  ['risk_models', 'student_risks', 'risk_contacts'],
  [
    'settings',
    'early_warning_rules',
    'students',
    'student_terms',
    'invoices',
    'registrations',
    'registration_marks',
    'attendance',
    'excuses',
    'current_terms',
    'program_courses',
    'users',
  ],
  async (tx, demo) => {
    const { model, report, groups, ...fitted } = await fitToPast(tx, undefined, TERMS)
    await insertRows(tx, 'risk_models', [{ ...fitted, model, report, groups, is_used: true }])
    const judging = await readJudging(tx, { on: true, own: true, watch: 3, high: 6 })
    if (!judging) return
    const { rows } = await sql<{
      id: number
    }>`select id from students where status = 'studying' and removed_at is null order by id`.execute(tx)
    for (let from = 0; from < rows.length; from += SOME)
      await countSome(
        tx,
        judging,
        rows.slice(from, from + SOME).map(({ id }) => id),
      )
    // They did not all begin last night.
    await sql`update student_risks set began_at = counted_at - make_interval(days => 1 + id % 19)`.execute(tx)
    // What stood in the weeks before, with fewer reasons.
    await sql`
      insert into student_risks (student_id, term_id, level, points, probability, risk_model_id, reasons, facts, began_at, counted_at, ended_at)
      select k.student_id, k.term_id, 'watch', (k.reasons -> 0 ->> 'points')::int, null, null, jsonb_build_array(k.reasons -> 0), k.facts,
        k.began_at - interval '12 days', k.began_at, k.began_at
      from student_risks k where k.level = 'high' and jsonb_array_length(k.reasons) > 1 and k.id % 3 = 0`.execute(tx)
    // Of each faculty some, and all of what can come of it.
    const { rows: met } = await sql<{ id: number; student_id: number; user_id: number | null }>`
      select k.id, k.student_id, (select i.user_id from instructors i where i.id = s.advisor_id) as user_id
      from student_risks k join students s on s.id = k.student_id where k.ended_at is null
      order by row_number() over (partition by s.faculty_id order by k.points desc, k.id), s.faculty_id limit 25`.execute(
      tx,
    )
    await insertNew(
      tx,
      'risk_contacts',
      met.map(({ id, student_id, user_id }, i) => {
        const [way, said, outcome, outcome_note] = CONTACTS[i % CONTACTS.length]!
        const on_date = addDays(demo.today, -1 - (i % 6))
        return {
          student_id,
          risk_id: id,
          on_date,
          way,
          said,
          outcome,
          outcome_note,
          again_on: outcome === 'open' ? addDays(on_date, 7) : null,
          created_by: user_id,
        }
      }),
    )
  },
)
