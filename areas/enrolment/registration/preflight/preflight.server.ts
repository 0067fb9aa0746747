/** The preflight of a student, and of all whom somebody reaches. */
import { sql, type RawBuilder } from 'kysely'
import { setImmediate as breathe } from 'node:timers/promises'
import { HOLD_READERS, STANDING_READERS } from '#areas/records/students/student/student.contract.ts'
import { students } from '#areas/records/students/student/student.server.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Label, ListQuery, PaperLanguage } from '#kit/contract/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { searchCondition } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import type { Requisite } from '#areas/study/catalogue/requisites.rules.ts'
import { isSelf, reachOf, studentScope } from '../capacity.server.ts'
import { checkRequest } from '../registration.rules.ts'
import type { RefusalCode } from '../registration-refusals.rules.ts'
import { gatherRequest, type GatheredOffering } from '../requests/gather.server.ts'
import { courseCodes, inputOf, reasonsOf, rulesFor, slotCodes } from '../requests/judge.server.ts'
import { LOOKERS } from '../requests/view.server.ts'
import {
  preflightFactsOf,
  gatheredOf,
  preflightLinesOf,
  preflightTermOf,
  type PreflightFacts,
  type FactsTerm,
  type Told,
} from './facts.server.ts'
import {
  preflightCalls,
  type PreflightAnswer,
  type PreflightCourse,
  type PreflightLine,
  type PreflightRow,
} from './preflight.contract.ts'
import { windowOf, type JudgedLine } from './preflight.rules.ts'
import { preflightLabel } from './words.contract.ts'

const STANDING = STANDING_READERS.filter((reader) => reader !== 'self')
const HOLDS = HOLD_READERS.filter((reader) => reader !== 'self')

/** What the reader is told of a student's lines. */
const toldOf = (ctx: Ctx, facts: PreflightFacts): Told => {
  if (isSelf(ctx, facts.id)) return { standing: true, holds: true }
  return {
    standing: facts.warnings > 0 && reachOf(ctx, STANDING, facts) !== null,
    holds: (facts.holds !== null || facts.blocked_at !== null) && reachOf(ctx, HOLDS, facts) !== null,
  }
}

/** The day since when something stands, which is told as a day or as an instant. */
const onDay = (since: string): string => (since.includes('T') ? dayOf(since) : since)

/** A line as an answer tells it. */
const told = ({ code, data, step, blocks, office, since }: JudgedLine): PreflightLine => ({
  ...toProblem({ code, data: { ...data, step: { ...step, code: `${code}_step` } } }),
  code,
  blocks,
  office,
  since,
})

/** Rules that speak of a course, whatever is offered of it. */
const OF_COURSE: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'improvement_grade',
  'repeat_limit',
  'prerequisites',
  'placement_due',
  'placement_excused',
  'placement_above',
  'min_passed_hours',
  'min_level',
])

/** How many courses of the plan are told: a term's, and some to choose from. */
const NEXT_COURSES = 12

type PlanCourse = {
  course: PreflightCourse['course']
  level: number
  semester: number
  kind: GatheredOffering['plan_kind']
  prerequisites: Requisite | null
  min_passed_hours: number
  min_level: number
}

/** The plan of a student in its order, and the courses that are being taken. */
async function planOf(ctx: Ctx, student: PreflightFacts): Promise<{ plan: PlanCourse[]; taking: number[] }> {
  const { rows } = await sql<{ plan: PlanCourse[] | null; taking: number[] }>`
    select (select json_agg(json_build_object('course', json_build_object('id', c.id, 'code', c.code, 'name', c.name,
          'name_local', c.name_local, 'credit_hours', c.credit_hours), 'level', pc.level, 'semester', pc.semester, 'kind', pc.kind,
        'prerequisites', coalesce(pc.prerequisites, c.prerequisites), 'min_passed_hours', c.min_passed_hours, 'min_level', c.min_level)
        order by pc.level, pc.semester, c.code)
      from program_courses pc join courses c on c.id = pc.course_id and c.removed_at is null
      where pc.program_id = ${student.program_id} and pc.kind <> 'elective') as plan,
    array(select r.course_id from registrations r join terms t on t.id = r.term_id
      where r.student_id = ${student.id} and r.letter is null and r.status & ${sql.raw(loadMask.toString())} <> 0
        and t.end_date >= university_today() - 60) as taking`.execute(ctx.db)
  return { plan: rows[0]?.plan ?? [], taking: rows[0]?.taking ?? [] }
}

