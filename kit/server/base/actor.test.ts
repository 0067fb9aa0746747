import { expect, test } from 'vitest'
import { actorIn } from './actor.ts'
import type { Actor } from './context.ts'

test('who acts is asked for where somebody is signed in', () => {
  const actor = { user_id: 1 } as Actor
  expect(actorIn({ actor })).toBe(actor)
  expect(() => actorIn({ actor: null })).toThrow('not_signed_in')
})
