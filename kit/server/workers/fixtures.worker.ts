import { serveTasks } from './serve.ts'

/** Tasks that behave and tasks that do not, for the pool's test. */
serveTasks(async (task: { do: string; value?: number }) => {
  switch (task.do) {
    case 'double':
      return task.value! * 2
    case 'throw':
      throw Object.assign(new Error('no'), { code: 'refused', data: { value: 1 } })
    case 'hang':
      for (;;);
    case 'exit':
      process.exit(3)
    case 'fill': {
      const all: number[][] = []
      for (;;) all.push(Array.from({ length: 10_000 }, (_, index) => index * 1.5))
    }
    default:
      throw new Error(task.do)
  }
})
