/** What a distribution shows: seats and wishes, cut-offs, who moved, the ladder of one student, and sheets of them. */
import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { parseHundredths, printHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { inLanguage, type PaperLanguage, type Ref } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull, refText } from '#kit/server/base/sql.ts'
import { EXPORT_LIMIT, paperLang, tableFile, type ExportColumn } from '#kit/server/resource/transfer.ts'
import { windowFlow, windowReach, windowWithin } from '../windows/window.server.ts'
import { ladder, type CutOff } from './assign.rules.ts'
import {
  distributionCalls,
  type Distribution,
  type LadderAnswer,
  type DistributionResult,
} from './distribution.contract.ts'
import type { RunSeat } from './inputs.server.ts'
import { runOf } from './run.server.ts'

const shownCutOff = (cut: CutOff | null | undefined) =>
  cut
    ? {
        rank: cut.rank,
        gpa: cut.gpa === null ? null : printHundredths(cut.gpa),
        passed_hours: trimHundredths(cut.passed_hours),
      }
    : null

interface Read extends Omit<Distribution, 'seats' | 'abilities' | 'run' | 'refused'> {
  run_id: number | null
  before: RunSeat[] | null
  last: RunSeat[] | null
  steps: Parameters<typeof windowFlow.open>[2]
  seats: Omit<Distribution['seats'][number], 'given' | 'cut_off' | 'given_before' | 'cut_off_before'>[]
  run: Distribution['run']
}

