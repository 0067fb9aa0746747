/** What applicants are told of a distribution, and runs as files that are checked by the command. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '#db/testing.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { verifyFiles } from '../proof/verify.server.ts'
import { distributeJob } from '../runs/run.server.ts'
import type { OwnResult } from './result.contract.ts'

const ADMISSION = 7
let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const codes = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const silent = Object.assign(async () => {}, { signal: new AbortController().signal })
const preview = async (): Promise<number> =>
  (await distributeJob.run(asSystem(u.services, 'test'), { admission_id: ADMISSION }, silent)).id

interface Who {
  id: number
  key: string
}
/** Somebody of the distribution, with a key of the own application. */
async function withKeyOf(id: number): Promise<Who> {
  const { token: key } = newToken()
  await q('update applicants set key_hash = $2 where id = $1', [id, hashToken(key)])
  return { id, key }
}
const ask = ({ id, key }: Who) => u.nobody('GET', `/admission/${id}/${key}/result`)
const told = async (who: Who) => ok(await ask(who)) as unknown as OwnResult

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  officer = await u.as('admission_officer')
})
afterAll(() => u.close())

let run: number
test('nothing is told before the day of results, then program and every wish with its reason', async () => {
  run = await preview()
  const { id: seated } = await one<{ id: number }>(
    'select applicant_id as id from distribution_places where run_id = $1 and preference > 1 order by applicant_id limit 1',
    [run],
  )
  const { id: without } = await one<{ id: number }>(
    'select applicant_id as id from distribution_places where run_id = $1 and program_id is null order by applicant_id limit 1',
    [run],
  )
  const [lucky, unlucky] = [await withKeyOf(seated), await withKeyOf(without)]
  const nothing = { out: false, seat: null, run: null, score: null, rungs: [] }
  expect(await told(lucky)).toMatchObject(nothing)
  await q(`update admissions set results_at = now() + interval '1 hour' where id = $1`, [ADMISSION])
  ok(await officer('PUT', `/distribution-runs/confirm/${run}`, {}))
  // The seat lies there already, and is told to nobody.
  expect(
    (await one<{ there: boolean }>('select program_id is not null as there from applicants where id = $1', [seated]))
      .there,
  ).toBe(true)
  expect(await told(lucky)).toMatchObject(nothing)
  await q(`update admissions set results_at = now() - interval '1 second' where id = $1`, [ADMISSION])
  const result = await told(lucky)
  expect(result).toMatchObject({ out: true, status: 'DISTRIBUATION_REQUIRED' })
  const given = result.rungs.find(({ outcome }) => outcome === 'given')!
  expect(given.program.id).toBe(result.seat!.id)
  for (const rung of result.rungs.slice(0, given.preference - 1)) expect(rung.reasons.length).toBeGreaterThan(0)
  const none = await told(unlucky)
  expect(none).toMatchObject({ out: true, seat: null })
  expect(none.rungs.map(({ outcome }) => outcome)).not.toContain('given')
  for (const rung of none.rungs) expect(rung.reasons.length).toBeGreaterThan(0)
  // What the desk says is what the applicant reads.
  const desk = ok(await officer('GET', `/distribution-runs/ladder/${run}/${without}`))
  expect({ rungs: desk.rungs, score: desk.score }).toEqual({ rungs: none.rungs, score: none.score })
})

test('an application that ended, or has not come so far, is told no result', async () => {
  const { id } = await one<{ id: number }>(
    'select applicant_id as id from distribution_places where run_id = $1 and program_id is not null order by applicant_id desc limit 1',
    [run],
  )
  const who = await withKeyOf(id)
  expect((await told(who)).out).toBe(true)
  ok(await officer('PUT', `/applicants/status/hold/${id}`, { reason: 'Papers are missing.' }))
  expect(await told(who)).toMatchObject({ out: false, rungs: [] })
  const { id: early } = await one<{ id: number }>(
    `select id from applicants where admission_id = $1 and status = 'exam required' limit 1`,
    [ADMISSION],
  )
  expect(await told(await withKeyOf(early))).toMatchObject({ out: false, rungs: [] })
})

test('a wrong key opens nothing, and is counted; a right one is not', async () => {
  const { id } = await one<{ id: number }>(
    'select applicant_id as id from distribution_places where run_id = $1 limit 1',
    [run],
  )
  const who = await withKeyOf(id)
  await q('delete from login_attempts')
  for (let i = 0; i < 5; i++) ok(await ask(who))
  expect(await q('select from login_attempts')).toEqual([])
  for (const wrong of [newToken().token, 'x', '%00'])
    expect([400, 404, 422]).toContain((await ask({ id, key: wrong })).status)
  expect(codes(await ask({ id, key: newToken().token }))).toEqual([404, ['application_unknown']])
  expect(codes(await ask({ id: id + 100_000, key: who.key }))).toEqual([404, ['application_unknown']])
  expect((await q('select from login_attempts')).length).toBeGreaterThan(0)
  await q('delete from login_attempts')
})

test('a run goes out as files, which the command finds right; a changed one it does not', async () => {
  const folder = temporaryFolder('distribution-run')
  const save = async (what: 'instance' | 'result') => {
    const answer = await officer('GET', `/distribution-runs/${what}/${run}`)
    expect(answer.status).toBe(200)
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    const file = path.join(folder, `${what}.json`)
    writeFileSync(file, text)
    return { file, value: JSON.parse(text) }
  }
  const [instance, result] = [await save('instance'), await save('result')]
  const stored = await one<{ applicants: number; assigned: number; programs: number }>(
    'select applicants, assigned, programs from distribution_runs where id = $1',
    [run],
  )
  expect(instance.value.applicants).toHaveLength(stored.applicants)
  expect(instance.value.programs).toHaveLength(stored.programs)
  expect(Object.keys(result.value.assignment)).toHaveLength(stored.assigned)
  const printed: string[] = []
  const voice = { print: (line: string) => void printed.push(line), tell: () => {}, reading: () => undefined }
  const right = verifyFiles(instance.file, result.file, voice as never)
  expect([right, right ? [] : printed]).toEqual([true, []])
  // Whoever has a seat gives it to somebody who ranks below.
  const [someone] = Object.keys(result.value.assignment)
  const { [someone!]: _gone, ...others } = result.value.assignment
  writeFileSync(result.file, JSON.stringify({ assignment: others }))
  expect(verifyFiles(instance.file, result.file, voice as never)).toBe(false)
  expect(printed.join('\n')).toMatch(/is not right/)
})

test('files of a run are for whoever sees the whole university; a discarded preview has none', async () => {
  const { faculty_id } = await one<{ faculty_id: number }>(
    'select p.faculty_id from admission_programs x join programs p on p.id = x.program_id where x.admission_id = $1 limit 1',
    [ADMISSION],
  )
  const part = await u.as('admission_officer', ['faculty', faculty_id])
  for (const what of ['instance', 'result']) {
    expect((await part('GET', `/distribution-runs/${what}/${run}`)).status).toBe(403)
    for (const role of ['student', 'instructor', 'finance_officer'])
      expect((await (await u.as(role))('GET', `/distribution-runs/${what}/${run}`)).status).toBe(403)
    expect((await officer('GET', `/distribution-runs/${what}/999999`)).status).toBe(404)
  }
  const { id: gone } = await one<{ id: number }>(
    `select id from distribution_runs where status = 'discarded' order by id limit 1`,
  )
  await q('delete from distribution_places where run_id = $1', [gone])
  expect(codes(await officer('GET', `/distribution-runs/instance/${gone}`))).toEqual([
    409,
    ['distribution_places_gone'],
  ])
})
