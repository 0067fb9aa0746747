import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { loadMask, flag, mainOf } from '#areas/common/academics/status.rules.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Label, ListQuery, PaperLanguage, Row } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, FileResult, Handled } from '#kit/server/base/context.ts'
import { renderListPdf } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { wholeList } from '#kit/server/resource/list.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import type { WriteColumn, WriteValue } from '#kit/server/sheets/index.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { EXPORT_LIMIT, paperLang, demandFew, demandSome } from '#kit/server/resource/transfer.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { ref } from '#kit/server/base/sql.ts'
import type { offering } from '../offering.contract.ts'
import { offeringReach, served } from '../offering.server.ts'
import { namedTermOf } from '../named-term.server.ts'
import { WEEKDAYS, meetingType, type MeetingType } from '#kit/contract/week.ts'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import { reportCalls } from './reports.contract.ts'
import type { Statistics } from './reports.contract.ts'

// --- Statistics -----------------------------------------------------------------------------------------------------

interface Figures extends Omit<Statistics, 'states' | 'attempts' | 'registered' | 'requested'> {
  readonly flags: { readonly status: string; readonly count: number }[]
}

async function statisticsOf(ctx: Ctx, id: number): Promise<{ data: Statistics }> {
  // Who is on the list, or waits for it; not those who left.
  const live = sql.raw(`status & ${loadMask} <> 0`)
  const { rows } = await sql<Figures>`
    with t as materialized (select t.* from offerings t where t.id = ${id} and ${scopeCondition(ctx, 'show_offering', offeringReach(ctx))}),
    r as materialized (select r.*, r.total * 100 / coalesce(r.maximum, 100) as share, s.level, s.program_id from registrations r join offerings o on o.id = r.offering_id join students s on s.id = r.student_id
      where o.id = (select t.id from t) or o.linked_offering_id = (select t.id from t)),
    seats as (select v.* from offering_seats v where v.offering_id = (select coalesce(t.linked_offering_id, t.id) from t))
    select coalesce((select seats from seats), 0) as seats, coalesce((select free from seats), 0) as free, t.min_students, t.max_students,
      (select count(*)::int from wait_list w where w.offering_id = t.id and w.state = 'waiting') as waiting,
      coalesce((select json_agg(json_build_object('status', x.status::text, 'count', x.n)) from (select status, count(*)::int as n from r group by 1) x), '[]') as flags,
      coalesce((select json_agg(json_build_object('program', ${ref('p')}, 'count', x.n) order by x.n desc, p.code)
        from (select program_id, count(*)::int as n from r where ${live} group by 1) x join programs p on p.id = x.program_id), '[]') as programs,
      coalesce((select json_agg(json_build_object('level', x.level, 'count', x.n) order by x.level)
        from (select level, count(*)::int as n from r where ${live} group by 1) x), '[]') as levels,
      coalesce((select json_agg(json_build_object('offering', json_build_object('id', o.id, 'name', c.name, 'name_local', c.name_local, 'code', c.code || ' (' || o.code || ')'), 'count', x.n) order by o.id <> t.id, c.code)
        from (select offering_id, count(*)::int as n from r where ${live} group by 1) x join offerings o on o.id = x.offering_id join courses c on c.id = o.course_id), '[]') as offerings,
      coalesce((select json_agg(json_build_object('number', g.number, 'meetings', coalesce((select json_agg(json_build_object('id', s.id, 'type', s.type,
          'section', s.section, 'quota', s.quota, 'over_quota', s.over_quota, 'taken', s.taken) order by array_position(array['Lecture', 'Tutorial', 'Lab', 'Clinic'], s.type), s.section, s.id)
          from offering_slots s where s.group_id = g.id), '[]')) order by g.number)
        from offering_groups g where g.offering_id = coalesce(t.linked_offering_id, t.id)), '[]') as groups,
      (select case when count(*) > 0 then json_build_object('count', count(*), 'passed', count(*) filter (where passed), 'failed', count(*) filter (where not passed),
          'average', round(avg(share), 2)::text, 'deviation', round(stddev_samp(share), 2)::text,
          'letters', (select json_agg(json_build_object('letter', x.letter, 'count', x.n) order by x.points desc nulls last, x.share desc nulls last, x.letter)
            from (select letter, max(points) as points, avg(share) as share, count(*)::int as n from r where letter is not null group by 1) x),
          'bands', (select json_agg(json_build_object('from', b.n * 10, 'count', (select count(*) from r x where x.share is not null and least(floor(x.share / 10), 9) = b.n)) order by b.n)
            from generate_series(0, 9) as b (n))) end
        from r where total is not null) as grades
    from t`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { flags, ...rest } = found
  const count = (mask: bigint) => flags.reduce((sum, f) => sum + (BigInt(f.status) & mask ? f.count : 0), 0)
  const tally = <K>(of: (status: bigint) => K): Map<K, number> => {
    const out = new Map<K, number>()
    for (const f of flags) out.set(of(BigInt(f.status)), (out.get(of(BigInt(f.status))) ?? 0) + f.count)
    return out
  }
  const requests = flag.RegisterRequest | flag.AddRequest
  const attempt = (s: bigint) =>
    s & flag.Improve ? 'Improve' : s & flag.Repeat ? 'Repeat' : s & flag.Fresh ? 'Fresh' : null
  return {
    data: {
      ...rest,
      grades: rest.grades && { ...rest.grades, letters: rest.grades.letters ?? [] },
      registered: count(loadMask & ~requests),
      requested: count(requests),
      states: [...tally((s) => mainOf(s) ?? '')]
        .map(([state, n]) => ({ state, count: n }))
        .toSorted((a, b) => b.count - a.count),
      attempts: [...tally(attempt)].map(([kind, n]) => ({ kind, count: n })),
    },
  }
}

