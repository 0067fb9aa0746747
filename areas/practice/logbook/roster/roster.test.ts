/** Duties through HTTP: drawn and judged, published, swapped by two with approval; who is named for them confirms. */
import { ok, reasons, type Answer, type Caller } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entry, logbookWorld, send, type Intern, type LogbookWorld } from '../testing.server.ts'

let w: LogbookWorld
let ward: number
let teacher: Caller & { readonly instructor_id: number }
let interns: Intern[]
let night: number
let day: number
let roster: number
const refused = (answer: Answer, status: number, ...codes: string[]) =>
  expect([answer.status, ...reasons(answer).toSorted()]).toEqual([status, ...codes.toSorted()])

beforeAll(async () => {
  w = await logbookWorld()
  ward = await w.training(w.types[0], 20)
  teacher = await w.supervisor(ward)
  interns = []
  for (let i = 0; i < 5; i++) interns.push(await w.intern())
  for (const who of interns) await w.placed(who, ward, 0)
}, 120_000)
afterAll(() => w?.uni.close())

const kind = async (code: string, part: string, from_time: string, to_time: string, count = 1): Promise<number> =>
  ok(
    await w.office('PUT', '/duty-kinds', {
      code,
      name: code,
      name_local: 'نوبتجية',
      training_id: ward,
      part,
      from_time,
      to_time,
      interns: count,
    }),
  ).id
const draw = async (from: number, until: number, by = w.office) =>
  by('POST', `/emtyaz/roster/${ward}`, { starts_on: await w.day(from), ends_on: await w.day(until) })
const shifts = () =>
  w.q<{ id: number; student_id: number; kind_id: number; day: string; starts_at: string; ends_at: string }>(
    `select d.id, student_id, kind_id, day::text, starts_at, ends_at from duty_shifts d where roster_id = $1 order by starts_at, id`,
    [roster],
  )