/** The next courses of the plan, each with what stands against it by the rules of a request. */
async function nextCourses(
  ctx: Ctx,
  student: PreflightFacts,
  term: FactsTerm | null,
  now: string,
): Promise<PreflightCourse[]> {
  const [known, { plan, taking }] = await Promise.all([gatherRequest(ctx.pool, student.id, []), planOf(ctx, student)])
  if (!known || !plan.length) return []
  const at = gatheredOf(student, term, now)
  const g = { ...known, now: at.now, terms: at.terms }
  const had = new Set(
    [...g.passed.filter((one) => one.out).map((one) => one.course_id), ...taking].flatMap((id) => [
      id,
      ...(g.reference.equals.get(id) ?? []),
    ]),
  )
  const next = plan.filter(({ course }) => !had.has(course.id)).slice(0, NEXT_COURSES)
  const offerings = next.map((one): GatheredOffering => ({
    id: 0,
    term_id: at.terms[0]!.id,
    course_id: one.course.id,
    is_open: true,
    control_status: 'Draft',
    open_program: true,
    level: null,
    course_code: one.course.code ?? '',
    credit_hours: one.course.credit_hours,
    min_passed_hours: one.min_passed_hours,
    min_level: one.min_level,
    prerequisites: one.prerequisites,
    corequisite_ids: [],
    plan_kind: one.kind,
    slots: [],
  }))
  const [rules, codes] = await Promise.all([rulesFor(ctx, g), courseCodes(ctx, { ...g, offerings })])
  const wanted = { offering_slot_ids: [], improve: false }
  const terms = { who: 'student', action: at.action, over_quota: false } as const
  return next.map(({ course, level, semester }, i) => {
    const input = inputOf(g, rules, offerings[i]!, [], wanted, [], terms, codes)
    const refusals = checkRequest(input).filter(({ code }) => OF_COURSE.has(code) && !slotCodes.has(code))
    const asks = new Set(refusals.flatMap(({ data }) => (Array.isArray(data.ids) ? data.ids : [])))
    const problems = reasonsOf([{ offering_id: 0, refusals }], () => null).map(toProblem)
    return {
      course,
      level,
      semester,
      reasons: problems as (ReturnType<typeof toProblem> & { code: RefusalCode })[],
      in_progress: taking.filter((id) => asks.has(id)).flatMap((id) => codes[id] ?? []),
    }
  })
}

/** What will stand against a student's registration. @throws {Refusal} 404 out of reach */
export async function preflightOf(ctx: Ctx, id: number, termId?: number): Promise<PreflightAnswer> {
  const reach = scopeCondition(ctx, ['access_student', ...LOOKERS], studentScope(ctx))
  const {
    now,
    term,
    students: found,
  } = await preflightFactsOf(ctx, preflightTermOf(termId, id), sql`s.id = ${id} and ${reach}`)
  const [facts] = found
  if (!facts) throw refuse(404, 'not_found')
  const self = isSelf(ctx, id)
  // The notes on holds are told to who reads them in the record.
  const unread = self || !facts.holds ? null : await students.unread(ctx, id)
  const holds = unread?.has('blocked_reason')
    ? (facts.holds ?? []).map((hold) => ({ ...hold, note: null, note_local: null }))
    : facts.holds
  const rules = await rulesFor(ctx, gatheredOf(facts, term, now))
  const lines = preflightLinesOf({ ...facts, holds }, term, now, rules, toldOf(ctx, facts))
  return {
    student: { id: facts.id, name: facts.name, name_local: facts.name_local, code: facts.code },
    term: term && { id: term.id, name: term.name, name_local: term.name_local, code: term.code },
    window: windowOf(
      (facts.windows ?? []).map(([code, from, to]) => ({ code, from, to })),
      now,
    ),
    blocked: lines.some((line) => line.blocks),
    lines: lines.map(told),
    courses: rules.marks ? [] : await nextCourses(ctx, facts, term, now),
  }
}

/** A job tells nobody. */
const NOBODY: Told = { standing: false, holds: false }

/** Students looked at between two breaths of the server. */
const BREATH = 1000

type Judged = { facts: PreflightFacts; lines: JudgedLine[]; blocked: boolean }

