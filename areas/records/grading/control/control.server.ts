/** Offerings in control: the list, results, the template of earlier systems. */
import { STUDY_BYLAW } from '../grades/compute.server.ts'
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import { id, inLanguage, type AnswerOf, type ListQuery, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { parse } from '#kit/server/base/errors.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { writeSheet, type WriteColumn } from '#kit/server/sheets/index.ts'
import { paperLang, demandFew } from '#kit/server/resource/transfer.ts'
import { ref, refText } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { canFinish, controlStatuses, type ControlStatus } from '#areas/common/academics/control.rules.ts'
import { listedMains, maskOf } from '../grades/grades.rules.ts'
import { gradesPdf } from '../grades/grades.server.ts'
import { RESULT_STATES } from '#areas/common/academics/grading-words.contract.ts'
import { controlCalls, type ControlResults, type ControlRow } from './control.contract.ts'
import { control } from './flow.contract.ts'
import { controlFlow } from './steps.server.ts'

const LISTED = maskOf(listedMains)

/** SQL of a value in a filter: one or several. */
export const oneOf =
  (expression: string, schema: z.ZodType, name: string) =>
  (value: unknown): RawBuilder<unknown> => {
    const wanted = parse(z.union([schema, z.array(schema).max(1000)]), value, ['filters', name])
    return sql`${sql.raw(expression)} = any(${Array.isArray(wanted) ? wanted : [wanted]})`
  }

export const yesNo =
  (condition: string, name: string) =>
  (value: unknown): RawBuilder<unknown> =>
    sql.raw(parse(z.boolean(), value, ['filters', name]) ? `(${condition})` : `not (${condition})`)

/** The term control works in, when none is asked for. */
export async function controlTerm({ db }: Pick<Ctx, 'db'>): Promise<number | null> {
  const { rows } = await sql<{ term_id: number }>`select term_id from current_terms
    where key in ('current_control_term', 'current_term') order by key limit 1`.execute(db)
  return rows[0]?.term_id ?? null
}

const STUDENTS = `(select count(*)::int from registrations r where r.offering_id = t.id and r.status & ${LISTED} <> 0)`
const MISSING = `(select count(*)::int from registrations r where r.offering_id = t.id and r.letter is null and r.status & ${LISTED} <> 0)`
const SINCE = `(select max(h.at) from step_history h where h.workflow = '${control.name}' and h.record_id = t.id)`
const SOUND = `coalesce((select sum(m.max) = scheme_maximum(t.id) and count(*) filter (where k.is_final_exam) = 1
  from offering_marks m join mark_categories k on k.id = m.mark_category_id where m.offering_id = t.id), false)`

function source(ctx: Ctx): ListSource {
  const may = (...key: PermissionKey[]) => scopeCondition(ctx, key, offeringReach(ctx))
  return {
    from: sql`offerings t ${sql.raw(joinCourse('t.course_id', 't.id'))}`,
    select: sql`${sql.raw(`t.id, t.code, t.version, t.control_status, ${refText('c')} as course,
        (select ${refText('x')} from terms x where x.id = t.term_id) as term,
        (select ${refText('x')} from faculties x where x.id = t.faculty_id) as faculty,
        (select ${refText('x')} from departments x where x.id = t.department_id) as department,
        coalesce((select json_agg(${refText('i')} order by array_position(array['leader', 'instructor', 'assistant'], oi.role), i.name)
          from offering_instructors oi join instructors i on i.id = oi.instructor_id where oi.offering_id = t.id), '[]') as instructors,
        ${STUDENTS} as students, ${MISSING} as missing_marks, ${SOUND} as scheme_sound, ${SINCE} as since`)},
      ${controlFlow.column(ctx)} as steps, json_build_object('finish', ${may('finish_term')}, 'enter_marks', ${may('enter_marks')},
        'export', ${may('export_grades')}, 'barcodes', ${may('mark_by_barcode', 'manage_barcodes')}) as may`,
    where: [sql`t.removed_at is null`, scopeCondition(ctx, 'access_control', offeringReach(ctx))],
    search: ['c.search_text', 'fold_text(t.code)'],
    sort: {
      course: 'c.code',
      code: 't.code',
      control_status: `array_position(array['Draft', 'Submitted', 'Reviewed', 'Approved', 'Published', 'Frozen'], t.control_status)`,
      students: STUDENTS,
      missing_marks: MISSING,
      since: SINCE,
    },
    order: ['course', 'asc'],
    filters: {
      term_id: oneOf('t.term_id', id, 'term_id'),
      faculty_id: oneOf('t.faculty_id', id, 'faculty_id'),
      department_id: oneOf('t.department_id', id, 'department_id'),
      course_id: oneOf('t.course_id', id, 'course_id'),
      control_status: oneOf('t.control_status', z.enum(controlStatuses), 'control_status'),
      missing: yesNo(
        `exists (select from registrations r where r.offering_id = t.id and r.letter is null and r.status & ${LISTED} <> 0)`,
        'missing',
      ),
      instructor_id: (value) => {
        const wanted = parse(id, value, ['filters', 'instructor_id'])
        return sql`exists (select from offering_instructors oi where oi.offering_id = t.id and oi.instructor_id = ${wanted})`
      },
    },
  }
}

async function list(ctx: Ctx, query: ListQuery) {
  const filters = { ...query.filters }
  const term_id = filters.term_id ?? (await controlTerm(ctx))
  if (term_id != null) filters.term_id = term_id
  type Row = Omit<ControlRow, 'abilities'> & {
    steps: Parameters<typeof controlFlow.open>[2]
    may: { finish: boolean; enter_marks: boolean; export: boolean; barcodes: boolean }
  }
  const { data, meta } = await pagedList<Row>(ctx, source(ctx), { ...query, filters })
  return {
    data: data.map(({ steps, may, ...row }) => ({
      ...row,
      abilities: [
        ...controlFlow.open(ctx, row.control_status, steps).abilities,
        ...(may.finish && canFinish(row.control_status) ? ['finish'] : []),
        ...(may.enter_marks ? ['enter_marks'] : []),
        ...(may.export ? ['export'] : []),
        ...(may.barcodes ? ['barcodes'] : []),
      ],
    })),
    meta: { ...meta, details: { term_id } },
  }
}

/** The step that follows a status, by whom it is taken. */
const NEXT = [
  ['Submitted', 'review'],
  ['Reviewed', 'approve'],
  ['Approved', 'publish'],
] as const satisfies readonly (readonly [ControlStatus, keyof typeof control.actions])[]

/** Where offerings within reach stand, term by term. */
async function stages(ctx: Ctx) {
  const mine = NEXT.map(
    ([from, action]) =>
      sql`t.control_status = ${from} and ${scopeCondition(ctx, control.actions[action].permission, offeringReach(ctx))}`,
  )
  const { rows } = await sql<AnswerOf<typeof controlCalls.stages>['data'][number]>`
    select ${ref('x')} as term, json_agg(json_build_object('control_status', g.control_status, 'count', g.count, 'waiting', g.waiting)) as stages
    from (select t.term_id, t.control_status, count(*)::int as count,
        (count(*) filter (where ${sql.join(mine, sql` or `)}))::int as waiting
      from offerings t where t.removed_at is null and ${scopeCondition(ctx, 'access_control', offeringReach(ctx))}
      group by t.term_id, t.control_status) g join terms x on x.id = g.term_id
    group by x.id order by x.start_date desc limit 40`.execute(ctx.db)
  return rows
}

// --- Results --------------------------------------------------------------------------------------------------------

interface Sum {
  offering_id: number
  bylaw_id: number
  letter: string | null
  count: number
  passed: number
  failed: number
  absent: number
  totals: number
  /** Hundredths. */
  sum: number
  points: number | null
}
interface OfferingHead {
  id: number
  code: string
  grade_kind: GradeKind
  control_status: ControlStatus
  course: ControlRow['course']
  faculty: ControlRow['faculty']
}

/** Adds sums of letters up to the figures a report shows. */
class Figures {
  students = 0
  results = 0
  passed = 0
  failed = 0
  absent = 0
  #totals = 0
  #sum = 0
  #letters = new Map<string, { count: number; points: number; totals: number; sum: number }>()
  add(one: Sum): void {
    this.students += one.count
    if (one.letter === null) return
    this.results += one.count
    this.passed += one.passed
    this.failed += one.failed
    this.absent += one.absent
    this.#totals += one.totals
    this.#sum += one.sum
    const known = this.#letters.get(one.letter) ?? { count: 0, points: -1, totals: 0, sum: 0 }
    this.#letters.set(one.letter, {
      count: known.count + one.count,
      points: Math.max(known.points, one.points ?? -1),
      totals: known.totals + one.totals,
      sum: known.sum + one.sum,
    })
  }
  show() {
    return {
      results: this.results,
      passed: this.passed,
      failed: this.failed,
      absent: this.absent,
      missing: this.students - this.results,
      mean: this.#totals ? printHundredths(Math.round(this.#sum / this.#totals)) : null,
      // The best first; what no mark gave (absent, withdrawn) stands at the end.
      letters: [...this.#letters]
        .sort(
          ([a, x], [b, y]) =>
            Number(y.totals > 0) - Number(x.totals > 0) ||
            y.points - x.points ||
            (x.totals ? y.sum / y.totals - x.sum / x.totals : a.localeCompare(b)),
        )
        .map(([letter, { count }]) => ({ letter, count })),
    }
  }
}

