/** Whom a distribution gave no seat is told once, whatever dies; and told again where that result does not count any more. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { distributeJob } from '../runs/run.server.ts'
import { LEASE_MINUTES, minutesUntilAgain, MOST_TRIES } from './told.rules.ts'
import { tellWithoutSeatJob } from './told.server.ts'

/** Its applicants wait; the seats of transfers are offered later, so that its distribution can still be taken back. */
const ADMISSION = 7
let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const silent = Object.assign(async () => {}, { signal: new AbortController().signal })
const preview = async (): Promise<number> =>
  (await distributeJob.run(asSystem(u.services, 'test'), { admission_id: ADMISSION }, silent)).id
const confirmed = async (): Promise<number> => {
  const id = await preview()
  ok(await officer('PUT', `/distribution-runs/confirm/${id}`, {}))
  return id
}
const takeBack = (id: number) => officer('PUT', `/distribution-runs/take-back/${id}`, { reason: 'A mark was wrong.' })
const without = async (run: number): Promise<number[]> =>
  (
    await q<{ id: number }>(
      'select applicant_id as id from distribution_places where run_id = $1 and program_id is null order by 1',
      [run],
    )
  ).map(({ id }) => id)

const sent: MailInput[] = []
/** A turn of the job, in a process whose mail server behaves so. */
const turn = (
  deliver: (mail: MailInput) => Promise<void> = async () => {},
  signal: AbortSignal = silent.signal,
): Promise<{ queued: number; sent: number; failed: number }> => {
  const mail = {
    send: async (mail: MailInput) => {
      await deliver(mail)
      sent.push(mail)
    },
    verify: async () => {},
    close: () => {},
  }
  const ctx = asSystem({ ...u.services, mail }, 'test')
  return tellWithoutSeatJob.run(
    ctx,
    {},
    Object.assign(async () => {}, { signal }),
  )
}
const idsOf = (mails: readonly MailInput[]) => mails.map(({ id }) => id!).toSorted()
const named = (run: number, ids: readonly number[], kind: string) =>
  ids.map((id) => `distribution-${run}-${id}-${kind}`).toSorted()
/** As if so many minutes had gone by. */
const later = (minutes: number) =>
  q(
    `update distribution_mails set due_at = due_at - make_interval(mins => $1), begun_at = begun_at - make_interval(mins => $1)
     where sent_at is null`,
    [minutes],
  )

/** Results are out, no distribution counts, and whoever had been told otherwise knows. */
async function nothingConfirmed(): Promise<void> {
  await q(`update admissions set results_at = now() - interval '1 second' where id = $1`, [ADMISSION])
  for (const { id } of await q<{ id: number }>(
    `select id from distribution_runs where admission_id = $1 and status = 'confirmed' order by id desc`,
    [ADMISSION],
  ))
    ok(await takeBack(id))
  await turn()
  sent.length = 0
}

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  officer = await u.as('admission_officer')
  // What the demo university has told already is nothing of this test.
  await q(
    'update distribution_mails set due_at = now(), sent_at = coalesce(sent_at, now()), begun_at = coalesce(begun_at, now()), tries = greatest(tries, 1)',
  )
  await q(`update admissions set results_at = now() + interval '1 hour' where id = $1`, [ADMISSION])
})
afterAll(() => u.close())

test.each([
  [1, 1],
  [2, 2],
  [MOST_TRIES - 1, 64],
  [MOST_TRIES, null],
  [MOST_TRIES + 1, null],
])('after %i tries: %s minutes', (tries, minutes) => expect(minutesUntilAgain(tries)).toBe(minutes))

let run: number
let losers: number[]
test('nobody is told before the day of results, and nobody of a preview', async () => {
  const previewed = await preview()
  expect((await without(previewed)).length).toBeGreaterThan(10)
  expect(await turn()).toEqual({ queued: 0, sent: 0, failed: 0 })
  ok(await officer('PUT', `/distribution-runs/confirm/${previewed}`, {}))
  run = previewed
  losers = await without(run)
  expect(await turn()).toEqual({ queued: 0, sent: 0, failed: 0 })
  expect(sent).toEqual([])
})

