import pg from 'pg'
import { expect } from 'vitest'
import { checkStored, tell } from './checker/checker.ts'

/** What is stored keeps every rule that an independent look can ask: after a rush, a kill, a journey. */
export async function expectSound(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    expect(tell(await checkStored(client)), 'what the independent checker finds').toBe('')
  } finally {
    await client.end()
  }
}
