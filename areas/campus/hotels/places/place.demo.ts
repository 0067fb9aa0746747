import { sql } from 'kysely'
import { demoPart, insertNew } from '#demo/part.ts'

/** What stands in each room: English and Arabic name, what it costs to replace in pounds. */
const ITEMS: readonly (readonly [string, string, number])[] = [
  ['Mattress', 'مرتبة', 1200],
  ['Desk lamp', 'مصباح مكتب', 350],
  ['Chair', 'كرسي', 600],
  ['Wardrobe key', 'مفتاح الدولاب', 150],
  ['Window pane', 'لوح زجاج', 450],
]
const KINDS = [
  ['SINGLE', 'Single room', 'غرفة مفردة', 1],
  ['DOUBLE', 'Double room', 'غرفة مزدوجة', 2],
  ['TRIPLE', 'Room for three', 'غرفة ثلاثية', 3],
] as const
const HOSTELS: readonly (readonly [
  code: string,
  name: string,
  name_local: string,
  gender: string,
  building: string,
  faculty?: string,
])[] = [
  ['DORM-M', 'Men’s hostel', 'سكن الطلاب', 'men', 'H1'],
  ['DORM-W', 'Women’s hostel', 'سكن الطالبات', 'women', 'H2'],
  ['INTERNS', 'House of interns', 'سكن أطباء الامتياز', 'families', 'H3', 'FMD'],
  ['CAMP', 'Surveying camp', 'سكن معسكر المساحة', 'men', 'H4', 'FEC'],
]
/** Beds of the rooms of a floor, from the stairs on. */
const FLOOR = [2, 2, 2, 3, 2, 2, 1, 1] as const
const FLOORS = [1, 2, 3, 4] as const

/** Two hostels in buildings of their own, 120 beds, and a room that is painted. */
export default demoPart(
  ['room_kinds', 'hostels', 'hostel_rooms', 'hostel_beds', 'bed_closings'],
  ['buildings', 'fee_items', 'faculties'],
  async (tx) => {
    const { rows: fees } = await sql<{
      id: number
      code: string
    }>`select id, code from fee_items where code like 'BED_%'`.execute(tx)
    const fee = (code: string) => fees.find((one) => one.code === code)?.id ?? null
    const { rows: faculties } = await sql<{ id: number; code: string }>`select id, code from faculties`.execute(tx)
    const kinds = await insertNew(
      tx,
      'room_kinds',
      KINDS.map(([code, name, name_local]) => ({
        code,
        name,
        name_local,
        night_item_id: fee('BED_NIGHT'),
        month_item_id: fee('BED_MONTH'),
        term_item_id: fee('BED_TERM'),
        deposit_item_id: fee('BED_DEPOSIT'),
      })),
    )
    await insertNew(
      tx,
      'room_kind_items',
      kinds.flatMap((room_kind_id) =>
        ITEMS.map(([name, name_local, pounds], position) => ({
          room_kind_id,
          position,
          name,
          name_local,
          price: pounds * 100,
        })),
      ),
    )
    const buildings = await insertNew(
      tx,
      'buildings',
      HOSTELS.map(([, name, name_local, , code, faculty]) => ({
        code,
        name,
        name_local,
        faculty_id: faculties.find((one) => one.code === faculty)?.id ?? null,
      })),
    )
    const hostels = await insertNew(
      tx,
      'hostels',
      HOSTELS.map(([code, name, name_local, gender], i) => ({
        building_id: buildings[i],
        code,
        name,
        name_local,
        gender,
      })),
    )
    const plan = hostels.flatMap((hostel_id, i) =>
      // Houses of a faculty are small.
      FLOORS.slice(0, HOSTELS[i]![5] ? 1 : FLOORS.length).flatMap((floor) =>
        FLOOR.slice(0, HOSTELS[i]![5] ? 3 : FLOOR.length).map((beds, n) => ({
          beds,
          room: {
            hostel_id,
            code: `${floor}${String(n + 1).padStart(2, '0')}`,
            floor,
            kind_id: kinds[beds - 1],
            gender: HOSTELS[i]![3],
            // The last rooms of the ground floor are kept for guests, one for staff.
            audience: floor === 1 && n === 7 ? 'guests' : floor === 1 && n === 6 ? 'staff' : null,
          },
        })),
      ),
    )
    const rooms = await insertNew(
      tx,
      'hostel_rooms',
      plan.map((one) => one.room),
    )
    await insertNew(
      tx,
      'hostel_beds',
      plan.flatMap(({ beds }, i) => Array.from({ length: beds }, (_, n) => ({ room_id: rooms[i], code: 'ABC'[n] }))),
    )
    await sql`insert into bed_closings (room_id, from_day, until_day, reason)
      values (${rooms[9]}, university_today() - 2, university_today() + 12, 'Painting · دهان'),
        (${rooms[40]}, university_today() + 20, university_today() + 27, 'New windows · تركيب نوافذ'),
        (${rooms.at(-1)}, university_today() - 30, university_today() + 30, 'Between two camps · بين معسكرين')`.execute(
      tx,
    )
  },
)
