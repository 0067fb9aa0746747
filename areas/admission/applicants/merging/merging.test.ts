import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { ticketOf } from '#kit/server/identity/mailed-code.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { mergingProblems, type MergingApplicant } from './merge.rules.ts'

let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const codes = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  officer = await u.as('admission_officer')
}, 540_000)
afterAll(() => u.close())
beforeEach(() => q('delete from login_attempts'))

let made = 0
interface Made {
  id: number
  code: string
  key: string
  email: string
}
async function applicantIn(status: string, admission = 1, more: Record<string, unknown> = {}): Promise<Made> {
  const { token: key } = newToken()
  const columns = { name: 'Mona Ali', name_local: `منى ${++made}`, ...more }
  const names = Object.keys(columns)
  const [code, email] = [`M-${made}`, `merge${made}@example.com`]
  const { id } = await one<{ id: number }>(
    `insert into applicants (code, admission_id, status, email, key_hash, submitted_at, ${names.join(', ')})
     values ($1, $2, $3, $4, $5, now(), ${names.map((_, i) => `$${i + 6}`).join(', ')}) returning id`,
    [code, admission, status, email, hashToken(key), ...Object.values(columns)],
  )
  await q(
    `insert into applicant_preferences (applicant_id, position, program_id) select $1, 0, program_id
     from admission_programs where admission_id = $2 and is_open order by id limit 1`,
    [id, admission],
  )
  return { id, code, key, email }
}
const versionOf = async ({ id }: Made) =>
  (await one<{ version: number }>('select version from applicants where id = $1', [id])).version
const merge = async (kept: Made, gone: Made, caller = officer) =>
  caller('POST', '/applicants/merging', {
    keep_id: kept.id,
    merge_id: gone.id,
    seen: [await versionOf(kept), await versionOf(gone)],
  })
const duplicates = async (admission = 1, caller = officer) =>
  ok(await caller('GET', `/applicants/duplicates/${admission}?most=500`)) as unknown as {
    one: { id: number }
    other: { id: number }
    by: string[]
  }[]
const foundPair = async (a: Made, b: Made) =>
  (await duplicates()).find((pair) => pair.one.id === a.id && pair.other.id === b.id)?.by ?? null

test('every reason against a merge', () => {
  const base: MergingApplicant = { id: 1, code: 'A-1', admission_id: 1, status: 'SUBMITTED', paid: false }
  const against = (kept: Partial<MergingApplicant>, gone: Partial<MergingApplicant>, apart: string | null = null) =>
    mergingProblems({ ...base, ...kept }, { ...base, id: 2, code: 'A-2', ...gone }, apart).map(({ code }) => code)
  expect(against({}, {})).toEqual([])
  expect(against({}, { id: 1 })).toEqual(['applicants_same'])
  expect(against({}, { admission_id: 2 })).toEqual(['applicants_other_admission'])
  expect(against({ status: 'CANCELLED' }, {})).toEqual(['applicants_one_cancelled'])
  expect(against({}, { status: 'accepted' })).toEqual(['applicants_one_accepted'])
  expect(against({ paid: true }, { paid: true })).toEqual(['applicants_both_paid'])
  expect(against({}, { paid: true })).toEqual(['applicants_paid_goes'])
  expect(against({ paid: true }, {})).toEqual([])
  expect(against({ status: 'accepted' }, { status: 'CANCELLED' }, 'Twins')).toEqual([
    'applicants_one_accepted',
    'applicants_one_cancelled',
    'applicants_two_people',
  ])
})

