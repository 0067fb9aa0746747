import { PgBoss } from 'pg-boss'

/** Schema of the queue's tables. */
export const QUEUE = 'pgboss'

/** Makes or renews the tables of the job queue, which belong to the owner of the database like all others. */
export async function installQueue(ownerUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    application_name: 'university-ems migrations',
    max: 1,
    schema: QUEUE,
    supervise: false,
    schedule: false,
  })
  const errors: unknown[] = []
  boss.on('error', (error) => errors.push(error))
  try {
    await boss.start()
  } finally {
    await boss.stop({ graceful: false })
  }
}
