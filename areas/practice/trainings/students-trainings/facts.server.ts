/** What requests for trainings are judged by: what is asked for, and whether a place can be had. */
import type { Tx } from '#db/connect.ts'
import { weeksBetween } from '../places/training.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { sql, type RawBuilder } from 'kysely'
import {
  checkTrainingAccepted,
  checkTrainingAsked,
  type StudentTrainingFacts,
  type TrainingAsked,
} from '../places/training.rules.ts'

/** SQL of the days and weeks of a request and its training: those of the training, of the weeks chosen of it, or of the place found. */
export const daysOf = (asked: string, of: string) => ({
  starts: `coalesce(${of}.starts_on + (coalesce(${asked}.from_week, 1) - 1) * 7, ${asked}.own_starts_on)`,
  ends: `coalesce(least(${of}.ends_on, ${of}.starts_on + ${asked}.until_week * 7 - 1), ${asked}.own_ends_on)`,
  weeks: `coalesce(least(${asked}.until_week - ${asked}.from_week + 1, ${of}.weeks), ${asked}.own_weeks)`,
})
const OF = daysOf('t', 'y')
/** The same of a request `t` whose training is `y`. */
export const [STARTS, ENDS, WEEKS] = [sql.raw(OF.starts), sql.raw(OF.ends), sql.raw(OF.weeks)]
const OTHER = daysOf('a', 'o')
/** SQL: another training that the student of `t` has in some of these days, as names. */
export const meanwhile = (from: RawBuilder<unknown> = STARTS, until: RawBuilder<unknown> = ENDS) =>
  sql<{
    name: string
    name_local: string
  } | null>`(select json_build_object('name', coalesce(o.name, a.own_organisation),
      'name_local', coalesce(o.name_local, a.own_organisation))
    from students_trainings a left join trainings o on o.id = a.training_id
    where a.student_id = t.student_id and a.id <> t.id and a.removed_at is null and a.status in ('accepted', 'approved')
      and daterange(${sql.raw(OTHER.starts)}, ${sql.raw(OTHER.ends)}, '[]') && daterange(${from}, ${until}, '[]')
    order by a.id limit 1)`

/** A place that a student found is told with all that is to be known of it. @throws {Refusal} 422 */
function checkWhere(merged: Values): void {
  const own = [merged.own_organisation, merged.own_starts_on, merged.own_ends_on, merged.own_weeks]
  const offered = merged.training_id != null
  if (offered ? own.some((one) => one != null && one !== '') : own.some((one) => one == null || one === ''))
    throw refuse(422, offered ? 'training_one_place' : 'training_place_missing', undefined, 'training_id')
  if (offered) return
  const { from_week, until_week } = merged
  if (from_week != null || until_week != null) throw refuse(422, 'training_whole', undefined, 'from_week')
  const [from, until] = [String(merged.own_starts_on), String(merged.own_ends_on)]
  if (until < from) throw refuse(422, 'training_days', undefined, 'own_ends_on')
  const weeks = weeksBetween(from, until)
  if (Number(merged.own_weeks) > weeks) throw refuse(422, 'training_weeks', { weeks }, 'own_weeks')
}

