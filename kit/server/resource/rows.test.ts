import { afterAll, beforeAll, expect, test } from 'vitest'
import { area, f, lookup, resourceCalls } from '#kit/contract/index.ts'
import { defineAreaServer } from '../http/area.ts'
import { readSheet } from '../sheets/index.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

/** Child rows: written whole with their record, kept apart, in order, and told in its history. */
const topic = lookup('building', {
  name: 'topic',
  path: '/topics',
  one: ['Topic', 'موضوع'],
  many: ['Topics', 'موضوعات'],
  adding: ['Add topic', 'إضافة موضوع'],
  editing: ['Edit topic', 'تعديل موضوع'],
})
const survey = lookup('location', {
  name: 'survey',
  path: '/surveys',
  one: ['Survey', 'استبيان'],
  many: ['Surveys', 'استبيانات'],
  adding: ['Add survey', 'إضافة استبيان'],
  editing: ['Edit survey', 'تعديل استبيان'],
  fields: {
    questions: f.rows(
      ['Questions', 'الأسئلة'],
      {
        text: f.text(['Text', 'النص'], { required: true, max: 100 }),
        topic_id: f.lookup(['Topic', 'الموضوع'], 'topic'),
        weight: f.decimal(['Weight', 'الوزن'], { places: 2, max: 10, required: true }),
        from: f.instant(['From', 'من']),
        open: f.flag(['Open', 'مفتوح']),
      },
      { table: 'survey_questions', parent: 'survey_id', position: 'position', max: 5 },
    ),
  },
})
const server = defineAreaServer({
  area: area({ name: 'library', label: ['Library', 'المكتبة'], resources: [topic, survey] }),
  handlers: [],
})
const calls = resourceCalls(survey)
const everything = Object.fromEntries(
  [topic, survey].flatMap((r) => Object.values(r.permissions)).map((key) => [key as string, 'all' as const]),
)

let t: TestApp
let client: ReturnType<TestApp['as']>
let art = 0
beforeAll(async () => {
  t = await openTestApp([server])
  await t.database.pool.query(`
    select create_lookup(name) from unnest(array['topics', 'surveys']) as name;
    create table survey_questions (
      id integer generated always as identity primary key,
      survey_id integer not null references surveys on delete cascade,
      position smallint not null, text text not null, topic_id integer references topics,
      weight numeric(4, 2) not null, "from" timestamptz, open boolean not null,
      constraint survey_questions_text unique (survey_id, text) deferrable
    );
    select audit_rows('survey_questions', 'survey_id')`)
  const { rows } = await t.database.pool.query<{ id: number }>(
    `insert into users (type, name, name_local) values (2, 'Amal', 'أمل') returning id`,
  )
  client = t.as(testActor(everything, { user_id: rows[0]!.id, name: 'Amal' }))
  const body = { code: 'ART', name: 'Art', name_local: 'فنون' }
  art = (await client.ask(resourceCalls(topic).create, { body })).data.id
})
afterAll(() => t.close())

const question = (text: string, more: object = {}) => ({
  text,
  topic_id: null,
  weight: '1.50',
  from: null,
  open: false,
  ...more,
})
let count = 0
const add = async (...questions: object[]) => {
  const body = { code: `S${++count}`, name: 'Survey', name_local: 'استبيان', questions } as never
  return (await client.ask(calls.create, { body })).data
}
const change = (id: number, body: object) => client.send(calls.update, { params: { id }, body: body as never })
const texts = (row: { questions: readonly { text: string }[] | null }) => row.questions!.map((q) => q.text)

test('they are written with their record and read back in order, with the records they name', async () => {
  const made = await add(
    question('One', { topic_id: art, from: '2026-01-01T10:00:00+02:00', open: true }),
    question('Two', { weight: '0.10' }),
  )
  const { data } = await client.ask(calls.get, { params: { id: made.id } })
  expect(data.questions).toEqual([
    {
      ...question('One', { topic_id: art, open: true, from: '2026-01-01T08:00:00.000Z' }),
      id: expect.any(Number),
      topic: { id: art, code: 'ART', name: 'Art', name_local: 'فنون' },
    },
    { ...question('Two', { weight: '0.10' }), id: expect.any(Number), topic: null },
  ])
})