// --- Files ----------------------------------------------------------------------------------------------------------

type OfferingRow = Row<typeof offering>
interface Column<R> {
  readonly label: Label
  readonly type: WriteColumn['type']
  readonly of: (row: R, lang: PaperLanguage) => WriteValue
}
const names = (
  list: readonly { name: string; name_local?: string | null | undefined; code?: string | null | undefined }[] | null,
  lang: PaperLanguage,
): string => (list ?? []).map((one) => nameIn(one, lang)).join(lang === 'ar' ? '، ' : ', ')
const word = (list: readonly { value: unknown; label: Label }[], value: unknown, lang: PaperLanguage): string =>
  inLanguage(list.find((c) => c.value === value)?.label ?? [String(value ?? ''), String(value ?? '')], lang)

const OFFERING_COLUMNS: readonly Column<OfferingRow>[] = [
  { label: ['Course code', 'كود المقرر'], type: 'text', of: (r) => r.course?.code },
  { label: ['Course', 'المقرر'], type: 'text', of: (r, lang) => nameIn(r.course, lang) },
  { label: ['Offering', 'الطرح'], type: 'text', of: (r) => r.code },
  { label: ['Credit hours', 'الساعات'], type: 'number', of: (r) => r.credit_hours },
  { label: ['Faculty', 'الكلية'], type: 'text', of: (r, lang) => nameIn(r.faculty, lang) },
  { label: ['Department', 'القسم'], type: 'text', of: (r, lang) => nameIn(r.department, lang) },
  { label: ['Level', 'المستوى'], type: 'number', of: (r) => r.level },
  { label: ['Programs', 'البرامج'], type: 'text', of: (r) => (r.programs ?? []).map((p) => p.code).join(' ') },
  { label: ['Instructors', 'فريق التدريس'], type: 'text', of: (r, lang) => names(r.instructors, lang) },
  { label: ['Groups', 'المجموعات'], type: 'number', of: (r) => r.groups_count },
  { label: ['Seats', 'المقاعد'], type: 'number', of: (r) => r.seats },
  { label: ['Free', 'الشاغر'], type: 'number', of: (r) => r.free_seats },
  { label: ['Registered', 'المسجلون'], type: 'number', of: (r) => r.registered },
  { label: ['Requests', 'الطلبات'], type: 'number', of: (r) => r.requested },
  { label: ['Waiting', 'الانتظار'], type: 'number', of: (r) => r.waiting },
  {
    label: ['Registration', 'التسجيل'],
    type: 'text',
    of: (r, lang) => inLanguage(r.is_open ? ['Open', 'مفتوح'] : ['Closed', 'مغلق'], lang),
  },
  { label: ['Marks', 'حالة الدرجات'], type: 'text', of: (r, lang) => word(CONTROL_STATUSES, r.control_status, lang) },
]
/** What a page holds beside each other. */
const PDF_COLUMNS = OFFERING_COLUMNS.filter((c) =>
  [
    'Course code',
    'Course',
    'Offering',
    'Credit hours',
    'Instructors',
    'Groups',
    'Seats',
    'Free',
    'Registered',
    'Registration',
  ].includes(c.label[0]),
)

