import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { demoPart, insertNew, usersByEmail } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

interface Stay {
  readonly status: string
  readonly from: number
  readonly until: number
}
/** Stays in the bed of this number, in days from today. */
function staysOf(n: number): Stay[] {
  const before: Stay[] = n % 5 === 0 ? [{ status: 'checked_out', from: -88 + (n % 7), until: -62 }] : []
  if (n % 11 === 4)
    return [
      ...before,
      { status: 'no_show', from: -12, until: 60 },
      { status: 'confirmed', from: 2 + (n % 6), until: 70 },
    ]
  // Those who come today stand among the first.
  if (n === 3 || n === 5) return [{ status: 'confirmed', from: 0, until: 45 }]
  if (n % 13 === 6) return [...before, { status: 'confirmed', from: n % 2 ? 0 : 4, until: 45 }]
  if (n % 29 === 8) return [...before, { status: 'checked_in', from: -40, until: -1 }]
  if (n % 17 === 3) return before
  return [...before, { status: 'checked_in', from: -18 - (n % 37), until: 48 + ((n * 7) % 31) }]
}
const STEPS: Readonly<Record<string, readonly (readonly [action: string, from: string, to: string])[]>> = {
  requested: [],
  confirmed: [['confirm', 'requested', 'confirmed']],
  checked_in: [
    ['confirm', 'requested', 'confirmed'],
    ['check_in', 'confirmed', 'checked_in'],
  ],
  checked_out: [
    ['confirm', 'requested', 'confirmed'],
    ['check_in', 'confirmed', 'checked_in'],
    ['check_out', 'checked_in', 'checked_out'],
  ],
  no_show: [
    ['confirm', 'requested', 'confirmed'],
    ['no_show', 'confirmed', 'no_show'],
  ],
  cancelled: [['cancel', 'requested', 'cancelled']],
}
/** By their document, or their job. */
const GUESTS = [
  ['C4J7K2M91', 1, 'guests'],
  ['28703152100348', 2, 'guests'],
  ['Graduate Affairs Officer', 1, 'staff'],
] as const
/** What every reservation has where it says nothing else. */
const PLAIN = {
  student_id: null,
  staff_id: null,
  guest_id: null,
  guest_name: null,
  gender: null,
  audience: 'students',
  hostel_id: null,
  kind_id: null,
  bed_id: null,
  group_id: null,
  unit: 'night',
  priority: 3,
  distance_km: null,
  note: null,
  asked_at: new Date(Date.now() - 5 * 86_400_000),
  confirmed_at: null,
  checked_in_at: null,
  checked_out_at: null,
}
/** Kilometres from home of those who wait. */
const AWAY = [640, 210, 95, 320, 18, 480, 150, 60, 720, 35, 260, 110]

