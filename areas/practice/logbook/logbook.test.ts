/** Logbooks through HTTP: sent once, refused with every reason, confirmed by who was there, and asked for at the end of the year. */
import { readSheet } from '#kit/server/sheets/index.ts'
import { ok, reasons, type Answer, type Caller } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entry, hoursFromNow, logbookWorld, sealed, send, type Intern, type LogbookWorld } from './testing.server.ts'

let w: LogbookWorld
let ward: number
let type: number
let teacher: Caller & { readonly instructor_id: number }
let mona: Intern
let rotation: number
const refused = (answer: Answer, status: number, ...codes: string[]) =>
  expect([answer.status, ...reasons(answer).toSorted()]).toEqual([status, ...codes.toSorted()])

beforeAll(async () => {
  w = await logbookWorld()
  ward = await w.training(w.types[0], 20)
  type = await w.type(w.courses[0], { observed: 1, assisted: 1, done: 2 })
  teacher = await w.supervisor(ward)
  mona = await w.intern()
  rotation = await w.placed(mona, ward, -14)
}, 120_000)
afterAll(() => w?.uni.close())

const mine = async (who: Caller) => ok(await who('GET', '/emtyaz/logbook'))
/** What became of each, as a word and the reasons. */
const results = (answer: Answer): [string, ...string[]][] =>
  ok(answer).map((one: { result: string; errors: { code: string }[] }) => [
    one.result,
    ...one.errors.map(({ code }) => code),
  ])
const stored = async (uuid: string) =>
  (
    await w.q<{
      id: number
      status: string
      version: number
      clock_ahead: number
      confirmed_how: string | null
      revision: number
    }>(`select * from logbook_entries where uuid = $1`, [uuid])
  )[0]!

test('what is sent twice, also at once, is stored once; each entry succeeds or fails by itself', async () => {
  const one = entry(rotation, type)
  const two = entry(rotation, type, { note: 'Patient Mohamed, 30 y' })
  const three = entry(rotation, type, { role: 'observed', note: 'BP 120/80, 16 Fr Foley with Dr Hany' })
  expect(results(await send(mona, [one, two, three]))).toEqual([
    ['stored'],
    ['refused', 'logbook_patient_name'],
    ['stored'],
  ])
  const again = await Promise.all([send(mona, [one, three]), send(mona, [one, three]), send(mona, [three, one])])
  for (const answer of again) expect(results(answer)).toEqual([['same'], ['same']])
  const fresh = entry(rotation, type)
  const both = await Promise.all([send(mona, [fresh]), send(mona, [fresh])])
  expect(
    both
      .flatMap(results)
      .map(([result]) => result)
      .toSorted(),
  ).toEqual(['same', 'stored'])
  const { entries } = await mine(mona)
  expect(entries.filter(({ uuid }: { uuid: string }) => uuid === fresh.uuid)).toHaveLength(1)
  expect(entries).toHaveLength(3)
  // The same number of somebody else says nothing of whose it is.
  const other = await w.intern()
  const hers = await w.placed(other, ward, -14)
  expect(results(await send(other, [{ ...one, rotation_id: hers }]))).toEqual([['refused', 'logbook_entry_twice']])
})

test('what is changed later takes the place of what was sent, whatever comes late', async () => {
  const one = entry(rotation, type, { note: 'First' })
  await send(mona, [one])
  const changed = { ...one, revision: 3, note: 'Third' }
  expect(results(await send(mona, [changed]))).toEqual([['stored']])
  expect(results(await send(mona, [{ ...one, revision: 2, note: 'Second' }]))).toEqual([['same']])
  expect(results(await send(mona, [{ ...one, revision: 3, note: 'Other' }]))).toEqual([
    ['refused', 'logbook_changed_elsewhere'],
  ])
  expect((await mine(mona)).entries.find(({ uuid }: { uuid: string }) => uuid === one.uuid).note).toBe('Third')
  expect(results(await send(mona, [{ ...one, revision: 4, removed: true }]))).toEqual([['stored']])
  expect((await mine(mona)).entries.some(({ uuid }: { uuid: string }) => uuid === one.uuid)).toBe(false)
})