/** Judges many, and lets others be served meanwhile. */
export async function judgeAll(ctx: Ctx, found: Awaited<ReturnType<typeof preflightFactsOf>>): Promise<Judged[]> {
  const { now, term } = found
  const rules = new Map<string, Awaited<ReturnType<typeof rulesFor>>>()
  const judged: Judged[] = []
  for (const [i, facts] of found.students.entries()) {
    if (i % BREATH === BREATH - 1) await breathe()
    const key = `${facts.bylaw_id}/${facts.bylaw_version}`
    let own = rules.get(key)
    if (!own) rules.set(key, (own = await rulesFor(ctx, gatheredOf(facts, term, now))))
    const lines = preflightLinesOf(facts, term, now, own, ctx.system === null ? toldOf(ctx, facts) : NOBODY)
    judged.push({ facts, lines, blocked: lines.some((line) => line.blocks) })
  }
  return judged
}

/** Students whose registration is still to be expected: who was dismissed long ago is nobody's concern any more. */
export const CONCERNED = sql`(s.status in ('studying', 'suspended') or (s.status = 'dismissed' and exists (
  select from registrations r join terms x on x.id = r.term_id where r.student_id = s.id and x.end_date > university_today() - 365)))`

type Filters = Partial<Record<'faculty_id' | 'program_id' | 'level' | 'advisor_id' | 'term_id', number[]>> & {
  code?: string[]
  blocked?: boolean
}
const NUMBERS = {
  faculty_id: 's.faculty_id',
  program_id: 's.program_id',
  level: 'sh.level',
  advisor_id: 's.advisor_id',
}

/** @throws {Refusal} 422 for what cannot be filtered by */
function filtersOf(filters: ListQuery['filters']): Filters {
  const known: Filters = {}
  const wrong = (name: string, code: string) => refuse(422, code, { column: name }, `filters.${name}`)
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || value === '' || (Array.isArray(value) && !value.length)) continue
    const list: unknown[] = Array.isArray(value) ? value : [value]
    if (name in NUMBERS || name === 'term_id') {
      if (!list.every((one): one is number => Number.isSafeInteger(one) && Math.abs(one as number) < 2 ** 31))
        throw wrong(name, 'wrong_type')
      known[name as 'level'] = list
    } else if (name === 'code') {
      if (!list.every((one): one is string => typeof one === 'string')) throw wrong(name, 'wrong_type')
      known.code = list
    } else if (name === 'blocked') {
      if (typeof value !== 'boolean') throw wrong(name, 'wrong_type')
      known.blocked = value
    } else throw wrong(name, 'filter_not_allowed')
  }
  return known
}

const ORDERS: Readonly<Record<string, (one: Judged) => string | number>> = {
  blocked: ({ lines, blocked }) => (blocked ? 1000 : 0) + lines.length,
  code: ({ facts }) => facts.code,
  name: ({ facts }) => facts.name,
  level: ({ facts }) => facts.level,
}

