/** The thread in which works are compared: a hundred thousand keep a thread busy for seconds. */
import { serveTasks } from '#kit/server/workers/serve.ts'
import { findDoubles, type ComparedWork, type Double } from './doubles.rules.ts'

serveTasks((works: readonly ComparedWork[]): Double[] => findDoubles(works))
