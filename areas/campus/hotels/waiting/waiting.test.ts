import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ok, reasons, type Answer, type Caller } from '#tests/university.ts'
import { hotelWorld, type HotelWorld } from '../testing.server.ts'
import { waitingJob } from './waiting.server.ts'

const tick = Object.assign(async () => {}, { signal: new AbortController().signal })
let h: HotelWorld
let officer: Caller
beforeAll(async () => {
  h = await hotelWorld()
  officer = h.officer
}, 240_000)
afterAll(() => h?.u.close())

const code = (answer: Answer) => [answer.status, ...reasons(answer).map((one) => one.split('@')[0])]
const bedOf = async (id: number) => {
  const { status, bed_id } = await h.stay(id)
  return [status, bed_id]
}
const ask = async (who: { as: Caller }, hostel_id: number, more: object = {}) =>
  (
    ok(
      await who.as('POST', '/hotels/own/ask', {
        from_day: await h.day(5),
        until_day: await h.day(9),
        hostel_id,
        ...more,
      }),
    ) as { id: number }
  ).id

describe('beds are given in the order of those who wait', () => {
  it('priority, then distance, then who asked first; out of turn only with the right', async () => {
    const own = await h.hostel('men')
    const { beds } = await h.room(own, 2)
    const people = await Promise.all(Array.from({ length: 4 }, () => h.student()))
    const [plain, near, far, first] = [
      await ask(people[0]!, own),
      await ask(people[1]!, own, { distance_km: 20 }),
      await ask(people[2]!, own, { distance_km: 600 }),
      await ask(people[3]!, own),
    ]
    ok(await officer('POST', `/hotels/reservation/edit/${first}`, { priority: 1 }))
    const listed = ok(await officer('GET', '/hotels/waiting')) as any[]
    expect(listed.map((row) => [row.id, row.place, row.bed !== null])).toEqual([
      [first, 1, true],
      [far, 2, true],
      [near, 3, false],
      [plain, 4, false],
    ])
    expect((ok(await people[1]!.as('GET', '/hotels/own')) as any).stays[0].place).toBe(3)
    // Somebody without the right to skip the order gives to those alone whose turn it is.
    const clerk = await h.u.as('affair_manager')
    await h.q(
      `delete from role_permissions where role_id = (select id from roles where key = 'affair_manager') and permission = 'skip_hotel_order'`,
    )
    expect(code(await clerk('POST', `/hotels/reservation/confirm/${near}`, {}))).toEqual([409, 'bed_not_the_turn'])
    ok(await clerk('POST', `/hotels/reservation/confirm/${far}`, {}))
    expect(ok(await officer('POST', '/hotels/waiting/give', {}))).toEqual({ given: 1, waiting: 2 })
    // What the first would be given is kept for the first.
    expect(await bedOf(far)).toEqual(['confirmed', beds[1]])
    expect(await bedOf(first)).toEqual(['confirmed', beds[0]])
    expect(code(await officer('POST', `/hotels/reservation/confirm/${near}`, {}))).toEqual([409, 'bed_none_free'])
    // A bed becomes free: it is given to the next.
    ok(await people[2]!.as('POST', `/hotels/reservation/cancel/${far}`, {}))
    expect(await waitingJob.run(h.u as never, { beds: [beds[1]!] }, tick as never)).toEqual({ given: 1 })
    expect(await bedOf(near)).toEqual(['confirmed', beds[1]])
    expect(await h.told(people[1]!.as.user_id)).toContain('notice_stay Confirmed')
    expect(await bedOf(plain)).toEqual(['requested', null])
  })

  it('those who both wish it share a room; a wish of one alone counts for nothing', async () => {
    const own = await h.hostel('women')
    const [a, b] = [await h.room(own, 2), await h.room(own, 2)]
    const [one, two, three] = await Promise.all(Array.from({ length: 3 }, () => h.student(2)))
    const codeOf = async (who: { id: number }) =>
      (await h.q<{ code: string }>('select code from students where id = $1', [who.id]))[0]!.code
    const first = await ask(one!, own, { mates: [await codeOf(two!)] })
    const third = await ask(three!, own, { mates: [await codeOf(one!)] })
    ok(await officer('POST', `/hotels/reservation/updateStage/${first}`, { stage: 'confirmed', bed_id: b.beds[0] }))
    const second = await ask(two!, own, { mates: [await codeOf(one!)] })
    ok(await officer('POST', '/hotels/waiting/give', {}))
    expect(await bedOf(second)).toEqual(['confirmed', b.beds[1]])
    expect(await bedOf(third)).toEqual(['confirmed', a.beds[0]])
    expect((ok(await officer('GET', `/hotels/reservation/${third}`)) as any).mates).toMatchObject([{ mutual: false }])
    expect((ok(await officer('GET', `/hotels/reservation/${first}`)) as any).mates).toMatchObject([{ mutual: true }])
  })
})