test('a phone with a wrong clock: both times stay, and what lies outside the rotation is refused with the reason', async () => {
  // An hour ahead: what was typed by it is ahead with it.
  const ahead = entry(rotation, type, { done_at: hoursFromNow(0.9), phone_at: hoursFromNow(1) })
  expect(results(await send(mona, [ahead], 1))).toEqual([['stored']])
  expect(Math.round((await stored(ahead.uuid)).clock_ahead / 60)).toBe(60)
  expect(results(await send(mona, [entry(rotation, type, { done_at: hoursFromNow(0.9) })]))).toEqual([
    ['refused', 'logbook_to_come'],
  ])
  expect(results(await send(mona, [entry(rotation, type, { done_at: hoursFromNow(24 * 40) })], 24 * 40))).toEqual([
    ['refused', 'logbook_outside_rotation', 'logbook_clock_ahead'],
  ])
  expect(results(await send(mona, [entry(rotation, type, { done_at: hoursFromNow(-24 * 30) })], -24 * 20))).toEqual([
    ['refused', 'logbook_outside_rotation', 'logbook_clock_behind'],
  ])
  // A day before the rotation is let through, two are not.
  expect(results(await send(mona, [entry(rotation, type, { done_at: hoursFromNow(-24 * 15) })]))).toEqual([['stored']])
  expect(results(await send(mona, [entry(rotation, type, { done_at: hoursFromNow(-24 * 16 - 13) })]))).toEqual([
    ['refused', 'logbook_outside_rotation'],
  ])
})

test('an entry is of an own rotation and of its course', async () => {
  const other = await w.type(w.courses[1], { done: 1 })
  expect(results(await send(mona, [entry(rotation, other)]))).toEqual([['refused', 'logbook_other_course']])
  expect(results(await send(mona, [entry(999_999, type)]))).toEqual([['refused', 'logbook_no_rotation']])
  expect(results(await send(mona, [entry(rotation, 999_999)]))).toEqual([['refused', 'logbook_no_type']])
  refused(await send(teacher, [entry(rotation, type)]), 403, 'not_allowed')
  refused(
    await w.office('PUT', '/logbook-types', { code: 'X' }),
    422,
    ...reasons(await w.office('PUT', '/logbook-types', { code: 'X' })),
  )
  refused(await w.office('DELETE', `/logbook-types/${type}`), 409, 'logbook_type_used')
})

test('only who was on duty confirms; what is confirmed is not changed, and taken back by that person alone', async () => {
  const one = entry(rotation, type, { note: 'Cannula' })
  await send(mona, [one])
  const { id } = await stored(one.uuid)
  const late = await w.supervisor(ward, 5, 10)
  const away = await w.supervisor(await w.training(w.types[1], 2))
  refused(await late('POST', `/logbook-entries/confirm/${id}`, {}), 409, 'logbook_not_on_duty')
  refused(await away('POST', `/logbook-entries/confirm/${id}`, {}), 404, 'not_found')
  refused(await mona('POST', `/logbook-entries/confirm/${id}`, {}), 403, 'not_allowed')
  refused(await away('GET', `/emtyaz/logbook/entry/${one.uuid}`), 404, 'logbook_not_here')
  // By the code on the intern's phone.
  expect(ok(await mona('GET', `/emtyaz/logbook/code/${one.uuid}`)).url).toContain(one.uuid)
  refused(await away('GET', `/emtyaz/logbook/code/${one.uuid}`), 403, 'not_allowed')
  expect(ok(await teacher('GET', `/emtyaz/logbook/entry/${one.uuid}`))).toMatchObject({
    id,
    abilities: ['confirm', 'reject'],
  })
  ok(await teacher('POST', `/emtyaz/logbook/entry/${one.uuid}`, {}))
  expect(await stored(one.uuid)).toMatchObject({ status: 'confirmed', confirmed_how: 'code' })
  expect(results(await send(mona, [{ ...one, revision: 2, note: 'Other' }]))).toEqual([
    ['refused', 'logbook_confirmed'],
  ])
  expect(results(await send(mona, [{ ...one, revision: 2, removed: true }]))).toEqual([
    ['refused', 'logbook_confirmed'],
  ])
  await expect(w.q(`update logbook_entries set note = 'x' where id = $1`, [id])).rejects.toThrow(/confirmed/)
  // Another supervisor of the same days.
  const other = await w.supervisor(ward)
  refused(
    await other('POST', `/logbook-entries/take_back/${id}`, { reason: 'It was another one' }),
    409,
    'logbook_confirmed_by',
  )
  refused(await teacher('POST', `/logbook-entries/take_back/${id}`, {}), 422, 'reason_required@reason')
  ok(await teacher('POST', `/logbook-entries/take_back/${id}`, { reason: 'It was another one' }))
  expect(await stored(one.uuid)).toMatchObject({ status: 'entered', confirmed_how: null })
  // A reason holds no patient either.
  refused(
    await teacher('POST', `/logbook-entries/reject/${id}`, { reason: 'It was Mr Hassan, MRN 4432' }),
    422,
    'logbook_patient_name@reason',
    'logbook_file_number@reason',
  )
  ok(await teacher('POST', `/logbook-entries/reject/${id}`, { reason: 'You only watched' }))
  expect((await mine(mona)).entries.find(({ uuid }: { uuid: string }) => uuid === one.uuid)).toMatchObject({
    status: 'rejected',
    why: 'You only watched',
  })
  expect(results(await send(mona, [{ ...one, revision: 2, role: 'observed' }]))).toEqual([['stored']])
  expect(await stored(one.uuid)).toMatchObject({ status: 'entered' })
})

