import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ok, reasons, type Answer, type Caller } from '#tests/university.ts'
import { stayClock } from './stays/clock.server.ts'
import { hotelWorld, PRICES, type HotelWorld } from './testing.server.ts'

const tick = Object.assign(async () => {}, { signal: new AbortController().signal })
let h: HotelWorld
let officer: Caller
let men: number
let women: number
beforeAll(async () => {
  h = await hotelWorld()
  officer = h.officer
  men = await h.hostel('men')
  women = await h.hostel('women')
}, 240_000)
afterAll(() => h?.u.close())

type Person = Awaited<ReturnType<HotelWorld['student']>>
const said = (answer: Answer) => [answer.status, ...reasons(answer).toSorted()]
const code = (answer: Answer) => [answer.status, ...reasons(answer).map((one) => one.split('@')[0])]
const ask = async (who: Person, from: number, until: number, more: object = {}): Promise<Answer> =>
  who.as('POST', '/hotels/own/ask', {
    from_day: await h.day(from),
    until_day: await h.day(until),
    hostel_id: men,
    ...more,
  })
const asked = async (who: Person, from: number, until: number, more: object = {}): Promise<number> =>
  (ok(await ask(who, from, until, more)) as { id: number }).id
const stage = (id: number, to: string, more: object = {}, by = officer) =>
  by('POST', `/hotels/reservation/updateStage/${id}`, { stage: to, ...more })
/** Somebody with a bed of his own. */
const housed = async (from: number, until: number, bed: number, who?: Person) => {
  const student = who ?? (await h.student())
  const id = await asked(student, from, until)
  ok(await stage(id, 'confirmed', { bed_id: bed }))
  return { id, student }
}
const move = async (id: number, bed_id: number, from: number, until: number, more: object = {}, by = officer) =>
  by('POST', `/hotels/reservation/move/${id}`, {
    bed_id,
    from_day: await h.day(from),
    until_day: await h.day(until),
    ...more,
  })

const suspend = async (student: number) =>
  ok(
    await (
      await h.u.as('registrar')
    )('POST', `/students/status/${student}`, {
      status: 'suspended',
      decision: 'Council 4',
      decided_on: await h.day(0),
    }),
  )

describe('who sees what', () => {
  it('nobody without a right, and nobody another’s', async () => {
    const { beds } = await h.room(men, 1)
    const { id, student } = await housed(10, 12, beds[0]!)
    const other = await h.student()
    const nobody = await h.u.as(null)
    for (const who of [other.as, nobody]) {
      expect((await who('GET', `/hotels/reservation/${id}`)).status).toBe(who === nobody ? 403 : 404)
      expect((await who('POST', '/hotels/reservations', {})).status).toBe(403)
      expect((await who('POST', '/hotels/board', {})).status).toBe(403)
      expect((await who('GET', '/hotels/waiting')).status).toBe(403)
      expect((await who('POST', '/hotels/waiting/give', {})).status).toBe(403)
      expect((await stage(id, 'cancelled', {}, who)).status).toBe(who === nobody ? 403 : 404)
      expect((await move(id, beds[0]!, 10, 13, {}, who)).status).toBe(403)
      expect((await who('DELETE', `/hotels/reservation/${id}`)).status).toBe(403)
    }
    expect((ok(await other.as('GET', '/hotels/own')) as any).stays).toEqual([])
    // The own one is seen, and nothing of it is decided.
    expect((ok(await student.as('GET', `/hotels/reservation/${id}`)) as any).code).toMatch(/^BED-\d{6}$/)
    expect((await stage(id, 'checked_in', {}, student.as)).status).toBe(403)
    expect((await student.as('POST', `/hotels/reservation/confirm/${id}`, {})).status).toBe(403)
  })

  it('who keeps a hostel of one faculty reaches no other', async () => {
    const own = await h.hostel('men', h.w.faculty)
    const [mine, theirs] = [await h.room(own, 1), await h.room(men, 1)]
    const clerk = await h.u.as('affair_manager', ['faculty', h.w.faculty])
    const a = await housed(20, 22, mine.beds[0]!, await h.student())
    const b = await housed(20, 22, theirs.beds[0]!)
    await h.q('update hotel_reservations set hostel_id = null where id = any($1)', [[a.id, b.id]])
    const listed = (ok(await clerk('POST', '/hotels/reservations', {})) as any[]).map((row) => row.id)
    expect(listed).toContain(a.id)
    expect(listed).not.toContain(b.id)
    expect((await clerk('GET', `/hotels/reservation/${b.id}`)).status).toBe(404)
    expect((await stage(b.id, 'cancelled', {}, clerk)).status).toBe(404)
    const board = ok(await clerk('POST', '/hotels/board', {})) as any
    expect(board.hostels.map((one: any) => one.id)).toEqual([own])
    const wish = {
      guest_id: await h.guest(),
      gender: 1,
      from_day: await h.day(3),
      until_day: await h.day(4),
    }
    expect(said(await clerk('POST', '/hotels/reservations/create', { ...wish, hostel_id: men }))).toEqual([
      403,
      'hostel_elsewhere@hostel_id',
    ])
    ok(await clerk('POST', '/hotels/reservations/create', { ...wish, hostel_id: own }))
  })
})

