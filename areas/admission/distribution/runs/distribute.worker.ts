import { serveTasks } from '#kit/server/workers/serve.ts'
import { distributed } from './distribute.rules.ts'

serveTasks(distributed)
