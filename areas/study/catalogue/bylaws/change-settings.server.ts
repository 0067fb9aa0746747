import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { syncRows } from '#kit/server/resource/rows.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { BylawSettingsAnswer, Settings, SettingsPatch } from './settings.contract.ts'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { changedForResults } from './editions.rules.ts'
import { SETS } from './sets.contract.ts'
import { checkBylawSettings, gradesGone, levelsGone, settingsPartOf, type GradeOfBylaw } from './settings.rules.ts'
import { bylawSettingsJson, bylawScope, readSettings } from './read-settings.server.ts'

// --- Writing --------------------------------------------------------------------------------------------------------

type Entry = { readonly id?: number } & Readonly<Record<string, unknown>>

const SCALARS = [
  'program_type',
  'in_admission',
  'min_training_weeks',
  'min_percentage_final_exam',
  'total_places',
  'warning_type',
  'warning_count',
  'warning_gpa',
  'max_warnings',
  'warning_in_summer',
  'warning_max_ch_value',
  'repeat_rule',
  'repeat_max_points',
  'improve_max_points',
  'max_improvements',
  'improve_letters',
  'max_repeats',
  'graduating_extra_hours',
  'graduating_extra_courses',
  'withdrawal_charge',
  'excuse_charge',
  'absence_warn_share',
  'absence_ban_share',
  'excused_absence_counts',
  'lates_per_absence',
  'graduation_hours',
  'graduation_gpa',
  'pass_share',
  'max_carried',
  'carried_from_final_level',
  'second_session',
  'later_sitting_capped',
  'max_chances',
  'honours_rating',
  'grace_order',
  'grace_per_course',
  'grace_in_all',
  'grace_share',
  'grace_on_transcript',
] as const satisfies readonly (keyof Settings)[]

/** Sets whose entries have no rows of their own. */
const PLAIN_SETS = [
  'levels',
  'special_grades',
  'gpa_ranges',
  'load_ranges',
  'ratings',
  'carried_courses',
  'conversions',
  'withdrawal_steps',
] as const

/** Levels as they are stored: what was not sent of one stays, in a new one it is usual. */
const wholeLevels = (current: Settings, levels: Settings['levels']): Settings['levels'] =>
  levels.map((level) => ({
    chances: 2,
    counts_for_graduation: true,
    ...current.levels.find((one) => one.id !== undefined && one.id === level.id),
    ...level,
  }))

/** Entries that carry the id of another bylaw's entry. */
function strangers(current: Settings, patch: SettingsPatch): Reason[] {
  const out: Reason[] = []
  const look = (field: string, known: readonly Entry[], given: readonly Entry[] | undefined) => {
    const ids = new Set(known.map((entry) => entry.id))
    given?.forEach((entry, i) => {
      if (entry.id !== undefined && !ids.delete(entry.id))
        out.push({ field: `${field}.${i}.id`, code: 'set_entry_unknown' })
    })
  }
  for (const set of [...PLAIN_SETS, 'grade_types'] as const) look(set, current[set], patch[set])
  patch.grade_types?.forEach((type, i) =>
    look(`grade_types.${i}.ranges`, current.grade_types.find((t) => t.id === type.id)?.ranges ?? [], type.ranges),
  )
  return out
}

/** A row that the caller reaches, locked until the transaction ends. @throws {Refusal} 404, 409 removed or changed */
export async function lockBylaw(tx: Tx, ctx: Ctx, id: number, version?: number): Promise<void> {
  const { rows } = await sql<{ version: number; removed: boolean }>`
    select b.version, b.removed_at is not null as removed from bylaws b
    where b.id = ${id} and ${scopeCondition(ctx, 'edit_bylaw_settings', bylawScope)} for update`.execute(tx)
  const row = rows[0]
  if (!row) throw refuse(404, 'not_found')
  if (row.removed) throw refuse(409, 'removed_record')
  if (version !== undefined && version !== row.version) throw refuse(409, 'changed_meanwhile', { version: row.version })
}