describe('asking', () => {
  it('says every reason against it', async () => {
    const one = await h.student()
    expect(said(await ask(one, 5, 5))).toEqual([422, 'stay_days@until_day'])
    expect(said(await ask(one, -1, 5))).toEqual([422, 'stay_past@from_day'])
    expect(said(await ask(one, 5, 500))).toEqual([422, 'stay_long@until_day'])
    expect(said(await one.as('POST', '/hotels/own/ask', {}))).toEqual([422, 'required@from_day', 'required@until_day'])
    expect(said(await one.as('POST', '/hotels/own/ask', { unit: 'term' }))).toEqual([422, 'stay_no_term@term_id'])
    const [me] = await h.q<{ code: string }>('select code from students where id = $1', [one.id])
    expect(said(await ask(one, 5, 7, { mates: ['NOBODY', me!.code] }))).toEqual([
      422,
      'mate_self@mates.1',
      'mate_unknown@mates.0',
    ])
    expect(
      said(
        await officer('POST', '/hotels/reservations/create', { from_day: await h.day(1), until_day: await h.day(2) }),
      ),
    ).toEqual([422, 'stay_for_whom@student_id'])
    const days = { from_day: await h.day(1), until_day: await h.day(2) }
    expect(said(await officer('POST', '/hotels/reservations/create', { ...days, student_id: 999_999 }))).toEqual([
      422,
      'reference_missing@student_id',
    ])
    expect(said(await one.as('POST', '/hotels/own/ask', { unit: 'term', term_id: 999_999 }))).toEqual([
      422,
      'reference_missing@term_id',
    ])
    // A bed that is none is given to nobody, and one who looked at an older page decides nothing.
    const wish = await asked(one, 5, 7)
    expect(said(await stage(wish, 'confirmed', { bed_id: 999_999 }))).toEqual([422, 'reference_missing@bed_id'])
    const [bed_id] = (await h.room(men, 1)).beds
    expect(said(await stage(wish, 'confirmed', { bed_id, version: 99 }))).toEqual([409, 'changed_meanwhile'])
    expect(said(await stage(999_999, 'confirmed', { bed_id }))).toEqual([404, 'not_found'])
    expect(await h.stay(wish)).toMatchObject({ status: 'requested', bed_id: null })
    expect(said(await move(999_999, bed_id!, 5, 7))).toEqual([404, 'not_found'])
    ok(await stage(wish, 'cancelled', {}))
    await suspend(one.id)
    expect(code(await ask(one, 5, 7))).toEqual([409, 'stay_left'])
  })

  it('once for a press of the button, and once for some days', async () => {
    const one = await h.student()
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(one, 5, 9, { key })))
    expect(new Set(answers.map((answer) => (ok(answer) as any).id)).size).toBe(1)
    const again = await ask(one, 8, 12)
    expect(code(again)).toEqual([409, 'reservation_other'])
    expect(again.body.errors[0].en).toContain('BED-')
    // The day of leaving is free for the next.
    ok(await ask(one, 9, 12))
    // Two at the same moment, without a key.
    const two = await h.student()
    const both = await Promise.all([ask(two, 5, 9), ask(two, 6, 8)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    // The database knows it by itself.
    await expect(
      h.q(
        `insert into hotel_reservations (student_id, from_day, until_day) values ($1, university_today() + 6, university_today() + 7)`,
        [two.id],
      ),
    ).rejects.toThrow('reservation_twice')
  })

  it('of a term, with its days; what is on sale is told', async () => {
    const one = await h.student()
    const id = await asked(one, 0, 0, { from_day: undefined, until_day: undefined, unit: 'term', term_id: h.w.term })
    const stay = await h.stay(id)
    expect([stay.from_day, stay.until_day]).toEqual([await h.day(0), await h.day(100)])
    const looked = ok(await officer('POST', '/hotels/lookups', {})) as any
    expect(looked.stages.map((row: any) => row.id)).toEqual([
      'requested',
      'confirmed',
      'checked_in',
      'checked_out',
      'cancelled',
      'no_show',
    ])
    expect(looked.hostels.map((row: any) => row.id)).toEqual(expect.arrayContaining([men, women]))
    const own = ok(await one.as('GET', '/hotels/own')) as any
    expect(own.stays[0]).toMatchObject({ id, status: 'requested', abilities: ['cancel'] })
    expect(own.stays[0].place).toBeGreaterThan(0)
    ok(await stage(id, 'cancelled', { reason: 'Lives with family' }))
    expect((await h.told(one.as.user_id)).at(-1)).toBe('notice_stay Cancelled')
  })
})