test('they are put in order, changed, added and removed in one change, which is one version of the record', async () => {
  const made = await add(question('One'), question('Two'), question('Three'))
  const [one, two, three] = made.questions as unknown as { id: number; text: string }[]
  const { data } = await client.ask(calls.update, {
    params: { id: made.id },
    // The names of two are exchanged as well: what must be unique is so at the end.
    body: {
      questions: [{ ...question('One'), id: three!.id }, question('New'), { ...question('Three'), id: one!.id }],
      version: made.version,
    } as never,
  })
  expect(texts(data as never)).toEqual(['One', 'New', 'Three'])
  expect(data.version).toBe(made.version + 1)
  const ids = (data.questions as unknown as { id: number }[]).map((q) => q.id)
  expect([ids[0], ids[2]]).toEqual([three!.id, one!.id])
  expect(ids).not.toContain(two!.id)
  const stale = await change(made.id, { questions: [], version: made.version })
  expect([stale.status, stale.error?.errors[0]?.code]).toEqual([409, 'changed_meanwhile'])
  const same = await client.ask(calls.update, {
    params: { id: made.id },
    body: {
      questions: (data.questions as unknown as { id: number; text: string }[]).map(({ id, text }) => ({
        ...question(text),
        id,
      })),
    } as never,
  })
  expect(same.data.version, 'nothing changed').toBe(data.version)
})

test('what is wrong is said by line, and a line of another record is not taken', async () => {
  const [mine, other] = [await add(question('One')), await add(question('One'))]
  const [stranger] = other.questions as unknown as { id: number }[]
  const foreign = await change(mine.id, { questions: [{ ...question('Mine now'), id: stranger!.id }] })
  expect(foreign.status).toBe(422)
  expect(foreign.error?.errors).toMatchObject([{ field: 'questions.0.id', code: 'row_unknown' }])
  const wrong = await change(mine.id, { questions: [question('One'), question('', { weight: '11' })] })
  expect(wrong.error?.errors.map((e) => e.field)).toEqual(['questions.1.text', 'questions.1.weight'])
  const many = await change(mine.id, { questions: Array.from({ length: 6 }, (_, i) => question(`${i}`)) })
  expect(many.error?.errors.map((e) => e.code)).toEqual(['too_many'])
  expect(texts((await client.ask(calls.get, { params: { id: other.id } })).data as never)).toEqual(['One'])
})

test('two people who change the lines at once: both changes are whole, and the later is told where it knew the version', async () => {
  const made = await add(question('One'))
  const answers = await Promise.all(
    ['A', 'B', 'C'].map((text) => change(made.id, { questions: [question(text)], version: made.version })),
  )
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409, 409])
  expect(texts((await client.ask(calls.get, { params: { id: made.id } })).data as never)).toHaveLength(1)
})

test('the history of the record tells what became of its lines, and its export holds them', async () => {
  const made = await add(question('One'), question('Two'))
  const [one, two] = made.questions as unknown as { id: number }[]
  await change(made.id, {
    questions: [
      { ...question('Two'), id: two!.id },
      { ...question('One', { topic_id: art }), id: one!.id },
    ],
  })
  await change(made.id, { questions: [{ ...question('Two'), id: two!.id }] })
  const { data } = await client.ask(calls.history, { params: { id: made.id } })
  const lines = data.filter(({ record }) => record?.within)
  expect(
    lines.map(({ action, record, changes }) => [action, record?.one?.name, record?.parts[0]?.name, changes]),
  ).toMatchObject([
    [
      'delete',
      'Questions',
      made.name,
      expect.arrayContaining([expect.objectContaining({ field: 'text', old: 'One' })]),
    ],
    ['update', 'Questions', made.name, [{ field: 'topic', label: { name: 'Topic' }, old: null, new: { name: 'Art' } }]],
    ['insert', 'Questions', made.name, expect.arrayContaining([expect.objectContaining({ field: 'text' })])],
    ['insert', 'Questions', made.name, expect.arrayContaining([expect.objectContaining({ field: 'text' })])],
  ])
  const file = await client.send(calls.export, { body: { ids: [made.id], lang: 'en' } as never })
  const [sheet] = (await readSheet(file.bytes)).sheets
  expect(sheet!.rows[1]!.map((cell) => cell.text)).toContain('Two · 1.50 · No')
})