test('duties are drawn fairly, nobody without rest or on leave, and published without what breaks a rule', async () => {
  refused(await draw(1, 14), 409, 'duty_no_kinds')
  day = await kind('DAY', 'day', '08:00', '16:00', 2)
  night = await kind('NIGHT', 'night', '20:00', '08:00')
  refused(
    await w.office('PUT', '/duty-kinds', {
      code: 'X',
      name: 'X',
      name_local: 'س',
      training_id: ward,
      part: 'day',
      from_time: '08:00',
      to_time: '08:00',
      interns: 1,
    }),
    422,
    'duty_kind_times@to_time',
  )
  refused(
    await interns[0]!('POST', `/emtyaz/roster/${ward}`, { starts_on: await w.day(1), ends_on: await w.day(2) }),
    403,
    'not_allowed',
  )
  refused(await draw(3, 1), 422, 'duty_roster_days@ends_on')
  const away = interns[4]!
  await w.q(
    `insert into emtyaz_leaves (intern_id, starts_on, ends_on, kind) values ($1, university_today() + 1, university_today() + 7, 'illness')`,
    [away.intern_id],
  )
  ok(await interns[0]!('PUT', '/emtyaz/duties/wishes', { days: [await w.day(3)] }))
  const drawn = ok(await draw(1, 14, teacher))
  expect(drawn.problems).toEqual([])
  roster = drawn.id
  const all = await shifts()
  expect(all).toHaveLength(14 * 3)
  const leave = await w.day(7)
  expect(all.filter((one) => one.student_id === away.student_id && one.day <= leave)).toEqual([])
  for (const { student_id } of interns) {
    const own = all.filter((one) => one.student_id === student_id)
    own
      .slice(1)
      .forEach((one, i) =>
        expect(Date.parse(one.starts_at) - Date.parse(own[i]!.ends_at)).toBeGreaterThanOrEqual(11 * 3_600_000),
      )
  }
  const nights = interns
    .slice(0, 4)
    .map(({ student_id }) => all.filter((one) => one.student_id === student_id && one.kind_id === night).length)
  expect(Math.max(...nights) - Math.min(...nights)).toBeLessThanOrEqual(1)
  // Not published, they are nobody's yet.
  expect(ok(await interns[0]!('GET', '/emtyaz/duties')).shifts).toEqual([])
  refused(await teacher('PUT', `/emtyaz/roster/withdraw/${roster}`, { reason: 'Not yet' }), 409, 'duty_not_published')
  // What breaks a rule since it was drawn is not published.
  const [hers] = all.filter((one) => one.student_id === interns[1]!.student_id)
  await w.q(`insert into emtyaz_leaves (intern_id, starts_on, ends_on, kind) values ($1, $2, $2, 'holiday')`, [
    interns[1]!.intern_id,
    hers!.day,
  ])
  const broken = await teacher('PUT', `/emtyaz/roster/publish/${roster}`, {})
  expect([broken.status, new Set(reasons(broken))]).toEqual([409, new Set(['duty_on_leave'])])
  await w.q('delete from emtyaz_leaves where intern_id = $1', [interns[1]!.intern_id])
  ok(await teacher('PUT', `/emtyaz/roster/publish/${roster}`, {}))
  refused(await draw(1, 14), 409, 'duty_roster_twice')
  refused(await teacher('DELETE', `/emtyaz/roster/${roster}`), 409, 'duty_published')
  refused(await teacher('PUT', `/emtyaz/roster/publish/${roster}`, {}), 409, 'duty_published')
  const own = ok(await interns[0]!('GET', '/emtyaz/duties'))
  expect(own.shifts.length).toBe(own.all)
  expect(own.nights).toBe(own.shifts.filter((one: { kind: { part: string } }) => one.kind.part === 'night').length)
  expect(ok(await w.office('GET', `/emtyaz/duties/intern/${interns[0]!.intern_id}`))).toMatchObject({
    nights: own.nights,
  })
  refused(await interns[1]!('GET', `/emtyaz/duties/intern/${interns[0]!.intern_id}`), 404, 'not_found')
  const seen = ok(await interns[1]!('GET', `/emtyaz/roster/${ward}`))
  expect([seen.plans, seen.shifts.length, seen.burden.length]).toEqual([false, 42, 5])
  expect(ok(await teacher('GET', `/emtyaz/roster/${ward}`)).rosters).toMatchObject([{ id: roster, problems: [] }])
  expect(ok(await teacher('GET', '/emtyaz/roster')).map(({ id }: { id: number }) => id)).toEqual([ward])
  const far = await w.supervisor(await w.training(w.types[1], 2))
  refused(await far('GET', `/emtyaz/roster/${ward}`), 404, 'not_found')
  refused(await far('PUT', `/emtyaz/roster/publish/${roster}`, {}), 404, 'not_found')
  const calendar = await w.uni.app.inject({
    method: 'GET',
    url: '/api/emtyaz/duties/calendar',
    headers: { authorization: `Bearer ${interns[0]!.token}` },
  })
  expect(calendar.body.match(/BEGIN:VEVENT/g)).toHaveLength(own.all)
})