test('a PIN confirms on the spot, also later; a wrong one leaves the entry stored, and guesses are few', async () => {
  refused(await teacher('PUT', '/emtyaz/logbook/pin', { pin: '123456' }), 422, 'logbook_pin_easy@pin')
  refused(await mona('PUT', '/emtyaz/logbook/pin', { pin: '482913' }), 403, 'not_allowed')
  ok(await teacher('PUT', '/emtyaz/logbook/pin', { pin: '482913' }))
  expect((await w.q<{ pin_hash: string }>(`select pin_hash from logbook_pins`))[0]!.pin_hash).not.toContain('482913')
  const { pin_key } = await mine(mona)
  const by = (uuid: string, pin: string, of = uuid, instructor_id = teacher.instructor_id) => ({
    pin: { instructor_id, sealed: sealed(pin, of, pin_key) },
  })
  const good = entry(rotation, type)
  const wrong = entry(rotation, type)
  const [first, second] = ok(
    await send(mona, [
      { ...good, ...by(good.uuid, '482913') },
      { ...wrong, ...by(wrong.uuid, '111222') },
    ]),
  )
  expect(first).toMatchObject({ result: 'stored', confirmed: true, errors: [] })
  expect(second).toMatchObject({ result: 'stored', confirmed: false, errors: [{ code: 'logbook_pin_wrong' }] })
  expect(await stored(good.uuid)).toMatchObject({ status: 'confirmed', confirmed_how: 'pin' })
  // Sealed for another entry, it is none.
  expect(ok(await send(mona, [{ ...wrong, ...by(wrong.uuid, '482913', good.uuid) }]))[0].errors).toMatchObject([
    { code: 'logbook_pin_wrong' },
  ])
  // Somebody who was not on duty.
  const late = await w.supervisor(ward, 5, 10)
  ok(await late('PUT', '/emtyaz/logbook/pin', { pin: '770143' }))
  expect(
    ok(await send(mona, [{ ...wrong, ...by(wrong.uuid, '770143', wrong.uuid, late.instructor_id) }]))[0].errors,
  ).toMatchObject([{ code: 'logbook_not_on_duty' }])
  let told = ''
  for (let i = 0; i < 8 && told !== 'too_many_requests'; i++)
    told = ok(await send(mona, [{ ...wrong, ...by(wrong.uuid, `00000${i}`) }]))[0].errors[0].code
  expect(told).toBe('too_many_requests')
  expect(await stored(wrong.uuid)).toMatchObject({ status: 'entered' })
})

