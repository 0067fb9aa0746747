import type { Access } from '#kit/contract/index.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { keptOfDatabase } from '#kit/server/base/kept.ts'
import { rowsJson } from '#kit/server/base/fields.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { bylawCalls, type BylawSettingsAnswer, type Settings } from './settings.contract.ts'
import type { TermPlace } from './editions.rules.ts'
import { SETS } from './sets.contract.ts'
import { checkBylawSettings, toBylaw, type BylawSettings } from './settings.rules.ts'

// --- Reading --------------------------------------------------------------------------------------------------------

/** Every setting of the bylaw `b` as one JSON value; decimals as text, because JSON numbers are binary fractions. */
export const bylawSettingsJson = sql<Settings>`json_build_object(
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
  'withdrawal_steps', ${sql.raw(rowsJson(SETS.withdrawal_steps, 'b.id'))},
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
    select b.version, case when b.version is distinct from ${kept?.version ?? null}::int then ${bylawSettingsJson} end as settings,
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

export const bylawScope = { faculty: sql`b.faculty_id`, bylaw: sql`b.id` }
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
      ${bylawSettingsJson} as settings,
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
    problems: checkBylawSettings(settings).map(toProblem),
  }
}

// --- Calls ----------------------------------------------------------------------------------------------------------

export const c = bylawCalls