/** Who sleeps in the hostels, who comes and came, who waits, and a group that comes next month. */
export default demoPart(
  ['hotel_reservations', 'bed_groups'],
  [
    'hostel_beds',
    'bed_closings',
    'students',
    'student_terms',
    'internal_transfers',
    'users',
    'guests',
    'employee_contracts',
  ],
  async (tx, demo) => {
    const { rows: beds } = await sql<{
      id: number
      gender: string
      audience: string | null
      hostel_id: number
      kind_id: number
    }>`
      select b.id, r.gender, r.audience, r.hostel_id, r.kind_id from hostel_beds b join hostel_rooms r on r.id = b.room_id
      join hostels h on h.id = r.hostel_id join buildings u on u.id = h.building_id and u.faculty_id is null
      where not exists (select from bed_closings c where c.room_id = r.id) order by b.id`.execute(tx)
    const { rows: students } = await sql<{
      id: number
      gender: number
      user_id: number | null
    }>`select s.id, s.gender::int as gender, s.user_id from students s
      where s.status = 'studying' and s.removed_at is null and s.gender is not null and not s.is_second_record order by s.id desc`.execute(
      tx,
    )
    const me = (await usersByEmail(tx)).get(`student@${demo.university.domain}`)
    const own = students.find((one) => one.user_id === me)
    const free = {
      1: students.filter((one) => one.gender === 1 && one !== own),
      2: students.filter((one) => one.gender === 2 && one !== own),
    }
    const next = (gender: 1 | 2) => free[gender].pop()
    const today = dayOf()
    const day = (days: number) => addDays(today, days)
    const rows: Record<string, unknown>[] = []
    for (const [n, bed] of beds.entries()) {
      const gender = bed.gender === 'men' ? 1 : 2
      const open = bed.audience === null
      for (const { status, from, until } of open ? staysOf(n) : []) {
        const student = next(gender)
        if (!student) continue
        rows.push({
          student_id: student.id,
          gender,
          hostel_id: bed.hostel_id,
          kind_id: bed.kind_id,
          bed_id: bed.id,
          from_day: day(from),
          until_day: day(until),
          unit: until - from > 30 ? 'term' : 'night',
          status,
          asked_at: new Date(Date.now() - (Math.max(0, -from) + 14) * 86_400_000),
          distance_km: 40 + ((n * 53) % 600),
          confirmed_at: new Date(Date.now() - (Math.max(0, -from) + 6) * 86_400_000),
          checked_in_at: status.startsWith('checked') ? new Date(Date.now() + from * 86_400_000) : null,
          checked_out_at: status === 'checked_out' ? new Date(Date.now() + until * 86_400_000) : null,
        })
      }
    }
    // Guests and staff in the rooms that are kept for them.
    for (const [known, gender, audience] of GUESTS) {
      const { rows: found } = await sql<{ staff_id: number | null; guest_id: number | null }>`
        select (select min(u.id) from users u join job_titles j on j.id = u.job_title_id where j.name = ${known}) as staff_id,
          (select g.id from guests g where g.document_number = ${known}) as guest_id`.execute(tx)
      const [who] = found
      if (!who || (who.staff_id ?? who.guest_id) === null) throw new Error(`The demo university knows no ${known}`)
      const bed = beds.find((one) => one.audience === audience && (one.gender === 'men') === (gender === 1))
      if (bed)
        rows.push({
          ...who,
          gender,
          audience,
          bed_id: bed.id,
          hostel_id: bed.hostel_id,
          from_day: day(audience === 'staff' ? -3 : 1),
          until_day: day(audience === 'staff' ? 20 : 6),
          status: audience === 'staff' ? 'checked_in' : 'confirmed',
          confirmed_at: new Date(),
        })
    }
    // Those who wait, the student of the demo among them.
    const waiting = [...AWAY.entries()].flatMap(([i, distance_km]) => {
      const student = i === 4 ? own : next(i % 2 ? 2 : 1)
      if (!student) return []
      return [
        {
          student_id: student.id,
          gender: student.gender,
          hostel_id: beds.find((bed) => (bed.gender === 'men') === (student.gender === 1))!.hostel_id,
          from_day: day(1 + (i % 3)),
          until_day: day(80),
          unit: 'term',
          priority: i === 7 ? 1 : i === 2 ? 2 : 3,
          distance_km,
          status: 'requested',
          asked_at: new Date(Date.now() - (20 - i) * 43_200_000),
          note: i === 7 ? 'Uses a wheelchair: ground floor, please.' : null,
        },
      ]
    })
    const gone = next(1)
    await insertNew(
      tx,
      'hotel_reservations',
      [
        ...rows,
        ...waiting,
        ...(gone
          ? [
              {
                student_id: gone.id,
                gender: 1,
                from_day: day(5),
                until_day: day(40),
                unit: 'month',
                status: 'cancelled',
                asked_at: new Date(Date.now() - 9 * 86_400_000),
              },
            ]
          : []),
      ].map((row) => ({ ...PLAIN, ...row })),
    )
    await wishMates(tx)
    await holdGroup(
      tx,
      'DORM-W',
      [100, 107],
      ['Chess championship of universities', 'Sports office, extension 214'],
      ['Nour Abdel Latif', 'Habiba Samir', null, null, null, null],
    )
    await holdGroup(tx, 'CAMP', [120, 127], ['Surveying, second year', 'Department of civil engineering'], [null, null])
    // Interns who are late: they were to come some days ago.
    const interns = await bedsOf(tx, 'INTERNS')
    await insertNew(
      tx,
      'hotel_reservations',
      interns.slice(0, 4).flatMap((bed_id, i) => {
        const student = next(i % 2 ? 2 : 1)
        return student
          ? [
              {
                ...PLAIN,
                student_id: student.id,
                gender: student.gender,
                bed_id,
                from_day: day(-3),
                until_day: day(60),
                unit: 'month',
                status: 'confirmed',
                confirmed_at: new Date(Date.now() - 8 * 86_400_000),
              },
            ]
          : []
      }),
    )
    await noteSteps(tx)
  },
)

