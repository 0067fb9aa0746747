/** The curious administrator: reads every row of every table, with what PostgreSQL itself keeps beside it, and learns no answer. */
import { sealWith } from '#kit/server/identity/sealed.ts'
import { ok } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ballotOpener } from './counting/envelope.server.ts'
import { BALLOT_KEYS, ballotKeyOf } from './counting/keys.server.ts'
import { tally } from './counting/tally.rules.ts'
import { COMMENT, RATING, questionnaireWorld, type QuestionnaireWorld } from './testing.server.ts'
import { formQuestion } from './types/form.contract.ts'

let w: QuestionnaireWorld
beforeAll(async () => {
  w = await questionnaireWorld()
}, 180_000)
afterAll(() => w?.uni.close())

/** Every row of every table as text, with its place and the transaction that wrote it: bytes as hexadecimal digits. */
async function everything(): Promise<{ table: string; row: string; xmin: string; ctid: string }[]> {
  const tables = await w.q<{ name: string }>(`select format('%I.%I', n.nspname, c.relname) as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'pgboss') and c.relkind = 'r'`)
  const all = []
  for (const { name } of tables)
    for (const row of await w.q(`select t::text as row, t.xmin::text as xmin, t.ctid::text as ctid from ${name} t`))
      all.push({ table: name, ...row })
  return all
}
const hex = (text: string) => Buffer.from(text).toString('hex')
const CLASSES = 6
const SIZE = 7
/** What each student writes and rates: told apart by nobody but the test. */
const said = (set: number, i: number) => `Word ${String.fromCharCode(97 + ((i * 5 + set) % 26))}${set} of one`
const rated = (set: number, i: number) => ((i * 3 + set) % 5) + 1

test('while it is open and after it was counted, tables, places and transactions tell no answer', async () => {
  const { id: type, keys } = await w.type('course', [RATING, COMMENT])
  const [rating = '', comment = ''] = keys
  const classes = []
  for (let set = 0; set < CLASSES; set++) {
    const offering = await w.offering(`C${set}`)
    classes.push({ offering, students: await w.classOf(offering, SIZE) })
  }
  const id = await w.open(type)
  const writers = new Map<string, number>()
  for (const [set, { students }] of classes.entries())
    for (const [i, student] of students.entries()) {
      const [due] = ok(await student('GET', '/questionnaires/user'))
      ok(
        await student('PUT', `/questionnaires/submit/${due.id}`, {
          answers: { [rating]: rated(set, i), [comment]: said(set, i) },
        }),
      )
      writers.set(said(set, i), student.user_id)
    }
  expect(writers.size).toBe(CLASSES * SIZE)

  // While it is open: the pairs are known (one transaction wrote each), and hold nothing that can be read.
  const open = await everything()
  for (const text of writers.keys())
    expect(open.filter(({ row }) => row.includes(text) || row.includes(hex(text))).map(({ table }) => table)).toEqual(
      [],
    )
  const envelopes = await w.q<{ length: number; sealed: Buffer }>(
    `select length(sealed) as length, sealed from questionnaire_ballots`,
  )
  expect(envelopes).toHaveLength(CLASSES * SIZE)
  expect(new Set(envelopes.map(({ length }) => length)).size).toBe(1)
  expect(new Set(envelopes.map(({ sealed }) => sealed.toString('hex'))).size).toBe(CLASSES * SIZE)
  const [{ private_key }] = await w.q(`select private_key from questionnaire_keys where questionnaire_id = $1`, [id])
  // With all that the database holds, also the university's own secret: not without SECRETS_KEY.
  const without = await sealWith({ pool: w.uni.database.pool }, '', BALLOT_KEYS)
  expect(() => without.open(private_key, ballotKeyOf(id))).toThrow()
  expect(() => ballotOpener(private_key)(envelopes[0]!.sealed)).toThrow()
  // Days only.
  expect(
    await w.q(`select column_name from information_schema.columns where table_name in
    ('questionnaire_participations', 'questionnaire_ballots', 'questionnaire_figures', 'questionnaire_comments')
    and (data_type like 'time%' or is_identity = 'YES' or column_default like 'nextval%')`),
  ).toEqual([])

  await w.close(id)
  const closed = await everything()
  const users = [...writers.values()]
  for (const table of ['questionnaire_participations', 'questionnaire_ballots', 'questionnaire_keys'])
    expect(await w.q(`select count(*)::int as n from ${table}`)).toEqual([{ n: 0 }])
  for (const [text] of writers)
    expect([...new Set(closed.filter(({ row }) => row.includes(text)).map(({ table }) => table))]).toEqual([
      'public.questionnaire_comments',
    ])
  // What is kept of a set was written by one transaction, in which nobody's participation was.
  const kept = await w.q<{ set_id: number; text: string; xmin: string; ctid: string }>(
    `select k.set_id, k.text, k.xmin::text, k.ctid::text from questionnaire_comments k order by k.ctid`,
  )
  const sets = Map.groupBy(kept, ({ set_id }) => set_id)
  expect(sets.size).toBe(CLASSES)
  for (const rows of sets.values()) {
    expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(1)
    expect(rows.map(({ text }) => text)).toEqual(rows.map(({ text }) => text).toSorted())
  }
  const before = new Set(open.map(({ xmin }) => xmin))
  expect(kept.filter(({ xmin }) => before.has(xmin))).toEqual([])

  // The administrator has the snapshot of before, and guesses: the first who answered wrote the first comment, or the last.
  const order = await order_of(open)
  expect(order).toHaveLength(users.length)
  const guesses = (turn: boolean) => {
    let right = 0
    for (const rows of sets.values()) {
      const people = order.filter(({ set_id }) => set_id === rows[0]!.set_id)
      for (const [i, { text }] of rows.entries()) {
        const guessed = people[turn ? people.length - 1 - i : i]
        if (guessed?.user_id === writers.get(text)) right++
      }
    }
    return right
  }
  // By chance one of each class is right, give or take.
  for (const turn of [false, true]) expect(guesses(turn)).toBeLessThanOrEqual(CLASSES * 2)
}, 180_000)

