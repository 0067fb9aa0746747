import { afterEach, expect, it } from 'vitest'
import { PoolError, TaskError, WorkerPool } from './pool.ts'

type Request = { do: string; value?: number }
let pool: WorkerPool<Request, number>
const open = ({ queue = 100, timeMs = 1_000 } = {}) => {
  pool = new WorkerPool<Request, number>(new URL('./fixtures.worker.ts', import.meta.url), {
    size: 2,
    timeMs,
    heapMb: 48,
    queue,
  })
}
afterEach(() => pool.close())

const reason = (task: Request) => pool.run(task).catch((error: PoolError) => error.reason)

it('answers every task with its own reply', async () => {
  open()
  const values = Array.from({ length: 50 }, (_, index) => index)
  expect(await Promise.all(values.map((value) => pool.run({ do: 'double', value })))).toEqual(values.map((v) => v * 2))
})

it('passes on what a task throws', async () => {
  open()
  const error = await pool.run({ do: 'throw' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TaskError)
  expect(error).toMatchObject({ message: 'no', code: 'refused', data: { value: 1 } })
})

it('loses only the task that hangs, dies or eats memory', async () => {
  // On a busy machine a second may not be enough to fill a heap.
  open({ timeMs: 5_000 })
  const outcomes = await Promise.all([
    reason({ do: 'hang' }),
    reason({ do: 'exit' }),
    reason({ do: 'fill' }),
    ...[1, 2, 3].map((value) => pool.run({ do: 'double', value })),
  ])
  expect(outcomes).toEqual(['time', 'crash', 'memory', 2, 4, 6])
})

it('refuses more than may wait, and everything once closed', async () => {
  open({ queue: 1 })
  const hanging = [reason({ do: 'hang' }), reason({ do: 'hang' }), reason({ do: 'hang' })]
  expect(await reason({ do: 'double', value: 1 })).toBe('busy')
  await pool.close()
  expect(await Promise.all(hanging)).toEqual(['closed', 'closed', 'closed'])
  expect(await reason({ do: 'double', value: 1 })).toBe('closed')
})
