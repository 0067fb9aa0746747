/** What hangs on doors and lies on desks on exam days: door lists, seating plans, attendance sheets. */
import { fileURLToPath } from 'node:url'
import type { Db, Tx } from '#db/connect.ts'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { tableFile, demandSome } from '#kit/server/resource/transfer.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { inExam } from '../reach.server.ts'
import { seatCalls, type Printed, type PrintKind } from './seats.contract.ts'
import { acrossOf } from './places.rules.ts'

registerTemplate('exam-sheets', fileURLToPath(new URL('./sheets.typ', import.meta.url)))

type Named = { name: string; name_local: string; code: string }
/** A line: a student of an exam, in a hall where there is one. */
interface Line {
  readonly hall: (Named & { places: number }) | null
  readonly date: string
  readonly from: string
  readonly to: string
  readonly course: Named
  readonly student: Named
  readonly seat: number | null
  readonly away: boolean
  /** Until when the student writes, where that is later; for the exam office, which hands the list to who invigilates. */
  readonly until: string | null
  /** The student sits there alone. */
  readonly alone: boolean
}
type Asked = Printed & { exam_schedule_id?: number | undefined }

/** Everybody who sits in these halls, hall by hall. Students without a seat come last, without a hall. */
async function linesOf(ctx: Ctx, db: Db | Tx, asked: Asked): Promise<{ exam: Named; lines: Line[] }> {
  const { exam_id, hall_id = null, on_date = null, exam_schedule_id = null } = asked
  const { rows } = await sql<{ exam: Named; lines: Line[] }>`
    with at as (select location_id, during from exam_schedule_locations where id = ${hall_id}::int),
    found as (
      select p.id as hall_id, p.code as hall, lower(s.during) as begins, u.code as student, z.seat,
        json_build_object('hall', case when p.id is not null then json_build_object('code', p.code, 'name', p.name,
            'name_local', p.name_local, 'places', p.capacity) end,
          'date', to_char(lower(s.during), 'YYYY-MM-DD'), 'from', to_char(lower(s.during), 'HH24:MI'),
          -- A room for one is held until that one has written.
          'to', to_char(case when l.own_room and ${ctx.can('access_examAccommodation')}::boolean then upper(l.during) else upper(s.during) end, 'HH24:MI'), 'alone', coalesce(l.own_room, false),
          'until', case when ${ctx.can('access_examAccommodation')}::boolean and exam_end(s.id, u.id) > upper(s.during)
            then to_char(exam_end(s.id, u.id), 'HH24:MI') end,
          'course', json_build_object('code', c.code, 'name', c.name, 'name_local', c.name_local),
          'student', json_build_object('code', u.code, 'name', u.name, 'name_local', u.name_local), 'seat', z.seat,
          'away', exists (select from exam_absences a where a.exam_schedule_id = s.id and a.registration_id = r.id
            and a.status in ('recorded', 'excused'))) as line
      from exam_schedules s join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
        join registrations r on r.offering_id = o.id and sits_exam(r.status) join students u on u.id = r.student_id
        left join exam_seats z on z.exam_schedule_id = s.id and z.registration_id = r.id left join locations p on p.id = z.location_id
        left join exam_schedule_locations l on l.exam_schedule_id = z.exam_schedule_id and l.location_id = z.location_id
      where s.removed_at is null and s.during is not null
        and case when ${hall_id}::int is null then s.exam_id = ${exam_id}
          else exists (select from at where at.location_id = z.location_id and at.during && s.during) end
        and (${exam_schedule_id}::int is null or s.id = ${exam_schedule_id})
        and (${on_date}::date is null or s.on_date = ${on_date}::date)
        and ${scopeCondition(ctx, 'access_examSeat', inExam(ctx))}
    )
    select json_build_object('code', e.code, 'name', e.name, 'name_local', e.name_local) as exam,
      coalesce((select json_agg(line order by hall nulls last, begins, hall_id, seat, student) from found), '[]') as lines
    from exams e where e.id = ${exam_id} and e.removed_at is null`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  demandSome(rows[0].lines)
  return rows[0]
}
/**
 * Keeps what stands on the lists of these halls, so that they are told to be outdated when it changes. What was printed of
 * halls in which nobody of an exam sits any more is replaced by what is printed now.
 */
