import { sql } from 'kysely'
import { f, request } from '#kit/contract/index.ts'
import { serveRequest } from '#kit/server/workflow/requests.ts'

const visit = request('excuse', {
  path: '/example-visits',
  one: ['Visit', 'زيارة'],
  many: ['Visits', 'زيارات'],
  adding: ['Ask for a visit', 'طلب زيارة'],
  fields: { days: f.integer(['Days', 'الأيام'], { required: true }) },
  needs: ({ days }: { days: number }) => (days > 30 ? [{ code: 'too_large' }] : []),
})
/** What the rule looks at, for all requests of a call at once. `serveWorkflow` does the same for any other table with states. */
export const visits = () =>
  serveRequest(visit, {
    facts: async (_ctx, tx, ids) => {
      const { rows } = await sql<{ id: number; days: number }>`
        select id, days from example_visits where id = any(${[...ids]}::int[])`.execute(tx)
      return new Map(rows.map(({ id, days }) => [id, { days }]))
    },
  })