test('a process that dies in the middle leaves nobody untold and tells nobody twice', async () => {
  await q(`update admissions set results_at = now() - interval '1 second' where id = $1`, [ADMISSION])
  const dead = new AbortController()
  let handed = 0
  const cut = turn(async () => {
    // The program stops: what was handed over is noted, what is next is not begun.
    if (++handed === 4) dead.abort()
  }, dead.signal)
  expect((await cut).queued).toBe(losers.length)
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.length).toBeLessThan(losers.length)
  await turn()
  expect(idsOf(sent)).toEqual(named(run, losers, 'no_seat'))
  // Twice is once.
  expect(await turn()).toEqual({ queued: 0, sent: 0, failed: 0 })
  await later(LEASE_MINUTES * 100)
  expect(await turn()).toEqual({ queued: 0, sent: 0, failed: 0 })
})

test('a process that is killed while mails are on their way: they are sent again, and the others do not wait', async () => {
  await q('delete from distribution_mails where run_id = $1', [run])
  sent.length = 0
  // It never hears what became of them.
  void turn(() => new Promise(() => {}))
  const begun = () =>
    q<{ id: number }>('select applicant_id as id from distribution_mails where run_id = $1 and begun_at is not null', [
      run,
    ])
  await expect.poll(async () => (await begun()).length).toBe(4)
  const under = (await begun()).map(({ id }) => id)
  await turn()
  const others = losers.filter((id) => !under.includes(id))
  expect(idsOf(sent)).toEqual(named(run, others, 'no_seat'))
  await later(LEASE_MINUTES + 1)
  await Promise.all([turn(), turn()])
  expect(idsOf(sent)).toEqual(named(run, losers, 'no_seat'))
  await q('update distribution_mails set tries = 1 where run_id = $1', [run])
})

test('it is said in the language of the applicant, with where the result stands', async () => {
  const languages = await q<{ id: number; language: string; code: string }>(
    'select id, language, code from applicants where id = any($1)',
    [losers],
  )
  const of = new Map(languages.map((row) => [`distribution-${run}-${row.id}-no_seat`, row]))
  for (const mail of sent) {
    const { language, code } = of.get(mail.id!)!
    expect(mail).toMatchObject({ key: 'application_no_seat', lang: language, data: { number: code } })
    expect(mail.data!.link).toMatch(/\/apply$/)
  }
  const { rows } = await u.database.pool.query(
    'select sent_at is not null as sent, tries from distribution_mails where run_id = $1',
    [run],
  )
  expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(new Set(['{"sent":true,"tries":1}']))
})

test('a distribution that is taken back is told to whoever was told, and the next one by itself', async () => {
  sent.length = 0
  ok(await takeBack(run))
  // Two processes at the same moment share the work.
  await Promise.all([turn(), turn()])
  expect(idsOf(sent)).toEqual(named(run, losers, 'withdrawn'))
  expect(new Set(sent.map(({ key }) => key))).toEqual(new Set(['application_result_withdrawn']))
  sent.length = 0
  const again = await confirmed()
  await Promise.all([turn(), turn(), turn()])
  expect(idsOf(sent)).toEqual(named(again, await without(again), 'no_seat'))
  await turn()
  expect(sent).toHaveLength((await without(again)).length)
  run = again
})

test('who was put in the queue and not told is not told of what does not count any more', async () => {
  ok(await takeBack(run))
  await turn()
  const next = await confirmed()
  const ids = await without(next)
  sent.length = 0
  // One try reaches nobody, but nobody can know; the others were not begun.
  const dead = new AbortController()
  await turn(async () => {
    dead.abort()
    throw new Error('the line is gone')
  }, dead.signal)
  const begun = await q<{ id: number }>(
    'select applicant_id as id from distribution_mails where run_id = $1 and begun_at is not null',
    [next],
  )
  expect(begun.length).toBeGreaterThan(0)
  expect(begun.length).toBeLessThan(ids.length)
  ok(await takeBack(next))
  await turn()
  // The try may still be under way.
  expect(sent).toEqual([])
  await later(LEASE_MINUTES + 1)
  await turn()
  expect(idsOf(sent)).toEqual(
    named(
      next,
      begun.map(({ id }) => id),
      'withdrawn',
    ),
  )
  // What was never begun is no longer in the queue.
  expect(await q('select from distribution_mails where run_id = $1 and begun_at is null', [next])).toEqual([])
})

