import { expect, test } from 'vitest'
import { ApiError } from '../api/error.ts'
import { sendAllOrNone } from './all-or-none.ts'

const problem = (field: string | null, en: string) => ({ field, code: 'x', en, ar: en })
const refused = (status: number, ...errors: object[]) => new ApiError(status, { message: 'refused', errors })

/** Sends cells to a server that answers one error after the other, then `saved`. */
async function sent(answers: readonly ApiError[], cells: readonly string[]) {
  const told: string[] = []
  const tries: string[][] = []
  const answer = await sendAllOrNone(cells, {
    list: 'cells',
    save: async (rest) => {
      tries.push([...rest])
      const error = answers[tries.length - 1]
      if (error) throw error
      return 'saved'
    },
    refuse: (cell) => told.push(cell),
  })
  return { answer, told, tries }
}

test('changes that are named are left out and told, the others are sent again', async () => {
  const error = refused(422, problem('cells.1.mark', 'too high'), problem('cells.1.mark', 'twice'))
  expect(await sent([error], ['a', 'b', 'c'])).toEqual({
    answer: 'saved',
    told: ['b'],
    tries: [
      ['a', 'b', 'c'],
      ['a', 'c'],
    ],
  })
})

test('what holds for all is told of each, and nothing is sent again', async () => {
  expect(await sent([refused(409, problem(null, 'submitted'))], ['a', 'b'])).toEqual({
    answer: null,
    told: ['a', 'b'],
    tries: [['a', 'b']],
  })
})

test('without a line or a session, or while the server is busy or broken, they wait on', async () => {
  for (const status of [0, 401, 429, 500, 503])
    await expect(sent([refused(status, problem('cells.0.mark', 'x'))], ['a'])).rejects.toThrow()
})
