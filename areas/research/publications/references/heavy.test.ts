import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PoolError, WorkerPool } from '#kit/server/workers/pool.ts'
import { publicationWorld, sentFile, type PublicationWorld } from '../testing.server.ts'

let w: PublicationWorld
beforeAll(async () => {
  w = await publicationWorld()
})
afterAll(() => w.uni.close())

test('a file that keeps its reader busy without an end is refused', async () => {
  const one = await w.researcher('Heavy File')
  // A thread that was ended: whatever makes a parser run for minutes is not known beforehand.
  const run = vi.spyOn(WorkerPool.prototype, 'run').mockRejectedValueOnce(new PoolError('time'))
  const answer = await one('POST', '/publications/import', sentFile('a.bib', '@book{a, title={A}}'))
  run.mockRestore()
  expect([answer.status, answer.body.errors?.[0].code]).toEqual([422, 'reference_file_too_heavy'])
})

test('more than five thousand are not taken out at once', async () => {
  const one = await w.researcher('Many Works')
  await w.q(
    `insert into publications (kind, language, title, created_by) select 'book', 'en', 'Book ' || n, $1 from generate_series(1, 5001) n`,
    [one.user_id],
  )
  const answer = await one('POST', '/publications/export-references/ris', {})
  expect([answer.status, answer.body.errors[0].code]).toEqual([422, 'reference_export_many'])
})
