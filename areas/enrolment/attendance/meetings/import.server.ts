/** Attendance of a meeting as a sheet: out with a column for each date, in with a preview, all of it or nothing. */
import { sql } from 'kysely'
import { fold, inLanguage } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import type { Tx } from '#db/connect.ts'
import { byStudentCode, sheetStudent } from '#areas/common/academics/sheet-student.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, FileResult, Handled } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { handedIn, handInHandlers } from '#kit/server/handing-in/handing-in.ts'
import { judgeRows } from '#kit/server/handing-in/judge.ts'
import type { SheetPlan } from '#kit/server/handing-in/read.ts'
import type { Line, SheetFacts } from '#kit/server/resource/imports/imports.ts'
import { registerOperation, registerUndo } from '#kit/server/unit/operations.ts'
import { paperLang, tableFile, demandSome } from '#kit/server/resource/transfer.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import { settleAbsences } from '../absences/shares.server.ts'
import { ATTENDANCE_STATES } from '../states.contract.ts'
import type { AttendanceState } from '../states.contract.ts'
import { comes, readMeeting } from './meeting.server.ts'
import type { MeetingFacts } from './meeting.server.ts'
import { checkRecording } from './occurrences.rules.ts'
import { takeAttendance } from './sheet.server.ts'

const KIND = 'import/attendance'
const SHEET_LIMIT = 3000
const CODE: Label = ['Code', 'الكود']
const NAME: Label = ['Name', 'الاسم']
const DATE = /^\d{4}-\d{2}-\d{2}$/

interface Student {
  student_id: number
  code: string
  name: string
  name_local: string
  states: Record<string, AttendanceState>
}
/** Students of a meeting with what is recorded of them, by date. */
async function readAll(ctx: Ctx, slot_id: number): Promise<Student[]> {
  const { rows } = await sql<Student>`
    select s.id as student_id, s.code, s.name, s.name_local, coalesce((select json_object_agg(x.date, a.state)
      from attendance a join meeting_occurrences x on x.id = a.occurrence_id
      where a.student_id = s.id and x.offering_slot_id = ${slot_id} and x.cancelled_at is null), '{}') as states
    from students s where s.id in (
      select r.student_id from registration_slots rs join registrations r on r.id = rs.registration_id
        where rs.offering_slot_id = ${slot_id} and ${comes('r')}
      union select a.student_id from attendance a join meeting_occurrences x on x.id = a.occurrence_id where x.offering_slot_id = ${slot_id})
    order by s.code`.execute(ctx.db)
  return rows
}

const word = (state: AttendanceState): Label => ATTENDANCE_STATES.find((one) => one.value === state)!.label
/** What a cell says: a word in either language, or its first letter. */
function stateOf(text: string): AttendanceState | null {
  const said = fold(text)
  return (
    ATTENDANCE_STATES.find(({ value, label }) => [value, value[0]!, ...label].some((one) => fold(one) === said))
      ?.value ?? null
  )
}
/** Dates of a meeting up to today that are not cancelled. */
async function pastDates(ctx: Ctx, facts: MeetingFacts): Promise<string[]> {
  const { rows } = await sql<{
    date: string
    cancelled: boolean
  }>`select date::text, cancelled_at is not null as cancelled
    from meeting_occurrences where offering_slot_id = ${facts.meeting.id}`.execute(ctx.db)
  const gone = new Set(rows.filter((row) => row.cancelled).map((row) => row.date))
  return [...new Set([...facts.dates, ...rows.map((row) => row.date)])]
    .filter((date) => date <= facts.today && !gone.has(date))
    .toSorted()
}

/** A meeting within reach, on no date in particular. */
const meetingOf = (ctx: Ctx, id: number, keys: Parameters<typeof readMeeting>[4]) =>
  readMeeting(ctx, ctx.db, id, '1970-01-01', keys)

async function exportSheet(ctx: Ctx, id: number, asked: 'ar' | 'en' | undefined): Promise<FileResult> {
  const facts = await meetingOf(ctx, id, ['access_attendance', 'take_attendance'])
  const dates = await pastDates(ctx, facts)
  const rows = await readAll(ctx, id)
  demandSome(rows)
  const lang = asked ?? paperLang(ctx)
  return tableFile<Student>(
    ctx,
    {
      title: inLanguage(['Attendance', 'الحضور'], lang),
      name: `Attendance ${facts.offering.course.code ?? ''}.xlsx`,
      lang,
      columns: [
        { header: inLanguage(CODE, lang), type: 'text', text: (row) => row.code },
        { header: inLanguage(NAME, lang), type: 'text', text: (row) => nameIn(row, lang) },
        ...dates.map((date) => ({
          header: date,
          type: 'text' as const,
          text: (row: Student) => (row.states[date] ? inLanguage(word(row.states[date]), lang) : ''),
        })),
      ],
      rows,
    },
    'xlsx',
  )
}