type GradeKind = ControlResults['scales'][number]['kind']
/** The letters a bylaw gives for marks in courses of a kind, the best first. */
interface Scale {
  bylaw: ControlResults['scales'][number]['bylaws'][number]
  kind: GradeKind
  gives: string[]
}
/** Results apart by scale: bylaws with the same letters are one. */
function byScale(
  sums: readonly Sum[],
  kinds: ReadonlyMap<number, GradeKind>,
  known: readonly Scale[],
): ControlResults['scales'] {
  const scales = new Map<
    string,
    { kind: GradeKind; gives: string[]; bylaws: Map<number, Scale['bylaw']>; figures: Figures }
  >()
  const places = new Map(known.map((one) => [`${one.bylaw.id} ${one.kind}`, one]))
  for (const sum of sums) {
    if (sum.letter === null) continue
    const asked = kinds.get(sum.offering_id)!
    // A bylaw without grades of its own for pass and fail gives letters there too.
    const found = places.get(`${sum.bylaw_id} ${asked}`) ?? places.get(`${sum.bylaw_id} letter`)
    const { kind, gives } = found ?? { kind: asked, gives: [] }
    const key = `${kind} ${gives.join(' ')}`
    let scale = scales.get(key)
    if (!scale) scales.set(key, (scale = { kind, gives, bylaws: new Map(), figures: new Figures() }))
    if (found) scale.bylaws.set(found.bylaw.id, found.bylaw)
    scale.figures.add(sum)
  }
  return [...scales.values()]
    .map(({ kind, gives, bylaws, figures }) => {
      const { results: count, letters } = figures.show()
      const order = new Map(gives.map((letter, i) => [letter, i]))
      return {
        kind,
        gives,
        bylaws: [...bylaws.values()].sort((a, b) => (a.code ?? '').localeCompare(b.code ?? '')),
        results: count,
        letters: letters.toSorted(
          (a, b) => (order.get(a.letter) ?? gives.length) - (order.get(b.letter) ?? gives.length),
        ),
      }
    })
    .sort((a, b) => b.results - a.results)
}

