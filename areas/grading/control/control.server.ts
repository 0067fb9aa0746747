/** Offerings in control: the list, every step alone or in bulk, results, the template of earlier systems. */
import { printHundredths } from '#areas/catalogue/decimal.rules.ts'
import { offeringReach } from '#areas/offerings/reach.server.ts'
import { CONTROL_STATUSES } from '#areas/offerings/words.contract.ts'
import { id, inLanguage, type Call, type ListQuery, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/context.ts'
import { Refusal, asRefusal, parse, refuse, toProblem } from '#kit/server/errors.ts'
import { pagedList, type ListSource } from '#kit/server/list.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import { writeSheet, type WriteColumn } from '#kit/server/sheets/index.ts'
import { paperLang } from '#kit/server/transfer.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { controlStatuses, type ControlAction, type ControlStatus } from '../control.rules.ts'
import { listedMains, maskOf } from '../grades/grades.rules.ts'
import { gradesPdf } from '../grades/grades.server.ts'
import { RESULT_STATES } from '../words.contract.ts'
import { controlCalls, type ControlResults, type ControlRow } from './control.contract.ts'
import { heldJson, stepsOpen, STEP_KEYS, takeStep, takeSteps, type Held, type Stepped } from './steps.server.ts'

const LISTED = maskOf(listedMains)
const named = (alias: string) =>
  `json_build_object('id', ${alias}.id, 'code', ${alias}.code, 'name', ${alias}.name, 'name_local', ${alias}.name_local)`

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
const SINCE = '(select max(h.at) from control_history h where h.offering_id = t.id)'
const SOUND = `coalesce((select sum(m.max) = 100 and count(*) filter (where k.is_final_exam) = 1
  from offering_marks m join mark_categories k on k.id = m.mark_category_id where m.offering_id = t.id), false)`

function source(ctx: Ctx): ListSource {
  return {
    from: sql`offerings t join courses c on c.id = t.course_id`,
    select: sql`${sql.raw(`t.id, t.code, t.version, t.control_status, ${named('c')} as course,
        (select ${named('x')} from terms x where x.id = t.term_id) as term,
        (select ${named('x')} from faculties x where x.id = t.faculty_id) as faculty,
        (select ${named('x')} from departments x where x.id = t.department_id) as department,
        coalesce((select json_agg(${named('i')} order by array_position(array['leader', 'instructor', 'assistant'], oi.role), i.name)
          from offering_instructors oi join instructors i on i.id = oi.instructor_id where oi.offering_id = t.id), '[]') as instructors,
        ${STUDENTS} as students, ${MISSING} as missing_marks, ${SOUND} as scheme_sound, ${SINCE} as since`)},
      ${heldJson(ctx, [...STEP_KEYS, 'enter_marks', 'export_grades'], 't')} as held`,
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
  const { data, meta } = await pagedList<Omit<ControlRow, 'abilities'> & { held: Held }>(ctx, source(ctx), {
    ...query,
    filters,
  })
  return {
    data: data.map(({ held, ...row }) => ({
      ...row,
      abilities: [
        ...stepsOpen(row.control_status, held),
        ...(held.enter_marks ? ['enter_marks'] : []),
        ...(held.export_grades ? ['export'] : []),
      ],
    })),
    meta: { ...meta, details: { term_id } },
  }
}

/** Offerings of one transaction. More would only hold longer what others wait for. */
const STEPS_AT_ONCE = 50

/** One step for many offerings: each is taken or refused by itself, so that what fails does not hold up the others. */
async function bulk(ctx: Ctx, action: ControlAction, offering_ids: readonly number[], reason: string | undefined) {
  const { rows } = await sql<{ id: number; name: string }>`select o.id, c.code || ' (' || o.code || ')' as name
    from offerings o join courses c on c.id = o.course_id where o.id = any(${offering_ids}::int[])
      and ${scopeCondition(ctx, [...STEP_KEYS, 'access_control'], offeringReach(ctx, 'o'))}`.execute(ctx.db)
  const names = new Map(rows.map((row) => [row.id, row.name]))
  const done: number[] = []
  const failed: { id: number; name?: string; errors: ReturnType<typeof toProblem>[] }[] = []
  const step = async (ids: readonly number[]): Promise<void> => {
    let outcome: Map<number, Stepped | Refusal>
    try {
      outcome = await ctx.write((tx) => takeSteps(ctx, tx, ids, action, { reason }), { reason })
    } catch (error) {
      const refusal = asRefusal(error)
      if (!refusal || refusal.status === 503) throw error
      // Refused while it was written, by one of them: which, is found one by one.
      if (ids.length > 1) {
        for (const id of ids) await step([id])
        return
      }
      outcome = new Map(ids.map((id) => [id, refusal]))
    }
    for (const [id, one] of outcome) {
      if (one instanceof Refusal) failed.push({ id, name: names.get(id), errors: one.reasons.map(toProblem) })
      else done.push(id)
    }
  }
  const ids = [...new Set(offering_ids)]
  for (let i = 0; i < ids.length; i += STEPS_AT_ONCE) await step(ids.slice(i, i + STEPS_AT_ONCE))
  return { done, failed }
}

// --- Results --------------------------------------------------------------------------------------------------------

interface Sum {
  offering_id: number
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
  const [{ rows: heads }, { rows: sums }, { rows: terms }] = await Promise.all([
    sql<OfferingHead>`select t.id, t.code, t.control_status, ${sql.raw(named('c'))} as course,
        case when f.id is not null then ${sql.raw(named('f'))} end as faculty
      from offerings t join courses c on c.id = t.course_id left join faculties f on f.id = t.faculty_id
      where ${where} order by c.code, t.code`.execute(ctx.db),
    sql<Sum>`select r.offering_id, r.letter, count(*)::int as count, count(*) filter (where r.passed)::int as passed,
        count(*) filter (where not r.passed)::int as failed,
        count(*) filter (where r.status & ${sql.raw(maskOf(['Absent', 'Banned', 'Punished']))} <> 0
          or (r.total is null and not r.passed))::int as absent,
        count(r.total)::int as totals, coalesce(sum(r.total) * 100, 0)::int as sum, (max(r.points) * 100)::int as points
      from offerings t join registrations r on r.offering_id = t.id
      where ${where} and r.status & ${sql.raw(LISTED)} <> 0 group by 1, 2`.execute(ctx.db),
    sql<
      NonNullable<ControlResults['term']>
    >`select id, code, name, name_local from terms where id = ${term_id}`.execute(ctx.db),
  ])
  const totals = new Figures()
  const faculties = new Map<number | null, { head: OfferingHead['faculty']; offerings: number; figures: Figures }>()
  const byOffering = Map.groupBy(sums, (one) => one.offering_id)
  const offerings = heads.map((head) => {
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
  if (offerings.length > 5000) throw refuse(422, 'export_limit')
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
            CONTROL_STATUSES.map((one) => inLanguage(one.label, lang)).join(lang === 'ar' ? '، ' : ', '),
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

const step = <C extends Call>(call: C, action: ControlAction): Handled => ({
  call,
  handler: async (
    ctx: Ctx,
    { params, body }: { params: { id: number }; body: { reason?: string; version?: number } },
  ) => ({
    data: await ctx.write((tx) => takeStep(ctx, tx, params.id, action, body), { reason: body.reason }),
  }),
})

export const controlHandlers: readonly Handled[] = [
  handle(controlCalls.list, (ctx, { body }) => list(ctx, body)),
  handle(controlCalls.gradesPdf, (ctx, { params }) =>
    gradesPdf(ctx, params.id, params.lang, ['access_control', 'export_grades']),
  ),
  step(controlCalls.undo, 'undo'),
  step(controlCalls.submit, 'submit'),
  step(controlCalls.review, 'review'),
  step(controlCalls.approve, 'approve'),
  step(controlCalls.publish, 'publish'),
  step(controlCalls.freeze, 'freeze'),
  handle(controlCalls.bulk, (ctx, { params, body }) => bulk(ctx, params.action, body.ids, body.reason)),
  handle(controlCalls.history, async (ctx, { params }) => {
    const { rows } = await sql<{ history: never[] | null }>`
      select (select json_agg(json_build_object('id', h.id, 'at', h.at, 'action', h.action, 'from_status', h.from_status,
          'to_status', h.to_status, 'reason', h.reason,
          'by', case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end) order by h.id desc)
        from control_history h left join users u on u.id = h.actor_id where h.offering_id = o.id) as history
      from offerings o where o.id = ${params.id}
        and ${scopeCondition(ctx, ['access_control', 'enter_marks', 'export_grades'], offeringReach(ctx, 'o'))}`.execute(
      ctx.db,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: rows[0].history ?? [] }
  }),
  handle(controlCalls.reportLookup, (ctx) => reportLookup(ctx)),
  handle(controlCalls.results, async (ctx, { query }) => ({ data: await results(ctx, query) })),
  handle(controlCalls.migratedTemplate, (ctx, { body }) =>
    migratedTemplate(ctx, body.term_id, body.lang ?? paperLang(ctx)),
  ),
]