test('the correction goes before the next result', async () => {
  const first = await confirmed()
  await turn()
  ok(await takeBack(first))
  sent.length = 0
  // The correction fails for now.
  const second = await confirmed()
  const ids = await without(second)
  const broken = async () => {
    throw new Error('come again later')
  }
  await expect(turn(broken)).rejects.toThrow('come again later')
  const tried = await q<{ kind: string }>(
    'select distinct kind from distribution_mails where sent_at is null and tries > 0 and run_id in ($1, $2)',
    [first, second],
  )
  expect(tried).toEqual([{ kind: 'withdrawn' }])
  await later(60)
  await turn()
  const order = (id: number) => sent.map(({ id }) => id).indexOf(`distribution-${second}-${id}-no_seat`)
  for (const id of ids) {
    const corrected = sent.findIndex((mail) => mail.id === `distribution-${first}-${id}-withdrawn`)
    expect(corrected).toBeGreaterThanOrEqual(0)
    expect(order(id)).toBeGreaterThan(corrected)
  }
  run = second
})

test('a seat that was given by hand, an application that ended or was removed: not told', async () => {
  await nothingConfirmed()
  const next = await preview()
  const [ended, removed, seated] = await without(next)
  ok(await officer('PUT', `/distribution-runs/confirm/${next}`, {}))
  ok(await officer('PUT', `/applicants/status/hold/${ended}`, { reason: 'Papers are missing.' }))
  await q('update applicants set removed_at = now() where id = $1', [removed])
  const program = await one<{ program_id: number }>(
    'select program_id from admission_programs where admission_id = $1 and removed_at is null limit 1',
    [ADMISSION],
  )
  await q('update applicants set program_id = $2 where id = $1', [seated, program.program_id])
  sent.length = 0
  await turn()
  expect(idsOf(sent)).toEqual(
    named(
      next,
      (await without(next)).filter((id) => ![ended, removed, seated].includes(id)),
      'no_seat',
    ),
  )
  // Whoever comes back to wait is told then.
  ok(await officer('PUT', `/applicants/status/resume/${ended}`, {}))
  sent.length = 0
  await turn()
  expect(idsOf(sent)).toEqual(named(next, [ended!], 'no_seat'))
  run = next
})

test('an address that fails is tried again, later and later, and keeps nobody waiting', async () => {
  await q(
    'update applicants set program_id = null where admission_id = $1 and program_id is not null and status = $2 and id in (select applicant_id from distribution_places where run_id = $3 and program_id is null)',
    [ADMISSION, 'DISTRIBUATION_REQUIRED', run],
  )
  const failing = async () => {
    throw new Error('no such address')
  }
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    expect(await turn(failing)).toMatchObject({ sent: 0, failed: 1 })
    expect(await turn(failing)).toMatchObject({ sent: 0, failed: 0 })
    await later(minutesUntilAgain(tries) ?? 10_000)
  }
  expect(await turn(failing)).toMatchObject({ sent: 0, failed: 0 })
})

test('results that are no news are told to nobody', async () => {
  const since = async (results: number, confirmed: number): Promise<number> => {
    await q('delete from distribution_mails where run_id = $1', [run])
    await q('update distribution_runs set confirmed_at = now() - make_interval(days => $2) where id = $1', [
      run,
      confirmed,
    ])
    // Results come after the admission has closed.
    await q(
      `update admissions set opens_at = now() - interval '90 days', closes_at = now() - interval '60 days',
         results_at = now() - make_interval(days => $2) where id = $1`,
      [ADMISSION, results],
    )
    return (await turn()).queued
  }
  // One was removed above.
  const all = (await without(run)).length - 1
  expect(await since(31, 40)).toBe(0)
  expect(await since(29, 40)).toBe(all)
  expect(await since(40, 31)).toBe(0)
  expect(await since(40, 29)).toBe(all)
})

test('the database keeps neither a mail that was sent and not begun nor another kind', async () => {
  for (const [set, constraint] of [
    ['sent_at = now(), begun_at = null, tries = 0', 'distribution_mail_sent'],
    ['begun_at = null', 'distribution_mail_begun'],
    [`kind = 'seat'`, 'distribution_mails_kind_check'],
  ])
    await expect(q(`update distribution_mails set ${set} where run_id = ${run}`)).rejects.toMatchObject({ constraint })
})