async function keepPrints(ctx: Ctx, asked: Asked, kind: PrintKind): Promise<void> {
  if (ctx.actor?.read_only) return
  const { exam_id, hall_id = null, on_date = null, exam_schedule_id = null } = asked
  await ctx.write((tx) =>
    sql`with at as (select location_id, during from exam_schedule_locations where id = ${hall_id}::int),
      printed as (select distinct s.id, z.location_id, s.during from exam_schedules s join offerings o on o.id = s.offering_id
          join exam_seats z on z.exam_schedule_id = s.id
        where s.removed_at is null and s.during is not null
          and case when ${hall_id}::int is null then s.exam_id = ${exam_id}
            else exists (select from at where at.location_id = z.location_id and at.during && s.during) end
          and (${exam_schedule_id}::int is null or s.id = ${exam_schedule_id})
          and (${on_date}::date is null or s.on_date = ${on_date}::date)
          and ${scopeCondition(ctx, 'access_examSeat', inExam(ctx))}),
      gone as (delete from exam_prints x using printed p where x.exam_schedule_id = p.id and x.kind = ${kind}
        and x.location_id <> p.location_id and exam_list_print(x.exam_schedule_id, x.location_id) is null)
    insert into exam_prints (exam_schedule_id, location_id, kind, print, held, printed_by)
    select p.id, p.location_id, ${kind}, l.print, p.during, ${ctx.actor?.user_id ?? null}
    from printed p cross join lateral (select exam_list_print(p.id, p.location_id) as print) l where l.print is not null
    order by p.id, p.location_id
    on conflict (exam_schedule_id, location_id, kind) do update set print = excluded.print, held = excluded.held,
      printed_by = excluded.printed_by, printed_at = now()`.execute(tx),
  )
}

/** As it is printed and exported. */
const words = (lang: PaperLanguage) => {
  const say = (en: string, ar: string) => inLanguage([en, ar], lang)
  return {
    say,
    name: (one: Named) => say(one.name, one.name_local),
    seat: say('Seat', 'رقم الجلوس'),
    code: say('Code', 'الكود'),
    student: say('Student', 'الطالب'),
    course: say('Course', 'المقرر'),
    hall: say('Hall', 'القاعة'),
    noHall: say('Without a seat', 'بلا مقعد'),
  }
}

const TITLES = {
  door: ['Door list', 'قائمة القاعة'],
  plan: ['Seating plan', 'مخطط الجلوس'],
  sheet: ['Attendance sheet', 'كشف حضور الامتحان'],
} as const satisfies Record<PrintKind, Label>
type Kind = PrintKind

/** The sheets of a kind as one PDF, a hall at a time (of attendance: and an exam) on pages of its own. */
async function pdfOf(ctx: Ctx, asked: Asked, kind: Kind): Promise<FileResult> {
  await keepPrints(ctx, asked, kind)
  const { exam, lines } = await linesOf(ctx, ctx.db, asked)
  return pdfOfLines(ctx, exam, lines, asked.lang, kind)
}

