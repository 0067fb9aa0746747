/** Use of rooms against plain SQL that asks each meeting for its days, one by one; and who sees it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSheet } from '#kit/server/sheets/index.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import type { RoomUse } from './rooms.contract.ts'

let u: TestUniversity
let registrar: Caller
beforeAll(async () => {
  u = await testUniversity([reportsServer], { database: await demoDatabase() })
  registrar = await u.as('registrar')
}, 720_000)
afterAll(() => u?.close())

const TERM = `(select term_id from current_terms where key = 'current_term')`
const q = async <Row = Record<string, any>>(text: string, values: unknown[] = []) =>
  (await u.database.pool.query(text, values)).rows as Row[]
const read = async (body: object = {}, who = registrar): Promise<RoomUse> =>
  ok(await who('POST', '/reports/room-use', body))
/** What is held in rooms, on every single day, as attendance and calendars see it. */
const HELD = `select d.location_id, d.slot_id, week_place(d.on_date) as day, d.on_date, s.taken, o.faculty_id, s.id as meeting_id
    from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null cross join teaching_dates(s.id) d
    where s.term_id = ${TERM} and not exists (select from meeting_occurrences c where c.offering_slot_id = s.id and c.date = d.on_date and c.cancelled_at is not null)
  union all select c.location_id, c.slot_id, week_place(c.date), c.date, s.taken, o.faculty_id, s.id
    from meeting_occurrences c join offering_slots s on s.id = c.offering_slot_id join offerings o on o.id = s.offering_id and o.removed_at is null
    where s.term_id = ${TERM} and c.makes_up_id is not null and c.cancelled_at is null`
const ROOM = `locations r where r.removed_at is null and r.location_type <> 'online'`
const cells = async (more = '') =>
  q(`select h.day, g.hour, count(distinct h.location_id)::int as rooms,
      round(sum(extract(epoch from least(p.end_time, make_time((g.hour + 1) % 24, 0, 0)) - greatest(p.start_time, make_time(g.hour, 0, 0))) / 60))::int as minutes,
      round(sum(h.taken * extract(epoch from least(p.end_time, make_time((g.hour + 1) % 24, 0, 0)) - greatest(p.start_time, make_time(g.hour, 0, 0))) / 60))::int as seat_minutes
    from (${HELD}) h join slots p on p.id = h.slot_id cross join generate_series(0, 22) g (hour)
    where h.location_id in (select r.id from ${ROOM}) and p.start_time < make_time(g.hour + 1, 0, 0) and p.end_time > make_time(g.hour, 0, 0) ${more}
    group by 1, 2 order by 1, 2`)