/** Who answered which set, in the order of their transactions, as the snapshot shows it. */
async function order_of(rows: Awaited<ReturnType<typeof everything>>): Promise<{ set_id: number; user_id: number }[]> {
  return rows
    .filter(({ table }) => table === 'public.questionnaire_participations')
    .toSorted((a, b) => Number(a.xmin) - Number(b.xmin))
    .map(({ row }) => {
      const [set_id, user_id] = row.slice(1, -1).split(',')
      return { set_id: Number(set_id), user_id: Number(user_id) }
    })
}

test('a thousand offerings: guesses by order are right as often as chance', () => {
  const words = { name: 'q', name_local: 'q' }
  const base = {
    revision: 1,
    section: null,
    text: words,
    points: 5,
    options: [],
    rows: [],
    required: false,
    min: null,
    max: null,
    condition: null,
  }
  const form = [
    formQuestion.parse({ ...base, key: 't', kind: 'text', points: null }),
    formQuestion.parse({ ...base, key: 'r', kind: 'rating' }),
  ]
  let seed = 7
  const chance = () => (seed = (seed * 48271) % 2147483647) / 2147483647
  let right = 0
  let expected = 0
  let variance = 0
  for (let offering = 0; offering < 1000; offering++) {
    const size = 5 + Math.floor(chance() * 40)
    const texts = Array.from({ length: size }, () => `t${chance()}`)
    const kept = tally(
      form,
      texts.map((t, i) => ({ t, r: (i % 5) + 1 })),
      size + 1,
    )
    for (const [i, { text }] of (kept?.comments ?? []).entries()) if (texts[i] === text) right++
    expected += 1
    variance += 1
  }
  // One right guess in each, with a deviation of one: four deviations of the sum.
  expect(Math.abs(right - expected)).toBeLessThan(4 * Math.sqrt(variance))
})

test('no stored number rests on fewer than five, and so no difference of sums does', async () => {
  const rows = await w.q<{ n: number }>(`select n from questionnaire_figures`)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every(({ n }) => n >= 5)).toBe(true)
  const [{ set_id }] = await w.q(`select set_id from questionnaire_figures limit 1`)
  await expect(
    w.q(`insert into questionnaire_figures (set_id, question, part, n, counts) values ($1, 'x', 0, 4, '{}')`, [set_id]),
  ).rejects.toThrow(/questionnaire_figure_small/)
  await expect(w.q(`update questionnaire_figures set n = n + 1`)).rejects.toThrow(/not changed/)
  await expect(w.q(`delete from questionnaire_figures`)).rejects.toThrow(/not changed/)
})

test('nothing of the answers is under the audit trail', async () => {
  expect(
    await w.q(`select c.relname from pg_trigger g join pg_class c on c.oid = g.tgrelid where g.tgname like 'audit%' and c.relname in
      ('questionnaire_participations', 'questionnaire_ballots', 'questionnaire_keys', 'questionnaire_figures', 'questionnaire_comments', 'questionnaire_sets')`),
  ).toEqual([])
})