async function pdfOfLines(
  ctx: Ctx,
  exam: Named,
  lines: readonly Line[],
  lang: PaperLanguage,
  kind: Kind,
): Promise<FileResult> {
  const { say, name, ...w } = words(lang)
  const title = inLanguage(TITLES[kind], lang)
  const apart = (one: Line) =>
    `${one.hall?.code ?? ''} ${one.date} ${one.from} ${kind === 'sheet' ? one.course.code : ''}`
  const sheets = [...Map.groupBy(lines, apart).values()].flatMap((there) => {
    const first = there[0]!
    if (kind === 'plan' && !first.hall) return []
    const courses = [...new Map(there.map((one) => [one.course.code, one.course])).values()]
    const away = there.filter((one) => one.away).length
    // Never on a door, where everybody reads it.
    const longer = kind === 'sheet' && there.some((one) => one.until)
    return {
      title: `${title}: ${first.hall ? name(first.hall) : w.noHall}`,
      below: name(exam),
      facts: [
        // A code in Latin letters stands by itself: beside a name in Arabic its figures would run together.
        ...(first.hall && !name(first.hall).includes(first.hall.code)
          ? [{ label: w.hall, value: first.hall.code }]
          : []),
        { label: say('Date', 'التاريخ'), value: first.date },
        { label: say('Time', 'الوقت'), value: `${first.from}–${first.to}` },
        { label: w.course, value: courses.map((one) => `${one.code} ${name(one)}`).join(say(', ', '، ')) },
        { label: say('Students', 'عدد الطلاب'), value: String(there.length) },
        ...(kind === 'sheet' && away ? [{ label: say('Absent', 'الغائبون'), value: String(away) }] : []),
      ],
      columns: [
        { label: w.seat, align: 'center', weight: 2 },
        { label: w.code, align: 'start', weight: 3 },
        { label: w.student, align: 'start', weight: 8 },
        ...(kind === 'door' ? [{ label: w.course, align: 'start', weight: 3 }] : []),
        ...(longer ? [{ label: say('Writes until', 'يكتب حتى'), align: 'center', weight: 2 }] : []),
        ...(kind === 'sheet' ? [{ label: say('Signature', 'التوقيع'), align: 'start', weight: 5 }] : []),
      ],
      rows:
        kind === 'plan'
          ? []
          : there.map((one) => [
              one.seat === null ? '–' : String(one.seat),
              one.student.code,
              name(one.student),
              ...(kind === 'door' ? [one.course.code] : []),
              ...(longer ? [one.until ?? ''] : []),
              ...(kind === 'sheet' ? [one.away ? say('Absent', 'غائب') : ''] : []),
            ]),
      foot:
        kind === 'sheet'
          ? [say('Present', 'الحاضرون'), say('Papers', 'عدد الأوراق'), say('Invigilator', 'المراقب')]
          : [],
      plan: kind === 'plan' ? gridOf(there, first.hall!.places, say('Front of the hall', 'مقدمة القاعة')) : null,
    }
  })
  demandSome(sheets)
  const content = await renderPaper({
    template: 'exam-sheets',
    data: {
      title: `${title} ${exam.code}`,
      lang,
      landscape: kind === 'plan',
      university: await universityHead(ctx),
      sheets,
    },
    // Hundreds of pages.
    tags: lines.length <= 500,
    created: new Date(),
  })
  return { name: fileName('pdf', title, exam.code, dayOf()), type: 'pdf', content }
}

/** All seats of a hall, with who sits on them: up to the last row in which somebody sits. */
function gridOf(there: readonly Line[], places: number, front: string) {
  const across = acrossOf(places)
  const by = new Map(there.map((one) => [one.seat, one]))
  const last = Math.max(1, ...there.map((one) => one.seat ?? 0))
  const count = Math.min(places, Math.ceil(last / across) * across)
  return {
    across,
    front,
    cells: Array.from({ length: count }, (_, i) => {
      const one = by.get(i + 1)
      return { seat: String(i + 1), code: one?.student.code ?? '', course: one?.course.code ?? '' }
    }),
  }
}