/** Everything the screen of a distribution shows, in one round trip. */
async function readDistribution(ctx: Ctx, id: number): Promise<Distribution> {
  const { rows } = await sql<Read>`
    select t.id, t.version, t.state, ${ref('b')} as bylaw, t.start_date, t.end_date, t.tie_rule, t.max_preferences, t.run_id,
      ${windowFlow.column(ctx)} as steps, n.with_wishes,
      (select count(*)::int from students s join shown_standing h on h.student_id = s.id where s.removed_at is null and s.status = 'studying'
        and s.program_id in (select z.general_program_id from specialization_seats e join specializations z on z.id = e.specialization_id
          where e.specialization_time_id = t.id)
        and (t.min_level is null or h.level >= t.min_level)
        and (t.min_passed_hours is null or h.passed_hours >= t.min_passed_hours)) as taking_part,
      (select coalesce(sum(e.capacity), 0)::int from specialization_seats e where e.specialization_time_id = t.id) as capacity,
      coalesce((select json_agg(json_build_object('specialization', ${ref('z')}, 'program', ${ref('p')}, 'general', ${ref('y')}, 'capacity', e.capacity,
          'min_gpa', z.min_gpa::text, 'min_passed_hours', trim_scale(z.min_passed_hours)::text,
          'courses', (select coalesce(json_agg(json_build_object('course', k.code, 'min_letter', c.min_letter) order by c.position), '[]')
            from specialization_courses c join courses k on k.id = c.course_id where c.specialization_id = z.id),
          'wanted', coalesce(w.wanted, 0), 'first', coalesce(w.first, 0)) order by e.position, e.id)
        from specialization_seats e join specializations z on z.id = e.specialization_id join programs p on p.id = z.program_id
          join programs y on y.id = z.general_program_id
          left join (select c.id, count(*)::int as wanted, count(*) filter (where c.place = 1)::int as first
            from specialization_preferences x cross join unnest(x.choices) with ordinality c (id, place)
            where x.specialization_time_id = t.id group by 1) w on w.id = z.id
        where e.specialization_time_id = t.id), '[]') as seats,
      last.seats as last, prior.seats as before,
      case when last.id is not null then json_build_object('number', last.number, 'made_at', last.made_at, 'applicants', last.applicants,
        'placed', last.placed, 'made_by', case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end,
        'by_preference', (select coalesce(json_agg(coalesce(last.by_preference[g.place], 0) order by g.place), '[]')
          from generate_series(1, t.max_preferences) g (place))) end as run,
      last.moved
    from specialization_windows t join bylaws b on b.id = t.bylaw_id
      cross join lateral (select count(*)::int as with_wishes from specialization_preferences x
        where x.specialization_time_id = t.id and x.choices <> '{}') n
      left join specialization_runs last on last.id = t.run_id left join users u on u.id = last.made_by
      left join specialization_runs prior on prior.specialization_time_id = t.id and prior.number = last.number - 1
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'show_specializationTime', windowReach())}`.execute(
    ctx.db,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { run_id: _run, before, last, steps, seats, ...rest } = row
  const of = (list: RunSeat[] | null, seat: number) => list?.find((one) => one.specialization_id === seat)
  const open = windowFlow.open(ctx, rest.state, steps)
  return {
    ...rest,
    seats: seats.map((seat) => ({
      ...seat,
      given: of(last, seat.specialization.id)?.given ?? null,
      cut_off: shownCutOff(of(last, seat.specialization.id)?.cut_off),
      given_before: of(before, seat.specialization.id)?.given ?? null,
      cut_off_before: shownCutOff(of(before, seat.specialization.id)?.cut_off),
    })),
    abilities: open.abilities,
    ...(Object.keys(open.refused).length && { refused: open.refused }),
  }
}

const results = (runId: number | null, windowId: number): ListSource => ({
  from: sql`specialization_results t join students s on s.id = t.student_id
    left join specializations z on z.id = t.specialization_id
    left join specialization_runs o on o.specialization_time_id = ${windowId}
      and o.number = (select number - 1 from specialization_runs where id = ${runId})
    left join specialization_results y on y.run_id = o.id and y.student_id = t.student_id
    left join specializations q on q.id = y.specialization_id`,
  select: sql`s.id, s.code, s.name, s.name_local, t.rank, t.gpa::text as gpa, trim_scale(t.passed_hours)::text as passed_hours,
    cardinality(t.choices) as wishes, t.preference, ${refOrNull('z')} as given, ${refOrNull('q')} as before,
    o.id is not null and t.specialization_id is distinct from y.specialization_id as moved`,
  where: [sql`t.run_id = ${runId}`],
  search: ['s.search_text'],
  sort: {
    rank: 't.rank',
    code: 's.code',
    name: 's.name collate "und-x-icu"',
    name_local: 's.name_local collate "ar-x-icu"',
    preference: 't.preference',
  },
  order: ['rank', 'asc'],
  filters: {
    specialization_id: (value) =>
      value === 0 ? sql`t.specialization_id is null` : sql`t.specialization_id = any(${numbers(value)}::int[])`,
    moved: (value) =>
      value === true
        ? sql`(o.id is not null and t.specialization_id is distinct from y.specialization_id)`
        : sql`(o.id is null or t.specialization_id is not distinct from y.specialization_id)`,
    placed: (value) => (value === true ? sql`t.specialization_id is not null` : sql`t.specialization_id is null`),
  },
  key: 't.student_id',
})

function numbers(value: unknown): number[] {
  const list = Array.isArray(value) ? value : [value]
  if (!list.every((one) => Number.isSafeInteger(one) && one > 0 && one < 2 ** 31))
    throw refuse(422, 'wrong_type', undefined, 'filters')
  return list as number[]
}

/** The ladder of one student in a distribution. @throws {Refusal} 404 when the student is not in it */
export async function readLadder(ctx: Ctx, runId: number, studentId: number): Promise<LadderAnswer> {
  const { rows } = await sql<{
    student: Ref
    rank: number
    program_id: number
    gpa: string | null
    passed_hours: string
    choices: number[]
    met: number[]
    elsewhere: number[]
    given: Ref | null
    preference: number | null
    names: Record<string, Ref>
  }>`select ${ref('s')} as student, r.rank, r.program_id, r.gpa::text, r.passed_hours::text, r.choices, r.met, r.preference,
      r.elsewhere || array(select z.program_id from specialization_results o join students p on p.id = o.student_id
        join specializations z on z.id = o.specialization_id
        where o.run_id = r.run_id and p.user_id = s.user_id and o.rank < r.rank) as elsewhere,
      ${refOrNull('g')} as given,
      (select json_object_agg(z.id, ${ref('z')}) from specializations z where z.id = any(r.choices)) as names
    from specialization_results r join students s on s.id = r.student_id left join specializations g on g.id = r.specialization_id
    where r.run_id = ${runId} and r.student_id = ${studentId}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const run = await runOf(ctx.db, runId)
  const applicant = {
    program_id: row.program_id,
    gpa: row.gpa === null ? null : parseHundredths(row.gpa),
    passed_hours: parseHundredths(row.passed_hours) ?? 0,
    choices: row.choices,
    met: row.met,
    elsewhere: row.elsewhere,
  }
  const capacity = new Map(run.seats.map((seat) => [seat.specialization_id, seat.capacity]))
  return {
    student: row.student,
    rank: row.rank,
    of: run.applicants,
    gpa: row.gpa,
    passed_hours: trimHundredths(applicant.passed_hours),
    given: row.given,
    preference: row.preference,
    rungs: ladder(applicant, row.given?.id ?? null, row.rank, run.seats).map(
      ({ specialization_id, outcome, reasons, cut_off }) => ({
        specialization: row.names[specialization_id]!,
        outcome,
        reasons: reasons.map(toProblem),
        cut_off: shownCutOff(cut_off),
        capacity: capacity.get(specialization_id) ?? 0,
      }),
    ),
  }
}

/** Whose ladder may be seen: a student the own one, once it is confirmed; staff those of students they reach. */
async function ladderFor(ctx: Ctx, windowId: number, studentId: number): Promise<LadderAnswer> {
  const { rows } = await sql<{ run_id: number }>`
    select t.run_id from specialization_windows t where t.id = ${windowId} and t.removed_at is null and t.run_id is not null and (
      ${scopeCondition(ctx, 'show_specializationTime', windowReach())}
      or exists (select from students s where s.id = ${studentId}
        and ${scopeCondition(ctx, 'access_student_specialization', studentReach(ctx, 's'))})
      or (t.state = 'confirmed' and ${studentId}::int = ${ctx.actor?.student_id ?? null}::int and ${ctx.can('access_student')}))`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return readLadder(ctx, rows[0].run_id, studentId)
}

// --- A sheet --------------------------------------------------------------------------------------------------------------

interface ExportRow {
  code: string
  name: string
  name_local: string
  program: Ref
  gpa: string | null
  passed_hours: string
  window: string
  wishes: Ref[]
  given: Ref | null
  preference: number | null
}
const columns = (lang: PaperLanguage): ExportColumn<ExportRow>[] => {
  const of = (row: Ref | null) => (row ? (lang === 'ar' && row.name_local) || row.name : null)
  const column = (
    label: readonly [string, string],
    type: ExportColumn<ExportRow>['type'],
    text: ExportColumn<ExportRow>['text'],
  ): ExportColumn<ExportRow> => ({ header: inLanguage(label, lang), type, text })
  return [
    column(['Code', 'الكود'], 'text', (row) => row.code),
    column(['English name', 'الاسم بالإنجليزية'], 'text', (row) => row.name),
    column(['Arabic name', 'الاسم بالعربية'], 'text', (row) => row.name_local),
    column(['Program', 'البرنامج'], 'text', (row) => of(row.program)),
    column(['GPA', 'المعدل التراكمي'], 'decimal', (row) => row.gpa),
    column(['Passed hours', 'الساعات المجتازة'], 'decimal', (row) => row.passed_hours),
    column(['Wishes from', 'بداية الرغبات'], 'text', (row) => row.window),
    column(['Wishes', 'الرغبات'], 'text', (row) =>
      row.wishes.map((wishe, i) => `${i + 1}. ${of(wishe) ?? ''}`).join('\n'),
    ),
    column(['Program given', 'البرنامج المخصص'], 'text', (row) => of(row.given)),
    column(['Which wish', 'ترتيب الرغبة'], 'number', (row) => row.preference),
  ]
}

export const distributionHandlers: readonly Handled[] = [
  handle(distributionCalls.preview, async (ctx, { params: { bylawId } }) => {
    const { rows } = await sql<{ id: number }>`select t.id from specialization_windows t
      where t.bylaw_id = ${bylawId} and t.removed_at is null and ${scopeCondition(ctx, 'show_specializationTime', windowReach())}
      order by t.state = 'planned', case when t.state = 'planned' then t.start_date end, t.start_date desc limit 1`.execute(
      ctx.db,
    )
    return { data: rows[0] ? await readDistribution(ctx, rows[0].id) : null }
  }),
  handle(distributionCalls.distribution, async (ctx, { params: { id } }) => ({
    data: await readDistribution(ctx, id),
  })),
  handle(distributionCalls.results, async (ctx, { params: { id }, body }) => {
    const { run_id } = await windowWithin(ctx, id, 'show_specializationTime')
    return pagedList<DistributionResult>(ctx, results(run_id, id), body)
  }),
  handle(distributionCalls.ladder, async (ctx, { params: { id, studentId } }) => ({
    data: await ladderFor(ctx, id, studentId),
  })),
  handle(distributionCalls.export, async (ctx, { params: { bylawId, programId }, query, body }) => {
    const lang = body.lang ?? paperLang(ctx)
    const { rows } = await sql<ExportRow>`
      select s.code, s.name, s.name_local, ${ref('g')} as program, sh.gpa::text as gpa, trim_scale(sh.passed_hours::numeric)::text as passed_hours,
        t.start_date::text as window, ${refOrNull('z')} as given, r.preference,
        coalesce((select json_agg(${sql.raw(refText('w'))} order by c.place) from unnest(x.choices) with ordinality c (id, place)
          join specializations w on w.id = c.id), '[]') as wishes
      from specialization_times t join specialization_preferences x on x.specialization_time_id = t.id
        join students s on s.id = x.student_id and s.removed_at is null join shown_standing sh on sh.student_id = s.id
        left join specialization_results r on r.run_id = t.run_id and r.student_id = s.id
        join programs g on g.id = coalesce(r.program_id, s.program_id)
        left join specializations z on z.id = r.specialization_id
      where t.bylaw_id = ${bylawId} and t.removed_at is null
        and t.end_date >= coalesce(${query.start_date ?? null}::date, t.end_date)
        and t.start_date <= coalesce(${query.end_date ?? null}::date, t.start_date)
        and (g.id = ${programId} or exists (select from specializations q where q.id = any(x.choices) and q.program_id = ${programId}))
        and ${scopeCondition(ctx, 'export_specializationTime', windowReach())}
      order by t.start_date, s.code limit ${EXPORT_LIMIT + 1}`.execute(ctx.db)
    const title = inLanguage(['Students and their wishes', 'الطلاب ورغباتهم'], lang)
    return tableFile(ctx, { title, name: 'students_data', lang, columns: columns(lang), rows }, 'xlsx')
  }),
]
