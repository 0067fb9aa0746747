import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'

let u: TestUniversity
let finance: Caller
let registrar: Caller
let faculty: number
let year: number
/** Students of one faculty, and of another, who are alone as far as anybody knows. */
let here: number[]
let there: number[]
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await query<Row>(text, values))[0]!
const said = (answer: Answer) => [answer.status, ...reasons(answer)]
const file = async () =>
  (
    await one<{ id: number }>(
      `insert into files (hash, name, ext, mime, size, created_by) values (repeat('b', 64), 'register.pdf', 'pdf', 'application/pdf', 9, $1) returning id`,
      [finance.user_id],
    )
  ).id
const members = (...ids: readonly number[]) => ids.map((student_id) => ({ student_id }))
const make = async (ids: readonly number[], more: object = {}, who = finance) =>
  who('PUT', '/families', { name: 'Salem', members: members(...ids), proof_id: await file(), ...more })
const leave = (id: number, status = 'suspended') =>
  registrar('POST', `/students/status/${id}`, { status, decision: 'Council 9', decided_on: '2026-01-15' })
const setIds = (id: number, more: object) => registrar('PUT', `/students/${id}/parent`, more)

let count = 0
/** A rule of one faculty, from the second child on. */
const newRule = async (more: object = {}): Promise<number> =>
  ok(
    await finance('POST', `/years/${year}/payments/create-Auto-scholarship`, {
      code: `SIB${++count}`,
      name: 'Siblings',
      name_local: 'الإخوة',
      basis: 'sibling',
      from_value: '2.00',
      percent: '10.00',
      types: ['hours'],
      faculty_id: faculty,
      ...more,
    }),
  ).id
const preview = async (rule: number) =>
  ok(await finance('POST', `/scholarship/preview-automatic/${rule}`, { year_id: year })) as {
    added: number
    proposed: number
    lost: number
    kept: number
    rows: { student: { id: number }; change: string; value: string | null; siblings: { id: number }[] }[]
  }
/** What a rule would do with students. */
const would = async (rule: number, ...ids: readonly number[]) => {
  const { rows } = await preview(rule)
  return ids.map((id) => {
    const row = rows.find((of) => of.student.id === id)
    return row ? `${row.change} ${row.value}` : null
  })
}
const apply = async (rule: number, accepted: readonly number[] = []) => {
  const { body } = await finance('POST', `/scholarship/apply-automatic/${rule}`, { year_id: year, accepted })
  for (;;) {
    const job = (await finance('GET', `/jobs/${body.job_id}`)).body.data
    if (job.state === 'done') return job.result as { added: number; lost: number }
    if (job.state === 'failed') throw new Error(JSON.stringify(job))
    await new Promise((done) => setTimeout(done, 40))
  }
}
const grantOf = (rule: number, student: number) =>
  one<{ id: number; status: string; facts: Record<string, unknown> }>(
    'select id, status, facts from scholarship_grants where scholarship_id = $1 and student_id = $2 order by id desc limit 1',
    [rule, student],
  )
const outdated = async (who = finance) =>
  (
    ok(await who('POST', '/outdated-decisions', { kind: 'scholarship', perPage: 200 })) as {
      id: number
      changes: { before: { name: string } | null; now: { name: string } | null }[]
    }[]
  ).map((row) => [row.id, row.changes[0]?.before?.name ?? null, row.changes[0]?.now?.name ?? null])
const again = (ids: readonly number[]) => finance('POST', '/outdated-decisions/renew', { kind: 'scholarship', ids })

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
  finance = await u.as('finance_officer')
  registrar = await u.as('registrar')
  faculty = (await one<{ id: number }>(`select id from faculties where code = 'FEC'`)).id
  year = (
    await one<{ id: number }>(`insert into years (code, name, name_local, start_date, end_date)
    values ('FAM', 'FAM', 'FAM', '2190-09-01', '2191-08-31') returning id`)
  ).id
  const alone = `status = 'studying' and removed_at is null and not is_second_record and entry_term_id is not null and nationality_id = 64
    and not exists (select from siblings_of(array[students.id]))`
  const ids = async (where: string) =>
    (
      await query<{ id: number }>(`select id from students where ${alone} and ${where} order by id limit 40`, [faculty])
    ).map((row) => row.id)
  here = await ids('faculty_id = $1')
  there = await ids('faculty_id <> $1')
}, 540_000)
afterAll(() => u?.close())