describe('figures', () => {
  it('of each day and hour are those of all single days', async () => {
    const use = await read()
    expect(use.cells.length).toBeGreaterThan(20)
    expect(use.cells).toEqual(await cells())
    const [there] = await q(`select count(*)::int as rooms, sum(r.capacity)::int as seats from ${ROOM}`)
    expect({ rooms: use.rooms, seats: use.seats }).toEqual(there)
  })
  it('leave out what was cancelled, move what was moved, add what is made up', async () => {
    const before = await read()
    const [held] = await q(`select h.*, p.start_time from (${HELD}) h join slots p on p.id = h.slot_id
      where h.location_id in (select r.id from ${ROOM}) and h.meeting_id not in (select offering_slot_id from meeting_occurrences where offering_slot_id is not null)
        and h.taken > 0 order by h.on_date desc, h.meeting_id limit 1`)
    const [cancelled] = await q(
      `insert into meeting_occurrences (offering_id, offering_slot_id, date, cancelled_at, cancelled_reason)
       select offering_id, id, $2, now(), 'ill' from offering_slots where id = $1 returning id, offering_id`,
      [held!.meeting_id, held!.on_date],
    )
    const without = await read()
    expect(without.cells).toEqual(await cells())
    const sum = (use: RoomUse) => use.cells.reduce((all, cell) => all + cell.minutes, 0)
    expect(sum(without)).toBeLessThan(sum(before))
    const [free] = await q(
      `select r.id from ${ROOM} and not exists (select from (${HELD}) h where h.location_id = r.id) limit 1`,
    )
    const room = free?.id ?? held!.location_id
    await q(
      `insert into meeting_occurrences (offering_id, offering_slot_id, date, makes_up_id, slot_id, location_id)
       values ($1, $2, $3::date + 1, $4, $5, $6)`,
      [cancelled!.offering_id, held!.meeting_id, held!.on_date, cancelled!.id, held!.slot_id, room],
    )
    const made = await read()
    expect(made.cells).toEqual(await cells())
    expect(sum(made)).toBe(sum(before))
  })
  it('leave out an exam week, of the university for everybody, of a faculty for its meetings', async () => {
    const before = await read()
    const [term] = await q(`select start_date + 14 as since, start_date + 20 as until from terms where id = ${TERM}`)
    const [week] = await q(
      `insert into exam_weeks (term_id, faculty_id, kind, start_date, end_date) values (${TERM}, 1, 'midterm', $1, $2) returning id`,
      [term!.since, term!.until],
    )
    const faculty = await read()
    expect(faculty.cells).toEqual(await cells())
    expect(faculty.days).toEqual(before.days)
    expect(faculty.cells).not.toEqual(before.cells)
    await q('update exam_weeks set faculty_id = null, level = 1 where id = $1', [week!.id])
    await q(`update offerings set level = 1 where term_id = ${TERM} and faculty_id = 1`)
    const level = await read()
    expect(level.cells).toEqual(await cells())
    expect(level.cells).not.toEqual(before.cells)
    await q('update exam_weeks set level = null where id = $1', [week!.id])
    const all = await read()
    expect(all.cells).toEqual(await cells())
    expect(all.days.reduce((a, b) => a + b)).toBeLessThan(before.days.reduce((a, b) => a + b))
    await q('delete from exam_weeks where id = $1', [week!.id])
  })
  it('add up by building, room and faculty, and are narrowed by day and hour', async () => {
    const use = await read()
    const sum = (rows: readonly { minutes: number }[]) => rows.reduce((all, row) => all + row.minutes, 0)
    for (const by of ['building', 'room', 'faculty'] as const) expect([by, sum(use[by])]).toEqual([by, sum(use.cells)])
    const busy = use.cells.toSorted((a, b) => b.minutes - a.minutes)[0]!
    const narrow = await read({ day: busy.day, hour: busy.hour })
    expect(narrow.cells).toEqual(use.cells)
    expect(sum(narrow.room)).toBe(busy.minutes)
    expect(narrow.room.filter((room) => room.minutes > 0)).toHaveLength(busy.rooms)
    const { of } = use.building.toSorted((a, b) => b.minutes - a.minutes)[0]!
    const there = await read({ building_id: of!.id })
    expect(there.building.map((one) => one.of!.id)).toEqual([of!.id])
    expect(there.cells).toEqual(
      await cells(`and h.location_id in (select id from locations where building_id = ${of!.id})`),
    )
    const mine = await read({ faculty_id: 1 })
    expect(mine.rooms).toBe(use.rooms)
    expect(mine.cells).toEqual(await cells('and h.faculty_id = 1'))
  })
  it('name meetings in rooms too large for the class, the most wasteful first', async () => {
    const use = await read({ times: 2, most: 5 })
    const plain =
      await q(`select s.id from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null
      join ${ROOM.replace(' where', ' on r.id = s.location_id where')} and s.term_id = ${TERM} and s.day is not null
        and r.capacity >= 2 * greatest(s.taken, 1) order by r.capacity - s.taken desc, s.id`)
    expect(use.wide.count).toBe(plain.length)
    expect(use.wide.rows.map(({ id }) => id)).toEqual(plain.slice(0, 5).map(({ id }) => id))
  })
  it('of a term without meetings are none, and nothing is wrong', async () => {
    const use = await read({ term_id: 999_999 })
    expect([use.term, use.cells, use.wide.count]).toEqual([null, [], 0])
  })
})

describe('who sees it', () => {
  it('who holds the right: registrars, deans, who administers the university; of rooms that are all', async () => {
    const all = (await read()).cells
    const dean = await u.as('dean', ['faculty', 1])
    expect((await read({}, dean)).cells).toEqual(all)
    for (const role of ['university_administration_manager', 'vice_president', 'president'])
      expect((await read({}, await u.as(role))).cells).toEqual(all)
  })
  it('nobody else, also who opens timetables', async () => {
    const files = ['xlsx', 'pdf'] as const
    for (const role of ['instructor', 'program_coordinator', 'finance_officer', 'cashier', 'student']) {
      const who = await u.as(role)
      expect([role, (await who('POST', '/reports/room-use', {})).status]).toEqual([role, 403])
      for (const type of files)
        expect((await who('POST', `/reports/room-use/download/en/${type}`, {})).status).toBe(403)
    }
    expect((await u.nobody('POST', '/reports/room-use', {})).status).toBe(401)
  })
  it.each([[{ day: 7 }], [{ hour: 24 }], [{ location_type: 'online' }], [{ times: 1 }]])('refuses %j', async (body) => {
    const answer = await registrar('POST', '/reports/room-use', body)
    expect(answer.status).toBe(422)
    expect(reasons(answer)).toHaveLength(1)
  })
})

describe('files', () => {
  it('hold the map and what could be freed, in both languages', async () => {
    for (const lang of ['en', 'ar'] as const) {
      const { bytes } = await registrar('POST', `/reports/room-use/download/${lang}/xlsx`, { by: 'room', times: 2 })
      const { sheets } = await readSheet(bytes, { maxRows: 5000 })
      expect(sheets[0]!.rows[0]!.map((cell) => cell.text)).toContain(lang === 'en' ? 'Tuesday' : 'الثلاثاء')
      expect(sheets.length).toBeGreaterThanOrEqual(4)
    }
    const { bytes } = await registrar('POST', '/reports/room-use/download/ar/pdf', { day: 3, hour: 10, seats: true })
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  }, 60_000)
})