describe('from the request to the day of leaving', () => {
  it('charges the stay and its deposit, and gives the deposit back less the damage', async () => {
    const { beds } = await h.room(men, 1)
    const { id, student } = await housed(0, 4, beds[0]!)
    const { invoice_id } = await h.stay(id)
    const night = PRICES.BED_NIGHT
    expect(await h.m.stands(invoice_id)).toEqual([0, 4 * night + PRICES.BED_DEPOSIT])
    await h.pay(student.id, 4 * night + PRICES.BED_DEPOSIT, invoice_id)
    expect(code(await stage(id, 'checked_out'))).toEqual([409, 'step_state'])
    ok(await stage(id, 'checked_in'))
    expect(code(await stage(id, 'checked_in'))).toEqual([409, 'step_state'])
    const shown = ok(await officer('GET', `/hotels/reservation/${id}`)) as any
    expect(shown.items).toEqual([{ id: h.lamp, name: 'Lamp', name_local: 'مصباح', price: 15_000 }])
    const damage = (damages: object[], by = officer) => by('POST', `/hotels/reservation/inventory/${id}`, { damages })
    expect(said(await damage([{ item_id: 999_999, amount: 1 }, { amount: 5 }]))).toEqual([
      422,
      'damage_elsewhere@damages.0.item_id',
      'required@damages.1.name',
    ])
    expect(
      code(
        await damage([
          { item_id: h.lamp, amount: 1 },
          { item_id: h.lamp, amount: 1 },
        ]),
      ),
    ).toEqual([422, 'bed_damage_twice'])
    const registrar = await h.u.as('registrar')
    expect((await damage([{ item_id: h.lamp, amount: 1 }], registrar)).status).toBe(403)
    const left = ok(
      await damage([
        { item_id: h.lamp, amount: 15_000 },
        { name: 'Door', amount: 5_000 },
      ]),
    ) as any
    expect(left).toMatchObject({
      status: 'checked_out',
      damages: [{ amount: 15_000 }, { name: 'Door', amount: 5_000 }],
    })
    // The nights that are left cost what they cost; what is left of the deposit is the student's.
    expect(await h.m.stands(invoice_id)).toEqual([4 * night + 20_000, 4 * night + 20_000])
    expect(await h.m.wallet(student.id)).toBe(PRICES.BED_DEPOSIT - 20_000)
    expect(code(await damage([{ name: 'Door', amount: 1 }]))).toEqual([409, 'step_state'])
    expect(await h.told(student.as.user_id)).toEqual(
      expect.arrayContaining(['notice_stay Confirmed', 'notice_stay Checked in', 'notice_stay Checked out']),
    )
    // Who leaves early makes room from today on.
    const early = await housed(0, 9, (await h.room(men, 1)).beds[0]!)
    ok(await stage(early.id, 'checked_in'))
    ok(await stage(early.id, 'checked_out'))
    const stay = await h.stay(early.id)
    expect(stay.until_day).toBe(await h.day(0))
    ok(await stage(await asked(await h.student(), 0, 2), 'confirmed', { bed_id: stay.bed_id }))
  })

  it('damage that is as much as the deposit, or more, is paid by it first', async () => {
    for (const amount of [PRICES.BED_DEPOSIT, PRICES.BED_DEPOSIT + 700]) {
      const { beds } = await h.room(men, 1)
      const { id, student } = await housed(0, 1, beds[0]!)
      const { invoice_id } = await h.stay(id)
      await h.pay(student.id, PRICES.BED_NIGHT + PRICES.BED_DEPOSIT, invoice_id)
      ok(await stage(id, 'checked_in'))
      ok(await officer('POST', `/hotels/reservation/inventory/${id}`, { damages: [{ name: 'Wall', amount }] }))
      const [settled, charged] = await h.m.stands(invoice_id)
      expect(charged! - settled!).toBe(amount - PRICES.BED_DEPOSIT)
      expect(await h.m.wallet(student.id)).toBe(0)
    }
  })

  it.each(['staff_id', 'guest_id'] as const)(
    'who works here and guests are charged as students are: stay, deposit, change, damage, return (%s)',
    async (whose) => {
      const who = whose === 'staff_id' ? await h.worker() : await h.guest()
      const { beds } = await h.room(men, 1)
      const wish = { [whose]: who, gender: 1, from_day: await h.day(0), until_day: await h.day(3) }
      const { id } = ok(await officer('POST', '/hotels/reservations/create', wish)) as { id: number }
      // Nobody is in two beds.
      expect(code(await officer('POST', '/hotels/reservations/create', wish))).toEqual([409, 'reservation_other'])
      ok(await stage(id, 'confirmed', { bed_id: beds[0] }))
      const { invoice_id } = await h.stay(id)
      const night = PRICES.BED_NIGHT
      expect(await h.m.stands(invoice_id)).toEqual([0, 3 * night + PRICES.BED_DEPOSIT])
      const payer = await h.payerOf(invoice_id)
      expect(
        await h.q(`select ${whose === 'staff_id' ? 'user_id' : 'guest_id'} as who from payers where id = $1`, [payer]),
      ).toEqual([{ who }])
      const shown = ok(await officer('GET', `/hotels/reservation/${id}`)) as any
      expect([shown.student, shown.guest.id, shown.guest.kind, shown.audience]).toEqual([
        null,
        who,
        whose === 'staff_id' ? 'staff' : 'guest',
        whose === 'staff_id' ? 'staff' : 'guests',
      ])
      // Longer by a night.
      const to = { bed_id: beds[0], from_day: await h.day(0), until_day: await h.day(4) }
      ok(await officer('POST', `/hotels/reservation/move/${id}`, to))
      expect(await h.m.stands(invoice_id)).toEqual([0, 4 * night + PRICES.BED_DEPOSIT])
      await h.payAs(payer, 4 * night + PRICES.BED_DEPOSIT, invoice_id)
      ok(await stage(id, 'checked_in'))
      const damages = [{ name: 'Door', amount: 5_000 }]
      ok(await officer('POST', `/hotels/reservation/inventory/${id}`, { damages }))
      expect(await h.m.stands(invoice_id)).toEqual([4 * night + 5_000, 4 * night + 5_000])
      expect(await h.walletOf(payer)).toBe(PRICES.BED_DEPOSIT - 5_000)
    },
  )

  it('damage of a guest from whom nothing was asked so far is charged by itself', async () => {
    const [guest_id, { beds }] = [await h.guest(), await h.room(men, 1)]
    const [{ id }] = (await h.q(
      `insert into hotel_reservations (guest_id, audience, gender, from_day, until_day, status, bed_id)
       values ($1, 'guests', 1, $2, $3, 'checked_in', $4) returning id`,
      [guest_id, await h.day(0), await h.day(2), beds[0]],
    )) as [{ id: number }]
    ok(await officer('POST', `/hotels/reservation/inventory/${id}`, { damages: [{ name: 'Door', amount: 5_000 }] }))
    const { invoice_id, status } = await h.stay(id)
    expect([status, await h.m.stands(invoice_id)]).toEqual(['checked_out', [0, 5_000]])
    expect(await h.q('select guest_id from payers where id = $1', [await h.payerOf(invoice_id)])).toEqual([
      { guest_id },
    ])
  })

  it('cancelled in time a guest pays nothing, and one whose nationality is not known is not priced', async () => {
    const { beds } = await h.room(men, 1)
    const wish = async (guest_id: number) => ({
      guest_id,
      gender: 1,
      from_day: await h.day(20),
      until_day: await h.day(22),
    })
    const stateless = await h.guest(null)
    const first = ok(await officer('POST', '/hotels/reservations/create', await wish(stateless))) as { id: number }
    expect(code(await stage(first.id, 'confirmed', { bed_id: beds[0] }))).toEqual([409, 'fee_no_nationality'])
    const { id } = ok(await officer('POST', '/hotels/reservations/create', await wish(await h.guest()))) as {
      id: number
    }
    ok(await stage(id, 'confirmed', { bed_id: beds[0] }))
    const { invoice_id } = await h.stay(id)
    ok(await stage(id, 'cancelled'))
    expect(await h.m.stands(invoice_id)).toEqual([0, 0])
  })

  it('a guest who has a name alone is charged once it is said who that is', async () => {
    const { beds } = await h.room(men, 1)
    const [{ id }] = (await h.q(
      `insert into hotel_reservations (guest_name, audience, gender, from_day, until_day, status, bed_id)
       values ('Visitor', 'guests', 1, $1, $2, 'checked_in', $3) returning id`,
      [await h.day(0), await h.day(2), beds[0]],
    )) as [{ id: number }]
    const damages = [{ name: 'Door', amount: 5_000 }]
    expect(code(await officer('POST', `/hotels/reservation/inventory/${id}`, { damages }))).toEqual([409, 'stay_whose'])
    expect((await h.stay(id)).status).toBe('checked_in')
    const name = (body: object, by = officer) => by('POST', `/hotels/reservation/who/${id}`, body)
    expect((await name({})).status).toBe(422)
    expect(said(await name({ guest_id: 999_999 }))).toEqual([422, 'reference_missing@guest_id'])
    const student = await h.student()
    expect((await name({ guest_id: 1 }, student.as)).status).toBe(403)
    const gone = await h.worker()
    await h.q('update users set removed_at = now() where id = $1', [gone])
    expect(code(await name({ staff_id: gone }))).toEqual([409, 'stay_staff_left'])
    // Nobody is in two beds.
    const busy = await h.guest()
    const wish = { guest_id: busy, gender: 1, from_day: await h.day(0), until_day: await h.day(1) }
    ok(await officer('POST', '/hotels/reservations/create', wish))
    expect(code(await name({ guest_id: busy }))).toEqual([409, 'reservation_other'])
    expect((await h.stay(id)).invoice_id).toBeNull()
    const guest_id = await h.guest()
    ok(await name({ guest_id }))
    expect(code(await name({ guest_id }))).toEqual([409, 'stay_named'])
    const { invoice_id } = await h.stay(id)
    expect(await h.m.stands(invoice_id)).toEqual([0, 2 * PRICES.BED_NIGHT + PRICES.BED_DEPOSIT])
    ok(await officer('POST', `/hotels/reservation/inventory/${id}`, { damages }))
    // Damage is charged, and the deposit that nobody paid is not asked for any more.
    expect(await h.m.stands(invoice_id)).toEqual([0, 2 * PRICES.BED_NIGHT + 5_000])
  })

  it('cancelled in time costs nothing, later it costs the nights', async () => {
    const early = await housed(20, 22, (await h.room(men, 1)).beds[0]!)
    const { invoice_id } = await h.stay(early.id)
    await h.pay(early.student.id, 2 * PRICES.BED_NIGHT + PRICES.BED_DEPOSIT, invoice_id)
    ok(await early.student.as('POST', `/hotels/reservation/cancel/${early.id}`, {}))
    expect(await h.m.stands(invoice_id)).toEqual([0, 0])
    expect(await h.m.wallet(early.student.id)).toBe(2 * PRICES.BED_NIGHT + PRICES.BED_DEPOSIT)
    const late = await housed(3, 5, (await h.room(men, 1)).beds[0]!)
    const of = (await h.stay(late.id)).invoice_id
    await h.pay(late.student.id, 2 * PRICES.BED_NIGHT + PRICES.BED_DEPOSIT, of)
    ok(await late.student.as('POST', `/hotels/reservation/cancel/${late.id}`, {}))
    expect(await h.m.stands(of)).toEqual([2 * PRICES.BED_NIGHT, 2 * PRICES.BED_NIGHT])
    expect(await h.m.wallet(late.student.id)).toBe(PRICES.BED_DEPOSIT)
    const begun = await housed(0, 5, (await h.room(men, 1)).beds[0]!)
    expect(code(await begun.student.as('POST', `/hotels/reservation/cancel/${begun.id}`, {}))).toEqual([
      409,
      'stay_begun',
    ])
    ok(await stage(begun.id, 'cancelled'))
  })

  it('nobody moves in before the day, before it is paid, or while another is there', async () => {
    const { beds } = await h.room(men, 1)
    const later = await housed(2, 4, beds[0]!)
    expect(code(await stage(later.id, 'checked_in'))).toEqual([409, 'stay_early'])
    const first = await housed(0, 2, beds[0]!)
    await h.set('bed_paid_first', 'true')
    expect(code(await stage(first.id, 'checked_in'))).toEqual([409, 'stay_unpaid'])
    await h.set('bed_paid_first', 'false')
    ok(await stage(first.id, 'checked_in'))
    // Two days later the first has not left.
    await h.q(`update hotel_reservations set from_day = from_day - 2, until_day = until_day - 2 where id = $1`, [
      first.id,
    ])
    await h.q(`update hotel_reservations set from_day = from_day - 2, until_day = until_day - 2 where id = $1`, [
      later.id,
    ])
    const refused = await stage(later.id, 'checked_in')
    expect(code(refused)).toEqual([409, 'stay_occupied'])
    ok(await stage(first.id, 'checked_out'))
    ok(await stage(later.id, 'checked_in'))
  })

  it('who did not come is marked by the clock, and the nights are free; what was not paid goes on', async () => {
    const { beds } = await h.room(men, 1)
    const gone = await housed(0, 9, beds[0]!)
    expect(code(await stage(gone.id, 'no_show'))).toEqual([409, 'stay_awaited'])
    await h.q(`update hotel_reservations set from_day = from_day - 2 where id = $1`, [gone.id])
    const slow = await housed(12, 14, beds[0]!)
    await h.q(`update hotel_reservations set confirmed_at = now() - interval '5 days' where id = $1`, [slow.id])
    const over = await asked(await h.student(), 1, 2)
    await h.q(`update hotel_reservations set from_day = from_day - 5, until_day = until_day - 5 where id = $1`, [over])
    await h.set('bed_pay_days', '3')
    const done = await stayClock.run(h.u as never, {} as never, tick as never)
    await h.set('bed_pay_days', '0')
    expect(done).toMatchObject({ no_show: 1, unpaid: 1, over: 1 })
    expect([(await h.stay(gone.id)).status, (await h.stay(slow.id)).status, (await h.stay(over)).status]).toEqual([
      'no_show',
      'cancelled',
      'cancelled',
    ])
    // The deposit is not charged any more, the nights are.
    expect(await h.m.stands((await h.stay(gone.id)).invoice_id)).toEqual([0, 9 * PRICES.BED_NIGHT])
    ok(await stage(await asked(await h.student(), 0, 3), 'confirmed', { bed_id: beds[0] }))
  })

  it('who leaves the university, or is suspended, is given no bed', async () => {
    const one = await housed(10, 12, (await h.room(men, 1)).beds[0]!)
    const waits = await asked(one.student, 30, 31)
    await suspend(one.student.id)
    expect([(await h.stay(one.id)).status, (await h.stay(waits)).status]).toEqual(['cancelled', 'cancelled'])
    const inside = await housed(0, 5, (await h.room(men, 1)).beds[0]!)
    ok(await stage(inside.id, 'checked_in'))
    await suspend(inside.student.id)
    expect((ok(await officer('GET', `/hotels/reservation/${inside.id}`)) as any).left).toBe(true)
    expect(JSON.stringify((await officer('GET', '/users/work')).body)).toContain('work_leaving')
  })

  it('removes what holds no bed', async () => {
    const { id } = await housed(10, 12, (await h.room(men, 1)).beds[0]!)
    expect(code(await officer('DELETE', `/hotels/reservation/${id}`))).toEqual([409, 'stay_holds_bed'])
    ok(await stage(id, 'cancelled'))
    expect(ok(await officer('DELETE', `/hotels/reservation/${id}`))).toMatchObject({ id, removed: true })
    expect((ok(await officer('POST', '/hotels/reservations', {})) as any[]).map((row) => row.id)).not.toContain(id)
    const removed = ok(await officer('POST', '/hotels/reservations', { removed: true })) as any[]
    expect(removed.find((row) => row.id === id)).toMatchObject({ removed: true, abilities: [] })
    expect(code(await stage(id, 'confirmed'))).toEqual([409, 'removed_record'])
  })
})