test('where it is impossible it is said why; nothing that breaks a rule is given by hand', async () => {
  const small = await w.training(w.types[1], 5)
  const who = await w.intern()
  await w.placed(who, small, 0)
  ok(
    await w.office('PUT', '/duty-kinds', {
      code: 'ALL',
      name: 'All day',
      name_local: 'يوم',
      training_id: small,
      part: 'day',
      from_time: '08:00',
      to_time: '22:00',
      interns: 1,
    }),
  )
  const { problems } = ok(
    await w.office('POST', `/emtyaz/roster/${small}`, { starts_on: await w.day(1), ends_on: await w.day(2) }),
  )
  expect(problems).toMatchObject([{ code: 'duty_not_filled', data: { missing: 1, there: 1, resting: 1 } }])
  refused(
    await w.office('POST', `/emtyaz/roster/${await w.training(w.types[2], 5)}`, {
      starts_on: await w.day(1),
      ends_on: await w.day(2),
    }),
    409,
    'duty_no_kinds',
  )
  // Somebody of another training, and the same twice.
  const [first] = await shifts()
  expect(reasons(await teacher('PUT', `/emtyaz/roster/shift/${first!.id}`, { student_id: who.student_id }))).toContain(
    'duty_not_there',
  )
  refused(
    await teacher('PUT', `/emtyaz/roster/shift/${first!.id}`, { student_id: first!.student_id }),
    409,
    'duty_shift_twice',
  )
  await expect(
    w.q(
      `insert into duty_shifts (roster_id, kind_id, student_id, day, starts_at, ends_at, rests_until)
       select roster_id, kind_id, student_id, day + 50, ends_at + interval '10 hours', ends_at + interval '12 hours', ends_at + interval '23 hours'
       from duty_shifts where id = $1`,
      [first!.id],
    ),
  ).rejects.toThrow(/duty_rest/)
})