describe('a family', () => {
  it('is made with a proof, is listed, tells who made it, is changed and ended, and then stays as it was', async () => {
    const [a, b, c] = [here.shift()!, here.shift()!, here.shift()!]
    const made = ok(await make([a, b], { notes: 'Register of 2019' }))
    expect(made).toMatchObject({
      name: 'Salem',
      status: 'active',
      notes: 'Register of 2019',
      proof_id: { name: 'register.pdf' },
    })
    expect(made.made_by).toMatchObject({ id: finance.user_id })
    expect(made.made_at).toBeTruthy()
    const listed = ok(await finance('POST', '/families', { search: 'salem' }))
    expect(listed.map((row: { id: number }) => row.id)).toContain(made.id)
    const changed = ok(
      await finance('PUT', `/families/${made.id}`, {
        members: [...made.members.map(({ id, student_id }: any) => ({ id, student_id })), { student_id: c }],
      }),
    )
    expect(changed.members.map((row: any) => row.student_id).toSorted()).toEqual([a, b, c].toSorted())
    const stale = await finance('POST', `/families/${made.id}/end`, { reason: 'Of another', version: made.version })
    expect(said(stale)).toEqual([409, 'changed_meanwhile'])
    const ended = ok(await finance('POST', `/families/${made.id}/end`, { reason: 'They are cousins' }))
    expect(ended).toMatchObject({
      status: 'ended',
      ended_reason: 'They are cousins',
      ended_by: { id: finance.user_id },
    })
    expect(said(await finance('POST', `/families/${made.id}/end`, { reason: 'Once more' }))).toEqual([
      409,
      'family_ended',
    ])
    expect(said(await finance('PUT', `/families/${made.id}`, { name: 'Other' }))).toEqual([409, 'family_ended'])
    await expect(query('update families set name = $2 where id = $1', [made.id, 'Other'])).rejects.toThrow(
      'family_ended',
    )
    // Who was of it may be of another.
    ok(await make([a, b]))
    const history = ok(await finance('GET', `/families/${made.id}/history`))
    expect(history[0]).toMatchObject({ reason: 'They are cousins' })
  })

  it('is refused with every reason', async () => {
    const [a, b, c] = [here.shift()!, here.shift()!, here.shift()!]
    ok(await make([a, b], { name: 'First' }))
    expect(said(await make([c, a]))).toEqual([422, 'family_member_twice@members.1.student_id'])
    expect(said(await make([c]))).toEqual([422, 'family_of_one@members'])
    expect(said(await make([c, c]))).toEqual([422, 'family_member_once@members.1.student_id', 'family_of_one@members'])
    expect(said(await finance('PUT', '/families', { name: 'S', members: members(c, here[0]!) }))).toEqual([
      422,
      'required@proof_id',
    ])
    const gone = here.shift()!
    ok(await leave(gone))
    expect(said(await make([c, gone]))).toEqual([422, 'family_not_studying@members.1.student_id'])
    expect(said(await make([c, 99_999_999]))).toEqual([422, 'reference_missing@members.1.student_id'])
    // Whoever is a student besides makes none of the own.
    const own = here.shift()!
    await query('update students set user_id = $2 where id = $1', [own, finance.user_id])
    expect(said(await make([c, own]))).toEqual([422, 'family_own@members.1.student_id'])
    const colleague = await u.as('finance_officer')
    const { id } = ok(await make([c, own], {}, colleague))
    expect(said(await finance('POST', `/families/${id}/end`, { reason: 'Mine' }))).toEqual([403, 'family_own'])
    expect(said(await finance('DELETE', `/families/${id}`))).toEqual([403, 'family_own'])
    // Two records of one person are no brothers.
    const [x, y] = [here.shift()!, there.shift()!]
    await query(
      'update students set user_id = (select user_id from students where id = $1), is_second_record = true where id = $2',
      [x, y],
    )
    expect(said(await make([x, y]))).toEqual([422, 'family_same_person@members.1.student_id'])
  })

  it('holds a student once, also where two make one at the same moment, and takes back what was removed only if nobody is elsewhere', async () => {
    const [a, b, c] = [here.shift()!, here.shift()!, here.shift()!]
    const both = await Promise.all([make([a, b], { name: 'One' }), make([b, c], { name: 'Two' })])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 422])
    const won = both.find((answer) => answer.status === 200)!.body.data
    ok(await finance('DELETE', `/families/${won.id}`))
    ok(await make([a, b, c], { name: 'Three' }))
    expect(said(await finance('POST', `/families/restore/${won.id}`))).toEqual([
      422,
      'family_member_elsewhere@student_id',
    ])
  })

  it('is nothing for the wrong people', async () => {
    const [a, b] = [here.shift()!, here.shift()!]
    const mixed = ok(await make([a, there.shift()!]))
    const own = ok(await make([b, here.shift()!]))
    for (const role of ['registrar', 'instructor', 'cashier', 'student', null] as const) {
      const who = await u.as(role)
      expect((await who('POST', '/families', {})).status, String(role)).toBe(403)
      expect((await who('GET', `/families/${own.id}`)).status).toBe(403)
      expect((await make([b, a], {}, who)).status).toBe(403)
      expect((await who('POST', `/families/${own.id}/end`, { reason: 'Because' })).status).toBe(403)
      expect((await who('GET', `/students/${a}/siblings`)).status).toBe(403)
    }
    const clerk = await u.as('finance_officer', ['faculty', faculty])
    const seen = ok(await clerk('POST', '/families', { perPage: 200 })).map((row: { id: number }) => row.id)
    expect([seen.includes(own.id), seen.includes(mixed.id)]).toEqual([true, false])
    expect((await clerk('GET', `/families/${mixed.id}`)).status).toBe(404)
    expect((await clerk('POST', `/families/${mixed.id}/end`, { reason: 'Because' })).status).toBe(404)
    expect((await clerk('GET', `/students/${there[0]}/siblings`)).status).toBe(404)
    expect(said(await make([here.shift()!, there.shift()!], {}, clerk))).toEqual([
      422,
      'reference_missing@members.1.student_id',
    ])
  })
})