async function results(
  ctx: Ctx,
  asked: {
    term_id?: number
    faculty_id?: number
    department_id?: number
    course_id?: number
    control_status?: ControlStatus
  },
): Promise<ControlResults> {
  const term_id = asked.term_id ?? (await controlTerm(ctx))
  const conditions: RawBuilder<unknown>[] = [
    sql`t.term_id = ${term_id}`,
    sql`t.removed_at is null`,
    scopeCondition(ctx, 'access_control', offeringReach(ctx)),
  ]
  for (const column of ['faculty_id', 'department_id', 'course_id', 'control_status'] as const) {
    if (asked[column] !== undefined) conditions.push(sql`${sql.ref(`t.${column}`)} = ${asked[column]}`)
  }
  const where = sql.join(conditions, sql` and `)
  const [{ rows: heads }, { rows: sums }, { rows: terms }, { rows: known }] = await Promise.all([
    sql<OfferingHead>`select t.id, t.code, t.control_status, c.grade_kind, ${ref('c')} as course,
        case when f.id is not null then ${ref('f')} end as faculty
      from offerings t ${sql.raw(joinCourse('t.course_id', 't.id'))} left join faculties f on f.id = t.faculty_id
      where ${where} order by c.code, t.code`.execute(ctx.db),
    sql<Sum>`select r.offering_id, ${STUDY_BYLAW} as bylaw_id, r.letter, count(*)::int as count, count(*) filter (where r.passed)::int as passed,
        count(*) filter (where not r.passed)::int as failed,
        count(*) filter (where r.status & ${sql.raw(maskOf(['Absent', 'Banned', 'Punished']))} <> 0
          or (r.total is null and not r.passed))::int as absent,
        count(r.total)::int as totals, coalesce(sum(r.total * 100 / coalesce(r.maximum, 100)) * 100, 0)::int as sum, (max(r.points) * 100)::int as points
      from offerings t join registrations r on r.offering_id = t.id join students s on s.id = r.student_id
      where ${where} and r.status & ${sql.raw(LISTED)} <> 0 group by 1, 2, 3`.execute(ctx.db),
    sql<
      NonNullable<ControlResults['term']>
    >`select id, code, name, name_local from terms where id = ${term_id}`.execute(ctx.db),
    sql<Scale>`select ${ref('b')} as bylaw, g.kind, array_agg(r.letter order by r.from_percent desc) as gives
      from bylaws b join grade_types g on g.bylaw_id = b.id join grade_ranges r on r.grade_type_id = g.id
      where coalesce(b.program_type, 'credit_hours') = 'credit_hours' group by b.id, g.kind
      union all
      select ${ref('b')}, 'letter', array_agg(r.code order by r.from_share desc)
      from bylaws b join bylaw_ratings r on r.bylaw_id = b.id where b.program_type in ('term', 'annual') group by b.id`.execute(
      ctx.db,
    ),
  ])
  const totals = new Figures()
  const faculties = new Map<number | null, { head: OfferingHead['faculty']; offerings: number; figures: Figures }>()
  const byOffering = Map.groupBy(sums, (one) => one.offering_id)
  const offerings = heads.map(({ grade_kind: _kind, ...head }) => {
    const key = head.faculty?.id ?? null
    let faculty = faculties.get(key)
    if (!faculty) faculties.set(key, (faculty = { head: head.faculty, offerings: 0, figures: new Figures() }))
    faculty.offerings++
    const figures = new Figures()
    for (const one of byOffering.get(head.id) ?? []) {
      figures.add(one)
      totals.add(one)
      faculty.figures.add(one)
    }
    return { ...head, students: figures.students, ...figures.show() }
  })
  const counts = Map.groupBy(heads, (head) => head.control_status)
  return {
    term: terms[0] ?? null,
    totals: { offerings: heads.length, students: totals.students, ...totals.show() },
    scales: byScale(sums, new Map(heads.map((head) => [head.id, head.grade_kind])), known),
    statuses: controlStatuses.map((control_status) => ({
      control_status,
      count: counts.get(control_status)?.length ?? 0,
    })),
    faculties: [...faculties.values()].flatMap(({ head, offerings: n, figures }) =>
      head ? [{ ...head, offerings: n, ...figures.show() }] : [],
    ),
    offerings,
  }
}

