import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleBundle } from '#areas/office/oneroster/sample.server.ts'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { closeSheets } from '#kit/server/sheets/index.ts'
import { tableOf } from './client.ts'
import { faultsOf, oneRosterJourney } from './oneroster.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(path.join(os.tmpdir(), 'ems-bundle-'))
  for (const [name, text] of Object.entries(sampleBundle({ students: 200, courses: 20 }))) {
    await writeFile(path.join(folder, `${name}.csv`), text)
  }
})
afterAll(async () => {
  await closeSheets()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('a term of an imported university: drop and add in a rush on two servers, marks, control, the end of the term, transcripts', async () => {
  const report = await oneRosterJourney({
    bundle: folder,
    students: 50,
    connections: 32,
    servers: 2,
    databaseUrl: database.url,
  })
  if (process.env.JOURNEY_REPORT) console.log(`\n${tableOf(report.steps)}\n${JSON.stringify(report.counts)}`)
  expect(faultsOf(report)).toEqual([])
  expect(report.counts).toMatchObject({ students: 200, offerings: 20, registered_students: 200, dropped: 50 })
  // The rush was one: some came too late.
  const rush = report.steps.find((step) => step.name === 'all drop and add at once')!
  expect(rush.refused.slot_full).toBeGreaterThan(0)
  expect(report.counts.added! + report.counts.waiting!).toBeGreaterThan(40)
})