describe('moving', () => {
  it('to another bed and other days, for what it costs then; the version decides between two', async () => {
    const [a, b] = (await h.room(men, 2)).beds as [number, number]
    const { id, student } = await housed(10, 12, a)
    const { version, invoice_id } = await h.stay(id)
    const both = await Promise.all([move(id, b, 10, 14, { version }), move(id, a, 11, 13, { version })])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(code(both.find((answer) => answer.status === 409)!)).toEqual([409, 'changed_meanwhile'])
    ok(await move(id, b, 10, 15))
    expect(await h.m.stands(invoice_id)).toEqual([0, 5 * PRICES.BED_NIGHT + PRICES.BED_DEPOSIT])
    expect((await h.told(student.as.user_id)).at(-1)).toBe('notice_moved')
    // A room of another kind costs what it costs.
    const suite = await h.room(men, 1, { kind: h.suite })
    ok(await move(id, suite.beds[0]!, 10, 12))
    expect(await h.m.stands(invoice_id)).toEqual([0, 2 * PRICES.BED_SUITE + PRICES.BED_DEPOSIT])
    const waits = await asked(await h.student(), 10, 12)
    expect(code(await move(waits, a, 10, 12))).toEqual([409, 'stay_not_movable'])
    expect(said(await move(id, a, 10, 10))).toEqual([409, 'stay_days@until_day'])
    expect(code(await officer('POST', `/hotels/reservation/edit/${id}`, { priority: 1 }))).toEqual([
      409,
      'stay_waits_no_more',
    ])
  })

  it('not into the next guest, who is named; another free bed is offered', async () => {
    const [a, b] = (await h.room(men, 2)).beds as [number, number]
    const first = await housed(0, 3, a)
    const next = await housed(3, 6, a)
    ok(await stage(first.id, 'checked_in'))
    const refused = await move(first.id, a, 0, 5)
    expect(said(refused)).toEqual([409, 'bed_taken_by@bed_id'])
    const [name] = await h.q<{ name: string }>('select name from students where id = $1', [next.student.id])
    expect(refused.body.errors[0].en).toContain(name!.name)
    const free = (await officer('POST', `/hotels/reservation/beds/${first.id}`, { until_day: await h.day(5) })).body
    expect(free.data.map((bed: any) => bed.id)).toContain(b)
    expect(free.data.map((bed: any) => bed.id)).not.toContain(a)
    expect(said(await move(first.id, a, 1, 3))).toEqual([409, 'stay_inside@from_day'])
    // On the first day, the whole stay is in the other bed.
    ok(await move(first.id, b, 0, 5))
    expect(await h.stay(first.id)).toMatchObject({ status: 'checked_in', bed_id: b })
    // Later the nights that were slept stay where they were, and a stay goes on in the other bed.
    await h.q(`update hotel_reservations set from_day = from_day - 2 where id = $1`, [first.id])
    const moved = ok(await move(first.id, (await h.room(men, 1)).beds[0]!, -2, 4)) as any
    expect(moved.id).not.toBe(first.id)
    expect(await h.stay(first.id)).toMatchObject({
      status: 'checked_out',
      bed_id: b,
      until_day: await h.day(0),
      invoice_id: null,
    })
    const on = await h.stay(moved.id)
    expect(on).toMatchObject({ status: 'checked_in', from_day: await h.day(0), continues_id: first.id })
    // Six nights in all, on the one invoice.
    expect(await h.m.stands(on.invoice_id)).toEqual([0, 6 * PRICES.BED_NIGHT + PRICES.BED_DEPOSIT])
  })

  it('a night in which the clock changes is one night, in spring and in autumn, and guests follow each other on that day', async () => {
    const changes = await h.q<{ ahead: number; hours: number }>(
      `select d as ahead, (extract(epoch from (university_today() + d + 1)::timestamp at time zone university_zone()
          - (university_today() + d)::timestamp at time zone university_zone()) / 3600)::int as hours
       from generate_series(2, 366) d
       where (university_today() + d + 1)::timestamp at time zone university_zone()
         - (university_today() + d)::timestamp at time zone university_zone() <> interval '24 hours' order by d limit 2`,
    )
    expect(changes.map(({ hours }) => hours).toSorted()).toEqual([23, 25])
    for (const { ahead } of changes) {
      const [bed] = (await h.room(men, 1)).beds as [number]
      const { id } = await housed(ahead - 1, ahead + 2, bed)
      const stay = await h.stay(id)
      expect([stay.from_day, stay.until_day]).toEqual([await h.day(ahead - 1), await h.day(ahead + 2)])
      expect(await h.m.stands(stay.invoice_id)).toEqual([0, 3 * PRICES.BED_NIGHT + PRICES.BED_DEPOSIT])
      // Shorter by the night that is longer or shorter, and the next guest comes on that day.
      ok(await move(id, bed, ahead - 1, ahead + 1))
      expect(await h.m.stands(stay.invoice_id)).toEqual([0, 2 * PRICES.BED_NIGHT + PRICES.BED_DEPOSIT])
      await housed(ahead + 1, ahead + 2, bed)
    }
  })

  it('only where the guest may sleep', async () => {
    const { id } = await housed(10, 12, (await h.room(men, 1)).beds[0]!)
    const to = async (of: { beds: number[] }) => said(await move(id, of.beds[0]!, 10, 12))
    expect(await to(await h.room(women, 1))).toEqual([409, 'bed_gender@bed_id'])
    expect(await to(await h.room(men, 1, { audience: 'staff', faculty_id: h.w.otherFaculty, level: 7 }))).toEqual([
      409,
      'bed_audience@bed_id',
      'bed_faculty@bed_id',
      'bed_level@bed_id',
    ])
    expect(said(await move(id, 999_999, 10, 12))).toEqual([409, 'bed_removed@bed_id'])
    ok(await move(id, (await h.room(women, 1, { gender: 'families' })).beds[0]!, 10, 12))
    // The database knows it by itself, and what it says has words.
    const lady = (await h.room(women, 1)).beds[0]!
    await expect(h.q('update hotel_reservations set bed_id = $2 where id = $1', [id, lady])).rejects.toThrow(
      'the room is for others',
    )
    const unknown = await h.student()
    await h.q('update students set gender = null where id = $1', [unknown.id])
    const waits = await asked(unknown, 10, 12)
    expect(said(await stage(waits, 'confirmed', { bed_id: lady }))).toEqual([409, 'bed_gender_unknown@bed_id'])
  })
})