test('a logbook is seen by the intern, who supervises, and the office; exported on paper and as a sheet', async () => {
  const other = await w.intern()
  const away = await w.supervisor(await w.training(w.types[1], 2))
  ok(await w.office('GET', `/emtyaz/logbook/intern/${mona.intern_id}`))
  ok(await teacher('GET', `/emtyaz/logbook/intern/${mona.intern_id}`))
  refused(await other('GET', `/emtyaz/logbook/intern/${mona.intern_id}`), 404, 'not_found')
  refused(await away('GET', `/emtyaz/logbook/intern/${mona.intern_id}`), 404, 'not_found')
  const ids = async (who: Caller) =>
    ((await who('GET', '/emtyaz/logbook/interns')).body as { data: { id: number }[] }).data.map(({ id }) => id)
  expect(await ids(teacher)).toContain(mona.intern_id)
  expect(await ids(away)).toEqual([])
  expect(await ids(other)).toEqual([other.intern_id])
  const rows = async (who: Caller) => ok(await who('POST', '/logbook-entries', { perPage: 50 })).length
  expect(await rows(teacher)).toBeGreaterThan(3)
  expect(await rows(away)).toBe(0)
  const file = await w.uni.app.inject({
    method: 'GET',
    url: `/api/emtyaz/logbook/export-xlsx/${mona.intern_id}`,
    headers: { authorization: `Bearer ${mona.token}` },
  })
  const { sheets } = await readSheet(file.rawPayload, { maxRows: 100 })
  expect(sheets.map(({ name }) => name)).toEqual(['Progress', 'Entries'])
  const paper = await w.uni.app.inject({
    method: 'GET',
    url: `/api/emtyaz/logbook/export-pdf/${mona.intern_id}?lang=ar`,
    headers: { authorization: `Bearer ${w.office.token}` },
  })
  expect(paper.rawPayload.subarray(0, 4).toString()).toBe('%PDF')
  refused(await other('GET', `/emtyaz/logbook/export-pdf/${mona.intern_id}`), 404, 'not_found')
})

test('the year is not done while the logbook is not; more in a higher role counts in a lower one', async () => {
  const who = await w.intern()
  const of = await w.placed(who, ward, -14)
  const missing = async () =>
    ok(await w.office('GET', `/emtyaz/student_registration/${who.intern_id}`)).missing.filter(
      ({ code }: { code: string }) => code === 'logbook_missing',
    )
  expect(await missing()).toMatchObject([{ data: { count: 0, needed: 4 } }, { data: { count: 0, needed: 1 } }])
  const four = [1, 2, 3, 4].map(() => entry(of, type))
  await send(who, four)
  for (const one of four) ok(await teacher('POST', `/logbook-entries/confirm/${(await stored(one.uuid)).id}`, {}))
  expect(await missing()).toMatchObject([{ data: { count: 0, needed: 1 } }])
  expect(reasons(await w.office('PUT', `/emtyaz/complete/${who.intern_id}`, {}))).toContain('logbook_missing')
})

test('what is of no year, no supervisor, or rejected is refused', async () => {
  const stranger = await w.intern({ year: null })
  expect((await stranger('GET', '/emtyaz/logbook')).body).toEqual({ data: null })
  expect(results(await send(stranger, [entry(rotation, type)]))).toEqual([['refused', 'logbook_no_rotation']])
  // Rights without the record that they are about.
  const nobody = await w.uni.as('student', undefined, { type: 3 })
  refused(await send(nobody, [entry(rotation, type)]), 403, 'logbook_no_intern')
  refused(await nobody('PUT', '/emtyaz/duties/wishes', { days: [] }), 403, 'logbook_no_intern')
  const teaches = await w.uni.as('instructor', undefined, { type: 1 })
  refused(await teaches('PUT', '/emtyaz/logbook/pin', { pin: '482913' }), 403, 'logbook_no_instructor')
  const one = entry(rotation, type)
  await send(mona, [one])
  const fresh = await w.supervisor(ward)
  ok(await teacher('POST', `/logbook-entries/reject/${(await stored(one.uuid)).id}`, { reason: 'Only watched' }))
  const { pin_key } = await mine(mona)
  ok(await fresh('PUT', '/emtyaz/logbook/pin', { pin: '482913' }))
  const again = { ...one, pin: { instructor_id: fresh.instructor_id, sealed: sealed('482913', one.uuid, pin_key) } }
  const [{ errors }] = ok(await send(mona, [again]))
  expect(errors).toMatchObject([{ code: 'logbook_rejected' }])
})