/** Everybody whom the reader reaches, judged by one statement; who is shown of them, and how many there are of each. */
async function listed(ctx: Ctx, query: ListQuery) {
  const { code, blocked, term_id, ...columns } = filtersOf(query.filters)
  const { order_by = 'blocked', order_direction } = query
  const by = Object.hasOwn(ORDERS, order_by) ? ORDERS[order_by] : undefined
  if (!by) throw refuse(422, 'sort_not_allowed', { column: order_by }, 'order_by')
  const where: RawBuilder<unknown>[] = [
    CONCERNED,
    scopeCondition(ctx, LOOKERS, studentScope(ctx)),
    searchCondition(query.search, ['s.search_text']) ?? sql`true`,
    ...Object.entries(columns).map(
      ([name, ids]) => sql`${sql.raw(NUMBERS[name as keyof typeof NUMBERS])} = any(${ids}::int[])`,
    ),
  ]
  const found = await preflightFactsOf(ctx, preflightTermOf(term_id?.[0]), sql.join(where, sql` and `))
  const judged = await judgeAll(ctx, found)
  const counts = new Map<string, { blocks: boolean; count: number }>()
  for (const { lines } of judged)
    for (const one of new Map(lines.map((line) => [line.code, line])).values()) {
      const count = counts.get(one.code) ?? { blocks: one.blocks, count: 0 }
      count.count++
      counts.set(one.code, count)
    }
  const sign = (query.order_by ? order_direction : 'desc') === 'desc' ? -1 : 1
  const shown = judged
    .filter((one) => blocked === undefined || one.blocked === blocked)
    .filter((one) => !code || one.lines.some((line) => code.includes(line.code)))
    .map((one) => [by(one), one] as const)
    .toSorted(([a], [b]) => (a < b ? -sign : a > b ? sign : 0))
    .map(([, one]) => one)
  const of = (kind: keyof typeof found.named, id: number | null) =>
    (id === null ? null : found.named[kind]?.[id]) ?? null
  const row = ({ facts, lines, blocked }: Judged): PreflightRow => ({
    id: facts.id,
    code: facts.code,
    name: facts.name,
    name_local: facts.name_local,
    level: facts.level,
    faculty: of('faculties', facts.faculty_id)!,
    program: of('programs', facts.program_id)!,
    advisor: of('advisors', facts.advisor_id),
    codes: [...new Set(lines.map((line) => line.code))],
    blocked,
    since: lines.flatMap((line) => (line.blocks && line.since ? onDay(line.since) : [])).toSorted()[0] ?? null,
  })
  return {
    shown,
    row,
    totals: {
      term: found.term,
      students: judged.length,
      blocked: judged.filter((one) => one.blocked).length,
      by: [...counts].map(([name, one]) => ({ code: name, ...one })).toSorted((a, b) => b.count - a.count),
    },
  }
}

const COLUMNS: readonly {
  label: Label
  type: 'text' | 'number'
  text: (row: PreflightRow, lang: PaperLanguage) => string | number | null
}[] = [
  { label: ['Code', 'الكود'], type: 'text', text: (row) => row.code },
  { label: ['English name', 'الاسم بالإنجليزية'], type: 'text', text: (row) => row.name },
  { label: ['Arabic name', 'الاسم بالعربية'], type: 'text', text: (row) => row.name_local },
  { label: ['Faculty', 'الكلية'], type: 'text', text: ({ faculty }, lang) => nameIn(faculty, lang) },
  { label: ['Program', 'البرنامج'], type: 'text', text: ({ program }, lang) => nameIn(program, lang) },
  { label: ['Level', 'المستوى'], type: 'number', text: (row) => row.level },
  { label: ['Academic advisor', 'المرشد الأكاديمي'], type: 'text', text: ({ advisor }, lang) => nameIn(advisor, lang) },
  {
    label: ['What stands against it', 'ما يمنع التسجيل'],
    type: 'text',
    text: ({ codes }, lang) =>
      codes.map((code) => inLanguage(preflightLabel(code), lang)).join(lang === 'ar' ? '، ' : ', '),
  },
  { label: ['Since', 'منذ'], type: 'text', text: (row) => row.since },
]
const nameIn = (one: { name: string; name_local?: string | null } | null, lang: PaperLanguage) =>
  one && ((lang === 'ar' && one.name_local) || one.name)

export const preflightHandlers: Handled[] = [
  handle(preflightCalls.own, async (ctx, { query }) => {
    if (!ctx.actor?.student_id) throw refuse(404, 'not_found')
    return { data: await preflightOf(ctx, ctx.actor.student_id, query.term_id) }
  }),
  handle(preflightCalls.of, async (ctx, { params, query }) => ({
    data: await preflightOf(ctx, params.id, query.term_id),
  })),
  handle(preflightCalls.list, async (ctx, { body }) => {
    const { shown, row, totals } = await listed(ctx, body)
    const from = (body.page - 1) * body.perPage
    return {
      data: shown.slice(from, from + body.perPage).map(row),
      meta: { count: shown.length, lookup: {}, details: totals },
    }
  }),
  handle(preflightCalls.export, async (ctx, { body: { lang = paperLang(ctx), ids, ...query } }) => {
    const { shown, row } = await listed(ctx, query)
    const rows = shown.map(row).filter((one) => !ids?.length || ids.includes(one.id))
    return tableFile(
      ctx,
      {
        title: inLanguage(['Before registration', 'قبل التسجيل'], lang),
        name: 'registration-preflight',
        lang,
        columns: COLUMNS.map(({ label, type, text }) => ({
          header: inLanguage(label, lang),
          type,
          text: (one: PreflightRow) => text(one, lang),
        })),
        rows,
      },
      'xlsx',
    )
  }),
]