describe('rooms and closed times', () => {
  it('nothing is closed or changed under somebody who stays there', async () => {
    const room = await h.room(men, 2)
    const { id } = await housed(10, 12, room.beds[0]!)
    const close = async (from: number, until: number, more: object = {}) =>
      officer('PUT', '/bed-closings', {
        room_id: room.id,
        from_day: await h.day(from),
        until_day: await h.day(until),
        reason: 'Painting',
        ...more,
      })
    const refused = await close(11, 20)
    expect(said(refused)).toEqual([409, 'closing_has_stay@from_day'])
    expect(said(await close(11, 20, { bed_id: room.beds[0] }))).toEqual([409, 'closing_has_stay@from_day'])
    expect(said(await close(12, 12))).toEqual([422, 'stay_days@until_day'])
    expect(said(await close(12, 20, { bed_id: (await h.room(men, 1)).beds[0] }))).toEqual([
      422,
      'closing_elsewhere@bed_id',
    ])
    const closed = ok(await close(12, 20)) as any
    expect(said(await move(id, room.beds[0]!, 10, 13))).toEqual([409, 'bed_closed@bed_id'])
    ok(await officer('DELETE', `/bed-closings/${closed.id}`))
    ok(await move(id, room.beds[0]!, 10, 13))
    expect(code(await officer('POST', `/bed-closings/restore/${closed.id}`))).toEqual([422, 'closing_stays'])
    const change = (more: object) => officer('PUT', `/hostel-rooms/${room.id}`, more)
    expect(said(await change({ gender: 'women' }))).toEqual([409, 'room_stays_other@gender'])
    expect(said(await change({ beds: [{ id: room.beds[1], code: 'B' }] }))).toEqual([409, 'bed_has_stay@beds'])
    expect(code(await officer('DELETE', `/hostel-rooms/${room.id}`))).toEqual([409, 'bed_has_stay'])
    ok(await change({ gender: 'families' }))
    ok(await change({ gender: 'men' }))
    ok(await change({ beds: [{ id: room.beds[0], code: 'A' }, { code: 'C' }] }))
    expect(code(await change({ beds: [{ id: room.beds[0], code: 'A' }, { code: 'A' }] }))).toEqual([
      422,
      'hostel_bed_twice',
    ])
    // Once somebody slept in it, a bed stays.
    ok(await stage(id, 'cancelled'))
    expect(code(await change({ beds: [] }))).toEqual([409, 'hostel_bed_used'])
    // What the database guards by itself.
    const other = await housed(10, 12, room.beds[0]!)
    await expect(h.q(`update hostel_rooms set gender = 'women' where id = $1`, [room.id])).rejects.toThrow(
      'somebody stays there',
    )
    await expect(
      h.q(
        `insert into bed_closings (room_id, from_day, until_day, reason) select $1, from_day, until_day, 'Paint' from hotel_reservations where id = $2`,
        [room.id, other.id],
      ),
    ).rejects.toThrow('somebody stays there')
  })

  it('a building with a hostel, a hostel with rooms, stay', async () => {
    const own = await h.hostel('men')
    await h.room(own, 1)
    const root = await h.u.as('admin')
    const [building] = await h.q<{ building_id: number }>('select building_id from hostels where id = $1', [own])
    expect((await root('DELETE', `/buildings/${building!.building_id}`)).status).toBe(409)
    expect((await root('DELETE', `/hostels/${own}`)).status).toBe(409)
    const put = async (more: object) =>
      root('PUT', '/hostel-rooms', {
        hostel_id: own,
        code: 'X1',
        floor: 1,
        kind_id: h.double,
        gender: 'men',
        beds: [],
        ...more,
      })
    ok(await put({}))
    expect(code(await put({}))).toEqual([422, 'hostel_room_twice'])
  })

  it('a bed is closed and given at the same moment: one of them', async () => {
    for (let round = 0; round < 4; round++) {
      const room = await h.room(men, 1)
      const id = await asked(await h.student(), 10, 12)
      const [closed, given] = await Promise.all([
        officer('PUT', '/bed-closings', {
          room_id: room.id,
          from_day: await h.day(9),
          until_day: await h.day(14),
          reason: 'Painting',
        }),
        stage(id, 'confirmed', { bed_id: room.beds[0] }),
      ])
      expect([closed.status, given.status].filter((status) => status === 200)).toHaveLength(1)
      expect(['closing_has_stay', 'closing_stays', 'bed_closed']).toContain(
        code(closed.status === 200 ? given : closed)[1],
      )
    }
  })
})