/**
 * Results by credit hours are letters and points, those by marks are marks out of a maximum: a bylaw under which somebody
 * has registered keeps its way of counting.
 * @throws {Refusal} 422
 */
export async function requireSameWay(tx: Tx, id: number, before: unknown, after: unknown): Promise<void> {
  if (worksByMarks(before as string | null) === worksByMarks(after as string | null)) return
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from students s
    where s.bylaw_id = ${id} and exists (select from registrations r where r.student_id = s.id)`.execute(tx)
  if (firstRow(rows).count) throw refuse(422, 'bylaw_type_in_use', { count: firstRow(rows).count }, 'program_type')
}

/** Why grades that a bylaw would have no more stay: approved results stand on them, and their transcripts have them. */
async function gradesInUse(tx: Tx, id: number, gone: readonly GradeOfBylaw[]): Promise<Reason[]> {
  if (!gone.length) return []
  const { rows } = await sql<{ letter: string; count: number }>`
    select x.letter, results_of_grade(${id}, x.kind, x.letter) as count
    from unnest(${gone.map((one) => one.kind)}::text[], ${gone.map((one) => one.letter)}::text[]) with ordinality x (kind, letter, i)
    order by x.i`.execute(tx)
  return rows.flatMap(({ letter, count }) => (count ? [{ code: 'grade_in_use', data: { letter, count } }] : []))
}

/** Why levels that a bylaw would have no more stay: students are in them. */
async function levelsInUse(tx: Tx, id: number, gone: readonly number[]): Promise<Reason[]> {
  if (!gone.length) return []
  const { rows } = await sql<{ level: number; count: number }>`
    select s.level, count(*)::int as count from students s where s.bylaw_id = ${id} and s.level = any(${[...gone]}::int[])
      and s.removed_at is null and s.status in ('studying', 'suspended') and exists (select from registrations r where r.student_id = s.id)
    group by 1 order by 1`.execute(tx)
  return rows.map((data) => ({ field: 'levels', code: 'level_in_use', data: { ...data } }))
}

/**
 * What approved results stand on changes from a term on in which nothing is approved yet: what held until then is kept, and
 * computes the terms before.
 * @throws {Refusal} 409 without the term; with one that has results already, or before an earlier change
 */
async function fromTerm(ctx: Ctx, tx: Tx, id: number, current: Settings, from: number | null): Promise<void> {
  const { rows } = await sql<{
    count: number
    after: number
    term: { name: string; name_local: string } | null
    last: { name: string; name_local: string } | null
    newest: { id: number; name: string; name_local: string; later: boolean } | null
  }>`
    select results_of_bylaw(${id}) as count, case when ${from}::int is null then 0 else results_of_bylaw(${id}, ${from}::int) end as after,
      (select ${ref('w')} from terms w where w.id = ${from}::int and w.removed_at is null) as term,
      (select ${ref('w')} from terms w where w.id = (select r.term_id from registrations r join students s on s.id = r.student_id
          join offerings o on o.id = r.offering_id join terms y on y.id = r.term_id
        where s.bylaw_id = ${id} and r.letter is not null and o.control_status in ('Approved', 'Published', 'Frozen')
        order by y.start_date desc, y.id desc limit 1)) as last,
      (select json_build_object('id', w.id, 'name', w.name, 'name_local', w.name_local, 'later', ${from}::int is not null
          and term_after(w.id, ${from}::int)) from bylaw_editions e join terms w on w.id = e.until_term_id
        where e.bylaw_id = ${id} order by w.start_date desc, w.id desc limit 1) as newest`.execute(tx)
  const { count, after, term, last, newest } = firstRow(rows)
  if (!count) return
  const data = { count, last: last?.name ?? '', last_local: last?.name_local ?? '' }
  // Where a change waits for its term already, the same change goes on.
  if (from === null) {
    const open =
      newest && firstRow((await sql<{ open: boolean }>`select bylaw_settled(${id}) as open`.execute(tx)).rows).open
    if (open) return
    throw refuse(409, 'settings_from_term', data, 'from_term_id')
  }
  if (!term) throw refuse(422, 'reference_missing', undefined, 'from_term_id')
  const named = { term: term.name, term_local: term.name_local }
  if (after) throw refuse(409, 'settings_term_decided', { ...named, ...data, count: after }, 'from_term_id')
  if (newest?.id === from) return
  if (newest?.later)
    throw refuse(
      409,
      'settings_term_order',
      { ...named, other: newest.name, other_local: newest.name_local },
      'from_term_id',
    )
  await sql`insert into bylaw_editions (bylaw_id, until_term_id, settings, created_by)
    values (${id}, ${from}, ${JSON.stringify(current)}::jsonb, ${ctx.actor?.user_id ?? null})`.execute(tx)
}

/**
 * Changes settings of a bylaw: the whole of what the change touches must hold, and nothing else may break by it.
 * All reasons are returned together. Answers with the settings as they then are.
 */
export async function change(
  ctx: Ctx,
  id: number,
  patchOf: (current: Settings) => SettingsPatch,
  version?: number,
  from_term_id?: number,
): Promise<{ data: BylawSettingsAnswer }> {
  return ctx.write(async (tx) => {
    await lockBylaw(tx, ctx, id, version)
    const { rows } = await sql<{
      settings: Settings
    }>`select ${bylawSettingsJson} as settings from bylaws b where b.id = ${id}`.execute(tx)
    const current = firstRow(rows).settings
    const sent = patchOf(current)
    const patch = sent.levels ? { ...sent, levels: wholeLevels(current, sent.levels) } : sent
    const next: Settings = { ...current, ...patch }
    await requireSameWay(tx, id, current.program_type, next.program_type)
    const foreign = strangers(current, patch)
    const key = (p: Reason) => `${p.field} ${p.code} ${JSON.stringify(p.data)}`
    const before = new Set(checkBylawSettings(current).map(key))
    const touched = new Set(Object.keys(patch).map(settingsPartOf))
    const problems = checkBylawSettings(next).filter((p) => touched.has(settingsPartOf(p.field)) || !before.has(key(p)))
    const used = [
      ...(await gradesInUse(tx, id, gradesGone(current, next))),
      ...(await levelsInUse(tx, id, levelsGone(current, next))),
    ]
    if (foreign.length || problems.length || used.length) throw new Refusal(422, [...foreign, ...problems, ...used])
    if (changedForResults(current, next).length) await fromTerm(ctx, tx, id, current, from_term_id ?? null)

    for (const set of PLAIN_SETS) {
      if (patch[set]) await syncRows(tx, set, SETS[set], id, current[set], patch[set])
    }
    if (patch.grade_types) {
      await syncRows(
        tx,
        'grade_types',
        SETS.grade_types,
        id,
        current.grade_types,
        patch.grade_types.filter((t) => t.id !== undefined),
      )
      for (const type of patch.grade_types) {
        const old = current.grade_types.find((t) => t.id === type.id)
        const [created] =
          type.id === undefined ? await syncRows(tx, 'grade_types', SETS.grade_types, id, [], [type]) : [type.id]
        await syncRows(tx, 'ranges', SETS.grade_ranges, created!, old?.ranges ?? [], type.ranges)
      }
    }
    const values = [sql`updated_at = now()`]
    for (const name of SCALARS) if (patch[name] !== undefined) values.push(sql`${sql.ref(name)} = ${patch[name]}`)
    if (patch.grades_visibility) values.push(sql`grades_visibility = ${JSON.stringify(patch.grades_visibility)}`)
    // Also when only a set changed: the version is what caches go by.
    await sql`update bylaws set ${sql.join(values)} where id = ${id}`.execute(tx)
    return { data: await readSettings(tx, ctx, id) }
  })
}
