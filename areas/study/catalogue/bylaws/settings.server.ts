import type { Access } from '#kit/contract/index.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/errors.ts'
import { keptOfDatabase } from '#kit/server/kept.ts'
import { rowsJson } from '#kit/server/fields.ts'
import { syncRows } from '#kit/server/rows.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import { ref } from '#kit/server/sql.ts'
import { sql } from 'kysely'
import {
  bylawCalls,
  type BylawSettingsAnswer,
  type Settings,
  type SettingsPatch,
  type TreeNode,
} from './settings.contract.ts'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { changedForResults, type TermPlace } from './editions.rules.ts'
import { SETS } from './sets.contract.ts'
import {
  checkSettings,
  gpaRanges,
  gradesGone,
  levelsGone,
  partOf,
  percentRanges,
  toBylaw,
  type BylawSettings,
  type GradeOfBylaw,
} from './settings.rules.ts'

// --- Reading --------------------------------------------------------------------------------------------------------

/** Every setting of the bylaw `b` as one JSON value; decimals as text, because JSON numbers are binary fractions. */
const settingsJson = sql<Settings>`json_build_object(
  'program_type', b.program_type, 'in_admission', b.in_admission, 'min_training_weeks', b.min_training_weeks,
  'min_percentage_final_exam', b.min_percentage_final_exam::text, 'total_places', b.total_places,
  'warning_type', b.warning_type, 'warning_count', b.warning_count, 'warning_gpa', b.warning_gpa::text,
  'max_warnings', b.max_warnings, 'warning_in_summer', b.warning_in_summer,
  'warning_max_ch_value', b.warning_max_ch_value, 'repeat_rule', b.repeat_rule,
  'repeat_max_points', b.repeat_max_points::text, 'improve_max_points', b.improve_max_points::text,
  'max_improvements', b.max_improvements, 'improve_letters', b.improve_letters, 'max_repeats', b.max_repeats,
  'graduating_extra_hours', b.graduating_extra_hours, 'graduating_extra_courses', b.graduating_extra_courses,
  'withdrawal_charge', b.withdrawal_charge::text, 'excuse_charge', b.excuse_charge::text,
  'absence_warn_share', b.absence_warn_share::text, 'absence_ban_share', b.absence_ban_share::text,
  'excused_absence_counts', b.excused_absence_counts, 'lates_per_absence', b.lates_per_absence,
  'graduation_hours', b.graduation_hours, 'graduation_gpa', b.graduation_gpa::text,
  'pass_share', b.pass_share::text, 'max_carried', b.max_carried, 'carried_from_final_level', b.carried_from_final_level,
  'second_session', b.second_session, 'later_sitting_capped', b.later_sitting_capped, 'max_chances', b.max_chances,
  'honours_rating', b.honours_rating, 'grace_order', b.grace_order, 'grace_per_course', b.grace_per_course::text,
  'grace_in_all', b.grace_in_all::text, 'grace_share', b.grace_share::text, 'grace_on_transcript', b.grace_on_transcript,
  'grades_visibility', b.grades_visibility,
  'levels', ${sql.raw(rowsJson(SETS.levels, 'b.id'))},
  'grade_types', coalesce((select json_agg(json_build_object('id', g.id, 'kind', g.kind, 'name', g.name,
      'name_local', g.name_local, 'ranges', ${sql.raw(rowsJson(SETS.grade_ranges, 'g.id'))}) order by g.kind)
    from grade_types g where g.bylaw_id = b.id), '[]'),
  'special_grades', ${sql.raw(rowsJson(SETS.special_grades, 'b.id'))},
  'gpa_ranges', ${sql.raw(rowsJson(SETS.gpa_ranges, 'b.id'))},
  'load_ranges', ${sql.raw(rowsJson(SETS.load_ranges, 'b.id'))}, 'ratings', ${sql.raw(rowsJson(SETS.ratings, 'b.id'))},
  'conversions', ${sql.raw(rowsJson(SETS.conversions, 'b.id'))},
  'carried_courses', coalesce((select json_agg(json_build_object('id', k.id, 'course_id', k.course_id, 'kind', k.kind,
      'course', ${ref('c')}) order by c.code)
    from bylaw_carried_courses k join courses c on c.id = k.course_id where k.bylaw_id = b.id), '[]'))`