describe('groups', () => {
  it('hold beds, which members are given', async () => {
    const own = await h.hostel('men')
    await h.room(own, 3)
    const hold = async (beds: number, more: object = {}) =>
      officer('PUT', '/bed-groups', {
        name: 'Chess club',
        hostel_id: own,
        from_day: await h.day(40),
        until_day: await h.day(44),
        beds,
        ...more,
      })
    expect(said(await hold(4))).toEqual([409, 'group_beds_short@beds'])
    expect(said(await hold(1, { until_day: await h.day(40) }))).toEqual([422, 'stay_days@until_day'])
    const group = ok(await hold(2)) as any
    const member = (body: object) => officer('POST', `/bed-groups/${group.id}/members`, body)
    expect(code(await member({ guest_name: 'Lady', gender: 2 }))).toEqual([409, 'bed_gender'])
    expect(code(await member({}))).toEqual([422, 'member_for_whom'])
    const one = await h.student()
    expect(said(await member({ student_id: 999_999 }))).toEqual([422, 'reference_missing@student_id'])
    const gone = await h.student()
    await suspend(gone.id)
    expect(said(await member({ student_id: gone.id }))).toEqual([409, 'stay_left'])
    for (const answer of [
      await officer('POST', '/bed-groups/999999/members', { student_id: one.id }),
      await officer('GET', '/bed-groups/999999/places'),
    ])
      expect(said(answer)).toEqual([404, 'not_found'])
    const given = ok(await member({ student_id: one.id })) as any
    expect(code(await member({ student_id: one.id }))).toEqual([409, 'reservation_other'])
    // Beds of a group are not charged to its members.
    expect((await h.stay(given.id)).invoice_id).toBeNull()
    ok(await member({ guest_name: 'Guest', gender: 1 }))
    expect(code(await member({ guest_name: 'Late', gender: 1 }))).toEqual([409, 'group_full'])
    expect((ok(await officer('GET', `/bed-groups/${group.id}/places`)) as any[]).map((row) => row.name)).toContain(
      'Guest',
    )
    expect(said(await hold(2))).toEqual([409, 'group_beds_short@beds'])
    expect(code(await officer('DELETE', `/bed-groups/${group.id}`))).toEqual([409, 'group_members'])
    // A bed of the group that nobody was given is moved like any other, and nobody checks in there.
    const small = ok(await hold(1)) as any
    const [held] = ok(await officer('GET', `/bed-groups/${small.id}/places`)) as any[]
    expect(code(await officer('POST', `/hotels/reservation/checkIn/${held.id}`, {}))).toContain('stay_nobody')
    const extra = await h.room(own, 1)
    ok(await move(held.id, extra.beds[0]!, 40, 44))
    expect((await move(held.id, (await h.room(women, 1)).beds[0]!, 40, 44)).status).toBe(409)
    ok(await officer('DELETE', `/bed-groups/${small.id}`))
    ok(await hold(2))
  })
})

