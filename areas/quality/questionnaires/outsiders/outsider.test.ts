/** People outside: their list, the link, and that nobody learns who answered what once it is counted. */
import { asSystem } from '#kit/server/unit/request.ts'
import type { MailInput } from '#kit/server/mail/mail.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { ok, reasons, type Caller } from '#tests/university.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inviteByLink, inviteLinked, remindLinked } from '../inviting/invite.server.ts'
import { refusalOf } from '../inviting/refusal.server.ts'
import { COMMENT, RATING, questionnaireWorld, type QuestionnaireWorld } from '../testing.server.ts'

let w: QuestionnaireWorld
const mails: MailInput[] = []
beforeAll(async () => {
  w = await questionnaireWorld()
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- what a mail server would be given
  w.uni.services.mail.send = async (mail) => {
    mails.push(mail)
  }
}, 180_000)
afterAll(() => w?.uni.close())
beforeEach(() => void (mails.length = 0))

let n = 0
const people = (count: number) =>
  Array.from({ length: count }, () => ({
    name: `Person ${++n}`,
    organisation: `Company ${n}`,
    email: `person${n}@company.example`,
    language: 'en',
  }))
const progress = Object.assign(async () => undefined, { signal: new AbortController().signal })
const system = () => asSystem(w.uni.services, 'test')
const plan = async (more: object = {}) => {
  const { id: type_id, keys } = await w.type('university', [RATING, COMMENT], { kind: 'outsider' })
  const [{ today, later }] = await w.q(
    `select university_today()::text as today, (university_today() + 10)::text as later`,
  )
  const said = { type_id, opens_on: today, closes_on: later, obligatory: false, postponements: 0, ...more }
  const { id } = ok(await w.quality('PUT', '/questionnaires', said))
  return { id, key: keys[0] ?? '', comment: keys[1] ?? '', said }
}
const add = (id: number, rows: readonly object[], who: Caller = w.quality) =>
  who('PUT', `/questionnaires/outsiders/${id}`, { rows })
const list = async (id: number) => ok(await w.quality('GET', `/questionnaires/outsiders/${id}`))
const open = async (id: number) => ok(await w.quality('GET', `/questionnaires/survey/status/${id}`))
/** Sends what is due, as the jobs would. @returns tokens by address */
async function write(id: number): Promise<Map<string, string>> {
  mails.length = 0
  await inviteLinked(system(), id)
  const rows = await w.q(
    `select outsider_id from questionnaire_invitations where questionnaire_id = $1 and sent_on is null order by 1`,
    [id],
  )
  for (const { outsider_id } of rows) await inviteByLink.run(system(), { questionnaire_id: id, outsider_id }, progress)
  return new Map(mails.map(({ to, data }) => [to, /token=(.+)$/.exec(String(data?.link))?.[1] ?? '']))
}
const anybody = (path: string, body: object, method: 'POST' | 'PUT' = 'PUT') => w.uni.nobody(method, path, body)
const answer = (token: string, answers: object) => anybody('/questionnaires/invited', { token, answers })

