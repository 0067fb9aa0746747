import { STUDY_BYLAW } from './compute.server.ts'
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { settingsIn } from '#areas/study/catalogue/bylaws/editions.rules.ts'
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { parseHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { groupOfOffering } from '#areas/common/academics/window-reach.server.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { attemptOf, isAudit, mainOf, type MainFlag } from '#areas/common/academics/status.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Access } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { controlStatusTexts, type ControlStatus } from '#areas/common/academics/control.rules.ts'
import { controlFlow } from '../control/steps.server.ts'
import { checkScheme, type MarkCategory } from '../grading.rules.ts'
import { mayEnterMarks, type MarkEditor } from '../guard.rules.ts'
import { actOn } from '../guard.server.ts'
import type { Grid, GridRow, SchemeCategory } from './grades.contract.ts'
import { listedMains, maskOf, takesMarks } from './grades.rules.ts'
import { namesClosed, namesClosedTo } from '../barcodes/names.server.ts'
import type { EditedRegistration } from './marks.server.ts'

// --- Reading --------------------------------------------------------------------------------------------------------

/** SQL: the scheme of the offering `alias` with the categories' names. */
export const schemeJson = (alias: string): RawBuilder<unknown> =>
  sql.raw(`coalesce((select json_agg(json_build_object('id', m.id, 'mark_category_id', k.id, 'code', k.code, 'name', k.name,
      'name_local', k.name_local, 'max', m.max::text, 'is_final_exam', k.is_final_exam) order by m.position, m.id)
    from offering_marks m join mark_categories k on k.id = m.mark_category_id where m.offering_id = ${alias}.id), '[]')`)

/** SQL: the marks of the registration `alias` by the id of the scheme's category. */
export const marksJson = (alias: string): RawBuilder<unknown> =>
  sql.raw(`coalesce((select json_object_agg(m.offering_mark_id, json_build_object('mark', case when m.absent then 'A' else trim_scale(m.mark)::text end,
    'version', m.version)) from registration_marks m where m.registration_id = ${alias}.id), '{}')`)

type Window = { open: boolean; starts_at: string; ends_at: string }

interface OfferingRow {
  offering: Grid['offering']
  scheme: SchemeCategory[]
  steps: Parameters<typeof controlFlow.open>[2]
  may: { enter: boolean; enter_by_scope: boolean; export: boolean; import: boolean; scheme: boolean }
  window: Window | null
  /** What the scheme must sum to. */
  maximum: string
  has_marks: boolean
  removed: boolean
  term_start: string
}

/** Of an offering what decides whether its marks may be written. */
interface LockedOffering {
  control_status: ControlStatus
  scheme: SchemeCategory[]
  may: { enter: boolean; enter_by_scope: boolean }
  window: Window | null
  removed: boolean
  /** Its papers are marked without names: nobody enters marks beside names. */
  closed: boolean
}

/** Refuses who may not know whose marks are which: papers are marked without names there. */
async function requireNames(ctx: Ctx, db: Db | Tx, id: number): Promise<void> {
  const closed = await namesClosedTo(ctx, db, id)
  if (closed) throw refuse(409, 'names_closed', { course: closed, offering_id: id })
}

/**
 * When marks are entered for an offering: of the windows set for its term (and its faculty, where one is set for it) the
 * open one, else the next, else the last.
 */
export const entryWindow = sql`(
  select json_build_object('open', now() between w.starts_at and w.ends_at, 'starts_at', w.starts_at, 'ends_at', w.ends_at)
  from term_stages w join stage_codes sc on sc.id = w.stage_code_id left join stage_groups g on g.id = w.stage_group_id
  where w.term_id = o.term_id and sc.code = 'grade_entry' and w.removed_at is null
    and ${sql.raw(groupOfOffering('g', 'o'))}
  order by now() between w.starts_at and w.ends_at desc, w.starts_at > now() desc,
    case when w.starts_at > now() then extract(epoch from w.starts_at) else -extract(epoch from w.ends_at) end
  limit 1)`

/** Within `scope` reach somebody is control; within `taught` an instructor. */
export function readOffering(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
  access: Access,
  lock: RawBuilder<unknown> = sql``,
): Promise<OfferingRow> {
  const reach = offeringReach(ctx, 'o')
  const { taught: _taught, ...byScope } = reach
  return sql<OfferingRow>`
    select json_build_object('id', o.id, 'code', o.code, 'version', o.version, 'control_status', o.control_status,
        'course', json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local,
          'credit_hours', c.credit_hours, 'grade_kind', c.grade_kind),
        'term', ${ref('t')}, 'faculty', case when f.id is not null then ${ref('f')} end,
        'mark', case when k.id is not null then ${ref('k')} end,
        'instructors', coalesce((select json_agg(json_build_object('id', i.id, 'code', i.code, 'name', i.name,
            'name_local', i.name_local, 'role', oi.role) order by array_position(array['leader', 'instructor', 'assistant'], oi.role), i.name)
          from offering_instructors oi join instructors i on i.id = oi.instructor_id where oi.offering_id = o.id), '[]')) as offering,
      ${schemeJson('o')} as scheme, (select ${controlFlow.column(ctx)} from offerings t where t.id = o.id) as steps,
      json_build_object('enter', ${scopeCondition(ctx, 'enter_marks', reach)},
        'enter_by_scope', ${scopeCondition(ctx, 'enter_marks', byScope)},
        'export', ${scopeCondition(ctx, 'export_grades', reach)}, 'import', ${scopeCondition(ctx, 'import_grades', reach)},
        'scheme', ${scopeCondition(ctx, ['edit_offering', 'edit_mark'], reach)}) as may,
      ${entryWindow} as window, scheme_maximum(o.id)::text as maximum, o.removed_at is not null as removed, t.start_date::text as term_start,
      exists (select from registration_marks m join offering_marks om on om.id = m.offering_mark_id where om.offering_id = o.id) as has_marks
    from offerings o ${sql.raw(joinCourse('o.course_id', 'o.id'))} join terms t on t.id = o.term_id
      left join faculties f on f.id = o.faculty_id left join marks k on k.id = o.mark_id
    where o.id = ${id} and ${scopeCondition(ctx, access, reach)} ${lock}`
    .execute(db)
    .then(({ rows }) => {
      if (!rows[0]) throw refuse(404, 'not_found')
      return rows[0]
    })
}

/** In which capacity the reader may write marks, as far as the status allows; the window binds instructors. */
const capacityOf = ({ may }: Pick<LockedOffering, 'may'>): MarkEditor | null =>
  may.enter_by_scope ? 'control' : may.enter ? 'instructor' : null
const windowOpen = (row: Pick<LockedOffering, 'window'>, capacity: MarkEditor | null): boolean =>
  capacity === 'control' || row.window === null || row.window.open

const rulesScheme = (scheme: readonly SchemeCategory[]): MarkCategory[] =>
  scheme.map(({ id, max, is_final_exam }) => ({ id, maximum: parseHundredths(max) ?? 0, final_exam: is_final_exam }))

interface RegistrationSource extends Omit<GridRow, 'main' | 'attempt' | 'audit' | 'writable'> {
  bylaw_version: number
}
/** The row and what of the registration its result is computed from. */
type EntrySource = RegistrationSource & EditedRegistration

export const rowOf = <R extends RegistrationSource>({ bylaw_version: _, ...row }: R) => {
  const status = BigInt(row.status)
  return {
    ...row,
    main: mainOf(status) as MainFlag,
    attempt: attemptOf(status),
    audit: isAudit(status),
    writable: takesMarks(status),
  }
}

// Flags and decimals as text, so that the row can be taken as JSON as well.
const ownColumns = sql`r.id as registration_id, ${ref('s')} as student, ${ref('p')} as program, s.level, r.status::text, b.id as bylaw_id,
  b.version as bylaw_version, r.total::text, r.maximum::int, r.letter, r.points::text, r.passed`
const rowColumns = sql`${ownColumns},
  (select min(g.number)::int from registration_slots rs join offering_slots os on os.id = rs.offering_slot_id
    join offering_groups g on g.id = os.group_id where rs.registration_id = r.id) as "group",
  ${marksJson('r')} as marks`
const rowJoins = sql`join students s on s.id = r.student_id join programs p on p.id = s.program_id join bylaws b on b.id = ${STUDY_BYLAW}`

/** Registrations of an offering for whoever changes their marks, as {@link gradeEntriesOf} makes them. */
export interface EntriesRead {
  entries: Omit<EntrySource, 'marks' | 'group'>[] | null
  /** registration:category:mark:version, one after the other. */
  entry_marks: string | null
  /** registration:number of a group, one after the other. */
  entry_groups: string | null
}

/**
 * SQL: registrations of an offering for whoever changes their marks, with these marks and groups beside them: gathered row
 * by row as JSON they cost twice as much. They are found by their own numbers, since that of the offering leads to all of it.
 */
export const entriesColumns = (
  offering_id: number,
  ids: readonly number[],
): RawBuilder<EntriesRead> => sql<EntriesRead>`
  (select json_agg(e) from (
    select r.id, c.grade_kind, c.counts_in_gpa as course_counts, r.counts_in_gpa, r.counts_in_attempted_hours, ${ownColumns}
    from registrations r join courses c on c.id = r.course_id ${rowJoins}
    where r.offering_id + 0 = ${offering_id} and r.id = any(${ids}::int[])) e) as entries,
  (select string_agg(concat(m.registration_id, ':', m.offering_mark_id, ':', case when m.absent then 'A' else trim_scale(m.mark)::text end,
      ':', m.version), ' ')
    from registration_marks m where m.registration_id = any(${ids}::int[])) as entry_marks,
  (select string_agg(concat(rs.registration_id, ':', g.number), ' ')
    from registration_slots rs join offering_slots os on os.id = rs.offering_slot_id join offering_groups g on g.id = os.group_id
    where rs.registration_id = any(${ids}::int[])) as entry_groups`

/** The registrations that {@link entriesColumns} has read, by their numbers. */
export function gradeEntriesOf({
  entries = null,
  entry_marks = null,
  entry_groups = null,
}: Partial<EntriesRead>): Map<number, EntrySource> {
  const found = new Map(
    (entries ?? []).map((row) => {
      const marks: Record<string, Stored> = {}
      return [row.id, { ...row, group: null as number | null, marks }]
    }),
  )
  for (const one of entry_marks?.split(' ') ?? []) {
    const [registration, category, mark, version] = one.split(':') as [string, string, string, string]
    const entry = found.get(Number(registration))
    if (entry) entry.marks[category] = { mark, version: Number(version) }
  }
  for (const one of entry_groups?.split(' ') ?? []) {
    const [registration, number] = one.split(':').map(Number) as [number, number]
    const entry = found.get(registration)
    if (entry) entry.group = Math.min(entry.group ?? number, number)
  }
  return found
}
type Stored = GridRow['marks'][string]

/** Rows of the grid in the order of students' codes. */
export async function readRows(
  db: Db | Tx,
  where: RawBuilder<unknown>,
): Promise<{ rows: GridRow[]; bylaws: Map<number, number> }> {
  const { rows } = await sql<RegistrationSource>`select ${rowColumns} from registrations r ${rowJoins}
    where ${where} and r.status & ${sql.raw(maskOf(listedMains))} <> 0 order by s.code`.execute(db)
  return { bylaws: new Map(rows.map((row) => [row.bylaw_id, row.bylaw_version])), rows: rows.map(rowOf) }
}

export async function readGrid(ctx: Ctx, id: number, access: Access): Promise<Grid> {
  const [row, students, { rows: failing }] = await Promise.all([
    readOffering(ctx, ctx.db, id, access),
    readRows(ctx.db, sql`r.offering_id = ${id}`),
    sql<Grid['failing'][number]>`select distinct on (q.letter) q.letter, q.name, q.name_local
      from grade_types g join grade_ranges q on q.grade_type_id = g.id
      where not q.success and g.bylaw_id in (select ${STUDY_BYLAW} from registrations r join students s on s.id = r.student_id
        where r.offering_id = ${id}) order by q.letter, g.bylaw_id`.execute(ctx.db),
  ])
  const place = { id: row.offering.term.id, start_date: row.term_start }
  const bylaws: Grid['bylaws'] = {}
  for (const [bylaw_id, version] of students.bylaws) {
    const { grade_ranges, pass_fail_ranges, repeat, min_percentage_final_exam, special_grades, total_places, marks } =
      settingsIn(await bylawSettings(ctx.db, bylaw_id, version), place)
    bylaws[bylaw_id] = {
      grade_ranges,
      pass_fail_ranges,
      repeat,
      min_percentage_final_exam,
      special_grades: special_grades,
      total_places,
      marks: marks && {
        pass_share: marks.pass_share,
        ratings: marks.ratings,
        later_sitting_capped: marks.later_sitting_capped,
      },
    }
  }
  await requireNames(ctx, ctx.db, id)
  const { offering, scheme, may, steps, window } = row
  const problems = row.scheme.length
    ? checkScheme({ categories: rulesScheme(scheme) }, parseHundredths(row.maximum) ?? 0)
    : [{ code: 'scheme_missing', field: null, data: {} }]
  const capacity = capacityOf(row)
  const open =
    capacity !== null &&
    !row.removed &&
    problems.length === 0 &&
    mayEnterMarks(offering.control_status, capacity) &&
    windowOpen(row, capacity)
  return {
    offering,
    scheme,
    scheme_problems: problems.map(toProblem),
    bylaws,
    failing,
    rows: students.rows,
    editor: open ? capacity : null,
    window,
    abilities: [
      ...(open ? ['enter'] : []),
      ...(open && may.import ? ['import'] : []),
      ...(may.export ? ['export'] : []),
      ...(may.scheme && !row.has_marks && offering.control_status === 'Draft' && !row.removed ? ['scheme'] : []),
      ...(row.removed ? [] : controlFlow.open(ctx, offering.control_status, steps).abilities),
    ],
  }
}

// --- Writing --------------------------------------------------------------------------------------------------------

/**
 * Locks an offering for whoever enters marks; editors of one grid follow each other.
 *
 * @param entries registrations to be read in the same round trip: as they were before whoever held the lock let it go
 * @throws {Refusal} 404; 409 with the status found, the window, or what the scheme lacks
 */
export async function lockForMarks(
  ctx: Ctx,
  tx: Tx,
  id: number,
  access: Access,
  entries?: readonly number[],
): Promise<{
  row: LockedOffering
  scheme: MarkCategory[]
  capacity: 'instructor' | 'control'
  entries: Map<number, EntrySource>
}> {
  const reach = offeringReach(ctx, 'o')
  const { taught: _taught, ...byScope } = reach
  const { rows } = await sql<LockedOffering & Partial<EntriesRead> & { own_maximum: string | null }>`
    select o.control_status, o.removed_at is not null as removed, ${schemeJson('o')} as scheme, ${entryWindow} as window,
      case when not exists (select from offering_marks om join registration_marks m on m.offering_mark_id = om.id where om.offering_id = o.id)
        then offering_maximum(o.id)::text end as own_maximum,
      ${namesClosed('o')} as closed,
      json_build_object('enter', ${access === 'enter_marks' ? sql`true` : scopeCondition(ctx, 'enter_marks', reach)},
        'enter_by_scope', ${scopeCondition(ctx, 'enter_marks', byScope)}) as may
      ${entries ? sql`, ${entriesColumns(id, entries)}` : sql``}
    from offerings o where o.id = ${id} and ${scopeCondition(ctx, access, reach)} for no key update of o`.execute(tx)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (row.removed) throw refuse(409, 'removed_record')
  const capacity = capacityOf(row)
  if (capacity === null) throw refuse(403, 'not_allowed')
  if (row.closed) {
    const { rows: courses } = await sql<{ code: string }>`
      select c.code from offerings o join courses c on c.id = o.course_id where o.id = ${id}`.execute(tx)
    throw refuse(409, 'names_closed', { course: courses[0]!.code, offering_id: id })
  }
  const { control_status } = row
  const reasons: Reason[] = []
  if (!mayEnterMarks(control_status, capacity))
    reasons.push({ code: 'control_status', data: statusData(control_status) })
  else if (!windowOpen(row, capacity)) {
    reasons.push({
      code: 'grade_entry_closed',
      data: { starts_at: row.window!.starts_at, ends_at: row.window!.ends_at },
    })
  }
  const scheme = rulesScheme(row.scheme)
  // As `scheme_maximum` has it: a scheme in which marks stand is right as it is.
  const maximum =
    row.own_maximum === null ? scheme.reduce((sum, one) => sum + one.maximum, 0) : parseHundredths(row.own_maximum)
  if (!scheme.length) reasons.push({ code: 'scheme_missing' })
  else {
    reasons.push(...checkScheme({ categories: scheme }, maximum ?? 0).map(({ code, data }) => ({ code, data })))
  }
  if (reasons.length) throw new Refusal(409, reasons)
  if (capacity === 'control' && control_status !== 'Draft') await actOn(tx, 'control')
  return { row, scheme, capacity, entries: gradeEntriesOf(row) }
}

/** What the refusal `control_status` says. */
export const statusData = (status: ControlStatus) => ({
  status: controlStatusTexts[status].en,
  status_local: controlStatusTexts[status].ar,
  control_status: status,
})