interface MeetingRow {
  course_code: string
  course: { name: string; name_local: string }
  code: string
  group: number
  type: MeetingType
  section: string | null
  day: number | null
  slot: { name: string; name_local: string } | null
  start: string | null
  end: string | null
  room: string | null
  instructors: { name: string; name_local: string }[]
  quota: number
  over_quota: number
  taken: number
}
const MEETING_COLUMNS: readonly Column<MeetingRow>[] = [
  { label: ['Course code', 'كود المقرر'], type: 'text', of: (r) => r.course_code },
  { label: ['Course', 'المقرر'], type: 'text', of: (r, lang) => nameIn(r.course, lang) },
  { label: ['Offering', 'الطرح'], type: 'text', of: (r) => r.code },
  { label: ['Group', 'المجموعة'], type: 'number', of: (r) => r.group },
  { label: ['Type', 'النوع'], type: 'text', of: (r, lang) => inLanguage(meetingType(r.type), lang) },
  { label: ['Section', 'الشعبة'], type: 'text', of: (r) => r.section },
  {
    label: ['Day', 'اليوم'],
    type: 'text',
    of: (r, lang) => (r.day === null ? null : inLanguage(WEEKDAYS[r.day] as Label, lang)),
  },
  { label: ['Time slot', 'الفترة'], type: 'text', of: (r, lang) => nameIn(r.slot, lang) },
  { label: ['From', 'من'], type: 'text', of: (r) => r.start },
  { label: ['To', 'إلى'], type: 'text', of: (r) => r.end },
  { label: ['Room', 'القاعة'], type: 'text', of: (r) => r.room },
  { label: ['Instructors', 'القائم بالتدريس'], type: 'text', of: (r, lang) => names(r.instructors, lang) },
  { label: ['Quota', 'السعة'], type: 'number', of: (r) => r.quota },
  { label: ['Over quota', 'السعة الإضافية'], type: 'number', of: (r) => r.over_quota },
  { label: ['Taken', 'المشغول'], type: 'number', of: (r) => r.taken },
]

const sheet = <R>(title: Label, columns: readonly Column<R>[], rows: readonly R[], lang: PaperLanguage) => ({
  name: inLanguage(title, lang),
  direction: lang === 'ar' ? ('rtl' as const) : ('ltr' as const),
  columns: columns.map((c, i) => ({ header: inLanguage(c.label, lang), key: String(i), type: c.type })),
  rows: rows.map((row) => Object.fromEntries(columns.map((c, i) => [String(i), c.of(row, lang)]))),
})

/** Offerings of a term within the reader's reach, at most as many as an export may hold. */
async function rowsOfTerm(ctx: Ctx, query: Pick<ListQuery, 'filters' | 'search'>): Promise<OfferingRow[]> {
  const full: ListQuery = { page: 1, perPage: 10, order_direction: 'asc', removed: false, ...query }
  const rows = await wholeList<Record<string, unknown>>(
    ctx,
    served.source(ctx, { access: 'export_offering' }),
    full,
    EXPORT_LIMIT + 1,
  )
  demandFew(rows)
  return served.finish(ctx, rows)
}