test('it is opened once somebody is on the list, each answers once by the link, and nothing of it is left when it is counted', async () => {
  const { id, key, comment } = await plan()
  expect(reasons(await w.quality('GET', `/questionnaires/survey/status/${id}`))).toEqual(['questionnaire_nobody'])
  const six = people(6)
  expect(ok(await add(id, six))).toEqual({ added: 6, known: 0 })
  // The same list again, and one more.
  expect(ok(await add(id, [...six, ...people(1)]))).toEqual({ added: 1, known: 6 })
  await open(id)
  const tokens = await write(id)
  expect(tokens.size).toBe(7)
  expect(mails[0]).toMatchObject({ key: 'questionnaire_outsider', lang: 'en' })
  expect(await list(id)).toContainEqual(expect.objectContaining({ email: six[0]!.email, state: 'sent' }))

  const [first = '', ...others] = [...tokens.values()]
  expect(ok(await anybody('/questionnaires/invited', { token: first }, 'POST')).questions).toHaveLength(2)
  expect(reasons(await answer(first, {}))).toEqual([`answer_missing@${key}`])
  // Two windows at once: one counts.
  const both = await Promise.all([1, 2].map((point) => answer(first, { [key]: point, [comment]: 'Only I' })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  for (const token of others.slice(0, 4)) ok(await answer(token, { [key]: 4 }))
  expect(reasons(await answer(first, { [key]: 5 }))).toEqual(['questionnaire_answered'])
  expect(ok(await w.quality('GET', `/questionnaires/show/${id}`))).toMatchObject({ asked: 7, answered: 5 })
  // Nothing readable while it is open.
  const [{ found }] = await w.q(
    `select count(*)::int as found from questionnaire_ballots where encode(sealed, 'escape') like '%Only I%'`,
  )
  expect(found).toBe(0)

  await w.close(id)
  expect(reasons(await answer(others[5] ?? '', { [key]: 4 }))).toEqual(['questionnaire_link_over'])
  expect(ok(await w.quality('POST', `/questionnaires/stats/${id}`, {}))).toMatchObject({ asked: 7, answered: 5 })
  expect(await w.q('select from questionnaire_invitations where questionnaire_id = $1', [id])).toEqual([])
  // Whom it asked stays, who of them answered does not.
  expect((await list(id)).map(({ state }: { state: string }) => state)).toEqual(Array(7).fill('listed'))
  expect(reasons(await add(id, people(1)))).toEqual(['questionnaire_closed'])
})

test('the list is refused where it is wrong, and to whom it does not belong', async () => {
  const { id, said } = await plan()
  const [one] = people(1)
  expect(reasons(await add(id, [{ ...one, name: '   ' }]))).toHaveLength(1)
  expect(reasons(await add(id, [{ ...one, email: 'no address' }]))).toHaveLength(1)
  expect(reasons(await add(id, [one!, { ...one, name: 'Again' }]))).toEqual(['outsider_twice@rows.1.email'])
  expect(reasons(await w.quality('PUT', `/questionnaires/${id}`, { ...said, obligatory: true }))).toEqual([
    'questionnaire_not_led@obligatory',
  ])
  ok(await add(id, [one!]))
  const { id: students } = await w.type('university', [RATING])
  expect(reasons(await w.quality('PUT', `/questionnaires/${id}`, { ...said, type_id: students }))).toEqual([
    'questionnaire_outsiders_there@type_id',
  ])
  const other = ok(await w.quality('PUT', '/questionnaires', { ...said, type_id: students }))
  expect(reasons(await add(other.id, people(1)))).toEqual(['questionnaire_no_outsiders'])
  // Also whoever writes past the program.
  await expect(
    w.q(`insert into questionnaire_outsiders (questionnaire_id, name, email) values ($1, 'X', 'x@y.example')`, [
      other.id,
    ]),
  ).rejects.toThrow(/does not ask outsiders/)
  const student = await w.uni.as('student', undefined, { type: 3 })
  expect((await add(id, people(1), student)).status).toBe(403)
  expect((await student('GET', `/questionnaires/outsiders/${id}`)).status).toBe(403)
  expect((await w.uni.nobody('GET', `/questionnaires/outsiders/${id}`)).status).toBe(401)
  // Quality staff of another faculty reach neither the list nor a person of it.
  const { id: mine } = await plan({ faculty_id: w.faculty[0] })
  ok(await add(mine, people(1)))
  const [{ id: person }] = await list(mine)
  const elsewhere = await w.uni.as('quality_staff', ['faculty', w.faculty[1]])
  for (const answered of [
    await elsewhere('GET', `/questionnaires/outsiders/${mine}`),
    await add(mine, people(1), elsewhere),
    await elsewhere('DELETE', `/questionnaires/outsiders/${person}`),
    await elsewhere('PUT', `/questionnaires/outsiders/change/${person}`, people(1)[0]),
  ])
    expect(answered.status).toBe(404)
})

test('who was written to stays on the list; a corrected address gets a link of its own, and the one before is dead', async () => {
  const { id, key } = await plan()
  const [wrong, right, gone] = people(3)
  ok(await add(id, [wrong!, gone!]))
  const find = async (email: string) => (await list(id)).find((one: { email: string }) => one.email === email)
  // Before anybody is written to, one goes without more ado.
  ok(await w.quality('DELETE', `/questionnaires/outsiders/${(await find(gone!.email)).id}`))
  await open(id)
  const before = await write(id)
  const { id: person } = await find(wrong!.email)
  expect(reasons(await w.quality('DELETE', `/questionnaires/outsiders/${person}`))).toEqual([
    'questionnaire_outsider_asked',
  ])
  await expect(w.q(`delete from questionnaire_outsiders where id = $1`, [person])).rejects.toThrow(
    /questionnaire_outsider_asked/,
  )
  const none = await w.quality('PUT', `/questionnaires/outsiders/change/${person}`, { ...wrong, email: 'nowhere' })
  expect([none.status, reasons(none)]).toEqual([422, ['email_not_valid@email']])
  ok(await w.quality('PUT', `/questionnaires/outsiders/change/${person}`, { ...wrong, email: right!.email }))
  expect(reasons(await answer(before.get(wrong!.email) ?? '', { [key]: 3 }))).toEqual(['questionnaire_link_over'])
  const after = await write(id)
  expect([...after.keys()]).toEqual([right!.email])
  ok(await answer(after.get(right!.email) ?? '', { [key]: 3 }))
  expect(reasons(await w.quality('PUT', `/questionnaires/outsiders/change/${person}`, wrong))).toEqual([
    'questionnaire_outsider_answered',
  ])
  // A second address that is there already.
  const [more] = people(1)
  ok(await add(id, [more!]))
  const { id: second } = await find(more!.email)
  expect(
    reasons(await w.quality('PUT', `/questionnaires/outsiders/change/${second}`, { ...more, email: right!.email })),
  ).toEqual(['questionnaire_outsider_twice@email'])
})

test('who has not answered is reminded with a new link, who wants no mails is not written to again', async () => {
  const { id, key } = await plan()
  const three = people(3)
  ok(await add(id, three))
  await open(id)
  const tokens = await write(id)
  const stop = /stop=(.+)$/.exec(String(mails.find(({ to }) => to === three[1]!.email)?.unsubscribe))?.[1] ?? ''
  ok(await answer(tokens.get(three[0]!.email) ?? '', { [key]: 5 }))
  expect(
    reasons(await anybody('/questionnaires/invited/refuse', { stop: `${stop.slice(0, -2)}xx`, refused: true })),
  ).toEqual(['questionnaire_stop_link'])
  expect(reasons(await anybody('/questionnaires/invited/refuse', { stop: 'made-up', refused: true }))).toEqual([
    'questionnaire_stop_link',
  ])
  expect((await anybody('/questionnaires/invited/refuse', { stop, refused: true })).status).toBe(200)
  expect(await list(id)).toContainEqual(expect.objectContaining({ email: three[1]!.email, state: 'refused' }))

  // Nobody is reminded on the day of the first mail.
  expect(await system().write((tx) => remindLinked(system(), tx, id))).toBe(0)
  await w.q(`update questionnaire_invitations set sent_on = sent_on - 1 where questionnaire_id = $1`, [id])
  expect(await system().write((tx) => remindLinked(system(), tx, id))).toBe(1)
  mails.length = 0
  const rows = await w.q(`select outsider_id from questionnaire_invitations where questionnaire_id = $1`, [id])
  for (const { outsider_id } of rows)
    await inviteByLink.run(system(), { questionnaire_id: id, outsider_id, again: true }, progress)
  expect(mails.map(({ to, key: text }) => [to, text])).toEqual([[three[2]!.email, 'questionnaire_reminder']])
  expect(reasons(await answer(tokens.get(three[2]!.email) ?? '', { [key]: 1 }))).toEqual(['questionnaire_link_over'])
  ok(await answer(/token=(.+)$/.exec(String(mails[0]?.data?.link))?.[1] ?? '', { [key]: 1 }))

  // In the next questionnaire as well; until the person says otherwise. The address itself is nowhere.
  const next = await plan()
  ok(await add(next.id, three))
  await open(next.id)
  expect((await write(next.id)).has(three[1]!.email)).toBe(false)
  expect(
    await w.q(`select 1 from questionnaire_refusals r where r::text like '%' || $1 || '%'`, [three[1]!.email]),
  ).toEqual([])
  expect((await anybody('/questionnaires/invited/refuse', { stop, refused: false })).status).toBe(200)
  expect((await write(next.id)).has(three[1]!.email)).toBe(true)
})

/** Uploads people as a sheet with heads in both languages, and looks at what would be taken. */
async function previewOf(id: number, rows: readonly Record<string, string>[]) {
  const column = (header: string, key: string) => ({ header, key, type: 'text' as const })
  const content = await writeSheet({
    sheets: [
      {
        name: 'People',
        direction: 'ltr',
        columns: [
          column('Name', 'name'),
          column('الجهة', 'organisation'),
          column('E-mail', 'email'),
          column('Language', 'language'),
        ],
        rows: [...rows],
      },
    ],
  })
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(content)]), 'people.xlsx')
  const encoded = new Response(form)
  const sent = await w.uni.app.inject({
    method: 'POST',
    url: `/api/questionnaires/outsiders/import/${id}/preview`,
    headers: {
      authorization: `Bearer ${w.quality.token}`,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return sent.json().data
}
/** Takes people from a sheet. @returns the operation by which it is taken back */
async function imported(id: number, rows: readonly Record<string, string>[]): Promise<number> {
  const { import_id } = await previewOf(id, rows)
  return (await w.quality('POST', `/questionnaires/outsiders/import/${id}/${import_id}`)).body.operation_id
}

test('a sheet is compared with the list, mended and taken, and taken back', async () => {
  const { id } = await plan()
  const [known, fresh, mended] = people(3)
  ok(await add(id, [known!]))
  const preview = await previewOf(id, [
    known!,
    { ...fresh!, language: 'Deutsch' },
    { ...mended!, email: 'nowhere', language: 'Klingon' },
  ])
  expect(preview.counts).toMatchObject({ same: 1, created: 1, wrong: 1 })
  expect(preview.errors.map(({ code }: { code: string }) => code)).toEqual(['outsider_address', 'outsider_language'])
  const mend = ok(
    await w.quality('POST', `/questionnaires/outsiders/import/${id}/${preview.import_id}/mend`, {
      cells: [
        { row: 4, field: 'email', text: mended!.email },
        { row: 4, field: 'language', text: 'fr' },
      ],
      out: [],
      take: [],
      check: [],
    }),
  )
  expect(mend.counts).toMatchObject({ created: 2, wrong: 0 })
  const saved = await w.quality('POST', `/questionnaires/outsiders/import/${id}/${preview.import_id}`)
  expect(saved.body).toMatchObject({ saved: 2, operation_id: expect.any(Number) })
  const rows = await list(id)
  expect(rows.map(({ email, language }: { email: string; language: string }) => [email, language])).toEqual([
    [known!.email, 'en'],
    [fresh!.email, 'de'],
    [mended!.email, 'fr'],
  ])
  ok(await w.quality('POST', `/operations/${saved.body.operation_id}/undo`))
  expect((await list(id)).map(({ email }: { email: string }) => email)).toEqual([known!.email])
})

test('an import is taken back but for those who were written to: they stay, each named with the reason, and their links work', async () => {
  const { id, key } = await plan()
  const [written, refuser, mended] = people(3)
  const stop = await refusalOf(w.uni.database.pool, refuser!.email)
  expect((await anybody('/questionnaires/invited/refuse', { stop, refused: true })).status).toBe(200)
  const operation = await imported(id, [written!, refuser!, mended!])
  await open(id)
  const tokens = await write(id)
  expect([...tokens.keys()].toSorted()).toEqual([written!.email, mended!.email].toSorted())
  const one = (await list(id)).find(({ email }: { email: string }) => email === mended!.email)
  const said = { name: 'Another name', organisation: one.organisation, email: one.email, language: one.language }
  ok(await w.quality('PUT', `/questionnaires/outsiders/change/${one.id}`, said))

  const shown = ok(await w.quality('POST', `/operations/${operation}/undo/preview`))
  expect(shown).toMatchObject({ changed: 0, removed: 1, kept_count: 2 })
  const told = shown.kept.map(
    ({ name, field, problem }: { name: string; field: string[]; problem: { code: string } }) => [
      name,
      field?.[0] ?? null,
      problem.code,
    ],
  )
  expect(told.toSorted()).toEqual(
    [
      [written!.name, null, 'questionnaire_outsider_asked'],
      [mended!.name, 'Name', 'undo_changed'],
    ].toSorted(),
  )
  expect(shown.kept[0].problem.en).not.toContain('questionnaire_')
  expect(ok(await w.quality('POST', `/operations/${operation}/undo`))).toEqual(shown)
  expect((await list(id)).map(({ email }: { email: string }) => email).toSorted()).toEqual(
    [written!.email, mended!.email].toSorted(),
  )
  for (const token of tokens.values()) ok(await answer(token, { [key]: 4 }))
  expect(reasons(await w.quality('POST', `/operations/${operation}/undo`))).toEqual(['undo_done'])
})

test('where everybody was written to, or the list is closed, nothing of an import is taken back', async () => {
  const { id } = await plan()
  const operation = await imported(id, people(2))
  await open(id)
  await write(id)
  expect(reasons(await w.quality('POST', `/operations/${operation}/undo`))).toEqual(['undo_nothing'])
  const shown = ok(await w.quality('POST', `/operations/${operation}/undo/preview`))
  expect(shown).toMatchObject({ removed: 0, kept_count: 2 })
  await w.close(id)
  expect(reasons(await w.quality('POST', `/operations/${operation}/undo/preview`))).toEqual(['questionnaire_closed'])
  expect(reasons(await w.quality('POST', `/operations/${operation}/undo`))).toEqual(['questionnaire_closed'])
  expect(await list(id)).toHaveLength(2)
})