test('a duty is given to somebody else: to whom it may be is told with reasons, and both hear of it', async () => {
  const shown = async (id: number, by: Caller = teacher) => ok(await by('GET', `/emtyaz/roster/shift/${id}`))
  type Shown = { version: number; student: { id: number }; interns: { id: number; reasons: { code: string }[] }[] }
  let duty = 0
  let of: Shown | null = null
  for (const { id } of (await shifts()).toReversed()) {
    const one = (await shown(id)) as Shown
    const may = one.interns.filter(({ reasons: against }) => !against.length).length
    if (may === 0 || may === one.interns.length) continue
    duty = id
    of = one
    break
  }
  expect(of).not.toBeNull()
  const { version, student, interns: others } = of!
  expect(others.some(({ id }) => id === student.id)).toBe(false)
  const may = others.find(({ reasons: against }) => !against.length)!
  const not = others.find(({ reasons: against }) => against.length)!
  const give = (student_id: number, seen = version, by: Caller = teacher) =>
    by('PUT', `/emtyaz/roster/shift/${duty}`, { student_id, version: seen })
  refused(await give(may.id, version + 1), 409, 'changed_meanwhile')
  refused(await give(not.id), 409, ...not.reasons.map(({ code }) => code))
  // Who is in another training, another faculty, or no planner.
  const stranger = await w.uni.as('faculty_registrar', ['faculty', w.faculty[1]])
  const far = await w.supervisor(await w.training(w.types[1], 2))
  for (const by of [stranger, far]) {
    refused(await by('GET', `/emtyaz/roster/shift/${duty}`), 404, 'not_found')
    refused(await give(may.id, version, by), 404, 'not_found')
  }
  refused(await interns[0]!('GET', `/emtyaz/roster/shift/${duty}`), 403, 'not_allowed')
  // A swap under way that wanted this duty ends.
  const [other] = (await shifts()).filter((one) => one.student_id !== student.id)
  const swap = await w.one(
    `insert into duty_swaps (shift_id, with_shift_id, student_id, other_id, training_id, why) values ($1, $2, $3, $4, $5, 'x') returning id`,
    [duty, other!.id, student.id, other!.student_id, ward],
  )
  // Of two who give it at a moment, the second is told.
  const both = await Promise.all([give(may.id), give(may.id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await w.one(`select student_id as id from duty_shifts where id = $1`, [duty])).toBe(may.id)
  expect(await w.q(`select status from duty_swaps where id = $1`, [swap])).toEqual([{ status: 'cancelled' }])
  const told = await w.q<{ key: string; student_id: number }>(
    `select n.key, s.id as student_id from notifications n join students s on s.user_id = n.user_id
     where n.key in ('logbook.notice_duty_given', 'logbook.notice_duty_taken') order by n.key`,
  )
  expect(told).toEqual([
    { key: 'logbook.notice_duty_given', student_id: may.id },
    { key: 'logbook.notice_duty_taken', student_id: student.id },
  ])
  await w.q(`delete from duty_swaps where id = $1`, [swap])
})

test('two swap with approval, by rules judged again; nobody else does', async () => {
  const [mona] = interns as [Intern]
  const found = (await shifts()).filter(({ student_id }) => student_id === mona.student_id)
  let pair: { shift_id: number; with_shift_id: number } | null = null
  let other: Intern | undefined
  for (const { id } of found) {
    const [fits] = ok(await mona('GET', `/emtyaz/duties/swaps/${id}`))
    if (!fits) continue
    pair = { shift_id: id, with_shift_id: fits.id }
    other = interns.find(({ student_id }) => student_id === fits.student.id)
    break
  }
  expect(pair).not.toBeNull()
  // Whoever is on leave on the other day does not ask for it.
  const away = (
    await w.q<{ day: string }>('select day::text from duty_shifts where id = $1', [pair!.with_shift_id])
  )[0]!
  await w.q(`insert into emtyaz_leaves (intern_id, starts_on, ends_on, kind) values ($1, $2, $2, 'holiday')`, [
    mona.intern_id,
    away.day,
  ])
  refused(await mona('POST', '/emtyaz/duties/swaps', { ...pair, why: 'A wedding' }), 409, 'duty_on_leave')
  await w.q('delete from emtyaz_leaves where intern_id = $1', [mona.intern_id])
  expect(await w.q('select from duty_swaps where shift_id = $1', [pair!.shift_id])).toEqual([])
  const asked = await mona('POST', '/emtyaz/duties/swaps', { ...pair, why: 'A wedding' })
  const { id } = ok(asked)
  refused(await mona('POST', '/emtyaz/duties/swaps', { ...pair, why: 'A wedding' }), 422, 'duty_swap_waits@shift_id')
  refused(await other!('POST', '/emtyaz/duties/swaps', { ...pair, why: 'Not mine' }), 422, 'reference_missing@shift_id')
  const third = interns.find((one) => one !== mona && one !== other)!
  refused(await third('POST', `/duty-swaps/agree/${id}`, {}), 404, 'not_found')
  refused(await mona('POST', `/duty-swaps/agree/${id}`, {}), 403, 'step_own', 'step_permission')
  refused(await other!('POST', `/duty-swaps/cancel/${id}`, {}), 403, 'step_permission')
  refused(await teacher('POST', `/duty-swaps/accept/${id}`, {}), 409, 'step_state')
  ok(await other!('POST', `/duty-swaps/agree/${id}`, {}))
  refused(await other!('POST', `/duty-swaps/accept/${id}`, {}), 403, 'not_allowed')
  // Leave that came meanwhile: judged again.
  const day = (await w.q<{ day: string }>(`select day::text from duty_shifts where id = $1`, [pair!.with_shift_id]))[0]!
    .day
  await w.q(`insert into emtyaz_leaves (intern_id, starts_on, ends_on, kind) values ($1, $2, $2, 'holiday')`, [
    mona.intern_id,
    day,
  ])
  refused(await teacher('POST', `/duty-swaps/accept/${id}`, {}), 409, 'duty_on_leave')
  await w.q(`delete from emtyaz_leaves where intern_id = $1`, [mona.intern_id])
  ok(await teacher('POST', `/duty-swaps/accept/${id}`, {}))
  const after = await w.q<{ id: number; student_id: number }>(
    `select id, student_id from duty_shifts where id = any($1)`,
    [[pair!.shift_id, pair!.with_shift_id]],
  )
  expect(after.find((one) => one.id === pair!.shift_id)!.student_id).toBe(other!.student_id)
  expect(after.find((one) => one.id === pair!.with_shift_id)!.student_id).toBe(mona.student_id)
})

test('what has begun or changed meanwhile is neither swapped nor taken back', async () => {
  const [mona, , third] = interns as [Intern, Intern, Intern]
  const pair = async () => {
    const [a] = await w.q<{ id: number; student_id: number }>(
      `select id, student_id from duty_shifts where roster_id = $1 and student_id = $2 and starts_at > now() and not exists (
        select from duty_swaps s where s.shift_id = duty_shifts.id) order by starts_at desc limit 1`,
      [roster, mona.student_id],
    )
    const [b] = await w.q<{ id: number }>(
      `select id from duty_shifts where roster_id = $1 and student_id = $2 order by starts_at desc limit 1`,
      [roster, third.student_id],
    )
    return [a!.id, b!.id] as const
  }
  const [a, b] = await pair()
  const id = await w.one(
    `insert into duty_swaps (shift_id, with_shift_id, student_id, other_id, training_id, why) values ($1, $2, $3, $4, $5, 'x') returning id`,
    [a, b, mona.student_id, third.student_id, ward],
  )
  await w.q(`update duty_swaps set other_id = $1 where id = $2`, [interns[4]!.student_id, id])
  expect(reasons(await interns[4]!('POST', `/duty-swaps/agree/${id}`, {}))).toContain('duty_swap_gone')
  await w.q(`update duty_swaps set other_id = $1 where id = $2`, [third.student_id, id])
  await w.q(
    `update duty_shifts set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour', rests_until = now() + interval '12 hours' where id = $1`,
    [a],
  )
  expect(reasons(await third('POST', `/duty-swaps/agree/${id}`, {}))).toContain('duty_swap_begun')
  refused(await w.office('DELETE', `/duty-kinds/${day}`), 409, 'duty_kind_used')
  await w.q(`update duty_shifts set day = university_today() - 1 where id = $1`, [a])
  refused(
    await teacher('PUT', `/emtyaz/roster/withdraw/${roster}`, { reason: 'The wards change' }),
    409,
    'duty_roster_begun',
  )
  const empty = await w.training(w.types[2], 5)
  ok(
    await w.office('PUT', '/duty-kinds', {
      code: 'E',
      name: 'E',
      name_local: 'ن',
      training_id: empty,
      part: 'day',
      from_time: '08:00',
      to_time: '12:00',
      interns: 1,
    }),
  )
  refused(
    await w.office('POST', `/emtyaz/roster/${empty}`, { starts_on: await w.day(1), ends_on: await w.day(2) }),
    409,
    'duty_nobody',
  )
})

test('where somebody is named for a duty, nobody else confirms what was done in it', async () => {
  const [mona] = interns as [Intern]
  const type = await w.type(w.courses[0], { done: 1 })
  const rotation = await w.one(`select id from emtyaz_rotations where student_id = $1`, [mona.student_id])
  const named = await w.supervisor(ward)
  const away = await w.supervisor(await w.training(w.types[1], 2))
  const today = await w.day(0)
  refused(
    await teacher('PUT', `/emtyaz/roster/supervisors/${night}`, { day: today, instructor_ids: [away.instructor_id] }),
    409,
    'duty_no_supervisor@instructor_ids',
  )
  const one = entry(rotation, type, { done_at: new Date().toISOString() })
  await send(mona, [one])
  const id = await w.one(`select id from logbook_entries where uuid = $1`, [one.uuid])
  // A duty around now, of a published roster of today.
  await w.q(`update duty_rosters set starts_on = $1 where id = $2`, [today, roster])
  const around = await kind('NOW', 'day', '00:00', '23:59')
  const yesterday = await w.day(-1)
  ok(
    await teacher('PUT', `/emtyaz/roster/supervisors/${around}`, { day: today, instructor_ids: [named.instructor_id] }),
  )
  expect(yesterday < today).toBe(true)
  refused(await teacher('POST', `/logbook-entries/confirm/${id}`, {}), 409, 'logbook_not_on_duty')
  ok(await named('POST', `/logbook-entries/confirm/${id}`, {}))
  expect(day).toBeGreaterThan(0)
})
