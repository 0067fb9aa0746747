import { serveTasks } from '#kit/server/workers/serve.ts'
import { readFile } from './read.server.ts'
import type { FileTask } from './read.server.ts'

serveTasks((task: FileTask) => readFile(task))
