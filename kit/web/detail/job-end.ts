import { jobCalls } from '#kit/contract/kit.area.ts'
import { send } from '../api/client.ts'
import { ApiError } from '../api/error.ts'

/** Milliseconds between two looks at a job. */
const BETWEEN = 700

/**
 * Waits until a job has ended, which goes on also when nobody waits any more.
 *
 * @param progress told how far it is, of a hundred
 * @returns what it gave
 * @throws {ApiError} why it failed, or that it was cancelled
 */
export async function endOfJob<Result>(id: string, progress: (percent: number) => void): Promise<Result> {
  for (;;) {
    const { data } = await send(jobCalls.getJob, { params: { id } })
    if (data.state === 'done') return data.result as Result
    if (data.state === 'failed' || data.state === 'cancelled')
      throw new ApiError(409, data.error ?? { message: 'job_cancelled' })
    progress(data.progress)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN))
  }
}