it('the database guards by itself what the rules refuse', async () => {
  const { beds, id: room } = await h.room(men, 2)
  const guest = `insert into hotel_reservations (guest_name, gender, from_day, until_day, status, bed_id)`
  const refused = async (constraint: string, text: string, values: unknown[] = []) =>
    expect(
      await h.q(text, values).then(
        () => null,
        (error: { constraint?: string }) => error.constraint,
      ),
    ).toBe(constraint)
  const [from, until] = [await h.day(50), await h.day(55)]
  // Neither who works here nor a guest is in two beds.
  for (const [column, who, constraint] of [
    ['staff_id', await h.worker(), 'reservation_twice_staff'],
    ['guest_id', await h.guest(), 'reservation_twice_guest'],
  ] as const) {
    const twice = `insert into hotel_reservations (${column}, gender, from_day, until_day) values ($3, 1, $1, $2)`
    await h.q(twice, [from, until, who])
    await refused(constraint, twice, [from, until, who])
  }
  await refused('reservation_order', `${guest} values ('A', 1, $1, $1, 'requested', null)`, [from])
  await refused('reservation_bed', `${guest} values ('A', 1, $1, $2, 'confirmed', null)`, [from, until])
  await refused('reservation_who', `insert into hotel_reservations (from_day, until_day) values ($1, $2)`, [
    from,
    until,
  ])
  await refused('bed_gender', `${guest} values ('A', 2, $1, $2, 'confirmed', $3)`, [from, until, beds[0]])
  await h.q(`${guest} values ('A', 1, $1, $2, 'confirmed', $3)`, [from, until, beds[0]])
  await refused('bed_taken', `${guest} values ('B', 1, $1, $2, 'checked_in', $3)`, [from, until, beds[0]])
  await refused(
    'bed_closing_order',
    `insert into bed_closings (room_id, from_day, until_day, reason) values ($1, $2, $2, 'Paint')`,
    [room, from],
  )
  await refused(
    'closing_stays',
    `insert into bed_closings (room_id, from_day, until_day, reason) values ($1, $2, $3, 'Paint')`,
    [room, from, until],
  )
  await refused(
    'closing_elsewhere',
    `insert into bed_closings (room_id, bed_id, from_day, until_day, reason) values ($1, $2, $3, $4, 'Paint')`,
    [room, (await h.room(men, 1)).beds[0], from, until],
  )
  await refused('room_stays', `update hostel_rooms set removed_at = now() where id = $1`, [room])
  await refused(
    'bed_group_order',
    `insert into bed_groups (name, hostel_id, from_day, until_day, beds) values ('G', $1, $2, $2, 1)`,
    [men, from],
  )
  await h.q(`update hostel_rooms set removed_at = now() where id = $1`, [(await h.room(women, 1)).id])
  const gone = (
    await h.q<{ id: number }>(
      `select b.id from hostel_beds b join hostel_rooms r on r.id = b.room_id where r.removed_at is not null`,
    )
  )[0]!
  await refused('bed_removed', `${guest} values ('A', 2, $1, $2, 'confirmed', $3)`, [from, until, gone.id])
  // One who was wished for twice is one.
  const [one, two] = [await h.student(), await h.student()]
  const [mate] = await h.q<{ code: string }>('select code from students where id = $1', [two.id])
  const id = await asked(one, 60, 61, { mates: [mate!.code, mate!.code] })
  await refused('bed_mate_twice', `insert into bed_mates (reservation_id, student_id) values ($1, $2)`, [id, two.id])
  const chair = { name: 'Chair', name_local: 'كرسي', price: 100 }
  expect(
    code(await officer('PUT', '/room-kinds', { code: 'X', name: 'X', name_local: 'س', items: [chair, chair] })),
  ).toEqual([422, 'room_item_twice'])
})
