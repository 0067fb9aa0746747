/** The grid of an offering's marks, its sheet in and out, its paper and its scheme. */
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { dayOf } from '#kit/contract/day.ts'
import { settingsIn } from '#areas/study/catalogue/bylaws/editions.rules.ts'
import { bylawSettings } from '#areas/study/catalogue/bylaws/settings.server.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { groupOfOffering } from '#areas/common/academics/window-reach.server.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { attemptOf, isAudit, mainOf, type MainFlag } from '#areas/common/academics/status.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Access, PaperLanguage } from '#kit/contract/index.ts'
import { inLanguage, type Label } from '#kit/contract/index.ts'
import { fileName } from '#kit/server/file-name.ts'
import { handle, type Ctx, type FileResult } from '#kit/server/context.ts'
import { renderListPdf } from '#kit/server/documents/index.ts'
import { readable } from '#kit/server/fields.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/errors.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import { writeSheet, type WriteColumn } from '#kit/server/sheets/index.ts'
import { paperLang } from '#kit/server/transfer.ts'
import { universityHead } from '#kit/server/university.ts'
import { ref } from '#kit/server/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { controlStatusTexts, type ControlStatus } from '#areas/common/academics/control.rules.ts'
import { controlFlow } from '../control/steps.server.ts'
import { checkScheme, type MarkCategory } from '../grading.rules.ts'
import { mayEnterMarks, type MarkEditor } from '../guard.rules.ts'
import { actOn } from '../guard.server.ts'
import { checkItems } from '../marks/marks.server.ts'
import type { SchemeItem } from '../marks/mark.contract.ts'
import { ATTEMPTS, RESULT_STATES } from '#areas/common/academics/grading-words.contract.ts'
import { computeGrades } from './compute.server.ts'
import { gradeCalls, type CellChange, type Grid, type GridRow, type SchemeCategory } from './grades.contract.ts'
import { listedMains, maskOf, takesMarks } from './grades.rules.ts'
import { namesClosed, namesClosedTo } from '../barcodes/names.server.ts'
import { signatureOf } from '../signing/sign.server.ts'
import { enterMarks, requireCells, writeMarks, type Entry } from './marks.server.ts'

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