async function workbook(ctx: Ctx, offerings: readonly OfferingRow[], lang: PaperLanguage): Promise<Uint8Array> {
  const { rows: meetings } = await sql<MeetingRow>`
    select c.code as course_code, json_build_object('name', c.name, 'name_local', c.name_local) as course, o.code, g.number::int as "group", s.type, s.section, s.day::int,
      case when p.id is not null then json_build_object('name', p.name, 'name_local', p.name_local) end as slot, to_char(p.start_time, 'HH24:MI') as start, to_char(p.end_time, 'HH24:MI') as "end", l.code as room,
      coalesce((select json_agg(json_build_object('name', i.name, 'name_local', i.name_local) order by i.name) from offering_slot_instructors si
        join instructors i on i.id = si.instructor_id where si.offering_slot_id = s.id), '[]') as instructors, s.quota, s.over_quota, s.taken
    from offering_slots s join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id join offering_groups g on g.id = s.group_id
      left join slots p on p.id = s.slot_id left join locations l on l.id = s.location_id
    where s.offering_id = any(${offerings.map((o) => o.id)}::int[])
    order by c.code, o.code, g.number, array_position(array['Lecture', 'Tutorial', 'Lab', 'Clinic'], s.type), s.section, s.id`.execute(
    ctx.db,
  )
  return writeSheet({
    sheets: [
      sheet(['Offerings', 'المقررات المطروحة'], OFFERING_COLUMNS, offerings, lang),
      sheet(['Meetings', 'المواعيد'], MEETING_COLUMNS, meetings, lang),
    ],
  })
}

export const reportHandlers: readonly Handled[] = [
  handle(reportCalls.statistics, (ctx, { params }) => statisticsOf(ctx, params.id)),
  handle(reportCalls.excel, async (ctx, { params, query }): Promise<FileResult> => {
    const term = await namedTermOf(ctx.db, params.x)
    if (!term) throw refuse(404, 'not_found')
    const rows = await rowsOfTerm(ctx, { filters: { term_id: term.id }, search: '' })
    return { name: 'offerings.xlsx', type: 'xlsx', content: await workbook(ctx, rows, query.lang ?? paperLang(ctx)) }
  }),
  handle(reportCalls.all, async (ctx, { body }): Promise<FileResult> => {
    const lang = body.lang ?? paperLang(ctx)
    const term = await namedTermOf(ctx.db, body.term_id)
    if (!term) throw refuse(422, 'required', undefined, 'term_id')
    const rows = await rowsOfTerm(ctx, { filters: { ...body.filters, term_id: term.id }, search: body.search })
    demandSome(rows)
    const [xlsx, pdf] = await Promise.all([
      workbook(ctx, rows, lang),
      universityHead(ctx).then((university) =>
        renderListPdf({
          title: inLanguage(['Course offerings', 'المقررات المطروحة'], lang),
          lang,
          facts: [
            { label: inLanguage(['Term', 'الفصل الدراسي'], lang), value: nameIn(term, lang) ?? '' },
            { label: inLanguage(['Offerings', 'عدد المقررات'], lang), value: String(rows.length) },
          ],
          columns: PDF_COLUMNS.map((c) => ({
            label: inLanguage(c.label, lang),
            align: c.type === 'number' ? ('center' as const) : ('start' as const),
          })),
          rows: rows.map((row) => PDF_COLUMNS.map((c) => String(c.of(row, lang) ?? ''))),
          university,
        }),
      ),
    ])
    return {
      name: 'Offerings.zip',
      type: 'zip',
      content: zipSync({ 'offerings.xlsx': [xlsx, { level: 0 }], 'offerings.pdf': [pdf, { level: 0 }] }),
    }
  }),
]
