import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'

let u: TestUniversity
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
}, 720_000)
afterAll(() => u?.close())

test('what the demo university has previewed can be applied; who has gone on already is told as a sum before the names', async () => {
  const head = await u.as('control_head')
  const query = async (text: string) => (await u.database.pool.query(text)).rows
  const apply = async (id: number) => {
    const answer = await head('POST', '/control/levels/apply', { id })
    return { status: answer.status, reasons: answer.status === 200 ? [] : reasons(answer), errors: answer.body.errors }
  }
  for (const { id } of await query(`select id from level_results where status = 'previewed' order by id`))
    expect(await apply(id), `result ${id}`).toMatchObject({ status: 200, reasons: [] })
  expect((await query(`select from level_results where status = 'announced'`)).length).toBeGreaterThan(0)

  const [last] =
    await query(`select y.bylaw_id, y.year_id, y.level from student_years y join years n on n.id = y.year_id
    where exists (select from student_years x join years a on a.id = x.year_id and a.start_date > n.start_date where x.student_id = y.student_id)
    order by n.start_date desc, y.bylaw_id, y.level limit 1`)
  const { id } = ok(await head('POST', '/control/levels/preview', last))
  const refused = await apply(id)
  expect(refused.status).toBe(409)
  expect(refused.errors.length).toBeLessThanOrEqual(50)
  expect(refused.errors[0]).toMatchObject({ code: 'level_next_begun' })
  expect(refused.errors[0].data.count).toBeGreaterThan(100)
  expect(new Set(refused.errors.slice(1).map((one: { code: string }) => one.code))).toEqual(
    new Set(['level_next_there']),
  )
})