it('a clerk of one faculty gives beds of its hostels alone', async () => {
  const [own, other] = [await h.hostel('men', h.w.faculty), await h.hostel('men')]
  await h.room(own, 1)
  await h.room(other, 1)
  const [mine, theirs] = [await ask(await h.student(), own), await ask(await h.student(), other)]
  const clerk = await h.u.as('affair_manager', ['faculty', h.w.faculty])
  expect((ok(await clerk('GET', '/hotels/waiting')) as any[]).map((row) => row.id)).toEqual([mine])
  expect(ok(await clerk('POST', '/hotels/waiting/give', {}))).toMatchObject({ given: 1 })
  expect((await h.stay(mine)).status).toBe('confirmed')
  expect(await bedOf(theirs)).toEqual(['requested', null])
  ok(await officer('POST', `/hotels/reservation/cancel/${theirs}`, {}))
})

describe('500 for the last 50 beds', () => {
  it('50 of them, in the order, nobody twice', async () => {
    const own = await h.hostel('men')
    const beds: number[] = []
    for (let i = 0; i < 25; i++) beds.push(...(await h.room(own, 2)).beds)
    const crowd = await h.students(500)
    const [from_day, until_day] = [await h.day(5), await h.day(9)]
    const asked = await Promise.all(
      crowd.map(({ as }, i) =>
        as('POST', '/hotels/own/ask', { from_day, until_day, hostel_id: own, distance_km: (i * 37) % 500 }),
      ),
    )
    expect(new Set(asked.map((answer) => answer.status))).toEqual(new Set([200]))
    const order = (
      await h.q<{ id: number }>(
        `select id from hotel_reservations where hostel_id = $1 order by priority, distance_km desc, asked_at, id`,
        [own],
      )
    ).map((row) => row.id)
    // Several clerks give at once, and somebody gives single beds meanwhile.
    const clerks = await Promise.all(Array.from({ length: 4 }, () => h.u.as('affair_manager')))
    const given = await Promise.all([
      ...clerks.map((clerk) => clerk('POST', '/hotels/waiting/give', {})),
      ...order.slice(0, 20).map((id) => officer('POST', `/hotels/reservation/confirm/${id}`, {})),
    ])
    // Who waits too long for another who gives is told to come again.
    expect(
      given.filter(({ status, body }) => status !== 200 && status !== 409 && body.message !== 'data_busy').map(code),
    ).toEqual([])
    ok(await officer('POST', '/hotels/waiting/give', {}))
    const stays = await h.q<{ id: number; bed_id: number; student_id: number }>(
      `select id, bed_id, student_id from hotel_reservations where hostel_id = $1 and status = 'confirmed' order by id`,
      [own],
    )
    expect(stays).toHaveLength(50)
    expect(new Set(stays.map((row) => row.bed_id))).toEqual(new Set(beds))
    expect(new Set(stays.map((row) => row.student_id)).size).toBe(50)
    expect(stays.map((row) => row.id)).toEqual(order.slice(0, 50).toSorted((a, b) => a - b))
    // Each was charged once.
    const [invoices] = await h.q<{ n: number }>(
      `select count(*)::int as n from invoices i join payers p on p.id = i.payer_id where p.student_id = any($1)`,
      [crowd.map((one) => one.id)],
    )
    expect(invoices!.n).toBe(50)
    // The database itself knows no second stay in a bed.
    await expect(
      h.q(
        `insert into hotel_reservations (guest_name, gender, from_day, until_day, status, bed_id) values ('X', 1, $1, $2, 'confirmed', $3)`,
        [from_day, until_day, beds[0]],
      ),
    ).rejects.toThrow('bed_taken')
  }, 240_000)
})