describe('siblings', () => {
  it('are known by the national id of the father, the mother or the guardian, in the order in which they came', async () => {
    const rule = await newRule()
    const third = await newRule({ from_value: '3.00' })
    const [a, b, c] = [here.shift()!, here.shift()!, here.shift()!]
    const [father, mother] = ['27003100120017', '28512311200026']
    ok(await setIds(a, { father_national_id: father, mother_national_id: mother }))
    expect(await would(rule, a, b, c)).toEqual([null, null, null])
    ok(await setIds(b, { mother_national_id: mother }))
    // The father of one is entered as the guardian of another.
    ok(await setIds(c, { guardian_national_id: father, mother_national_id: mother }))
    await query(`update students set entry_term_id = (select min(id) from terms) where id = any($1)`, [[a, b, c]])
    expect(await would(rule, a, b, c)).toEqual([null, 'added 2', 'added 3'])
    expect(await would(third, a, b, c)).toEqual([null, null, 'added 3'])
    const who = ok(await finance('GET', `/students/${b}/siblings`))
    expect(who).toMatchObject({ child: 2, likely: 2, siblings: [{ by: 'parent', studies: true }, { by: 'parent' }] })
    const { rows } = await preview(rule)
    expect(
      rows
        .find((row) => row.student.id === b)!
        .siblings.map((of) => of.id)
        .toSorted(),
    ).toEqual([a, c].toSorted())
    // Whoever came later is the later child.
    await query(
      `update students set entry_term_id = (select id from terms order by start_date desc limit 1) where id = $1`,
      [a],
    )
    expect(await would(rule, a, b, c)).toEqual(['added 3', null, 'added 2'])
  })

  it('by the telephone alone are proposed: who is named gets it, and keeps it while that is so', async () => {
    const rule = await newRule()
    const [a, b, c, d] = [here.shift()!, here.shift()!, here.shift()!, here.shift()!]
    await query(`update students set parent_phone = '01011112222' where id = $1`, [a])
    await query(`update students set parent_phone = '+20 10 1111 2222' where id = $1`, [b])
    await query(`update students set parent_phone = '01033334444' where id = any($1)`, [[c, d]])
    expect(await would(rule, b, d)).toEqual(['proposed 2', 'proposed 2'])
    await apply(rule)
    expect(await grantOf(rule, b)).toBe(undefined)
    await apply(rule, [b])
    expect(await grantOf(rule, b)).toMatchObject({ status: 'applied', facts: { value: 2, by: 'household' } })
    expect(await grantOf(rule, d)).toBe(undefined)
    expect(await would(rule, b, d)).toEqual([null, 'proposed 2'])
    // Nobody is named who is not proposed.
    await apply(rule, [a, c])
    expect([await grantOf(rule, a), await grantOf(rule, c)]).toEqual([undefined, undefined])
    const { id } = await grantOf(rule, b)
    await query(`update students set parent_phone = '01055556666' where id = $1`, [a])
    expect(await outdated()).toContainEqual([id, '2', null])
    await query(`update students set parent_phone = '01011112222' where id = $1`, [a])
    expect((await outdated()).some(([of]) => of === id)).toBe(false)
    await query(`update students set parent_phone = null where id = $1`, [a])
    expect(ok(await again([id])).done).toEqual([id])
    expect((await grantOf(rule, b)).status).toBe('lost')
  })

  it('who leave outdate the discount: it waits, returns with them, and is lost when it is judged again', async () => {
    const rule = await newRule()
    const [a, b] = [here.shift()!, here.shift()!].toSorted((x, y) => x - y) as [number, number]
    await query(
      `update students set father_national_id = '27103100120011', entry_term_id = (select min(id) from terms) where id = any($1)`,
      [[a, b]],
    )
    await apply(rule)
    const { id, facts } = await grantOf(rule, b)
    expect(facts).toEqual({ basis: 'sibling', value: 2, by: 'family' })
    expect((await outdated()).some(([of]) => of === id)).toBe(false)
    ok(await leave(a))
    expect(await outdated()).toContainEqual([id, '2', null])
    // It waits for whoever grants; others see nothing of it.
    expect(await outdated(await u.as('instructor'))).not.toContainEqual([id, '2', null])
    ok(await leave(a, 'studying'))
    expect((await outdated()).some(([of]) => of === id)).toBe(false)
    ok(await leave(a, 'withdrawn'))
    ok(await again([id]))
    expect((await grantOf(rule, b)).status).toBe('lost')
    expect((await outdated()).some(([of]) => of === id)).toBe(false)
  })

  it('of a family that ends outdate the discount, though they have one telephone', async () => {
    const rule = await newRule()
    const [a, b, c] = [here.shift()!, here.shift()!, here.shift()!]
    await query(
      `update students set parent_phone = '01077778888', entry_term_id = (select min(id) from terms) where id = any($1)`,
      [[a, b]],
    )
    await query(`update students set entry_term_id = (select min(id) from terms) where id = $1`, [c])
    const later = Math.max(a, b)
    const { id: family } = ok(await make([a, b]))
    await apply(rule)
    const { id } = await grantOf(rule, later)
    ok(await finance('POST', `/families/${family}/end`, { reason: 'Not of one family' }))
    expect(await outdated()).toContainEqual([id, '2', null])
    // The telephone would propose it, and keeps nothing that stood on more.
    ok(await again([id]))
    expect((await grantOf(rule, later)).status).toBe('lost')
    expect(await would(rule, later)).toEqual(['proposed 2'])
    // A member who is taken out of a family, and a family that is removed, say the same.
    const next = ok(await make([a, b, c]))
    await apply(rule)
    const last = Math.max(a, b, c)
    const grant = await grantOf(rule, last)
    const kept = next.members
      .filter((row: any) => row.student_id !== last)
      .map(({ id: row, student_id }: any) => ({ id: row, student_id }))
    ok(await finance('PUT', `/families/${next.id}`, { members: kept }))
    expect(await outdated()).toContainEqual([grant.id, '3', null])
    ok(await again([grant.id]))
    const other = await grantOf(rule, [a, b, c].toSorted((x, y) => x - y)[1]!)
    ok(await finance('DELETE', `/families/${next.id}`))
    expect(await outdated()).toContainEqual([other.id, '2', null])
    ok(await finance('POST', `/families/restore/${next.id}`))
    expect((await outdated()).some(([of]) => of === other.id)).toBe(false)
  })

  it('are told only to who may see them, and what was decided on them is what the database would say now', async () => {
    const told = await query(`select d.fact, d.decision_id from decision_facts d
      left join lateral facts_now(d.fact, array[d.fact_id]) f on f.fact_id = d.fact_id
      where d.fact in ('family', 'household') and d.now is distinct from nullif(coalesce(f.value, 'null'), d.stood)`)
    expect(told).toEqual([])
  })
})