const LOOK = ['enter_marks', 'export_grades', 'access_control', 'import_grades'] as const

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
function readOffering(
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
type EntrySource = RegistrationSource & Entry

const rowOf = <R extends RegistrationSource>({ bylaw_version: _, ...row }: R) => {
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
const ownColumns = sql`r.id as registration_id, ${ref('s')} as student, ${ref('p')} as program, s.level, r.status::text, s.bylaw_id,
  b.version as bylaw_version, r.total::text, r.maximum::int, r.letter, r.points::text, r.passed`
const rowColumns = sql`${ownColumns},
  (select min(g.number)::int from registration_slots rs join offering_slots os on os.id = rs.offering_slot_id
    join offering_groups g on g.id = os.group_id where rs.registration_id = r.id) as "group",
  ${marksJson('r')} as marks`
const rowJoins = sql`join students s on s.id = r.student_id join programs p on p.id = s.program_id join bylaws b on b.id = s.bylaw_id`

/** Registrations of an offering for whoever changes their marks, as {@link entriesOf} makes them. */
interface EntriesRead {
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
const entriesColumns = (offering_id: number, ids: readonly number[]): RawBuilder<EntriesRead> => sql<EntriesRead>`
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
function entriesOf({
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

async function readGrid(ctx: Ctx, id: number, access: Access): Promise<Grid> {
  const [row, students, { rows: failing }] = await Promise.all([
    readOffering(ctx, ctx.db, id, access),
    readRows(ctx.db, sql`r.offering_id = ${id}`),
    sql<Grid['failing'][number]>`select distinct on (r.letter) r.letter, r.name, r.name_local
      from grade_types g join grade_ranges r on r.grade_type_id = g.id
      where not r.success and g.bylaw_id in (select s.bylaw_id from registrations q join students s on s.id = q.student_id
        where q.offering_id = ${id}) order by r.letter, g.bylaw_id`.execute(ctx.db),
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
      data: { starts_at: readable(row.window!.starts_at), ends_at: readable(row.window!.ends_at) },
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
  return { row, scheme, capacity, entries: entriesOf(row) }
}

/** What the refusal `control_status` says. */
export const statusData = (status: ControlStatus) => ({
  status: controlStatusTexts[status].en,
  status_local: controlStatusTexts[status].ar,
  control_status: status,
})

async function save(ctx: Ctx, offering_id: number, cells: readonly CellChange[]) {
  const asked = [...new Set(cells.map((cell) => cell.registration_id))]
  return ctx.write(async (tx) => {
    const locked = await lockForMarks(ctx, tx, offering_id, 'enter_marks', asked)
    const { scheme, capacity } = locked
    const completes = capacity === 'control'
    let { entries } = locked
    const states = new Map([...entries].map(([id, { status }]) => [id, status]))
    const values = requireCells(cells, { scheme, states }, (i) => `cells.${i}.mark`)
    let entered = await enterMarks(ctx, tx, values, entries, scheme, { completes })
    if (entered === 'moved') {
      const { rows } = await sql<EntriesRead>`select e.* from (select ${entriesColumns(offering_id, asked)}) e`.execute(
        tx,
      )
      entries = entriesOf(rows[0]!)
      entered = await enterMarks(ctx, tx, values, entries, scheme, { completes })
    }
    if (typeof entered === 'object') {
      const rows = entered.rows
        .map(rowOf)
        .toSorted((a, b) => ((a.student.code ?? '') < (b.student.code ?? '') ? -1 : 1))
      return { saved: entered.saved, conflicts: [], rows }
    }
    const { saved, conflicts, touched } = await writeMarks(ctx, tx, values, { completes })
    const ids = [...new Set([...touched, ...conflicts.map((one) => one.registration_id)])]
    const { rows } = ids.length ? await readRows(tx, sql`r.id = any(${ids}::int[])`) : { rows: [] }
    return { saved, conflicts, rows }
  })
}

// --- Sheets ---------------------------------------------------------------------------------------------------------

export const HEADERS = {
  code: ['Student code', 'كود الطالب'],
  name: ['Name', 'الاسم'],
  group: ['Group', 'المجموعة'],
  state: ['State', 'الحالة'],
  total: ['Total', 'المجموع'],
  letter: ['Grade', 'التقدير'],
} as const satisfies Record<string, Label>
export const columnHeader = (category: SchemeCategory, lang: PaperLanguage): string =>
  `${lang === 'ar' ? category.name_local : category.name} (${trimHundredths(parseHundredths(category.max) ?? 0)})`
const nameOf = (record: { name: string; name_local?: string | null }, lang: PaperLanguage): string =>
  lang === 'ar' ? (record.name_local ?? record.name) : record.name
const stateText = (row: GridRow, lang: PaperLanguage): string => {
  const state = row.main === 'Registered' ? undefined : RESULT_STATES.find((one) => one.value === row.main)
  const attempt = row.attempt && row.attempt !== 'Fresh' ? ATTEMPTS.find((one) => one.value === row.attempt) : undefined
  return [state, attempt].flatMap((one) => (one ? [inLanguage(one.label, lang)] : [])).join(lang === 'ar' ? '، ' : ', ')
}

/** The letter of a result, or by marks the name of its rating. */
const resultName = ({ bylaws }: Pick<Grid, 'bylaws'>, row: GridRow, lang: PaperLanguage): string | null => {
  const rating = bylaws[row.bylaw_id]?.marks?.ratings.find((one) => one.code === row.letter)
  return rating ? nameOf(rating, lang) : row.letter
}

/** `{course code} {term name} {offering id} Grades {date}`. */
const nameOfFile = ({ offering }: Pick<Grid, 'offering'>): string =>
  fileName('xlsx', offering.course.code, offering.term.name, String(offering.id), 'Grades', dayOf())

async function exportSheet(ctx: Ctx, id: number, kind: 'marks' | 'template'): Promise<FileResult> {
  const grid = await readGrid(ctx, id, ['export_grades', 'import_grades'])
  if (!grid.rows.length) throw refuse(422, 'no_rows')
  const lang = paperLang(ctx)
  const filled = kind === 'marks'
  const columns: WriteColumn[] = [
    { header: HEADERS.code[lang === 'ar' ? 1 : 0], key: 'code', type: 'text' },
    { header: HEADERS.name[lang === 'ar' ? 1 : 0], key: 'name', type: 'text' },
    { header: HEADERS.group[lang === 'ar' ? 1 : 0], key: 'group', type: 'number' },
    { header: HEADERS.state[lang === 'ar' ? 1 : 0], key: 'state', type: 'text' },
    ...grid.scheme.map((category): WriteColumn => ({
      header: columnHeader(category, lang),
      key: `mark${category.id}`,
      type: filled ? 'decimal' : 'text',
      note: inLanguage(['A number, or A for absent', 'رقم، أو A للغائب'], lang),
    })),
    ...(filled
      ? ([
          { header: HEADERS.total[lang === 'ar' ? 1 : 0], key: 'total', type: 'decimal' },
          { header: HEADERS.letter[lang === 'ar' ? 1 : 0], key: 'letter', type: 'text' },
        ] as WriteColumn[])
      : []),
  ]
  const rows = (filled ? grid.rows : grid.rows.filter((row) => row.writable)).map((row) => ({
    code: row.student.code,
    name: nameOf(row.student, lang),
    group: row.group,
    state: stateText(row, lang),
    ...(filled &&
      Object.fromEntries(grid.scheme.map((category) => [`mark${category.id}`, row.marks[category.id]?.mark]))),
    total: row.total === null ? null : trimHundredths(parseHundredths(row.total) ?? 0),
    letter: resultName(grid, row, lang),
  }))
  const content = await writeSheet({
    sheets: [{ name: grid.offering.course.code ?? 'Grades', direction: lang === 'ar' ? 'rtl' : 'ltr', columns, rows }],
  })
  return { name: nameOfFile(grid), type: 'xlsx', content }
}

// --- Paper ----------------------------------------------------------------------------------------------------------

/** The marks of an offering as a list to sign. */
export async function gradesPdf(ctx: Ctx, id: number, lang: PaperLanguage, access: Access): Promise<FileResult> {
  const grid = await readGrid(ctx, id, access)
  const { offering, scheme, rows } = grid
  const say = (en: string, ar: string): string => inLanguage([en, ar], lang)
  const shown = (text: string | null | undefined): string =>
    text == null ? '' : text === 'A' ? say('Abs', 'غ') : trimHundredths(parseHundredths(text) ?? 0)
  const graded = rows.filter((row) => row.letter !== null)
  const passed = graded.filter((row) => row.passed === true).length
  const signed = await signatureOf(ctx.db, id)
  const content = await renderListPdf({
    title: say('Student grades', 'كشف درجات الطلاب'),
    lang,
    university: await universityHead(ctx),
    facts: [
      { label: say('Course', 'المقرر'), value: `${offering.course.code} ${nameOf(offering.course, lang)}` },
      { label: say('Offering', 'الطرح'), value: offering.code },
      { label: say('Term', 'الفصل الدراسي'), value: nameOf(offering.term, lang) },
      ...(offering.faculty ? [{ label: say('Faculty', 'الكلية'), value: nameOf(offering.faculty, lang) }] : []),
      {
        label: say('Taught by', 'القائم بالتدريس'),
        value: offering.instructors.map((one) => nameOf(one, lang)).join(lang === 'ar' ? '، ' : ', ') || '–',
      },
      {
        label: say('Status', 'الحالة'),
        value: inLanguage(
          [controlStatusTexts[offering.control_status].en, controlStatusTexts[offering.control_status].ar],
          lang,
        ),
      },
      { label: say('Students', 'عدد الطلاب'), value: String(rows.length) },
      {
        label: say('Passed', 'الناجحون'),
        value: graded.length ? `${passed} (${Math.round((passed * 100) / graded.length)}%)` : '–',
      },
      { label: say('Printed', 'تاريخ الطباعة'), value: dayOf() },
      // On paper it stands where nobody changes it: what was signed until then can be told from it.
      ...(signed ? [{ label: say('Signature', 'التوقيع الإلكتروني'), value: signed }] : []),
    ],
    columns: [
      { label: '#', align: 'end' },
      { label: say('Code', 'الكود'), align: 'start' },
      { label: say('Name', 'الاسم'), align: 'start' },
      ...scheme.map((category) => ({ label: columnHeader(category, lang), align: 'center' as const })),
      { label: say('Total', 'المجموع'), align: 'center' },
      { label: say('Grade', 'التقدير'), align: 'center' },
      { label: say('Remarks', 'ملاحظات'), align: 'start' },
    ],
    rows: rows.map((row, i) => [
      String(i + 1),
      row.student.code ?? '',
      nameOf(row.student, lang),
      ...scheme.map((category) => shown(row.marks[category.id]?.mark)),
      shown(row.total),
      resultName(grid, row, lang) ?? '',
      stateText(row, lang),
    ]),
  })
  return { name: 'offeringStudentGrades.pdf', type: 'pdf', content }
}

// --- Scheme ---------------------------------------------------------------------------------------------------------

/** Gives an offering its scheme: a named one, or categories of its own. Once a mark is entered it stays. */
async function setScheme(
  ctx: Ctx,
  id: number,
  sent: { mark_id?: number | null; items?: SchemeItem[]; version?: number },
) {
  return ctx.write(async (tx) => {
    const row = await readOffering(ctx, tx, id, ['edit_offering', 'edit_mark'], sql`for update of o`)
    if (row.removed) throw refuse(409, 'removed_record')
    if (sent.version !== undefined && sent.version !== row.offering.version)
      throw refuse(409, 'changed_meanwhile', { version: row.offering.version })
    const { rows: entered } = await sql<{ count: number }>`select count(*)::int as count from registration_marks m
      join offering_marks om on om.id = m.offering_mark_id where om.offering_id = ${id}`.execute(tx)
    if (entered[0]!.count) throw refuse(409, 'marks_entered', { count: entered[0]!.count })
    if (row.offering.control_status !== 'Draft')
      throw refuse(409, 'control_status', statusData(row.offering.control_status))
    let items = sent.items
    if (!items) {
      if (sent.mark_id == null) throw refuse(422, 'scheme_choice', undefined, 'mark_id')
      const found = await sql<SchemeItem>`select i.mark_category_id, i.max::text as max from marks m
          cross join scaled_scheme(m.id, offering_maximum(${id})) i
        where m.id = ${sent.mark_id} and m.removed_at is null order by i.position, i.mark_category_id`.execute(tx)
      if (!found.rows.length) throw refuse(422, 'reference_missing', undefined, 'mark_id')
      items = found.rows
    }
    const { rows: bylaws } = await sql<{ id: number }>`
      select distinct p.bylaw_id as id from programs p where p.id in (
        select program_id from offering_programs where offering_id = ${id}
        union select pc.program_id from program_courses pc join offerings o on o.course_id = pc.course_id where o.id = ${id})`.execute(
      tx,
    )
    await checkItems(
      tx,
      items,
      bylaws.map((one) => one.id),
      parseHundredths(row.maximum) ?? 0,
    )
    const rows = JSON.stringify(
      items.map(({ mark_category_id, max }, position) => ({ mark_category_id, max, position })),
    )
    await sql`delete from offering_marks where offering_id = ${id}
      and mark_category_id <> all (${items.map((item) => item.mark_category_id)}::int[])`.execute(tx)
    await sql`insert into offering_marks (offering_id, mark_category_id, max, position)
      select ${id}::int, mark_category_id, max, position from jsonb_to_recordset(${rows}::jsonb) as n(mark_category_id int, max numeric, position int)
      on conflict (offering_id, mark_category_id) do update set max = excluded.max, position = excluded.position`.execute(
      tx,
    )
    const { rows: changed } = await sql<{ id: number; version: number; scheme: SchemeCategory[] }>`
      update offerings o set mark_id = ${sent.items ? null : sent.mark_id} where o.id = ${id} returning o.id, o.version, ${schemeJson('o')} as scheme`.execute(
      tx,
    )
    // States such as absent have grades without any mark.
    await computeGrades(tx, [id])
    return { data: changed[0]! }
  })
}

export const gradeHandlers = [
  handle(gradeCalls.grid, async (ctx, { params }) => ({ data: await readGrid(ctx, params.id, LOOK) })),
  handle(gradeCalls.save, (ctx, { body }) => save(ctx, body.offering_id, body.cells)),
  handle(gradeCalls.exportSheet, (ctx, { params }) => exportSheet(ctx, params.id, params.x)),
  handle(gradeCalls.submit, (ctx, { params }) =>
    ctx.write(async (tx) => {
      const { id, version, to } = await controlFlow.take(ctx, params.id, 'submit')
      const data = { id, version, control_status: to }
      const { rows } = await sql<{
        code: string
      }>`select c.code from offerings o join courses c on c.id = o.course_id where o.id = ${params.id}`.execute(tx)
      const text = inLanguage(['Marks of {course} are submitted', 'سُلمت درجات {course}'], params.lang)
      return { data, message: text.replace('{course}', rows[0]!.code) }
    }),
  ),
  handle(gradeCalls.exportPdf, (ctx, { params }) => gradesPdf(ctx, params.id, params.lang, LOOK)),
  handle(gradeCalls.setScheme, (ctx, { params, body }) => setScheme(ctx, params.id, body)),
]