const cache = keptOfDatabase<number, BylawSettings>()

/**
 * What registration and grading read of a bylaw, in one round trip. The process keeps what it read; the version of the
 * bylaw, which changes with each of its settings, tells whether it still holds.
 * @param version the version another query of the same transaction has read: then what is kept costs no round trip
 * @throws {Refusal} 404 when there is no such bylaw
 */
export async function bylawSettings(db: Db | Tx, bylaw_id: number, version?: number): Promise<BylawSettings> {
  const kept = cache.get(bylaw_id)
  if (kept && kept.version === version) return kept
  const { rows } = await sql<{
    version: number
    settings: Settings | null
    earlier: { until: TermPlace; settings: Settings }[] | null
  }>`
    select b.version, case when b.version is distinct from ${kept?.version ?? null}::int then ${settingsJson} end as settings,
      case when b.version is distinct from ${kept?.version ?? null}::int then (
        select json_agg(json_build_object('until', json_build_object('id', w.id, 'start_date', w.start_date), 'settings', e.settings)
          order by w.start_date, w.id)
        from bylaw_editions e join terms w on w.id = e.until_term_id where e.bylaw_id = b.id) end as earlier
    from bylaws b where b.id = ${bylaw_id}`.execute(db)
  const row = rows[0]
  if (!row) throw refuse(404, 'not_found')
  if (!row.settings) return kept!
  const named = { id: bylaw_id, version: row.version }
  const read: BylawSettings = {
    ...named,
    ...toBylaw(row.settings),
    earlier: (row.earlier ?? []).map(({ until, settings }) => ({
      until,
      settings: { ...named, ...toBylaw(settings), earlier: [] },
    })),
  }
  if (cache.size > 500) cache.clear()
  cache.set(bylaw_id, read)
  return read
}

const bylawScope = { faculty: sql`b.faculty_id`, bylaw: sql`b.id` }
const requirementJson = (type: string) => sql`coalesce((select json_agg(${ref('c')} order by c.code)
  from bylaw_requirements q join courses c on c.id = q.course_id where q.bylaw_id = b.id and q.type = ${type}), '[]')`