async function sheetOf(ctx: Ctx, asked: Asked): Promise<FileResult> {
  const { lang } = asked
  const { lines } = await linesOf(ctx, ctx.db, asked)
  const { say, name, ...w } = words(lang)
  const text = (header: string, of: (one: Line) => string) => ({ header, type: 'text' as const, text: of })
  return tableFile(
    ctx,
    {
      title: inLanguage(TITLES.sheet, lang),
      name: 'Exam Attendance Sheet.xlsx',
      lang,
      columns: [
        text(say('Date', 'التاريخ'), (one) => one.date),
        text(say('Begins', 'من'), (one) => one.from),
        text(w.hall, (one) => one.hall?.code ?? w.noHall),
        text(w.course, (one) => one.course.code),
        text(w.seat, (one) => (one.seat === null ? '' : String(one.seat))),
        text(w.code, (one) => one.student.code),
        text(w.student, (one) => name(one.student)),
        ...(lines.some((one) => one.until) ? [text(say('Writes until', 'يكتب حتى'), (one) => one.until ?? '')] : []),
        text(say('Attendance', 'الحضور'), (one) => (one.away ? say('Absent', 'غائب') : '')),
      ],
      rows: lines,
    },
    'xlsx',
  )
}

/** Lines of door lists that are one document; more are a document a day. */
const ONE_DOCUMENT = 2500

/**
 * Door lists of a whole exam: a file of the person who asked. Those of many students are a PDF for each day in a ZIP: what is
 * typeset at once, and the memory it takes, does not grow with the exam.
 */
export const doorListsJob = defineJob<{ exam_id: number; lang: PaperLanguage }, { name: string; url: string }>({
  name: 'exam-door-lists',
  retries: 1,
  async run(ctx, payload, progress) {
    await keepPrints(ctx, payload, 'door')
    const { exam, lines } = await linesOf(ctx, ctx.db, payload)
    const make = (some: readonly Line[]) => pdfOfLines(ctx, exam, some, payload.lang, 'door')
    const title = inLanguage(TITLES.door, payload.lang)
    let made: { name: string; content: Uint8Array; ext: 'pdf' | 'zip'; mime: string }
    if (lines.length <= ONE_DOCUMENT) {
      const { name, content } = await make(lines)
      made = { name, content: content as Uint8Array, ext: 'pdf', mime: 'application/pdf' }
    } else {
      const days = [...Map.groupBy(lines, (line) => line.date)].toSorted(([a], [b]) => (a < b ? -1 : 1))
      const files: Record<string, Uint8Array> = {}
      for (const [day, some] of days) {
        const { content } = await make(some)
        files[fileName('pdf', title, exam.code, day)] = content as Uint8Array
        await progress((90 * Object.keys(files).length) / days.length)
      }
      // Pages are packed already.
      const content = zipSync(files, { level: 0 })
      made = { name: fileName('zip', title, exam.code, dayOf()), content, ext: 'zip', mime: 'application/zip' }
    }
    await progress(90)
    const file = await ctx.services.files.save(ctx, made)
    return { name: made.name, url: ctx.services.files.link(file, ctx.actor ?? 'everybody') }
  },
})

export const hallSheetHandlers = [
  handle(seatCalls.print, (ctx, { params, body }) => pdfOf(ctx, body, params.kind)),
  handle(seatCalls.sheet, (ctx, { body }) => pdfOf(ctx, body, 'sheet')),
  handle(seatCalls.sheetExcel, (ctx, { body }) => sheetOf(ctx, body)),
  handle(seatCalls.doorLists, async (ctx, { params: { id }, body }) => {
    const { rows } = await sql`select from exams e where e.id = ${id} and e.removed_at is null
      and exists (select from exam_schedules s join offerings o on o.id = s.offering_id where s.exam_id = e.id
        and ${scopeCondition(ctx, 'access_examSeat', inExam(ctx))})`.execute(ctx.db)
    if (!rows.length) throw refuse(404, 'not_found')
    const job_id = await ctx.write((tx) =>
      ctx.services.jobs.send(tx, doorListsJob, { exam_id: id, lang: body.lang }, { actor: ctx.actor, lang: ctx.lang }),
    )
    return { job_id }
  }),
]
