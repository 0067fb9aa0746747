import { readSheet } from '#kit/server/sheets/index.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, reasons, type Caller } from '#tests/university.ts'
import { unzipSync } from 'fflate'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMENT, RATING, questionnaireWorld, type QuestionnaireWorld } from '../testing.server.ts'
import { resultsOfAll } from './all.server.ts'
import { reportsJob } from './export.server.ts'

let w: QuestionnaireWorld
let id = 0
let sets: { id: number; course: { code: string }; small: boolean }[] = []
let teacher: Caller
let offerings: number[] = []
beforeAll(async () => {
  w = await questionnaireWorld()
  const { id: type, keys } = await w.type('course', [RATING, COMMENT])
  const [rating = '', comment = ''] = keys
  // Five offerings of one faculty, so that each has three others at least to be compared with; the last is small.
  const given = [[5, 5, 4, 5, 4], [1, 2, 1, 2, 3, 2], [3, 4, 3, 4, 3], [4, 4, 5, 3, 4], [5]]
  const classes: { students: Caller[]; given: number[] }[] = []
  for (const [i, all] of given.entries()) {
    const offering = await w.offering(`EX${i}`)
    offerings.push(offering)
    classes.push({ students: await w.classOf(offering, all.length), given: all })
  }
  teacher = await w.teacher(offerings[0] ?? 0, 'Mona Said')
  id = await w.open(type)
  for (const { students, given: all } of classes)
    for (const [i, student] of students.entries()) {
      const [due] = ok(await student('GET', '/questionnaires/user'))
      ok(
        await student('PUT', `/questionnaires/submit/${due.id}`, {
          answers: { [rating]: all[i], [comment]: `#panic() *said* said ${i}` },
        }),
      )
    }
}, 240_000)
afterAll(() => w?.uni.close())

const excel = (who: Caller, body: object) => who('POST', `/questionnaires/stats/excel/${id}`, body)
const rowsOf = async (content: Uint8Array) =>
  (await readSheet(content)).sheets[0]?.rows.map((row) => row.map((cell) => cell.text))

test('before it is counted there is nothing to export', async () => {
  for (const path of ['excel', 'report', 'reports'])
    expect(reasons(await w.quality('POST', `/questionnaires/stats/${path}/${id}`, {}))).toEqual(['results_not_counted'])
  await w.close(id)
  sets = (await w.quality('GET', `/questionnaires/sets/${id}`)).body.data
  expect(sets.filter(({ small }) => !small)).toHaveLength(4)
})

test('all at once is the same as each by itself', async () => {
  const all = await resultsOfAll(asSystem(w.uni.services, 'test'), id)
  expect(all.sets).toHaveLength(4)
  for (const { id: set_id, figures, strong, weak, asked, answered } of all.sets)
    expect(ok(await w.quality('POST', `/questionnaires/stats/${id}`, { set_id }))).toMatchObject({
      figures,
      strong,
      weak,
      asked,
      answered,
    })
  // Compared with the three others.
  expect(all.sets[0]?.figures[0]?.faculty).toBeCloseTo((11 + 17 + 20) / 16)
  expect(all.sets[0]?.strong).toHaveLength(1)
  expect(all.sets[1]?.weak).toHaveLength(1)
})

test('a sheet of all has a line for each, a sheet of one a line for each question', async () => {
  const all = await excel(w.quality, { lang: 'en' })
  expect(all.status).toBe(200)
  const lines = await rowsOf(all.bytes)
  expect(lines?.map((line) => line[0])).toEqual(['Code', 'EX0', 'EX1', 'EX2', 'EX3'])
  expect(lines?.[1]?.slice(-1)).toEqual(['4.6'])
  const one = await rowsOf((await excel(w.quality, { lang: 'ar', set_id: sets[0]?.id })).bytes)
  expect(one?.[0]?.[0]).toBe('السؤال')
  expect(one?.[1]?.slice(0, 3)).toEqual(['واضح؟', '5', '4.6'])
})

test('a report is a PDF in Arabic and English, of one and of all together', async () => {
  for (const body of [{ lang: 'ar', set_id: sets[0]?.id }, { lang: 'en' }]) {
    const made = await w.quality('POST', `/questionnaires/stats/report/${id}`, body)
    expect(made.status).toBe(200)
    expect(made.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  }
})

test('an instructor has files of the own offering once its marks are published, and of no other', async () => {
  const set_id = sets[0]?.id
  expect(reasons(await excel(teacher, { set_id }))).toEqual(['results_marks_first'])
  expect(reasons(await excel(teacher, {}))).toEqual(['results_none'])
  await w.q(`update offerings set control_status = 'Published' where id = $1`, [offerings[0]])
  expect((await excel(teacher, { set_id })).status).toBe(200)
  expect(await rowsOf((await excel(teacher, { lang: 'en' })).bytes)).toHaveLength(2)
  expect(reasons(await excel(teacher, { set_id: sets[1]?.id }))).toEqual(['results_none'])
})

test('reports of all are one file, a report for each', async () => {
  const told: number[] = []
  const progress = Object.assign(
    async (percent: number) => {
      told.push(percent)
    },
    { signal: new AbortController().signal },
  )
  const ctx = asSystem(w.uni.services, 'test')
  const { name } = await reportsJob.run(ctx, { id, lang: 'en' }, progress)
  expect(name).toMatch(/^Results Survey .*\.zip$/)
  const [{ file }] = await w.q(`select id as file from files where name = $1`, [name])
  const { content } = await w.uni.services.files.read(file)
  const bytes = content instanceof Readable ? await buffer(content) : content
  const files = unzipSync(new Uint8Array(bytes))
  expect(Object.keys(files).map((file) => /EX\d/.exec(file)?.[0])).toEqual(['EX0', 'EX1', 'EX2', 'EX3'])
  const { job_id } = ok(await w.quality('POST', `/questionnaires/stats/reports/${id}`, { lang: 'ar' }))
  expect(job_id).toBeTruthy()
})