/** The settings as the calls answer with them. @throws {Refusal} 404 outside what the reader reaches */
export async function readSettings(
  db: Db | Tx,
  ctx: Ctx,
  id: number,
  access: Access = ['show_bylaw', 'edit_bylaw_settings'],
): Promise<BylawSettingsAnswer> {
  const { rows } = await sql<
    Omit<BylawSettingsAnswer, keyof Settings | 'problems' | 'abilities'> & { settings: Settings; may_edit: boolean }
  >`
    select b.id, b.version, b.code, b.name, b.name_local, (select ${ref('f')} from faculties f where f.id = b.faculty_id) as faculty,
      ${settingsJson} as settings,
      json_build_object('university', ${requirementJson('university')}, 'faculty', ${requirementJson('faculty')}) as requirements,
      coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'name_local', p.name_local, 'code', p.code,
          'is_general', p.is_general, 'students', (select count(*)::int from students s
            where s.program_id = p.id and s.bylaw_id = b.id and s.removed_at is null)) order by p.code)
        from programs p where p.bylaw_id = b.id and p.removed_at is null), '[]') as programs,
      b.removed_at is null and ${scopeCondition(ctx, 'edit_bylaw_settings', bylawScope)} as may_edit
    from bylaws b
    where b.id = ${id} and ${scopeCondition(ctx, access, bylawScope)}`.execute(db)
  const row = rows[0]
  if (!row) throw refuse(404, 'not_found')
  const { settings, may_edit, ...rest } = row
  return {
    ...rest,
    ...(settings as BylawSettingsAnswer),
    abilities: may_edit ? ['edit_settings'] : [],
    problems: checkSettings(settings).map(toProblem),
  }
}

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
async function lockBylaw(tx: Tx, ctx: Ctx, id: number, version?: number): Promise<void> {
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
  if (rows[0]!.count) throw refuse(422, 'bylaw_type_in_use', { count: rows[0]!.count }, 'program_type')
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
  const { count, after, term, last, newest } = rows[0]!
  if (!count) return
  const data = { count, last: last?.name ?? '', last_local: last?.name_local ?? '' }
  // Where a change waits for its term already, the same change goes on.
  if (from === null) {
    const open = newest && (await sql<{ open: boolean }>`select bylaw_settled(${id}) as open`.execute(tx)).rows[0]!.open
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
async function change(
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
    }>`select ${settingsJson} as settings from bylaws b where b.id = ${id}`.execute(tx)
    const current = rows[0]!.settings
    const sent = patchOf(current)
    const patch = sent.levels ? { ...sent, levels: wholeLevels(current, sent.levels) } : sent
    const next: Settings = { ...current, ...patch }
    await requireSameWay(tx, id, current.program_type, next.program_type)
    const foreign = strangers(current, patch)
    const key = (p: Reason) => `${p.field} ${p.code} ${JSON.stringify(p.data)}`
    const before = new Set(checkSettings(current).map(key))
    const touched = new Set(Object.keys(patch).map(partOf))
    const problems = checkSettings(next).filter((p) => touched.has(partOf(p.field)) || !before.has(key(p)))
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
    // Also when only a set changed: the version is what caches go by.
    const values = [sql`updated_at = now()`]
    for (const name of SCALARS) if (patch[name] !== undefined) values.push(sql`${sql.ref(name)} = ${patch[name]}`)
    if (patch.grades_visibility) values.push(sql`grades_visibility = ${JSON.stringify(patch.grades_visibility)}`)
    await sql`update bylaws set ${sql.join(values)} where id = ${id}`.execute(tx)
    return { data: await readSettings(tx, ctx, id) }
  })
}

const PARENTS = {
  level: (id: number) => sql<{ bylaw_id: number }>`select bylaw_id from bylaw_levels where id = ${id}`,
  type: (id: number) => sql<{ bylaw_id: number }>`select bylaw_id from grade_types where id = ${id}`,
  range: (id: number) =>
    sql<{
      bylaw_id: number
    }>`select g.bylaw_id from grade_ranges r join grade_types g on g.id = r.grade_type_id where r.id = ${id}`,
  classification: (id: number) => sql<{ bylaw_id: number }>`select bylaw_id from gpa_ranges where id = ${id}`,
  load: (id: number) => sql<{ bylaw_id: number }>`select bylaw_id from load_ranges where id = ${id}`,
}

/** The bylaw to which an entry of a set belongs. */
async function bylawOf(ctx: Ctx, kind: keyof typeof PARENTS, id: number): Promise<number> {
  const { rows } = await PARENTS[kind](id).execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].bylaw_id
}

const without = <T extends object, K extends keyof T>(value: T, ...names: K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as K))) as Omit<T, K>
/** What a caller sent of an entry, over what is stored. */
const over = <T extends object>(stored: T, sent: { [K in keyof T]?: T[K] | undefined }): T => ({
  ...stored,
  ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
})

type GradeType = Settings['grade_types'][number]
/** The grade types with the ranges of one of them changed. */
const withRanges = (
  settings: Settings,
  found: (type: GradeType) => boolean,
  make: (ranges: GradeType['ranges']) => GradeType['ranges'],
) => {
  const type = settings.grade_types.find(found)
  if (!type) throw refuse(404, 'not_found')
  return { grade_types: settings.grade_types.map((t) => (t === type ? { ...t, ranges: make(t.ranges) } : t)) }
}
const holding = (id: number) => (type: GradeType) => type.ranges.some((range) => range.id === id)
const at = <T extends { id?: number | undefined }>(entries: readonly T[], id: number): number => {
  const index = entries.findIndex((entry) => entry.id === id)
  if (index < 0) throw refuse(404, 'not_found')
  return index
}

