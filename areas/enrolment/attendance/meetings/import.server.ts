/** Attendance of a meeting as a sheet: out with a column for each date, in with a preview, all of it or nothing. */
import { sql } from 'kysely'
import { fold, inLanguage } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, FileResult, Handled, Upload } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { importLines, mendImport, previewImport, saveImport } from '#kit/server/resource/imports/imports.ts'
import type { ImportTarget, Line, SheetFacts, SheetLine } from '#kit/server/resource/imports/imports.ts'
import { sheetError } from '#kit/server/resource/imports/sheet.ts'
import { registerOperation, registerUndo } from '#kit/server/unit/operations.ts'
import { readCsv, readSheet } from '#kit/server/sheets/index.ts'
import type { Cell } from '#kit/server/sheets/index.ts'
import { paperLang, tableFile } from '#kit/server/resource/transfer.ts'
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
  if (!rows.length) throw refuse(422, 'no_rows')
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

async function readFile(
  ctx: Ctx,
  facts: MeetingFacts,
  file: Upload,
): Promise<{ facts: SheetFacts; lines: SheetLine[] }> {
  const limits = { maxRows: SHEET_LIMIT + 1 }
  const book = file.ext === 'csv' ? await readCsv(file.content, limits) : await readSheet(file.content, limits)
  const [head, ...rows] = book.sheets[0]?.rows ?? []
  if (!head || !rows.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  const lang = paperLang(ctx)
  const known = new Set(await pastDates(ctx, facts))
  const sheet: SheetFacts = { file: file.name, columns: [], ignored: [], errors: [] }
  const places: { name: string; at: number }[] = []
  const dates: SheetFacts['columns'] = []
  for (const [at, { text }] of head.entries()) {
    if (!text) continue
    const said = text.trim().slice(0, 10)
    if (CODE.some((one) => fold(one) === fold(text))) {
      sheet.columns.push({ field: 'code', header: text })
      places.push({ name: 'code', at })
    } else if (DATE.test(said) && known.has(said)) {
      if (dates.some((one) => one.field === said))
        sheet.errors.push(sheetError(1, text, { code: 'sheet_column_twice', data: { column: text } }))
      else {
        dates.push({ field: said, header: said })
        places.push({ name: said, at })
      }
    } else if (DATE.test(said))
      sheet.errors.push(sheetError(1, text, { code: 'occurrence_none', data: { date: said } }))
    else if (!NAME.some((one) => fold(one) === fold(text)))
      sheet.errors.push(sheetError(1, text, { code: 'sheet_column_unknown', data: { column: text } }))
  }
  if (!sheet.columns.length)
    sheet.errors.push(sheetError(1, null, { code: 'sheet_column_missing', data: { column: inLanguage(CODE, lang) } }))
  if (!dates.length) sheet.errors.push(sheetError(1, null, { code: 'attendance_no_dates' }))
  sheet.columns.push({ field: 'name', header: inLanguage(NAME, lang), fixed: true }, ...dates)
  const lines = rows.flatMap((cells, i): SheetLine[] => {
    if (!sheet.columns.some((one) => one.field === 'code') || cells.every((cell) => cell.type === 'empty')) return []
    const read: Record<string, Cell> = {}
    for (const { name, at } of places) if (cells[at] && cells[at].type !== 'empty') read[name] = cells[at]
    return [{ row: i + 2, cells: read, exported: null }]
  })
  return { facts: sheet, lines }
}

type Values = Record<string, AttendanceState>
/** Says of each line what it would record. Empty cells leave things as they are. */
function checkLines(lines: readonly Line[], sheet: SheetFacts, students: readonly Student[], lang: 'en' | 'ar'): void {
  const byCode = new Map(students.map((one) => [fold(one.code), one]))
  const first = new Map<string, number>()
  for (const line of lines.toSorted((a, b) => a.row - b.row)) {
    Object.assign(line, { record_id: null, values: {}, changes: [], errors: [] })
    if (line.state === 'out') continue
    const note = (name: string, code: string, data?: Record<string, unknown>) => {
      const header = sheet.columns.find((column) => column.field === name)?.header ?? name
      const { row: _row, ...told } = sheetError(line.row, header, { code, ...(data && { data }) })
      line.errors.push({ field: name, ...told })
    }
    const code = line.cells.code?.text ?? ''
    const student = byCode.get(fold(code))
    const earlier = line.key === null ? undefined : first.get(line.key)
    if (!code) note('code', 'sheet_code_missing')
    else if (!student) note('code', 'sheet_student_unknown', { code })
    else if (earlier !== undefined) note('code', 'sheet_student_twice', { code, row: earlier })
    if (line.key !== null && earlier === undefined) first.set(line.key, line.row)
    if (student && earlier === undefined) {
      line.record_id = student.student_id
      line.cells = { ...line.cells, name: { type: 'text', text: nameIn(student, lang) ?? '' } }
      const values: Values = {}
      for (const { field, fixed } of sheet.columns) {
        const cell = line.cells[field]
        if (fixed || field === 'code' || !cell) continue
        const state = stateOf(cell.text)
        if (!state) {
          note(field, 'attendance_word', { text: cell.text })
          continue
        }
        const before = student.states[field]
        if (before === state) continue
        values[field] = state
        line.changes.push({
          field,
          old: before ? inLanguage(word(before), lang) : null,
          new: inLanguage(word(state), lang),
        })
      }
      line.values = values
    }
    line.state = line.errors.length ? 'wrong' : line.changes.length ? 'changed' : 'same'
    if (line.state === 'wrong') line.changes = []
  }
}

function attendanceTarget(id: number, about?: string): ImportTarget & { saved: number } {
  return {
    name: `attendance/${id}`,
    kind: KIND,
    knownBy: 'code',
    facts: { meeting_id: id, ...(about && { about }) },
    saved: 0,
    async check(ctx, _tx, facts, lines) {
      checkLines(lines, facts, await readAll(ctx, id), paperLang(ctx))
    },
    headErrors: () => [],
    // A class has as many rows as students: many are the rule, and each is shown beside what stands there.
    confirm: async () => null,
    async write(ctx, tx, lines) {
      const dates = new Map<string, { student_id: number; state: AttendanceState; field: string }[]>()
      for (const line of lines)
        for (const [date, state] of Object.entries(line.values as Values))
          dates.set(date, [
            ...(dates.get(date) ?? []),
            { student_id: line.record_id!, state, field: `rows.${line.row}.${date}` },
          ])
      for (const [date, marks] of [...dates].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const facts = await readMeeting(ctx, tx, id, date, ['take_attendance'])
        this.saved += (await takeAttendance(ctx, tx, facts, marks)).saved
      }
    },
  }
}

async function store(ctx: Ctx, facts: MeetingFacts, import_id: string) {
  const target = attendanceTarget(facts.meeting.id, facts.offering.course.code ?? undefined)
  const { operation_id } = await saveImport(ctx, target, import_id)
  return { data: null, saved: target.saved, operation_id }
}

async function importSheet(ctx: Ctx, id: number, step: string, file: Upload | null) {
  const facts = await meetingOf(ctx, id, ['take_attendance'])
  const open = checkRecording({ ...facts, known: true, date: facts.today })
  if (open.length) throw new Refusal(409, open)
  if (step !== 'preview' && step !== 'save') return store(ctx, facts, step)
  if (!file) throw refuse(422, 'file_missing', undefined, 'file')
  const data = await previewImport(ctx, attendanceTarget(id), await readFile(ctx, facts, file))
  if (step === 'preview') return { data, saved: 0, operation_id: null }
  if (!data.errors.length) return store(ctx, facts, data.import_id)
  throw new Refusal(
    422,
    data.errors.map((error) => ({
      field: `rows.${error.row}${error.column ? `.${error.column}` : ''}`,
      code: 'import_cell',
      data: { text: error.en, text_local: error.ar },
    })),
  )
}

/** Handlers of sheets of attendance. */
export const importHandlers: readonly Handled[] = [
  handle(calls.export, (ctx, { params, body }) => exportSheet(ctx, params.id, body.lang)),
  handle(calls.import, (ctx, { params, file }) => importSheet(ctx, params.a, params.b, file)),
  handle(calls.importLines, async (ctx, { params, body }) => {
    await meetingOf(ctx, params.a, ['take_attendance'])
    return { data: await importLines(ctx, attendanceTarget(params.a), params.b, body) }
  }),
  handle(calls.importMend, async (ctx, { params, body }) => {
    await meetingOf(ctx, params.a, ['take_attendance'])
    return { data: await mendImport(ctx, attendanceTarget(params.a), params.b, body) }
  }),
]

registerOperation({
  kind: KIND,
  label: ['Attendance', 'الحضور'],
  permission: 'take_attendance',
  // Whoever may record there now may take it back.
  before: async (ctx, _tx, { facts }) => {
    const meeting = await meetingOf(ctx, Number(facts.meeting_id), ['take_attendance'])
    const reasons = checkRecording({ ...meeting, known: true, date: meeting.today })
    if (reasons.length) throw new Refusal(409, reasons)
  },
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