/** Judges what is asked for: a training that is offered, or a place with all that is to be known of it. */
export async function judgeAsked(ctx: Ctx, tx: Tx, merged: Values): Promise<void> {
  await sql`select from students where id = ${Number(merged.student_id)} for no key update`.execute(tx)
  checkWhere(merged)
  const offered = merged.training_id != null
  const week = (name: 'from_week' | 'until_week') => (merged[name] as number | null | undefined) ?? null
  const { rows } = await sql<TrainingAsked & { mine: boolean; offered: boolean }>`
    select university_today()::text as today, coalesce(y.opens_on::text, '') as opens_on, coalesce(y.closes_on::text, '') as closes_on,
      y.removed_at is not null as removed, y.called_off_reason as called_off,
      (select json_build_object('name', f.name, 'name_local', f.name_local) from faculties f where f.id = y.faculty_id) as faculty,
      (select json_build_object('name', p.name, 'name_local', p.name_local) from programs p where p.id = y.program_id) as program,
      coalesce(s.faculty_id = y.faculty_id, false) as in_faculty, coalesce(s.program_id = y.program_id, false) as in_program, y.min_level, h.level, y.min_gpa::text, h.gpa::text,
      y.min_hours::text, h.passed_hours::text as hours, coalesce(y.cv_required, false) as cv_required, ${merged.cv_file_id ?? null}::int is not null as cv,
      s.status = 'studying' as studying, y.id is not null as offered, coalesce(y.by_week, false) as by_week,
      coalesce(ceil((y.ends_on - y.starts_on + 1) / 7.0)::int, 0) as weeks, ${week('from_week')}::int as from_week, ${week('until_week')}::int as until_week,
      ${merged.cv_file_id ?? null}::int is null or exists (select from files f where f.id = ${merged.cv_file_id ?? null}::int
        and f.created_by = ${ctx.actor?.user_id ?? null}::int) as mine
    from students s join shown_standing h on h.student_id = s.id left join trainings y on y.id = ${offered ? Number(merged.training_id) : null}::int
    where s.id = ${Number(merged.student_id)}`.execute(tx)
  const [of] = rows
  if (!of) throw refuse(422, 'reference_missing', undefined, 'student_id')
  if (!of.mine) throw refuse(422, 'reference_missing', undefined, 'cv_file_id')
  if (offered && !of.offered) throw refuse(422, 'reference_missing', undefined, 'training_id')
  const reasons = offered ? checkTrainingAsked(of) : of.studying ? [] : [{ code: 'training_not_studying' }]
  if (reasons.length) throw new Refusal(409, reasons)
}

/**
 * What decisions look at. Who gives a place holds the training and the students, so that the last place is given once,
 * and nobody is given two at the same time.
 */
export async function trainingFactsOf(
  tx: Tx,
  ids: readonly number[],
  action: string,
): Promise<Map<number, StudentTrainingFacts>> {
  if (action === 'accept') {
    await sql`select from trainings where id in (select training_id from students_trainings where id = any(${[...ids]}::int[]))
      order by id for update`.execute(tx)
    await sql`select from students where id in (select student_id from students_trainings where id = any(${[...ids]}::int[]))
      order by id for no key update`.execute(tx)
  }
  const { rows } = await sql<StudentTrainingFacts & { id: number }>`
    select t.id, university_today()::text as today, ${ENDS}::text as ends_on, s.status = 'studying' as studying, y.places,
      coalesce(y.by_week, false) as by_week, y.called_off_reason as called_off,
      coalesce((select json_agg(w.week order by w.week) from training_week_counts(t.training_id, t.id) w where w.taken >= w.places
        and w.week between coalesce(t.from_week, 1) and coalesce(t.until_week, 1000)), '[]') as full_weeks,
      g.agreement_until::text, coalesce(y.has_interview, false) as needs_interview,
      exists (select from training_interviews v where v.student_training_id = t.id and v.starts_at <= now()) as interviewed,
      ${meanwhile()} as meanwhile,
      least(coalesce(y.min_reports, 0), ceil((${ENDS} - ${STARTS} + 1) / 7.0)::int) as min_reports,
      (select count(*)::int from training_reports r where r.student_training_id = t.id) as reports, t.assessed_at is not null as assessed
    from students_trainings t join students s on s.id = t.student_id left join trainings y on y.id = t.training_id
      left join training_organisations g on g.id = coalesce(y.organisation_id, t.organisation_id)
    where t.id = any(${[...ids]}::int[])`.execute(tx)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** @throws {Refusal} 409 where places were judged one by one that cannot all be had */
export async function keepPlaces(tx: Tx, ids: readonly number[]): Promise<void> {
  const facts = await trainingFactsOf(tx, ids, 'accept')
  for (const id of ids) {
    const of = facts.get(id)
    const reasons = of ? checkTrainingAccepted(of) : []
    if (reasons.length) throw new Refusal(409, reasons)
  }
}
