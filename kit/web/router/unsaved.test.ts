import { expect, test } from 'vitest'
import { leaves, noteTabs, unsavedStore } from './unsaved.ts'

const at = (address: string) => {
  const { pathname, search } = new URL(address, 'https://university.example')
  return { pathname, search }
}

test.each([
  ['/students/1', '/students/2', true],
  // What a tab holds goes with it, in whichever direction, and by Back as well.
  ['/students/1', '/students/1?tab=contact', true],
  ['/students/1?tab=contact', '/students/1', true],
  ['/students/1?tab=contact&page=2', '/students/1?tab=contact&page=3', false],
  ['/offerings?filters=x', '/offerings', false],
])('%s to %s', (from, next, left) => expect(leaves(at(from), at(next))).toBe(left))

test('tabs of another name are known once they were drawn', () => {
  const [from, next] = [at('/bylaws/1?part=a'), at('/bylaws/1?part=b')]
  expect(leaves(from, next)).toBe(false)
  noteTabs('part')
  expect(leaves(from, next)).toBe(true)
})

test('what lives with the screen stays in every tab, and is gone with the screen', () => {
  const [here, tab, away] = [at('/bylaws/1'), at('/bylaws/1?tab=rules'), at('/bylaws/2')]
  unsavedStore.set(new Map<string, 'screen' | 'tab'>([['bar', 'screen']]))
  expect([leaves(here, tab), leaves(here, away)]).toEqual([false, true])
  // Something else that is typed in the tab goes with it.
  unsavedStore.set(
    new Map<string, 'screen' | 'tab'>([
      ['bar', 'screen'],
      ['cell', 'tab'],
    ]),
  )
  expect(leaves(here, tab)).toBe(true)
  unsavedStore.set(new Map())
})
