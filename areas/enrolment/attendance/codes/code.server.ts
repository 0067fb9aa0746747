/** Codes that change every few seconds: shown by who teaches, scanned by who sits there. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import type { Ref } from '#kit/contract/index.ts'
import type { MeetingType } from '#kit/contract/week.ts'
import { presentedDevice } from '#kit/server/identity/devices.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { qrModules } from '#kit/server/papers/qr.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import type { Seal } from '#kit/server/identity/sealed.ts'
import { ref } from '#kit/server/base/sql.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import type { ShownCode } from '../attendance.calls.contract.ts'
import { holdCounting, settleAbsences } from '../absences/shares.server.ts'
import { comes, holdOccurrence, readMeeting } from '../meetings/meeting.server.ts'
import { checkOpening } from '../meetings/occurrences.rules.ts'
import { demand } from '../meetings/sheet.server.ts'
import type { AttendanceState } from '../states.contract.ts'
import { CODE_STEP, checkScan, isFresh, codeStepAt } from './code.rules.ts'
import type { ScanFacts } from './code.rules.ts'

/** Codes are shown so long, unless they are stopped or shown anew. */
const SHOWN_FOR = '40 minutes'
const MAC_BYTES = 12

/** What nobody makes who does not hold the university's key: of one occurrence, one showing and one moment. */
const macOf = (seal: Seal, occurrence: number, nonce: Uint8Array, step: number): Buffer =>
  seal.digest(`${occurrence}/${Buffer.from(nonce).toString('hex')}/${step}`).subarray(0, MAC_BYTES)

const writeCode = (seal: Seal, occurrence: number, nonce: Uint8Array, step: number): string => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(occurrence, 0)
  head.writeUInt32BE(step, 4)
  return Buffer.concat([head, macOf(seal, occurrence, nonce, step)]).toString('base64url')
}
/** The parts of a code; null: it is none. */
function readCode(text: string): { occurrence: number; step: number; mac: Buffer } | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== 8 + MAC_BYTES || bytes.toString('base64url') !== text) return null
  const [occurrence, step] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
  return occurrence > 2_147_483_647 ? null : { occurrence, step, mac: bytes.subarray(8) }
}

const sealed = (ctx: Ctx): Promise<Seal> => sealOf(ctx.services, 'attendance')

/** What the screen of who teaches shows now. */
async function shown(ctx: Ctx, id: number, date: string): Promise<{ data: ShownCode }> {
  const facts = await readMeeting(ctx, ctx.db, id, date, ['take_attendance'])
  const { rows } = await sql<{
    occurrence_id: number
    nonce: Buffer | null
    now: number
    arrived: ShownCode['arrived']
    counted: number
  }>`
    select x.id as occurrence_id, k.nonce, extract(epoch from clock_timestamp())::float8 as now,
      (select count(*)::int from attendance a where a.occurrence_id = x.id and a.state in ('present', 'late')) as counted,
      coalesce((select json_agg(json_build_object('student_id', s.id, 'name', s.name, 'name_local', s.name_local, 'state', a.state) order by a.recorded_at desc)
        from attendance a join students s on s.id = a.student_id where a.occurrence_id = x.id and a.by_scan), '[]') as arrived
    from meeting_occurrences x left join attendance_codes k on k.occurrence_id = x.id and k.closes_at > now()
    where x.offering_slot_id = ${id} and x.date = ${date}::date`.execute(ctx.db)
  const [row] = rows
  const base = { students: facts.meeting.students, counted: row?.counted ?? 0, arrived: row?.arrived ?? [] }
  if (!row?.nonce || checkOpening(facts).length)
    return { data: { open: false, url: null, qr: null, next_in: 0, ...base } }
  const step = codeStepAt(row.now)
  const code = writeCode(await sealed(ctx), row.occurrence_id, row.nonce, step)
  const url = `${ctx.services.config.publicUrl}/attend/${code}`
  return {
    data: {
      open: true,
      url,
      qr: qrModules(url),
      next_in: Math.ceil(((step + 1) * CODE_STEP - row.now) * 1000),
      ...base,
    },
  }
}

interface Scanned extends Omit<ScanFacts, 'genuine' | 'fresh' | 'course' | 'course_local'> {
  occurrence_id: number
  offering_id: number
  course: Ref
  type: MeetingType
  date: string
  nonce: Buffer | null
  now: number
  is_late: boolean
  before: AttendanceState | null
}

/** Everything that is judged when a student scans, in one round trip. */
async function readScan(ctx: Ctx, occurrence: number, student_id: number): Promise<Scanned | undefined> {
  const { rows } = await sql<Scanned>`
    select x.id as occurrence_id, x.offering_id, ${ref('c')} as course, m.type, x.date::text, k.nonce,
      k.nonce is not null and x.date = university_today() as open, extract(epoch from clock_timestamp())::float8 as now,
      coalesce(k.late_from < now(), false) as is_late, x.cancelled_at is not null as cancelled, o.control_status <> 'Draft' as submitted,
      case when exists (select from registration_slots rs join registrations r on r.id = rs.registration_id
          where rs.offering_slot_id = x.offering_slot_id and r.student_id = ${student_id} and ${comes('r')}) then 'meeting'
        when exists (select from registrations r join offerings y on y.id = r.offering_id
          where r.student_id = ${student_id} and (y.id = o.id or y.linked_offering_id = o.id) and ${comes('r')}) then 'offering'
        else 'none' end as seat,
      l.attendance_networks is null or coalesce(${ctx.ip}::inet <<= any(
        string_to_array(regexp_replace(l.attendance_networks, '\\s', '', 'g'), ',')::cidr[]), false) as network,
      case when a.state in ('present', 'late') then to_char(a.recorded_at at time zone university_zone(), 'HH24:MI') end as counted,
      a.state as before
    from meeting_occurrences x join offerings o on o.id = x.offering_id join courses c on c.id = o.course_id
      join offering_slots m on m.id = x.offering_slot_id left join locations l on l.id = m.location_id
      left join attendance_codes k on k.occurrence_id = x.id and k.closes_at > now()
      left join attendance a on a.occurrence_id = x.id and a.student_id = ${student_id}
    where x.id = ${occurrence}`.execute(ctx.db)
  return rows[0]
}