/** Columns are the code and past dates of the meeting. */
function planOf(dates: readonly string[], lang: 'en' | 'ar'): SheetPlan {
  const known = new Set(dates)
  const isOne = (labels: Label, text: string): boolean => labels.some((one) => fold(one) === fold(text))
  return {
    beside: { name: inLanguage(NAME, lang) },
    maxRows: SHEET_LIMIT,
    heading(text) {
      const said = text.trim().slice(0, 10)
      if (isOne(CODE, text)) return { field: 'code' }
      if (DATE.test(said))
        return known.has(said) ? { field: said, header: said } : { code: 'occurrence_none', data: { date: said } }
      return isOne(NAME, text) ? 'passed' : null
    },
    lacks: (has) => [
      ...(has('code') ? [] : [{ code: 'sheet_column_missing', data: { column: inLanguage(CODE, lang) } }]),
      ...(dates.some(has) ? [] : [{ code: 'attendance_no_dates' }]),
    ],
  }
}

type Values = Record<string, AttendanceState>
/** Says of each line what it would record. Empty cells leave things as they are. */
function judgeAttendance(
  lines: readonly Line[],
  facts: SheetFacts,
  students: readonly Student[],
  lang: 'en' | 'ar',
): void {
  const byCode = byStudentCode(students, ({ code }) => code)
  judgeRows(lines, facts, (row) => {
    const { line } = row
    const student = sheetStudent(row, byCode)
    if (!student) return
    line.record_id = student.student_id
    row.show('name', nameIn(student, lang) ?? '')
    const values: Values = {}
    for (const { field, fixed } of facts.columns) {
      const cell = line.cells[field]
      if (fixed || field === 'code' || !cell) continue
      const state = stateOf(cell.text)
      const before = student.states[field]
      if (!state) row.wrong(field, 'attendance_word', { text: cell.text })
      else if (before !== state) {
        values[field] = state
        row.change(field, before ? inLanguage(word(before), lang) : null, inLanguage(word(state), lang))
      }
    }
    line.values = values
  })
}

/** Records, date by date, what was judged. */
async function write(ctx: Ctx, tx: Tx, lines: readonly Line[], id: number): Promise<number> {
  const dates = new Map<string, { student_id: number; state: AttendanceState; field: string }[]>()
  for (const line of lines)
    for (const [date, state] of Object.entries(line.values as Values))
      dates.set(date, [
        ...(dates.get(date) ?? []),
        { student_id: line.record_id!, state, field: `rows.${line.row}.${date}` },
      ])
  let saved = 0
  for (const [date, marks] of [...dates].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const facts = await readMeeting(ctx, tx, id, date, ['take_attendance'])
    saved += (await takeAttendance(ctx, tx, facts, marks)).saved
  }
  return saved
}

/** A meeting is open while attendance may be recorded. */
async function requireRecording(facts: MeetingFacts): Promise<void> {
  const reasons = checkRecording({ ...facts, known: true, date: facts.today })
  if (reasons.length) throw new Refusal(409, reasons)
}

/** Handlers of sheets of attendance. */
export const importHandlers: readonly Handled[] = [
  handle(calls.export, (ctx, { params, body }) => exportSheet(ctx, params.id, body.lang)),
  ...handInHandlers(
    calls,
    handedIn({
      name: 'attendance',
      kind: KIND,
      knownBy: 'code',
      of: (ctx, id) => meetingOf(ctx, id, ['take_attendance']),
      open: (_ctx, _tx, facts) => requireRecording(facts),
      facts: ({ meeting }) => ({ meeting_id: meeting.id }),
      about: async (_ctx, { offering }) => offering.course.code ?? undefined,
      plan: async (ctx, facts) => planOf(await pastDates(ctx, facts), paperLang(ctx)),
      async judge(ctx, _tx, lines, { of, facts }) {
        judgeAttendance(lines, facts, await readAll(ctx, of.meeting.id), paperLang(ctx))
      },
      write: (ctx, tx, lines, { of }) => write(ctx, tx, lines, of.meeting.id),
    }),
  ),
]

registerOperation({
  kind: KIND,
  label: ['Attendance', 'الحضور'],
  permission: 'take_attendance',
  // Whoever may record there now may take it back.
  before: async (ctx, _tx, { facts }) =>
    requireRecording(await meetingOf(ctx, Number(facts.meeting_id), ['take_attendance'])),
  after: async (ctx, tx, { facts }) => {
    const meeting = await readMeeting(ctx, tx, Number(facts.meeting_id), '1970-01-01', ['take_attendance'])
    const { rows } = await sql<{ student_id: number }>`select distinct r.student_id from registration_slots rs
      join registrations r on r.id = rs.registration_id where rs.offering_slot_id = ${meeting.meeting.id}`.execute(tx)
    await settleAbsences(
      ctx,
      tx,
      meeting.offering.id,
      rows.map((row) => row.student_id),
    )
  },
})
registerUndo('attendance', async (_ctx, _tx, _rows, write) => write(), {
  what: ['Meeting', 'موعد'],
  select: `select x.id, c.code || ' ' || x.date as code, c.name, c.name_local from meeting_occurrences x
    join offerings o on o.id = x.offering_id join courses c on c.id = o.course_id where x.id = any($1::int[])`,
  fields: { state: ['Attendance', 'الحضور'] },
})
