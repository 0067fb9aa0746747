import type { TestDatabase } from '#db/testing.ts'
import { loadDemo } from '../apps/demo/load.ts'
import { copyOf } from './copies.ts'
import { prepareTestDatabase } from './university.ts'

/** A database of your own with the demo university in it: loaded once per run, copied in about 100 ms. */
export const demoDatabase = (): Promise<TestDatabase> =>
  copyOf('demo', async (database) => {
    await prepareTestDatabase(database)
    await loadDemo(database.db)
  })