const success = (
  settings: Settings,
  kind: GradeType['kind'],
  letters: readonly string[],
  value: boolean,
): SettingsPatch => {
  const type = settings.grade_types.find((t) => t.kind === kind)
  const unknown = letters.filter((letter) => !type?.ranges.some((range) => range.letter === letter))
  if (unknown.length || !type) {
    throw new Refusal(
      422,
      unknown.map((letter) => ({
        field: `letters.${letters.indexOf(letter)}`,
        code: 'grade_letter_unknown',
        data: { letter },
      })),
    )
  }
  return withRanges(
    settings,
    (t) => t === type,
    (ranges) => ranges.map((range) => (letters.includes(range.letter) ? { ...range, success: value } : range)),
  )
}

/** What is removed: an entry, and from which term on. */
interface Removing {
  readonly id: number
  readonly from_term_id?: number | undefined
}
async function removeLevel(ctx: Ctx, { id, from_term_id }: Removing) {
  const without = (s: Settings) => ({ levels: s.levels.filter((level) => level.id !== id) })
  return change(ctx, await bylawOf(ctx, 'level', id), without, undefined, from_term_id)
}
async function removeType(ctx: Ctx, { id, from_term_id }: Removing) {
  const without = (s: Settings) => ({ grade_types: s.grade_types.filter((type) => type.id !== id) })
  return change(ctx, await bylawOf(ctx, 'type', id), without, undefined, from_term_id)
}
async function removeRange(ctx: Ctx, { id, from_term_id }: Removing) {
  const without = (s: Settings) => withRanges(s, holding(id), (ranges) => percentRanges.remove(ranges, at(ranges, id)))
  return change(ctx, await bylawOf(ctx, 'range', id), without, undefined, from_term_id)
}

// --- Requirement lists and the tree of programs ---------------------------------------------------------------------