async function reportLookup(ctx: Ctx) {
  const reach = offeringReach(ctx)
  const scope = scopeCondition(ctx, 'access_control', reach)
  const [terms, faculties, departments, current_term_id] = await Promise.all([
    sql<{ id: number; code: string; name: string; name_local: string }>`select id, code, name, name_local from terms
      where removed_at is null order by start_date desc, id desc limit 60`.execute(ctx.db),
    sql<{
      id: number
      code: string
      name: string
      name_local: string
    }>`select f.id, f.code, f.name, f.name_local from faculties f
      where exists (select from offerings t where t.faculty_id = f.id and t.removed_at is null and ${scope}) order by f.code`.execute(
      ctx.db,
    ),
    sql<{
      id: number
      code: string
      name: string
      name_local: string
      faculty_id: number
    }>`select d.id, d.code, d.name, d.name_local, d.faculty_id
      from departments d where exists (select from offerings t where t.department_id = d.id and t.removed_at is null and ${scope}) order by d.code`.execute(
      ctx.db,
    ),
    controlTerm(ctx),
  ])
  return { data: { terms: terms.rows, faculties: faculties.rows, departments: departments.rows, current_term_id } }
}

/** A workbook in which an earlier system hands over offerings and registrations: with what a term holds already, if one is named. */
async function migratedTemplate(ctx: Ctx, term_id: number | undefined, lang: PaperLanguage): Promise<FileResult> {
  const say = (en: string, ar: string): string => inLanguage([en, ar], lang)
  const scope = scopeCondition(ctx, 'access_control', offeringReach(ctx))
  const offerings = term_id
    ? (
        await sql<
          Record<string, string | null>
        >`select x.code as term, c.code as course, t.code as offering, f.code as faculty,
            m.code as mark, t.control_status as status from offerings t join courses c on c.id = t.course_id join terms x on x.id = t.term_id
            left join faculties f on f.id = t.faculty_id left join marks m on m.id = t.mark_id
          where t.term_id = ${term_id} and t.removed_at is null and ${scope} order by c.code, t.code limit 5001`.execute(
          ctx.db,
        )
      ).rows
    : []
  demandFew(offerings)
  const text = (header: string, key: string, note?: string): WriteColumn => ({
    header,
    key,
    type: 'text',
    ...(note && { note }),
  })
  const required = say('Must be filled.', 'يجب ملؤه.')
  const states = RESULT_STATES.map((state) => inLanguage(state.label, lang)).join(lang === 'ar' ? '، ' : ', ')
  const content = await writeSheet({
    sheets: [
      {
        name: say('Offerings', 'المقررات المطروحة'),
        direction: lang === 'ar' ? 'rtl' : 'ltr',
        columns: [
          text(say('Term code', 'كود الفصل'), 'term', required),
          text(say('Course code', 'كود المقرر'), 'course', required),
          text(say('Offering code', 'كود الطرح'), 'offering', required),
          text(say('Faculty code', 'كود الكلية'), 'faculty'),
          text(say('Mark scheme code', 'كود توزيع الدرجات'), 'mark'),
          text(
            say('Control status', 'حالة الكنترول'),
            'status',
            CONTROL_STATUSES.map((controlStatus) => inLanguage(controlStatus.label, lang)).join(
              lang === 'ar' ? '، ' : ', ',
            ),
          ),
        ],
        rows: offerings,
      },
      {
        name: say('Registrations', 'التسجيلات'),
        direction: lang === 'ar' ? 'rtl' : 'ltr',
        columns: [
          text(say('Student code', 'كود الطالب'), 'student', required),
          text(say('Term code', 'كود الفصل'), 'term', required),
          text(say('Course code', 'كود المقرر'), 'course', required),
          text(say('Offering code', 'كود الطرح'), 'offering', required),
          text(say('State', 'الحالة'), 'state', states),
          text(say('Attempt', 'المحاولة'), 'attempt', 'Fresh, Repeat, Improve'),
          text(say('Total of 100', 'المجموع من 100'), 'total'),
          text(say('Grade', 'التقدير'), 'letter'),
        ],
        rows: [],
      },
    ],
  })
  return { name: 'Offerings and registrations template.xlsx', type: 'xlsx', content }
}

export const controlHandlers: readonly Handled[] = [
  handle(controlCalls.list, (ctx, { body }) => list(ctx, body)),
  handle(controlCalls.stages, async (ctx) => ({ data: await stages(ctx) })),
  handle(controlCalls.gradesPdf, (ctx, { params }) =>
    gradesPdf(ctx, params.id, params.lang, ['access_control', 'export_grades']),
  ),
  handle(controlCalls.reportLookup, (ctx) => reportLookup(ctx)),
  handle(controlCalls.results, async (ctx, { query }) => ({ data: await results(ctx, query) })),
  handle(controlCalls.migratedTemplate, (ctx, { body }) =>
    migratedTemplate(ctx, body.term_id, body.lang ?? paperLang(ctx)),
  ),
]