/** The first two women who wait wish for each other, one man for somebody who does not. */
const wishMates = (tx: Tx) =>
  sql`insert into bed_mates (reservation_id, student_id)
    select a.id, b.student_id from (select id, student_id, gender, row_number() over (partition by gender order by id) as n from hotel_reservations
      where status = 'requested') a join (select id, student_id, gender, row_number() over (partition by gender order by id) as n
      from hotel_reservations where status = 'requested') b on b.gender = a.gender
    where (a.gender = 2 and a.n <= 2 and b.n = 3 - a.n) or (a.gender = 1 and a.n = 1 and b.n = 2)`.execute(tx)

/** Beds of a hostel that are open and for everybody. */
const bedsOf = async (tx: Tx, code: string): Promise<number[]> =>
  (
    await sql<{
      id: number
    }>`select b.id from hostel_beds b join hostel_rooms r on r.id = b.room_id join hostels h on h.id = r.hostel_id
      where h.code = ${code} and r.audience is null and not exists (select from bed_closings c where c.room_id = r.id) order by b.id`.execute(
      tx,
    )
  ).rows.map((row) => row.id)

/** A group that comes next term: some of its beds are given, each to a woman where somebody is named. */
async function holdGroup(
  tx: Tx,
  hostel: string,
  [from, until]: readonly [number, number],
  [name, contact]: readonly [string, string],
  members: readonly (string | null)[],
): Promise<void> {
  const [from_day, until_day] = [addDays(dayOf(), from), addDays(dayOf(), until)]
  const { rows } = await sql<{
    id: number
  }>`insert into bed_groups (name, contact, hostel_id, from_day, until_day, beds)
    select ${name}, ${contact}, id, ${from_day}, ${until_day}, ${members.length} from hostels where code = ${hostel} returning id`.execute(
    tx,
  )
  const beds = await bedsOf(tx, hostel)
  await insertNew(
    tx,
    'hotel_reservations',
    members.map((guest_name, i) => ({
      ...PLAIN,
      group_id: rows[0]?.id ?? null,
      bed_id: beds[i],
      audience: 'guests',
      from_day,
      until_day,
      status: 'confirmed',
      guest_name,
      gender: guest_name === null ? null : 2,
      confirmed_at: new Date(),
    })),
  )
}

/** Every step that led to where reservations stand. */
async function noteSteps(tx: Tx): Promise<void> {
  await sql`insert into step_history (workflow, record_id, actor_id, action, from_state, to_state, at)
    select 'hotel_reservation', t.id, (select s.user_id from students s where s.id = t.student_id), 'begin', null, 'requested', t.asked_at
    from hotel_reservations t order by t.id`.execute(tx)
  for (const [status, steps] of Object.entries(STEPS))
    for (const [n, [action, from_state, to_state]] of steps.entries())
      await sql`insert into step_history (workflow, record_id, actor_id, action, from_state, to_state, at)
        select 'hotel_reservation', t.id, null, ${action}, ${from_state}, ${to_state},
          least(now(), coalesce(case ${n}::int when 0 then t.confirmed_at when 1 then t.checked_in_at else t.checked_out_at end, t.asked_at + ${n + 1}::int * interval '1 day'))
        from hotel_reservations t where t.status = ${status} order by t.id`.execute(tx)
}