async function readTree(db: Db | Tx, ctx: Ctx, id: number) {
  const { rows } = await sql<{
    tree: TreeNode[]
    version: number
    programs: { id: number; name: string; name_local: string; code: string; is_general: boolean }[]
  }>`
    select b.programs_tree as tree, b.version, coalesce((select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name,
        'name_local', p.name_local, 'is_general', p.is_general) order by p.code)
      from programs p where p.bylaw_id = b.id and p.removed_at is null), '[]') as programs
    from bylaws b where b.id = ${id} and ${scopeCondition(ctx, ['show_bylaw', 'edit_bylaw_settings'], bylawScope)}`.execute(
    db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return { data: rows[0] }
}

async function saveTree(ctx: Ctx, id: number, tree: readonly TreeNode[], version?: number) {
  return ctx.write(async (tx) => {
    await lockBylaw(tx, ctx, id, version)
    const { programs } = (await readTree(tx, ctx, id)).data
    const byId = new Map(programs.map((program) => [program.id, program]))
    const seen = new Set<number>()
    const reasons: Reason[] = []
    const visit = (node: TreeNode, field: string): void => {
      const program = byId.get(node.program_id)
      const name = program?.code ?? String(node.program_id)
      if (!program) reasons.push({ field, code: 'tree_program_unknown', data: { program: name } })
      else if (seen.has(node.program_id)) reasons.push({ field, code: 'tree_program_twice', data: { program: name } })
      else if (node.children.length && !program.is_general)
        reasons.push({ field, code: 'tree_not_general', data: { program: name } })
      seen.add(node.program_id)
      node.children.forEach((child, i) => visit(child, `${field}.children.${i}`))
    }
    tree.forEach((node, i) => visit(node, `tree.${i}`))
    if (reasons.length) throw new Refusal(422, reasons)
    await sql`update bylaws set programs_tree = ${JSON.stringify(tree)}::jsonb where id = ${id}`.execute(tx)
    return readTree(tx, ctx, id)
  })
}

/** Sets the lists of a bylaw; what its programs added for themselves stays with them. */
async function syncRequirements(
  ctx: Ctx,
  id: number,
  lists: { university?: number[] | undefined; faculty?: number[] | undefined },
  version?: number,
) {
  return ctx.write(async (tx) => {
    await lockBylaw(tx, ctx, id, version)
    for (const type of ['university', 'faculty'] as const) {
      const ids = lists[type]
      if (!ids) continue
      const { rows: missing } = await sql<{
        i: number
      }>`select n.i::int - 1 as i from unnest(${ids}::int[]) with ordinality as n (id, i)
        where not exists (select from courses c where c.id = n.id and c.removed_at is null)`.execute(tx)
      if (missing.length)
        throw new Refusal(
          422,
          missing.map(({ i }) => ({ field: `${type}.${i}`, code: 'reference_missing' })),
        )
      await sql`with gone as (
          delete from bylaw_requirements where bylaw_id = ${id} and type = ${type} and course_id <> all(${ids}::int[]) returning course_id)
        delete from program_requirements q using programs p, gone
        where q.program_id = p.id and p.bylaw_id = ${id} and q.type = ${type} and q.course_id = gone.course_id`.execute(
        tx,
      )
      await sql`with added as (
          insert into bylaw_requirements (bylaw_id, type, course_id) select ${id}::int, ${type}::text, n from unnest(${ids}::int[]) as n
          on conflict do nothing returning course_id)
        insert into program_requirements (program_id, type, course_id)
        select p.id, ${type}::text, added.course_id from programs p, added where p.bylaw_id = ${id} on conflict do nothing`.execute(
        tx,
      )
    }
    await sql`update bylaws set updated_at = now() where id = ${id}`.execute(tx)
    return { data: await readSettings(tx, ctx, id) }
  })
}

// --- Calls ----------------------------------------------------------------------------------------------------------

const c = bylawCalls
export const bylawSettingsHandlers: Handled[] = [
  handle(c.settings, async (ctx, { params }) => ({ data: await readSettings(ctx.db, ctx, params.id) })),
  handle(c.setSettings, (ctx, { params, body: { version, from_term_id, ...patch } }) =>
    change(ctx, params.id, () => patch, version, from_term_id),
  ),
  handle(c.trainingWeeks, (ctx, { params, body: { version, ...patch } }) =>
    change(ctx, params.id, () => patch, version),
  ),
  handle(c.minFinalExam, (ctx, { params, body: { version, from_term_id, ...patch } }) =>
    change(ctx, params.id, () => patch, version, from_term_id),
  ),
  handle(c.warningType, (ctx, { params, body: { version, from_term_id, ...patch } }) =>
    change(ctx, params.id, () => patch, version, from_term_id),
  ),
  handle(c.admission, (ctx, { params, body: { version, ...patch } }) => change(ctx, params.id, () => patch, version)),
  handle(c.gradesVisibility, (ctx, { params, body: { version, ...sent } }) =>
    change(ctx, params.id, (s) => ({ grades_visibility: over(s.grades_visibility, sent) }), version),
  ),

  handle(c.addLevel, (ctx, { body: { bylaw_id, version, from_term_id, ...level } }) =>
    change(ctx, bylaw_id, (s) => ({ levels: [...s.levels, level] }), version, from_term_id),
  ),
  handle(c.editLevel, async (ctx, { params, body: { version, from_term_id, ...sent } }) =>
    change(
      ctx,
      await bylawOf(ctx, 'level', params.id),
      (s) => ({ levels: s.levels.map((level) => (level.id === params.id ? over(level, sent) : level)) }),
      version,
      from_term_id,
    ),
  ),
  handle(c.removeLevel, (ctx, { params, query }) => removeLevel(ctx, { ...params, ...query })),
  handle(c.removeLevelByQuery, (ctx, { query }) => removeLevel(ctx, query)),

  handle(c.addGradeType, (ctx, { body: { bylaw_id, version, from_term_id, ...type } }) =>
    change(ctx, bylaw_id, (s) => ({ grade_types: [...s.grade_types, type] }), version, from_term_id),
  ),
  handle(c.editGradeType, async (ctx, { params, body: { version, from_term_id, ...sent } }) =>
    change(
      ctx,
      await bylawOf(ctx, 'type', params.id),
      (s) => ({ grade_types: s.grade_types.map((type) => (type.id === params.id ? over(type, sent) : type)) }),
      version,
      from_term_id,
    ),
  ),
  handle(c.removeGradeType, (ctx, { params, query }) => removeType(ctx, { ...params, ...query })),
  handle(c.removeGradeTypeByQuery, (ctx, { query }) => removeType(ctx, query)),

  handle(c.addGradeRange, async (ctx, { body: { grade_type_id, version, from_term_id, ...range } }) =>
    change(
      ctx,
      await bylawOf(ctx, 'type', grade_type_id),
      (s) =>
        withRanges(
          s,
          (type) => type.id === grade_type_id,
          (ranges) => percentRanges.add(ranges, range),
        ),
      version,
      from_term_id,
    ),
  ),
  handle(c.editGradeRange, async (ctx, { params, body: { version, from_term_id, ...sent } }) =>
    change(
      ctx,
      await bylawOf(ctx, 'range', params.id),
      (s) =>
        withRanges(s, holding(params.id), (ranges) => {
          const index = at(ranges, params.id)
          return percentRanges.move(ranges, index, over(ranges[index]!, sent))
        }),
      version,
      from_term_id,
    ),
  ),
  handle(c.removeGradeRange, (ctx, { params, query }) => removeRange(ctx, { ...params, ...query })),
  handle(c.removeGradeRangeByQuery, (ctx, { query }) => removeRange(ctx, query)),
  handle(c.setSuccessGrades, (ctx, { params, body }) =>
    change(ctx, params.id, (s) => success(s, body.kind, body.letters, true), body.version, body.from_term_id),
  ),
  handle(c.removeSuccessGrades, (ctx, { params, body }) =>
    change(ctx, params.id, (s) => success(s, body.kind, body.letters, false), body.version, body.from_term_id),
  ),

  handle(c.addGpaRange, (ctx, { body }) =>
    change(
      ctx,
      body.bylaw_id,
      (s) =>
        body.type === 'load'
          ? { load_ranges: gpaRanges.add(s.load_ranges, without(body, 'bylaw_id', 'type', 'version')) }
          : { gpa_ranges: gpaRanges.add(s.gpa_ranges, without(body, 'bylaw_id', 'type', 'version')) },
      body.version,
    ),
  ),
  handle(c.setGpaRanges, (ctx, { body }) =>
    change(
      ctx,
      body.bylaw_id,
      () => (body.type === 'load' ? { load_ranges: body.ranges } : { gpa_ranges: body.ranges }),
      body.version,
    ),
  ),
  handle(c.editGpaRange, async (ctx, { params, body }) =>
    change(
      ctx,
      await bylawOf(ctx, body.type, params.id),
      (s) =>
        body.type === 'load'
          ? {
              load_ranges: gpaRanges.move(s.load_ranges, at(s.load_ranges, params.id), {
                id: params.id,
                ...without(body, 'type', 'version'),
              }),
            }
          : {
              gpa_ranges: gpaRanges.move(s.gpa_ranges, at(s.gpa_ranges, params.id), {
                id: params.id,
                ...without(body, 'type', 'version'),
              }),
            },
      body.version,
    ),
  ),
  handle(c.removeGpaRange, async (ctx, { params, body }) =>
    change(
      ctx,
      await bylawOf(ctx, body.type, params.id),
      (s) =>
        body.type === 'load'
          ? { load_ranges: gpaRanges.remove(s.load_ranges, at(s.load_ranges, params.id)) }
          : { gpa_ranges: gpaRanges.remove(s.gpa_ranges, at(s.gpa_ranges, params.id)) },
      body.version,
    ),
  ),

  handle(c.syncRequirements, (ctx, { params, body: { version, ...lists } }) =>
    syncRequirements(ctx, params.id, lists, version),
  ),
  handle(c.programsTree, (ctx, { params }) => readTree(ctx.db, ctx, params.id)),
  handle(c.saveProgramsTree, (ctx, { params, body }) => saveTree(ctx, params.id, body.tree, body.version)),
]