describe('two applications of one person', () => {
  test('are found by what they have in common, within an admission', async () => {
    const a = await applicantIn('SUBMITTED', 1, { national_id: '30501010112345', phone: '01099990001' })
    const b = await applicantIn('REVIEWED', 1, { national_id: '30501010112345', phone: '01099990001' })
    const elsewhere = await applicantIn('SUBMITTED', 3, { national_id: '30501010112345' })
    expect((await foundPair(a, b))?.toSorted()).toEqual(['national_id', 'phone'])
    expect((await duplicates()).some((pair) => pair.other.id === elsewhere.id)).toBe(false)
    const c = await applicantIn('SUBMITTED', 1, { name_local: 'سلمى أحمد علي', birth_date: '2005-03-04' })
    const d = await applicantIn('SUBMITTED', 1, { name_local: 'سلمي احمد على', birth_date: '2005-03-04' })
    expect(await foundPair(c, d)).toEqual(['name'])
    const e = await applicantIn('SUBMITTED', 1, { passport_number: 'ZZ998877' })
    const f = await applicantIn('CANCELLED', 1, { passport_number: 'ZZ998877' })
    expect(await foundPair(e, f)).toBeNull()
    const far = await u.as('admission_officer', ['faculty', 900_001])
    expect(await duplicates(1, far)).toEqual([])
  })

  test('are merged: the other one is cancelled, says where it went, and begins no further one', async () => {
    const [kept, gone] = [await applicantIn('SUBMITTED'), await applicantIn('FEEDBACK')]
    const shown = ok(await officer('GET', `/applicants/merging/${kept.id}/${gone.id}`)) as {
      kept: { code: string; wishes: unknown[] }
      merged: { code: string }
      problems: unknown[]
    }
    expect([shown.kept.code, shown.merged.code, shown.problems, shown.kept.wishes.length]).toEqual([
      kept.code,
      gone.code,
      [],
      1,
    ])
    ok(await merge(kept, gone))
    expect(await one('select status, merged_into_id from applicants where id = $1', [gone.id])).toEqual({
      status: 'CANCELLED',
      merged_into_id: kept.id,
    })
    const { reason } = await one<{ reason: string }>(
      `select reason from step_history where workflow = 'applicant' and record_id = $1 order by id desc limit 1`,
      [gone.id],
    )
    expect(reason).toContain(kept.code)
    expect(ok(await u.nobody('GET', `/admission/${gone.id}/${gone.key}`))).toMatchObject({ merged_into: kept.code })
    expect(ok(await u.nobody('GET', `/admission/${kept.id}/${kept.key}`))).toMatchObject({ merged_into: null })
    // The other address does not begin anew.
    const ticket = await ticketOf(asSystem(u.services, 'test'), gone.email)
    const begin = await u.nobody('PUT', '/admission/apply', { ticket, admission_id: 1, language: 'en' })
    expect(codes(begin)).toEqual([409, ['application_merged']])
    // What went into it before goes on in the same place.
    const third = await applicantIn('SUBMITTED')
    ok(await merge(third, kept))
    expect(await one('select merged_into_id from applicants where id = $1', [gone.id])).toEqual({
      merged_into_id: third.id,
    })
    // Once that one is cancelled, the address may begin again.
    ok(await officer('POST', `/applicants/cancel-admission/${third.id}`, { reason: 'Asked for it' }))
    ok(await u.nobody('PUT', '/admission/apply', { ticket, admission_id: 1, language: 'en' }))
  })

  test('are not merged against a reason, unseen, or out of reach', async () => {
    const [a, b] = [await applicantIn('SUBMITTED'), await applicantIn('SUBMITTED')]
    expect(codes(await merge(a, a))).toEqual([409, ['applicants_same']])
    expect(
      codes(await officer('POST', '/applicants/merging', { keep_id: a.id, merge_id: b.id, seen: [99, 1] })),
    ).toEqual([409, ['changed_meanwhile']])
    expect(codes(await merge(a, await applicantIn('SUBMITTED', 3)))).toEqual([409, ['applicants_other_admission']])
    expect(codes(await merge(a, await applicantIn('CANCELLED')))).toEqual([409, ['applicants_one_cancelled']])
    const program = '(select program_id from admission_programs where admission_id = 1 limit 1)'
    const paid = await applicantIn('SUBMITTED')
    await q(`update applicants set status = 'APPROVED', program_id = ${program} where id = $1`, [paid.id])
    expect(codes(await merge(a, paid))).toEqual([409, ['applicants_paid_goes']])
    const payer = await applicantIn('SUBMITTED')
    await q(`update applicants set status = 'APPROVED', program_id = ${program} where id = $1`, [payer.id])
    expect(codes(await merge(paid, payer))).toEqual([409, ['applicants_both_paid']])
    const { id: student } = await one<{ id: number }>('select id from students limit 1')
    await q(`update applicants set status = 'accepted', student_id = $2 where id = $1`, [payer.id, student])
    expect(codes(await merge(payer, a))).toEqual([409, ['applicants_one_accepted']])
    await q(`update applicants set status = 'APPROVED', student_id = null where id = $1`, [payer.id])
    expect(
      codes(await officer('POST', '/applicants/apart', { one_id: a.id, other_id: a.id, reason: 'Twins' })),
    ).toEqual([422, ['applicants_same@other_id']])
    const same = { phone: '01077770000' }
    const [c, d] = [await applicantIn('SUBMITTED', 1, same), await applicantIn('SUBMITTED', 1, same)]
    ok(await officer('POST', '/applicants/apart', { one_id: d.id, other_id: c.id, reason: 'Twins' }))
    expect(await foundPair(c, d)).toBeNull()
    expect(codes(await merge(c, d))).toEqual([409, ['applicants_two_people']])
    ok(await officer('DELETE', `/applicants/apart/${c.id}/${d.id}`))
    ok(await officer('DELETE', `/applicants/apart/${c.id}/${d.id}`))
    expect(codes(await officer('DELETE', `/applicants/apart/${c.id}/${c.id}`))).toEqual([409, ['applicants_same']])
    expect(await foundPair(c, d)).toEqual(['phone'])
    const far = await u.as('admission_officer', ['faculty', 900_001])
    for (const [caller, status] of [
      [far, 404],
      [await u.as('registrar'), 403],
      [await u.as('student'), 403],
    ] as const) {
      expect((await merge(c, d, caller)).status).toBe(status)
      expect((await caller('GET', `/applicants/merging/${c.id}/${d.id}`)).status).toBe(status)
      const said = await caller('POST', '/applicants/apart', { one_id: c.id, other_id: d.id, reason: 'Twins' })
      expect(said.status).toBe(status)
    }
    // Two at once, each keeping its own: one of them is there afterwards.
    const both = await Promise.all([merge(c, d), merge(d, c)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  })
})

describe('tags of applicants', () => {
  const attach = (caller: Caller, who: readonly Made[], tags: readonly number[]) =>
    caller('POST', '/tags/attach-applicants', { applicant_ids: who.map(({ id }) => id), tag_ids: tags })
  const take = (caller: Caller, who: readonly Made[], tags: readonly number[]) =>
    caller('POST', '/tags/remove-applicants/tags', { applicant_ids: who.map(({ id }) => id), tag_ids: tags })

  test('are put on many and taken off, within reach, and narrow the list', async () => {
    const [a, b] = [await applicantIn('SUBMITTED'), await applicantIn('SUBMITTED')]
    const { id: tag } = await one<{ id: number }>(
      `insert into tags (code, name, name_local, colour) values ('APPLICANT', 'To call', 'للاتصال', 'red') returning id`,
    )
    const far = await u.as('admission_officer', ['faculty', 900_001])
    expect(ok(await attach(far, [a], [tag])).failed.map(({ id }: { id: number }) => id)).toEqual([a.id])
    expect(ok(await attach(officer, [a, b], [tag]))).toMatchObject({
      done: [a.id, b.id],
      changed: [{ tag_id: tag, ids: [a.id, b.id] }],
    })
    expect(ok(await attach(officer, [a], [tag])).changed).toEqual([])
    const list = ok(await officer('POST', '/applicants', { filters: { tags: [tag] } })) as unknown as {
      id: number
      tags: { name: string }[]
    }[]
    expect(list.map(({ id }) => id).toSorted((x, y) => x - y)).toEqual([a.id, b.id])
    expect(list[0]?.tags.map(({ name }) => name)).toEqual(['To call'])
    expect(ok(await take(far, [a], [tag])).failed).toHaveLength(1)
    expect(ok(await take(officer, [a], [tag])).changed).toEqual([{ tag_id: tag, ids: [a.id] }])
    expect(reasons(await attach(officer, [a], [999_999]))).toEqual(['reference_missing@tag_ids'])
    expect((await attach(await u.as('student'), [a], [tag])).status).toBe(403)
    expect(reasons(await (await u.as('registrar'))('DELETE', `/tags/${tag}`))).toEqual(['in_use', 'in_use_by_hidden'])
  })
})
