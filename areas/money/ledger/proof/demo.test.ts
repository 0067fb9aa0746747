import { expect, it } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { verifyLedger } from './verify.server.ts'

it('the ledger of the demo university is whole', async () => {
  const database = await demoDatabase()
  try {
    const { findings, count, entries } = await verifyLedger(database.program.db)
    expect({ findings, count }).toEqual({ findings: [], count: 0 })
    expect(entries).toBeGreaterThan(0)
  } finally {
    await database.drop()
  }
}, 720_000)