/** A scan: counted once, for the person whose session it is. */
async function scan(ctx: Ctx, text: string) {
  const student_id = ctx.actor?.student_id ?? null
  if (student_id === null) throw refuse(403, 'scan_no_student')
  const code = readCode(text)
  const found = code && (await readScan(ctx, code.occurrence, student_id))
  if (!code || !found) throw refuse(404, 'scan_unknown')
  const genuine =
    found.nonce !== null &&
    timingSafeEqual(code.mac, macOf(await sealed(ctx), found.occurrence_id, found.nonce, code.step))
  const reasons = checkScan({
    ...found,
    genuine,
    fresh: isFresh(code.step, found.now),
    course: found.course.name,
    course_local: found.course.name_local ?? found.course.name,
  })
  if (reasons.length) throw new Refusal(reasons.some((reason) => reason.code === 'scan_unknown') ? 404 : 409, reasons)
  const state: AttendanceState = found.is_late ? 'late' : 'present'
  const device = presentedDevice(ctx.http?.request.headers.cookie, ctx.services.config.publicUrl.startsWith('https:'))
  const at = await ctx.write(async (tx) => {
    if (found.before !== null) await holdCounting(tx, found.offering_id)
    const { rows } = await sql<{ at: string }>`
      insert into attendance as a (occurrence_id, student_id, state, by_scan, recorded_by, device)
      values (${found.occurrence_id}, ${student_id}, ${state}, true, ${ctx.actor?.user_id ?? null}, ${device})
      on conflict (occurrence_id, student_id) do update set state = excluded.state, by_scan = true, recorded_by = excluded.recorded_by,
        recorded_at = now(), device = excluded.device
      where a.state in ('absent', 'excused')
      returning to_char(recorded_at at time zone university_zone(), 'HH24:MI') as at`.execute(tx)
    // Somebody was quicker: the same student on another telephone, or the list of who teaches.
    if (!rows[0])
      throw refuse(409, 'scan_counted', {
        course: found.course.name,
        course_local: found.course.name_local ?? found.course.name,
        at: '',
      })
    if (found.before !== null) await settleAbsences(ctx, tx, found.offering_id, [student_id])
    return rows[0].at
  })
  return { data: { course: found.course, type: found.type, date: found.date, state, at } }
}

/** Handlers of codes. */
export const codeHandlers: readonly Handled[] = [
  handle(calls.openCode, async (ctx, { params, body }) => {
    await ctx.write(async (tx) => {
      demand(checkOpening, await readMeeting(ctx, tx, params.id, params.date, ['take_attendance']))
      const occurrence = await holdOccurrence(tx, params.id, params.date)
      await sql`insert into attendance_codes (occurrence_id, nonce, opened_by, closes_at, late_from)
        values (${occurrence}, ${randomBytes(16)}, ${ctx.actor?.user_id ?? null}, now() + ${SHOWN_FOR}::interval,
          now() + make_interval(mins => ${body.late_after ?? null}::int))
        on conflict (occurrence_id) do update set nonce = excluded.nonce, opened_by = excluded.opened_by, opened_at = now(),
          closes_at = excluded.closes_at, late_from = case when attendance_codes.closes_at > now() then attendance_codes.late_from
            else excluded.late_from end`.execute(tx)
    })
    return shown(ctx, params.id, params.date)
  }),
  handle(calls.code, (ctx, { params }) => shown(ctx, params.id, params.date)),
  handle(calls.closeCode, async (ctx, { params }) => {
    await ctx.write(async (tx) => {
      await readMeeting(ctx, tx, params.id, params.date, ['take_attendance'])
      await sql`delete from attendance_codes k using meeting_occurrences x
        where x.id = k.occurrence_id and x.offering_slot_id = ${params.id} and x.date = ${params.date}::date`.execute(
        tx,
      )
    })
    return shown(ctx, params.id, params.date)
  }),
  handle(calls.scan, (ctx, { body }) => scan(ctx, body.code)),
]

/** On the home of who sits in a meeting whose code is shown: the camera. */
export const codeWork: WorkSource = {
  permissions: ['access_student'],
  waiting: (ctx) => sql`
    select 'attendance.work_scan', jsonb_build_object('course', c.name, 'course_local', c.name_local), '/attend'::text, k.opened_at, k.closes_at
    from attendance_codes k join meeting_occurrences x on x.id = k.occurrence_id and x.cancelled_at is null and x.date = university_today()
      join offerings o on o.id = x.offering_id join courses c on c.id = o.course_id
    where k.closes_at > now() and exists (select from registration_slots rs join registrations r on r.id = rs.registration_id
        where rs.offering_slot_id = x.offering_slot_id and r.student_id = ${ctx.actor?.student_id ?? null} and ${comes('r')})
      and not exists (select from attendance a where a.occurrence_id = x.id and a.student_id = ${ctx.actor?.student_id ?? null}
        and a.state in ('present', 'late'))`,
}
