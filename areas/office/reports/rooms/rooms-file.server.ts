/** Use of rooms on paper and as a sheet: the map, by building, room or faculty, and what could be freed. */
import { REST_DAYS } from '#areas/study/offerings/slots/slots.rules.ts'
import { MOST_ROWS } from '#kit/contract/cut.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { meetingType, WEEKDAYS } from '#kit/contract/week.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { reportFile } from '../financial/report-file.server.ts'
import type { ReportTable } from '../financial/tables.rules.ts'
import { USUAL_SHARE, type RoomGroup, type RoomUse, type RoomUseAsked, type RoomUseGroup } from './rooms.contract.ts'
import {
  clockOf,
  daysShown,
  groupShares,
  hoursOf,
  idleHours,
  mapCell,
  minutesThere,
  roomsUnder,
} from './rooms.rules.ts'

const W = {
  title: ['Use of rooms', 'إشغال القاعات'],
  map_rooms: ['Rooms in use', 'القاعات المشغولة'],
  map_seats: ['Seats in use', 'المقاعد المشغولة'],
  empty: ['There are no rooms here.', 'لا توجد قاعات هنا.'],
  term: ['Term', 'الفصل الدراسي'],
  day: ['Day', 'اليوم'],
  hour: ['Hour', 'الساعة'],
  hours: ['Hours', 'الساعات'],
  building: ['Building', 'المبنى'],
  room: ['Room', 'القاعة'],
  faculty: ['Faculty', 'الكلية'],
  seats: ['Seats', 'المقاعد'],
  rooms: ['Rooms', 'القاعات'],
  meetings: ['Meetings', 'المواعيد'],
  room_share: ['Time in use', 'نسبة إشغال الوقت'],
  seat_share: ['Seats in use', 'نسبة إشغال المقاعد'],
  little: ['Rooms little used', 'قاعات قليلة الاستخدام'],
  wide: ['Rooms too large for the class', 'قاعات أكبر من حاجة المجموعة'],
  idle: ['Hours nobody uses', 'ساعات غير مستخدمة'],
  course: ['Course', 'المقرر'],
  kind: ['Kind', 'النوع'],
  group: ['Group', 'المجموعة'],
  students: ['Students', 'الطلاب'],
} as const satisfies Readonly<Record<string, Label>>
interface Asked extends RoomUseAsked {
  readonly by?: RoomGroup | undefined
  readonly share?: number | undefined
  readonly seats?: boolean | undefined
}
const plain = <Row>(table: Omit<ReportTable<Row>, 'currency' | 'total'>): ReportTable<never> =>
  ({ currency: null, total: null, ...table }) as unknown as ReportTable<never>

export async function roomUseFile(
  ctx: Ctx,
  paper: { readonly lang: PaperLanguage; readonly type: 'pdf' | 'xlsx' },
  { by = 'building', share = USUAL_SHARE, seats = false, ...asked }: Asked,
  read: (ctx: Ctx, asked: RoomUseAsked, most: number) => Promise<RoomUse>,
): Promise<FileResult> {
  const use = await read(ctx, asked, MOST_ROWS)
  const { lang } = paper
  const say = (label: Label) => inLanguage(label, lang)
  const named = (of: { readonly name: string; readonly name_local?: string | null } | null): string =>
    of ? (lang === 'ar' ? (of.name_local ?? of.name) : of.name) : say(['Of the university', 'الجامعة'])
  const minutes = minutesThere(use, asked, REST_DAYS)
  const dayName = (day: number) => say(WEEKDAYS[day]!)
  const span = (from: number, to: number) => `${clockOf(from)}–${clockOf(to)}`
  const groups = (name: Label, label: Label, rows: readonly RoomUseGroup[]) =>
    plain<RoomUseGroup>({
      name,
      rows,
      columns: [
        { key: 'of', label, kind: 'text', of: (row) => named(row.of) },
        { key: 'rooms', label: W.rooms, kind: 'count', of: (row) => row.rooms },
        { key: 'seats', label: W.seats, kind: 'count', of: (row) => row.seats },
        { key: 'meetings', label: W.meetings, kind: 'count', of: (row) => row.meetings },
        { key: 'time', label: W.room_share, kind: 'percent', of: (row) => groupShares(row, minutes).room_share },
        { key: 'taken', label: W.seat_share, kind: 'percent', of: (row) => groupShares(row, minutes).seat_share },
      ],
    })
  const tables = [
    plain<number>({
      name: seats ? W.map_seats : W.map_rooms,
      rows: hoursOf(use),
      columns: [
        { key: 'hour', label: W.hour, kind: 'text', of: (hour) => span(hour, hour + 1) },
        ...daysShown(use, REST_DAYS).map((day) => ({
          key: String(day),
          label: WEEKDAYS[day]!,
          kind: 'percent' as const,
          of: (hour: number) => mapCell(use, day, hour)[seats ? 'seat_share' : 'room_share'],
        })),
      ],
    }),
    groups(W[by], W[by], use[by]),
    groups([`${W.little[0]} (< ${share} %)`, `${W.little[1]} (< ${share} %)`], W.room, roomsUnder(use, minutes, share)),
    plain<RoomUse['wide']['rows'][number]>({
      name: W.wide,
      rows: use.wide.rows,
      columns: [
        {
          key: 'course',
          label: W.course,
          kind: 'text',
          of: (row) => `${row.course.code ?? ''} ${named(row.course)}`.trim(),
        },
        { key: 'kind', label: W.kind, kind: 'text', of: (row) => say(meetingType(row.type)) },
        { key: 'group', label: W.group, kind: 'count', of: (row) => row.group },
        { key: 'day', label: W.day, kind: 'text', of: (row) => dayName(row.day) },
        { key: 'hours', label: W.hours, kind: 'text', of: (row) => `${row.from}–${row.to}` },
        { key: 'room', label: W.room, kind: 'text', of: (row) => named(row.room) },
        { key: 'seats', label: W.seats, kind: 'count', of: (row) => row.capacity },
        { key: 'students', label: W.students, kind: 'count', of: (row) => row.taken },
      ],
    }),
    plain<ReturnType<typeof idleHours>[number]>({
      name: W.idle,
      rows: idleHours(use, REST_DAYS),
      columns: [
        { key: 'day', label: W.day, kind: 'text', of: (row) => dayName(row.day) },
        { key: 'hours', label: W.hours, kind: 'text', of: (row) => span(row.from, row.to) },
      ],
    }),
  ]
  return reportFile(
    ctx,
    paper,
    {
      title: W.title,
      empty: W.empty,
      facts: [
        ...(use.term ? [[say(W.term), named(use.term)] as const] : []),
        ...(asked.building_id ? [[say(W.building), named(use.building[0]?.of ?? null)] as const] : []),
        ...(asked.faculty_id ? [[say(W.faculty), named(use.faculty[0]?.of ?? null)] as const] : []),
        ...(asked.day === undefined ? [] : [[say(W.day), dayName(asked.day)] as const]),
        ...(asked.hour === undefined ? [] : [[say(W.hour), span(asked.hour, asked.hour + 1)] as const]),
      ],
    },
    use.rooms ? tables.filter((table) => table.rows.length > 0) : [],
  )
}
